"""Where MicroPython keeps a global: with names chosen well, a large module finds each at once.

A module's globals are a table almost full; a name starts at its hash, one byte, and goes on to
the next free slot. A built-in name is looked up there first, and missed only after a long search:
a module of many globals gets its own entry for each one its functions use.
"""

from __future__ import annotations

import ast
import builtins

from tools.image.scopes import bound, looked_up

MANY = 64  # globals; below that a search is short anyway
# Sizes MicroPython's tables grow by, and the two names every module has from the start.
SIZES = (59, 73, 97, 127, 167, 223, 293, 389, 521, 691, 919, 1223)
GIVEN = ("__name__", "__file__")
# What the compiler itself makes something of, and what is in no hurry.
SPECIAL = {"super", "const", "ptr8", "ptr16", "ptr32", "uint", "print"}


def name_hash(name: str) -> int:
    """MicroPython's hash of a name, as it is kept on the board: one byte, never zero."""
    value = 5381
    for byte in name.encode():
        value = value * 33 ^ byte
    return value & 0xFF or 1


def borrowed(tree: ast.Module) -> list[str]:
    """Built-in names that get an entry in a module."""
    if len(kept(tree)) < MANY:
        return []
    source = ast.unparse(ast.fix_missing_locations(tree))
    found = looked_up(source) & set(dir(builtins)) - SPECIAL - bound(tree)
    return sorted(name for name in found if not name.startswith("__"))


def kept(tree: ast.Module) -> set[str]:
    """A module's globals once it is loaded."""
    deleted = [t for node in tree.body if isinstance(node, ast.Delete) for t in node.targets]
    return bound(tree) - set(map(ast.unparse, deleted))


class Slots:
    """A module's table of globals while names are chosen for it."""

    def __init__(self, tree: ast.Module, renamed: set[str]) -> None:
        names = kept(tree)
        self.names = names & renamed
        fixed = [*GIVEN, *borrowed(tree), *sorted(names - renamed)]
        total = len(self.names) + len(fixed)
        self.size = next(size for size in SIZES if size >= total)
        self.taken: set[int] = set()
        for name in fixed:
            self.take(name)

    def steps(self, name: str) -> int:
        """How many slots are looked at in vain before a free one."""
        at, steps = name_hash(name) % self.size, 0
        while (at + steps) % self.size in self.taken:
            steps += 1
        return steps

    def take(self, name: str) -> None:
        self.taken.add((name_hash(name) + self.steps(name)) % self.size)
