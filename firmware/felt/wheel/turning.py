"""What turns: coloured wedges around a centre, and small pictures laid on at any angle.

Wedges: a table of words for the rays, described below.

Pictures: textures of two bits a sample, two samples a pixel, on a sheet STRIDE bytes wide, and for
each a record of WORDS words: where its pivot is, how far from it it reaches, its three colours.
Level 0 is see-through. `aim` turns a group of records, `lay` draws them.

Words in tables are biased to be positive, so that 32-bit, 64-bit and unlimited integers agree.
`wedges` and `lay` are what thumb.py must paint; boards use that, a PC these.
"""

import micropython
from micropython import const

TURN = const(49152)
_SEGMENT = const(4096)
_QUARTER = const(12288)
_ONE = const(1 << 16)  # bias of sines
_FAR = const(1 << 24)  # bias of slopes and ranges
SHIFT = const(1024)  # bias of screen coordinates

# window: x, y, width and rows of a band, then what is the same for every band of a picture
CX = const(4)
CY = const(5)
HALVES = const(6)  # where the table of half widths lies, on a board
LIMIT = const(7)  # rows from the centre beyond which there is no disc
DARK = const(8)  # colours around the disc,
SEAM = const(9)  # of a separator's edge
LINE = const(10)  # and of its middle
RAYS = const(11)  # where the table of rays lies, on a board
SHEET = const(16)  # and the textures; words 12 to 15 and 17 to 31 are the kernels' own
WINDOW = const(32)  # words

# table of rays: seven of the upper half, seven of the lower, from left to right
_SLOPE = const(0)
_THICK = const(1)  # half a separator in 1/256 pixel
_INNER = const(2)  # and half its middle
_COLOUR = const(3)  # of the wedge on its left; the last of a half has only that
_RAY = const(4)  # words
FAN = const(56)  # words of all

# record
PIVOT_X = const(0)
PIVOT_Y = const(1)
_SIN = const(2)
_COS = const(3)
_TAN = const(4)
_HIGH = const(5)
_COT = const(6)
_LEFT = const(7)
_RIGHT = const(8)
REACH = const(9)  # pixels from the pivot to the texture's first column
COLUMNS = const(10)
ROWS = const(11)
ROW = const(12)  # where the texture starts in the sheet
COLUMN = const(13)
_TOP = const(14)
_BOTTOM = const(15)
LEVEL = const(16)  # colours of levels 1, 2, 3
WORDS = const(19)
STRIDE = const(64)


