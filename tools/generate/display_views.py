"""The views whose pictures are kept, one of each screen, and a panel to look at them."""

from felt.texts import Texts
from felt.wheel import shapes
from felt.wheel.motion import DURATION
from felt.wheel.screens import Screens

LANGUAGE = "firmware/lang/en.txt"


class Glass:
    """A panel that remembers rows top..bottom-1: what was sent to it is what is seen."""

    def __init__(self, language=LANGUAGE, top=0, bottom=None, shape=None):
        self.shape = shape = shape or shapes.small()
        bottom = shape.height if bottom is None else bottom
        self.pixels = bytearray(shape.width * (bottom - top) * 2)
        self.screens = Screens(self.blit, Texts(language).get, shape)
        self.look(top)

    def look(self, top):
        """Remember as many rows from another one on."""
        self._top = top
        self._bottom = top + len(self.pixels) // (2 * self.shape.width)

    def blit(self, x, y, w, h, data):
        for row in range(h):
            if self._top <= y + row < self._bottom:
                at = ((y + row - self._top) * self.shape.width + x) * 2
                self.pixels[at : at + 2 * w] = data[2 * w * row : 2 * w * (row + 1)]

    def paint(self, view):
        """Paint one frame and return the panel's pixels, of which there is one buffer only."""
        self.screens.show(view)
        while self.screens.step():
            pass
        return self.pixels


def kept_as(name, shape):
    """What a screen's picture and hash are called."""
    return name if shape.width == shape.height else "wide_" + name


_SPIN = {
    "mode": "spin",
    "table": "flush5_progressive",
    "jackpot": 1284735,
    "seat": 4,
    "start": 1,
    "position": 4,
}


def _with(view, **fields):
    found = dict(view)
    found.update(fields)
    return found


_WIN = _with(_SPIN, mode="win", prize=500000, elapsed=1200)
_ATTRACT = _with(_SPIN, mode="attract", elapsed=4000)

VIEWS = {
    "spin_start": _with(_SPIN, elapsed=0),
    "spin_fast": _with(_SPIN, elapsed=1100),
    "spin_slow": _with(_SPIN, elapsed=6600),
    "spin_end": _with(_SPIN, elapsed=DURATION),
    "spin_demo": _with(_SPIN, elapsed=2500, demo=True),
    "spin_flush5_fixed": _with(
        _SPIN, table="flush5_fixed", jackpot=2500000, position=1, elapsed=DURATION
    ),
    "spin_flush1_progressive": _with(
        _SPIN, table="flush1_progressive", jackpot=523456, position=7, elapsed=DURATION
    ),
    "spin_flush1_fixed": _with(
        _SPIN, table="flush1_fixed", jackpot=500000, position=9, elapsed=DURATION
    ),
    "win": _WIN,
    "win_community": _with(_WIN, position=6, prize=25000, community=10000, elapsed=300),
    "win_jackpot": _with(_WIN, position=1, prize=1284735, elapsed=2900),
    "attract": _ATTRACT,
    "attract_demo": _with(_ATTRACT, demo=True),
    "closed": _with(
        _SPIN, mode="closed", lines=["NO WHEEL WEIGHTS"], seat=None, position=1, elapsed=0
    ),
    "handpay": _with(_WIN, mode="handpay", position=1, prize=1284735, elapsed=5000),
    "fault": {
        "mode": "fault",
        "code": "F12",
        "lines": ["FAULT: memory does not hold data"],
        "elapsed": 0,
    },
    "build": {
        "mode": "build",
        "code": "1.0.0",
        "lines": [
            "GAME PREMIUM HOLD 'EM",
            "TABLE FLUSH5 PROGRESSIVE",
            "PROGRAM 4F1C 09AA 73B2 D5E0",
            "CONFIG 90AB 12CD 34EF 5678",
            "WEIGHTS 0F1E 2D3C 4B5A 6978",
            "BOARD RPI_PICO",
        ],
        "elapsed": 0,
    },
}

STRIP = [
    _with(_SPIN, elapsed=t) for t in (0, 300, 600, 1000, 1600, 2400, 3300, 4300, 5400, 6500, 7300)
]
STRIP.append(_WIN)
