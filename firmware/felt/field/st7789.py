"""ST7789 panel, 240x240, 16-bit colour, over SPI.

Wiring is write-only: the panel is never read, so a missing one cannot be seen and cannot block;
every transfer ends after its bits. The self test can only ask the person in front of it.

The bus: SPI mode 3, which sends bytes back to back and suits panels without chip select. A write
cycle of the panel is at least 16 ns (62.5 MHz). The RP2040's SPI divides its peripheral clock by
two at least: 24 MHz while that clock is the 48 MHz MicroPython starts with, 62.5 MHz after
machine.freq(125_000_000, 125_000_000), which must come before the bus is made.
"""

from micropython import const

SIZE = const(240)
POLARITY = const(1)
PHASE = const(1)

_SLEEP_IN = const(0x10)
_SLEEP_OUT = const(0x11)
_RESET = const(0x01)
_OFF = const(0x28)
_ON = const(0x29)
_COLUMNS = const(0x2A)
_ROWS = const(0x2B)
_WRITE = const(0x2C)

# command, its data; the panel is an inverting one
_SETUP = (
    (0x3A, b"\x55"),  # 16 bits a pixel
    (0x36, b"\x00"),  # rows from the top, columns from the left, red first
    (0xB2, b"\x0c\x0c\x00\x33\x33"),  # porches
    (0xB7, b"\x35"),  # gate voltages
    (0xBB, b"\x19"),  # common voltage
    (0xC6, b"\x0f"),  # 60 frames a second
    (0x21, b""),  # inversion on
    (0x13, b""),  # normal mode
)


class ST7789:
    """`spi` writes bytes; the pins are called with a level; `dma` sends a buffer on its own."""

    def __init__(self, spi, cs, dc, rst, bl, dma=None):
        self._spi = spi
        self._cs = cs
        self._dc = dc
        self._rst = rst
        self._bl = bl
        self._dma = dma
        self._place = bytearray(4)
        self._byte = bytearray(1)
        self._sending = False

    def start(self, sleep_ms):
        """Reset and set up; about 250 ms. The light stays off until `light`."""
        self._bl(0)
        self._cs(1)
        self._rst(0)
        sleep_ms(1)
        self._rst(1)
        sleep_ms(120)
        self._command(_SLEEP_OUT)
        sleep_ms(120)
        for code, data in _SETUP:
            self._command(code, data)
        self._command(_ON)

    def light(self, on):
        self._bl(1 if on else 0)

    def sleep(self):
        """Panel off; `wake` brings it back 120 ms later, with its memory as it was."""
        self.light(False)
        self._command(_OFF)
        self._command(_SLEEP_IN)

    def wake(self):
        self._command(_SLEEP_OUT)
        self._command(_ON)

    def blit(self, x, y, w, h, pixels):
        """Send w*h pixels; with `dma` the transfer goes on after the return, until the next call."""
        self._window(_COLUMNS, x, x + w - 1)
        self._window(_ROWS, y, y + h - 1)
        self._command(_WRITE, pixels)

    def finish(self):
        """Wait for a transfer still going on; it ends by itself within milliseconds."""
        if self._sending:
            self._dma.wait()
            self._sending = False
            self._cs(1)

    def _window(self, code, first, last):
        place = self._place
        place[0] = first >> 8
        place[1] = first & 255
        place[2] = last >> 8
        place[3] = last & 255
        self._command(code, place)

    def _command(self, code, data=b""):
        self.finish()
        self._byte[0] = code
        self._dc(0)
        self._cs(0)
        self._spi.write(self._byte)
        self._dc(1)
        if self._dma and len(data) > 64:
            self._dma.send(data)
            self._sending = True
            return
        if data:
            self._spi.write(data)
        self._cs(1)
