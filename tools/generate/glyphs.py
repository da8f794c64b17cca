"""The display's letters, drawn here as pen strokes and written to firmware/felt/field/.

A letter is a list of strokes on a grid ten units high; a round pen of the wanted width follows
them, so one drawing serves every size. Coverage has four levels, two bits a pixel.

    tools/generate/glyphs.py            write the font file
    tools/generate/glyphs.py --check    fail when the font file is not what this tool writes
"""

import math
import sys

from felt.wheel import shapes

from tools.generate.written import keep
from tools.paths import FIRMWARE

FIELD = FIRMWARE / "felt" / "wheel"
DIGITS = "0123456789"
MONEY = DIGITS + "$,."
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
ALL = MONEY + LETTERS + "!'()+-/:%#&?=_"

# name: characters, cap height, pen, gap (pixels), samples a pixel, samples above and below
FONTS = {
    "SMALL": (ALL, 9, 1.5, 1.5, 1, 1, 2),
    "MEDIUM": (ALL, 15, 2.5, 2.0, 1, 2, 2),
    "LARGE": (MONEY, 28, 4.6, 3.0, 1, 2, 4),
    "WHEEL": (MONEY + "ACDEFIJKOPRTXZ", 10, 1.8, 0.8, 2, 1, 3),
}
# the same for the large panel
LARGE_FONTS = {
    "MEDIUM": (ALL, 21, 3.4, 2.5, 1, 2, 4),
    "LARGE": (MONEY, 44, 7.2, 4.5, 1, 3, 6),
    "WHEEL": (MONEY + "ACDEFIJKOPRTXZ", 15, 2.6, 1.2, 2, 1, 4),
}


def arc(cx, cy, rx, ry, start, end):
    """Points of an ellipse; degrees run clockwise from the right."""
    steps = max(2, int(abs(end - start) / 6))
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    return [(cx + rx * math.cos(a), cy + ry * math.sin(a)) for a in angles]


def turned(strokes, width):
    """The same strokes upside down: a 6 is a 9."""
    return [[(width - x, 10 - y) for x, y in stroke] for stroke in strokes]


SIX = [arc(3, 6.9, 3, 3.1, 0, 360), arc(3.3, 4.2, 3.3, 4.2, 180, 303), [(0, 4.2), (0, 6.9)]]

