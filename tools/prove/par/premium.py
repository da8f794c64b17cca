"""Three hole cards, four on the board (Premium): the best play, by full enumeration.

Boards are taken one of each class (16,432); for each, every hole and every dealer's hand. The
second decision is made on each board, the first on all boards together.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any, Sequence

import numpy as np

from tools.prove.par import kernels, pays, suits, work
from tools.prove.par.pays import Pays
from tools.prove.par.play import Play, Way, cells_of

PIECE = 256  # boards counted at a time
CLASSES = 1755


def classes_of_triples() -> np.ndarray:
    """The class of every three cards, by their place."""
    order = {k: i for i, k in enumerate(suits.classes(3))}
    found = np.zeros(kernels.TRIPLES, np.int64)
    for cards in combinations(range(52), 3):
        found[kernels.triple_index.py_func(*cards)] = order[suits.key(cards)]
    return found


def count(boards: list, cut: int, plays: np.ndarray, folded: np.ndarray) -> dict:
    """Cells by class of hole cards for some boards."""
    steps, suited, _, kinds = kernels.tables()
    classes = classes_of_triples()
    variants, actions = plays.shape[:2]
    every = np.zeros((CLASSES, kernels.CELLS), np.int64)
    later = np.zeros((variants, actions, CLASSES, kernels.CELLS + 1), np.int64)
    unasked = np.zeros((variants, 0), np.uint8)
    for cards, times in boards:
        kernels.board_of_four(
            np.array(cards), times, cut, plays, folded,
            steps, suited, kinds, classes, every, later, unasked,
        )  # fmt: skip
    return {"every": every, "later": later}


def solve(asked: Sequence[Pays]) -> list[Play]:
    """The best play of each variant."""
    game, cut = asked[0].game, asked[0].cut
    plays = np.array(pays.arrays(asked, 1), np.int64)
    folded = np.array(pays.folds(asked), np.int64)
    boards = [(c.cards, c.times) for c in suits.classes(4).values()]
    jobs = [(boards[i : i + PIECE], cut, plays, folded) for i in range(0, len(boards), PIECE)]
    key = work.identity(cut, plays, folded, PIECE)
    parts = work.pieces(game.name, key, jobs, count)
    every, later = work.added(parts, "every"), work.added(parts, "later")
    holes = list(suits.classes(3).values())
    return [Play(asked[k], holes, _ways(asked[k], every, later[k])) for k in range(len(asked))]


def _ways(asked: Pays, every: np.ndarray, later: np.ndarray) -> list[list[Way]]:
    """For each class of hole cards, every first action with all that follows from it."""
    game = asked.game
    found = []
    for c in range(len(every)):
        ways = [Way(a, {(a,): cells_of(every[c])}) for a in game.stages[0]]
        after: dict[Any, dict[int, int]] = {
            ("check", action): cells_of(later[a, c, :-1])
            for a, action in enumerate(game.stages[1])
        }
        after[pays.fold_path(game)] = {0: int(later[0, c, -1])}
        found.append([*ways, Way("check", after)])
    return found
