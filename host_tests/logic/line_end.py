"""The far end of a serial line as bytes only, built on nothing but frames: to test the links."""

from felt.link import frame, port, terminal

MINE, THEIRS = 0x0102, 0x0304


class Line:
    """A serial line: what is written stands in `frames`, what is said is read."""

    def __init__(self):
        self.waiting = b""
        self.written = b""
        self._decoder = frame.Decoder()

    def any(self):
        return len(self.waiting)

    def readinto(self, view):
        n = min(len(view), len(self.waiting))
        view[:n] = self.waiting[:n]
        self.waiting = self.waiting[n:]
        return n

    def write(self, data):
        self.written += bytes(data)
        return len(data)

    def say(self, body):
        """The other end sends a frame."""
        encoder = frame.Encoder()
        encoder.body[: len(body)] = body
        self.waiting += bytes(encoder.seal(len(body)))

    def frames(self):
        """Return the bodies written since the last call."""
        found, at = [], 0
        while at < len(self.written):
            at = self._decoder.feed(self.written, at, len(self.written))
            if self._decoder.size >= 0:
                found.append(bytes(self._decoder.body[: self._decoder.size]))
        self.written = b""
        return found


def body(kind, number, payload=b"", to=MINE, sender=THEIRS):
    """The other end's body, written as the page has it."""
    head = bytes([kind, sender & 255, sender >> 8, to & 255, to >> 8, number])
    return head + payload


def connected(role=b"S", **options):
    """Return a connected end, its line and what it answered."""
    line = Line()
    end = port.Port(line, port.CONTROLLER, ord(role), MINE, **options)
    line.say(body(1, 0, b"\1" + role))
    assert end.poll(1000) == port.FRESH and end.up
    return end, line, line.frames()


class Glass:
    """A framed terminal made of bytes: says what it is told and accepts everything."""

    def __init__(self):
        self.line = Line()
        self.terminal = terminal.Terminal(self.line, MINE)
        self.number = 0
        self.line.say(body(1, 0, b"\1T"))
        self.now = 1000

    def run(self):
        """Return the payloads that come until there are no more."""
        found = []
        commands = []
        for _ in range(20):
            self.now += 5
            commands += self.terminal.poll(self.now)
            for got in self.line.frames():
                if got[0] == 3:
                    found.append(got[6:])
                    self.line.say(body(4, got[5]))
        return found, commands

    def press(self, payload):
        self.number += 1
        self.line.say(body(3, self.number, payload))
        return self.run()[1]


def pictures(spots, amounts, counter=1):
    return b"P" + bytes([counter, spots]) + b"".join([a.to_bytes(4, "big") for a in amounts])
