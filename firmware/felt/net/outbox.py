"""What a table still owes the pit, in order, until the collector says that it is stored.

Nothing of it is kept here: segments lie in critical memory and in the archive, entries in the
log, under numbers that only ever rise. The collector's confirmation names the numbers it has
committed, so a table that was switched off asks and goes on from there.
"""

import os
import struct

from felt.net import records
from felt.net.shelf import Filed, Shelf
from felt.store import journal
from felt.store.area import VaultError
from felt.ticks import diff

BEAT_MS = 10_000
AGAIN_MS = 8_000  # without a confirmation for so long, what was sent is sent again
AHEAD = 8  # segments sent and not confirmed, at most
CLOCK_S = 60  # the table's clock may be wrong by that much before it is set
FAULT_MAX = 80


class Whole:
    """A body that is in memory already."""

    def __init__(self, data):
        self._data = data
        self.size = len(data)

    def read(self, at, view):
        view[:] = self._data[at : at + len(view)]

    def ready(self):
        return True

    def whole(self):
        return True


class Checkpoint:
    """The state that critical memory keeps, read in pieces; a later one may take its place."""

    def __init__(self, vault):
        self._copy, self._from = vault.kept()
        self._serial = self._copy.serial
        self.size = self._copy.length - self._from

    def ready(self):
        return True

    def read(self, at, view):
        if not self.whole():  # a later one may know cards that were drawn early
            raise ValueError("overwritten")
        self._copy.read(self._from + at, view)

    def whole(self):
        return self._copy.serial == self._serial


def kept_files(kept):
    """(path, size) of each kept document: to look into a folder takes longer than a lap may."""
    try:
        return [(path, os.stat(path)[6]) for path in kept.paths()] if kept else []
    except OSError:
        return []


