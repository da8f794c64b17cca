"""What the wheel display shows: a picture for each view, painted in bands, one band a step.

A view is a dict; `mode` chooses the picture, the other fields are read as far as it needs them:

    mode       attract, closed, spin, win, handpay, fault or build
    table      name of the Bonus Spin pay table
    jackpot    cents on the meter, or of the fixed prize
    seat       the seat spun for
    start      position (1..12) the wheel stood at before; position: the one drawn
    prize      cents won; community: cents to each of the others
    code       a fault's code, a build's id; lines: texts that go with it
    elapsed    ms since the mode began; 0 will do where nothing moves
    demo       True marks the picture as a demonstration

The same view always gives the same pixels. Bands go to blit(x, y, w, h, pixels), which sends the
first w*h and may read on in them until it is called again; the two buffers make that safe.

While the wheel turns nothing is allocated: a collection could be seen.
"""

from array import array

import micropython
from micropython import const

from felt.wheel import motion, pixels, shapes
from felt.wheel import wheel_view as wheel
from felt.wheel.scene import Scene

_PIXELS = const(3840)  # of a band: sixteen rows of 240
_BANDS = const(3)  # of what moves in one step: to begin one costs as much as half a band
_PULSE = const(640)  # ms of a glow's rise and fall
_GLARE = const(80)  # ms between pictures of the slow rays
_RAY = const(3)  # rays turn by 1/49152 in so many ms
_PAPER = array("H", (wheel.GOLD, wheel.RED, wheel.WHITE) + wheel.JEWELS[2:7])


def whole(shape):
    """Bands that cover the screen: (x, y, width, rows)."""
    rows = _PIXELS // shape.width
    return [(0, y, shape.width, min(rows, shape.height - y)) for y in range(0, shape.height, rows)]


def moving(shape):
    """Bands that cover what moves in a spin, each no wider than its widest row needs."""
    plan = []
    y = shape.top
    end = shape.cy + shape.outer + 1
    while y < end:
        rows = 40
        while rows * 2 * shape.chord(y, y + rows) > _PIXELS:
            rows -= 1
        rows = min(rows, end - y)
        half = shape.chord(y, y + rows)
        plan.append((shape.cx - half, y, 2 * half, rows))
        y += rows
    return plan


def _flat(plan):
    return array("H", [value for band in plan for value in band])


@micropython.viper
def _frame(win, plan, at: int):
    """Make a band of the plan the window."""
    w = ptr32(win)
    p = ptr16(plan)
    w[0] = p[at]
    w[1] = p[at + 1]
    w[2] = p[at + 2]
    w[3] = p[at + 3]


