"""The whole table as in the field: an emulated Pico as it is shipped, with peers on its wires.

Shoe and terminal speak the real link protocol at 115200 baud, chips cover 74HC165 inputs, keys
are pins, critical memory hangs on I2C, the wheel display on SPI. Nothing reaches into the program.
"""

from __future__ import annotations

import json
import time
from typing import Any, Callable

from felt import cards
from felt.dealer.counter import REPEAT_MS
from felt.games.settings import game_module
from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table

from tools import games
from tools.bench.deck import A_SPIN
from tools.emulator.boards_on_usb import table_memory
from tools.emulator.pico import FarEnd, Fram, Pico
from tools.games import FIRST
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer

TERMINAL, SHOE = 0, 1
PEER_NS = 5e6  # peers look at their lines this often
FELT_MS = 100  # from chips to words: a hand is slower than the spots are believed
MEMORY_WRITE = 0x2C  # ST7789: pixels follow


def shuffled(text: str) -> bytes:
    first = [cards.parse(card) for card in text.split()]
    return bytes(first + [card for card in range(52) if card not in first])


class FieldTable:
    """`pico` with everything plugged in. `log` is called with a line for whoever watches."""

    def __init__(self, pico: Pico, game: str = FIRST, log: Any = None) -> None:
        self.pico = pico
        self.game = game_module(game)
        self.log = log or (lambda text: None)
        self.began = time.monotonic()
        self.bands = 0
        self._nodded = -REPEAT_MS  # when the last ok was answered
        self._shoe_ran = 0  # ms the shoe had been on when this board's power came on
        pico.on_display = self._display
        pico.on_pixels = lambda data: None  # only bands are counted
        for key in ("KEY_ATTENDANT", "KEY_SERVICE"):
            pico.drive(key, 1)
        self.shoe: Any = ShoePeer(FarEnd(pico, SHOE), 77, shuffled(A_SPIN))
        self.terminal: Any = TerminalPeer(FarEnd(pico, TERMINAL), 78)
        self._alarm = pico.mcu.clock.create_alarm(self._peers)
        self._alarm.schedule(PEER_NS)

    @classmethod
    def fresh(
        cls, usb: bool = False, log: Any = None, game: str = FIRST, board: str = "RPI_PICO"
    ) -> FieldTable:
        """A table, open for bets, at the moment its power comes on."""
        memory, settings = table_memory("open", game)
        files = {"config.json": json.dumps(settings).encode()}
        pico = Pico(files, fram=Fram(memory), usb=usb, service=False, board=board)
        return cls(pico, game, log)

    def power_cycle(self) -> FieldTable:
        """The same table after a power cut; the shoe had its own supply, the terminal had not."""
        found = FieldTable(self.pico.power_cycle(usb=False), self.game.NAME, self.log)
        self.shoe.port.uart = found.shoe.port.uart
        found.shoe = self.shoe
        found._shoe_ran = self._shoe_ran + int(self.pico.ms)
        return found

    def _peers(self) -> None:
        now = int(self.pico.ms)
        self.shoe.poll(self._shoe_ran + now)  # its own clock: a board that starts sets none back
        self.terminal.poll(now)
        self._alarm.schedule(PEER_NS)

    def _display(self, byte: int, is_data: bool) -> None:
        if not is_data and byte == MEMORY_WRITE:
            self.bands += 1

    # what is seen

    @property
    def prompt(self) -> str:
        return self.terminal.rows[1] if len(self.terminal.rows) > 1 else ""

    def memory(self) -> Table:
        """A table started from what critical memory holds now, by the firmware's own code."""
        image = RamMemory()
        image.data[:] = self.pico.fram.memory
        table = Table(games.settings(self.game.NAME), Vault(image))
        table.start(1)
        assert table.fault is None, table.fault
        return table

    # what hands do

    def until(self, seen: Callable[[], Any], ms: float = 3000) -> Any:
        return self.pico.run_until(seen, ms, 5)

    def start(self) -> None:
        """Wait until the table shows itself."""
        self.until(lambda: self.prompt and self.terminal.connected and self.shoe.port.up, 15_000)
        self.tell("up")

    def tell(self, text: str) -> None:
        wall = time.monotonic() - self.began
        self.log(f"{self.pico.ms / 1000:7.3f} s  [{wall:4.0f} s]  {text}  | {self.prompt}")

    def cover(self, seat: int, *spots: str, chips: bool = True) -> None:
        names = self.game.WAGERS + self.game.RAISES
        for spot in spots:  # a covered spot pulls its input low
            self.pico.sensors.set((seat - 1) * 8 + 7 - names.index(spot), 0 if chips else 1)
        self.pico.run_for(FELT_MS)

    def say(self, line: str, wanted: str = "", ms: float = 2000) -> None:
        """Type a line, wait for the prompt to hold `wanted` (words apart by |) or to change."""
        soon = self._nodded + REPEAT_MS - self.pico.ms
        if line == "ok" and soon > 0:  # as a hand does: a second one sooner is a bounce
            self.pico.run_for(soon)
        before = list(self.terminal.rows)
        assert self.terminal.command(line)
        if wanted:
            self.until(lambda: any(words in self.prompt for words in wanted.split("|")), ms)
        else:
            self.until(lambda: self.terminal.rows != before, ms)
        self._nodded = self.pico.ms
        self.tell("> " + line)

    def deal(self, ms: float = 2000) -> None:
        """Pull cards while one is due."""
        while "Next card" in self.prompt:
            before = list(self.terminal.rows)
            assert self.shoe.draw() is not None
            self.until(lambda: self.terminal.rows != before, ms)
            self.pico.run_for(40)
        self.tell(f"{self.shoe.out} cards out")

    # the round of the tests: seat 1 holds three hearts and has wagered on the spin

    def bets(self, spins: bool = True) -> None:
        spot = ("bonus_spin",) if spins else ()
        self.cover(1, "ante", "xtra", *spot)
        self.cover(3, "ante", "xtra")
        self.say("bet 1 ante 5 xtra 5" + " bonus_spin 5" * spins)
        self.say("bet 3 ante 10 xtra 10")

    def to_settlement(self, spins: bool = True) -> None:
        self.say("nmb", "Next card")
        self.cover(1, "bonus_spin", chips=False)
        self.deal()
        self.say("act 1 check", "Seat 3")
        self.cover(3, "play")
        self.say("act 3 play3", "Next card")
        self.deal()
        self.cover(1, "play")
        self.say("act 1 play1", "Reveal|stub")
        if "stub" in self.prompt:  # every few rounds
            self.say(f"stub {self.shoe.inside}", "Reveal")
        if spins:
            self.say("ok", "tap")
            self.say("tap 1", "Settle seat 1")
        else:
            self.say("ok", "Settle seat 1")
