"""The first bytes of the critical memory: whose it is, its layout and geometry.

Two slots, so that the owner can be changed without a moment in which none is valid. Clearing makes
both invalid first, so a cut says so."""

import struct

from felt.store.area import (
    E_BLANK,
    E_CLEARING,
    E_FOREIGN,
    E_HEADER,
    E_VERSION,
    Area,
    VaultError,
    crc_fits,
    put_crc,
)

SIZE = 64
SLOT = 32
LAYOUT = 2
OWNER = 8
_MARK = 0x69
_MAGIC = b"FELT"
# mark, magic, layout, memory in units of 64 bytes, largest state, slots of log, hits and guard,
# generation (clearings and changes of owner), owner
_FORMAT = "<B4sBHHHHHI8s"
_BODY = 28


class Header:
    def __init__(self, nv, shape, owner):
        self._area = Area(nv, 0, SIZE)
        self._shape = shape
        self._reader = owner is None  # who only reads does not care whose it is
        owner = (owner or b"")[:OWNER]
        self._owner = owner + bytes(OWNER - len(owner))

    def check(self):
        """Return how often this memory was set up; VaultError if it is not ours to use."""
        generation, owner, _ = self._newest()
        if owner != self._owner and not self._reader:
            raise VaultError(E_FOREIGN)
        return generation

    def _newest(self):
        """(generation, owner, slot) of the valid slot; VaultError when there is none."""
        best = None
        reasons = []
        for slot in range(2):
            found = self._load(slot)
            if isinstance(found, int):
                reasons.append(found)
            elif best is None or found[0] > best[0]:
                best = found + (slot,)
        if best:
            return best
        for reason in (E_VERSION, E_HEADER, E_CLEARING):
            if reason in reasons:
                raise VaultError(reason)
        raise VaultError(E_BLANK)

    def _load(self, slot):
        """(generation, owner) of a slot, or the reason why it is not valid."""
        buf = bytearray(_BODY + 4)
        self._area.read(slot * SLOT, buf)
        if buf == bytes(len(buf)) or buf == b"\xff" * len(buf):
            return E_BLANK
        mark, magic, layout = struct.unpack_from("<B4sB", buf, 0)
        if not mark and magic == _MAGIC:
            return E_CLEARING
        if mark == _MARK and magic == _MAGIC and layout != LAYOUT:
            return E_VERSION
        if mark != _MARK or not crc_fits(buf, _BODY):
            return E_HEADER
        fields = struct.unpack(_FORMAT, memoryview(buf)[:_BODY])
        return E_VERSION if fields[3:8] != self._shape else fields[8:]

    def wipe(self):
        """Nothing is valid from here on; return the number of this setting up."""
        try:
            generation = self._newest()[0] + 1
        except VaultError:
            generation = 1
        for slot in range(2):
            self._area.write(slot * SLOT, b"\x00" + _MAGIC)
        return generation

    def write(self, generation, slot=0):
        buf = bytearray(_BODY + 4)
        struct.pack_into(
            _FORMAT, buf, 0, _MARK, _MAGIC, LAYOUT, *self._shape, generation, self._owner
        )
        put_crc(buf, _BODY)
        self._area.commit(slot * SLOT, buf)

    def adopt(self):
        """Make this board the owner; a cut leaves the old owner or the new one."""
        generation, _, slot = self._newest()
        self.write(generation + 1, 1 - slot)
        self._area.write(slot * SLOT, b"\x00")
