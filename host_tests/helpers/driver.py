"""Drives a round machine the way a table would: the event that is due, or one that is not.

`due(m, n)` is the legal next event of a machine in any state; `n` picks among legal choices.
`odd(m, n)` is some other event: mostly an irregularity or a wrong entry, with plausible fields.
"""

from __future__ import annotations

import random
from typing import Any

from felt.round import events
from felt.round.events import bet, pack

from tools.prove import player
from tools.prove.player import stakes
from tools.rounds import Rounds

WEIGHTS = [1] * 12
TABLES: list[dict[str, Any]] = [
    {"game": "premium", "bonus_spin": "flush5_progressive", "weights": WEIGHTS},
    {"game": "premium", "bonus_spin": "flush1_fixed", "fixed_prize": 99900, "weights": WEIGHTS,
     "dealing": "auto", "shuffler": "counting", "second_deck": True},
    {"game": "premium", "dealing": "hand", "shuffler": "plain", "ante_unqualified": "push"},
    {"game": "headsup"},
    {"game": "headsup", "dealing": "auto", "shuffler": "counting", "second_deck": True},
    {"game": "colorado", "version": "required"},
    {"game": "colorado", "version": "permissible", "dealing": "auto", "shuffler": "plain",
     "two_positions": True},
    {"game": "winners_pot"},
    {"game": "winners_pot", "dealing": "auto", "shuffler": "plain", "second_deck": True},
    {"game": "winners_pot", "dealing": "hand", "shuffler": "counting", "commission_cap": 500,
     "stub_every": 2},
]  # fmt: skip
TABLES += [table for table in player.TABLES if table["game"] not in {t["game"] for t in TABLES}]


class Drawn(Rounds):
    """Chooses at random, from one number an event."""

    def __init__(self, m: Any, n: int) -> None:
        super().__init__(m, None)
        self.rng = random.Random(n)

    def cards_come(self) -> int:
        return self.rng.randrange(2)

    def joins(self) -> int:
        m = self.m
        empty = [s for s in range(1, m.cfg["seats"] + 1) if not m.bets[s]]
        few = m.cfg["seats"] - len(empty) < m.game.MIN_PLAYERS
        return self.rng.choice(empty) if empty and (few or self.rng.random() < 0.3) else 0

    def stakes(self, seat: int) -> list[int]:
        ante = 500 if self.m.game.MIN_PLAYERS > 1 else self.rng.choice((100, 500, 2500))
        return stakes(self.m, ante, lambda: self.rng.choice((0, 100, 700)))

    def card(self, place: int) -> int:
        """A card not yet seen this round; hands of one suit are made likelier."""
        unseen = [c for c in range(52) if not self.m.r.seen[c]]
        suited = [c for c in unseen if c & 3 == 1]
        return self.rng.choice(suited if suited and self.rng.random() < 0.45 else unseen)

    def decision(self, now: Any) -> tuple[str, int]:
        word = self.rng.choice(self.words(now))
        named = self.m.game.decision(word).discards and self.rng.random() < 0.5
        return word, self.laid_down(now.seat) if named else events.NO_CARD

    def position(self, seat: int) -> int:
        return self.rng.choice((1, self.rng.randint(1, 12)))

    def laid_down(self, seat: int) -> int:
        return self.rng.choice(list(self.m.r.cards[seat]))


def due(m: Any, n: int) -> bytes:
    """The next legal event; a key that is needed comes first."""
    return Drawn(m, n).answer()


def odd(m: Any, n: int) -> bytes:
    """An event out of the ordinary."""
    rng = random.Random(n)
    name = rng.choice(ODD)
    fields = events.FIELDS[events.CODES[name]]
    if name == "BET":
        seat = rng.randint(0, 8)
        if rng.random() < 0.5 and 1 <= seat <= 7:
            return bet(seat, Drawn(m, n).stakes(seat))
        return bet(seat, [rng.choice((0, 0, 100, 150, 500)) for _ in m.game.WAGERS])
    if name == "SENSORS":
        return pack(name, bytes(rng.choice((0, 1, 3, 31, 63)) for _ in range(7)))
    if name == "SHOE":
        kind = rng.choice((0, 0, 0, 1, 2))
        count = rng.choice((1, 2, 3, 5)) if kind == 1 else 1
        near = (m.r.dealt if m.r else len(m.early)) + count
        position = rng.choice((0, near, near, near, near + 1, near - 1, rng.randrange(53)))
        return pack(name, kind, max(position, 0), _cards(rng, count))
    if name == "NAMED":
        count = rng.choice((2, 3, 3, 4, 5))
        return pack(name, rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9)), _cards(rng, count))
    if name == "STACK":
        return pack(name, rng.sample(range(53), rng.choice((1, 1, 2, 3, 5))))
    if name == "CONFIG":
        return pack(name, bytes(rng.randrange(256) for _ in range(32)))
    if name == "CARRY":
        return pack(name, rng.choice((0, 1, 1_000_000, 1_234_567)).to_bytes(4, "big"))
    if name == "LOCK":
        return pack(name, b"")
    return pack(name, *[_field(name, i, rng) for i in range(len(fields))])


def _cards(rng: random.Random, count: int) -> bytes:
    found = rng.sample(range(52), count)
    return bytes(255 if rng.random() < 0.05 else c for c in found)


def _field(name: str, i: int, rng: random.Random) -> int:
    if name in ("CARD", "FACEUP") or (name, i) in (("ACT", 2), ("DISCARD", 1)):
        return rng.choice((rng.randrange(52), 255))
    if name == "STUB" and i == 0:
        return rng.randrange(20, 53)
    if name == "SHUFFLED" or (name == "DONE" and i == 1):
        return rng.choice((0, 9, 10, 26, 51, 52))
    if name in ("EXPOSED", "MISCOUNT") and i == 0:
        return rng.choice((0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    if name == "DEVICE":
        return rng.randrange(5) if i else rng.choice((0, 1, 1, 2))
    if name in ("KEY", "OVERRIDE"):
        return rng.choice((0, 1, 1, 2)) if i else rng.choice((0, 0, 1))
    return rng.randrange(9)


ODD = tuple(name for name, _, _ in events.TABLE if name != "UNDO") + (
    "TAKE_BACK", "TAKE_BACK", "CARD", "FACEUP", "EXPOSED", "MISCOUNT", "MISCOUNT", "STACK",
    "NO_BURN", "TAP", "ACT", "ACT", "BET", "SENSORS", "KEY", "KEY", "STUB", "DEVICE",
    "OVERRIDE", "OVERRIDE", "DISCARD", "DISCARD", "SHOE", "SHOE", "SHOE", "NAMED", "NAMED",
    "MISDEALT", "MISDEALT", "GO_ON",
)  # fmt: skip
