"""The chip reader's line on the emulated board: a PIO program, a DMA ring, real pictures."""

from __future__ import annotations

from typing import Any

import pytest

from tools.emulator.pico import Pico
from tools.peers.reader_peer import ReaderPeer

pytestmark = pytest.mark.emulator

BIT_NS = 1e9 / 115_200
START = """
from machine import Pin
from board import BUSES, PINS, SPEEDS
import time
from felt.link.pio_uart import reader_line
from felt.link.reader import FeltReader
line = reader_line(BUSES["READER"], Pin(PINS["READER_RX"]), SPEEDS["READER"])
reader = FeltReader(line)
"""
# The processor works without a pause: asleep, the emulator moves a pin before PIO sampled it.
LISTEN = """
for _ in range(3):
    end = time.ticks_add(time.ticks_ms(), 60)
    while time.ticks_diff(end, time.ticks_ms()) > 0:
        pass
    reader.poll(time.ticks_ms())
print(reader.pictures, reader.bad, reader.missed, reader.cents(3, 2), reader.cents(7, 7))
"""


class Wire:
    """Bytes as levels on the reader's pin, bit by bit, at the line's speed."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.bits: list[int] = []
        self.due = 0.0
        self.alarm: Any = pico.mcu.clock.create_alarm(self._next)
        pico.drive("READER_RX", 1)

    def write(self, data: bytes) -> int:
        idle = not self.bits
        if idle:
            self.due = self.pico.mcu.clock.nanos
        for byte in data:
            self.bits += [0, *(byte >> i & 1 for i in range(8)), 1]
        if idle:
            self._next()
        return len(data)

    def _next(self) -> None:
        if self.bits:
            self.pico.drive("READER_RX", self.bits.pop(0))
            self.due += BIT_NS  # an alarm may ring late: lateness must not add up
            self.alarm.schedule(max(1.0, self.due - self.pico.mcu.clock.nanos))


def test_pictures_arrive_while_the_processor_is_busy() -> None:
    pico = Pico()
    wire = Wire(pico)
    peer = ReaderPeer(wire, 8)
    peer.cents.update({(3, 2): 1_000_000, (7, 7): 12_300})
    pico.run(START)
    every: Any = pico.mcu.clock.create_alarm(lambda: _send(peer, every))
    every.schedule(1e6)
    pictures, *rest = pico.run(LISTEN).split()
    assert rest == ["0", "0", "1000000", "12300"]
    assert int(pictures) >= 2


def _send(peer: ReaderPeer, alarm: Any) -> None:
    peer.counter = peer.counter + 1 & 255
    peer.uart.write(peer.frame())
    alarm.schedule(50e6)
