"""Small wrong changes to a source: what a test suite that can fail must notice."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Callable, Iterator

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One change: where it is, and the line before and after."""

    number: int
    line: int
    before: str
    after: str


Change = tuple[ast.AST, Callable[[], None]]


def changes(tree: ast.Module) -> Iterator[Change]:
    """(node, function that makes the change in the tree), in a fixed order."""
    skip = _docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare):
            for i, op in enumerate(node.ops):
                yield node, _set_item(node.ops, i, SWAPS[type(op)]())
        elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)) and type(node.op) in SWAPS:
            yield node, _set(node, "op", SWAPS[type(node.op)]())
        elif isinstance(node, (ast.If, ast.IfExp)):
            yield node.test, _set(node, "test", ast.UnaryOp(ast.Not(), node.test))
        elif isinstance(node, ast.Return) and node.value is not None and not _none(node.value):
            yield node, _set(node, "value", ast.Constant(None))
        elif isinstance(node, ast.Constant) and id(node) not in skip:
            yield from _constant(node)
        yield from _dropped(node)


def _constant(node: ast.Constant) -> Iterator[Change]:
    if isinstance(node.value, bool):
        yield node, _set(node, "value", not node.value)
    elif isinstance(node.value, int):
        yield node, _set(node, "value", node.value + 1)
    elif isinstance(node.value, str) and node.value:
        yield node, _set(node, "value", node.value + "~")


def _dropped(node: ast.AST) -> Iterator[Change]:
    """A call nobody uses the value of, or a raise, is left out."""
    for name in ("body", "orelse"):
        body = getattr(node, name, None)
        if not isinstance(body, list):
            continue
        for i, each in enumerate(body):
            call = isinstance(each, ast.Expr) and isinstance(each.value, ast.Call)
            if call or isinstance(each, ast.Raise):
                yield each, _set_item(body, i, ast.copy_location(ast.Pass(), each))


def _docstrings(tree: ast.Module) -> set[int]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            found.add(id(node.value))
        if isinstance(node, ast.JoinedStr):
            found |= {id(part) for part in node.values}
    return found


def _none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _set(node: ast.AST, name: str, value: object) -> Callable[[], None]:
    return lambda: setattr(node, name, value)


def _set_item(items: list, at: int, value: object) -> Callable[[], None]:
    return lambda: items.__setitem__(at, value)


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a source; `mutate` makes the one of that number."""
    rows = source.splitlines()
    found = []
    for number, (node, _) in enumerate(changes(ast.parse(source))):
        line = getattr(node, "lineno", 0)
        if line:
            after = _text(mutate(source, number), line)
            found.append(Mutant(number, line, rows[line - 1].strip(), after))
    return found


def _text(tree: ast.Module, line: int) -> str:
    """The smallest statement at a line, in one line."""
    near = [n for n in ast.walk(tree) if isinstance(n, ast.stmt) and n.lineno <= line]
    inner = max(near, key=lambda n: n.lineno)
    return ast.unparse(inner).splitlines()[0][:120]


def mutate(source: str, number: int) -> ast.Module:
    """The source with one change made."""
    tree = ast.parse(source)
    for i, (_, change) in enumerate(changes(tree)):
        if i == number:
            change()
            return ast.fix_missing_locations(tree)
    raise IndexError(number)