# width, strokes
GLYPHS = {
    "0": (6, [arc(3, 3.2, 3, 3.2, 180, 360) + arc(3, 6.8, 3, 3.2, 0, 180) + [(0, 3.2)]]),
    "1": (6, [[(1, 2.2), (3.4, 0), (3.4, 10)]]),
    "2": (6, [arc(3, 2.9, 2.9, 2.9, 190, 400) + [(0, 10), (6, 10)]]),
    "3": (
        6,
        [
            arc(2.8, 2.55, 2.75, 2.55, 200, 450),
            arc(2.9, 7.45, 3.1, 2.55, 160, -90),
        ],
    ),
    "4": (6, [[(4.5, 10), (4.5, 0), (0, 7.2), (6, 7.2)]]),
    "5": (6, [[(5.5, 0), (0.8, 0), (0.4, 4.7)] + arc(2.9, 6.75, 3.1, 3.25, 219, 515)]),
    "6": (6, SIX),
    "7": (6, [[(0, 0), (6, 0), (2.2, 10)]]),
    "8": (6, [arc(3, 2.5, 2.6, 2.5, 0, 360), arc(3, 7.5, 3, 2.5, 0, 360)]),
    "9": (6, turned(SIX, 6)),
    "$": (
        6,
        [
            arc(3, 3.0, 2.8, 2.0, 340, 90) + arc(3, 7.0, 2.9, 2.0, 270, 515),
            [(3, -0.6), (3, 10.6)],
        ],
    ),
    ",": (1.2, [[(0.9, 9.9), (0.3, 11.3)]]),
    ".": (0.6, [[(0.3, 9.95), (0.3, 10)]]),
    "A": (6.6, [[(0, 10), (3.3, 0), (6.6, 10)], [(1.2, 6.6), (5.4, 6.6)]]),
    "B": (
        5.8,
        [
            [(0, 5), (0, 0), (3, 0)] + arc(3, 2.45, 2.3, 2.45, 270, 450) + [(0, 4.9)],
            [(0, 4.9), (0, 10), (3.1, 10)] + arc(3.1, 7.45, 2.7, 2.55, 90, -90),
        ],
    ),
    "C": (6, [arc(3.2, 3.3, 3.2, 3.3, 325, 180) + arc(3.2, 6.7, 3.2, 3.3, 180, 35)]),
    "D": (
        6,
        [[(2.6, 0), (0, 0), (0, 10), (2.6, 10)] + arc(2.6, 5, 3.4, 5, 90, -90)],
    ),
    "E": (5, [[(5, 0), (0, 0), (0, 10), (5, 10)], [(0, 4.8), (4.3, 4.8)]]),
    "F": (5, [[(5, 0), (0, 0), (0, 10)], [(0, 5), (4.3, 5)]]),
    "G": (
        6.2,
        [
            arc(3.2, 3.3, 3.2, 3.3, 325, 180)
            + arc(3.2, 6.7, 3.2, 3.3, 180, 0)
            + [(6.4, 5.6), (3.8, 5.6)]
        ],
    ),
    "H": (6, [[(0, 0), (0, 10)], [(6, 0), (6, 10)], [(0, 4.9), (6, 4.9)]]),
    "I": (0.2, [[(0.1, 0), (0.1, 10)]]),
    "J": (4.8, [[(4.8, 0), (4.8, 7.2)] + arc(2.3, 7.2, 2.5, 2.8, 0, 165)]),
    "K": (5.8, [[(0, 0), (0, 10)], [(5.6, 0), (0, 6.2)], [(2, 4.3), (5.8, 10)]]),
    "L": (4.8, [[(0, 0), (0, 10), (4.8, 10)]]),
    "M": (7.6, [[(0, 10), (0, 0), (3.8, 6.4), (7.6, 0), (7.6, 10)]]),
    "N": (6.2, [[(0, 10), (0, 0), (6.2, 10), (6.2, 0)]]),
    "O": (6.4, [arc(3.2, 3.3, 3.2, 3.3, 180, 360) + arc(3.2, 6.7, 3.2, 3.3, 0, 180) + [(0, 3.3)]]),
    "P": (5.8, [[(0, 10), (0, 0), (3, 0)] + arc(3, 2.85, 2.7, 2.85, 270, 450) + [(0, 5.7)]]),
    "Q": (
        6.4,
        [
            arc(3.2, 3.3, 3.2, 3.3, 180, 360) + arc(3.2, 6.7, 3.2, 3.3, 0, 180) + [(0, 3.3)],
            [(4, 7.2), (6.6, 10.3)],
        ],
    ),
    "R": (
        5.9,
        [
            [(0, 10), (0, 0), (3, 0)] + arc(3, 2.75, 2.7, 2.75, 270, 450) + [(0, 5.5)],
            [(3, 5.5), (5.9, 10)],
        ],
    ),
    "S": (6, [arc(3, 2.55, 2.7, 2.55, 335, 90) + arc(3, 7.5, 3, 2.5, 270, 515)]),
    "T": (6, [[(0, 0), (6, 0)], [(3, 0), (3, 10)]]),
    "U": (6, [[(0, 0), (0, 6.8)] + arc(3, 6.8, 3, 3.2, 180, 0) + [(6, 0)]]),
    "V": (6.4, [[(0, 0), (3.2, 10), (6.4, 0)]]),
    "W": (8.8, [[(0, 0), (2.2, 10), (4.4, 2), (6.6, 10), (8.8, 0)]]),
    "X": (6, [[(0, 0), (6, 10)], [(6, 0), (0, 10)]]),
    "Y": (6.2, [[(0, 0), (3.1, 5.4), (6.2, 0)], [(3.1, 5.4), (3.1, 10)]]),
    "Z": (5.8, [[(0, 0), (5.8, 0), (0, 10), (5.8, 10)]]),
    "!": (0.6, [[(0.3, 0), (0.3, 6.6)], [(0.3, 9.95), (0.3, 10)]]),
    "'": (0.4, [[(0.2, 0), (0.2, 2.4)]]),
    "(": (2, [arc(4, 5, 4, 6.4, 240, 120)]),
    ")": (2, [arc(-2, 5, 4, 6.4, -60, 60)]),
    "+": (5, [[(0, 5.4), (5, 5.4)], [(2.5, 2.9), (2.5, 7.9)]]),
    "-": (4, [[(0, 5.4), (4, 5.4)]]),
    "/": (4.4, [[(4.4, -0.4), (0, 10.4)]]),
    ":": (0.6, [[(0.3, 3.2), (0.3, 3.3)], [(0.3, 9.3), (0.3, 9.4)]]),
    "%": (
        7.6,
        [
            arc(1.6, 2.3, 1.6, 2.3, 0, 360),
            arc(6, 7.7, 1.6, 2.3, 0, 360),
            [(6.6, 0), (1, 10)],
        ],
    ),
    "#": (
        6.6,
        [
            [(2.2, 0.6), (1.4, 9.4)],
            [(5.2, 0.6), (4.4, 9.4)],
            [(0.2, 3.4), (6.6, 3.4)],
            [(0, 6.8), (6.4, 6.8)],
        ],
    ),
    "&": (
        6.8,
        [
            [(6.8, 10), (1.4, 3.6)]
            + arc(3, 2.2, 2, 2.2, 140, 400)
            + [(1.3, 5.3)]
            + arc(2.7, 7.4, 2.7, 2.6, 235, 90)
            + [(4.6, 9.4), (6.7, 5.6)]
        ],
    ),
    "?": (5.4, [arc(2.7, 2.7, 2.7, 2.7, 190, 400) + [(2.7, 6.8)], [(2.7, 9.95), (2.7, 10)]]),
    "=": (5, [[(0, 3.9), (5, 3.9)], [(0, 7), (5, 7)]]),
    "_": (5.4, [[(0, 10.4), (5.4, 10.4)]]),
}


