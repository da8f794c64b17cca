"""The part of MicroPython's `machine` the firmware uses, really implemented for a PC.

Buses and pins behave as on the board: bytes take their time at the line's speed, a receive buffer
that nobody empties overflows, a watchdog that nobody feeds restarts the process. What the pins and
buses carry goes to the bench (vbench.py), which models everything that is plugged into the board.
"""

import os
import struct

import board
from vbench import PowerCut, bench, clock, setting  # noqa: F401
from vbus import I2C, SPI, SoftI2C, SoftSPI, rates  # noqa: F401
from vpin import Pin, number  # noqa: F401
from vuart import UART  # noqa: F401

PWRON_RESET, WDT_RESET = 1, 3  # rp2's values
SOFT_RESET = 5


class WDT:
    """Fed or bitten: the bench restarts the process, also when it hangs and cannot say so."""

    FEED_US = 100000  # the bench hears of feeding no more often than this

    def __init__(self, id=0, timeout=5000):
        if not 0 < timeout <= 8388:
            raise ValueError("timeout exceeds 8388")
        self._us = timeout * 1000
        self._end = clock.peek() + self._us
        self._told = clock.peek()
        bench.send("w", 0, struct.pack("<H", timeout))
        bench.services.append(self._watch)

    def feed(self):
        now = clock.peek()
        self._end = now + self._us
        if now - self._told >= WDT.FEED_US:
            self._told = now
            bench.send("w", 1)

    def _watch(self, now):
        if now >= self._end:
            bench.lost("w", b"bite")
        return self._end


class Timer:
    """Periodic or one-shot; the callback runs while the firmware waits, like a soft timer."""

    ONE_SHOT, PERIODIC = 0, 1

    def __init__(self, id=-1, **options):
        self._every = None
        # Before the watchdog: on a board a timer interrupts also what waits for a line.
        bench.services.insert(0, self._serve)
        if options:
            self.init(**options)

    def init(self, *, mode=1, freq=-1, period=-1, callback=None, tick_hz=1000, hard=False):
        self._every = int(1000000 // freq) if freq > 0 else period * 1000000 // tick_hz
        self._repeat = mode == Timer.PERIODIC
        self._call = callback
        self._due = clock.peek() + self._every

    def deinit(self):
        self._every = None

    def _serve(self, now):
        if self._every is None:
            return None
        if now >= self._due:
            self._due = max(self._due + self._every, now - self._every)
            if not self._repeat:
                self._every = None
            self._call(self)
        return self._due if self._every is not None else None


class RTC:
    """Date and time: set by the firmware, moved by the virtual clock."""

    _base = [(2026, 1, 1, 3, 0, 0, 0, 0), 0]

    def datetime(self, value=None):
        if value is not None:
            RTC._base = [tuple(value), clock.peek()]
            return None
        y, mo, d, wd, h, mi, s, _ = RTC._base[0]
        s += (clock.peek() - RTC._base[1]) // 1000000
        mi, s = mi + s // 60, s % 60
        h, mi = h + mi // 60, mi % 60
        return (y, mo, d + h // 24, (wd + h // 24) % 7, h % 24, mi, s, 0)


RTC._base[1] = clock.peek()


class _Mem:
    """Register space: the ring oscillator's random bit, and words that keep what was written."""

    def __init__(self):
        self._words = {}
        self.stuck = setting("FELT_ROSC") == "stuck"
        bench.handlers["r"] = self._stick

    def _stick(self, channel, data):
        self.stuck = bool(data[0])

    def __getitem__(self, address):
        if address == board.ROSC_RANDOM:
            return 1 if self.stuck else os.urandom(1)[0] & 1
        return self._words.get(address, 0)

    def __setitem__(self, address, value):
        self._words[address] = value


mem8 = mem16 = mem32 = _Mem()


def bitstream(pin, encoding, timing, data):
    """A WS2812 string: the bytes as they leave the pin, colour order and all."""
    bench.send("l", number(pin), data)
    clock.spend(len(data) * 10)


def flash():
    """The program as one sealed image, as it would lie in a board's flash."""
    with open("/virtual/image.bin", "rb") as f:
        return f.read()


def freq(hz=None, peripherals=None):
    if hz is None:
        return rates[0]
    rates[0] = hz
    rates[1] = peripherals or 48000000


def unique_id():
    name = setting("FELT_ID", "virtual0")
    return bytes(name, "ascii")[:8]


def reset_cause():
    return {"wdt": WDT_RESET, "soft": SOFT_RESET}.get(setting("FELT_RESET"), PWRON_RESET)


def reset():
    bench.lost("q")


soft_reset = reset


def idle():
    bench.wait(1000)


def lightsleep(ms=0):
    bench.wait(ms * 1000)


def disable_irq():
    return 0


def enable_irq(state=0):
    pass
