"""The part of MicroPython's `machine` the firmware uses, really implemented for a PC.

Buses and pins behave as on the board: bytes take their time at the line's speed, a receive buffer
that nobody empties overflows, a watchdog that nobody feeds restarts the process. What the pins and
buses carry goes to the bench (vbench.py), which models everything that is plugged into the board.
"""

import os
import struct

import board
import vuart
from vbench import PowerCut, bench, clock, setting  # noqa: F401
from vparts import FRAM_ADDRESS, Chain165, Fram, Identity

PWRON_RESET, WDT_RESET = 1, 3  # rp2's values
SOFT_RESET = 5
RESERVED = 0x7C  # I2C device identity
UART = vuart.UART

_PINS = board.PINS
_freq = [125000000, 48000000]  # cpu, peripherals: the default since v1.24


class Pin:
    """A pin; every Pin object of one number is the same pin."""

    IN, OUT, OPEN_DRAIN, ALT = 0, 1, 2, 3
    PULL_UP, PULL_DOWN = 1, 2
    IRQ_FALLING, IRQ_RISING = 4, 8

    _level = {}  # number: last level
    _irqs = {}  # number: (handler, trigger, Pin)
    outputs = {}  # number: called with each new level
    inputs = {}  # number: called for the level

    def __init__(self, id, mode=-1, pull=-1, *, value=None, alt=-1):
        self.id = id.id if isinstance(id, Pin) else id
        self._out = Pin.outputs.get(self.id)
        self._in = Pin.inputs.get(self.id)
        self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None, alt=-1):
        if pull in (Pin.PULL_UP, Pin.PULL_DOWN) and self.id not in Pin._level:
            Pin._level[self.id] = int(pull == Pin.PULL_UP)
        if value is not None:
            self.value(value)

    def value(self, level=None):
        if level is None:
            if self._in:
                return self._in()
            bench.glance()
            return Pin._level.get(self.id, 0)
        level = 1 if level else 0
        Pin._level[self.id] = level
        if self._out:
            self._out(level)
        else:
            bench.send("p", self.id, bytes([level]))

    __call__ = value

    def on(self):
        self.value(1)

    def off(self):
        self.value(0)

    high = on
    low = off

    def toggle(self):
        self.value(1 - self.value())

    def irq(self, handler=None, trigger=12, hard=False):
        Pin._irqs[self.id] = (handler, trigger, self)
        return self

    def __repr__(self):
        return "Pin(GPIO%d)" % self.id


def _pin_input(number, data):
    """The bench moved an input: key switches and whatever hangs on a spare pin."""
    old = Pin._level.get(number)
    new = data[0]
    Pin._level[number] = new
    handler, trigger, pin = Pin._irqs.get(number, (None, 0, None))
    edge = Pin.IRQ_RISING if new else Pin.IRQ_FALLING
    if handler and new != old and trigger & edge:
        handler(pin)


bench.handlers["p"] = _pin_input

chain = Chain165()
Pin.outputs[_PINS["SENSOR_LATCH"]] = chain.latch
Pin.outputs[_PINS["SENSOR_CLK"]] = chain.clock
Pin.inputs[_PINS["SENSOR_DATA"]] = chain.data


def _silent(level):
    """Chip select and D/C change far too often to be worth a message; SPI looks at them."""


Pin.outputs[_PINS["TFT_CS"]] = _silent
Pin.outputs[_PINS["TFT_DC"]] = _silent


class SPI:
    """A bus: writes reach the selected display, reads come from the sensors."""

    MSB, LSB = 1, 0
    CONTROLLER = 0

    def __init__(self, id=-1, baudrate=1000000, **options):
        self.id = id
        self._sensors = _number(options.get("sck")) == _PINS["SENSOR_CLK"]
        self.init(baudrate)

    def init(self, baudrate=1000000, **options):
        self.baudrate = min(baudrate, _freq[1] // 2)

    def deinit(self):
        pass

    def write(self, buf):
        if not self._sensors and not Pin._level.get(_PINS["TFT_CS"], 1):
            data = Pin._level.get(_PINS["TFT_DC"], 0)
            bench.send("d" if data else "c", max(self.id, 0), buf)
        clock.spend(len(buf) * 8000000 // self.baudrate)

    def readinto(self, buf, write=0):
        if self._sensors:
            chain.readinto(buf)
        else:
            for i in range(len(buf)):
                buf[i] = 0
        clock.spend(len(buf) * 8000000 // self.baudrate)

    def read(self, n, write=0):
        buf = bytearray(n)
        self.readinto(buf)
        return bytes(buf)

    def write_readinto(self, out, into):
        self.write(out)
        self.readinto(into)


class SoftSPI(SPI):
    def __init__(self, baudrate=500000, **options):
        super().__init__(-1, baudrate, **options)


def _number(pin):
    return pin.id if isinstance(pin, Pin) else pin


class I2C:
    """A bus with the FRAM on it, unless the bench says none is fitted."""

    def __init__(self, id=-1, *, scl=None, sda=None, freq=400000, timeout=50000):
        self._freq = freq

    def scan(self):
        return [address for address in sorted(devices) if address != RESERVED]

    def _device(self, addr, n):
        clock.spend((n + 1) * 9000000 // self._freq)
        if addr not in devices:
            raise OSError(5)
        return devices[addr]

    def writeto(self, addr, buf, stop=True):
        self._device(addr, len(buf)).write(buf)
        return len(buf) + 1

    def writevto(self, addr, parts, stop=True):
        return self.writeto(addr, b"".join([bytes(part) for part in parts]), stop)

    def readfrom_into(self, addr, buf, stop=True):
        self._device(addr, len(buf)).readinto(buf)

    def readfrom(self, addr, n, stop=True):
        buf = bytearray(n)
        self.readfrom_into(addr, buf)
        return bytes(buf)

    def writeto_mem(self, addr, memaddr, buf, *, addrsize=8):
        device = self._device(addr, len(buf) + addrsize // 8)
        device.seek(memaddr)
        device.put(memoryview(buf))

    def readfrom_mem_into(self, addr, memaddr, buf, *, addrsize=8):
        device = self._device(addr, len(buf) + 1 + addrsize // 8)
        device.seek(memaddr)
        device.readinto(buf)

    def readfrom_mem(self, addr, memaddr, n, *, addrsize=8):
        buf = bytearray(n)
        self.readfrom_mem_into(addr, memaddr, buf, addrsize=addrsize)
        return bytes(buf)


SoftI2C = I2C
devices = {}
if setting("FELT_FRAM") != "none":
    _state = setting("FELT_STATE")
    devices[FRAM_ADDRESS] = Fram(_state + "/fram.bin" if _state else None)
    devices[RESERVED] = Identity(FRAM_ADDRESS)


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
        bench.services.append(self._serve)
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
    bench.send("l", _number(pin), data)
    clock.spend(len(data) * 10)


def freq(hz=None, peripherals=None):
    if hz is None:
        return _freq[0]
    _freq[0] = hz
    _freq[1] = peripherals or 48000000


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
