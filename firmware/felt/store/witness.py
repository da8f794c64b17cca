"""How far the journal had come, kept away from it.

A record whose mark was lost looks like one that was never completed. So the next sequence number
is written down a second time after every append, in two slots by turns: the journal may be one
event ahead of it (a cut came between), never behind."""

import struct

from felt.store.area import crc_fits, put_crc

_SLOT = 8
SIZE = 2 * _SLOT


class Witness:
    def __init__(self, area):
        self._area = area
        self._buf = bytearray(_SLOT)
        self._next = 0

    def read(self):
        """The sequence number the journal must have reached; None when both slots are damaged."""
        best = None
        for slot in range(2):
            self._area.read(slot * _SLOT, self._buf)
            if not crc_fits(self._buf, 4, 1):
                continue
            seq = struct.unpack_from("<I", self._buf, 0)[0]
            if best is None or seq > best:
                best = seq
                self._next = 1 - slot
        return best

    def put(self, seq):
        """One write and no mark: a slot that is not whole leaves the other one to speak."""
        struct.pack_into("<I", self._buf, 0, seq)
        put_crc(self._buf, 4, 1)
        self._area.write(self._next * _SLOT, self._buf)
        self._next = 1 - self._next

    def begin(self, seq):
        """Part of clearing: both slots say the same."""
        self.put(seq)
        self.put(seq)
