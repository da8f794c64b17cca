"""Writes whole-number constants of modules in their place, in every module that uses them.

A constant that nothing refers to afterwards is left out, and so is the import that brought it.
"""

from __future__ import annotations

import ast
import operator
from collections import Counter
from collections.abc import Iterator

Trees = dict[str, ast.Module]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
    ast.BitOr: operator.or_,
}


def constants(trees: Trees, kept: set[str]) -> None:
    """Change the modules in place; names in `kept` stay defined."""
    known: dict[str, dict[str, int]] = {}
    for name in [*trees, *trees]:  # twice: a constant may be made of another module's
        world = _Imports(trees[name], known)
        known[name] = {k: v for k, v in _defined(trees[name], world) if k not in kept}
    for name, tree in trees.items():
        _Inliner(_Imports(tree, known), known[name]).visit(tree)
    used = Counter(word for tree in trees.values() for word in _words(tree))
    for name, tree in trees.items():
        tree.body = [left for node in tree.body for left in _used(node, known[name], used)]
        names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        for node in list(ast.walk(tree)):
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    setattr(node, field, _without_imports(block, known, names))


class _Imports:
    """What a module's import statements mean, as far as modules of ours go."""

    def __init__(self, tree: ast.Module, known: dict[str, dict[str, int]]) -> None:
        self.modules: dict[str, dict[str, int]] = {}
        self.values: dict[str, int] = {}
        bound = Counter(_bindings(tree))
        for node in ast.walk(tree):
            if not isinstance(node, ast.ImportFrom):
                continue
            for alias in node.names:
                local = alias.asname or alias.name
                module = known.get(f"{node.module}.{alias.name}")
                value = known.get(str(node.module), {}).get(alias.name)
                if bound[local] != 1:
                    continue  # bound otherwise too: left alone
                if module is not None:
                    self.modules[local] = module
                elif value is not None:
                    self.values[local] = value


def _bindings(tree: ast.AST) -> Iterator[str]:
    """Every binding of every scope; a name bound once has one meaning in the whole module."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.ExceptHandler) and node.name:
            yield node.name
        elif isinstance(node, ast.Global):
            yield from node.names * 2
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            yield from ((a.asname or a.name).split(".")[0] for a in node.names)


def _defined(tree: ast.Module, world: _Imports) -> Iterator[tuple[str, int]]:
    bound = Counter(_bindings(tree))
    found: dict[str, int] = {}
    for node in tree.body:
        if not isinstance(node, ast.Assign) or len(node.targets) != 1:
            continue
        for target, value in _pairs(node.targets[0], node.value):
            number = _value(value, found, world)
            if isinstance(target, ast.Name) and bound[target.id] == 1 and number is not None:
                found[target.id] = number
    yield from found.items()


def _pairs(target: ast.expr, value: ast.expr) -> list[tuple[ast.expr, ast.expr]]:
    if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts))
    if isinstance(target, ast.Tuple) and ast.unparse(value) == f"range({len(target.elts)})":
        return [(part, ast.Constant(i)) for i, part in enumerate(target.elts)]
    return [(target, value)]


def _value(node: ast.expr, own: dict[str, int], world: _Imports) -> int | None:
    if isinstance(node, ast.Constant):
        return node.value if type(node.value) is int else None
    if isinstance(node, ast.Name):
        return own.get(node.id, world.values.get(node.id))
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return world.modules.get(node.value.id, {}).get(node.attr)
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "const":
        return _value(node.args[0], own, world)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = _value(node.operand, own, world)
        return None if value is None else -value
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        left, right = _value(node.left, own, world), _value(node.right, own, world)
        if left is not None and right is not None:
            return OPERATORS[type(node.op)](left, right)
    return None


class _Inliner(ast.NodeTransformer):
    def __init__(self, world: _Imports, own: dict[str, int]) -> None:
        self.modules = world.modules
        self.values = world.values | own

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if isinstance(node.ctx, ast.Load) and node.id in self.values:
            return ast.Constant(self.values[node.id])
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.value, ast.Name) and isinstance(node.ctx, ast.Load):
            value = self.modules.get(node.value.id, {}).get(node.attr)
            if value is not None:
                return ast.Constant(value)
        self.generic_visit(node)
        return node


def _words(tree: ast.AST) -> Iterator[str]:
    """Names that are still looked up, in whatever way."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


def _used(node: ast.stmt, own: dict[str, int], used: Counter[str]) -> list[ast.stmt]:
    """A statement without constants nobody needs by name; nothing when there are no others."""
    if not isinstance(node, ast.Assign):
        return [node]
    pairs = _pairs(node.targets[0], node.value)
    idle = [isinstance(t, ast.Name) and t.id in own and not used[t.id] for t, _ in pairs]
    if not any(idle):
        return [node]
    return [ast.Assign([t], v) for (t, v), gone in zip(pairs, idle) if not gone]


def _without_imports(
    block: list[ast.stmt], known: dict[str, dict[str, int]], names: set[str]
) -> list[ast.stmt]:
    """A block without imports of ours, constants or modules, that nothing names any more."""
    left: list[ast.stmt] = []
    for node in block:
        if isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == "felt":
            node.names = [
                alias
                for alias in node.names
                if (alias.asname or alias.name) in names
                or not (
                    f"{node.module}.{alias.name}" in known
                    or alias.name in known.get(str(node.module), {})
                )
            ]
            if not node.names:
                continue
        left.append(node)
    return left or [ast.Pass()] if block else block
