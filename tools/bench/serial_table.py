"""The same scripts against a real board: terminal and shoe are played over serial adapters.

What only hands and eyes can do (chips, keys, power, lamps) is asked of the person at the board;
the rest is the same World, with a serial port where the virtual board's lines are.
"""

from __future__ import annotations

import random
import secrets
import tempfile
import time
from pathlib import Path
from typing import Any, Callable

import serial
from felt.games.settings import game_module

from tools.bench import reading
from tools.bench.chips import Chips
from tools.bench.hands import READER, SHOE, TERM
from tools.bench.person import Person, request
from tools.bench.routines import NoTable
from tools.bench.world import World
from tools.field import ports
from tools.games import FIRST, LABELS
from tools.peers.terminal_peer import BAUD

PERIOD = 1 << 30
MEET_MS = 4_000  # a running table answers within this
BACK_MS = 15_000  # one that starts again does within this
NAMES = {TERM: "terminal", SHOE: "shoe"}


class SerialLine:
    """A serial port with the three calls a peer needs; unplugged, it carries nothing."""

    def __init__(self, name: str, path: str) -> None:
        self.name = name
        self.path = path
        self.plugged = True
        try:
            self.port = serial.serial_for_url(
                path, BAUD, timeout=0, write_timeout=1, exclusive=True
            )
        except (OSError, ValueError) as error:  # SerialException is an OSError
            text = f"the {name}'s port cannot be opened: {error}"
            raise NoTable(text, ports.closed(error)) from None

    def any(self) -> int:
        waiting = self._try(lambda: self.port.in_waiting)
        if not self.plugged:
            self._try(lambda: self.port.read(waiting))
            return 0
        return waiting

    def readinto(self, buf: Any) -> int | None:
        data = self._try(lambda: self.port.read(len(buf)))
        buf[: len(data)] = data
        return len(data) or None

    def write(self, data: bytes) -> int:
        return (self._try(lambda: self.port.write(bytes(data))) or 0) if self.plugged else 0

    def noise(self, count: int, seed: int = 1) -> None:
        self.write(random.Random(seed).randbytes(count))

    def _try(self, call: Callable[[], Any]) -> Any:
        try:
            return call()
        except OSError:
            text = f"the {self.name}'s port {self.path} is gone: was the adapter unplugged?"
            raise NoTable(text, "unplugged") from None

    def close(self) -> None:
        self.port.close()


class Idle:
    """A line nobody connected."""

    plugged = False

    def any(self) -> int:
        return 0

    def readinto(self, buf: Any) -> int | None:
        return None

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        pass


