"""Small wrong changes to a source: what a test suite that can fail must notice."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from os.path import commonprefix
from typing import Callable, Iterator

SWAPS: dict[type, type] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot,
    ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult, ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


NEAR = 24  # characters shown before and after a change


@dataclass(frozen=True)
class Mutant:
    """One change: its place, and the statement before and after. As a text it is its name."""

    number: int
    line: int
    first: int  # line of its statement
    where: str  # function or class
    before: str
    after: str

    def __str__(self) -> str:
        start = len(commonprefix((self.before, self.after)))
        old, new = self.before[start:], self.after[start:]
        end = len(commonprefix((old[::-1], new[::-1])))
        near = self.before[max(0, start - NEAR) : start]
        far = old[len(old) - end :][:NEAR]
        change = f"{near}[{old[: len(old) - end]} => {new[: len(new) - end]}]{far}"
        return f"{self.where}: {change}".replace("\n", " ")


Undo = Callable[[], None]
Change = tuple[ast.AST, Callable[[], Undo]]


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


def _set(node: ast.AST, name: str, value: object) -> Callable[[], Undo]:
    def change() -> Undo:
        old = getattr(node, name)
        setattr(node, name, value)
        return lambda: setattr(node, name, old)

    return change


def _set_item(items: list, at: int, value: object) -> Callable[[], Undo]:
    def change() -> Undo:
        old = items[at]
        items[at] = value
        return lambda: items.__setitem__(at, old)

    return change


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a source; `mutate` makes the one of that number."""
    tree = ast.parse(source)
    places: dict[int, tuple[ast.stmt, str]] = {}
    _find(tree, None, "", places)
    found = []
    for number, (node, change) in enumerate(list(changes(tree))):
        statement, where = places[id(node)]
        before = _head(statement)
        undo = change()
        after = _head(statement)
        undo()
        line = getattr(node, "lineno", statement.lineno)
        same = after == before  # a statement that was left out
        found.append(
            Mutant(number, line, statement.lineno, where, before, "pass" if same else after)
        )
    return found


def _find(node: ast.AST, inside: ast.stmt | None, where: str, places: dict) -> None:
    """The innermost statement and the function of every node."""
    if isinstance(node, ast.stmt):
        inside = node
    if isinstance(node, (ast.FunctionDef, ast.ClassDef, ast.AsyncFunctionDef)):
        where = f"{where}.{node.name}".lstrip(".")
    places[id(node)] = (inside, where)
    for child in ast.iter_child_nodes(node):
        _find(child, inside, where, places)


def _head(statement: ast.stmt) -> str:
    """A statement without the statements inside it."""
    text = ast.unparse(statement)
    return text.split("\n    ")[0] if hasattr(statement, "body") else text


def mutate(source: str, number: int) -> ast.Module:
    """The source with one change made."""
    tree = ast.parse(source)
    for i, (_, change) in enumerate(changes(tree)):
        if i == number:
            change()
            return ast.fix_missing_locations(tree)
    raise IndexError(number)
