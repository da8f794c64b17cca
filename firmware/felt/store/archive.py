"""Rounds that critical memory has no room for, on flash: a ring of files, written between rounds.

A file holds sealed journal segments as they lay in critical memory, each with the seal before it,
so recall and verification are the journal's own. What a cut leaves unfinished is not read, and is
written again from critical memory."""

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


class Archive:
    """At most `files` files of at most `limit` bytes in `folder`; the oldest file goes first."""

    def __init__(self, folder, files=32, limit=16384):
        self._folder = folder
        self._files = files
        self._limit = limit
        try:
            os.mkdir(folder)
        except OSError:
            pass

    def _names(self):
        """File numbers, oldest first."""
        return sorted([int(n[:8], 16) for n in os.listdir(self._folder) if n.endswith(".seg")])

    def _path(self, number):
        return "%s/%08x.seg" % (self._folder, number)

    def _index(self, number):
        """([(offset, length)], True when the file ends cleanly) of one file."""
        found = []
        at = 0
        size = os.stat(self._path(number))[6]
        with open(self._path(number), "rb") as f:
            while at + _HEAD <= size:
                f.seek(at)
                length = struct.unpack("<H", f.read(_HEAD))[0]
                if length < 2 * journal.SEAL_SIZE or at + _HEAD + length > size:
                    break
                found.append((at + _HEAD, length))
                at += _HEAD + length
        return found, at == size

    def segments(self):
        """Yield the stored segments that end with a good seal, newest first."""
        for number in self._names()[::-1]:
            for offset, length in self._index(number)[0][::-1]:
                blob = _Blob(self._path(number), offset, length)
                try:
                    seal = journal.read_seal(blob, length - journal.SEAL_SIZE)
                except VaultError:
                    continue
                yield journal.Segment(blob, 0, seal)

    def rounds(self):
        """Yield the finished rounds, newest first."""
        return journal.group(self.segments())

    def older(self, vault):
        """Yield the rounds that critical memory has no more, newest first."""
        kept = [r.chain for r in vault.rounds()]
        return (r for r in self.rounds() if r.whole() and r.chain not in kept)

    def add(self, vault):
        """Store the sealed segments not stored yet, oldest first; returns how many.

        Only between rounds: writing flash stops everything else."""
        newest = None
        for segment in self.segments():
            newest = segment.seal.crc, segment.seal.chain
            break
        missing = []
        for segment in vault.segments():
            if (segment.seal.crc, segment.seal.chain) == newest:
                break
            missing.append(segment)
        for segment in missing[::-1]:
            self._append(vault.ring, segment)
        return len(missing)

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
        names = self._names()
        if names:
            path = self._path(names[-1])
            if os.stat(path)[6] + length <= self._limit and self._index(names[-1])[1]:
                return path
        while len(names) >= self._files:
            os.remove(self._path(names.pop(0)))
        return self._path(names[-1] + 1 if names else 0)

    def verify(self):
        """Return (segments, damaged ones, breaks in the chain between neighbours).

        A break is a clearing of critical memory, or rounds that were never stored."""
        count = bad = breaks = 0
        after = None
        for segment in self.segments():
            count += 1
            try:
                segment.check()
                if after and after != segment.seal.chain:
                    breaks += 1
                after = segment.before().chain
            except VaultError:
                bad += 1
        return count, bad, breaks