def peg(x, y, size):
    """How deep inside a peg a point lies, in pixels."""
    return size / 2 - 0.1 - math.hypot(x - size / 2, y - size / 2)


def drop(x, y, length, high):
    """The same for the pointer: a drop with its tip at x = 0 and its round end at x = length."""
    radius = high / 2 - 0.4
    centre = length - high / 2
    across = abs(y - high / 2)
    round_end = radius - math.hypot(x - centre, across)
    # the flanks touch the circle
    sine = radius / centre
    flank = x * sine - across * math.sqrt(1 - sine * sine)
    touch = centre - radius * sine
    return round_end if x > touch else min(flank, x)


# name: inside(x, y), pixels long and high; sampled twice a pixel like the wheel's letters
PARTS = {
    "PEG": (lambda x, y: peg(x, y, 5), 5, 5),
    "POINTER": (lambda x, y: drop(x, y, 25, 17), 25, 17),
    "GEM": (lambda x, y: drop(x, y, 18, 11), 18, 11),
}
LARGE_PARTS = {
    "PEG": (lambda x, y: peg(x, y, 7), 7, 7),
    "POINTER": (lambda x, y: drop(x, y, 36, 25), 36, 25),
    "GEM": (lambda x, y: drop(x, y, 26, 16), 26, 16),
}


SHADE, DARK, PALE, PLATE = b"\x01", b"\x02", b"\x18", b"\x1a"  # see wheel_view.py's palette


