"""The Bonus Spin wheel as a picture: prizes and pegs that turn, rim, hub and pointer.

The wheel is painted band by band; `turn` sets the angle for a frame, `paint` draws what of the
wheel lies in a band. Nothing here knows the time or what was drawn.
"""

from array import array

import micropython
from micropython import const

from felt.wheel import font, lettering, motion, pixels, rounds, turning
from felt.wheel.pixels import mix, rgb, write

CX = const(120)
CY = const(138)
OUTER = const(100)  # rim and its soft edge
TOP = const(30)  # the pointer's first row: nothing moves above it
_INNER = const(91)  # where the segments end
_HUB = const(32)  # and its shadow
_LABEL = const(83)  # where a prize's text begins, reading inwards
_PITCH = const(23)  # samples between lines of text
_LONG = const(52)  # pixels of text at most
_PIVOT = const(35)  # the pointer's axle
_THICK = const(440)  # half a separator, in 1/256 pixel

_PEGS = const(12)  # records 0..11 prizes, 12..23 pegs, 24 and 25 pointer
_POINTER = const(24)
_RECORDS = const(26)

GOLD = rgb(236, 186, 72)
PALE = rgb(255, 240, 190)
BRONZE = rgb(122, 78, 22)
DARK = rgb(8, 8, 16)
WHITE = rgb(255, 255, 255)
RED = rgb(226, 36, 36)
PLATE = rgb(40, 22, 10)
# Segments in wheel order; the first is the top prize.
JEWELS = (
    rgb(250, 190, 40),
    rgb(168, 18, 50),
    rgb(20, 64, 168),
    rgb(8, 120, 70),
    rgb(108, 34, 148),
    rgb(206, 80, 14),
    rgb(8, 104, 136),
    rgb(168, 18, 50),
    rgb(20, 64, 168),
    rgb(8, 120, 70),
    rgb(108, 34, 148),
    rgb(8, 104, 136),
)
# Codes of rim and hub by quarter pixels outwards; see felt.wheel.rounds. The palette runs
# 2..9 from dark to bronze, 10..17 bronze to gold, 18..25 gold to pale, 26 the hub's plate.
_SHADE = b"\x01"
_RISE = bytes(range(6, 25, 2))
_FALL = bytes(range(24, 2, -2))
_RIM = _SHADE * 10 + b"\x02" * 5 + _RISE + b"\x18" * 4 + _FALL + b"\x04\x02\x02\x02"
_PLATE = b"\x1a" * 76 + b"\x06\x04" + _RISE + b"\x18" + _FALL + b"\x02\x02" + _SHADE * 10


def chord(y, end):
    """Half the width, a whole number of pixels, of what the rows y..end-1 show of the wheel."""
    near = max(y - CY, CY - end + 1, 0)
    half = 12 if y < TOP + 30 else 0  # the pointer swings
    while half * half + near * near <= OUTER * OUTER:
        half += 1
    return half


