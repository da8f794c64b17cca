"""Finds one sealed segment by its number, a small step a call: memory first, then the archive.

A table's archive may hold weeks. Looking through it at one go would stop the table, so whoever
looks calls `step` once a lap until it answers.
"""

import os
import struct

from felt.store import journal
from felt.store.area import VaultError

_HEAD = 2  # length before a segment in a file


class Held:
    """A segment in critical memory, to be read in pieces.

    The journal goes round and may overwrite it with an open round, of which nothing may leave: so
    how far the journal has come is looked at before every piece."""

    def __init__(self, vault, segment):
        self._vault, self._start = vault, segment.start
        self._come = 0
        self.serial = segment.seal.serial
        self.size = segment.size()

    def read(self, at, view):
        if not self.whole():
            raise ValueError("overwritten")
        self._vault.ring.read(self._start + at, view)

    def whole(self):
        """True while the journal's end has not come round to it; asked more than once a lap."""
        size = self._vault.ring.size
        come = (self._vault.end - self._start) % size
        self._come = come if self._come <= come <= size - journal.TAIL else size  # then for good
        return self._come < size


class Filed:
    """A segment in a file of the archive."""

    def __init__(self, path, offset, length, serial):
        self._path, self._offset = path, offset
        self.size, self.serial = length, serial

    def read(self, at, view):
        with open(self._path, "rb") as f:
            f.seek(self._offset + at)
            if f.readinto(view) != len(view):
                raise OSError("short file")

    def whole(self):
        return True  # files are only ever appended to, or removed: then reading raised


class Shelf:
    """`ask(serial)`, then `step()` until it is no longer None: a segment, or False for none.

    The one asked for may be gone: then it is the next one there is."""

    def __init__(self, table):
        self._table = table
        self._steps = None
        self._place = None  # file, offset and number of the segment found there last
        self._oldest = 0  # in critical memory, when it was last looked through: it only rises

    def ask(self, serial):
        self._steps = self._search(serial)

    def step(self):
        try:
            return next(self._steps)
        except (VaultError, OSError, StopIteration):
            self._steps = self._place = None
            return False

    def _search(self, serial):
        vault, oldest = self._table.vault, None
        if serial < self._oldest and self._table.archive:
            for found in self._archived(serial, self._oldest):
                yield found
        for segment in vault.segments():
            if segment.seal.serial < serial:
                break
            oldest = segment
            if segment.seal.serial == serial:
                break
            yield None
        if oldest and oldest.seal.serial > serial:
            self._oldest = oldest.seal.serial
        if (oldest is None or oldest.seal.serial > serial) and self._table.archive:
            for found in self._archived(serial, oldest.seal.serial if oldest else 1 << 32):
                yield found
        yield Held(vault, oldest) if oldest else False

    def _archived(self, serial, below):
        """The first segment from `serial` on and before `below`; nothing when there is none."""
        archive = self._table.archive
        names = archive.numbers()
        at = 0
        if self._place and self._place[0] in names and self._place[2] < serial:
            at, offset = names.index(self._place[0]), self._place[1]
        else:
            for i in range(len(names)):
                if _first(archive.path(names[i])) <= serial:
                    at = i
                yield None
            offset = 0
        for number in names[at:]:
            path = archive.path(number)
            while True:
                found = _at(path, offset)
                if found is None:
                    break
                if serial <= found.serial < below:
                    self._place = number, offset + _HEAD + found.size, found.serial
                    yield found
                offset += _HEAD + found.size
                yield None
            offset = 0


def _first(path):
    """The number of the first segment in a file."""
    found = _at(path, 0)
    return found.serial if found else 1 << 32


def _at(path, offset):
    """The segment at this place of a file, None at the end or where it cannot be read."""
    buf = bytearray(journal.SEAL_SIZE)
    end = os.stat(path)[6]
    with open(path, "rb") as f:
        f.seek(offset)
        raw = f.read(_HEAD)
        if len(raw) < _HEAD:
            return None
        length = struct.unpack("<H", raw)[0]
        if length < 2 * journal.SEAL_SIZE or offset + _HEAD + length > end:
            return None
        f.seek(offset + _HEAD + length - journal.SEAL_SIZE)
        f.readinto(buf)
    try:
        serial = journal.read_seal(_Bytes(buf), 0).serial
    except VaultError:
        serial = -1  # damaged: it is passed over, and the collector is told of the gap
    return Filed(path, offset + _HEAD, length, serial)


class _Bytes:
    """A seal in memory, to be read like an area."""

    def __init__(self, data):
        self._data = data

    def read(self, pos, buf):
        buf[:] = self._data[pos : pos + len(buf)]