def ramp(first, last, count):
    """Codes from one to another in so many quarter pixels."""
    return bytes([first + (last - first) * i // (count - 1) for i in range(count)])


def rim(soft, edge, rise, top, fall):
    slopes = ramp(6, 24, rise) + PALE * top + ramp(24, 4, fall)
    return SHADE * soft + DARK * edge + slopes + b"\x04" + DARK * 3


def plate(flat, rise, fall, soft):
    slopes = ramp(6, 24, rise) + PALE + ramp(24, 4, fall)
    return PLATE * flat + b"\x06\x04" + slopes + DARK * 2 + SHADE * soft


# name: where it begins, codes by quarter pixels outwards
ROUNDS = {
    "RIM": (shapes.small().inner - 2, rim(10, 5, 10, 4, 11)),
    "HUB": (0, plate(76, 10, 11, 10)),
}
LARGE_ROUNDS = {
    "RIM": (shapes.large().inner - 2, rim(13, 7, 13, 6, 14)),
    "HUB": (0, plate(110, 14, 16, 14)),
}


def quarter(inner, profile):
    """(outer distance; first x, end x and place of the codes of each row; codes)."""
    outer = inner + (len(profile) - 1) // 4
    rows, codes = bytearray(), bytearray()
    for y in range(outer + 1):
        first = math.isqrt(inner * inner - y * y - 1) + 1 if y < inner else 0
        end = math.isqrt(outer * outer - y * y) + 1
        for value in (first, end, len(codes)):
            rows += value.to_bytes(2, "little")
        for x in range(first, end):
            away = math.isqrt(16 * (x * x + y * y)) - 4 * inner
            codes.append(profile[min(away, len(profile) - 1)])
    return outer, bytes(rows), bytes(codes)


def part(inside, long, high):
    """(columns, rows, levels)."""
    grid = [
        [
            round(3 * min(1, max(0, inside((c + 0.5) / 2, (r + 0.5) / 2) + 0.5)))
            for c in range(long * 2)
        ]
        for r in range(high * 2)
    ]
    return long * 2, high * 2, packed(grid)


def distance(px, py, a, b):
    """From a point to the line between a and b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = dx * dx + dy * dy
    t = 0 if length == 0 else ((px - a[0]) * dx + (py - a[1]) * dy) / length
    t = min(1, max(0, t))
    return math.hypot(px - a[0] - t * dx, py - a[1] - t * dy)


def level(strokes, x, y, pen):
    """How much of the pixel around (x, y) the pen covers: 0..3."""
    near = min(distance(x, y, a, b) for s in strokes for a, b in zip(s, s[1:], strict=False))
    return round(3 * min(1, max(0, pen / 2 + 0.5 - near)))


def raster(char, cap, pen, samples, above, below):
    """Width in samples and rows of levels."""
    units, strokes = GLYPHS[char]
    scale = (cap - pen) / 10
    moved = [[(x * scale + pen / 2, y * scale + pen / 2) for x, y in s] for s in strokes]
    width = math.ceil((units * scale + pen) * samples)
    rows = range(-above, cap * samples + below)
    grid = [
        [level(moved, (c + 0.5) / samples, (r + 0.5) / samples, pen) for c in range(width)]
        for r in rows
    ]
    return width, grid


def packed(grid):
    """Four levels a byte, leftmost in the low bits."""
    out = bytearray()
    for row in grid:
        for start in range(0, len(row), 4):
            out.append(sum(v << (2 * i) for i, v in enumerate(row[start : start + 4])))
    return bytes(out)


def font(chars, cap, pen, gap, samples, above, below):
    """(characters, rows, gap, widths, offsets as two bytes each, levels)."""
    widths, offsets, data = bytearray(), bytearray(), bytearray()
    for char in chars:
        width, grid = raster(char, cap, pen, samples, above, below)
        widths.append(width)
        offsets += len(data).to_bytes(2, "little")
        data += packed(grid)
    rows = above + cap * samples + below
    return chars, rows, round(gap * samples), bytes(widths), bytes(offsets), bytes(data)


def literal(data, indent="    "):
    if not isinstance(data, bytes):
        return f"{indent}{data!r},\n".replace("'", '"') if '"' not in str(data) else ""
    if not data:
        return f'{indent}b"",\n'
    lines = []
    for start in range(0, len(data), 22):
        text = "".join(f"\\x{b:02x}" for b in data[start : start + 22])
        lines.append(f'{indent}b"{text}"')
    return "\n".join(lines) + ",\n"


def fonts(names, known=FONTS):
    out = "# characters, rows, gap, widths, offsets (low byte first), levels\n"
    for name in names:
        chars, *rest = font(*known[name])
        body = f'    "{chars}",\n' + "".join(literal(piece) for piece in rest)
        out += f"{name} = (\n{body})\n"
    return out


def parts(known):
    out = "# columns, rows, levels\n"
    for name, spec in known.items():
        out += f"{name} = (\n" + "".join(literal(piece) for piece in part(*spec)) + ")\n"
    return out


def rounds(known):
    out = "# outer distance, rows (first x, end x, place of the codes; low byte first), codes\n"
    for name, spec in known.items():
        out += f"{name} = (\n" + "".join(literal(piece) for piece in quarter(*spec)) + ")\n"
    return out


def modules():
    """File names and what belongs in them."""
    made = "Written by glyphs.py: do not edit."
    text = f'"""Fonts of the screens, two bits a pixel. {made}"""\n\n'
    wheel = f'"""The wheel\'s letters and parts, two samples a pixel. {made}"""\n\n'
    return {
        "font.py": text + fonts(("SMALL", "MEDIUM", "LARGE")),
        "lettering.py": wheel + fonts(("WHEEL",)) + parts(PARTS) + rounds(ROUNDS),
        "font_large.py": text + fonts(("MEDIUM", "LARGE"), LARGE_FONTS),
        "lettering_large.py": wheel
        + fonts(("WHEEL",), LARGE_FONTS)
        + parts(LARGE_PARTS)
        + rounds(LARGE_ROUNDS),
    }


if __name__ == "__main__":
    files = {FIELD / name: text for name, text in modules().items()}
    sys.exit(keep(files, "--check" in sys.argv))
