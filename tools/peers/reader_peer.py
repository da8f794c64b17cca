"""A model of a chip reader that speaks docs/links.md, for tests, virtual table and bench."""

from felt.link import frame, reader
from felt.ticks import diff

EVERY_MS = 100


class ReaderPeer:
    """Tells what lies on each spot, again and again; it never listens."""

    def __init__(self, uart, spots=reader.SPOTS):
        self.uart = uart
        self.spots = spots
        self.cents = {}  # (seat, spot): cents, or None for chips it cannot tell
        self.counter = 0
        self.hung = False  # its processor stands: the same picture for ever
        self._encoder = frame.Encoder()
        self._sent = None

    def frame(self):
        """Return the picture of now as it goes over the line."""
        amounts = []
        for seat in range(1, reader.SEATS + 1):
            for spot in range(self.spots):
                amounts.append(self.cents.get((seat, spot), 0))
        body = reader.picture(self.counter, amounts, self.spots)
        self._encoder.body[: len(body)] = body
        return bytes(self._encoder.seal(len(body)))

    def poll(self, now):
        """Send the picture when it is due."""
        if self._sent is not None and diff(now, self._sent) < EVERY_MS:
            return
        self._sent = now
        if not self.hung:
            self.counter = (self.counter + 1) & 255
        self.uart.write(self.frame())
