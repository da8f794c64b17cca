"""A model of a framed dealer terminal (docs/links.md), for tests, virtual table and bench."""

from felt.link import port as _port
from felt.link import terminal

PERIOD = 1 << 30  # of a board's milliseconds


class TerminalPeer:
    """Keeps the screen as the controller paints it; sends command lines."""

    def __init__(self, uart, session):
        self.port = _port.Port(uart, _port.TERMINAL, _port.CONTROLLER, session)
        self.rows = []
        self.notices = []  # (text, is an alarm), oldest first
        self.received = 0  # rows painted, to see that only changes travel

    @property
    def connected(self):
        return self.port.up

    def silence(self, now):
        """Milliseconds since the controller was last heard."""
        return (now - self.port._heard) % PERIOD

    def command(self, text):
        """Send a command line; False when too many wait."""
        return self.port.send(bytes([terminal.LINE]) + text.encode())

    def poll(self, now):
        news = self.port.poll(now)
        if self.port.message is not None:
            self._show(self.port.message)
            self.port.accept()
        return news

    def _show(self, message):
        if message[0] == terminal.CLEAR:
            self.rows = [""] * message[1]
        elif message[0] == terminal.TEXT:
            at = 1
            while at < len(message):
                end = at + 2 + message[at + 1]
                self.rows[message[at]] = str(message[at + 2 : end], "utf-8")
                self.received += 1
                at = end
        else:
            self.notices.append((str(message[1:], "utf-8"), message[0] == terminal.ALARM))
