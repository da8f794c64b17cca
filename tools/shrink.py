"""Shortens names nobody outside a module can see, before it is compiled for a board.

Every distinct name costs a board heap (it is interned once, for ever). Parameters that no call
names, module names and attributes that begin with an underscore and stay in their module: these
get short names which all modules share. What the code does is unchanged; `names()` gives the map,
and a release carries it, so that a traceback can be read.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from string import ascii_lowercase

TREES = dict[Path, ast.Module]


def short_names(taken: set[str], lead: str = "") -> Iterator[str]:
    """_a, _b ... _z, _aa, _ab ...: every name not taken."""
    for first in ["", *ascii_lowercase]:
        for last in ascii_lowercase:
            name = lead + first + last
            if name not in taken and name not in ("as", "if", "in", "is", "or", "do"):
                yield name


def parse(paths: list[Path]) -> TREES:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}


def keywords(trees: TREES) -> set[str]:
    """Every name some call passes an argument by."""
    calls = (n for tree in trees.values() for n in ast.walk(tree) if isinstance(n, ast.Call))
    return {str(word.arg) for call in calls for word in call.keywords}


def text_names(tree: ast.Module) -> set[str]:
    """Strings of a module: a name among them may be used by getattr or hasattr."""
    nodes = ast.walk(tree)
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def private(name: str) -> bool:
    return name.startswith("_") and not name.startswith("__") and len(name) > 2


class Module:
    """What one module defines and uses, and how its names are shortened."""

    def __init__(self, tree: ast.Module) -> None:
        self.tree = tree
        self.words = text_names(tree)
        self.attributes: set[str] = set()
        self.own: set[str] = set()  # attributes and methods set or defined here
        self.names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                self.attributes.add(node.attr)
                if isinstance(node.ctx, ast.Store):
                    self.own.add(node.attr)
            elif isinstance(node, ast.ClassDef):
                self.own |= {n.name for n in node.body if isinstance(n, ast.FunctionDef)}
        self.globals = set(self._globals())
        self.dynamic = any(
            isinstance(n, ast.Call)
            and getattr(n.func, "id", "") in ("getattr", "setattr", "hasattr")
            and not isinstance(n.args[1], ast.Constant)
            for n in ast.walk(tree)
        )

    def _globals(self) -> Iterator[str]:
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Global):
                yield from node.names
        for node in self.tree.body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                yield node.name
            elif isinstance(node, (ast.Assign, ast.For)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                for target in targets:
                    yield from (n.id for n in ast.walk(target) if isinstance(n, ast.Name))

    def bases(self) -> set[str]:
        """Names of base classes that are not defined in this module."""
        classes = [n for n in ast.walk(self.tree) if isinstance(n, ast.ClassDef)]
        found = {b.id for c in classes for b in c.bases if isinstance(b, ast.Name)}
        dotted = {b.attr for c in classes for b in c.bases if isinstance(b, ast.Attribute)}
        return (found | dotted) - {c.name for c in classes}


def shared_privates(modules: dict[Path, Module]) -> set[str]:
    """Private names that more than their own module uses; they stay as they are."""
    shared: set[str] = set()
    inherited = set().union(*(m.bases() for m in modules.values()))
    for module in modules.values():
        shared |= {a for a in module.attributes if private(a) and a not in module.own}
        classes = {n.name for n in ast.walk(module.tree) if isinstance(n, ast.ClassDef)}
        if module.bases() - set(dir(__builtins__)) or classes & inherited:
            shared |= module.own  # a class and its base in two modules
        for node in ast.walk(module.tree):
            if isinstance(node, ast.ImportFrom):
                shared |= {alias.name for alias in node.names}
    return shared


def renames(module: Module, shared: set[str]) -> dict[str, str]:
    """Private names of a module -> short ones."""
    fixed = shared | module.words | {"_"}
    attributes = {a for a in module.own if private(a)} - fixed
    if module.dynamic:
        attributes = {a for a in attributes if a in _stored(module.tree)}
    names = {g for g in module.globals if private(g)} - fixed - module.attributes
    taken = module.names | module.attributes | module.globals | shared
    return dict(zip(sorted(attributes | names), short_names(taken, "_")))


def _stored(tree: ast.Module) -> set[str]:
    """Attributes that hold values; those are never looked up by a made-up name here."""
    methods = {n.name for n in ast.walk(tree) if isinstance(n, ast.FunctionDef)}
    nodes = ast.walk(tree)
    stored = {
        n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Store)
    }
    return stored - methods


class Shortener(ast.NodeTransformer):
    """Applies a module's renames, and gives parameters short names function by function."""

    def __init__(self, module: Module, table: dict[str, str], fixed: set[str]) -> None:
        self.module = module
        self.table = table
        self.fixed = fixed  # parameter names that calls use
        self.scopes: list[dict[str, str]] = []

    def visit_Name(self, node: ast.Name) -> ast.Name:
        for scope in reversed(self.scopes):
            if node.id in scope:
                node.id = scope[node.id]
                return node
        node.id = self.table.get(node.id, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        node.attr = self.table.get(node.attr, node.attr)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.table.get(name, name) for name in node.names]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.name = self.table.get(node.name, node.name)
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        nested = [n for n in ast.walk(node) if isinstance(n, (ast.FunctionDef, ast.Lambda))]
        scope: dict[str, str] = {}
        if len(nested) <= 1 and not any(isinstance(n, ast.Nonlocal) for n in ast.walk(node)):
            scope = self._parameters(node)
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        self.scopes.append(scope)
        for arg in node.args.args:
            arg.arg = scope.get(arg.arg, arg.arg)
        node.body = [self.visit(child) for child in node.body]
        self.scopes.pop()
        node.name = self.table.get(node.name, node.name)
        return node

    def _parameters(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> dict[str, str]:
        long = [a.arg for a in node.args.args if len(a.arg) > 1 and a.arg != "self"]
        long = [name for name in long if name not in self.fixed]
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        used |= {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)}
        taken = used - set(long) | set(self.table.values()) | self.fixed
        return dict(zip(long, short_names(taken)))


def shrink(
    paths: list[Path], callers: list[Path]
) -> tuple[dict[Path, str], dict[str, dict[str, str]]]:
    """Source of every module with short names, and the map of each module's own names.

    `callers` are files that stay as they are (main.py) but call into the modules.
    """
    trees = parse(paths)
    modules = {path: Module(tree) for path, tree in trees.items()}
    shared = shared_privates(modules)
    fixed = keywords(trees) | keywords(parse(callers))
    sources, tables = {}, {}
    for path, module in modules.items():
        table = renames(module, shared)
        tree = Shortener(module, table, fixed).visit(module.tree)
        sources[path] = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        tables[path.name] = {short: name for name, short in table.items()}
    return sources, tables
