"""What leaves a table and the one message it reads, each closed by a MAC with the table's own key.

Record: version, kind, its number, the number before it as far as this table knows, body, MAC.
docs/pit.md has every field. Nothing here knows sockets, clocks or the table.
"""

import struct
from hashlib import sha256

VERSION = 1
SEGMENT, STATE, LOG, BEAT, DOCUMENT, CONFIRM = b"S", b"M", b"L", b"H", b"D", b"C"
HEAD = "<B1sII"
HEAD_SIZE = 10
MAC_SIZE = 32
# start, seconds since, real seconds, newest finished segment and its chain, newest log entry,
# phase, flags, round, board, firmware, configuration, weights; the fault's text follows
BEAT_BODY = "<HIII8sIBBI8s32s8s8s"
READABLE = 1  # flag: critical memory is open, so the numbers mean something
# version, kind, segment and its chain, log entry, the beat this answers (start, number), real time
CONFIRMED = "<B1sI8sIHII"
CONFIRMED_SIZE = 28
_BLOCK = 64


class Mac:
    """HMAC-SHA256 (RFC 2104) over pieces: MicroPython has sha256 and no hmac."""

    def __init__(self, key, name):
        if len(key) > _BLOCK:
            raise ValueError("key of %d bytes" % len(key))
        key = key + bytes(_BLOCK - len(key))
        self._inner = bytes([b ^ 0x36 for b in key])
        self._outer = bytes([b ^ 0x5C for b in key])
        self._name = name.encode() + b"\0"  # one table's record is never another's
        self._hash = None

    def begin(self):
        self._hash = self._new()

    def add(self, piece):
        self._hash.update(piece)

    def end(self):
        """The MAC of what was added since `begin`."""
        return self._close(self._hash)

    def of(self, data):
        """The MAC of this; what `begin` began goes on."""
        inner = self._new()
        inner.update(data)
        return self._close(inner)

    def _new(self):
        inner = sha256(self._inner)
        inner.update(self._name)
        return inner

    def _close(self, inner):
        outer = sha256(self._outer)
        outer.update(inner.digest())
        return outer.digest()


def head(kind, number, before):
    """The first bytes of a record."""
    return struct.pack(HEAD, VERSION, kind, number, before)


def closed(mac, data):
    """Return a whole record or confirmation: data and its MAC."""
    return bytes(data) + mac.of(data)


def opened(mac, message):
    """Return what a message says without its MAC; None when it is not this table's."""
    data, given = message[:-MAC_SIZE], message[-MAC_SIZE:]
    if len(given) != MAC_SIZE:
        return None
    right = int.from_bytes(mac.of(data), "big")
    # all of it, so that time tells nothing
    return None if right ^ int.from_bytes(given, "big") else data


def confirmation(data):
    """Return (segment, its chain's begin, log entry, start, beat, real time) or None."""
    if len(data) != CONFIRMED_SIZE or data[0] != VERSION or bytes(data[1:2]) != CONFIRM:
        return None
    return struct.unpack(CONFIRMED, data)[2:]
