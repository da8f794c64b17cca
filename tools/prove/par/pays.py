"""What every way to play a main game pays in every cell, asked of the machine."""

from __future__ import annotations

from fractions import Fraction
from math import lcm
from typing import Any, NamedTuple, Sequence

from tools.prove.par import scores
from tools.prove.par.table import UNIT, Deal, Nets, Seat, cell, exact, numbered

CELLS = 60
Path = tuple[str, ...]


class Game(NamedTuple):
    """The shape of a game of showdowns; no pay is written here."""

    name: str
    sizes: tuple[int, int, int]  # hole, dealer and board cards
    wagers: tuple[str, ...]  # placed before the deal, a unit each
    raised: str  # the wager a decision adds
    stages: tuple[tuple[str, ...], ...]  # the raises open at each decision, low to high


class Pays(NamedTuple):
    """Nets in cents by path of play, then by cell; a cell no deal leads to is missing."""

    game: Game
    settings: dict[str, Any]
    cut: int  # the number of the lowest hand with which the dealer qualifies
    nets: dict[Path, dict[int, Nets]]
    folded: Nets
    stakes: dict[Path, int]  # all a path puts on the table

    def net(self, path: Path, where: int) -> Fraction:
        """Per unit of ante."""
        if where not in self.nets[path]:
            raise LookupError(f"{self.game.name}: no deal was found for cell {where}")
        return Fraction(sum(self.nets[path][where].values()), UNIT)

    def table(self, path: Path, scale: int) -> list[int]:
        """All cells as integers, `scale` to the unit; 0 where no deal leads."""
        row = self.nets[path]
        whole = [sum(row[c].values()) * scale if c in row else 0 for c in range(CELLS)]
        if any(n % UNIT for n in whole):
            raise ValueError(f"{scale} is no scale for {path}")
        return [n // UNIT for n in whole]

    def scale(self) -> int:
        """The least number that makes all nets whole."""
        every = [self.net(path, c) for path in self.nets for c in self.nets[path]]
        return lcm(*[net.denominator for net in every])


def paths(game: Game) -> list[Path]:
    """Every way to a showdown: checks, then a raise."""
    checked: Path = ()
    found = []
    for raises in game.stages:
        found += [(*checked, action) for action in raises]
        checked = (*checked, "check")
    return found


def fold_path(game: Game) -> Path:
    return ("check",) * (len(game.stages) - 1) + ("fold",)


def ask(game: Game, settings: dict[str, Any]) -> Pays:
    """Settle one deal of every cell on every path."""
    seat = Seat(game.name, settings, dict.fromkeys(game.wagers, UNIT))
    cut = qualifies(game, seat)
    deals: dict[int, Deal] = {}
    for deal, mine, theirs in numbered(game.sizes):
        deals.setdefault(cell(mine, theirs, cut), deal)
    nets = {
        path: {c: exact(seat, deal, path) for c, deal in deals.items()} for path in paths(game)
    }
    folds = [exact(seat, deal, fold_path(game)) for deal in deals.values()]
    if any(f != folds[0] for f in folds):
        raise ValueError(f"{game.name}: a fold costs more with some hands")
    return Pays(game, settings, cut, nets, folds[0], _stakes(game, nets))


def qualifies(game: Game, seat: Seat) -> int:
    """The dealer's lowest hand that qualifies, found where the ante's settlement changes."""
    deals: dict[tuple[int, int], Deal] = {}
    for deal, mine, theirs in numbered(game.sizes):
        deals.setdefault((cell(mine, theirs, 0) % 6, scores.group(theirs)), deal)
    path = paths(game)[0]
    found = set()
    for order in {order for order, _ in deals}:
        groups = sorted(g for o, g in deals if o == order)
        antes = [exact(seat, deals[order, g], path)["ante"] for g in groups]
        found |= {b for a, b, x, y in zip(groups, groups[1:], antes, antes[1:]) if x != y}
    if len(found) > 1:
        raise ValueError(f"{game.name}: the ante changes at more than one dealer's hand: {found}")
    return scores.cuts()[found.pop()] if found else 0


def _stakes(game: Game, nets: dict[Path, dict[int, Nets]]) -> dict[Path, int]:
    """A raise's stake is what it costs when it is lost."""
    placed = UNIT * len(game.wagers)
    found = {fold_path(game): placed}
    for path, row in nets.items():
        lost = {-row[c][game.raised] for c in row if c % 6 < 2}
        if len(lost) != 1:
            raise ValueError(f"{path} costs {lost} when lost")
        found[path] = placed + lost.pop()
    return found


def arrays(pays: Sequence[Pays], stage: int) -> list[list[list[int]]]:
    """By variant and raise of a stage, the pays of all cells, all to one scale."""
    scale = common_scale(pays)
    checks = ("check",) * stage
    game = pays[0].game
    return [[p.table((*checks, a), scale) for a in game.stages[stage]] for p in pays]


def common_scale(pays: Sequence[Pays]) -> int:
    return lcm(*[p.scale() for p in pays])


def folds(pays: Sequence[Pays]) -> list[int]:
    """What a fold nets, to the common scale."""
    scale = common_scale(pays)
    return [sum(p.folded.values()) * scale // UNIT for p in pays]
