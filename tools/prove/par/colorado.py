"""Colorado: three cards, one discarded unseen, three on the board. Every hand, discard and board.

How often a kept pair of cards makes which hand depends on no option: it is counted once. What a
hand pays, and whether three cards are an instant winner, the machine says.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Iterator, NamedTuple

import numpy as np

from tools.prove.par import catalogue, kernels, scores, suits, work
from tools.prove.par.colorado_pays import ALONE, MAIN, SIDE, alone, by_group, seated
from tools.prove.par.stats import Outcome
from tools.prove.par.suits import Class
from tools.prove.par.table import Nets, Seat

PIECE = 65
BOARDS = 18424  # of three from 49 cards


class Choice(NamedTuple):
    """One way to play three cards, what it is worth over all boards, and what follows from it."""

    name: str
    discard: int | None
    main: int  # cents won or lost by ante and bet over all boards
    side: int  # by the bonus
    groups: np.ndarray | None = None  # how often each group of hands comes


def count(holes: list) -> dict[str, np.ndarray]:
    """Groups of five-card hands by hole cards and the one of them discarded."""
    steps, suited, five, _ = kernels.tables()
    cuts = np.array(scores.cuts())
    found = np.zeros((len(holes), 3, len(cuts)), np.int64)
    kernels.kept_hands(np.array(holes), steps, suited, five, cuts, found)
    return {"groups": found}


def groups() -> np.ndarray:
    """For each class of hole cards and each discard, how often each group of hands comes."""
    holes = [c.cards for c in suits.classes(3).values()]
    jobs = [(holes[i : i + PIECE],) for i in range(0, len(holes), PIECE)]
    parts = work.pieces("colorado", work.identity(scores.cuts(), PIECE), jobs, count)
    return np.concatenate([part["groups"] for part in parts])


class Play(NamedTuple):
    """Every choice for each class of hole cards."""

    seat: Seat
    holes: list[Class]
    choices: list[list[Choice]]
    nets: dict[str, dict[int, Nets]]  # by action and group

    def best(self, hole: int) -> Choice:
        """The choice worth most to the main wagers; of equals the one worth most to the bonus."""
        return max(self.choices[hole], key=lambda c: (c.main, c.side))

    def outcomes(self, wagers: tuple[str, ...] = MAIN) -> Iterator[Outcome]:
        """What happens to some wagers, per unit of the first, under the best play."""
        unit = self.seat.wagers[wagers[0]]
        for hole, found in enumerate(self.holes):
            choice = self.best(hole)
            groups = {0: BOARDS} if choice.groups is None else dict(enumerate(choice.groups))
            for group, n in groups.items():
                if n:
                    nets = self.nets[choice.name][group]
                    net = Fraction(sum(nets.get(w, 0) for w in wagers), unit)
                    staked = Fraction(sum(w in nets for w in wagers))
                    yield Outcome(int(n) * found.times, net, staked, choice.name)


def solve(settings: dict[str, Any], counted: np.ndarray) -> Play:
    """The best play under these settings."""
    seat = seated(settings)
    holes = list(suits.classes(3).values())
    choices: list[list[Choice]] = [[] for _ in holes]
    nets = {}
    for action in catalogue.actions(settings["version"]):
        if action in ALONE:
            nets[action] = _alone(seat, holes, action, choices)
            continue
        nets[action] = by_group(seat, action)
        main, side = (_values(nets[action], w, counted) for w in (MAIN, (SIDE,)))
        for h, hole in enumerate(holes):
            for i in range(3):
                worth = int(main[h, i]), int(side[h, i])
                choices[h].append(Choice(action, hole.cards[i], *worth, counted[h, i]))
    return Play(seat, holes, choices, nets)


def _values(nets: dict[int, Nets], wagers: tuple[str, ...], counted: np.ndarray) -> np.ndarray:
    """By hole cards and discard, what all boards together bring some wagers."""
    pays = [sum(nets[g].get(w, 0) for w in wagers) for g in range(counted.shape[2])]
    return counted @ np.array(pays, np.int64)


def _alone(seat: Seat, holes: list[Class], action: str, choices: list) -> dict[int, Nets]:
    """Add a choice that no board changes to the hands that have it; return its nets."""
    results = [alone(seat, hole.cards, action) for hole in holes]
    best = max(results, key=lambda nets: sum(nets.values()))
    for found, nets in zip(choices, results):
        if nets == best:  # a false declaration is an irregularity, no choice
            main = sum(nets.get(w, 0) for w in MAIN)
            found.append(Choice(action, None, BOARDS * main, BOARDS * nets[SIDE]))
    return {0: alone(seat, holes[results.index(best)].cards, action, proven=True)}
