"""A bench device's end of a serial line into the virtual board, with the faults of a real one."""

from __future__ import annotations

import random
from typing import Callable

from tools.bench import wire


class Line:
    """What a peer takes for its UART: any, readinto, write. Unplugged, it carries nothing."""

    def __init__(self, channel: int, send: Callable[[bytes], None]) -> None:
        self.channel = channel
        self._send = send
        self._rx = bytearray()
        self.plugged = True
        self.to_board = 0
        self.from_board = 0

    def arrive(self, data: bytes) -> None:
        if self.plugged:
            self._rx += data
            self.from_board += len(data)

    def any(self) -> int:
        return len(self._rx)

    def readinto(self, buf: memoryview) -> int | None:
        n = min(len(buf), len(self._rx))
        if not n:
            return None
        buf[:n] = self._rx[:n]
        del self._rx[:n]
        return n

    def write(self, data: bytes) -> int:
        if self.plugged:
            self._send(wire.pack("u", self.channel, bytes(data)))
            self.to_board += len(data)
        return len(data)

    def noise(self, count: int, seed: int = 1) -> None:
        """Garbage on the line, as from a connector half plugged in."""
        self.write(random.Random(seed).randbytes(count))
