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

_SLEEP_IN = b"\x10"
_SLEEP_OUT = b"\x11"
_OFF = b"\x28"
_ON = b"\x29"

# command, its data; the panel is an inverting one
_SETUP = (
    (b"\x3a", b"\x55"),  # 16 bits a pixel
    (b"\x36", b"\x00"),  # rows from the top, columns from the left, red first
    (b"\xb2", b"\x0c\x0c\x00\x33\x33"),  # porches
    (b"\xb7", b"\x35"),  # gate voltages
    (b"\xbb", b"\x19"),  # common voltage
    (b"\xc6", b"\x0f"),  # 60 frames a second
    (b"\x21", b""),  # inversion on
    (b"\x13", b""),  # normal mode
)


class ST7789:
    """`spi` has write(bytes); the pins are called with a level.

    `dma` has send(three commands with their data, pixels, bytes of them) and wait().
    """

    def __init__(self, spi, cs, dc, rst, bl, dma=None):
        self._write = spi.write
        self._cs = cs
        self._dc = dc
        self._rst = rst
        self._bl = bl
        self._dma = dma
        self._to = bytearray(b"\x2a\0\0\0\0\x2b\0\0\0\0\x2c")  # columns, rows, pixels follow
        self._sending = False

    def start(self, sleep_ms):
        """Reset, set up and paint black; about 300 ms. The light stays off until `light`."""
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
        self._blank()
        self._command(_ON)

    def _blank(self):
        """Paint the panel black: its memory holds noise at power-on."""
        black = bytes(SIZE * 8 * 2)
        for y in range(0, SIZE, 8):
            self.blit(0, y, SIZE, 8, black)
        self.finish()

    def light(self, on):
        self._bl(1 if on else 0)

    def sleep(self):
        """Light and panel off; the panel keeps its picture."""
        self.light(False)
        self._command(_OFF)
        self._command(_SLEEP_IN)

    def wake(self):
        """Panel on again; it wants 120 ms before it is put to sleep the next time."""
        self._command(_SLEEP_OUT)
        self._command(_ON)

    def blit(self, x, y, w, h, pixels):
        """Send the first w*h pixels; with `dma` that goes on until the next call."""
        if self._sending:
            self.finish()
        to = self._to
        to[2] = x
        to[4] = x + w - 1
        to[7] = y
        to[9] = y + h - 1
        self._cs(0)
        if self._dma:
            self._dma.send(to, pixels, 2 * w * h)
            self._sending = True
        else:
            self._say(to, memoryview(pixels)[: 2 * w * h])
            self._cs(1)

    def _say(self, to, pixels):
        for first in (0, 5, 10):
            self._dc(0)
            self._write(to[first : first + 1])
            self._dc(1)
            self._write(to[first + 1 : first + 5] or pixels)

    def finish(self):
        """Wait for a transfer under way; it ends by itself within 8 ms."""
        if self._sending:
            self._dma.wait()
            self._sending = False
            self._cs(1)

    def _command(self, code, data=b""):
        self.finish()
        self._cs(0)
        self._dc(0)
        self._write(code)
        self._dc(1)
        if data:
            self._write(data)
        self._cs(1)
