"""The second way for Colorado and Three Card Poker: the same deals, counted in another order.

Colorado is counted here by boards, not by hole cards; in Three Card Poker the dealer's hands are
gone through one by one. Both are exact, so the figures must be the same fraction.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations

import numpy as np
from felt.evaluator.three import rank3
from numba import njit

from tools.prove.par import colorado, kernels, premium, scores, suits, three
from tools.prove.par.colorado_pays import MAIN
from tools.prove.par.table import LOST, TIED, UNIT, WON


@njit(cache=True)
def five_cards(cards, steps, suited, five):
    """The number of five cards."""
    state = 0
    mask = 0
    flush = True
    for c in cards:
        state = steps[state * 13 + (c >> 2)]
        mask |= 1 << (c >> 2)
        flush = flush and c & 3 == cards[0] & 3
    return suited[mask] if flush else five[state]


@njit(cache=True)
def by_boards(boards, times, holes, ways, away, group, lookup, found):
    """Count groups by way of play: every hole beside every board, its discard left out."""
    steps, suited, five = lookup
    cards = np.empty(5, np.int64)
    for b in range(len(boards)):
        board = boards[b]
        cards[2:] = board
        for h in range(len(holes)):
            n = 0
            met = False
            for c in holes[h]:
                if c == board[0] or c == board[1] or c == board[2]:
                    met = True
                elif c != away[h] and n < 2:
                    cards[n] = c
                    n += 1
            if met:
                continue
            g = 0 if away[h] < 0 else group[five_cards(cards, steps, suited, five)]
            found[ways[h], g] += times[b]


def _discard(play: colorado.Play, hole: tuple[int, ...], kind: int) -> int:
    """The card these very cards give up: the class' choice under the names of their suits."""
    wanted = play.best(kind).discard
    if wanted is None:
        return -1
    back = suits.renaming(play.holes[kind].cards)
    names = suits.renaming(hole)
    suit = names.index(back[wanted & 3])
    return wanted >> 2 << 2 | suit


def colorado_edge(play: colorado.Play) -> Fraction:
    """The house's edge of the main wagers, board by board."""
    steps, suited, five, _ = kernels.tables()
    holes = list(combinations(range(52), 3))
    kinds = premium.classes_of_triples()
    kind = [int(kinds[kernels.triple_index.py_func(*hole)]) for hole in holes]
    names = sorted(play.nets)
    ways = np.array([names.index(play.best(k).name) for k in kind])
    away = np.array([_discard(play, hole, k) for hole, k in zip(holes, kind)])
    group = np.searchsorted(scores.cuts(), np.arange(kernels.NUMBERS), "right") - 1
    found = np.zeros((len(names), len(scores.cuts())), np.int64)
    boards = list(suits.classes(3).values())
    by_boards(
        np.array([b.cards for b in boards]), np.array([b.times for b in boards]), np.array(holes),
        ways, away, group, (steps, suited, five), found,
    )  # fmt: skip
    won = 0
    for i, name in enumerate(names):
        for g in np.flatnonzero(found[i]):
            won += int(found[i, g]) * sum(play.nets[name][int(g)].get(w, 0) for w in MAIN)
    return Fraction(-won, int(found.sum()) * play.seat.wagers[MAIN[0]])


def three_card_edge(play: three.Play) -> Fraction:
    """The house's edge of ante and play, each hand against each of the dealer's."""
    hands = np.array(list(combinations(range(52), 3)))
    ranks = np.array([rank3(bytes(h)) for h in hands.tolist()])
    won = 0
    folded = sum(play.folded.values())
    for m in play.met:
        apart = ~np.isin(hands, m.hole.cards).any(axis=1)
        theirs = ranks[apart]
        if not play.plays(m):
            won += folded * len(theirs) * m.hole.times
            continue
        mine = rank3(bytes(m.hole.cards))
        order = np.where(mine > theirs, WON, np.where(mine == theirs, TIED, LOST))
        for where, n in zip(*np.unique(order * 2 + (theirs >= play.cut), return_counts=True)):
            nets = play.nets[mine, (int(where) // 2, bool(where % 2))]
            won += sum(nets.values()) * int(n) * m.hole.times
    return Fraction(-won, UNIT * three.AGAINST * 22100)
