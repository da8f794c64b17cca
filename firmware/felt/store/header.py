"""The first bytes of the critical memory: whose it is, its layout and geometry.

Only clearing writes here; while it is under way the header is invalid, so a cut says so."""

import struct

from felt.store.area import (
    E_BLANK,
    E_CLEARING,
    E_HEADER,
    E_VERSION,
    Area,
    VaultError,
    crc_fits,
    put_crc,
)

SIZE = 64
LAYOUT = 1
_MARK = 0x69
_MAGIC = b"FELT"
# mark, magic, layout, memory in units of 64 bytes, largest state, log slots, hit slots, clearings
_FORMAT = "<B4sBHHHHI"
_BODY = 18


class Header:
    def __init__(self, nv, shape):
        self._area = Area(nv, 0, SIZE)
        self._shape = shape

    def check(self):
        """Return how often this memory was cleared; VaultError if it is not ours to use."""
        buf = bytearray(_BODY + 4)
        self._area.read(0, buf)
        if buf == bytes(len(buf)) or buf == b"\xff" * len(buf):
            raise VaultError(E_BLANK)
        mark, magic, layout = struct.unpack_from("<B4sB", buf, 0)
        if not mark and magic == _MAGIC:
            raise VaultError(E_CLEARING)
        if mark == _MARK and magic == _MAGIC and layout != LAYOUT:
            raise VaultError(E_VERSION)
        if mark != _MARK or not crc_fits(buf, _BODY):
            raise VaultError(E_HEADER)
        fields = struct.unpack(_FORMAT, memoryview(buf)[:_BODY])
        if fields[3:7] != self._shape:
            raise VaultError(E_VERSION)
        return fields[7]

    def wipe(self):
        """Nothing is valid from here on; return the number of this clearing."""
        try:
            clears = self.check() + 1
        except VaultError:
            clears = 1
        self._area.write(0, b"\x00" + _MAGIC)
        return clears

    def write(self, clears):
        buf = bytearray(_BODY + 4)
        struct.pack_into(_FORMAT, buf, 0, _MARK, _MAGIC, LAYOUT, *self._shape, clears)
        put_crc(buf, _BODY)
        self._area.commit(0, buf)