class Wheel:
    def __init__(self):
        self._rays = array("i", [0] * turning.RAYS)
        self._records = array("i", [0] * (_RECORDS * turning.WORDS))
        self._sheet = b""
        self._hub_text = ()
        self._faces = array("H", [0] * 12)
        self._palette = array("H", [0] * 27)
        self._rim = rounds.Round(_INNER - 2, _RIM)
        self._hub = rounds.Round(0, _PLATE)
        for n in range(_RECORDS):
            self._record(n, (0, 0, 0, 0), 0)

    def letter(self, labels):
        """Set the prizes' texts, each a tuple of lines; a generator, one text a step."""
        yield
        sheet = Sheet()
        known = {}
        for n in range(12):
            lines = labels[n]
            if lines not in known:
                known[lines] = _lettered(sheet, lines, lettering.WHEEL)
                yield
            columns = known[lines][0]
            self._record(n, known[lines], _LABEL - (_LONG * 2 - columns) // 7)
        self._parts(sheet)
        self._sheet = sheet.data

    def _parts(self, sheet):
        self._record(_POINTER, _shaped(sheet, lettering.POINTER), CY - _PIVOT - 84)
        self._record(_POINTER + 1, _shaped(sheet, lettering.GEM), CY - _PIVOT - 89)
        for n in (_POINTER, _POINTER + 1):
            self._records[n * turning.WORDS + turning.PIVOT_Y] = _PIVOT + turning.SHIFT
        peg = _shaped(sheet, lettering.PEG)
        for n in range(12):
            self._record(_PEGS + n, peg, _INNER)

    def _record(self, n, texture, reach):
        at = n * turning.WORDS
        self._records[at + turning.PIVOT_X] = CX + turning.SHIFT
        self._records[at + turning.PIVOT_Y] = CY + turning.SHIFT
        self._records[at + turning.REACH] = reach
        self._records[at + turning.COLUMNS] = texture[0]
        self._records[at + turning.ROWS] = texture[1]
        self._records[at + turning.COLUMN] = texture[2]
        self._records[at + turning.ROW] = texture[3]

    def _tint(self, n, low, middle, high):
        at = n * turning.WORDS + turning.LEVEL
        self._records[at] = low
        self._records[at + 1] = middle
        self._records[at + 2] = high

    def name(self, caption, figure):
        """Set the hub's two lines."""
        self._hub_text = (
            (font.SMALL, CX - pixels.width(font.SMALL, caption) // 2, CY - 14, caption, GOLD),
            (font.MEDIUM, CX - pixels.width(font.MEDIUM, figure) // 2, CY - 3, figure, WHITE),
        )

    def colour(self, dim=0):
        """Choose the colours, `dim`/32 of the way to the dark."""
        bronze = mix(BRONZE, DARK, dim)
        gold = mix(GOLD, DARK, dim)
        pale = mix(PALE, DARK, dim)
        ink = mix(WHITE, DARK, dim)
        for n in range(12):
            self._face(n, mix(JEWELS[n], DARK, dim), ink if n else DARK)
            self._tint(_PEGS + n, bronze, gold, pale)
        self._rays[turning.SEAM] = bronze
        self._rays[turning.LINE] = gold
        self._tint(_POINTER, bronze, gold, pale)
        self._tint(_POINTER + 1, mix(RED, DARK, 20), mix(RED, DARK, 8), RED)
        ramp = (DARK, bronze, gold, pale)
        for n in range(24):
            self._palette[2 + n] = mix(ramp[n // 8], ramp[n // 8 + 1], n % 8 * 4)
        self._palette[26] = mix(PLATE, DARK, dim)

    def _face(self, n, face, ink):
        self._faces[n] = face
        self._tint(n, mix(face, ink, 11), mix(face, ink, 21), ink)

    def glow(self, n, part):
        """Light up one segment, `part`/32 of the way to white."""
        self._face(n, mix(JEWELS[n], WHITE, part), WHITE if n and part < 12 else DARK)

    def turn(self, angle, kick=0):
        """Set the frame's angle; `kick` tilts the pointer the way the pegs push it."""
        rays = self._rays
        faces = self._faces
        first = self._fan(angle, _THICK)
        for n in range(7):
            rays[turning.COLOURS + n] = faces[(first + n - 1) % 12]
            rays[turning.COLOURS + 8 + n] = faces[(first + 11 - n) % 12]
        turning.aim(self._records, 0, 12, angle, motion.SEGMENT)
        turning.aim(self._records, _POINTER, 2, motion.TURN // 2 + kick, 0)

    def _fan(self, angle, thick):
        angle = (angle - motion.SEGMENT // 2) % motion.TURN
        turning.aim(self._records, _PEGS, 12, angle, motion.SEGMENT)
        return turning.fan(self._rays, self._records, _PEGS, angle, thick)

    def burst(self, angle, colours):
        """Set rays in two colours for `glare` instead."""
        first = self._fan(angle, 0)
        for n in range(7):
            self._rays[turning.COLOURS + n] = colours[(first + n + 1) & 1]
            self._rays[turning.COLOURS + 8 + n] = colours[(first + 1 - n) & 1]

    def glare(self, buf, win):
        """Fill the band with rays."""
        turning.wedges(buf, 0, 0, buf, win, CX, 107, 240, self._rays)

    def paint(self, buf, win):
        """Draw what of the wheel and the dark around it lies in the band."""
        pixels.outside(0, 0, buf, win, CX, CY, self._rim.outer, DARK)
        turning.wedges(buf, 0, 0, buf, win, CX, CY, _INNER + 2, self._rays)
        turning.lay(0, 0, 0, buf, win, self._records, 0, 12, self._sheet)
        self._rim.paint(buf, win, CX, CY, self._palette)
        turning.lay(0, 0, 0, buf, win, self._records, _PEGS, 12, self._sheet)
        if win[1] < CY + _HUB and win[1] + win[3] > CY - _HUB - 6:
            self._hub.paint(buf, win, CX, CY, self._palette)
            for face, x, y, text, colour in self._hub_text:
                write(buf, win, face, x, y, text, colour)
        if win[1] < TOP + 36:
            turning.lay(0, 0, 0, buf, win, self._records, _POINTER, 2, self._sheet)


class Sheet:
    """Room for textures: shelves of rows, filled from the left."""

    def __init__(self):
        self.data = bytearray()
        self._shelves = []  # [first row, rows, columns used]

    def room(self, columns, rows):
        """Reserve a place: (first column, first row)."""
        for shelf in self._shelves:
            if rows <= shelf[1] and columns <= turning.STRIDE * 4 - shelf[2]:
                shelf[2] += columns
                return shelf[2] - columns, shelf[0]
        row = len(self.data) // turning.STRIDE
        self._shelves.append([row, rows, columns])
        self.data.extend(bytes(rows * turning.STRIDE))
        return 0, row


@micropython.viper
def _stamp(sheet, x: int, y: int, data, start: int, columns: int, rows: int):
    """Copy a picture onto the sheet; both hold four samples a byte."""
    to = ptr8(sheet)
    of = ptr8(data)
    stride = (columns + 3) >> 2
    row = 0
    while row < rows:
        column = 0
        while column < columns:
            level = (of[start + row * stride + (column >> 2)] >> ((column & 3) << 1)) & 3
            spot = x + column
            at = (y + row) * 32 + (spot >> 2)
            to[at] = to[at] | (level << ((spot & 3) << 1))
            column += 1
        row += 1


def _lettered(sheet, lines, face):
    """Add one or two lines of text, centred: (columns, rows, first column, first row)."""
    chars, high, gap, widths, offsets, data = face
    columns = max([pixels.width(face, line) for line in lines])
    rows = high + _PITCH * (len(lines) - 1)
    left, top = sheet.room(columns, rows)
    for n, line in enumerate(lines):
        x = left + (columns - pixels.width(face, line)) // 2
        for char in line:
            at = chars.find(char)
            if at >= 0:
                place = offsets[2 * at] | offsets[2 * at + 1] << 8
                _stamp(sheet.data, x, top + n * _PITCH, data, place, widths[at], high)
            x += pixels.advance(face, char)
    return columns, rows, left, top


def _shaped(sheet, part):
    """Add one of the parts that are not text."""
    columns, rows, data = part
    left, top = sheet.room(columns, rows)
    _stamp(sheet.data, left, top, data, 0, columns, rows)
    return columns, rows, left, top
