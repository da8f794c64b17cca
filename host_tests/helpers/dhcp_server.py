"""A DHCP server on this machine for one client: enough to lend, renew, refuse and stay silent.

Runs on both interpreters, so that the firmware's client meets it on both.
"""

import struct

try:
    import usocket as _socket
except ImportError:
    import socket as _socket

HOME = "127.0.0.1"
MAGIC = b"\x63\x82\x53\x63"
DISCOVER, OFFER, REQUEST, ACK, NAK = 1, 2, 3, 5, 6
SERVER_ID = b"\x0a\0\0\1"


def options(message):
    found, at = {}, 240
    while message[at] != 255:
        size = message[at + 1]
        found[message[at]] = bytes(message[at + 2 : at + 2 + size])
        at += 2 + size
    return found


def reply(asked, kind, address, *extra):
    """An answer to this message; `extra` are whole options."""
    out = bytearray(240)
    out[0:4] = b"\2\1\6\0"
    out[4:8] = asked[4:8]
    out[16:20] = address
    out[28:44] = asked[28:44]
    out[236:240] = MAGIC
    return (
        bytes(out) + b"\x35\1" + bytes([kind]) + b"\x36\4" + SERVER_ID + b"".join(extra) + b"\xff"
    )


class Server:
    """`serve()` answers what has come; `kinds` are the messages it was asked."""

    def __init__(self, address=b"\x0a\0\0\x09", lease=600):
        self.address, self.lease = address, lease
        self.refuses = self.silent = False
        self.kinds = []
        self.asked = self._last = None
        self._sock = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
        for self.port in range(21000, 60000, 7):
            try:
                self._sock.bind(_socket.getaddrinfo(HOME, self.port)[0][-1])
                break
            except OSError:
                pass
        self._sock.setblocking(False)

    def serve(self):
        try:
            asked, self._last = self._sock.recvfrom(1024)
        except OSError:
            return
        self.asked = asked
        kind = options(asked)[53][0]
        self.kinds.append(kind)
        if not self.silent:
            self.say(self._answer(asked, kind))

    def say(self, message):
        """To the client that was heard last."""
        self._sock.sendto(message, self._last)

    def _answer(self, asked, kind):
        if kind == DISCOVER:
            return reply(asked, OFFER, self.address, b"\x33\4", struct.pack(">I", self.lease))
        if self.refuses:
            return reply(asked, NAK, bytes(4))
        given = b"\1\4\xff\xff\xff\0", b"\3\4\x0a\0\0\1"
        return reply(asked, ACK, self.address, b"\x33\4", struct.pack(">I", self.lease), *given)

    def close(self):
        self._sock.close()
