"""Room for the textures that turn: letters and parts of the wheel, four samples a byte."""

import micropython

from felt.wheel import pixels, turning


class Sheet:
    """Shelves of rows, filled from the left."""

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

    def lettered(self, lines, face, pitch):
        """Add one or two lines of text, centred: (columns, rows, first column, first row)."""
        chars, high, gap, widths, offsets, data = face
        columns = max([pixels.width(face, line) for line in lines])
        rows = high + pitch * (len(lines) - 1)
        left, top = self.room(columns, rows)
        for n, line in enumerate(lines):
            x = left + (columns - pixels.width(face, line)) // 2
            for char in line:
                at = chars.find(char)
                if at >= 0:
                    place = offsets[2 * at] | offsets[2 * at + 1] << 8
                    _stamp(self.data, x, top + n * pitch, data, place, widths[at], high)
                x += pixels.advance(face, char)
        return columns, rows, left, top

    def shaped(self, part):
        """Add one of the parts that are not text."""
        columns, rows, data = part
        left, top = self.room(columns, rows)
        _stamp(self.data, left, top, data, 0, columns, rows)
        return columns, rows, left, top


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
            at = (y + row) * 64 + (spot >> 2)
            to[at] = to[at] | (level << ((spot & 3) << 1))
            column += 1
        row += 1
