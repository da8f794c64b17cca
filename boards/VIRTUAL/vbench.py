"""The one wire between the virtual board and the bench, and everything that waits on it.

Messages both ways: kind (1 byte), channel (1), length (2, little endian), payload; the kinds are
listed in docs/bench.md. Without a bench the board works alone: what it sends goes to `listener`,
and a test calls `receive` as the bench would.
"""

import os
import struct

import vclock

try:
    import uselect as _select
    import usocket as _socket
except ImportError:
    import select as _select
    import socket as _socket

HEAD = 4
CHUNK = 16384
OUT = 1024  # small messages leave together, from one buffer made once
TAKE = 512
PUMP_US = 1000
NODELAY = (6, 1)  # IPPROTO_TCP, TCP_NODELAY


class PowerCut(BaseException):
    """The power went, in a process that has no bench to end it."""


class Bench:
    """Sends and receives messages, keeps time, serves timers while the firmware waits."""

    def __init__(self, address=None, mode=vclock.LIVE):
        self.clock = vclock.Clock(mode)
        self.handlers = {"v": self._speed, "g": self._grant, "b": self._beat}
        self.services = []  # called with the time; return the next time they want or None
        self.listener = None
        self._sock = _connect(address) if address else None
        self._out = bytearray(OUT)
        self._used = 0
        self._in = b""
        self._granted = None
        self._pumped = 0
        if self._sock:
            self._poll = _select.poll()
            self._poll.register(self._sock, _select.POLLIN)

    def send(self, kind, channel=0, data=b""):
        """Queue one message; longer data becomes several."""
        if self.listener:
            self.listener(kind, channel, bytes(data))
        if not self._sock:
            return
        if len(data) <= OUT - HEAD:
            self._put(kind, channel, data)
            return
        view = memoryview(data)
        for at in range(0, len(view), CHUNK):
            part = view[at : at + CHUNK]
            self._put(kind, channel, b"", len(part))
            self.flush()
            self._write(part)

    def _put(self, kind, channel, data, size=None):
        n = len(data)
        if self._used + HEAD + n > OUT:
            self.flush()
        at = self._used
        struct.pack_into("<BBH", self._out, at, ord(kind), channel, n if size is None else size)
        self._out[at + HEAD : at + HEAD + n] = data
        self._used = at + HEAD + n

    def flush(self):
        if self._used and self._sock:
            self._write(memoryview(self._out)[: self._used])
            self._used = 0

    def _write(self, view):
        at = 0
        while at < len(view):
            at += self._sock.send(view[at:])

    def receive(self, kind, channel, data):
        """Act on one message."""
        handler = self.handlers.get(kind)
        if handler:
            handler(channel, data)

    def pump(self):
        """Take what has come in; never waits. Nothing comes in by itself in STEP."""
        self._pumped = self.clock.peek()
        self.serve()
        if self._sock and self.clock.mode == vclock.LIVE:
            self.flush()
            while self._ready(0):
                self._take()

    def glance(self):
        """For code that polls a device without ever waiting: pump once in a while."""
        if self.clock.us() - self._pumped >= PUMP_US or self.clock.stands():
            if self.clock.mode == vclock.STEP:
                self._idle(0)
            self.pump()

    def serve(self):
        """Run what is due; return when the next thing is, or None."""
        soonest = None
        now = self.clock.peek()
        for service in self.services:
            due = service(now)
            if due is not None and (soonest is None or due < soonest):
                soonest = due
        return soonest

    def wait(self, us, ready=None):
        """Let `us` pass (None: for ever), or less when ready() becomes true."""
        end = None if us is None else self.clock.peek() + us
        self.pump()
        while not (ready and ready()):
            now = self.clock.peek()
            if end is not None and now >= end:
                return
            due = self.serve()
            left = None if end is None else end - now
            if due is not None and (left is None or due - now < left):
                left = max(1, due - now)
            self._pass(left)
            self.serve()

    def _pass(self, us):
        """Let at most us go by, less when the bench has something to say."""
        if self.clock.mode == vclock.STEP:
            if self._sock:
                self._idle(1000000 if us is None else us)
            else:
                self.clock.advance(1000 if us is None else us)
            return
        real = self.clock.real_us(100000 if us is None else us)
        if real is None or self.clock.stands():  # only the bench can end that
            real = 100000
        real = min(real, 100000)
        if not self._sock:
            vclock._sleep_us(real)
            return
        self.flush()
        ms = real // 1000
        if ms == 0:
            vclock._sleep_us(real)
        if self._ready(ms):
            self._take()

    def _idle(self, us):
        """Tell the bench how long nothing will happen here; it answers with inputs and a grant."""
        if not self._sock:
            return
        self.send("i", 0, struct.pack("<I", min(us, 1000000)))
        self.flush()
        self._granted = None
        while self._granted is None:
            self._take()
        self.clock.advance(self._granted)
        self._pumped = self.clock.peek()

    def _ready(self, ms):
        return bool(self._poll.poll(ms))

    def _take(self):
        data = self._sock.recv(TAKE)
        if not data:
            raise SystemExit("the bench is gone")
        data = self._in + data
        at = 0
        while len(data) - at >= HEAD:
            kind, channel, size = struct.unpack_from("<BBH", data, at)
            if len(data) - at < HEAD + size:
                break
            self.receive(chr(kind), channel, data[at + HEAD : at + HEAD + size])
            at += HEAD + size
        self._in = data[at:]

    def lost(self, kind, data=b""):
        """Power gone or reset: the bench ends this process; nothing more happens here."""
        self.send(kind, 0, data)
        if not self._sock:
            raise PowerCut(kind)
        self.flush()
        while True:
            if not self._sock.recv(TAKE):
                raise SystemExit("the bench is gone")

    def _speed(self, channel, data):
        self.clock.set_speed(struct.unpack("<H", data)[0])

    def _beat(self, channel, data):
        self.clock.follow(struct.unpack("<Q", data)[0])

    def _grant(self, channel, data):
        self._granted = struct.unpack("<I", data)[0]


def _connect(address):
    """Open the wire and say the word by which the bench knows its board."""
    place, word = address.split("/")
    host, port = place.split(":")
    sock = _socket.socket()
    sock.connect(_socket.getaddrinfo(host, int(port))[0][-1])
    sock.setsockopt(NODELAY[0], NODELAY[1], 1)
    sock.send(word.encode())
    return sock


def setting(name, default=""):
    """Return an environment variable: how the bench tells a board its start state."""
    return os.getenv(name) or default


_MODES = {"step": vclock.STEP}
bench = Bench(setting("FELT_BENCH"), _MODES.get(setting("FELT_CLOCK"), vclock.LIVE))
clock = bench.clock
