"""Scores of five and seven cards by looking up: tables made once from the firmware's evaluator.

A hand's *number* is its place among the 7,462 different five-card hands, 0 the lowest. Cards of
one suit are looked up by their ranks as a mask; anything else is a walk over multisets of ranks,
a step a card. Suits matter for a flush only, so a walk's score is that of the ranks unsuited.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import NamedTuple, Sequence

from felt.evaluator import category, rank

RANKS = 13
DECK = 52
CATEGORIES = 10
MOST = 7  # cards in a hand
FLUSH = 5


class Tables(NamedTuple):
    """`steps[state * 13 + rank]` is the next state; states of seven cards are numbers of hands."""

    scores: list[int]  # number of a hand -> the firmware's score
    steps: list[int]
    five: dict[int, int]  # state of five cards -> number
    suited: list[int]  # mask of ranks in one suit -> number, or -1 below five


def unsuited(ranks: Sequence[int]) -> bytes:
    """Cards of these ranks, in ascending order, of which no five share a suit."""
    return bytes(r * 4 + i % 4 for i, r in enumerate(ranks))


def multisets(size: int) -> list[tuple[int, ...]]:
    every = combinations_with_replacement(range(RANKS), size)
    return [m for m in every if all(m[i] != m[i + 4] for i in range(size - 4))]


@lru_cache(maxsize=1)
def tables() -> Tables:
    """Every table, from `felt.evaluator.rank`."""
    flushes = {
        sum(1 << r for r in ranks): rank(bytes(r * 4 for r in ranks))
        for size in range(FLUSH, MOST + 1)
        for ranks in combinations(range(RANKS), size)
    }
    five = {m: rank(unsuited(m)) for m in multisets(5)}
    seven = {m: rank(unsuited(m)) for m in multisets(MOST)}
    scores = sorted(set(flushes.values()) | set(five.values()) | set(seven.values()))
    number = {score: i for i, score in enumerate(scores)}
    levels = [dict.fromkeys(multisets(size), 0) for size in range(MOST)]
    for i, m in enumerate(m for level in levels for m in level):
        levels[len(m)][m] = i
    steps = [0] * (sum(map(len, levels)) * RANKS)
    following = levels[1:] + [{m: number[score] for m, score in seven.items()}]
    for level, after in zip(levels, following):
        for m, state in level.items():
            for r in range(RANKS):
                steps[state * RANKS + r] = after.get(tuple(sorted((*m, r))), -1)
    suited = [number[flushes[mask]] if mask in flushes else -1 for mask in range(1 << RANKS)]
    return Tables(scores, steps, {levels[5][m]: number[s] for m, s in five.items()}, suited)


def number(cards: Sequence[int]) -> int:
    """The number of a hand of five or seven cards."""
    t = tables()
    state, masks = 0, [0, 0, 0, 0]
    for card in cards:
        state = t.steps[state * RANKS + (card >> 2)]
        masks[card & 3] |= 1 << (card >> 2)
    found = state if len(cards) == MOST else t.five[state]
    return max([found] + [t.suited[m] for m in masks])


def first(score: int) -> int:
    """The number of the lowest hand with at least this score."""
    return bisect_left(tables().scores, score)


def starts() -> list[int]:
    """The number with which each category begins."""
    kinds = [category(score) for score in tables().scores]
    return [kinds.index(kind) for kind in range(CATEGORIES)]


def kind(number: int) -> int:
    """The category of a hand."""
    return category(tables().scores[number])


@lru_cache(maxsize=1)
def samples() -> dict[int, tuple[int, ...]]:
    """Five cards of every number."""
    found = {number(unsuited(m)): tuple(unsuited(m)) for m in multisets(5)}
    for ranks in combinations(range(RANKS), 5):
        cards = tuple(r * 4 for r in ranks)
        found[number(cards)] = cards
    return found


def ranks_of(number: int) -> list[int]:
    """The ranks of a five-card hand with this number, those held most often first."""
    ranks = [c >> 2 for c in samples()[number]]
    return sorted(ranks, key=lambda r: (-ranks.count(r), -r))


@lru_cache(maxsize=1)
def cuts() -> tuple[int, ...]:
    """Where hands begin that a rule may treat differently: every category, and in each category

    every rank that leads it, such as a pair of threes or two pair with jacks on top.
    """
    found = []
    before = None
    for n in range(len(tables().scores)):
        here = kind(n), ranks_of(n)[0]
        if here != before:
            found.append(n)
        before = here
    return tuple(found)


def group(number: int) -> int:
    """Which of the groups between cuts a hand is in."""
    return bisect_right(cuts(), number) - 1
