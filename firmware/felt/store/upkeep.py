"""Looking after the critical memory: verified, set up anew, taken over, mended.

Nothing here happens by itself: all that writes needs both keys, which the table asks for."""

import struct

from felt.store import area as _area
from felt.store import checkpoint, journal
from felt.store.area import VaultError

CLEARED = 255  # log code of the entry that clearing leaves: who, reason code before


_RINGS = ("log", "hits", "guard", "guard")


class Upkeep:
    """The seldom used half of a Vault."""

    def twin(self):
        """Another vault over the same memory, to read it afresh."""
        return type(self)(self.nv, *self._shape[1:], owner=self.owner)

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
        try:
            self.twin().open()
        except VaultError as e:
            if e.code == _area.E_MISSING:
                return [_area.REASONS[e.code]]
            return [_area.REASONS[e.code]] + self.damage()
        return self.damage()

    def damage(self):
        """Return the names of damaged parts beside those that `open` needs."""
        bad = []
        try:
            self.verify_chain()
        except VaultError as e:
            bad.append(_area.REASONS[e.code])
        if any(checkpoint.Copy(a).damaged for a in self._copies):
            bad.append("copy")
        for name, ring, least in zip(_RINGS, self._rings(), self.least):
            if ring.scan() or ring.serial() < least:
                bad.append(name)
        return bad

    def clear(self, state, who, after=None):
        """Set up anew; only with both keys. Intact log entries and hits stay; this is logged.

        `after` is the newest seal kept elsewhere: numbers go on from the later past."""
        if not self.nv:
            raise VaultError(_area.E_MISSING)
        reason, walk = self.reason, self._walk
        for ring in self._rings():
            ring.drop_damaged()
        seq = max([ring.last_seq() for ring in self._rings()] + [walk.seq if walk else 0]) + 1
        serial, number = self._go_on_from(walk.seal if walk else None, after)
        generation = self._header.wipe()
        origin = (walk.seal.chain if walk else b"") + struct.pack("<II", generation, seq) + state
        seal = journal.begin(self.ring, serial, number, seq, origin)
        self._witness.begin(seq)
        for copy in self._copies:
            checkpoint.Copy(copy).drop()
        checkpoint.Copy(self._copies[0]).save(self.with_serials(state), 1, 0, seal.crc)
        self._log.note(seq - 1, CLEARED, who, reason)
        self._guards[0].note(seq - 1, CLEARED, who, reason)
        self._header.write(generation)
        self.open()
        self._ready = True

    def _go_on_from(self, *seals):
        serial = number = 0
        for seal in seals:
            if seal:
                serial = max(serial, seal.serial + 1)
                number = max(number, seal.next_number())
        return serial, number

    def adopt(self):
        """Make another board's memory this one's, as it is; only with both keys."""
        self._header.adopt()

    def mend(self):
        """Replace damaged entries by LOST ones; drop a checkpoint that the other one outlived."""
        for ring, least in zip(self._rings(), self.least):
            ring.drop_damaged(least)
        for area in self._copies:
            copy = checkpoint.Copy(area)
            if copy.damaged:
                copy.drop()
