"""Records as they come from tables: taken apart and verified with the firmware's own modules."""

from __future__ import annotations

import hashlib
import struct
from typing import Any, Iterator, NamedTuple

from felt.net import records
from felt.store import entries, journal
from felt.store.area import VaultError, crc_fits

OUT, IN, LINE = "out", "in", "line"
PREFIX = "felt"
NAME_MAX = 32


class Wrong(Exception):
    """A record that is not stored: the alarm's kind and what it is about."""

    def __init__(self, kind: str, about: str = "") -> None:
        super().__init__(kind, about)
        self.kind, self.about = kind, about


class Record(NamedTuple):
    kind: bytes
    number: int
    before: int
    body: bytes


class Beat(NamedTuple):
    """What a heartbeat says."""

    start: int
    since: int
    real: int
    serial: int
    chain: bytes
    logged: int
    phase: int
    flags: int
    round: int
    board: bytes
    build: bytes
    config: bytes
    weights: bytes
    fault: str


class Entry(NamedTuple):
    """One entry of a table's log."""

    serial: int
    seq: int
    code: int
    a: int
    b: int
    start: int
    seconds: int
    real: int


class Bytes:
    """A segment's bytes, to be read as the firmware reads critical memory."""

    size = 1 << 24

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, pos: int, buf: Any) -> None:
        part = self._data[pos : pos + len(buf)]
        buf[:] = part + bytes(len(buf) - len(part))

    def mark(self, pos: int) -> int:
        return self._data[pos] if pos < len(self._data) else 0


def topic(table: str, way: str) -> str:
    return f"{PREFIX}/{table}/{way}"


def opened(mac: records.Mac, message: bytes) -> Record:
    """A record whose MAC is the table's; Wrong when it is not."""
    data = records.opened(mac, message) if len(message) > records.MAC_SIZE else None
    if data is None or len(data) < records.HEAD_SIZE:
        raise Wrong("mac")
    version, kind, number, before = struct.unpack(records.HEAD, data[: records.HEAD_SIZE])
    if version != records.VERSION:
        raise Wrong("version", str(version))
    return Record(kind, number, before, data[records.HEAD_SIZE :])


def segment(record: Record) -> tuple[journal.Segment, journal.Seal]:
    """A sealed segment and the seal before it; every record and the chain are as written."""
    blob = Bytes(record.body)
    try:
        seal = journal.read_seal(blob, len(record.body) - journal.SEAL_SIZE)
        found = journal.Segment(blob, 0, seal)
        found.check()
        before = found.before()
    except (VaultError, struct.error, IndexError):
        raise Wrong("edited", str(record.number)) from None
    if seal.serial != record.number or found.size() != len(record.body):
        raise Wrong("edited", str(record.number))
    return found, before


def stored(data: bytes) -> journal.Segment:
    """A segment as it lies in the database."""
    return journal.Segment(Bytes(data), 0, journal.read_seal(Bytes(data), len(data) - 59))


def identity(document: bytes) -> str:
    """What a settings document is called by: rounds name it, so it cannot become another."""
    return hashlib.sha256(document).hexdigest()[:16]


def beat(record: Record) -> Beat:
    size = struct.calcsize(records.BEAT_BODY)
    if len(record.body) < size:
        raise Wrong("version", "beat")
    fields = struct.unpack(records.BEAT_BODY, record.body[:size])
    return Beat._make([*fields, record.body[size:].decode(errors="replace")])


def log_entries(record: Record) -> Iterator[Entry]:
    """The entries of a log record; each must be whole and in its order."""
    size = entries.SIZE
    for at in range(0, len(record.body), size):
        raw = record.body[at : at + size]
        if len(raw) != size or not crc_fits(raw, size - 4):
            raise Wrong("edited", f"log {record.number}")
        fields = struct.unpack("<BBIIBIIHII", raw[: size - 4])
        if fields[2] != record.number + at // size:
            raise Wrong("edited", f"log {record.number}")
        yield Entry(*fields[2:])


def confirmation(mac: records.Mac, serial: int, chain: bytes, logged: int,
                 answers: tuple[int, int], real: int) -> bytes:  # fmt: skip
    """What a table is told: how far its records are committed, and the time of day."""
    data = struct.pack(records.CONFIRMED, records.VERSION, records.CONFIRM, serial,
                       chain[:8].ljust(8, b"\0"), logged, *answers, real)  # fmt: skip
    return records.closed(mac, data)
