"""What the table must not forget, in 32 KiB of FRAM that can lose power after any byte.

The state of the table is the newest checkpoint plus the journal after it. Nothing that reads ever
writes, and nothing is cleared but by `clear()`. docs/memory.md has the map and the guarantees."""

import struct

from felt.store import area as _area
from felt.store import checkpoint, entries, header, journal
from felt.store.area import Area, VaultError, VaultFull
from felt.store.header import Header

SEGMENT_MAX = 6144  # journal bytes from one checkpoint to the next
CLEARED = 255  # log code of the entry that clearing leaves: who, reason code before


class Vault:
    """Critical memory over `nv` (`size`, `readinto(addr, buf)`, `write(addr, buf)`)."""

    def __init__(self, nv, state_max=4096, logs=200, hits=25):
        self.nv = nv
        self._shape = (nv.size // 64 if nv else 0, state_max, logs, hits)
        self._ready = False
        self._walk = None
        self.at = self.reason = 0
        if not nv:
            return
        self._header = Header(nv, self._shape)
        at = header.SIZE
        self._copies = []
        for _ in range(2):
            self._copies.append(Area(nv, at, state_max + checkpoint.EXTRA))
            at += state_max + checkpoint.EXTRA
        self._log = entries.Entries(Area(nv, at, logs * entries.SIZE), logs)
        at += logs * entries.SIZE
        self._hits = entries.Entries(Area(nv, at, hits * entries.SIZE), hits)
        at += hits * entries.SIZE
        self.ring = Area(nv, at, nv.size - at)
        self.segment_max = min(SEGMENT_MAX, self.ring.size // 3 - journal.TAIL)

    # --- starting

    def open(self):
        """Return the newest checkpoint's state; VaultError says why the table must stay closed."""
        self._ready = False
        self._walk = None
        self.reason = 0
        try:
            return self._open()
        except VaultError as e:
            self.reason = e.code
        except OSError:
            self.reason = _area.E_MISSING
        self._walk = None
        raise VaultError(self.reason)

    def _open(self):
        if not self.nv:
            raise VaultError(_area.E_MISSING)
        self._header.check()
        self._log.forget()
        self._hits.forget()
        self._found = [checkpoint.Copy(a) for a in self._copies]
        a, b = self._found
        if not (a.ok or b.ok):
            raise VaultError(_area.E_COPIES)
        self._base = 0 if a.serial > b.serial else 1
        self._walk = self._start()
        self._since = 0
        while self._step_counted() is not None:
            pass
        return self._found[self._base].state()

    def _start(self):
        """A walk that stands where the checkpoint in use was made."""
        base = self._found[self._base]
        walk = journal.Walk(self.ring, base.seal_pos)
        if walk.seal.crc != base.seal_crc:
            raise VaultError(_area.E_JOURNAL)
        return walk

    def _step_counted(self):
        before = self._walk.pos
        record = self._walk.step()
        self._since += (self._walk.pos - before) % self.ring.size
        if self._since > self.ring.size - journal.TAIL:
            raise VaultError(_area.E_JOURNAL)
        return record

    def replay(self):
        """Yield the events after the checkpoint; `at` is the number of the one just yielded."""
        if not self._walk:
            raise VaultError(_area.E_ORDER)
        walk = self._start()
        while walk.pos != self._walk.pos:
            self.at = walk.seq
            record = walk.step()
            if isinstance(record, bytes):
                yield record
        self._ready = True

    def _need_ready(self):
        if not self._ready:
            raise VaultError(_area.E_ORDER)

    # --- playing

    @property
    def seq(self):
        """The sequence number the next event gets."""
        return self._walk.seq

    @property
    def number(self):
        """The number of the round that is open or comes next."""
        return self._walk.seal.next_number()

    @property
    def chain(self):
        """The SHA-256 chain up to the newest checkpoint: the identity of the whole past."""
        return self._walk.seal.chain

    def room(self):
        """Journal bytes left before a checkpoint is needed; an event takes its length and 6."""
        free = self.segment_max + journal.SEAL_SIZE - self._walk.used
        whole = self.ring.size - journal.SEAL_SIZE - 2 * journal.TAIL - self._since
        return max(0, min(free, whole))

    def append(self, event):
        """Put an event on the medium; returns its sequence number."""
        self._need_ready()
        n = len(event)
        if not 0 < n <= journal.EVENT_MAX:
            raise ValueError("event of %d bytes" % n)
        if n + journal.OVERHEAD > self.room():
            raise VaultFull()
        self.at = self._walk.seq
        self._walk.append(event)
        self._since += n + journal.OVERHEAD
        return self.at

    def checkpoint(self, state, closes_round):
        """Seal the events since the last one and keep `state`; may be repeated after a cut."""
        self._need_ready()
        if len(state) > self._shape[1]:
            raise VaultError(_area.E_ORDER)
        walk = self._walk
        if walk.count():
            walk.close(1 if closes_round else 0)
            self._since += journal.SEAL_SIZE
        base = self._found[self._base]
        other = self._found[1 - self._base]
        other.save(state, base.serial + 1, walk.seal_pos, walk.seal.crc)
        self._base = 1 - self._base
        self._since = 0

    def log(self, seq, code, a=0, b=0):
        """An event's log entry; replay may call again with the same."""
        self._log.put(seq, code, a, b)

    def note(self, code, a=0, b=0):
        """A log entry that no event makes (boot, service); only after replay."""
        self._need_ready()
        self._log.note(self._walk.seq - 1, code, a, b)

    def hit(self, seq, seat, cents, number):
        """A jackpot hit's entry; replay may call again with the same."""
        self._hits.put(seq, seat, cents, number)

    # --- reading

    def entries(self):
        """Yield (serial, seq, code, a, b) of the event log, newest first."""
        return self._log.newest_first() if self.nv else iter(())

    def hits(self):
        """Yield (serial, seq, seat, cents, round number), newest first."""
        return self._hits.newest_first() if self.nv else iter(())

    def segments(self):
        """Yield every sealed segment still whole, newest first; none while closed by damage."""
        if not self._walk:
            return
        pos, seal = self._walk.seal_pos, self._walk.seal
        back = self._walk.used
        while seal.span and back + seal.span <= self.ring.size - journal.TAIL:
            back += seal.span
            start = pos - seal.span
            yield journal.Segment(self.ring, start, seal)
            pos = start
            seal = journal.read_seal(self.ring, pos)

    def rounds(self):
        """Yield the finished rounds still whole, newest first."""
        return (r for r in journal.group(self.segments()) if r.whole())

    def tail(self):
        """Yield the events since the newest checkpoint's seal."""
        if not self._walk:
            return iter(())
        return journal.Segment(self.ring, self._walk.seal_pos, None).events()

    def verify_chain(self):
        """Return how many kept segments agree with the hash chain; VaultError if one does not."""
        count = 0
        try:
            for segment in self.segments():
                segment.check()
                count += 1
        except VaultError:
            raise VaultError(_area.E_CHAIN)
        return count

    def verify(self):
        """Read everything again; return the names of damaged parts."""
        bad = []
        try:
            Vault(self.nv, *self._shape[1:]).open()
            self.verify_chain()
        except VaultError as e:
            bad.append(_area.REASONS[e.code])
            if e.code == _area.E_MISSING:
                return bad
        if any(checkpoint.Copy(a).damaged for a in self._copies):
            bad.append("copy")
        for name, ring in (("log", self._log), ("hits", self._hits)):
            if ring.scan():
                bad.append(name)
        return bad

    # --- setting up

    def clear(self, state, who):
        """Set up anew; only with both keys. Intact log entries and hits stay; this is logged."""
        if not self.nv:
            raise VaultError(_area.E_MISSING)
        reason, walk = self.reason, self._walk
        self._log.drop_damaged()
        self._hits.drop_damaged()
        seq = max(self._log.last_seq(), self._hits.last_seq(), walk.seq if walk else 0) + 1
        clears = self._header.wipe()
        origin = (walk.seal.chain if walk else b"") + struct.pack("<II", clears, seq) + state
        seal = journal.begin(self.ring, 0, self.number if walk else 0, seq, origin)
        for copy in self._copies:
            checkpoint.Copy(copy).drop()
        checkpoint.Copy(self._copies[0]).save(state, 1, 0, seal.crc)
        self._log.note(seq - 1, CLEARED, who, reason)
        self._header.write(clears)
        self.open()
        self._ready = True
