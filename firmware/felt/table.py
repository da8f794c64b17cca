"""The table: machine, critical memory and random generator behind one door, `submit`.

An event is stepped in memory, journalled, and only then are its effects let out. When the journal
cannot be written the table is at fault and nothing more is let out: a restart replays to the last
event that reached the medium. When the two evaluators disagree over a hand the event is not even
journalled: nothing is paid on it.
"""

from felt.evaluator import Disagreement
from felt.games import SettingsError
from felt.round import events
from felt.round.due import spinner
from felt.round.machine import Machine
from felt.round.state import BET, Refused
from felt.spin import EntropyError
from felt.store.area import REASONS, VaultError, VaultFull

# Log codes: the position of a key in this list. Only ever appended to.
LOG = (
    "boot", "key", "config", "deck_removed", "paired", "late_bet", "withdrawn", "override",
    "method", "period", "undo", "fault", "drawn_in_error", "tap", "hit", "hand_paid", "void",
    "face_up", "exposed", "miscount", "stub", "device", "no_burn", "button", "watchdog",
    "service", "cleared", "link", "latency", "spot", "entropy", "evaluator",
)  # fmt: skip

OVERHEAD = 6  # journal bytes an event takes beside its own
MARGIN = 768  # journal kept free in a round so that it can always be settled or voided
COMFORT = 3072  # below this a checkpoint is made while no wager is locked
_SMALL_TALK = (events.CODES["SENSORS"], events.CODES["UNDO"], events.CODES["FAULT"])

CONTEXT = 7  # bytes behind the identities in LOCK: button, jackpot before the round


def context(m):
    """Return what a replay of the coming round alone needs to know of the past."""
    return bytes([m.button]) + m.meters.jackpot.to_bytes(6, "big")


