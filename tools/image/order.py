"""Puts first the names a module uses most: code refers to the first 128 in one byte, not two.

MicroPython numbers a module's names in the order it meets them, attributes first. So a module of
many names begins with a loop that never runs and mentions the busiest as attributes; nothing of
it stays in memory.
"""

from __future__ import annotations

import ast
import keyword
from collections import Counter
from collections.abc import Iterable, Iterator

from tools.image.scopes import arguments, bound, declared

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
ONE_BYTE = 128
SHORT_TEXT = 10  # a text up to this long is kept as a name


def uses(trees: Iterable[ast.Module]) -> Counter[str]:
    """How often code refers to each name."""
    found = Counter(name for tree in trees for name in _used(tree, None))
    return Counter({name: found[name] for name in found if not keyword.iskeyword(name)})


def mention(tree: ast.Module) -> str:
    """The statement to begin with; none for a module of few names."""
    used = uses([tree])
    if len(used) < ONE_BYTE:
        return ""
    first = sorted(used, key=lambda name: (-used[name], name))[:ONE_BYTE]
    return f"for _ in ():\n    _.{'.'.join(first)}\n"


def _used(node: ast.AST, local: set[str] | None) -> Iterator[str]:
    """Names the code of functions refers to, but for their own variables.

    `local` are those; None outside of functions, where code runs once and is gone.
    """
    for child in ast.iter_child_nodes(node):
        inner = local
        if isinstance(child, FUNCTIONS):
            inner = (local or set()) | arguments(child.args) | bound(child) - declared(child)
            yield from arguments(child.args)
            yield getattr(child, "name", "lambda")
        elif local is not None:
            yield from _named(child, local)
        if not _constant(child):
            yield from _used(child, inner)


def _constant(node: ast.AST) -> bool:
    """True for a tuple that is kept as one object: its texts are not looked up by number."""
    return isinstance(node, ast.Tuple) and all(isinstance(n, ast.Constant) for n in node.elts)


def _named(node: ast.AST, local: set[str]) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id not in local:
        yield node.id
    elif isinstance(node, ast.Attribute):
        yield node.attr
    elif isinstance(node, ast.keyword) and node.arg:
        yield node.arg
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        if len(node.value) <= SHORT_TEXT and node.value.isidentifier():
            yield node.value
