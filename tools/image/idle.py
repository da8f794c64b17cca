"""Lets a module forget what it needs only while it loads: its table of names stays small.

A name that no function looks up and nobody imports is deleted behind the last statement that uses
it, and so are two names MicroPython gives every class and never reads.
"""

from __future__ import annotations

import ast

from tools.image import scopes

SIMPLE = (ast.Assign, ast.FunctionDef, ast.ClassDef, ast.Import, ast.ImportFrom)
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)


def reached(tree: ast.Module, module: str) -> set[str]:
    """What code takes from a module, by import or as its attributes."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == module:
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.Attribute):
            found.add(node.attr)
    return found


def forget(tree: ast.Module, wanted: set[str]) -> None:
    """Delete names of the module that nothing wants once it is loaded."""
    for node in ast.walk(tree):
        if isinstance(node, FUNCTIONS):
            wanted |= {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
    last: dict[str, int] = {}
    bound: set[str] = set()  # for certain: not by a branch that may not be taken
    for at, node in enumerate(tree.body):
        made = scopes.bound(ast.Module([node], []))
        certain = made - _inner(node)
        bound |= certain if isinstance(node, SIMPLE) and not _const(node) else set()
        names = made | {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        last.update(dict.fromkeys(names, at))
    gone = [(at, name) for name, at in last.items() if name in bound - wanted]
    for at, name in sorted(gone, reverse=True):
        tree.body.insert(at + 1, ast.Delete([ast.Name(name, ast.Del())]))


def _inner(node: ast.stmt) -> set[str]:
    """Names that comprehensions bind: they are gone when these end."""
    loops = (n.target for n in ast.walk(node) if isinstance(n, ast.comprehension))
    return {n.id for target in loops for n in ast.walk(target) if isinstance(n, ast.Name)}


def _const(node: ast.stmt) -> bool:
    """True for what the compiler writes in place itself; it deletes no such name."""
    value = node.value if isinstance(node, ast.Assign) else None
    return isinstance(value, ast.Call) and ast.unparse(value.func) == "const"


def forget_in_classes(tree: ast.Module) -> None:
    """Delete what MicroPython puts in every class before its first own name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            names: list[ast.expr] = [
                ast.Name(name, ast.Del()) for name in ("__module__", "__qualname__")
            ]
            node.body.insert(0, ast.Delete(names))
