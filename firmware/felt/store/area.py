"""A window of the critical memory, with one discipline for every record in it.

The first byte of a record is its mark: zero while the record is being written, set last. So a cut
leaves a record that is plainly not there, and a mark with a bad checksum can only be damage.
Positions wrap, so that a ring needs no special case."""

import struct
from binascii import crc32

_CHUNK = 72  # the largest record in one piece


class VaultError(Exception):
    """The memory cannot be trusted (or was not opened); `code` is one of the E_ numbers."""

    def __init__(self, code):
        super().__init__(code)
        self.code = code


class VaultFull(Exception):
    """Refused before anything was overwritten that may still be needed."""


E_MISSING = 1  # no memory answers
E_BLANK = 2  # never set up
E_HEADER = 3  # header damaged
E_VERSION = 4  # another layout or size
E_CLEARING = 5  # power was lost while clearing
E_COPIES = 6  # no valid checkpoint
E_JOURNAL = 7  # a record after the checkpoint is damaged
E_CHAIN = 8  # a kept round was edited, dropped or moved
E_WRITE = 9  # written bytes read back differently
E_ORDER = 10  # used before open() and replay(), or with a state that does not fit
E_FOREIGN = 11  # set up by another board
E_OLDER = 12  # the archive on flash knows a later past, or another one
E_ENTRIES = 13  # an entry of a log is damaged

REASONS = (
    "", "missing", "blank", "header", "version", "clearing",
    "copies", "journal", "chain", "write", "order", "foreign", "older", "entries",
)  # fmt: skip


def put_crc(buf, at, crc=0):
    """Put the CRC-32 of buf[:at] behind it."""
    struct.pack_into("<I", buf, at, crc32(memoryview(buf)[:at], crc))


def crc_fits(buf, at, crc=0):
    return struct.unpack_from("<I", buf, at)[0] == crc32(memoryview(buf)[:at], crc)


class RamMemory:
    """Memory that forgets: demonstration mode and tests."""

    def __init__(self, size=32768):
        self.size = size
        self.data = bytearray(size)

    def readinto(self, addr, buf):
        buf[:] = memoryview(self.data)[addr : addr + len(buf)]

    def write(self, addr, buf):
        self.data[addr : addr + len(buf)] = buf


class Area:
    _back = bytearray(_CHUNK)  # one for all: nobody holds it beyond a call

    def __init__(self, nv, base, size):
        self.nv = nv
        self.base = base
        self.size = size

    def read(self, pos, buf):
        pos %= self.size
        first = self.size - pos
        if len(buf) <= first:
            self.nv.readinto(self.base + pos, buf)
            return
        view = memoryview(buf)
        self.nv.readinto(self.base + pos, view[:first])
        self.nv.readinto(self.base, view[first:])

    def write(self, pos, buf):
        pos %= self.size
        first = self.size - pos
        if len(buf) <= first:
            self.nv.write(self.base + pos, buf)
        else:
            view = memoryview(buf)
            self.nv.write(self.base + pos, view[:first])
            self.nv.write(self.base, view[first:])
        self._compare(pos, buf)

    def _compare(self, pos, buf):
        sent = memoryview(buf)
        back = memoryview(self._back)
        for i in range(0, len(buf), _CHUNK):
            part = sent[i : i + _CHUNK]
            view = back[: len(part)]
            self.read(pos + i, view)
            if view != part:
                raise VaultError(E_WRITE)

    def commit(self, pos, buf):
        """Write a record whose first byte is its mark.

        A mark that is 0 is not written again: torn, it would make damage of what a cut left."""
        mark = buf[0]
        buf[0] = 0
        if self.mark(pos):
            self.write(pos, buf)
        else:
            self.write(pos + 1, memoryview(buf)[1:])
        buf[0] = mark
        self.write(pos, memoryview(buf)[:1])

    def mark(self, pos):
        one = memoryview(self._back)[:1]
        self.read(pos, one)
        return self._back[0]

    def crc(self, pos, length, crc=0):
        """Checksum of a stretch, through a small buffer."""
        back = memoryview(self._back)
        for i in range(0, length, _CHUNK):
            view = back[: min(_CHUNK, length - i)]
            self.read(pos + i, view)
            crc = crc32(view, crc)
        return crc