class Outbox:
    """`next(now)` gives (head, body) of one record to be sent, or None; `confirm` is heard."""

    def __init__(self, table, mac, build, board):
        self.table = table
        self.mac = mac
        self._about = build, board
        self.shelf = Shelf(table)
        self.limit = 0  # number of the newest segment that ends a round: nothing after it leaves
        self._chain = bytes(8)
        self._seen = -1  # newest segment there was when that was last looked for
        self._search = None
        self._seal = bytearray(journal.SEAL_SIZE)
        self.beats = 0
        self._documents = kept_files(table.kept)  # still to be sent since power-on
        self._newest = bool(table.document)  # so is the one in force
        self._clock = self._note = None  # what `write_down` is to do
        self.restart(0)

    def restart(self, now):
        """A new connection: what was sent on the last one counts for nothing."""
        self.stored = self.logged = None  # numbers the collector has, None while it has not said
        self._sent = self._noted = 0
        self._stated = -1
        self._reading = 0  # log entries before this one were looked at
        self._wanted = 0  # the one to be read next
        self._less = 0  # the beat whose answer first said less than was known
        self._beat_at = now - BEAT_MS
        self._state = None
        self._moved = now  # when a confirmation last said something new
        self._asked = None  # number of the segment that is being looked for

    # --- what comes back

    def confirm(self, message, now):
        """Take a confirmation; anything else is not heard. True when it was one."""
        return self.take(records.opened(self.mac, message), now)

    def take(self, data, now):
        """Take what a message says, None when its MAC was not ours."""
        said = data and records.confirmation(data)
        if not said:
            return False
        stored, chain, logged, start, beat, real = said
        fresh = (start, beat) == (self.table.starts & 0xFFFF, self.beats)
        if fresh:
            self._time(real)
        if self.stored is None:
            self._sent, self._noted = stored, logged
        elif stored < self.stored:
            if not (fresh and self._lost_some(beat)):
                return True  # an old one
            self._sent, self._noted, self._reading = stored, logged, 0
        elif (stored, logged) == (self.stored, self.logged):
            return True
        self._less = 0
        self.stored, self.logged = stored, logged
        self._sent, self._noted = max(self._sent, stored), max(self._noted, logged)
        self._moved = now
        return True

    def _lost_some(self, beat):
        """True when a database that was put back says less than before, and says it again.

        Once may be another collector that is a moment behind."""
        again = self._less and self._less != beat
        self._less = self._less or beat
        return again

    def _time(self, real):
        """The time of day, fresh because it answers the newest beat."""
        table = self.table
        if real and abs(table.stamp()[2] - real) > CLOCK_S:
            self._clock = real - table.stamp()[1]

    def remark(self, *numbers):
        """Have the log say something of the network."""
        self._note = numbers

    def write_down(self):
        """Set the clock, write into the log: called apart, for it takes longer than a lap may."""
        table = self.table
        if self._clock is not None:
            clock, self._clock = self._clock, None
            table.set_clock(clock + table.stamp()[1])
        elif self._note:
            note, self._note = self._note, None
            table.note("network", *note, counted=True)

    # --- what goes out

    def next(self, now):
        """One look at critical memory a call at most: each takes half a millisecond."""
        if self._asked is not None:
            return self._segment()
        if self._wanted:
            return self._entry()
        if self._look():
            return None
        if self._due(now):
            return self._beat(now)
        if self.stored is None:
            return None
        if (self._sent, self._noted) == (self.stored, self.logged):
            self._moved = now  # nothing is outstanding
        elif diff(now, self._moved) > AGAIN_MS:
            self._moved, self._asked, self._reading = now, None, 0
            self._sent, self._noted = self.stored, self.logged
        found = self._document()
        if found or self._choose_entry():
            return found
        return self._segment() or self._last_state()

    def looks(self):
        """True while something is being looked for."""
        return bool(self._wanted or self._search) or self._asked is not None

    def _look(self):
        """Find the newest segment that ends a round; those after it stay here. True: looked."""
        newest = self.table.vault.newest
        if newest is None:
            return False
        if newest.serial != self._seen:
            self._seen = newest.serial
            self._search = self.table.vault.seals(self._seal)
        if self._search is None:
            return False
        try:
            next(self._search)
        except (StopIteration, VaultError):
            self._search = None
            return True
        serial, closes = journal.seen(self._seal)
        if closes:
            self.limit, self._chain = serial, journal.chain_of(self._seal)[:8]
        if closes or serial <= self.limit:
            self._search = None
        return True

    def _due(self, now):
        return diff(now, self._beat_at) >= BEAT_MS or self._state != self._standing()

    def _standing(self):
        """What is told at once when it changes."""
        m = self.table.machine
        return self.table.fault, m and m.phase, m and m.round_no

    def _beat(self, now):
        table, m = self.table, self.table.machine
        self._beat_at, self._state = now, self._standing()
        self.beats += 1
        start, since, real = table.stamp()
        open_ = table.vault.newest is not None
        build, board = self._about
        identity = table.identity or bytes(24)
        body = struct.pack(
            records.BEAT_BODY, start & 0xFFFF, since, real, self.limit, self._chain,
            table.vault.last_entry() if open_ else 0, m.phase if m else 255,
            records.READABLE if open_ else 0, m.round_no if m else 0, board, build,
            identity[8:16], identity[16:24],
        )  # fmt: skip
        fault = "%s %s" % (table.fault, table.detail) if table.fault else ""
        body += fault.encode()[:FAULT_MAX]
        return records.head(records.BEAT, self.beats, 0), Whole(body)

    def _document(self):
        """The configuration in force, then those kept on flash: rounds were played under them."""
        if self._newest:
            self._newest = False
            body = Whole(self.table.document)
        elif self._documents:
            path, size = self._documents.pop()
            body = Filed(self.shelf.file, path, 0, size, 0)
        else:
            return None
        return records.head(records.DOCUMENT, 0, 0), body

    def _choose_entry(self):
        """Choose a log entry while no round is open: some tell what a round only shows later."""
        vault, m = self.table.vault, self.table.machine
        if not (vault.newest and m and m.between) or m.early:
            return False
        last = vault.last_entry()
        at = max(
            self._reading, self._noted + 1, last - vault.slots() + 1
        )  # no older ones are left
        if at > last:
            return False
        self._reading = at + 1
        self._wanted = at
        return True

    def _entry(self):
        """The entry that was chosen in the last call: no round was open when it was written."""
        at, self._wanted = self._wanted, 0
        body = self.table.vault.entry(at)
        if not body:  # damaged: the next one says that it is missing
            return None
        before, self._noted = self._noted, at
        return records.head(records.LOG, at, before), Whole(body)

    def _segment(self):
        """The next finished segment; found in steps, so most calls give nothing."""
        if self._sent >= self.limit or self._sent - self.stored >= AHEAD:
            self._asked = None
            return None
        if self._asked is None:
            self._asked = self._sent + 1
            self.shelf.ask(self._asked)
            return None
        found = self.shelf.step()
        if found is None:
            return None
        self._asked = None
        if not found or found.serial > self.limit:
            return None
        before, self._sent = self._sent, found.serial
        return records.head(records.SEGMENT, found.serial, before), found

    def _last_state(self):
        """The table's own state after its newest round: meters, for the collector to compare."""
        seal = self.table.vault.newest
        if (
            not seal
            or self.stored != seal.serial
            or not seal.closes
            or self._stated == seal.serial
        ):
            return None
        self._stated = seal.serial
        return records.head(records.STATE, seal.serial, 0), Checkpoint(self.table.vault)
