"""A ring of small fixed entries in critical memory: the event log and the jackpot hits.

An entry made by a journal event is keyed by the event's sequence number and its place among that
event's entries, so replay after a cut writes what is missing and nothing twice. A note (boot,
service entry) belongs to no event and is always added; notes are written only after replay. Every
entry carries a stamp: number of the start, seconds since then, real seconds or 0."""

import struct

from felt.store.area import crc_fits, put_crc

_MARK = 0x5A
# mark, place, serial, sequence, code, a, b, start, seconds since, real seconds; then the CRC
_FORMAT = "<BBIIBIIHII"
_BODY = 29
SIZE = 33
_NOTE = 255
LOST = 254  # code of an entry that was damaged when the memory was cleared


def unstamped():
    return 0, 0, 0


class Entries:
    _buf = bytearray(SIZE)  # one for all rings: nobody holds it beyond a call

    def __init__(self, area, slots):
        self._area = area
        self.slots = slots
        self.stamp = unstamped
        self.forget()

    def forget(self):
        """The memory may have changed: scan it before the next entry."""
        self._serial = -1
        self._seq = -1
        self._place = 0

    def _load(self, slot):
        """(place, serial, seq, code, a, b, stamp); None if never completed, False if damaged."""
        self._area.read(slot * SIZE, self._buf)
        mark = self._buf[0]
        self._buf[0] = _MARK  # the byte a cut may have left anyhow; the checksum has the last word
        if not crc_fits(self._buf, _BODY):
            begun = not mark or self._buf[1:] == bytes(SIZE - 1)
            return None if begun else False
        fields = struct.unpack(_FORMAT, memoryview(self._buf)[:_BODY])
        return fields[1:] if (fields[2] - 1) % self.slots == slot else False

    def scan(self):
        """Find the newest entry by reading all; return the number of damaged ones.

        The slot that is written next may hold what a cut left of an entry: that is no damage."""
        newest = None
        empty = bytearray(self.slots)
        bad = 0
        for slot in range(self.slots):
            entry = self._load(slot)
            if not entry:
                empty[slot] = entry is None
                bad += entry is False
            elif not (newest and newest[1] > entry[1]):
                newest = entry
        self._found(newest)
        if self._serial >= self.slots:
            empty[self._serial % self.slots] = 0
        return bad + sum(empty[: self._serial])

    def _found(self, entry):
        self._serial = entry[1] if entry else 0
        self._newest = (entry[2], entry[0]) if entry else (0, 0)

    def _search(self):
        """Find the newest entry where the serials stop rising; False if damage is in the way."""
        entry = self._load(0)
        if not entry:
            return False
        first, low, high = entry[1], 0, self.slots
        while high - low > 1:
            middle = (low + high) // 2
            probe = self._load(middle)
            if probe is False:
                return False
            if probe and probe[1] == first + middle:
                low, entry = middle, probe
            else:
                high = middle
        self._found(entry)
        return True

    def last_seq(self):
        if self._serial < 0 and not self._search():
            self.scan()
        return self._newest[0]

    def serial(self):
        """The number of the newest entry."""
        self.last_seq()
        return self._serial

    def last_start(self):
        """The number of the start that wrote the newest entry."""
        for entry in self.newest_first():
            return entry[5]
        return 0

    def put(self, seq, code, a=0, b=0):
        """The entry of a journal event; the same calls in the same order may come again."""
        self._place = self._place + 1 if seq == self._seq else 0
        self._seq = seq
        self.last_seq()
        if (seq, self._place) > self._newest:
            self._write(self._place, seq, code, a, b)

    def note(self, seq, code, a=0, b=0):
        """An entry of no event; `seq` is the newest event there is."""
        self.last_seq()
        self._write(_NOTE, seq, code, a, b)

    def _write(self, place, seq, code, a, b):
        if not (0 <= code < 256 and 0 <= a < 1 << 32 and 0 <= b < 1 << 32):
            raise ValueError("entry out of range")
        serial = self._serial + 1
        buf = self._buf
        start, since, real = self.stamp()
        struct.pack_into(
            _FORMAT, buf, 0, _MARK, place, serial, seq, code, a, b, start & 0xFFFF, since, real
        )
        put_crc(buf, _BODY)
        self._area.commit((serial - 1) % self.slots * SIZE, buf)
        self._serial = serial
        self._newest = (seq, place)

    def newest_first(self):
        """Yield (serial, seq, code, a, b, start, seconds since, real seconds)."""
        self.last_seq()
        serial = self._serial
        for back in range(min(self.slots, serial)):
            entry = self._load((serial - back - 1) % self.slots)
            if entry and entry[1] == serial - back:
                yield entry[1:]

    def raw(self, serial):
        """The bytes of the entry with this number, None when it is there no more."""
        entry = self._load((serial - 1) % self.slots)
        return bytes(self._buf) if entry and entry[1] == serial else None

    def drop_damaged(self, least=0):
        """Intact entries stay; what cannot be read, or is missing up to `least`, becomes LOST."""
        self.scan()
        newest, key = max(self._serial, least), self._newest
        for slot in range(self.slots):
            serial = newest - (newest - 1 - slot) % self.slots
            entry = self._load(slot)
            if serial > 0 and not (entry and entry[1] == serial):
                self._serial = serial - 1
                self._write(0, 0, LOST, 0, 0)
            elif entry is False:
                self._area.write(slot * SIZE, bytes(SIZE))
        self._serial, self._newest = newest, key
