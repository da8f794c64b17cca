"""Pixel routines of the display: rectangles, discs and letters, drawn into one band of the screen.

A band is a buffer of RGB565 pixels, high byte first as the panel wants them, and its window
`win`: array("i", (x, y, width, height)) in screen pixels. Everything is clipped to the window.
Colours are 16-bit words whose bytes are already swapped. All viper code here must give the same
pixels with 32-bit, 64-bit and unlimited integers: tables hold no negative words.
"""

import micropython


def rgb(red, green, blue):
    """The panel's word for a colour given as 0..255 each."""
    word = (red >> 3) << 11 | (green >> 2) << 5 | blue >> 3
    return (word & 255) << 8 | word >> 8


@micropython.viper
def mix(one: int, other: int, part: int) -> int:
    """A colour `part`/32 of the way from one to the other."""
    one = ((one >> 8) | (one << 8)) & 0xFFFF
    one = (one | (one << 16)) & 0x07E0F81F
    other = ((other >> 8) | (other << 8)) & 0xFFFF
    other = (other | (other << 16)) & 0x07E0F81F
    one = (one + (((other - one) * part) >> 5)) & 0x07E0F81F
    one |= one >> 16
    return ((one >> 8) & 255) | ((one & 255) << 8)


@micropython.viper
def rect(buf, win, x: int, y: int, w: int, h: int, colour: int):
    """Fill a rectangle."""
    out = ptr16(buf)
    wide = ptr32(buf)
    g = ptr32(win)
    bw = g[2]
    x -= g[0]
    y -= g[1]
    right = x + w
    bottom = y + h
    if x < 0:
        x = 0
    if y < 0:
        y = 0
    if right > bw:
        right = bw
    if bottom > g[3]:
        bottom = g[3]
    both = colour | (colour << 16)
    while y < bottom:
        i = y * bw + x
        end = y * bw + right
        if i & 1 and i < end:
            out[i] = colour
            i += 1
        i >>= 1
        last = end >> 1
        while i < last:
            wide[i] = both
            i += 1
        if end & 1 and x < right:
            out[end - 1] = colour
        y += 1


@micropython.viper
def stick(i: int, colour: int, buf, win, piece, data):
    """Copy a painted piece; `piece` is its window and, fifth, the colour that is left out. i and
    colour are of no account."""
    out = ptr16(buf)
    of = ptr16(data)
    g = ptr32(win)
    p = ptr32(piece)
    key = p[4]
    y = p[1] - g[1]
    end = y + p[3]
    row = 0
    if y < 0:
        row = 0 - y
        y = 0
    if end > g[3]:
        end = g[3]
    left = p[0] - g[0]
    first = 0
    if left < 0:
        first = 0 - left
    last = p[2]
    if left + last > g[2]:
        last = g[2] - left
    while y < end:
        i = row * p[2] + first
        stop = row * p[2] + last
        at = y * g[2] + left - row * p[2]
        while i < stop:
            colour = of[i]
            if colour != key:
                out[at + i] = colour
            i += 1
        row += 1
        y += 1


@micropython.viper
def glyph(buf, win, x: int, y: int, data, start: int, width: int, rows: int, colour: int):
    """Lay one letter of two bits a pixel over what is there."""
    out = ptr16(buf)
    g = ptr32(win)
    d = ptr8(data)
    bw = g[2]
    x -= g[0]
    y -= g[1]
    f = ((colour >> 8) | (colour << 8)) & 0xFFFF
    f = (f | (f << 16)) & 0x07E0F81F
    first = 0
    if x < 0:
        first = 0 - x
    last = width
    if x + width > bw:
        last = bw - x
    row = 0
    if y < 0:
        row = 0 - y
    if y + rows > g[3]:
        rows = g[3] - y
    while row < rows:
        line = start + row * ((width + 3) >> 2)
        at = (y + row) * bw + x
        c = first
        while c < last:
            t = (d[line + (c >> 2)] >> ((c & 3) << 1)) & 3
            if t == 3:
                out[at + c] = colour
            elif t > 0:
                m = int(out[at + c])
                m = ((m >> 8) | (m << 8)) & 0xFFFF
                m = (m | (m << 16)) & 0x07E0F81F
                m = (m + (((f - m) * (t * 11)) >> 5)) & 0x07E0F81F
                m |= m >> 16
                out[at + c] = ((m >> 8) & 255) | ((m & 255) << 8)
            c += 1
        row += 1


def advance(font, char):
    """How far the pen moves after a character."""
    at = font[0].find(char)
    if at < 0:
        return font[3][0] * 5 // 8
    return font[3][at] + font[2]


def width(font, text):
    """A text's width in pixels, without the gap after the last letter."""
    find, gap, widths = font[0].find, font[2], font[3]
    total = 0
    for char in text:  # as `advance`, whose call would take longer than all of this
        at = find(char)
        total += widths[at] + gap if at >= 0 else widths[0] * 5 // 8
    return total - gap if text else 0


def write(buf, win, font, x, y, text, colour):
    """Write a text whose letters' top left corner is (x, y)."""
    if y >= win[1] + win[3] or y + font[1] <= win[1]:
        return
    chars, rows, gap, widths, offsets, data = font
    for char in text:
        at = chars.find(char)
        if at >= 0:
            start = offsets[2 * at] | offsets[2 * at + 1] << 8
            glyph(buf, win, x, y, data, start, widths[at], rows, colour)
            x += widths[at] + gap
        else:
            x += advance(font, char)


@micropython.viper
def confetti(buf, win, elapsed: int, size, colours, kinds: int):
    """Scatter falling paper, the same at the same time; each piece falls, sways and turns.

    `size` has the panel's width and height and how many pieces there are.
    """
    out = ptr16(buf)
    g = ptr32(win)
    palette = ptr16(colours)
    panel = ptr32(size)
    wide = panel[0] + 16
    tall = panel[1] + 16
    count = panel[2]
    n = 0
    while n < count:
        chance = n * 2654 + 977
        chance = (chance ^ (chance >> 5)) * 1103 & 0xFFFFF
        chance ^= chance >> 9
        y = (chance + (elapsed * (50 + (chance >> 3 & 63))) // 1000) % tall - 8 - g[1]
        if -6 < y and y < g[3]:
            sway = (elapsed // 12 + n * 41) % 48
            if sway > 24:
                sway = 48 - sway
            x = (chance >> 8) % wide - 20 + sway - g[0]
            high = (elapsed // 60 + n) % 5 + 1
            colour = palette[n % kinds]
            while high > 0:
                if 0 <= y and y < g[3]:
                    k = 0
                    while k < 4:
                        if 0 <= x + k and x + k < g[2]:
                            out[y * g[2] + x + k] = colour
                        k += 1
                y += 1
                high -= 1
        n += 1
