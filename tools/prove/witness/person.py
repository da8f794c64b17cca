"""Somebody who stands at the table: sees the screen, types, turns keys, remembers."""

from __future__ import annotations

import random
from typing import Any

from tools.prove.oracles import premium
from tools.prove.witness import training
from tools.prove.witness.furniture import (
    Card,
    Felt,
    new_deck,
)
from tools.prove.witness.judge import Differs, Judge
from tools.prove.witness.reading import Screen, find, texts

ATTENDANT = 0
PACE_MS = 500


class Person:
    """One table's evening. `controller` has terminal, shoe, sense, key, settle."""

    def __init__(self, controller: Any, game: str, table: dict[str, Any], seed: int) -> None:
        self.c = controller
        self.game, self.table = game, table
        self.method = table.get("dealing", "shoe")
        self.lesson = training.GAMES[game]
        self.chance = random.Random(seed)
        self.felt = Felt()
        self.decks = [new_deck("red")]
        if table.get("second_deck"):
            self.decks.append(new_deck("blue"))
        self.in_use = 0
        self.stub: list[Card] = []  # cards not dealt, in the dealer's hand or beside the shoe
        self.button = 0
        self.seed = self.meter = premium.SEEDS.get(table.get("bonus_spin", ""), 0)
        self.since_count = [0, 0]
        self.log: list[str] = []
        self.told: list[str] = []
        self.counted_wrong = False  # a stub, so that its deck has to go
        self.press_again = False
        self.begin()

    def begin(self) -> None:
        """A new round, in the dealer's head."""
        self.judge = Judge(self.game, self.table, self.felt)
        self.due: list[training.Delivery] = []
        self.stage = -1
        self.deciding: list[int] = []
        self.decision = -1
        self.over = False
        self.void = ""
        self.order: list[int] = []
        self.booked: list[int] = []
        self.hand: list[Card] = []  # drawn, and not yet laid down
        self.burns_owed = 0
        self.must_void = ""  # what this dealer did that must void the round
        self.why_void = ""  # what this dealer did that may void the round

    # --- seeing and doing

    def look(self) -> Screen:
        self.c.settle()
        self._hear()
        return Screen(list(self.c.terminal.rows))

    def _hear(self) -> None:
        for alarm, text in self.c.terminal.heard:
            self.log.append(("! " if alarm else "* ") + text)
            self.told.append(text)
        self.c.terminal.heard.clear()

    def say(self, line: str, refused_ok: bool = False) -> str:
        """Type a line; return the refusal, which a careful dealer never meets."""
        self._hear()
        before = len(self.told)
        if line == "ok":
            self.c.rest(PACE_MS)  # nobody confirms faster on purpose
        self.log.append("> " + line)
        again, self.press_again = self.press_again and line == "ok", False
        if not self.c.terminal.type(line) or again and not self.c.terminal.type(line):
            raise Differs("the terminal takes no more lines")
        self.c.settle()
        self._hear()
        if again and texts()["notice.repeated"] not in self.told[before:]:
            raise Differs("the second of two presses was not noticed")
        for text in self.told[before:]:
            if find(text, "refused.", "command."):
                if not refused_ok:
                    raise Differs(f"{line!r} was refused: {text}")
                return text
        return ""

    def sense(self) -> None:
        """The spots feel the chips that lie on them."""
        bits = bytearray(7)
        for seat, spot in self.felt.chips:
            bits[seat - 1] |= 1 << self.lesson.spots.index(spot)
        self.c.sense(bytes(bits))

    def key(self, on: bool) -> None:
        self.c.key(ATTENDANT, on)
        self.c.settle()
