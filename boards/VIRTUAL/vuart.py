"""UART of the virtual board: bytes arrive and leave at the line's speed, buffers are bounded."""

from vbench import bench, clock

FIFO = 32
POLLIN, POLLOUT = 1, 4


class UART:
    """rxbuf bytes wait at most; what comes after that is lost and counted in `overruns`."""

    IRQ_RXIDLE = 0x40
    _open = {}

    def __init__(self, id, baudrate=115200, *args, **options):
        self.id = id
        self._size = 256
        self._room = 256
        self._timeout = 0
        self.overruns = 0
        self._wire = bytearray()  # under way to us
        self._next = 0  # when its first byte has arrived
        self._sent = 0  # when everything written has left
        self._handler = None
        self.init(baudrate, *args, **options)
        UART._open[id] = self
        bench.handlers["u"] = _arrive
        bench.services.append(self._serve)

    def init(self, baudrate=115200, bits=8, parity=None, stop=1, **options):
        self.baudrate = baudrate
        self._byte_us = (2 + bits + stop - 1) * 1000000 // baudrate or 1
        self._size = max(options.get("rxbuf", self._size), FIFO)
        self._room = max(options.get("txbuf", self._room), FIFO)
        self._timeout = options.get("timeout", self._timeout)
        self._ring = bytearray(self._size)
        self._head = self._count = 0

    def deinit(self):
        UART._open.pop(self.id, None)
        if self._serve in bench.services:
            bench.services.remove(self._serve)

    def arrive(self, data):
        """Bytes start to come in on the line, behind those still under way."""
        if not self._wire:
            self._next = clock.peek() + self._byte_us
        self._wire.extend(data)

    def _serve(self, now):
        """Take from the line what has arrived by now; a full buffer loses it."""
        if not self._wire:
            return None
        n = 0
        if now >= self._next:
            n = min(len(self._wire), (now - self._next) // self._byte_us + 1)
            for i in range(n):
                if self._count == self._size:
                    self.overruns += n - i
                    bench.send("o", self.id, self.overruns.to_bytes(4, "little"))
                    break
                self._ring[(self._head + self._count) % self._size] = self._wire[i]
                self._count += 1
            self._wire = self._wire[n:]
            self._next += n * self._byte_us
        if not self._wire and self._handler:
            self._handler(self)
        return max(self._next, now + 1000) if self._wire else None

    def any(self):
        bench.glance()
        self._serve(clock.peek())
        return self._count

    def readinto(self, buf, n=None):
        n = min(len(buf) if n is None else n, len(buf), self.any())
        if not n:
            return None
        for i in range(n):
            buf[i] = self._ring[(self._head + i) % self._size]
        self._head = (self._head + n) % self._size
        self._count -= n
        return n

    def read(self, n=None):
        buf = bytearray(self.any() if n is None else min(n, self.any()))
        return bytes(buf) if self.readinto(buf) else None

    def readline(self):
        for i in range(self.any()):
            if self._ring[(self._head + i) % self._size] == 10:
                return self.read(i + 1)
        return self.read()

    def write(self, buf):
        """Take what fits the transmit buffer; wait for room no longer than the timeout."""
        now = clock.peek()
        behind = max(0, self._sent - now) // self._byte_us
        room = self._room + FIFO - behind
        if room < len(buf) and self._timeout:
            bench.wait(min(self._timeout * 1000, (len(buf) - room) * self._byte_us))
            now = clock.peek()
            room = self._room + FIFO - max(0, self._sent - now) // self._byte_us
        n = min(len(buf), room)
        if n <= 0:
            return None
        self._sent = max(self._sent, now) + n * self._byte_us
        bench.send("u", self.id, memoryview(buf)[:n])
        return n

    def txdone(self):
        return self._sent <= clock.us()

    def flush(self):
        bench.wait(max(0, self._sent - clock.peek()))

    def irq(self, handler=None, trigger=0x40, hard=False):
        self._handler = handler
        return self

    def vpoll(self, events):
        """For port/select.py: which of the events hold."""
        found = POLLIN if events & POLLIN and self.any() else 0
        if events & POLLOUT and self._sent - clock.peek() < self._room * self._byte_us:
            found |= POLLOUT
        return found


def _arrive(channel, data):
    uart = UART._open.get(channel)
    if uart:
        uart.arrive(data)