@micropython.viper
def fan(rays, records, angle: int, thick: int, faces):
    """Set twelve rays along the twelve records, which are aimed at `angle` and segment by segment
    on; separators are `thick`/256 pixels each side, `faces` are the wedges' colours."""
    r = ptr32(rays)
    w = ptr32(records)
    f = ptr16(faces)
    start = (12 * _SEGMENT - _QUARTER - angle + _SEGMENT - 1) % TURN // _SEGMENT
    i = 0
    while i < 12:
        at = (start + i) % 12 * WORDS
        s = w[at + _SIN] - _ONE
        # a ray runs along (sin, -cos): x = y * slope; nearly level ones are cut at slope 128
        c = _ONE - w[at + _COS]
        k = i * _RAY
        if i < 6:
            if c > -128:
                c = -128
            wide = (thick << 14) // (0 - c)
        else:
            if c < 128:
                c = 128
            k = (18 - i) * _RAY
            wide = (thick << 14) // c
        r[k + _SLOPE] = ((s << 16) // c) + _FAR
        r[k + _THICK] = wide
        r[k + _INNER] = (wide >> 1) - (wide >> 3)
        i += 1
    i = 0
    while i < 7:
        r[i * _RAY + _COLOUR] = f[(start + i + 11) % 12]
        r[(i + 7) * _RAY + _COLOUR] = f[(start + 11 - i) % 12]
        i += 1


@micropython.viper
def wedges(i: int, end: int, buf, win, halves, rays):  # noqa: C901
    """Fill the band with a disc of wedges and separators, dark around it; i and end are of no
    account."""
    out = ptr16(buf)
    g = ptr32(win)
    half = ptr16(halves)
    r = ptr32(rays)
    bw = g[2]
    y = 0
    while y < g[3]:
        row = y * bw
        i = row
        dy = g[1] + y - g[CY]
        away = dy
        if away < 0:
            away = 0 - dy
        if away <= g[LIMIT]:
            centre = row + g[CX] - g[0]
            stop = centre + half[away] + 1
            if stop > row + bw:
                stop = row + bw
            end = centre - half[away]
            if end > row + bw:
                end = row + bw
            while i < end:
                out[i] = g[DARK]
                i += 1
            k = 0
            if dy >= 0:
                k = 7 * _RAY
            last = k + 6 * _RAY
            while i < stop and k < last:
                at = (centre << 8) + 128 + ((dy * (r[k + _SLOPE] - _FAR)) >> 8)
                n = 0
                while n < 4:
                    colour = g[SEAM]
                    if n == 0:
                        colour = r[k + _COLOUR]
                        end = (at - r[k + _THICK]) >> 8
                    elif n == 1:
                        end = (at - r[k + _INNER]) >> 8
                    elif n == 2:
                        colour = g[LINE]
                        end = (at + r[k + _INNER]) >> 8
                    else:
                        end = (at + r[k + _THICK]) >> 8
                    if end > stop:
                        end = stop
                    while i < end:
                        out[i] = colour
                        i += 1
                    n += 1
                k += _RAY
            while i < stop:
                out[i] = r[k + _COLOUR]
                i += 1
        while i < row + bw:
            out[i] = g[DARK]
            i += 1
        y += 1


@micropython.viper
def aim(records, count: int, angle: int, step: int):
    """Turn the first records to angle, angle + step, ... about their pivots."""
    w = ptr32(records)
    n = 0
    while n < count:
        at = n * WORDS
        a = (angle + n * step) % TURN
        s = 0
        c = 0
        k = 0
        while k < 2:
            z = (a + k * _QUARTER) % TURN
            sign = 1
            if z >= 2 * _QUARTER:
                z -= 2 * _QUARTER
                sign = -1
            if z > _QUARTER:
                z = 2 * _QUARTER - z
            z = z * 4 // 3
            z2 = (z * z) >> 14
            s = c
            c = sign * ((z * (51472 - ((z2 * (21024 - ((z2 * 2320) >> 14))) >> 14))) >> 15)
            k += 1
        w[at + _SIN] = s + _ONE
        w[at + _COS] = c + _ONE
        far = w[at + REACH]
        near = far - ((w[at + COLUMNS] + 1) >> 1)
        rows = w[at + ROWS]
        # in 1/4096 pixel: where a row of pixels crosses the texture's height ...
        w[at + _HIGH] = 0
        if c > 1024 or c < -1024:
            w[at + _TAN] = ((s << 12) // c) + _FAR
            k = (rows << 24) // c
            if k < 0:
                k = 0 - k
            w[at + _HIGH] = k
        # ... and its length
        w[at + _COT] = 0
        if s > 1024 or s < -1024:
            w[at + _COT] = ((c << 12) // s) + _FAR
            k = ((near << 22) // s) << 4
            z = ((far << 22) // s) << 4
            if s < 0:
                sign = k
                k = z
                z = sign
            w[at + _LEFT] = k + _FAR
            w[at + _RIGHT] = z + _FAR
        # rows of pixels it can touch
        k = 0 - far * c
        z = 0 - near * c
        if k > z:
            sign = k
            k = z
            z = sign
        s = s * ((rows + 3) >> 2)
        if s < 0:
            s = 0 - s
        w[at + _TOP] = w[at + PIVOT_Y] + ((k - s) >> 14) - 1
        w[at + _BOTTOM] = w[at + PIVOT_Y] + ((z + s) >> 14) + 2
        n += 1


@micropython.viper
def lay(p: int, q: int, i: int, buf, win, records, count: int, sheet):  # noqa: C901
    """Draw the first records over what is there; p, q and i are of no account."""
    w = ptr32(records)
    t = 0
    s = 0
    c = 0
    stop = 0
    tex = ptr8(sheet)
    out = ptr16(buf)
    g = ptr32(win)
    bw = g[2]
    top = g[1] + SHIFT
    at = 0
    final = count * WORDS
    while at < final:
        y = w[at + _TOP] - top
        bottom = w[at + _BOTTOM] - top
        if y < 0:
            y = 0
        if bottom > g[3]:
            bottom = g[3]
        if y < bottom:
            s = w[at + _SIN] - _ONE
            c = w[at + _COS] - _ONE
            dy = top + y - w[at + PIVOT_Y]
            origin = w[at + PIVOT_X] - SHIFT - g[0]
            # p runs along the texture, q across it, in 1/8192 sample
            begin = w[at + COLUMN] << 13
            finish = begin + (w[at + COLUMNS] << 13)
            above = w[at + ROW] << 13
            below = above + (w[at + ROWS] << 13)
            p0 = begin + (w[at + REACH] << 14) + dy * c
            q0 = ((above + below) >> 1) - dy * s
            line = y * bw + origin
            high = w[at + _HIGH]
            tan = 0
            v = 0
            if high > 0:
                tan = w[at + _TAN] - _FAR
                v = 0 - dy * tan
            cot = w[at + _COT]
            from_left = 0
            from_right = 0
            if cot > 0:
                cot -= _FAR
                from_left = dy * cot + w[at + _LEFT] - _FAR
                from_right = dy * cot + w[at + _RIGHT] - _FAR
            sloped = w[at + _COT]
        while y < bottom:
            i = 0 - origin
            stop = bw - 1 - origin
            if high > 0:
                t = (v - high) >> 12
                if t > i:
                    i = t
                t = ((v + high) >> 12) + 1
                if t < stop:
                    stop = t
                v -= tan
            if sloped > 0:
                t = from_left >> 12
                if t > i:
                    i = t
                t = (from_right >> 12) + 1
                if t < stop:
                    stop = t
                from_left += cot
                from_right += cot
            # both are linear in x: when both ends lie inside, so does all between
            while i <= stop:
                p = p0 - i * s
                q = q0 - i * c
                if p >= begin and p < finish and q >= above and q < below:
                    break
                i += 1
            while i < stop:
                p = p0 - stop * s
                q = q0 - stop * c
                if p >= begin and p < finish and q >= above and q < below:
                    break
                stop -= 1
            p = p0 - i * s
            q = q0 - i * c
            i += line
            stop += line
            while i <= stop:
                t = (tex[((q >> 13) << 6) + (p >> 15)] >> ((p >> 12) & 6)) & 3
                if t:
                    out[i] = w[at + LEVEL - 1 + t]
                p -= s
                q -= c
                i += 1
            p0 += c
            q0 -= s
            line += bw
            y += 1
        at += WORDS
