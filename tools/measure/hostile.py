"""A broker that means harm, for measuring what a table makes of it.

It answers the table's greeting as it should, then floods it with whatever MQTT's first byte can
say; after every third visit a length that no packet has, so that the table hangs up by itself.
"""

from __future__ import annotations

import socket
import threading

REPEATED = 400


class Hostile:
    """A broker that lets the table in and then sends what it likes, as fast as it is taken."""

    def __init__(self) -> None:
        self._door = socket.create_server(("127.0.0.1", 0))
        self.port = self._door.getsockname()[1]
        self.sent = self.visits = 0

    def start(self, which: str) -> None:
        if which == "broker":
            threading.Thread(target=self._serve, daemon=True).start()

    def stop(self) -> None:
        self._door.close()

    def _serve(self) -> None:
        while True:
            try:
                link, _ = self._door.accept()
            except OSError:
                return
            try:
                self._harm(link)
            except OSError:
                pass  # the table hung up: right so
            link.close()

    def _harm(self, link: socket.socket) -> None:
        link.recv(4096)
        link.sendall(b"\x20\x02\0\0")
        link.recv(4096)
        link.sendall(b"\x90\x03\0\1\0")
        self.visits += 1
        for packet in hostile_packets(self.visits % 3 == 0):
            link.sendall(packet)
            self.sent += len(packet)


def _publish(payload: bytes, topic: bytes = b"felt/emulated/in") -> bytes:
    body = len(topic).to_bytes(2, "big") + topic + payload
    rest, size = b"", len(body)
    while True:
        size, low = size >> 7, size & 127
        rest += bytes([low | (128 if size else 0)])
        if not size:
            return b"\x30" + rest + body


def hostile_packets(ends: bool) -> list[bytes]:
    """False confirmations, answers to nothing, packets too long; at last a length that is none."""
    false = _publish(b"\1C" + bytes(range(26)) + bytes(32))
    some = [false, b"\x40\x02\0\1", _publish(bytes(60)), _publish(b""), b"\xd0\0", b"\xf0\0",
            b"\x30\1x", b"\x30\2\xff\xff", false, _publish(bytes(3000)),
            b"\x90\x03\0\1\x80"]  # fmt: skip
    return some * REPEATED + ([b"\x30\xff\xff\xff\xff\xff"] if ends else [])
