"""What names mean where: the part of Python's scoping rules that rewriting the firmware needs."""

from __future__ import annotations

import ast
import symtable
from collections.abc import Iterator

Function = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def outside(node: ast.AST) -> Iterator[ast.AST]:
    """What is under a node, without the bodies of functions and classes in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for part in [*child.decorator_list, *child.args.defaults, *child.args.kw_defaults]:
                if part is not None:
                    yield from ast.walk(part)
        elif isinstance(child, ast.ClassDef):
            for part in child.bases + child.decorator_list:
                yield from ast.walk(part)
        elif not isinstance(child, ast.Lambda):
            yield from outside(child)


def bindings(node: ast.AST) -> Iterator[str]:
    """Names that a module, a class or a function binds itself, as often as it does."""
    for child in outside(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            yield child.id
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield child.name
        elif isinstance(child, (ast.Import, ast.ImportFrom)):
            yield from ((a.asname or a.name).split(".")[0] for a in child.names)
        elif isinstance(child, ast.ExceptHandler) and child.name:
            yield child.name


def bound(node: ast.AST) -> set[str]:
    """Names that a module, a class or a function binds itself."""
    return set(bindings(node))


def declared(node: ast.AST) -> set[str]:
    """Names a function says are the module's."""
    return {name for n in outside(node) if isinstance(n, ast.Global) for name in n.names}


def all_declared(tree: ast.Module) -> set[str]:
    """Names that some function says are the module's."""
    return {name for n in ast.walk(tree) if isinstance(n, ast.Global) for name in n.names}


def arguments(node: ast.AST) -> set[str]:
    """Names of a function's parameters."""
    return {n.arg for n in ast.walk(node) if isinstance(n, ast.arg)}


def looked_up(source: str) -> set[str]:
    """Names that functions of a module look up outside of themselves, by Python's own rules."""
    tables = symtable.symtable(source, "", "exec").get_children()
    for table in tables:
        tables += table.get_children()
    return {s.get_name() for table in tables for s in table.get_symbols() if s.is_global()}
