"""Cards that lie somewhere, chips that lie somewhere: the table as it really is."""

from __future__ import annotations

import random
from dataclasses import dataclass

RANKS = "23456789TJQKA"
SUITS = "cdhs"
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
DEALER, BOARD, BURN, RACK, HAND = "dealer", "board", "burn", "rack", "in the hand"


def seat_place(seat: int) -> str:
    return f"seat {seat}"


@dataclass
class Card:
    """One piece of cardboard: its face, the colour of its back, which way it lies."""

    name: str
    back: str
    up: bool = False


def new_deck(back: str) -> list[Card]:
    return [Card(name, back) for name in NAMES]


class Felt:
    """Places with cards, spots with chips. Nothing is ever copied: a card is in one place."""

    def __init__(self) -> None:
        self.places: dict[str, list[Card]] = {}
        self.chips: dict[tuple[int, str], int] = {}
        self.pot = 0
        self.moved: list[tuple[int, str, int]] = []  # seat, wager, cents to the player

    def at(self, place: str) -> list[Card]:
        return self.places.setdefault(place, [])

    def lay(self, place: str, card: Card, up: bool = False) -> None:
        card.up = up
        self.at(place).append(card)

    def turn(self, place: str, first: int = 0, count: int | None = None) -> None:
        cards = self.at(place)
        for card in cards[first : len(cards) if count is None else first + count]:
            card.up = True

    def names(self, place: str) -> list[str]:
        return [card.name for card in self.at(place)]

    def collect(self) -> list[Card]:
        """Take every card off the felt, face down."""
        found = [card for place in self.places.values() for card in place]
        self.places = {}
        for card in found:
            card.up = False
        return found

    def put(self, seat: int, spot: str, cents: int) -> None:
        if cents:
            self.chips[seat, spot] = self.chips.get((seat, spot), 0) + cents

    def take(self, seat: int, spot: str) -> int:
        return self.chips.pop((seat, spot), 0)

    def sweep(self, seat: int) -> None:
        for key in [key for key in self.chips if key[0] == seat]:
            del self.chips[key]


def shuffle(cards: list[Card], chance: random.Random) -> list[Card]:
    mixed = list(cards)
    chance.shuffle(mixed)
    return mixed


def cut(cards: list[Card], depth: int) -> list[Card]:
    return cards[depth:] + cards[:depth]
