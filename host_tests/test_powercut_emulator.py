"""A board that plays a round loses power at a random cycle, starts again and plays on.

The FRAM hangs on the emulated I2C bus. Besides the cut that is really made, the memory as it was
at 40 other instants of the run is started from on the host, with the same firmware.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from felt.round import events
from felt.store.vault import Vault
from felt.table import Table

from tools.emulator.pico import Fram, Pico
from tools.prove.player import Player
from tools.prove.powercut import PowerCutImage

pytestmark = pytest.mark.emulator

SETTINGS = {"game": "colorado", "version": "required", "sensors": False}
GUEST = """
from machine import I2C, Pin
import board
from felt.field.fram import Fram
from felt.store.vault import Vault
from felt.table import Table

pins = board.PINS
bus = I2C(board.BUSES["FRAM"], sda=Pin(pins["FRAM_SDA"]), scl=Pin(pins["FRAM_SCL"]),
          freq=board.SPEEDS["FRAM"])
table = Table(SETTINGS, Vault(Fram(bus)))

def play():
    done = table.vault.seq - 1 - table.machine.boots
    for event in EVENTS[done:]:
        table.submit(event)
        print("ack", table.vault.seq)
    table.machine.boots = 0
    print("end", table.vault.number, table.machine.snapshot().hex())
"""


class LoggingFram(Fram):
    """Remembers every byte with the cycle it was stored in."""

    def attach(self, i2c: Any) -> None:
        super().attach(i2c)
        self.core = i2c.rp2040.core
        self.log: list[tuple[int, int, int]] = []

    def _store(self, value: int) -> None:
        at = self._pointer
        super()._store(value)
        self.log.append((self.core.cycles, at, value))


class Clock:
    """When each acknowledgement came out of the board."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.acks: list[tuple[int, int]] = []
        self._stock: Any = pico.cdc.on_serial_data  # type: ignore[union-attr]
        pico.cdc.on_serial_data = self.take  # type: ignore[union-attr]

    def take(self, data: Any) -> None:
        self._stock(data)
        lines = bytes(self.pico.output).split(b"\n")[:-1]
        seen = [line for line in lines if line.startswith(b"ack")]
        for line in seen[len(self.acks) :]:
            self.acks.append((self.pico.cycles, int(line.split()[1])))

    def last(self, cycle: int) -> int:
        return max((seq for at, seq in self.acks if at <= cycle), default=0)


def uncut_round() -> tuple[list[bytes], Table]:
    """The events of one round, and the table that played them."""
    table = Table(SETTINGS, Vault(PowerCutImage()))
    assert table.machine is not None
    table.machine.keys = 3
    table.clear(0)
    fed: list[bytes] = []

    def feed(event: bytes) -> None:
        table.submit(event)
        fed.append(event)

    Player(table.machine, feed, 11, 2).round()
    return fed, table


def started(image: bytes) -> Table:
    nv = PowerCutImage()
    nv.data[:] = image
    table = Table(SETTINGS, Vault(nv))
    table.start(0)
    assert not table.fault, table.fault
    return table


def fold(fed: list[bytes]) -> bytes:
    table = Table(SETTINGS, Vault(PowerCutImage()))
    assert table.machine is not None
    table.machine.keys = 3
    table.clear(0)
    for event in fed:
        table.submit(event)
    return table.machine.snapshot()


def test_a_board_cut_at_a_random_cycle_resumes_the_round() -> None:
    fed, uncut = uncut_round()
    files = {}
    files["guest.py"] = f"SETTINGS = {SETTINGS!r}\nEVENTS = {fed!r}\n{GUEST}".encode()
    dice = random.Random(20)
    fram = LoggingFram()
    pico = Pico(files, fram=fram)
    pico.run("from guest import *\ntable.machine.keys = 3\ntable.clear(0)")
    base, begin = bytes(fram.memory), pico.cycles
    fram.log.clear()
    clock = Clock(pico)
    pico._exchange(b"\x01", b"raw REPL; CTRL-B to exit\r\n>", 1000)
    pico.type(b"play()\x04")
    pico.run_until(lambda: len(clock.acks) > len(fed) * 2 // 3, 60_000)
    pico.run_for(dice.random() * 10)
    cut, acked = pico.cycles, clock.last(pico.cycles)

    for _ in range(40):
        cycle = dice.randrange(begin, cut)
        image = bytearray(base)
        for at, address, value in fram.log:
            if at <= cycle:
                image[address] = value
        table = started(bytes(image))
        found = table.vault.seq - 1  # without the start just counted
        assert clock.last(cycle) <= found
        table.machine.boots -= 1
        assert table.machine.snapshot() == fold(fed[: found - 1])

    again = pico.power_cycle()
    text = again.run(
        "from guest import *\ntable.start(0)\nprint('found', table.vault.seq)\nplay()"
    )
    lines = text.split("\n")
    assert int(lines[0].split()[1]) >= acked + 1
    assert uncut.machine is not None
    assert lines[-2] == f"end {uncut.vault.number} {uncut.machine.snapshot().hex()}"
    assert events.NAMES[fed[-1][0]] == "END"
