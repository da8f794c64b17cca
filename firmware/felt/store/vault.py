"""What the table must not forget, in 32 KiB of FRAM that can lose power after any byte.

The state of the table is the newest checkpoint plus the journal after it. Nothing that reads ever
writes, and nothing is cleared but by `clear()`. docs/memory.md has the map and the guarantees."""

import struct

from felt.store import area as _area
from felt.store import checkpoint, entries, header, journal, witness
from felt.store.area import Area, VaultError, VaultFull
from felt.store.header import Header
from felt.store.upkeep import Upkeep

_LEAST = 16
SEGMENT_MAX = 6144  # journal bytes from one checkpoint to the next


def _age(entry):
    """Newest first: by start, then by seconds, then by event."""
    return -entry[5], -entry[6], -entry[1], -entry[0]


class Vault(Upkeep):
    """Critical memory over `nv` (`size`, `readinto(addr, buf)`, `write(addr, buf)`)."""

    def __init__(self, nv, state_max=1536, logs=200, hits=25, guards=32, owner=None):
        """`owner` binds the memory to a board; None takes any, for tools and tests."""
        self.nv = nv
        self.owner = owner
        self.guarded = (), ()  # log codes that only others of their group can push out
        self._shape = (nv.size // 64 if nv else 0, state_max, logs, hits, guards)
        self._ready = False
        self._walk = None
        self.at = self.reason = 0
        self.least = (0, 0, 0, 0)  # how far each log had come at the checkpoint in use
        if not nv:
            return
        self._header = Header(nv, self._shape, owner)
        at = header.SIZE
        self._witness = witness.Witness(Area(nv, at, witness.SIZE))
        at += witness.SIZE
        self._copies = []
        for _ in range(2):
            self._copies.append(Area(nv, at, state_max + checkpoint.EXTRA))
            at += state_max + checkpoint.EXTRA
        self._log = entries.Entries(Area(nv, at, logs * entries.SIZE), logs)
        at += logs * entries.SIZE
        self._hits = entries.Entries(Area(nv, at, hits * entries.SIZE), hits)
        at += hits * entries.SIZE
        self._guards = []
        for _ in range(2):
            self._guards.append(entries.Entries(Area(nv, at, guards * entries.SIZE), guards))
            at += guards * entries.SIZE
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
        for ring in self._rings():
            ring.forget()
        self._found = [checkpoint.Copy(a) for a in self._copies]
        a, b = self._found
        if not (a.ok or b.ok):
            raise VaultError(_area.E_COPIES)
        self._base = 0 if a.serial > b.serial else 1
        self._walk_to_the_end()
        self._believe_the_end()
        state = self._found[self._base].state()
        self.least = struct.unpack_from("<4I", state, 0)
        return state[_LEAST:]

    def _walk_to_the_end(self):
        """Stand behind the newest record.

        What cannot be read there was under way when power was lost, for nothing is acknowledged
        that the witness does not know; before that it is damage."""
        reached = self._witness.read()
        self._walk = self._start()
        self._since = 0
        try:
            while self._step_counted() is not None:
                pass
        except VaultError:
            at, torn = self._walk.pos, reached is not None and self._walk.seq >= reached
            if not torn:
                raise
            self._walk = self._start()  # a record that was begun has left its traces in the walk
            self._since = 0
            while self._walk.pos != at:
                self._step_counted()

    def _rings(self):
        return self._log, self._hits, self._guards[0], self._guards[1]

    def _believe_the_end(self):
        """The journal ends here only if nothing that was written later says otherwise."""
        reached = self._witness.read()
        if reached is None or reached > self._walk.seq:
            raise VaultError(_area.E_JOURNAL)
        for ring in self._rings():
            if ring.last_seq() >= self._walk.seq:
                raise VaultError(_area.E_JOURNAL)

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
    def serial(self):
        """The number of the newest sealed segment."""
        return self._walk.seal.serial

    @property
    def chain(self):
        """The SHA-256 chain up to the newest checkpoint: the identity of the whole past."""
        return self._walk.seal.chain

    @property
    def end(self):
        """Where in the ring the next record goes."""
        return self._walk.pos

    @property
    def newest(self):
        """The newest seal, None while closed by damage."""
        return self._walk.seal if self._walk else None

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
        self._witness.put(self._walk.seq)
        self._since += n + journal.OVERHEAD
        return self.at

    def checkpoint(self, state, closes_round):
        """Seal the events since the last one and keep `state`; may be repeated after a cut."""
        self._need_ready()
        state = self.with_serials(state)
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

    def stamp(self, function):
        """Have entries stamped: function() gives start, seconds since it, real seconds."""
        for ring in self._rings() if self.nv else ():
            ring.stamp = function

    def starts(self):
        """The number of the start that wrote the newest guarded entry."""
        return max([ring.last_start() for ring in self._guards]) if self.nv else 0

    def with_serials(self, state):
        """Put before a state how far each log had come: later ones may not be shorter."""
        return struct.pack("<4I", *[ring.serial() for ring in self._rings()]) + state

    def log(self, seq, code, a=0, b=0):
        """An event's log entry; replay may call again with the same."""
        self._log.put(seq, code, a, b)
        for codes, ring in zip(self.guarded, self._guards):
            if code in codes:
                ring.put(seq, code, a, b)

    def note(self, code, a=0, b=0):
        """A log entry that no event makes (boot, service); only after replay."""
        self._need_ready()
        self._log.note(self._walk.seq - 1, code, a, b)
        for codes, ring in zip(self.guarded, self._guards):
            if code in codes:
                ring.note(self._walk.seq - 1, code, a, b)

    def hit(self, seq, seat, cents, number):
        """A jackpot hit's entry; replay may call again with the same."""
        self._hits.put(seq, seat, cents, number)

    # --- reading

    def entries(self):
        """Yield (serial, seq, code, a, b, start, seconds, real) of the log, newest first."""
        return self._log.newest_first() if self.nv else iter(())

    def last_entry(self):
        """The number of the newest log entry."""
        return self._log.serial()

    def slots(self):
        """How many log entries there is room for."""
        return self._log.slots

    def entry(self, serial):
        """The bytes of a log entry by its number, None when it is there no more."""
        return self._log.raw(serial)

    def kept(self):
        """The checkpoint in use, and where in it the state begins that `open` gives."""
        return self._found[self._base], _LEAST

    def guards(self):
        """Return the guarded entries alike: service, configuration, faults; keys and starts."""
        found = [e for ring in self._guards for e in ring.newest_first()] if self.nv else []
        return sorted(found, key=_age)

    def hits(self):
        """Yield (serial, seq, seat, cents, round number, start, seconds, real), newest first."""
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

    def seals(self, buf):
        """Yield where each sealed segment starts, newest first, with its seal in `buf`."""
        if not self._walk:
            return
        pos, back = self._walk.seal_pos, self._walk.used
        span = journal.glance(self.ring, pos, buf)
        while span and back + span <= self.ring.size - journal.TAIL:
            back += span
            pos -= span
            yield pos
            span = journal.glance(self.ring, pos, buf)

    def rounds(self):
        """Yield the finished rounds still whole, newest first."""
        return (r for r in journal.group(self.segments()) if r.whole())

    def tail(self):
        """Yield the events since the newest checkpoint's seal."""
        if not self._walk:
            return
        walk = journal.Walk(self.ring, self._walk.seal_pos)
        while walk.pos != self._walk.pos:
            yield walk.step()
