"""The wheel's rim and hub, which stand still: one quarter kept as codes, painted mirrored.

A code says what happens to a pixel: 0 nothing, 1 halve its brightness (a shadow), more: a colour
of the palette. The codes are frozen; they come from a profile, one code for each quarter pixel of
distance from the centre, so that edges are smooth and metal shines without any arithmetic here.
"""

from array import array

import micropython


class Round:
    """What lies between two distances of the centre, as glyphs.py has written it."""

    def __init__(self, outer, rows, codes):
        self.outer = outer
        self._rows = array("H", rows)  # first x, end x, place of the codes; frozen bytes lie oddly
        self._codes = codes
        self.words = None  # for thumb.ring, once `place` was called

    def place(self, address, palette):
        """Say where everything lies in memory, on a board."""
        at = [address(part) for part in (self._rows, self._codes, palette)]
        self.words = array("i", [self.outer] + at)

    def paint(self, buf, win, palette):
        _paint(0, 0, 0, buf, win, self.outer, self._rows, self._codes, palette)


def halves(radius):
    """Half the width of a disc in each row from its centre on."""
    return array("H", [_root(radius * radius - y * y) for y in range(radius + 1)])


def _root(n):
    """The whole part of a square root."""
    x = 1 << 9
    while x * x > n:
        x = (x + n // x) >> 1
    return x


@micropython.viper
def _paint(code: int, left: int, right: int, buf, win, outer: int, table, codes, colours):
    """What thumb.ring must paint; code, left and right are of no account: the first three names
    live in registers."""
    out = ptr16(buf)
    palette = ptr16(colours)
    d = ptr8(codes)
    g = ptr32(win)
    rows = ptr16(table)
    bw = g[2]
    y = 0
    while y < g[3]:
        dy = g[1] + y - g[5]
        if dy < 0:
            dy = 0 - dy
        if dy <= outer:
            right = rows[3 * dy]
            end = rows[3 * dy + 1]
            at = rows[3 * dy + 2]
            left = g[4] - g[0]
            # a window that cuts the round off shows none of it in that row
            if left + 1 >= end and left + end <= bw:
                left += y * bw
                end += left
                right += left
                left += left - right
                at -= right
                while right < end:
                    code = d[at + right]
                    if code > 1:
                        code = palette[code]
                        out[left] = code
                        out[right] = code
                    elif code:
                        # halved; the word's bytes are swapped, so green's middle bit moves far
                        code = out[right]
                        out[right] = ((code >> 1) & 0x6F7B) | ((code & 1) << 15)
                        if left != right:
                            code = out[left]
                            out[left] = ((code >> 1) & 0x6F7B) | ((code & 1) << 15)
                    left -= 1
                    right += 1
        y += 1
