"""The other end of a dealer terminal's line: for touch terminal, virtual table and tests."""

from felt.link import port as _port
from felt.link import terminal

BAUD = 115_200  # of its line, as of the shoe's
PERIOD = 1 << 30  # of a board's milliseconds


class TerminalPeer:
    """Keeps the screen as the controller paints it; sends command lines and keys.

    touched: it shows parts (tiles and buttons) and asks the controller for them.
    """

    def __init__(self, uart, session, touched=False):
        self.port = _port.Port(uart, _port.TERMINAL, _port.CONTROLLER, session)
        self.touched = touched
        self.rows = []
        self.parts = [""] * terminal.PARTS
        self.notices = []  # (text, is an alarm), oldest first
        self.received = 0  # rows painted, to see that only changes travel
        self.sent = self.dropped = 0  # messages given to the line; lost when the other restarts

    @property
    def connected(self):
        return self.port.up

    @property
    def taken(self):
        """Messages the controller has accepted."""
        return self.sent - self.dropped - self.port.pending

    def silence(self, now):
        """Milliseconds since the controller was last heard."""
        return (now - self.port._heard) % PERIOD

    def command(self, text):
        """Send a command line; False when too many wait."""
        return self._give(bytes([terminal.LINE]) + text.encode())

    def key(self, kind, value=0):
        """Send a key with the number of the last message shown; False when too many wait."""
        seen = self.port.mark[1]
        return self._give(bytes([terminal.KEY, ord(kind), value, seen]))

    def _give(self, message):
        given = self.port.send(message)
        self.sent += int(given)
        return given

    def poll(self, now):
        waiting = self.port.pending
        news = self.port.poll(now)
        if news == _port.FRESH:
            self.dropped += max(0, waiting - self.port.pending)
            if self.touched:
                self.parts = [""] * terminal.PARTS
                self._give(bytes([terminal.VIEW, 1]))
        if self.port.message is not None:
            self._show(self.port.message)
            self.port.accept()
        return news

    def _show(self, message):
        if message[0] == terminal.CLEAR:
            self.rows = [""] * message[1]
        elif message[0] in (terminal.TEXT, terminal.PART):
            texts = self.rows if message[0] == terminal.TEXT else self.parts
            at = 1
            while at < len(message):
                end = at + 2 + message[at + 1]
                texts[message[at]] = str(message[at + 2 : end], "utf-8")
                self.received += 1
                at = end
        else:
            self.notices.append((str(message[1:], "utf-8"), message[0] == terminal.ALARM))
