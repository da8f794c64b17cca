"""The two panels, 16-bit colour over SPI: ST7789 with 240x240 pixels, ST7796 with 480x320.

Wiring is write-only: the panel is never read, so a missing one cannot be seen and cannot block;
every transfer ends after its bits. The self test can only ask the person in front of it.

The bus: SPI mode 3, which sends bytes back to back and suits panels without chip select. A write
cycle of the ST7789 is at least 16 ns (62.5 MHz); data sheets of the ST7796 disagree on its own, so
the rate is the board's data (SPEEDS), and 31.25 MHz is the next to try when 62.5 shows noise. The
RP2040's SPI divides its peripheral clock by two at least: 24 MHz while that clock is the 48 MHz
MicroPython starts with, 62.5 MHz after machine.freq(125_000_000, 125_000_000), which must come
before the bus is made.
"""

from micropython import const

POLARITY = const(1)
PHASE = const(1)

_SLEEP_IN = b"\x10"
_SLEEP_OUT = b"\x11"
_OFF = b"\x28"
_ON = b"\x29"

# width, height, then (command, its data) each
ST7789 = (
    240,
    240,
    (
        (b"\x3a", b"\x55"),  # 16 bits a pixel
        (b"\x36", b"\x00"),  # rows from the top, columns from the left, red first
        (b"\xb2", b"\x0c\x0c\x00\x33\x33"),  # porches
        (b"\xb7", b"\x35"),  # gate voltages
        (b"\xbb", b"\x19"),  # common voltage
        (b"\xc6", b"\x0f"),  # 60 frames a second
        (b"\x21", b""),  # inversion on: the panel is an inverting one
        (b"\x13", b""),  # normal mode
    ),
)
ST7796 = (
    480,
    320,
    (
        (b"\xf0", b"\xc3"),  # open the second half of the commands
        (b"\xf0", b"\x96"),
        (b"\x3a", b"\x55"),  # 16 bits a pixel
        (b"\x36", b"\x28"),  # rows and columns exchanged: lying; blue first
        (b"\xb1", b"\xa0\x10"),  # 60 frames a second
        (b"\xb4", b"\x01"),  # inversion dot by dot
        (b"\xf0", b"\x3c"),  # and close it again
        (b"\xf0", b"\x69"),
        (b"\x13", b""),  # normal mode
    ),
)
KINDS = {"ST7789": ST7789, "ST7796": ST7796}


class Panel:
    """`kind` is one of those above; `spi` has write(bytes); the pins are called with a level.

    `dma` has send(x, y, w, h, pixels), band(window, pixels) and busy(). With it the panel stays
    selected, `send` and `band` return at once and may be called again when busy() is False;
    without it `send` is `blit` and there is no `band`.
    """

    def __init__(self, kind, spi, cs, dc, rst, bl, dma=None):
        self.width, self.height, self._setup = kind
        self._write = spi.write
        self._cs = cs
        self._dc = dc
        self._rst = rst
        self._bl = bl
        self._dma = dma
        self.send = dma.send if dma else self.blit
        self.busy = dma.busy if dma else _never
        self.band = dma.band if dma else None

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
        for code, data in self._setup:
            self._command(code, data)
        self._blank()
        self._command(_ON)

    def _blank(self):
        """Paint the panel black: its memory holds noise at power-on."""
        black = bytes(self.width * 8 * 2)
        for y in range(0, self.height, 8):
            self.blit(0, y, self.width, 8, black)
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
        """Send the first w*h pixels after what is under way."""
        self.finish()
        self._cs(0)
        if self._dma:
            self._dma.send(x, y, w, h, pixels)
            return
        for at, first, last in ((0x2A, x, x + w - 1), (0x2B, y, y + h - 1)):
            self._say(bytes([at]), bytes([first >> 8, first & 255, last >> 8, last & 255]))
        self._say(b"\x2c", memoryview(pixels)[: 2 * w * h])
        self._cs(1)

    def finish(self):
        """Wait for a transfer under way; it ends by itself within 8 ms."""
        while self.busy():
            pass

    def _say(self, code, data):
        self._dc(0)
        self._write(code)
        self._dc(1)
        if data:
            self._write(data)

    def _command(self, code, data=b""):
        self.finish()
        self._cs(0)
        self._say(code, data)
        if not self._dma:
            self._cs(1)


def _never():
    return False
