"""Rounds that critical memory has no room for, on flash: a ring of files, written between rounds.

A file holds sealed journal segments as they lay in critical memory, each with the seal before it,
so recall and verification are the journal's own. What a cut leaves unfinished is written again
from critical memory; what is damaged or missing is given out as a Finding, never passed over."""

import os
import struct

from felt.store import journal
from felt.store.area import VaultError

_HEAD = 2  # length of a segment
_CHUNK = 256


class _Blob:
    """One stored segment, read as a whole when it is first looked at."""

    size = 1 << 24

    def __init__(self, path, offset, length):
        self._where = path, offset, length
        self._data = None

    def read(self, pos, buf):
        if self._data is None:
            path, offset, length = self._where
            with open(path, "rb") as f:
                f.seek(offset)
                self._data = f.read(length)
        part = self._data[pos : pos + len(buf)]
        if len(part) < len(buf):
            part = part + bytes(len(buf) - len(part))
        buf[:] = part

    def mark(self, pos):
        one = bytearray(1)
        self.read(pos, one)
        return one[0]


def _number(name):
    """The number of one of our files; None for anybody else's."""
    try:
        return int(name[:8], 16) if len(name) == 12 and name.endswith(".seg") else None
    except ValueError:
        return None


class Archive:
    """At most `files` files of at most `limit` bytes in `folder`; the oldest file goes first."""

    def __init__(self, folder, files=32, limit=16384):
        self._folder = folder
        self._files = files
        self._limit = limit
        self.changes = 0  # grows when files change
        self.known = []
        try:
            os.mkdir(folder)
        except OSError:
            pass
        try:
            self.look()
        except OSError:
            pass  # no file system: the table's own check says so, and keeps it closed

    def look(self):
        """See which files there are; `known` keeps that, for a look into the folder takes long."""
        self.changes += 1
        self.known = self.numbers()

    def numbers(self):
        """File numbers, oldest first."""
        return sorted([n for n in map(_number, os.listdir(self._folder)) if n is not None])

    def path(self, number):
        return "%s/%08x.seg" % (self._folder, number)

    def _index(self, number):
        """([(offset, length)], True when the file ends cleanly) of one file."""
        found = []
        at = 0
        size = os.stat(self.path(number))[6]
        with open(self.path(number), "rb") as f:
            while at + _HEAD <= size:
                f.seek(at)
                length = struct.unpack("<H", f.read(_HEAD))[0]
                if length < 2 * journal.SEAL_SIZE or at + _HEAD + length > size:
                    break
                found.append((at + _HEAD, length))
                at += _HEAD + length
        return found, at == size

    def segments(self):
        """Yield the stored segments, newest first, and a Finding for each that cannot be read."""
        after = None  # the seal that the segment just given out follows
        for number in self.numbers()[::-1]:
            for segment in self._in_file(number):
                if not segment.finding and after and after.span and after.crc != segment.seal.crc:
                    yield journal.Finding("gap", "%08x" % number)
                yield segment
                after = None if segment.finding else segment.before()

    def _in_file(self, number):
        """Yield the segments of one file, newest first; what cannot be read is a Finding."""
        try:
            places = self._index(number)[0][::-1]
        except OSError:
            places = [(0, 0)]
        for offset, length in places:
            blob = _Blob(self.path(number), offset, length)
            try:
                seal = journal.read_seal(blob, length - journal.SEAL_SIZE)
                found = journal.Segment(blob, 0, seal)
                found.before()
                yield found
            except (VaultError, OSError):
                yield journal.Finding("damaged", "%08x" % number)

    def rounds(self):
        """Yield the finished rounds, newest first."""
        return journal.group(self.segments())

    def older(self, vault):
        """Yield the rounds that critical memory has no more, newest first."""
        kept = [r.chain for r in vault.rounds()]
        return (r for r in self.rounds() if r.whole() and r.chain not in kept)

    def newest(self):
        """The newest segment that can be read, or None."""
        for segment in self.segments():
            if not segment.finding:
                return segment
        return None

    def add(self, vault):
        """Store the sealed segments not stored yet, oldest first; returns how many.

        Only between rounds: writing flash stops everything else."""
        there = [(segment.seal.crc, segment) for segment in vault.segments()]
        count = len(there)
        for stored in self.segments() if there else ():
            at = [i for i in range(count) if not stored.finding and stored.seal.crc == there[i][0]]
            if at:
                count = at[0]
                break
        for _, segment in there[:count][::-1]:
            self._append(vault.ring, segment)
        if count:
            self.look()
        return count

    # --- is the memory's past this archive's?

    def follows(self, vault):
        """False when critical memory is older than what is stored here, or has another past."""
        newest = self.newest()
        if newest is None or self._accepted() == newest.seal.chain:
            return True
        if vault.serial < newest.seal.serial:
            return False
        for segment in vault.segments():
            if segment.seal.serial == newest.seal.serial:
                return segment.seal.chain == newest.seal.chain
        return True

    def accept(self):
        """Let critical memory go on from an older past; what is stored here stays."""
        newest = self.newest()
        if newest:
            with open(self._folder + "/accepted", "wb") as f:
                f.write(newest.seal.chain)

    def _accepted(self):
        try:
            with open(self._folder + "/accepted", "rb") as f:
                return f.read(32)
        except OSError:
            return b""

    def _append(self, ring, segment):
        length = segment.size()
        path = self._place_for(_HEAD + length)
        buf = bytearray(_CHUNK)
        with open(path, "ab") as f:
            f.write(struct.pack("<H", length))
            for at in range(0, length, _CHUNK):
                part = memoryview(buf)[: min(_CHUNK, length - at)]
                ring.read(segment.start + at, part)
                f.write(part)

    def _place_for(self, length):
        """The path to append to: the newest file, or a new one in place of the oldest."""
        names = self.numbers()
        if names:
            path = self.path(names[-1])
            if os.stat(path)[6] + length <= self._limit and self._index(names[-1])[1]:
                return path
        while len(names) >= self._files:
            os.remove(self.path(names.pop(0)))
        return self.path(names[-1] + 1 if names else 0)

    def verify(self):
        """Return (segments, damaged ones, breaks in the chain between neighbours).

        A break is a clearing of critical memory, or rounds that were never stored."""
        count = bad = breaks = 0
        after = None
        for segment in self.segments():
            if segment.finding:
                bad += segment.finding == "damaged"
                continue
            count += 1
            try:
                segment.check()
                if after and after != segment.seal.chain:
                    breaks += 1
                after = segment.before().chain
            except VaultError:
                bad += 1
        return count, bad, breaks