class Table:
    """One table. `watch(effect)` sees each effect after its event is on the medium."""

    def __init__(self, settings, vault, generator=None, identity=b"", watch=None):
        self.vault = vault
        self.generator = generator
        self.identity = identity  # firmware, configuration and weights in force, 8 bytes each
        self.watch = watch
        self.fault = None  # a text key; the table is closed while it is set
        self.detail = ""
        self.machine = None
        self.replayed = 0
        self.archive = None  # older rounds on flash; None keeps only what critical memory holds
        self.unstored = True  # rounds may be waiting for the archive
        self.unseeded = False  # the generator owes this round fresh entropy
        try:
            self.machine = Machine(settings)
        except SettingsError as e:
            self._fail("settings", "%s %s" % (e.name, e.why))

    def _fail(self, code, detail=""):
        if self.fault is None:
            self.fault = code
            self.detail = str(detail)

    def start(self, cause):
        """Recover from critical memory and count the start; a fault keeps the table closed."""
        if self.fault:
            return
        try:
            self.machine.load(self.vault.open())
            self._replay()
        except VaultError as e:
            self._fail("vault_" + REASONS[e.code])
        except ValueError as e:
            self._fail("state_foreign", e)
        except Refused as e:
            self._fail("replay", e.code)
        except Disagreement:
            self._fail("evaluator")
        if not self.fault:
            self._conserved()
        if not self.fault:
            self.submit(events.pack("BOOT", cause & 255))

    def _replay(self):
        """Fold the journal; a checkpoint that a cut prevented is made now."""
        owed = None
        for event in self.vault.replay():
            owed = None
            self.replayed += 1
            for effect in self.machine.step(event):
                owed = self._keep(effect, self.vault.at, owed)
        if owed is not None:
            self.vault.checkpoint(self.machine.dump(), owed)

    def clear(self, who):
        """Set critical memory up anew: both keys, on purpose, logged. Meters start at zero."""
        if self.machine is None:
            raise Refused("table_fault", self.fault)
        if not (self.keys_on()):
            raise Refused("both_keys")
        self.machine = Machine(self.machine.cfg_source)
        self.machine.keys = 3
        self.vault.clear(self.machine.dump(), who)
        self.fault = None
        self.detail = ""

    def keys_on(self):
        """True while attendant's and service key are both on; set by the key switches."""
        return self.machine.keys & 3 == 3

    def turn_key(self, key, on):
        """A key switch turned; known even while a fault keeps the journal shut."""
        if self.fault:
            m = self.machine
            if m:
                m.keys = m.keys & ~(1 << key) | int(on) << key
            return []
        return self.submit(events.pack("KEY", key, int(on)))

    def submit(self, event):
        """Step, journal, let the effects out; return them. Refused changes nothing."""
        if self.fault:
            raise Refused("table_fault", self.fault)
        self._make_room(event)
        effects = self._step(event)
        try:
            seq = self.vault.append(event)
        except (VaultFull, VaultError, OSError) as e:
            self._fail("journal", e)
            raise Refused("table_fault", self.fault)
        self._keep_all(effects, seq)
        self._conserved()
        if self.watch:
            for effect in effects:
                self.watch(effect)
        return effects

    def _step(self, event):
        try:
            return self.machine.step(event)
        except Disagreement:
            self.note("evaluator", self.machine.round_no + 1)
            self._fail("evaluator")
            raise Refused("table_fault", self.fault)

    def _make_room(self, event):
        """Keep enough journal free to settle or void whatever is open."""
        room = self.vault.room()
        if self.machine.between:
            if room < COMFORT:
                self._checkpoint(0)
        elif event[0] in _SMALL_TALK and room < MARGIN + len(event):
            raise Refused("journal_full")
        elif room < len(event) + OVERHEAD:
            raise Refused("journal_full")

    def _keep_all(self, effects, seq):
        owed = None
        try:
            for effect in effects:
                owed = self._keep(effect, seq, owed)
        except (VaultError, OSError) as e:
            self._fail("journal", e)
        if owed is not None:
            self._checkpoint(owed)

    def _keep(self, effect, seq, owed):
        """Write what an effect leaves in logs; return whether a checkpoint is owed."""
        kind = effect[0]
        if kind == "log":
            self.vault.log(seq, LOG.index(effect[1]), effect[2], effect[3])
        elif kind == "hit":
            self.vault.hit(seq, effect[1], effect[2], self.machine.round_no + 1)
        elif kind == "checkpoint":
            return max(owed or 0, effect[1])
        return owed

    def _checkpoint(self, closes):
        try:
            self.vault.checkpoint(self.machine.dump(), closes)
        except (VaultError, OSError) as e:
            self._fail("journal", e)
        self.unstored = self.unstored or bool(closes)

    def _conserved(self):
        if not self.machine.meters.conserved():
            self._fail("meters")

    def note(self, key, a=0, b=0):
        """Log something that is no event of the round: service entry, latency, link."""
        if self.fault:
            return
        try:
            self.vault.note(LOG.index(key), a, b)
        except (VaultError, OSError) as e:
            self._fail("journal", e)

    def lock(self):
        """No more bets, under the identities in force; the generator owes a reseed."""
        seal = self.identity + context(self.machine)
        effects = self.submit(events.pack("LOCK", seal))
        self.unseeded = self.generator is not None
        return effects

    def stir(self):
        """A few milliseconds of the generator's work: the reseed a round owes, else a cycle."""
        if self.generator is None or self.generator.fault:
            return
        if not self.unseeded:
            self.generator.cycle()
        elif self.generator.gather():
            self.unseeded = False

    def spin(self):
        """Draw the position of the spin that is due; it is journalled before the wheel turns."""
        m = self.machine
        seat = spinner(m)
        if self.generator is None:
            raise Refused("entropy_off")
        from felt.spin import wheel  # tables without Bonus Spin have no use for it

        try:
            if self.unseeded:
                self.generator.reseed()
                self.unseeded = False
            position = wheel.draw(m.cfg["weights"], self.generator.below)
        except EntropyError as e:
            raise Refused(e.args[0])
        return self.submit(events.pack("SPIN", seat, position))

    def store_rounds(self):
        """Copy finished rounds to flash; True when something was written.

        A flash write stops everything for up to 400 ms: never while wagers are on the felt.
        """
        if not (self.unstored and self.archive and self.resting()) or self.fault:
            return False
        self.unstored = False
        return bool(self.archive.add(self.vault))

    def rounds(self):
        """Yield finished rounds, newest first: from critical memory, then from flash."""
        for found in self.vault.rounds():
            yield found
        for found in self.archive.older(self.vault) if self.archive else ():
            yield found

    def may_configure(self):
        """True while settings may be replaced: no wager locked, service key on."""
        m = self.machine
        return m is None or (m.between and m.has_key(events.SERVICE))

    def resting(self):
        """True while flash may be written: no round open and no wager waiting for one."""
        m = self.machine
        return m is None or (m.between and m.phase != BET) or not any(m.bets)
