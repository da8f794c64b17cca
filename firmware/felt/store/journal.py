"""Records of the journal ring and how to walk them.

Event record: mark (0xC0 + length), low byte of its sequence number, the event's bytes, CRC-32
continued from the record before. Seal record: ends a segment (a round, or part of one) with its
numbers and the SHA-256 chain over its events; it checks by itself and names the checksum before
it, so a walk can start at any seal. The byte after the newest record is always zero."""

import hashlib
import struct
from binascii import crc32

from felt.store.area import E_CHAIN, E_JOURNAL, VaultError, crc_fits, put_crc

EVENT_MAX = 63
OVERHEAD = 6
_EVENT = 0xC0
_SEAL = 0xA5
# mark, low sequence, span, closes a round, serial, round number, first sequence, events,
# CRC before, chain; a CRC follows
_FORMAT = "<BBHBIIIHI32s"
_HASH_FROM = 4  # the chain covers a seal from `closes` to the chain itself
_HASH_TO = 23
_BODY = 55
SEAL_SIZE = 59
TAIL = EVENT_MAX + OVERHEAD + 1  # what an interrupted write may have touched past the end


class Seal:
    """What a seal record says."""

    def __init__(self, buf):
        f = struct.unpack(_FORMAT, memoryview(buf)[:_BODY])
        self.span, self.closes, self.serial, self.number, self.first, self.count = f[2:8]
        self.before, self.chain = f[8:]
        self.crc = struct.unpack_from("<I", buf, _BODY)[0]

    def next_seq(self):
        return self.first + self.count

    def next_number(self):
        return self.number + self.closes


def read_seal(area, pos, buf=None):
    buf = buf or bytearray(SEAL_SIZE)
    area.read(pos, memoryview(buf)[:SEAL_SIZE])
    if buf[0] != _SEAL or not crc_fits(buf, _BODY):
        raise VaultError(E_JOURNAL)
    return Seal(buf)


def glance(area, pos, buf):
    """Read the seal at `pos` into `buf` and return its span: for those who may allocate little."""
    area.read(pos, buf)
    if buf[0] != _SEAL or not crc_fits(buf, _BODY):
        raise VaultError(E_JOURNAL)
    return buf[2] | buf[3] << 8


def seen(buf):
    """Return (serial, closes a round) of a seal that was glanced at."""
    return buf[5] | buf[6] << 8 | buf[7] << 16 | buf[8] << 24, buf[4]


def chain_of(buf):
    """Return the chain of a seal that was glanced at."""
    return bytes(buf[_HASH_TO:_BODY])


def write_event(area, pos, crc, seq, event, buf):
    """Write one record and the zero after it; returns its checksum."""
    n = len(event)
    buf[0] = _EVENT | n
    buf[1] = seq & 0xFF
    buf[2 : n + 2] = event
    crc = crc32(memoryview(buf)[: n + 2], crc)
    struct.pack_into("<I", buf, n + 2, crc)
    buf[n + 6] = 0
    area.commit(pos, memoryview(buf)[: n + 7])
    return crc


def _commit_seal(area, pos, chain, buf):
    buf[_HASH_TO:_BODY] = chain
    put_crc(buf, _BODY)
    buf[SEAL_SIZE] = 0
    area.commit(pos, memoryview(buf)[: SEAL_SIZE + 1])
    return Seal(buf)


def begin(area, serial, number, seq, origin):
    """Start an empty journal at position 0: a seal over nothing, its chain taken from `origin`."""
    buf = bytearray(TAIL)
    struct.pack_into(_FORMAT, buf, 0, _SEAL, seq & 0xFF, 0, 0, serial, number, seq, 0, 0, b"")
    return _commit_seal(area, 0, hashlib.sha256(origin).digest(), buf)


