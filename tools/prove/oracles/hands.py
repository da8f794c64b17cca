"""Hands and odds again, with nothing shared: imports nothing of the firmware."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
# hand classes, low to high
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STR_FLUSH, ROYAL = range(10)
Nets = dict[str, int]


def split(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def value(card: str) -> int:
    return RANKS.index(card[0]) + 2


def five(cards: list[str]) -> tuple[int, list[int]]:
    """Class and tie-break of five cards."""
    tally = sorted(Counter(map(value, cards)).items(), key=lambda kv: (kv[1], kv[0]), reverse=True)
    order = [rank for rank, _ in tally]
    shape = [n for _, n in tally]
    suited = len({c[1] for c in cards}) == 1
    top = _run(order) if shape == [1] * 5 else 0
    if top:
        if suited:
            return (ROYAL if top == 14 else STR_FLUSH), [top]
        return STRAIGHT, [top]
    if shape == [4, 1]:
        return QUADS, order
    if shape == [3, 2]:
        return FULL, order
    if suited:
        return FLUSH, order
    return {(3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR, (2, 1, 1, 1): PAIR}.get(
        tuple(shape), HIGH
    ), order


def _run(descending: list[int]) -> int:
    """The top card of five in sequence, or 0; an ace below a two makes a five-high run."""
    if descending[0] - descending[4] == 4:
        return descending[0]
    return 5 if descending == [14, 5, 4, 3, 2] else 0


def best(cards: list[str]) -> tuple[int, list[int]]:
    return max(five(list(chosen)) for chosen in combinations(cards, 5))


def compare(mine: tuple[int, list[int]], theirs: tuple[int, list[int]]) -> int:
    return (mine > theirs) - (mine < theirs)


def odds(stake: int, pay: str) -> int:
    """Winnings at "3 to 2"."""
    a, b = pay.split(" to ")
    return stake * int(a) // int(b)


def returned(v: dict, seats: list[dict]) -> dict[str, Any]:
    """A void round: every wager nets nothing."""
    return {str(s["seat"]): dict.fromkeys(s["wagers"], 0) for s in seats}