class Screens:
    """Paints views; `text(key, *values)` gives the words. `busy()` is true while a band is under
    way to the panel: then the next one waits, painted, and the caller does something else.
    `band(window, pixels)`, where there is one, is a faster blit."""

    def __init__(self, blit, text, shape=None, busy=None, band=None):
        shape = shape or shapes.small()
        if shape.width == shape.height:
            from felt.wheel.pictures import PICTURES, labels, mark
        else:
            from felt.wheel.pictures_wide import PICTURES, labels, mark
        self.shape = shape
        self._pictures, self._labels, self._mark = PICTURES, labels, mark
        self._blit = blit
        self._band = band
        self._busy = busy
        self._text = text
        self._buffers = [memoryview(bytearray(2 * _PIXELS)) for _ in range(2)]
        self._turn = 0
        self._wheel = wheel.Wheel(shape)
        self._window = self._wheel.window
        self._quick = self._wheel.paint  # made once: a bound method is allocated
        self._size = array("i", (shape.width, shape.height, shape.paper))
        self._scene = Scene(shape)
        self._whole = _flat(whole(shape))  # four words a band
        self._moving = _flat(moving(shape))
        self._plan = ()
        self._at = 0
        self._painted = False  # a band waits for the panel
        self._next = None
        self._elapsed = 0
        self._paper = self._above = self._over = False
        self._shown = None
        self._still = None
        self._table = None
        self._behind = None
        self._colours = None
        self._lettering = None
        self._fresh = True
        self._dyed = False

    def show(self, view):
        """Paint this view from the next frame on; a frame under way is finished first.

        The very dict shown before may differ in `elapsed` only.
        """
        self._next = view

    def redraw(self):
        """Forget what the panel shows: the next frame is painted whole."""
        self._still = self._shown = None

    def step(self):
        """Do one piece of work, a few ms at most; return True while there is more to do."""
        if self._at < len(self._plan):
            return self._bands()
        if self._lettering:
            return self._letter()
        if self._next is None:
            return False
        return self._prepare(self._next)

    def _letter(self):
        """Put one more prize on the wheel; only when the pay table is new."""
        for _ in self._lettering:
            return True
        self._lettering = None
        return self._next is not None

    def _prepare(self, view):
        """Arrange what stands still when it changed, then set what moves."""
        if view is not self._shown:
            self._shown = view
            still = dict(view)
            still["elapsed"] = 0
            if still != self._still:
                self._still = still
                self._fresh = True
                self._arrange(still)
                return True
        if not self._dyed:
            self._dye(self._still)
            return True
        self._next = None
        if self._fresh or self._moved(view):
            self._begin(view)
            return True
        return False

    def _moved(self, view):
        """Whether a frame would differ enough from the one shown."""
        if self._behind == "rays":
            return view["elapsed"] // _GLARE != self._elapsed // _GLARE
        return view["mode"] in ("spin", "win")

    def _begin(self, view):
        """Prepare a frame whose still part is arranged."""
        self._elapsed = view["elapsed"]
        self._move(view)
        self._paper = view["mode"] in ("win", "handpay")
        moving = view["mode"] == "spin" and not self._fresh
        self._plan = self._moving if moving else self._whole
        self._above = moving and not self._over
        self._fresh = False
        self._at = 0

    # A call whose names and values do not fit into eleven words takes its room from the heap, and
    # to find it there costs as much as half a band: what is called for every band is short.

    def _bands(self):
        """Paint and send a band, a few of a turning wheel, unless the one before is still sent."""
        bands = _BANDS if self._above else 1
        while bands:
            bands -= 1
            if not self._painted:
                self._fill()
            if self._busy and self._busy():
                self._painted = True
                return True
            if not self._sent():
                return self._next is not None
        return True

    def _fill(self):
        win = self._window
        _frame(win, self._plan, self._at)
        if self._above:
            self._quick(self._buffers[self._turn], win)
        else:
            self._paint(self._buffers[self._turn], win)

    def _sent(self):
        """Send a band; False when it was the last."""
        win = self._window
        self._painted = False
        if self._band:
            self._band(win, self._buffers[self._turn])
        else:
            self._blit(win[0], win[1], win[2], win[3], self._buffers[self._turn])
        self._turn ^= 1
        self._at += 4
        return self._at < len(self._plan)

    def _arrange(self, view):
        arrange, self._behind, self._colours = self._pictures[view["mode"]]
        self._dyed = False
        table = view.get("table")
        if table and table != self._table:
            self._table = table
            self._lettering = self._wheel.letter(self._labels(table, self._text))
        self._scene.clear()
        arrange(self._scene, view, self._text)
        if view.get("demo"):
            self._mark(self._scene, view["mode"], self._text)
        self._over = view["mode"] == "spin" and self._scene.over(self._moving)  # what turns

    def _dye(self, view):
        """Prepare colours and words of what turns."""
        self._dyed = True
        if self._behind == "wheel":
            self._wheel.colour(self._colours)
            seat = view.get("seat")
            self._wheel.name(self._text("screen.seat") if seat else "", str(seat or ""))

    def _move(self, view):
        elapsed = view["elapsed"]
        position = view.get("position") or 1
        if view["mode"] == "win":
            rise = elapsed % _PULSE * 48 // _PULSE
            self._wheel.glow(position - 1, rise if rise < 24 else 48 - rise)
        if self._behind == "rays":
            self._wheel.burst(elapsed // _RAY, self._colours)
        elif view["mode"] == "spin":
            angle = motion.angle(view.get("start") or 1, position, elapsed)
            self._wheel.turn(angle, motion.kick(angle))
        elif self._behind == "wheel":
            self._wheel.turn(motion.rest(position))

    def _paint(self, buf, win):
        if self._behind == "wheel":
            self._wheel.paint(buf, win)
        elif self._behind == "rays":
            self._wheel.glare(buf, win)
        if self._paper:
            pixels.confetti(buf, win, self._elapsed, self._size, _PAPER, len(_PAPER))
        if not self._above:
            self._scene.paint(buf, win)
