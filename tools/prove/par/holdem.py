"""Two hole cards, five on the board (Heads Up, Ultimate): the best play, by full enumeration.

Flops are taken one of each class (1,755); for each, all turns, rivers, hole cards and dealer's
hands. The river's decision is made on each board, the flop's on all boards after it, the first on
all flops: nobody uses a card he does not see.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Any, Sequence

import numpy as np

from tools.prove.par import kernels, pays, suits, work
from tools.prove.par.pays import Pays
from tools.prove.par.play import Play, Way, cells_of

PIECE = 45  # flops counted at a time
PAIRS = list(combinations(range(52), 2))
INDEX = np.array([kernels.pair_index.py_func(a, b) for a, b in PAIRS])


def classes_of_pairs() -> np.ndarray:
    """The class of each pair of cards, by its place."""
    order = {k: i for i, k in enumerate(suits.classes(2))}
    found = np.zeros(kernels.PAIRS, np.int64)
    for place, pair in zip(INDEX, PAIRS):
        found[place] = order[suits.key(pair)]
    return found


def twin_suits(cards: tuple[int, ...]) -> tuple[int, int]:
    """Two suits in which a flop holds the same ranks, or one suit twice if there are none."""
    held = suits.masks(cards)
    for one, other in combinations(range(4), 2):
        if held[one] == held[other]:
            return one, other
    return 0, 0


@lru_cache(maxsize=None)
def swapped_pairs(twins: tuple[int, int]) -> np.ndarray:
    """The place of each pair of cards after two suits have changed names."""
    there = np.zeros(kernels.PAIRS, np.int64)
    for place, pair in zip(INDEX, PAIRS):
        x, y = sorted(kernels.swapped.py_func(c, *twins) for c in pair)
        there[place] = kernels.pair_index.py_func(x, y)
    return there


def both(halves: np.ndarray, twins: tuple[int, int]) -> np.ndarray:
    """Counts by pair of cards over all boards, from the boards that were counted."""
    same, half = halves.astype(np.int64)
    return same + half + half[swapped_pairs(twins)]


def count(flops: list, cut: int, first: np.ndarray, last: np.ndarray, folded: np.ndarray) -> dict:
    """Cells by class of hole cards for some flops, at the pays of flop and river."""
    steps, suited, _, kinds = kernels.tables()
    of_pair = classes_of_pairs()
    variants, raises = len(last), first.shape[1]
    every = np.zeros((169, kernels.CELLS), np.int64)
    later = np.zeros((variants, raises + 1, 169, kernels.CELLS + 1), np.int64)
    chosen = np.zeros((variants, len(flops), kernels.PAIRS), np.uint8)
    for f, (cards, times) in enumerate(flops):
        twins = twin_suits(cards)
        halves = np.zeros((2, kernels.PAIRS, kernels.CELLS), np.int32)
        rivers = np.zeros((variants, 2, kernels.PAIRS, kernels.CELLS + 1), np.int32)
        kernels.flop(
            np.array(cards),
            np.array(twins),
            cut,
            last,
            folded,
            steps,
            suited,
            kinds,
            halves,
            rivers,
        )
        here = both(halves, twins)
        river = np.array([both(half, twins) for half in rivers])
        np.add.at(every, of_pair, times * here)
        for k in range(variants):
            values = [river[k, :, :-1] @ last[k] + river[k, :, -1] * folded[k]]
            values += [here @ first[k, a] for a in range(raises)]
            best = np.argmax(values, axis=0)
            chosen[k, f] = best
            for a in range(raises):
                mine = best == a + 1
                np.add.at(later[k, a, :, :-1], of_pair[mine], times * here[mine])
            mine = best == 0
            np.add.at(later[k, raises], of_pair[mine], times * river[k, mine])
    return {"every": every, "later": later, "chosen": chosen}


def solve(asked: Sequence[Pays]) -> list[Play]:
    """The best play of each variant of one game."""
    game, cut = asked[0].game, asked[0].cut
    first = np.array(pays.arrays(asked, 1), np.int64)
    last = np.array(pays.arrays(asked, 2), np.int64)[:, 0]
    folded = np.array(pays.folds(asked), np.int64)
    flops = [(c.cards, c.times) for c in suits.classes(3).values()]
    jobs = [(flops[i : i + PIECE], cut, first, last, folded) for i in range(0, len(flops), PIECE)]
    key = work.identity(cut, first, last, folded, PIECE)
    parts = work.pieces(game.name, key, jobs, count)
    every, later = work.added(parts, "every"), work.added(parts, "later")
    chosen = np.concatenate([part["chosen"] for part in parts], axis=1)
    return [
        Play(
            asked[k], list(suits.classes(2).values()), _ways(asked[k], every, later[k]), chosen[k]
        )
        for k in range(len(asked))
    ]


def _ways(asked: Pays, every: np.ndarray, later: np.ndarray) -> list[list[Way]]:
    """For each class of hole cards, every first action with all that follows from it."""
    game = asked.game
    flop_paths = [("check", a) for a in game.stages[1]]
    river = ("check", "check", game.stages[2][0])
    fold = pays.fold_path(game)
    found = []
    for c in range(len(every)):
        ways = [Way(a, {(a,): cells_of(every[c])}) for a in game.stages[0]]
        after: dict[Any, dict[int, int]] = {}
        for a, path in enumerate(flop_paths):
            after[path] = cells_of(later[a, c, :-1])
        after[river] = cells_of(later[-1, c, :-1])
        after[fold] = {0: int(later[-1, c, -1])}
        found.append([*ways, Way("check", after)])
    return found
