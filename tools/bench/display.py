"""A panel as the bytes on its bus make it: what it holds in memory is what people see."""

from __future__ import annotations

import hashlib
import struct
import zlib

from felt.wheel.panel import KINDS

from tools.image import build

CASET, RASET, RAMWR, RAMWRC = 0x2A, 0x2B, 0x2C, 0x3C
SWRESET, SLPIN, SLPOUT, INVOFF, INVON, DISPOFF, DISPON = 0x01, 0x10, 0x11, 0x20, 0x21, 0x28, 0x29


class Display:
    """Feed it commands and data; read `pixels` (RGB565, big endian as sent) and what changed."""

    def __init__(self, panel: str = "") -> None:
        """The panel of the virtual board, or another one by name."""
        kind = panel or build.board_data("VIRTUAL")["FEATURES"]["panel"]
        self.width, self.height = KINDS[kind][:2]
        self.strokes = 0  # counts changes; never goes back, so readers can keep their own place
        self._touched = [0] * self.height  # each row's last change
        self.power_off()

    def power_off(self) -> None:
        """Memory of a chip without power is gone; we show it dark."""
        self.pixels = bytearray(self.width * self.height * 2)
        self.on = False
        self.backlight = True
        self.inverted = False
        self._command = 0
        self._args = bytearray()
        self._window = [0, self.width - 1, 0, self.height - 1]
        self._at = 0
        self._odd = b""
        self.writes = 0
        self._touch(0, self.height)

    def command(self, data: bytes) -> None:
        for code in data:
            self._command = code
            self._args.clear()
            if code in (RAMWR, RAMWRC):
                if code == RAMWR:
                    self._at = 0
                    self.writes += 1
                self._odd = b""
            elif code in (DISPON, DISPOFF, SWRESET):
                self.on = code == DISPON
                self._touch(0, self.height)
            elif code in (INVON, INVOFF):
                self.inverted = code == INVON

    def data(self, data: bytes) -> None:
        if self._command in (RAMWR, RAMWRC):
            self._store(data)
        elif self._command in (CASET, RASET):
            self._args += data
            if len(self._args) == 4:
                first, last = struct.unpack(">HH", self._args)
                at = 0 if self._command == CASET else 2
                self._window[at : at + 2] = [first, last]

    def _store(self, data: bytes) -> None:
        data = self._odd + data
        whole = len(data) & ~1
        self._odd = data[whole:]
        x0, x1, y0, y1 = self._window
        width = x1 - x0 + 1
        total = width * (y1 - y0 + 1)
        if width <= 0 or total <= 0:
            return
        done = 0
        count = whole // 2
        while done < count:
            row, column = divmod(self._at, width)
            part = min(count - done, width - column)
            self._row(y0 + row, x0 + column, data[2 * done : 2 * (done + part)])
            self._at = (self._at + part) % total
            done += part

    def _row(self, y: int, x: int, data: bytes) -> None:
        if y < self.height and x < self.width:
            data = data[: 2 * (self.width - x)]
            start = 2 * (y * self.width + x)
            self.pixels[start : start + len(data)] = data
            self._touch(y, y + 1)

    def _touch(self, first: int, last: int) -> None:
        self.strokes += 1
        self._touched[first:last] = [self.strokes] * (last - first)

    def rows_since(self, stroke: int) -> tuple[int, bytes] | None:
        """Return (first row, rows' pixels) changed after a value of `strokes`, or None."""
        rows = [y for y, changed in enumerate(self._touched) if changed > stroke]
        if not rows:
            return None
        first, last = rows[0], rows[-1] + 1
        return first, bytes(self.pixels[first * self.width * 2 : last * self.width * 2])

    def digest(self) -> str:
        return hashlib.sha256(self.pixels).hexdigest()[:16]

    def png(self) -> bytes:
        """The picture as a PNG file."""
        rows = bytearray()
        wide = self.width
        for y in range(self.height):
            rows.append(0)
            line = struct.unpack(f">{wide}H", self.pixels[y * wide * 2 : (y + 1) * wide * 2])
            for p in line:
                r, g, b = p >> 11, p >> 5 & 63, p & 31
                rows += bytes((r * 255 // 31, g * 255 // 63, b * 255 // 31))
        head = struct.pack(">IIBBBBB", wide, self.height, 8, 2, 0, 0, 0)
        parts = [(b"IHDR", head), (b"IDAT", zlib.compress(bytes(rows), 6)), (b"IEND", b"")]
        return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*part) for part in parts)


def _chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
