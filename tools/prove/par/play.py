"""The best play of a main game, and what it is worth: exact sums over counted cells."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Iterable, Iterator, NamedTuple

from tools.prove.par import pays
from tools.prove.par.pays import Path, Pays
from tools.prove.par.stats import Outcome
from tools.prove.par.suits import Class
from tools.prove.par.table import UNIT


class Way(NamedTuple):
    """A first action and, by the path of play that follows, how often each cell comes."""

    action: str
    cells: dict[Path, dict[int, int]]


class Play(NamedTuple):
    """All first actions of all hole cards; `chosen` are the decisions on the board."""

    pays: Pays
    holes: list[Class]
    ways: list[list[Way]]
    chosen: Any = None

    def value(self, hole: int, way: Way) -> Fraction:
        """The expected net of a first action, per unit of ante."""
        parts = list(self._parts(way))
        return sum((o.count * o.net for o in parts), Fraction(0)) / sum(o.count for o in parts)

    def best(self, hole: int) -> Way:
        """The first action worth most; of equals the one that stakes least."""
        return max(reversed(self.ways[hole]), key=lambda way: self.value(hole, way))

    def outcomes(self) -> Iterator[Outcome]:
        """Everything that happens under the best play, named by the path that led there."""
        for hole in range(len(self.holes)):
            yield from self._parts(self.best(hole))

    def _parts(self, way: Way) -> Iterator[Outcome]:
        fold = pays.fold_path(self.pays.game)
        for path, cells in way.cells.items():
            staked = Fraction(self.pays.stakes[path], UNIT)
            name = " ".join(path)
            if path == fold:
                net = Fraction(sum(self.pays.folded.values()), UNIT)
                yield Outcome(sum(cells.values()), net, staked, name)
                continue
            for c, n in cells.items():
                yield Outcome(n, self.pays.net(path, c), staked, name)

    def by_wager(self) -> dict[str, Fraction]:
        """The expected net of each wager that makes up the game, per unit of ante."""
        found: dict[str, Fraction] = {}
        total = 0
        fold = pays.fold_path(self.pays.game)
        for hole in range(len(self.holes)):
            for path, cells in self.best(hole).cells.items():
                for c, n in cells.items():
                    total += n
                    nets = self.pays.folded if path == fold else self.pays.nets[path][c]
                    for wager, net in nets.items():
                        found[wager] = found.get(wager, Fraction(0)) + Fraction(n * net, UNIT)
        return {wager: net / total for wager, net in found.items()}


def cells_of(row: Iterable[int]) -> dict[int, int]:
    """Counts by cell, without the cells nothing leads to."""
    return {i: int(n) for i, n in enumerate(row) if n}