class RealTable(World):
    """A World whose board is real: movements of hands become requests to a person.

    `clock` gives milliseconds; `person` is asked. Whatever the probe tells of a virtual board is
    read off the dealer's screen.
    """

    def __init__(
        self, terminal: str, shoe: str | None, clock: Callable[[], int] | None = None
    ) -> None:
        super().__init__(FIRST, Path(tempfile.gettempdir()))
        self.powered = True
        self.lamps = []  # only a person sees them
        began = time.monotonic()
        self.clock = clock or (lambda: int((time.monotonic() - began) * 1000))
        self.person = Person(self.live)
        self._read: list[str] = []
        self.patience = MEET_MS
        self._seen: dict[tuple[str, str], bool] = {}
        self._silent = 0  # when the terminal was last heard
        self._phase = ""  # the last one the screen told
        self.lines[TERM] = SerialLine("terminal", terminal)  # type: ignore[assignment]
        self.lines[SHOE] = SerialLine("shoe", shoe) if shoe else Idle()  # type: ignore[assignment]
        self.lines[READER] = Idle()  # type: ignore[assignment]
        self.reader.uart = self.lines[READER]
        self.terminal.port.uart = self.lines[TERM]
        self.shoe.port.uart = self.lines[SHOE]

    def _session(self) -> int:
        return secrets.randbelow(65535) + 1  # a link's session differs at every start

    @property
    def world(self) -> World:
        return self

    def close(self) -> None:
        for line in self.lines.values():
            line.close()  # type: ignore[attr-defined]

    # time and what is seen

    def live(self) -> None:
        """Let the links do what is due now."""
        self.tick(self.clock() % PERIOD)

    def tick(self, now: int) -> None:
        super().tick(now)
        if self.terminal.connected or not (self.powered and self.lines[TERM].plugged):
            self._silent = now
        elif (now - self._silent) % PERIOD > self.patience:
            path = self.lines[TERM].path  # type: ignore[attr-defined]
            raise NoTable(
                f"no table answers at the terminal's port {path}:"
                " is the board on, and the adapter on its terminal pins (TX to RX)?",
                "locked",
            )
        if self.terminal.rows != self._read:
            self._read = list(self.terminal.rows)
            self.picture = reading.picture(self._read)
            self.turning = self.picture["turning"]
            self._locked(self.picture["phase"])

    def meet(self, wait: Callable[[], None]) -> None:
        """Wait until the whole screen is here and the shoe is linked; learn the game."""
        start = self.clock()
        while not reading.game(self._read) or not (self.picture or {})["phase"]:
            if self.clock() - start > self.patience and self._read:
                raise NoTable(
                    f"the terminal shows no table ready to play: {self._shown()}", "config"
                )
            self.live()
            wait()
        while isinstance(self.lines[SHOE], SerialLine) and not self.shoe.port.up:
            if self.clock() - start > 2 * self.patience:
                path = self.lines[SHOE].path  # type: ignore[attr-defined]
                raise NoTable(f"no table answers at the shoe's port {path}", "locked")
            self.live()
            wait()
        self.patience = BACK_MS
        self.game = reading.game(self._read)
        self.chips = Chips(self.game)

    def _shown(self) -> str:
        return " / ".join(row.strip() for row in self._read if row.strip())[:120] or "nothing"

    # what is done

    def do(self, line: str) -> None:
        words = line.split()
        asked = request(words, self.chips, self.keys)
        if asked:
            self.person.ask(asked)
        cleared = words == ["say", "ok"] and self.due["kind"] == "collect"
        super().do(line)
        self._seen.clear()
        self._power()
        if cleared and self.chips.cents:
            self.person.ask("take all chips off the felt")
            self.chips.clear()

    def _locked(self, phase: str) -> None:
        """The wheel's wagers are collected when the table has taken the bets, no sooner: chips
        that went before it heard "no more bets" are a withdrawal."""
        before, self._phase = self._phase, phase or self._phase
        latch = game_module(self.game).LATCH
        seats = sorted(seat for seat, spot in self.chips.cents if spot == latch)
        if (before, phase) != ("bet", "deal") or not seats:
            return
        for seat in seats:
            self.chips.remove(seat, latch)
        numbers = ", ".join(map(str, seats))
        self.person.ask(f"collect the {LABELS[latch]} chips of seat {numbers}")

    def _power(self) -> None:
        for what, how in self.wishes:
            if what == "power":
                self.powered = how == "on"
            if (what, how) == ("power", "off"):
                self.link_ends()
                self.terminal.rows = [""] * len(self.terminal.rows)
        self.wishes.clear()

    def attend(self, request: str) -> None:
        self.person.ask(request)
        if self.due["seat"]:
            self.chips.clear(self.due["seat"])

    def judge(self, what: str, wanted: str) -> bool | None:
        if what != "lamp":
            return None
        if (what, wanted) not in self._seen:  # one question, however often the script looks
            self._seen[what, wanted] = self.person.sees(
                f"do the lamps show {wanted} (seat=red,green,blue)?"
            )
        return self._seen[what, wanted]

    def photograph(self) -> bytes | None:
        self.person.ask("look at the wheel display: the script takes a picture of it here")
        return None
