"""Build the hardware from the board's data, once, and hand it to the table.

`table()` runs the table and never returns; without it (service key at power-on) importing this
file as the main program offers the service console.
"""

import asyncio
import os
import time

import board
import machine

WDT_MS = 8000
SESSION = 65535


class Hardware:
    """What the table is given: every device, built and named."""


def pin(name, *mode):
    """Return a pin by its name on the board."""
    return machine.Pin(board.PINS[name], *mode)


def session():
    """Return a number for the links that differs at every start."""
    return int.from_bytes(os.urandom(2), "big") % (SESSION - 1) + 1


def uart(name, rxbuf=512):
    """Return a UART with room for a 400 ms flash erase's worth of short frames."""
    return machine.UART(
        board.BUSES[name],
        board.SPEEDS[name],
        tx=pin(name + "_TX"),
        rx=pin(name + "_RX"),
        rxbuf=rxbuf,
    )


def fram():
    """Return the critical memory, or None when nothing answers."""
    from felt.field.fram import Fram

    bus = machine.I2C(
        board.BUSES["FRAM"], sda=pin("FRAM_SDA"), scl=pin("FRAM_SCL"), freq=board.SPEEDS["FRAM"]
    )
    memory = Fram(bus)
    try:
        memory.probe()
    except OSError:
        return None
    return memory


def jitter():
    """Return one bit of the ring oscillator's jitter (RP2040 data sheet 2.17.7)."""
    return machine.mem32[board.ROSC_RANDOM] & 1


def field(hw):
    """Build sensors, keys and lamps."""
    from neopixel import NeoPixel

    from felt.field.keys import Keys
    from felt.field.lamps import Lamps
    from felt.field.sensors import PinChain, Sensors

    out = machine.Pin.OUT
    hw.sensors = Sensors(
        PinChain(pin("SENSOR_LATCH", out), pin("SENSOR_CLK", out), pin("SENSOR_DATA"))
    )
    pull = machine.Pin.PULL_UP
    keys = [pin(name, machine.Pin.IN, pull) for name in ("KEY_ATTENDANT", "KEY_SERVICE")]
    hw.keys = Keys(keys)
    hw.lamps = Lamps(NeoPixel(pin("LAMPS"), 7))


def links(hw):
    """Build shoe and terminal."""
    from felt.link.shoe import FeltShoe
    from felt.link.terminal import Terminal

    hw.shoe = FeltShoe(uart("SHOE"), session())
    hw.terminal = Terminal(uart("TERM"), session())
