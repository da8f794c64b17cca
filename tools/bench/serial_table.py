"""The same scripts against a real board: terminal and shoe are played over serial adapters.

What only hands can do (chips, keys, power) is asked of the person at the board; the rest is the
same World, with a serial port where the virtual board's lines are.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import serial

from bench.runner import Runner
from bench.script import parse
from bench.hands import SHOE, TERM
from bench.world import World

BAUD = 115_200
PERIOD = 1 << 30
BY_HAND = {"place", "remove", "sweep", "stick", "key", "power", "cut-power", "watchdog", "random"}
MACHINE_ONLY = {"speed"}


class SerialLine:
    """A serial port with the three calls a peer needs."""

    def __init__(self, port: str) -> None:
        self.port = serial.Serial(port, BAUD, timeout=0, write_timeout=1)
        self.plugged = True

    def any(self) -> int:
        return self.port.in_waiting if self.plugged else 0

    def readinto(self, buf: Any) -> int | None:
        data = self.port.read(len(buf))
        buf[: len(data)] = data
        return len(data) or None

    def write(self, data: bytes) -> int:
        return (self.port.write(bytes(data)) or 0) if self.plugged else len(data)

    def noise(self, count: int, seed: int = 1) -> None:
        import random

        self.write(random.Random(seed).randbytes(count))


class Idle:
    """A line nobody connected."""

    plugged = False

    def any(self) -> int:
        return 0

    def readinto(self, buf: Any) -> int | None:
        return None

    def write(self, data: bytes) -> int:
        return len(data)


class RealTable(World):
    """A World whose board is real: movements of hands become requests to a person."""

    def __init__(self, game: str, terminal: str | None, shoe: str | None) -> None:
        super().__init__(game, Path(tempfile.gettempdir()))
        self.powered = True
        for channel, port in ((TERM, terminal), (SHOE, shoe)):
            self.lines[channel] = SerialLine(port) if port else Idle()  # type: ignore[assignment]
        self.terminal.port.uart = self.lines[TERM]
        self.shoe.port.uart = self.lines[SHOE]

    def do(self, line: str) -> None:
        verb = line.split()[0]
        if verb in BY_HAND:
            input(f"at the table: {line}   [Enter when done] ")
        elif verb in MACHINE_ONLY:
            print(f"(a real board has no {verb})")
        else:
            if verb in ("bet", "decide"):
                input(f"at the table: chips for `{line}`   [Enter when done] ")
            super().do(line)

    @property
    def supervisor(self) -> "RealTable":
        return self

    @property
    def world(self) -> World:
        return self


def play_serial(path: Path, terminal: str | None, shoe: str | None) -> str:
    """Play one script; return what went wrong, or nothing."""
    statements = parse(path.read_text())
    words = next((s.words for s in statements if s.verb == "table"), ["premium"])
    table = RealTable(words[0], terminal, shoe)
    runner = Runner(statements, table)
    runner.listen = print
    began = time.monotonic()
    while not runner.done:
        now = int((time.monotonic() - began) * 1000) % PERIOD
        table.tick(now)
        if table.terminal.connected or not terminal:
            runner.step(now)
        elif time.monotonic() - began > 10:
            return "no terminal link: is the board on and the adapter on the right pins?"
        time.sleep(0.005)
    return runner.error
