"""What stands still on a screen: a list of rectangles and texts, painted band by band in order."""

from felt.wheel import pixels
from felt.wheel.pixels import rect, write


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
    """Texts and rectangles on a panel of one shape."""

    def __init__(self, shape):
        self.shape = shape
        self._things = []  # (first row, end row, font or None, x, text or width, colour)
        self.clear()

    def clear(self):
        self._things.clear()
        self._used = 0  # a bit for every sixteen rows with something on them
        self.between(0, self.shape.width)

    def between(self, left, right):
        """Centre what follows between two columns."""
        self._left = left
        self._wide = right - left

    def _add(self, y, end, face, x, what, colour):
        self._things.append((y, end, face, x, what, colour))
        self._used |= (1 << ((end + 15) >> 4)) - (1 << (y >> 4))

    def rect(self, x, y, w, h, colour):
        self._add(y, y + h, None, x, w, colour)

    def panel(self, y, h, face, edge):
        """A bar between two lines, from edge to edge."""
        self.rect(self._left, y, self._wide, h, edge)
        self.rect(self._left, y + 2, self._wide, h - 4, face)

    def left(self, face, x, y, text, colour):
        self._add(y, y + face[1], face, x, text.upper(), colour)

    def right(self, face, x, y, text, colour):
        self.left(face, x - pixels.width(face, text.upper()), y, text, colour)

    def centre(self, face, y, text, colour, shade=None):
        """A text in the middle, in a smaller font when it is too wide."""
        text = text.upper()
        wide = pixels.width(face, text)
        for smaller in (self.shape.medium, self.shape.small):
            if wide > self._wide - 8 and face[1] > smaller[1]:
                face = smaller
                wide = pixels.width(face, text)
        x = self._left + (self._wide - wide) // 2
        if shade is not None:
            self.left(face, x + 1, y + 2, text, shade)
        self.left(face, x, y, text, colour)

    def wrapped(self, face, y, pitch, text, colour, rows):
        """A text in the middle over at most `rows` lines; returns the row after it."""
        line = ""
        wide = 0
        space = pixels.width(face, " ") + 2 * face[2]
        for word in text.upper().split(" "):
            more = pixels.width(face, word)
            longer = wide + space + more
            if line and longer > self._wide - 16 and rows > 1:
                self.centre(face, y, line, colour)
                y += pitch
                rows -= 1
                line, wide = word, more
            else:
                line, wide = (line + " " + word, longer) if line else (word, more)
        self.centre(face, y, line, colour)
        return y + pitch

    def over(self, plan):
        """Whether something lies in a band of this plan, four words each."""
        shape = self.shape
        for y, end, face, x, what, _ in self._things:
            if end > shape.top and x <= shape.cx + shape.outer:
                right = x + (what if face is None else pixels.width(face, what))
                for at in range(0, len(plan), 4):
                    left, top = plan[at], plan[at + 1]
                    beside = right <= left or x >= left + plan[at + 2]
                    if not beside and y < top + plan[at + 3] and end > top:
                        return True
        return False

    def paint(self, buf, win):
        top = win[1]
        end = top + win[3]
        if not self._used & (1 << ((end + 15) >> 4)) - (1 << (top >> 4)):
            return
        for y, bottom, face, x, what, colour in self._things:
            if y < end and bottom > top:
                if face is None:
                    rect(buf, win, x, y, what, bottom - y, colour)
                else:
                    write(buf, win, face, x, y, what, colour)
