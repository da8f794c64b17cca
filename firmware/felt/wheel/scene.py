"""What stands still on a screen: a list of rectangles and texts, painted band by band in order."""

from felt.wheel import font, pixels
from felt.wheel.pixels import rect, write

WIDTH = 240


def money(cents):
    """Dollars as people write them; cents only where there are some."""
    whole = str(cents // 100)
    text = ""
    while len(whole) > 3:
        text = "," + whole[-3:] + text
        whole = whole[:-3]
    text = "$" + whole + text
    if cents % 100:
        text += ".%02d" % (cents % 100)
    return text


def meter(cents):
    """Dollars with their cents always, so that a running meter does not jump."""
    text = money(cents)
    return text if cents % 100 else text + ".00"


class Scene:
    def __init__(self):
        self._things = []  # (first row, end row, font or None, x, text or width, colour)
        self._used = 0  # a bit for every eight rows with something on them
        self.bottom = 0  # row below the lowest thing

    def clear(self):
        self._things.clear()
        self._used = self.bottom = 0

    def _add(self, y, end, *thing):
        self._things.append((y, end) + thing)
        self.bottom = max(self.bottom, end)
        self._used |= (1 << ((end + 7) >> 3)) - (1 << (y >> 3))

    def rect(self, x, y, w, h, colour):
        self._add(y, y + h, None, x, w, colour)

    def panel(self, y, h, face, edge):
        """A bar across the screen between two lines."""
        self.rect(0, y, WIDTH, h, edge)
        self.rect(0, y + 2, WIDTH, h - 4, face)

    def left(self, face, x, y, text, colour):
        self._add(y, y + face[1], face, x, text.upper(), colour)

    def right(self, face, x, y, text, colour):
        self.left(face, x - pixels.width(face, text.upper()), y, text, colour)

    def centre(self, face, y, text, colour, shade=None):
        """A text in the middle, in a smaller font when it is too wide."""
        text = text.upper()
        if pixels.width(face, text) > WIDTH - 8:
            face = font.SMALL if face is font.MEDIUM else font.MEDIUM
        x = (WIDTH - pixels.width(face, text)) // 2
        if shade is not None:
            self.left(face, x + 1, y + 2, text, shade)
        self.left(face, x, y, text, colour)

    def wrapped(self, face, y, pitch, text, colour, rows):
        """A text in the middle over at most `rows` lines; returns the row after it."""
        line = ""
        for word in text.upper().split(" "):
            longer = line + " " + word if line else word
            if line and pixels.width(face, longer) > WIDTH - 16 and rows > 1:
                self.centre(face, y, line, colour)
                y += pitch
                rows -= 1
                line = word
            else:
                line = longer
        self.centre(face, y, line, colour)
        return y + pitch

    def paint(self, buf, win):
        top = win[1]
        end = top + win[3]
        if not self._used & (1 << ((end + 7) >> 3)) - (1 << (top >> 3)):
            return
        for y, bottom, face, x, what, colour in self._things:
            if y < end and bottom > top:
                if face is None:
                    rect(buf, win, x, y, what, bottom - y, colour)
                else:
                    write(buf, win, face, x, y, what, colour)
