"""Two alternating copies of the table's state between rounds.

The copy in use is never written to; the other one becomes valid with its last byte. Each copy
names the seal in the journal that it follows."""

import struct
from binascii import crc32

_MARK = 0x3C
# mark, version, length, serial, position of the seal, its CRC; the state and a CRC follow
_FORMAT = "<BBHIHI"
_HEAD = 14
EXTRA = _HEAD + 4
VERSION = 1


class Copy:
    """One of the two copies, as found: `ok`, or `damaged`, or neither (nothing was completed)."""

    def __init__(self, area):
        self._area = area
        self._head = bytearray(_HEAD)
        self.look()

    def look(self):
        mark = self._area.mark(0)
        self.ok = bool(mark) and self._valid()
        self.damaged = bool(mark) and not self.ok
        self.serial = self._fields[3] if self.ok else 0
        if self.ok:
            self.length, _, self.seal_pos, self.seal_crc = self._fields[2:]

    def _valid(self):
        self._area.read(0, self._head)
        self._fields = struct.unpack(_FORMAT, self._head)
        mark, version, length = self._fields[:3]
        if mark != _MARK or version != VERSION or length + EXTRA > self._area.size:
            return False
        tail = memoryview(self._head)[:4]
        crc = self._area.crc(_HEAD, length, crc32(self._head))
        self._area.read(_HEAD + length, tail)
        return struct.unpack("<I", tail)[0] == crc

    def state(self):
        buf = bytearray(self.length)
        self._area.read(_HEAD, buf)
        return bytes(buf)

    def read(self, at, buf):
        """A piece of the state."""
        self._area.read(_HEAD + at, buf)

    def save(self, state, serial, seal_pos, seal_crc):
        head = self._head
        struct.pack_into(_FORMAT, head, 0, _MARK, VERSION, len(state), serial, seal_pos, seal_crc)
        crc = crc32(state, crc32(head))
        head[0] = 0
        self._area.write(0, head)
        self._area.write(_HEAD, state)
        self._area.write(_HEAD + len(state), struct.pack("<I", crc))
        self._area.write(0, bytes([_MARK]))
        self.look()

    def drop(self):
        self._area.write(0, b"\x00")
        self.look()
