"""A string of WS2812 LEDs, with as much of NeoPixel's interface as the lamps use."""

import machine

TIMING = (400, 850, 800, 450)  # ns high and low of a 0, then of a 1


class Strip:
    """`strip[i] = (red, green, blue)`, then write()."""

    def __init__(self, pin, count):
        pin.init(pin.OUT)
        self._pin = pin
        self._bytes = bytearray(3 * count)

    def __setitem__(self, led, colour):
        at = 3 * led
        self._bytes[at] = colour[1]  # the LED takes green first
        self._bytes[at + 1] = colour[0]
        self._bytes[at + 2] = colour[2]

    def write(self):
        machine.bitstream(self._pin, 0, TIMING, self._bytes)
