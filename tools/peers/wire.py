"""Two UART ends joined by a wire with the faults of a real one, and a clock that wraps.

Runs on CPython and MicroPython. Bytes take their time at the line's speed; an end that is deaf
(flash erase, interrupts off) keeps only what fits its 32-byte FIFO.
"""

PERIOD = 1 << 30
FIFO = 32


class Random:
    """A small generator that gives the same numbers on every runtime."""

    def __init__(self, seed):
        self.state = seed * 2654435761 % 2147483647 or 1

    def below(self, n):
        self.state = self.state * 48271 % 2147483647
        return self.state % n

    def chance(self, one_in):
        return one_in and self.below(one_in) == 0


class Clock:
    """Milliseconds that can be set and wrap like the board's ticks."""

    def __init__(self, start=PERIOD - 3000):
        self.now = start

    def step(self, ms):
        self.now = (self.now + ms) % PERIOD
        return self.now


class End:
    """One UART: what arrives waits in a bounded receive buffer."""

    def __init__(self, rxbuf=512):
        self.waiting = bytearray()
        self.rxbuf = rxbuf
        self.deaf = 0  # milliseconds left
        self.during = 0  # bytes kept since it went deaf
        self.lost = 0
        self.out = bytearray()

    def any(self):
        return 0 if self.deaf else len(self.waiting)

    def readinto(self, buf):
        n = min(len(buf), len(self.waiting))
        if not n:
            return None
        buf[:n] = self.waiting[:n]
        self.waiting = self.waiting[n:]
        return n

    def write(self, data):
        self.out.extend(data)
        return len(data)

    def arrive(self, data):
        room = FIFO - self.during if self.deaf else self.rxbuf - len(self.waiting)
        kept = data[: max(0, room)]
        self.lost += len(data) - len(kept)
        self.during += len(kept)
        self.waiting.extend(kept)

    def go_deaf(self, ms):
        if not self.deaf:
            self.during = 0
        self.deaf = max(self.deaf, ms)


class Wire:
    """Ends a and b. noise: (one byte in n flipped, dropped, doubled, swapped), 0 is never."""

    def __init__(self, rate=11, random=None, noise=(0, 0, 0, 0)):
        self.a = End()
        self.b = End()
        self.rate = rate  # bytes per millisecond
        self.random = random
        self.noise = noise
        self.cut = False

    def step(self, ms):
        """Carry what fits into ms milliseconds; let deafness pass."""
        for source, sink in ((self.a, self.b), (self.b, self.a)):
            if source.out:
                n = self.rate * ms
                data = source.out[:n]
                source.out = source.out[n:]
                if not self.cut:
                    sink.arrive(self._disturb(data))
        for end in (self.a, self.b):
            end.deaf = max(0, end.deaf - ms)

    def _disturb(self, data):
        flip, drop, double, swap = self.noise
        if not (flip or drop or double or swap):
            return data
        chance = self.random.chance
        out = bytearray()
        for byte in data:
            if chance(drop):
                continue
            out.append(byte ^ (1 << self.random.below(8)) if chance(flip) else byte)
            if chance(double):
                out.append(byte)
            if chance(swap) and len(out) > 1:
                out[-1], out[-2] = out[-2], out[-1]
        return out
