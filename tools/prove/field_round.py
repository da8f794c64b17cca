"""A round of any game on the emulated board, with a hang and a power cut in the middle of it.

A machine of the same rules on this PC, the twin, plays the same round undisturbed: it says what to
do next, and after every deed both wait for the same. In the end their meters must be equal.
"""

from __future__ import annotations

from typing import Any

from felt.round.due import DEALS, due

from tools import games
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import PowerCut
from tools.prove.player import stakes
from tools.rounds import Rounds

ANTE = 500
WATCHDOG_MS = 9000
LOOK_MS = 50
PATIENCE = 60  # looks
CUT_AFTER = 4  # bytes of the record that is being written


class Twin(Rounds):
    """Two seats or more with the least there is to bet; everybody stays."""

    def __init__(self, m: Any, deck: bytes) -> None:
        super().__init__(m, m.step)
        self.deck = list(deck)
        self.waiting = list(range(1, 2 * max(2, m.game.MIN_PLAYERS), 2))

    def joins(self) -> int:
        return self.waiting.pop(0) if self.waiting else 0

    def stakes(self, seat: int) -> list[int]:
        return stakes(self.m, ANTE, lambda: 0)

    def card(self, place: int) -> int:
        return self.deck.pop(0)

    def decision(self, now: Any) -> tuple[str, int]:
        stay = [w for w in now.choices if w != "fold" and not self.m.game.decision(w).discards]
        return stay[0], 255


class FieldRound:
    """Does at the board what the twin says."""

    def __init__(self, table: FieldTable) -> None:
        self.table = table
        self.twin = Twin(table.memory().machine, bytes(table.shoe.deck))
        self.settings = games.settings(table.game.NAME)

    def play(self) -> None:
        """A whole round; the program freezes before the first decision, power goes at the first
        settlement."""
        m = self.twin.m
        number = m.round_no
        frozen = cut = False
        while m.round_no == number:
            kind = due(m).kind
            if kind == "decide" and not frozen:
                frozen = True
                freeze(self.table)
                self._agree()
            if kind in ("settle", "pot") and not cut:
                cut = True
                self._cut()
            self._turn()
        if not (frozen and cut):
            raise SystemExit("FAIL the round had no decision or no settlement")

    def _turn(self) -> None:
        """One deed of the twin's, at the board."""
        m = self.twin.m
        now = due(m)
        seats = list(m.bets)
        event = self.twin.answer()
        if now.kind == "bet":
            m.step(event)
            self._bet(seats)
        else:
            self._do(now, event)
            m.step(event)
        self._agree()

    def _bet(self, before: list[Any]) -> None:
        m, table = self.twin.m, self.table
        new = [seat for seat in range(1, 8) if m.r is None and m.bets[seat] != before[seat]]
        for seat in new:
            held = [(w, cents) for w, cents in zip(m.game.WAGERS, m.bets[seat]) if cents]
            table.cover(seat, *[wager for wager, _ in held])
            words = [f"{wager} {cents / 100:.2f}" for wager, cents in held]
            table.say(" ".join([f"bet {seat}", *words]))
        if m.r is not None:
            table.say("nmb")

    def _do(self, now: Any, event: bytes) -> None:
        table = self.table
        if now.kind in DEALS:
            if table.shoe.draw() != event[1]:
                raise SystemExit("FAIL the shoe gave another card")
            table.pico.run_for(LOOK_MS)
        elif now.kind == "decide":
            word = table.game.ACTIONS[event[2]]
            chips = games.put_down(table.game.NAME, word, self.settings)
            if chips:
                table.cover(now.seat, chips[0])
            table.say(f"act {now.seat} {word}")
        elif now.kind == "stub":
            table.say(f"stub {event[1]}")
        else:
            table.say("ok")

    def _cut(self) -> None:
        """Lose power in the middle of a record: what it stands for was done or was not, whole."""
        self.table.pico.fram.cut_after = CUT_AFTER
        try:
            self.table.say("ok")
        except PowerCut:
            self.table.tell("power cut in the middle of a record")
        else:
            raise SystemExit("FAIL nothing was written")
        self.table = self.table.power_cycle()
        self.table.start()
        if not self._same():
            self.twin.turn()
        self._agree()

    def _same(self) -> bool:
        """Whether the board waits for the same as the twin."""
        wanted, found = due(self.twin.m), due(self.table.memory().machine)
        return found[:2] == wanted[:2] and list(found.places) == list(wanted.places)

    def _agree(self) -> None:
        for _ in range(PATIENCE):
            if self._same():
                return
            self.table.pico.run_for(LOOK_MS)
        raise SystemExit(f"FAIL the twin waits for {due(self.twin.m)}: {self.table.prompt}")

    def check(self) -> None:
        """The meters of a round that was disturbed are those of one that was not."""
        mine, twins = self.table.memory().machine.meters.values(), self.twin.m.meters.values()
        if mine != twins:
            raise SystemExit(f"FAIL meters {mine}, undisturbed {twins}")


def freeze(table: FieldTable) -> None:
    """Time goes on and the program does not, until the watchdog restarts it."""
    resets = table.pico.resets
    table.pico.mcu.clock.tick(WATCHDOG_MS * 1e6)
    table.pico.run_for(20)
    table.tell(f"frozen, resets {table.pico.resets}")
    if table.pico.resets != resets + 1:
        raise SystemExit("FAIL the watchdog did not restart the board")
    table.terminal.rows = []
    table.start()
