"""Messages between the virtual board and the bench: kind, channel, length, payload. Before the
first one the board says the word that it was given with the address.

From the board: h hello, u UART bytes, c/d display command/data bytes, p pin level, l lamp bytes,
f FRAM written, w watchdog, i idle, o receive overruns, x power lost, q reset; from the probe on
the application: e effect as words, n picture of the table, y health, t wheel turning.
To the board: u UART bytes, p pin level, s bet sensors, k cut FRAM after n bytes, v clock speed,
g grant of time, r random bit stuck.
"""

from __future__ import annotations

import struct
from typing import Iterator

HEAD = struct.Struct("<BBH")
NEVER = 0xFFFFFFFF


def pack(kind: str, channel: int = 0, data: bytes = b"") -> bytes:
    return HEAD.pack(ord(kind), channel, len(data)) + data


class Unpacker:
    """Cuts a byte stream into messages."""

    def __init__(self) -> None:
        self._kept = b""

    def feed(self, data: bytes) -> Iterator[tuple[str, int, bytes]]:
        data = self._kept + data
        at = 0
        while len(data) - at >= HEAD.size:
            kind, channel, size = HEAD.unpack_from(data, at)
            end = at + HEAD.size + size
            if len(data) < end:
                break
            yield chr(kind), channel, data[at + HEAD.size : end]
            at = end
        self._kept = data[at:]
