"""State as bytes: a list of integers in a compact, canonical, interpreter-independent form."""


def pack_ints(values):
    """Return zigzag varints: small numbers take one byte, any size fits."""
    out = bytearray()
    for v in values:
        v = v * 2 if v >= 0 else -v * 2 - 1
        while v > 127:
            out.append(v & 127 | 128)
            v >>= 7
        out.append(v)
    return bytes(out)


def unpack_ints(buf):
    """Return the list pack_ints was given; ValueError on a torn tail."""
    values = []
    v = shift = 0
    for b in buf:
        v |= (b & 127) << shift
        shift += 7
        if b < 128:
            values.append(~(v >> 1) if v & 1 else v >> 1)
            v = shift = 0
    if shift:
        raise ValueError("state bytes end inside a number")
    return values


class Reader:
    """Takes a list of numbers apart from its front; IndexError when it is too short."""

    def __init__(self, values):
        self._values = values
        self._at = 0

    def some(self, count):
        """Return the next numbers."""
        found = self._values[self._at : self._at + count]
        if len(found) != count:
            raise IndexError("numbers are missing")
        self._at += count
        return found

    def one(self):
        """Return the next number."""
        return self.some(1)[0]

    def rest(self):
        """Return everything that is left."""
        return self.some(len(self._values) - self._at)

    def group(self):
        """Return a group that begins with its length."""
        return self.some(self.one())
