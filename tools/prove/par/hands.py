"""How many hands of five or seven cards have each number: exact counts, by multisets of ranks."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from itertools import combinations
from math import comb, prod

from tools.prove.par import scores

SUITS = 4
FLUSH = scores.FLUSH


def _flushes(held: Counter) -> int:
    """Ways to give suits to ranks, so many of each, with five or more cards of one suit."""
    ways = 0
    for size in range(FLUSH, len(held) + 1):
        for inside in map(set, combinations(held, size)):
            ways += prod(comb(SUITS - 1, n - (r in inside)) for r, n in held.items())
    return ways * SUITS


@lru_cache(maxsize=None)
def counts(size: int) -> list[int]:
    """How many of all hands of this size have each number."""
    t = scores.tables()
    found = [0] * len(t.scores)
    for ranks in scores.multisets(size):
        held = Counter(ranks)
        ways = prod(comb(SUITS, n) for n in held.values())
        found[scores.number(scores.unsuited(ranks))] += ways - _flushes(held)
    others = scores.DECK - scores.RANKS
    for suited in range(FLUSH, size + 1):
        for ranks in combinations(range(scores.RANKS), suited):
            mask = sum(1 << r for r in ranks)
            found[t.suited[mask]] += SUITS * comb(others, size - suited)
    return found


def grouped(size: int, cuts: list[int]) -> list[int]:
    """The counts of the groups that start at each of `cuts` (the first of which is 0)."""
    all_counts = counts(size)
    return [sum(all_counts[a:b]) for a, b in zip(cuts, cuts[1:] + [len(all_counts)])]
