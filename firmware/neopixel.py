"""Stands for micropython-lib's `neopixel` where a MicroPython tree has none: as much of its
interface as the lamps use. The manifest takes the original where it is."""

import machine

TIMING = (400, 850, 800, 450)  # ns high and low of a 0, then of a 1


class NeoPixel:
    """A string of WS2812 LEDs: `leds[i] = (red, green, blue)`, then write()."""

    def __init__(self, pin, n):
        pin.init(pin.OUT)
        self._pin = pin
        self._bytes = bytearray(3 * n)

    def __setitem__(self, i, colour):
        at = 3 * i
        self._bytes[at] = colour[1]  # the LED takes green first
        self._bytes[at + 1] = colour[0]
        self._bytes[at + 2] = colour[2]

    def write(self):
        machine.bitstream(self._pin, 0, TIMING, self._bytes)
