"""Where each name of the firmware's modules is defined, and what it is called in a joint."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tools.image.said import PACKAGE
from tools.image.scopes import all_declared, bindings

Trees = dict[str, ast.Module]


class Place(NamedTuple):
    """Where something is defined; a module itself has no name in it."""

    module: str
    name: str = ""


def _ours(node: ast.AST) -> bool:
    return isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] == PACKAGE


class World:
    """What every module's own names are, and which only stand for something elsewhere."""

    def __init__(self, trees: Trees, home: dict[str, str]) -> None:
        self.trees = trees
        self.home = home
        self.counts = {m: Counter(bindings(tree)) for m, tree in trees.items()}
        for m, tree in trees.items():
            self.counts[m].update(all_declared(tree))
        self.shared = {m: self._foreign(m) for m in home}
        self.aliases = {m: dict(self._aliases(m)) for m in trees}

    def _foreign(self, m: str) -> set[str]:
        """Names a member of a joint has for MicroPython's own; the same for all members."""
        found: set[str] = set()
        for node in self.trees[m].body:
            if isinstance(node, (ast.Import, ast.ImportFrom)) and not _ours(node):
                for alias in node.names:
                    local = alias.asname or alias.name
                    if self.counts[m][local] == 1 and local == alias.name:
                        found.add(local)
        return found

    def meant(self, node: ast.ImportFrom, alias: ast.alias) -> Place | None:
        """What an import brings, when that is joined; None for all else."""
        module = f"{node.module}.{alias.name}"
        if module in self.trees:
            return Place(module) if module in self.home else None
        if node.module in self.home and alias.name in self.counts[str(node.module)]:
            return Place(str(node.module), alias.name)
        return None

    def _aliases(self, m: str) -> Iterator[tuple[str, Place]]:
        for node in self.trees[m].body:
            for local, place in self.stand_ins(node, self.counts[m]):
                yield local, place

    def stand_ins(self, node: ast.AST, counts: Counter[str]) -> Iterator[tuple[str, Place]]:
        """Names an import binds for good to something joined that is itself never bound anew."""
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                local, place = alias.asname or alias.name, self.meant(node, alias)
                if place and counts[local] == 1:
                    if not place.name or self.counts[place.module][place.name] == 1:
                        yield local, place

    def place(self, module: str, name: str) -> Place:
        """Where a name of a module really is."""
        while place := self.aliases[module].get(name):
            if not place.name:
                return place
            module, name = place
        return Place(module, name)

    def unique(self, place: Place) -> str:
        """What something is called after joining."""
        if place.module not in self.home or place.name in self.shared[place.module]:
            return place.name
        return "_".join(place.module.split(".")[1:]) + "__" + place.name

    def handed_on(self, m: str, names: set[str]) -> list[ast.stmt]:
        """Imports by which a module still has names for what is in a joint now."""
        found: dict[str, list[ast.alias]] = {}
        for name in sorted(names & self.counts[m].keys()):
            place = self.place(m, name)
            joint = self.home.get(place.module)
            if place.name and joint:
                found.setdefault(joint, []).append(ast.alias(self.unique(place), name))
        return [ast.ImportFrom(joint, aliases, 0) for joint, aliases in found.items()]
