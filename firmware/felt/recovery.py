"""How a table starts: critical memory is verified before the first write, the journal folded.

A start never raises: whatever is wrong becomes a named fault, and the table stays closed. What can
be taken over on purpose (another board's memory, an older image, a damaged log) needs both keys.
"""

from felt.evaluator import Disagreement
from felt.round import events
from felt.round.machine import Machine
from felt.round.state import Refused
from felt.store.area import E_CHAIN, E_ENTRIES, E_OLDER, REASONS, VaultError

ACCEPTABLE = ("vault_foreign", "vault_older", "vault_entries")
# How faults begin under which memory was not read whole: the machine is a new one then, and its
# meters were never counted.
UNREAD = ("vault", "state", "replay")
_KEYS = (events.ATTENDANT, events.SERVICE)


class Recovery:
    """The half of a table that only a start and the service console use."""

    def start(self, cause, switches=None):
        """Recover from critical memory and count the start; a fault keeps the table closed.

        `switches` are the key switches as they stand, a bit each; None believes the journal."""
        self._cause = cause
        try:
            if not self.fault:
                self._recover(cause)
        except VaultError as e:
            self._fail("vault_" + REASONS[e.code])
        except ValueError as e:
            self._fail("state_foreign", e)
        except Refused as e:
            self._fail("replay", e.code)
        except Disagreement:
            self._fail("evaluator")
        except Exception as e:
            self._fail("start", repr(e))
        self._begin_keys(switches)

    def unread(self):
        """True when the machine's meters are not the table's own."""
        return (self.fault or "").split("_")[0] in UNREAD

    def _recover(self, cause):
        m = self.machine
        m.load(self.vault.open())
        self._whole()
        self.starts = self.vault.starts() + 1
        self.vault.stamp(self.stamp)
        self._replay()
        self._conserved()
        if self.fault:
            return
        try:
            self.submit(events.pack("BOOT", cause & 255))
        except Refused:  # no room for it in the open round
            self.note("boot", cause & 255, 1)
        self._note_accepted()
        self._same_configuration()

    def _whole(self):
        """Everything is read before the first byte is written; damage is a fault by its name."""
        self.verified = True
        # a damaged checkpoint is harmless: the other one and the journal give the same state
        damaged = [part for part in self.vault.damage() if part != "copy"]
        if damaged:
            self.detail = " ".join(damaged)
            raise VaultError(E_CHAIN if "chain" in damaged else E_ENTRIES)
        try:
            if self.archive and not self.archive.follows(self.vault):
                raise VaultError(E_OLDER)
        except OSError:
            pass  # flash that cannot be read cannot contradict; it is told when rounds are stored

    def _replay(self):
        """Fold the journal; a checkpoint that a cut prevented is made now."""
        owed = None
        for event in self.vault.replay():
            owed = None
            for effect in self.machine.step(event):
                owed = self._keep(effect, self.vault.at)
        if owed is not None:
            self.vault.checkpoint(self.machine.dump(), owed)

    def rebuild(self):
        """Forget the machine's memory and fold the journal again: it is what is true."""
        fresh = Machine(self.machine.cfg_source)
        fresh.load(self.vault.open())
        self.machine = fresh
        self._replay()

    def _begin_keys(self, switches):
        """Believe the switches, not the journal: a key may have been turned without power."""
        m = self.machine
        if switches is None or m is None:
            return
        self.switches = switches
        try:
            for key in _KEYS:
                self.turn_key(key, switches >> key & 1)
        except Refused as e:
            self._fail("start", e.code)

    def _same_configuration(self):
        """Record a configuration that took force unrecorded; refuse it while wagers stand."""
        if not self.unrecorded():
            return
        m = self.machine
        if not m.between or any(m.bets):
            return self._fail("config_changed")
        self.submit(events.pack("CONFIG", self.identity[8:16]))
        self.note("config_found")

    def unrecorded(self):
        """True when the configuration in force is not the one the journal names."""
        return bool(self.identity) and self.identity[8:16] != self.machine.config_id

    # --- on purpose, with both keys

    def _need_both_keys(self):
        if self.machine is None:
            raise Refused("no_table", self.fault)
        if not self.keys_on():
            raise Refused("both_keys")

    def clear(self, who):
        """Set critical memory up anew: both keys, on purpose, logged. Meters start at zero."""
        self._need_both_keys()
        self.machine = Machine(self.machine.cfg_source)
        self.machine.keys = 3
        newest = self.archive.newest() if self.archive else None
        self.vault.stamp(self.stamp)
        self.vault.clear(self.machine.dump(), who, newest.seal if newest else None)
        self.fault = None
        self.detail = ""

    def accept(self, who):
        """Take critical memory as it is although something is wrong with it; start again."""
        self._need_both_keys()
        fault = self.fault
        if fault not in ACCEPTABLE:
            raise Refused("not_acceptable", fault or "")
        if fault == "vault_foreign":
            self.vault.adopt()
        elif fault == "vault_older":
            self.archive.accept()
        else:
            self.vault.mend()
        self._accepted.append((REASONS.index(fault[6:]), who))
        self.fault = None
        self.detail = ""
        self.machine = Machine(self.machine.cfg_source)
        self.start(self._cause, 3)

    def _note_accepted(self):
        for reason, who in self._accepted:
            self.note("accepted", reason, who)
        self._accepted = []
