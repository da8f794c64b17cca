"""The drivers on the emulated board: real UART, GPIO, I2C and flash busy time."""

from __future__ import annotations

from typing import Any

import pytest

from tools.emulator.pico import FarEnd, Pico
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer

pytestmark = pytest.mark.emulator

LINKS = """
from machine import UART, Pin
from board import PINS
import time
from felt.link.shoe import FeltShoe
from felt.link.terminal import Terminal
def uart(n, name):
    return UART(n, 115200, tx=Pin(PINS[name + "_TX"]), rx=Pin(PINS[name + "_RX"]),
                rxbuf=512, txbuf=512, timeout=0)
shoe = FeltShoe(uart(1, "SHOE"), 0x1234)
terminal = Terminal(uart(0, "TERM"), 0x1235)
worst = 0
def loop(cards, erase):
    global worst
    got = []
    while len(got) < cards:
        now = time.ticks_ms()
        a = time.ticks_us()
        message = shoe.poll(now)
        if message:
            shoe.accept()
            if message[0] == "drawn":
                got.append(message[1:])
                terminal.paint(["card %d" % len(got)])
        for line in terminal.poll(now):
            terminal.notice("heard " + line)
        worst = max(worst, time.ticks_diff(time.ticks_us(), a))
        time.sleep_ms(3)
        if erase and len(got) in erase:
            erase.remove(len(got))
            with open("note", "w") as f:
                f.write("x" * 300)
    return got
"""

SENSORS = """
from machine import Pin, SoftSPI
from board import PINS
import time, micropython
from felt.field.sensors import Sensors, SpiChain
latch = Pin(PINS["SENSOR_LATCH"], Pin.OUT, value=1)
clock = Pin(PINS["SENSOR_CLK"], Pin.OUT, value=1)
data = Pin(PINS["SENSOR_DATA"], Pin.IN)
chain = SpiChain(SoftSPI(1000000, polarity=1, phase=0, sck=clock, mosi=latch, miso=data), latch)
sensors = Sensors(chain, invert=True)
def scan(first, last):
    poll = sensors.poll
    worst = 0
    now = first
    micropython.heap_lock()
    while now < last:
        start = time.ticks_us()
        poll(now)
        took = time.ticks_diff(time.ticks_us(), start)
        if took > worst:
            worst = took
        now += 5
    micropython.heap_unlock()
    return worst
"""


def _pico() -> Pico:
    return Pico()


class Players:
    """Shoe and terminal at work every 5 ms of emulated time, also while the board is deaf."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        self.shoe: Any = ShoePeer(FarEnd(pico, 1), 77, bytes(range(52)))
        self.terminal: Any = TerminalPeer(FarEnd(pico, 0), 78)
        self.sent = 0
        self.alarm = pico.mcu.clock.create_alarm(self.work)
        self.alarm.schedule(5e6)

    def work(self) -> None:
        now = int(self.pico.ms)
        if self.shoe.inside > 40:
            self.shoe.draw()
        if self.sent < 3 and self.terminal.connected:
            self.sent += self.terminal.command(f"tap {self.sent}")
        self.shoe.poll(now)
        self.terminal.poll(now)
        self.alarm.schedule(5e6)


def test_cards_and_commands_pass_while_flash_is_erased() -> None:
    pico = _pico()
    pico.run(LINKS)
    pico.flash.erase_ms, pico.flash.program_ms = 400, 3
    players = Players(pico)
    before = len(pico.output)
    pico.type(b"print('got', loop(12, [3, 7]), worst)\r\n")
    pico.run_until(lambda: b"got [" in pico.output[before:], 20_000, 5)
    pico.run_for(50)
    text = bytes(pico.output[before:]).decode()
    print(text, players.shoe.port.repeats, pico.flash.operations, pico.uart[1].overruns)
    assert f"got {[(n, n + 1) for n in range(12)]}" in text
    assert pico.uart[1].overruns and players.shoe.port.repeats, "the line was really deaf"
    heard = [notice[0] for notice in players.terminal.notices]
    assert heard == ["heard tap 0", "heard tap 1", "heard tap 2"]


def test_sensor_scan_is_right_quick_and_allocates_nothing() -> None:
    pico = _pico()
    pico.run(SENSORS)
    for index, level in enumerate([1, 1, 1, 1, 1, 1, 1, 0] + [1] * 47 + [0]):
        pico.sensors.set(index, level)
    moving = int(pico.run("print(scan(0, 100))"))
    assert pico.run("print(sensors.state.hex())") == "01000000000001\n"
    idle = int(pico.run("print(scan(100, 200))"))
    print(f"scan: idle {idle} us, changing {moving} us")
    assert idle < 1000 and moving < 3000


def test_fram_driver_on_the_bus() -> None:
    pico = _pico()
    pico.run(
        "from machine import I2C, Pin\nimport board\n"
        "from felt.field.fram import Fram, FramMissing\n"
        "f = Fram(I2C(board.BUSES['FRAM'], sda=Pin(board.PINS['FRAM_SDA']),"
        " scl=Pin(board.PINS['FRAM_SCL']), freq=board.SPEEDS['FRAM']))"
    )
    pico.run("f.write(32768 - 200, bytes(range(200)))")
    assert pico.fram.memory[-200:] == bytes(range(200))
    code = "b = bytearray(200); f.readinto(32768 - 200, b); print(b == bytes(range(200)))"
    assert pico.run(code) == "True\n"
    print("identity", pico.run("print(f.identity())"))
    pico.fram.present = False
    code = "try:\n f.probe()\nexcept FramMissing as e:\n print(e)\n"
    assert "no FRAM at I2C address 0x50" in pico.run(code)
