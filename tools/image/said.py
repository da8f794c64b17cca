"""What code says of names: which it uses, which it must find again under the name it knows.

Files beside the closed world of compiled modules call into it (`attributes`), or hold code for a
board as text (`spoken`); what they name keeps its name.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from tools.image.scopes import bound

PACKAGE = "felt"
Asked = tuple[str, str]  # a module, a name in it


def keywords(trees: Iterable[ast.AST]) -> set[str]:
    """Every name some call passes an argument by."""
    calls = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call))
    return {str(word.arg) for call in calls for word in call.keywords}


def texts(tree: ast.AST) -> set[str]:
    nodes = ast.walk(tree)
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def words(tree: ast.AST) -> set[str]:
    """Every name that occurs, whatever it names."""
    found: set[str] = set()
    for node in ast.walk(tree):
        for field in ("id", "attr", "arg", "name", "asname"):
            word = getattr(node, field, None)
            found |= set(word.split(".")) if isinstance(word, str) else set()
        if isinstance(node, ast.Global):
            found |= set(node.names)
    return found


def attributes(tree: ast.AST) -> set[str]:
    """Names by which code may reach into the closed world or be reached from there."""
    found = texts(tree) | keywords([tree]) | bound(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") != "self":
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {a.name for a in node.names}
    return found


def spoken(tree: ast.AST) -> set[str]:
    """Names in texts that may be code for a board: attributes, imports, arguments by name."""
    found: set[str] = set()
    for text in texts(tree):
        found |= set(re.findall(r"(?<=[\w)\]])\.([A-Za-z_]\w*)", text))
        found |= set(re.findall(r"\b([A-Za-z_]\w*)=", text))
        for line in re.findall(r"\bimport ([\w, ]+)", text):
            found |= set(re.findall(r"\w+", line))
    return found


def asked(tree: ast.AST, itself: bool) -> set[Asked]:
    """What the code in a file's texts imports, and what the file `itself` does."""
    found: set[Asked] = set()
    for node in ast.walk(tree):
        if itself and isinstance(node, ast.ImportFrom):
            found |= {(str(node.module), alias.name) for alias in node.names}
    for text in texts(tree):
        for module, names in re.findall(r"\bfrom (\w[\w.]*) import ([\w, ]+)", text):
            found |= {(module, name) for name in re.findall(r"\w+", names)}
    return found


def foreign(tree: ast.AST) -> set[str]:
    """Modules that are not ours, and what is imported from them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] != PACKAGE
        ):
            found |= {part for alias in node.names for part in alias.name.split(".")}
    return found


def prefixes(trees: Iterable[ast.AST]) -> tuple[str, ...]:
    """Beginnings of names that are put together and then looked up."""
    found = set()
    for node in (n for tree in trees for n in ast.walk(tree)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "")[3:] == "attr":
            if isinstance(node.args[1], ast.BinOp) and isinstance(node.args[1].left, ast.Constant):
                found.add(str(node.args[1].left.value))
    return tuple(found)
