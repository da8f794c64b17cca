"""MQTT 3.1.1 over a socket that never waits: one small step a call.

micropython-lib's umqtt waits in connect, publish, ping and subscribe; a table may not. Only what
a table needs is here: publish with QoS 1, one subscription, keepalive, last will. What the broker
sends beyond that is counted past; nothing it sends can be longer than the buffer it goes to.
"""

import struct

from felt.ticks import diff

# states of a socket, as every kind of it answers
CLOSED, OPENING, OPEN = 0, 1, 2
# states of the client
DOWN, TCP, GREETED, ASKED, UP = 0, 1, 2, 3, 4

KEEP_S = 30
PATIENCE_MS = 10_000  # for each answer of the broker
SILENCE_MS = 45_000
PING_MS = 15_000
UNACKED = 4  # publishes the broker has not acknowledged, at most
IN_MAX = 128
OUT_MAX = 256
_CONNECT, _CONNACK, _PUBLISH, _PUBACK = 0x10, 0x20, 0x30, 0x40
_SUBSCRIBE, _SUBACK, _PINGREQ = 0x82, 0x90, 0xC0
_CLEAN, _WILL, _PASSWORD, _USER = 0x02, 0x04 | 0x08 | 0x20, 0x40, 0x80  # will: QoS 1, retained


def _text(text):
    raw = text.encode()
    return struct.pack(">H", len(raw)) + raw


def length(n):
    """The variable length of a packet's rest."""
    out = bytearray()
    while n > 127:
        out.append(n & 127 | 128)
        n >>= 7
    out.append(n)
    return bytes(out)


def packet(first, *parts):
    """A whole small packet."""
    body = b"".join(parts)
    return bytes([first]) + length(len(body)) + body


class Client:
    """`poll(now)` gives a message's payload or None; `state` is UP while records may go out."""

    def __init__(self, sock, broker, name, login=None, will=None, listen=""):
        self._sock = sock
        self._broker = broker  # address, port
        self._greeting = _connect(name, login, will)
        self._listen = listen
        self._in = bytearray(IN_MAX)
        self._out = bytearray(OUT_MAX)
        self._one = bytearray(1)
        self.why = ""  # why the last connection ended
        self.refused = 0  # why the broker would not have us, its return code
        self._forget()

    def _forget(self):
        self.state = DOWN
        self._held = self._gone = 0  # bytes in the out buffer, of them sent
        self._id = 0
        self.unacked = 0
        self._first = self._left = self._got = self._shift = 0
        self._stage = 0  # 0 first byte, 1 length, 2 rest

    # --- connection

    def open(self, now):
        """Begin to connect."""
        self._forget()
        self.why = ""
        self._since = self._heard = self._spoke = now
        self._sock.connect(self._broker[0], self._broker[1])
        self.state = TCP

    def drop(self, why):
        """End the connection; what was under way is forgotten."""
        self.why = why
        self._forget()
        self._sock.close()

    def poll(self, now):
        """One step: something out, something in. Returns a payload, or None."""
        if self.state == DOWN:
            return None
        there = self._sock.state()
        if there == CLOSED:
            return self.drop("refused" if self.state == TCP else "lost")
        if self.state == TCP and there == OPEN:
            self.put(self._greeting)
            return self._next_state(GREETED, now)
        if self.state != UP and diff(now, self._since) > PATIENCE_MS:
            return self.drop("no answer")
        if self.state > TCP:
            return None if self._flush(now) else self._receive(now)
        return None

    def _next_state(self, state, now):
        self.state = state
        self._since = now

    def _alive(self, now):
        if diff(now, self._heard) > SILENCE_MS:
            self.drop("silent")
        elif diff(now, self._spoke) > PING_MS and self.free():
            self.put(packet(_PINGREQ))

    # --- out

    def free(self):
        """True while a piece may be given to `put`."""
        return self.state == UP and not self._held

    def may_publish(self):
        return self.free() and self.unacked < UNACKED

    def publish(self, topic, size, retain=False):
        """Begin a message of `size` bytes; they follow in pieces through `put`."""
        self._id = self._id % 0xFFFF + 1
        self.unacked += 1
        name = _text(topic)
        first = _PUBLISH | 2 | int(retain)
        rest = length(len(name) + 2 + size)
        self.put(bytes([first]) + rest + name + struct.pack(">H", self._id))

    def put(self, data):
        """The next piece of what is under way, at most OUT_MAX bytes."""
        n = self._held
        if n + len(data) > OUT_MAX:
            raise ValueError("packet of %d bytes" % len(data))
        self._out[n : n + len(data)] = data
        self._held = n + len(data)

    def _flush(self, now):
        """Send what is held; True when something went out."""
        if not self._held:
            return False
        sent = self._sock.send(memoryview(self._out)[self._gone : self._held])
        if sent:
            self._gone += sent
            self._spoke = now
        if self._gone == self._held:
            self._gone = self._held = 0
        return sent > 0

    # --- in

    def _receive(self, now):
        """Take what has come, at most one packet; a packet too long for us is counted past."""
        for _ in range(8):
            if self._stage < 2:
                n = self._sock.recv(self._one)
                if n > 0:
                    self._begin(self._one[0])
            else:
                n = self._more()
            if n <= 0:
                break
            self._heard = now
            if self._stage == 2 and not self._left:
                self._stage = 0
                return self._packet(now)
        if not n:
            self._alive(now)
        return None

    def _more(self):
        """Bytes of the packet that is coming; like the socket's `recv`."""
        want = min(self._left, IN_MAX)
        at = self._got if self._got + want <= IN_MAX else 0
        n = self._sock.recv(memoryview(self._in)[at : at + want])
        if n > 0:
            self._got += n
            self._left -= n
        return n

    def _begin(self, byte):
        if self._stage == 0:
            self._first, self._left, self._shift, self._got = byte, 0, 0, 0
            self._stage = 1
            return
        self._left |= (byte & 127) << self._shift
        self._shift += 7
        if not byte & 128:
            self._stage = 2
        elif self._shift > 21:
            raise ValueError("length")

    def _packet(self, now):
        kind, size, body = self._first & 0xF0, self._got, self._in
        if kind == _CONNACK and self.state == GREETED:
            if size != 2 or body[1]:
                self.refused = body[1]
                return self.drop("login %d" % body[1])
            self.put(packet(_SUBSCRIBE, b"\0\1", _text(self._listen), b"\0"))
            self._next_state(ASKED, now)
        elif kind == _SUBACK & 0xF0 and self.state == ASKED:
            if size != 3 or body[2] > 2:
                return self.drop("subscription")
            self._next_state(UP, now)
        elif kind == _PUBACK:
            self.unacked = max(0, self.unacked - 1)
        elif kind == _PUBLISH and self.state == UP and size <= IN_MAX:
            return self._message(size)
        return None

    def _message(self, size):
        """The payload of a message; QoS 0, as it was subscribed to."""
        if self._first & 6 or size < 2:
            return None
        start = 2 + (self._in[0] << 8 | self._in[1])
        return bytes(self._in[start:size]) if start <= size else None


def _connect(name, login, will):
    flags, tail = _CLEAN, b""
    if will:
        flags |= _WILL
        tail += _text(will[0]) + _text(will[1])
    if login:
        flags |= _USER | _PASSWORD
        tail += _text(login[0]) + _text(login[1])
    head = _text("MQTT") + bytes([4, flags]) + struct.pack(">H", KEEP_S)
    return packet(_CONNECT, head, _text(name), tail)
