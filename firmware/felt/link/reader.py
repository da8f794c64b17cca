"""The chip reader: what lies on every spot, in cents, from a line that only talks.

The reader repeats the whole picture every 100 ms with a counter and a CRC (docs/links.md), so
nothing needs an answer and a lost picture costs a tenth of a second. An amount is believed when
two pictures in a row agree: a hand that moves chips is not read half way. Another make of reader
is fitted behind ReaderAdapter. No commercial reader has been tested; none is claimed.
"""

from array import array

from felt.link import frame
from felt.ticks import diff

SEATS = 7
SPOTS = 8  # places a seat has room for
PICTURE = 80  # "P": first byte of a picture
HEAD = 3  # PICTURE, counter, spots a seat
AMOUNT = 4  # bytes, most significant first
UNREAD = 0xFFFFFFFF  # chips lie there that the reader cannot tell
MOST = 1 << 30  # cents; a larger amount is no picture of a table
SILENT_MS = 1000  # ten pictures missed: the reader is not believed any more

_CHUNK = 64
_CHUNKS = 8  # bytes taken per poll are bounded


class ReaderAdapter:
    """What the table asks of a chip reader."""

    connected = False

    def poll(self, now):
        """Do what is due; return True when an amount or the connection changed."""
        return False

    def cents(self, seat, spot):
        """Return what lies on a spot, 0 for nothing; None when nobody can tell."""
        return None

    def told(self, seat, spot):
        """True where chips lay when the reader was last heard, told or not, also while it is
        silent."""
        return False


class FeltReader(ReaderAdapter):
    """A reader that speaks docs/links.md. uart: any() and readinto(buf)."""

    def __init__(self, uart):
        self._uart = uart
        self._in = frame.Decoder()
        self._buf = bytearray(_CHUNK)
        self._view = memoryview(self._buf)
        self._last = bytearray(HEAD + SEATS * SPOTS * AMOUNT)  # body of the picture before
        self._size = self._counter = self._heard = None
        self._cents = array("i", [0] * (SEATS * SPOTS))  # -1: unread
        self._known = False  # two pictures have agreed since the reader was found
        self.pictures = 0
        self.missed = 0  # pictures the counter says were sent and did not arrive

    @property
    def bad(self):
        """Frames thrown away for a wrong CRC or shape."""
        return self._in.bad

    def cents(self, seat, spot):
        found = self._cents[(seat - 1) * SPOTS + spot]
        return found if self._known and found >= 0 else None

    def told(self, seat, spot):
        return self._cents[(seat - 1) * SPOTS + spot] != 0

    def poll(self, now):
        changed = False
        for _ in range(_CHUNKS):
            n = min(self._uart.any(), _CHUNK)
            n = (self._uart.readinto(self._view[:n]) or 0) if n else 0
            if not n:
                break
            changed = self._feed(n, now) or changed
        if self.connected and diff(now, self._heard) >= SILENT_MS:
            self.connected = self._known = False
            self._size = None  # the counter stays known: a reader that hangs is not found again
            return True
        return changed

    def _feed(self, n, now):
        at = 0
        changed = False
        while at < n:
            at = self._in.feed(self._buf, at, n)
            changed = self._picture(self._in.body, self._in.size, now) or changed
        return changed

    def _picture(self, body, size, now):
        """Take one frame (size -1: none); True when what the table may believe has changed."""
        if body[0] != PICTURE or not 0 < body[2] <= SPOTS:
            return False
        if size != HEAD + SEATS * body[2] * AMOUNT or body[1] == self._counter:
            return False  # a counter that stands is a reader that hangs
        if self._counter is not None:
            self.missed += (body[1] - self._counter - 1) & 255
        self._counter = body[1]
        self.pictures += 1
        self._heard = now
        fresh = not self.connected
        self.connected = True
        same = size == self._size and body[2:size] == memoryview(self._last)[2:size]
        self._last[:size] = body[:size]
        self._size = size
        return (self._believe(body) if same else False) or fresh

    def _believe(self, body):
        spots = body[2]
        changed = not self._known
        self._known = True
        for seat in range(SEATS):
            for spot in range(spots):
                cents = _amount(body, HEAD + (seat * spots + spot) * AMOUNT)
                at = seat * SPOTS + spot
                if self._cents[at] != cents:
                    self._cents[at] = cents
                    changed = True
        return changed


def _amount(body, at):
    """Return an amount in cents, or -1 for chips that cannot be told."""
    if body[at] >= MOST >> 24:
        return -1
    return body[at] << 24 | body[at + 1] << 16 | body[at + 2] << 8 | body[at + 3]


def picture(counter, amounts, spots=SPOTS):
    """Return the body of a picture: `amounts` are cents by seat and spot, None for unread."""
    body = bytearray((PICTURE, counter & 255, spots))
    for cents in amounts:
        body.extend((UNREAD if cents is None else cents).to_bytes(AMOUNT, "big"))
    return body
