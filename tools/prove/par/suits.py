"""Hands that differ only in the names of their suits are one: classes of cards."""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations
from typing import Iterable, NamedTuple

RANKS = "23456789TJQKA"
Key = tuple[int, int, int, int]


class Class(NamedTuple):
    """The first member stands for all; `times` says how many there are."""

    cards: tuple[int, ...]
    times: int


def masks(cards: Iterable[int]) -> list[int]:
    """The ranks held in each suit, as four masks."""
    found = [0, 0, 0, 0]
    for card in cards:
        found[card & 3] |= 1 << (card >> 2)
    return found


def key(cards: Iterable[int]) -> Key:
    """The same for all hands of one class: the four masks in order of size."""
    a, b, c, d = sorted(masks(cards), reverse=True)
    return a, b, c, d


@lru_cache(maxsize=None)
def classes(size: int) -> dict[Key, Class]:
    """Every class of `size` cards by its key, in the order of their first members."""
    members: dict[Key, tuple[int, ...]] = {}
    times: dict[Key, int] = {}
    for cards in combinations(range(52), size):
        k = key(cards)
        members.setdefault(k, cards)
        times[k] = times.get(k, 0) + 1
    return {k: Class(cards, times[k]) for k, cards in members.items()}


def renaming(cards: Iterable[int]) -> list[int]:
    """For each suit, what it is called in the member of the class with masks in order of size."""
    found = masks(cards)
    order = sorted(range(4), key=lambda suit: -found[suit])
    return [order.index(suit) for suit in range(4)]


def ordered(k: Key) -> tuple[int, ...]:
    """The member of a class whose masks are in order of size."""
    return tuple(sorted(r * 4 + s for s in range(4) for r in range(13) if k[s] >> r & 1))


def pair_name(cards: tuple[int, ...]) -> str:
    """Two cards as players write them: AKs, AKo, AA."""
    high, low = sorted((c >> 2 for c in cards), reverse=True)
    same = "s" if cards[0] & 3 == cards[1] & 3 else "o"
    return RANKS[high] + RANKS[low] + ("" if high == low else same)
