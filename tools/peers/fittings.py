"""What is built into a table and hangs on the controller's pins: bet sensors, keys, lamps."""

from __future__ import annotations

from typing import Any


class Chain:
    """Bet sensors: seven bytes that whoever sits at the table sets."""

    def __init__(self) -> None:
        self.bits = bytearray(7)

    def readinto(self, buf: Any) -> None:
        buf[:] = self.bits


class Switch:
    """A key switch to ground."""

    def __init__(self) -> None:
        self.on = False

    def value(self) -> int:
        return 0 if self.on else 1


class Leds(dict):
    """A chain of LEDs that remembers what was written."""

    def __init__(self) -> None:
        super().__init__()
        self.shown: dict[int, tuple[int, int, int]] = {}

    def write(self) -> None:
        self.shown = dict(self)
