"""The second way: rounds dealt at random, decided by the best play, against the exact figure.

The river's decision is made here by going through the dealer's hands one by one; Premium's, which
has 14,190 of them a board, is made again for a sample of boards.
"""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any, NamedTuple

import numpy as np
from numba import njit

from tools.prove.par import holdem, kernels, pays, premium, suits, work
from tools.prove.par.play import Play

PIECE = 250000  # rounds at a time
LIMIT = 4  # standard errors


class Trial(NamedTuple):
    """Rounds played, their mean net and its standard error, beside the exact net a unit."""

    rounds: int
    mean: float
    error: float
    exact: float

    @property
    def off(self) -> float:
        """How many standard errors the exact figure is away."""
        return abs(self.mean - self.exact) / self.error


def place_of(cards: tuple[int, ...]) -> int:
    """The place of ascending cards among all sets of their size."""
    a, b, c = cards[:3]
    found = kernels.triple_index.py_func(a, b, c)
    return found + (four_places(cards[3]) if len(cards) == 4 else 0)


def four_places(d: int) -> int:
    return d * (d - 1) * (d - 2) * (d - 3) // 24


def members(size: int) -> tuple[np.ndarray, np.ndarray]:
    """For each set of cards its class, and how its suits are renamed to the first member's."""
    order = {k: i for i, k in enumerate(suits.classes(size))}
    back = []
    for found in suits.classes(size).values():
        renamed = suits.renaming(found.cards)
        back.append([renamed.index(s) for s in range(4)])
    sets = list(combinations(range(52), size))
    kind = np.zeros(len(sets), np.int32)
    names = np.zeros((len(sets), 4), np.int64)
    for cards in sets:
        i, c = place_of(cards), order[suits.key(cards)]
        kind[i] = c
        names[i] = [back[c][s] for s in suits.renaming(cards)]
    return kind, names


@njit(cache=True)
def number_of(hole, board, steps, suited):
    """The number of seven cards, card by card."""
    state = 0
    masks = np.zeros(4, np.int64)
    for c in hole:
        state = steps[state * 13 + (c >> 2)]
        masks[c & 3] |= 1 << (c >> 2)
    for c in board:
        state = steps[state * 13 + (c >> 2)]
        masks[c & 3] |= 1 << (c >> 2)
    for s in range(4):
        state = max(state, suited[masks[s]])
    return state


@njit(cache=True)
def draw(deck, count):
    """Put `count` random cards in front."""
    for i in range(count):
        j = np.random.randint(i, 52)
        deck[i], deck[j] = deck[j], deck[i]


@njit(cache=True)
def cell_of(mine, theirs, cut, kinds):
    """The cell of a showdown."""
    order = 2 if mine > theirs else 1 if mine == theirs else 0
    return kinds[mine] * 6 + order * 2 + (1 if theirs >= cut else 0)


@njit(cache=True)
def renamed(card, names):
    """A card under other names of the suits."""
    return (card >> 2) * 4 + names[card & 3]


@njit(cache=True)
def two_cards(seed, rounds, first, of_pair, flops, names, chosen, pay, folded, cut, lookup):
    """Sum and sum of squares of nets; `pay` is by path and cell, `first` the first action's path

    or -1 for a check; the paths of the flop follow those of the first decision.
    """
    steps, suited, kinds = lookup
    np.random.seed(seed)
    deck = np.arange(52)
    ids = np.empty(1081, np.int32)
    low = np.empty(1081, np.int32)
    high = np.empty(1081, np.int32)
    after = first.max() + 1
    total = 0
    squares = 0
    for _ in range(rounds):
        draw(deck, 9)
        a, b = min(deck[0], deck[1]), max(deck[0], deck[1])
        path = first[of_pair[kernels.pair_index(a, b)]]
        if path < 0:
            f = np.sort(deck[2:5])
            place = kernels.triple_index(f[0], f[1], f[2])
            x, y = renamed(a, names[place]), renamed(b, names[place])
            action = chosen[flops[place], kernels.pair_index(min(x, y), max(x, y))]
            path = after + action - 1 if action else -1
        board = deck[2:7]
        mine = number_of(deck[:2], board, steps, suited)
        if path < 0:
            value = 0
            n = kernels.score_pairs(board, steps, suited, ids, low, high)
            for h in range(n):
                if low[h] != a and low[h] != b and high[h] != a and high[h] != b:
                    value += pay[-1, cell_of(mine, ids[h], cut, kinds)]
            path = len(pay) - 1 if value > 990 * folded else -1
        net = folded
        if path >= 0:
            theirs = number_of(deck[7:9], board, steps, suited)
            net = pay[path, cell_of(mine, theirs, cut, kinds)]
        total += net
        squares += net * net
    return total, squares


@njit(cache=True)
def place_among(cards, board):
    """The place of three ascending cards among those a board leaves."""
    left = np.empty(3, np.int64)
    for i in range(3):
        left[i] = cards[i]
        for c in board:
            if c < cards[i]:
                left[i] -= 1
    return kernels.triple_index(left[0], left[1], left[2])


