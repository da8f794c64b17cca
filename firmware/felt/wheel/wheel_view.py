"""The Bonus Spin wheel as a picture: prizes and pegs that turn, rim, hub and pointer.

The wheel is painted band by band; `turn` sets the angle for a frame, `paint` draws what of the
wheel lies in a band. Nothing here knows the time or what was drawn. On a board the three hottest
loops are the Thumb kernels of thumb.py; `fast` chooses them, and both paint the same pixels.
"""

import sys
from array import array

from micropython import const

from felt.wheel import motion, pixels, rounds, turning
from felt.wheel.pixels import mix, rgb
from felt.wheel.sheet import Sheet

thumb = None
if sys.platform == "rp2":
    from uctypes import addressof

    from felt.wheel import thumb

_PEGS = const(12)  # records 0..11 prizes, 12..23 pegs; the pointer has two of its own
_TURNING = const(24)

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


class Wheel:
    """`window` is the band's: its first four words are set for every band, the others here."""

    def __init__(self, shape):
        self._shape = shape
        self.fast = thumb is not None
        self.window = array("i", [0] * turning.WINDOW)
        self._rays = array("i", [0] * turning.FAN)
        self._records = array("i", [0] * (_TURNING * turning.WORDS))
        self._pegs = memoryview(self._records)[_PEGS * turning.WORDS :]
        self._pointer = array("i", [0] * (2 * turning.WORDS))
        self._sheet = b""
        self._faces = array("H", [0] * 12)
        self._palette = array("H", [0] * 27)  # codes of rim and hub: see colour()
        self._rim = rounds.Round(*shape.letters.RIM)
        self._hub = rounds.Round(*shape.letters.HUB)
        self._halves = rounds.halves(shape.inner + 2)
        self._everywhere = array("H", [2 * shape.width] * shape.height)  # a disc without an edge
        self._piece = None  # the hub's text: its window and its ground,
        self._text = None  # and its pixels
        self._hub_top, self._hub_end = shape.cy - shape.hub, shape.cy + shape.hub
        self._pointer_end = shape.top + shape.drop
        for n in range(_TURNING):
            self._record(self._records, n, (0, 0, 0, 0), 0, shape.cy)
        for n in range(2):
            self._record(self._pointer, n, (0, 0, 0, 0), 0, shape.pivot)
        self._place()

    def _place(self):
        """Tell the Thumb kernels where everything lies; nothing of it ever moves."""
        self.window[turning.DARK] = DARK
        if thumb:
            self.window[turning.RAYS] = addressof(self._rays)
            self._rim.place(addressof, self._palette)
            self._hub.place(addressof, self._palette)

    def letter(self, labels):
        """Set the prizes' texts, each a tuple of lines; a generator, one text a step."""
        shape = self._shape
        letters = shape.letters
        sheet = Sheet()
        known = {}
        for n in range(12):
            lines = labels[n]
            if lines not in known:
                known[lines] = sheet.lettered(lines, letters.WHEEL, shape.pitch)
                yield
            reach = shape.label - (shape.long * 2 - known[lines][0]) // 7
            self._record(self._records, n, known[lines], reach, shape.cy)
        peg = sheet.shaped(letters.PEG)
        for n in range(_PEGS, _TURNING):
            self._record(self._records, n, peg, shape.inner, shape.cy)
        for n, part, reach in ((0, letters.POINTER, shape.pointer), (1, letters.GEM, shape.gem)):
            self._record(self._pointer, n, sheet.shaped(part), reach, shape.pivot)
        self._sheet = sheet.data
        if thumb:
            self.window[turning.SHEET] = addressof(self._sheet)

    def _record(self, records, n, texture, reach, y):
        at = n * turning.WORDS
        records[at + turning.PIVOT_X] = self._shape.cx + turning.SHIFT
        records[at + turning.PIVOT_Y] = y + turning.SHIFT
        records[at + turning.REACH] = reach
        records[at + turning.COLUMNS] = texture[0]
        records[at + turning.ROWS] = texture[1]
        records[at + turning.COLUMN] = texture[2]
        records[at + turning.ROW] = texture[3]

    def name(self, caption, figure):
        """Set the hub's two lines, painted once on a piece of its plate."""
        shape = self._shape
        plate = self._palette[26]
        lines = (
            (shape.small, shape.caption, caption, GOLD),
            (shape.medium, shape.figure, figure, WHITE),
        )
        wide = max([pixels.width(face, text) for face, _, text, _ in lines]) + 1 & ~1
        high = shape.caption - shape.figure + shape.medium[1]
        win = array("i", (shape.cx - wide // 2, shape.cy - shape.caption, wide, high, plate))
        piece = bytearray(2 * wide * high)
        pixels.rect(piece, win, win[0], win[1], wide, high, plate)
        for face, above, text, colour in lines:
            x = shape.cx - pixels.width(face, text) // 2
            pixels.write(piece, win, face, x, shape.cy - above, text, colour)
        self._piece = win
        self._text = piece if caption else None

    def colour(self, dim=0):
        """Choose the colours, `dim`/32 of the way to the dark.

        The palette runs 2..9 from dark to bronze, 10..17 bronze to gold, 18..25 gold to pale; 26
        is the hub's plate.
        """
        bronze = mix(BRONZE, DARK, dim)
        gold = mix(GOLD, DARK, dim)
        pale = mix(PALE, DARK, dim)
        ink = mix(WHITE, DARK, dim)
        for n in range(12):
            self._face(n, mix(JEWELS[n], DARK, dim), ink if n else DARK)
            _tint(self._records, _PEGS + n, bronze, gold, pale)
        self.window[turning.SEAM] = bronze
        self.window[turning.LINE] = gold
        _tint(self._pointer, 0, bronze, gold, pale)
        _tint(self._pointer, 1, mix(RED, DARK, 20), mix(RED, DARK, 8), RED)
        ramp = (DARK, bronze, gold, pale)
        for n in range(24):
            self._palette[2 + n] = mix(ramp[n // 8], ramp[n // 8 + 1], n % 8 * 4)
        self._palette[26] = mix(PLATE, DARK, dim)

    def _face(self, n, face, ink):
        self._faces[n] = face
        _tint(self._records, n, mix(face, ink, 11), mix(face, ink, 21), ink)

    def glow(self, n, part):
        """Light up one segment, `part`/32 of the way to white."""
        self._face(n, mix(JEWELS[n], WHITE, part), WHITE if n and part < 12 else DARK)

    def _disc(self, cy, limit, halves):
        win = self.window
        win[turning.CX] = self._shape.cx
        win[turning.CY] = cy
        win[turning.LIMIT] = limit
        if thumb:
            win[turning.HALVES] = addressof(halves)

    def turn(self, angle, kick=0):
        """Set the frame's angle; `kick` tilts the pointer the way the pegs push it."""
        self._disc(self._shape.cy, self._shape.inner + 2, self._halves)
        self._fan(angle, self._shape.thick, self._faces)
        turning.aim(self._records, 12, angle, motion.SEGMENT)
        turning.aim(self._pointer, 2, motion.TURN // 2 + kick, 0)

    def _fan(self, angle, thick, faces):
        angle = (angle - motion.SEGMENT // 2) % motion.TURN
        turning.aim(self._pegs, 12, angle, motion.SEGMENT)
        turning.fan(self._rays, self._pegs, angle, thick, faces)

    def burst(self, angle, faces):
        """Set rays of twelve colours for `glare` instead."""
        shape = self._shape
        self._disc(shape.height * 107 // 240, shape.height, self._everywhere)
        self.window[turning.CX] = shape.width // 2
        self._fan(angle, 0, faces)

    def glare(self, buf, win):
        """Fill the band with rays."""
        if self.fast:
            thumb.wedges(buf, win)
        else:
            turning.wedges(0, 0, buf, win, self._everywhere, self._rays)

    def paint(self, buf, win):
        """Draw what of the wheel and the dark around it lies in the band."""
        if not self.fast:
            return self._plainly(buf, win)
        y = win[1]
        thumb.wedges(buf, win)
        thumb.ring(buf, win, self._rim.words)
        thumb.lay(buf, win, self._records, _TURNING)
        if y < self._hub_end and y + win[3] > self._hub_top:
            thumb.ring(buf, win, self._hub.words)
            self._say(buf, win)
        if y < self._pointer_end:
            thumb.lay(buf, win, self._pointer, 2)

    def _plainly(self, buf, win):
        """The same with the references."""
        y = win[1]
        turning.wedges(0, 0, buf, win, self._halves, self._rays)
        self._rim.paint(buf, win, self._palette)
        turning.lay(0, 0, 0, buf, win, self._records, _TURNING, self._sheet)
        if y < self._hub_end and y + win[3] > self._hub_top:
            self._hub.paint(buf, win, self._palette)
            self._say(buf, win)
        if y < self._pointer_end:
            turning.lay(0, 0, 0, buf, win, self._pointer, 2, self._sheet)

    def _say(self, buf, win):
        if self._text:
            pixels.stick(0, 0, buf, win, self._piece, self._text)


def _tint(records, n, low, middle, high):
    at = n * turning.WORDS + turning.LEVEL
    records[at] = low
    records[at + 1] = middle
    records[at + 2] = high
