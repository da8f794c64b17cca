"""Decks for the shoe: a repeatable shuffle, and decks stacked card by card."""

from __future__ import annotations

import random

from felt import cards

DECK = bytes(range(52))
# Seats 1 and 3, the dealer, then the board of Premium Hold 'Em: seat 1 has three hearts, a spin.
A_SPIN = "Ah 9c Ks Qh 9d 4s 5h Jc 2d 9h 3c Td 6s"


def shuffled(seed: int) -> bytes:
    """A full deck in an order that depends on the seed alone."""
    order = list(DECK)
    random.Random(seed).shuffle(order)
    return bytes(order)


def stacked(text: str, seed: int = 1) -> bytes:
    """The named cards first, then the rest of the deck shuffled."""
    first = cards.parse_all(text.replace(" ", ""))
    if len(set(first)) != len(first):
        raise ValueError("a card is named twice: " + cards.names(first))
    return first + bytes(c for c in shuffled(seed) if c not in first)