@njit(cache=True)
def three_cards(
    seed, rounds, first, of_triple, boards, reps, names, chosen, pay, folded, cut, lookup
):
    """As two_cards, for three hole cards and a board of four, decided in `chosen` before."""
    steps, suited, kinds = lookup
    np.random.seed(seed)
    deck = np.arange(52)
    after = first.max() + 1
    total = 0
    squares = 0
    for _ in range(rounds):
        draw(deck, 10)
        hole = np.sort(deck[:3])
        path = first[of_triple[kernels.triple_index(hole[0], hole[1], hole[2])]]
        if path < 0:
            b = np.sort(deck[3:7])
            d = b[3]
            place = d * (d - 1) * (d - 2) * (d - 3) // 24
            place += kernels.triple_index(b[0], b[1], b[2])
            for i in range(3):
                hole[i] = renamed(hole[i], names[place])
            kind = boards[place]
            action = chosen[kind, place_among(np.sort(hole), reps[kind])]
            path = after + action - 1 if action else -1
        net = folded
        if path >= 0:
            mine = number_of(deck[:3], deck[3:7], steps, suited)
            theirs = number_of(deck[7:10], deck[3:7], steps, suited)
            net = pay[path, cell_of(mine, theirs, cut, kinds)]
        total += net
        squares += net * net
    return total, squares


def _setup(play: Play) -> tuple[np.ndarray, np.ndarray, int]:
    """First paths by class of hole cards, pays by path and cell, and what a fold nets."""
    scale = pays.common_scale([play.pays])
    every = pays.paths(play.pays.game)
    pay = np.array([play.pays.table(path, scale) for path in every], np.int64)
    first = [
        -1 if play.best(i).action == "check" else every.index((play.best(i).action,))
        for i in range(len(play.holes))
    ]
    # the flop's paths come after all first raises, also those nobody takes
    first.append(len(play.pays.game.stages[0]) - 1)
    return np.array(first), pay, pays.folds([play.pays])[0]


def _lookup() -> tuple:
    steps, suited, _, kinds = kernels.tables()
    return steps, suited, kinds


def two_card_piece(seed: int, *setup: Any) -> dict[str, np.ndarray]:
    """Some rounds of Heads Up or Ultimate."""
    flops, names = members(3)
    first, pay, folded, cut, chosen = setup
    sums = two_cards(
        seed, PIECE, first, holdem.classes_of_pairs(), flops, names, chosen, pay, folded, cut,
        _lookup(),
    )  # fmt: skip
    return {"sums": np.array(sums, np.int64)}


def simulate(play: Play, rounds: int, exact: float) -> Trial:
    """Play so many rounds of a game by its best play."""
    first, pay, folded = _setup(play)
    pieces = max(1, rounds // PIECE)
    name = f"{play.pays.game.name}-trial"
    if play.pays.game.sizes[0] == 2:
        setup = (first, pay, folded, play.pays.cut, play.chosen)
        key = work.identity(*setup, PIECE)
        parts = work.pieces(name, key, [(i, *setup) for i in range(pieces)], two_card_piece)
    else:
        parts = _premium(play, first, pay, folded, pieces)
    total, squares = (int(n) for n in work.added(parts, "sums"))
    scale = pays.common_scale([play.pays])
    n = pieces * PIECE
    mean = total / n
    error = sqrt((squares / n - mean * mean) / n)
    return Trial(n, mean / scale, error / scale, exact)


def decisions(boards: list, cut: int, plays: np.ndarray, folded: np.ndarray) -> dict:
    """The decision of every holding on some boards."""
    steps, suited, _, kinds = kernels.tables()
    classes = premium.classes_of_triples()
    every = np.zeros((premium.CLASSES, kernels.CELLS), np.int64)
    later = np.zeros((1, plays.shape[1], premium.CLASSES, kernels.CELLS + 1), np.int64)
    found = np.zeros((len(boards), 17296), np.uint8)
    for i, (cards, times) in enumerate(boards):
        kernels.board_of_four(
            np.array(cards), times, cut, plays, folded,
            steps, suited, kinds, classes, every, later, found[i : i + 1],
        )  # fmt: skip
    return {"chosen": found}


def _premium(
    play: Play, first: np.ndarray, pay: np.ndarray, folded: int, pieces: int
) -> list[work.Arrays]:
    """Decide every board once, then deal."""
    plays = np.array(pays.arrays([play.pays], 1), np.int64)
    folds = np.array([folded], np.int64)
    boards = [(c.cards, c.times) for c in suits.classes(4).values()]
    size = premium.PIECE
    jobs = [
        (boards[i : i + size], play.pays.cut, plays, folds) for i in range(0, len(boards), size)
    ]
    key = work.identity(play.pays.cut, plays, folds, size)
    parts = work.pieces("premium-decisions", key, jobs, decisions)
    chosen = np.concatenate([part["chosen"] for part in parts])
    kind, names = members(4)
    reps = np.array([cards for cards, _ in boards])
    found = []
    bar = work.Bar("premium-trial", pieces)
    for seed in range(pieces):
        sums = three_cards(
            seed, PIECE, first, premium.classes_of_triples(), kind, reps, names, chosen, pay,
            folded, play.pays.cut, _lookup(),
        )  # fmt: skip
        found.append({"sums": np.array(sums, np.int64)})
        bar.step()
    return found