class Walk:
    """Stands behind a record and steps forward; also all that an appender needs to know."""

    def __init__(self, area, seal_pos, seal=None):
        self._area = area
        self.buf = bytearray(TAIL)
        self._enter(seal_pos, seal or read_seal(area, seal_pos, self.buf))

    def _enter(self, pos, seal):
        self.seal_pos = pos % self._area.size
        self.seal = seal
        self.pos = (pos + SEAL_SIZE) % self._area.size
        self.crc = seal.crc
        self.seq = seal.next_seq()
        self.used = SEAL_SIZE
        self._sha = hashlib.sha256(seal.chain)

    def count(self):
        return self.seq - self.seal.next_seq()

    def step(self):
        """The next event's bytes, a Seal, or None at the end; damage raises."""
        mark = self._area.mark(self.pos)
        if not mark:
            return None
        if mark & _EVENT == _EVENT:
            return self._event(mark & EVENT_MAX)
        if mark == _SEAL:
            return self._seal()
        raise VaultError(E_JOURNAL)

    def _event(self, n):
        view = memoryview(self.buf)
        self._area.read(self.pos, view[: n + OVERHEAD])
        crc = crc32(view[: n + 2], self.crc)
        if self.buf[1] != self.seq & 0xFF or struct.unpack_from("<I", self.buf, n + 2)[0] != crc:
            raise VaultError(E_JOURNAL)
        self._took(n, crc)
        return bytes(view[2 : n + 2])

    def _took(self, n, crc):
        self._sha.update(memoryview(self.buf)[: n + 2])
        self.crc = crc
        self.pos = (self.pos + n + OVERHEAD) % self._area.size
        self.used += n + OVERHEAD
        self.seq += 1

    def _seal(self):
        seal = read_seal(self._area, self.pos, self.buf)
        last = self.seal
        self._sha.update(memoryview(self.buf)[_HASH_FROM:_HASH_TO])
        if seal.before != self.crc or self.buf[1] != self.seq & 0xFF:
            raise VaultError(E_JOURNAL)
        if (
            (seal.span, seal.first, seal.count) != (self.used, last.next_seq(), self.count())
            or (seal.serial, seal.number) != (last.serial + 1, last.next_number())
            or self._sha.digest() != seal.chain
        ):
            raise VaultError(E_CHAIN)
        self._enter(self.pos, seal)
        return seal

    def append(self, event):
        crc = write_event(self._area, self.pos, self.crc, self.seq, event, self.buf)
        self._took(len(event), crc)

    def close(self, closes):
        """Seal what came since the last seal."""
        last = self.seal
        struct.pack_into(
            _FORMAT, self.buf, 0, _SEAL, self.seq & 0xFF, self.used, closes, last.serial + 1,
            last.next_number(), last.next_seq(), self.count(), self.crc, b"",
        )  # fmt: skip
        self._sha.update(memoryview(self.buf)[_HASH_FROM:_HASH_TO])
        self._enter(self.pos, _commit_seal(self._area, self.pos, self._sha.digest(), self.buf))


class Piece:
    """A stretch of the journal in memory, read in one go: verification is mostly waiting else."""

    size = 1 << 24

    def __init__(self, area, start, length):
        self._data = bytearray(length)
        area.read(start, self._data)

    def read(self, pos, buf):
        part = memoryview(self._data)[pos : pos + len(buf)]
        buf[: len(part)] = part
        if len(part) < len(buf):
            buf[len(part) :] = bytes(len(buf) - len(part))

    def mark(self, pos):
        return self._data[pos] if pos < len(self._data) else 0


class Segment:
    """Events from the seal before them (at `start`) to their own; the open end has none."""

    finding = ""

    def __init__(self, area, start, seal):
        self._area = area
        self.start = start
        self.seal = seal

    def events(self):
        """Yield the events' bytes in order."""
        walk = Walk(self._area, self.start)
        record = walk.step()
        while isinstance(record, bytes):
            yield record
            record = walk.step()

    def check(self):
        """Raise VaultError unless every record and the chain are as they were written."""
        walk = Walk(Piece(self._area, self.start, self.size()), 0)
        record = walk.step()
        while isinstance(record, bytes):
            record = walk.step()
        if record is None or record.crc != self.seal.crc:
            raise VaultError(E_CHAIN)

    def before(self):
        """The seal before the first event."""
        return read_seal(self._area, self.start)

    def size(self):
        """Bytes from the seal before to the end of its own."""
        return self.seal.span + SEAL_SIZE


class Round:
    """A finished round: its segments, oldest first."""

    finding = ""  # a Finding in a list of rounds has the reason here

    def __init__(self, segments):
        self.segments = segments
        self.number = segments[0].seal.number
        self.chain = segments[-1].seal.chain

    def whole(self):
        """False when the round's first events are gone already."""
        before = self.segments[0].before()
        return bool(before.closes or not before.span)

    def check(self):
        """Raise VaultError unless every record is as it was written."""
        for segment in self.segments:
            segment.check()

    def events(self):
        for segment in self.segments:
            for event in segment.events():
                yield event


class Finding:
    """Stands in a list of segments or rounds for what cannot be read there."""

    number = -1
    chain = b""

    def __init__(self, finding, where):
        self.finding = finding  # "damaged" or "gap"
        self.where = where

    def whole(self):
        return True

    def check(self):
        raise VaultError(E_CHAIN)

    def events(self):
        raise VaultError(E_CHAIN)


def group(segments):
    """Gather segments (newest first) into finished rounds; a Finding stays where it was found."""
    parts = []
    for segment in segments:
        if isinstance(segment, Finding):
            if parts:
                yield Round(parts)
            parts = []
            yield segment
        elif segment.seal.closes:
            if parts:
                yield Round(parts)
            parts = [segment]
        elif parts:
            parts.insert(0, segment)
    if parts:
        yield Round(parts)
