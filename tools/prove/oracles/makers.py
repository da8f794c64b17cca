"""Decks, stakes and seats for made rounds; a bent deck brings rare hands up often."""

from __future__ import annotations

import random
from typing import Any

from tools.prove.oracles.hands import RANKS

STAKES = (100, 200, 300, 500, 700, 1000, 1500, 2500, 5000, 9900, 25000, 100000)
HUGE = (1_000_000, 5_000_000, 12_345_600, 4_294_967_200)
RUNS = ("TJQKA", "9TJQK", "A2345", "56789")
DECK = [r + s for r in RANKS for s in "cdhs"]


def deck(rng: random.Random) -> list[str]:
    """52 cards, shuffled, often with a few ranks or suits on top."""
    cards = DECK[:]
    rng.shuffle(cards)
    bend = rng.randrange(8)
    if bend == 0:  # the high cards: straights, royals, full houses
        cards.sort(key=lambda c: c[0] not in "TJQKA")
    elif bend == 1:  # few ranks: pairs, quads, ties
        few = rng.sample(RANKS, 5)
        cards.sort(key=lambda c: c[0] not in few)
    elif bend == 2:  # one suit: flushes, spins
        suit = rng.choice("cdhs")
        cards.sort(key=lambda c: c[1] != suit)
    elif bend == 3:  # a run of ranks in two suits: straight flushes
        low, suits = rng.randrange(9), rng.sample("cdhs", 2)
        run = RANKS[low : low + 5]
        cards.sort(key=lambda c: c[0] not in run or c[1] not in suits)
    elif bend == 4:  # the wheel
        cards.sort(key=lambda c: c[0] not in "A2345")
    if bend < 5:
        top = rng.randrange(8, 36)
        head = cards[:top]
        rng.shuffle(head)
        cards[:top] = head
    return cards


def lay(rng: random.Random, cards: list[str], want: list[str]) -> None:
    """Brings the wanted cards to the top, in random order."""
    rng.shuffle(want)
    cards[:] = want + [c for c in cards if c not in want]


def stake(rng: random.Random) -> int:
    return rng.choice(HUGE) if rng.random() < 0.02 else rng.choice(STAKES)


def flip(rng: random.Random, chance: float) -> bool:
    return rng.random() < chance


def seats(rng: random.Random, most: int, least: int = 1) -> list[dict[str, Any]]:
    count = rng.randint(least, most)
    numbers = rng.sample(range(1, most + 1), count)
    return [{"seat": n, "cards": "", "wagers": {}, "actions": []} for n in sorted(numbers)]


def deal(cards: list[str], count: int) -> str:
    taken, cards[:] = cards[:count], cards[count:]
    return "".join(taken)
