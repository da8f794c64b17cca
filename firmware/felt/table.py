"""The table: machine, critical memory and random generator behind one door, `submit`.

An event is stepped in memory, journalled, and only then are its effects let out. When the journal
cannot be written the table is at fault and nothing more is let out: a restart replays to the last
event that reached the medium.
"""

from felt.evaluator import Disagreement
from felt.games import SettingsError
from felt.history import History
from felt.logbook import GUARDED, LOG, Logbook
from felt.recovery import Recovery
from felt.round import events
from felt.round.due import spinner
from felt.round.machine import Machine
from felt.round.state import Refused
from felt.spin import EntropyError, wheel
from felt.store.area import VaultError, VaultFull
from felt.store.journal import OVERHEAD

RESERVE = 1536  # journal bytes that only the events which bring a round to its end may use
MARGIN = RESERVE + 768  # below this no report is taken in a round
COMFORT = 3072  # below this a checkpoint is made while no wager is locked
ROUND_ROOM = 4608  # a round begins with at least this
_TO_THE_END = [
    events.CODES[name]
    for name in (
        "CARD", "STACK", "ACT", "REVEAL", "PAID", "TAP", "SPIN", "SPUN", "HANDPAID", "STUB",
        "END", "VOID", "DISCARD", "DONE", "SHOE", "GO_ON", "SAID", "DEALT",
    )
]  # fmt: skip
_LOCK, _KEY, _BOOT = events.CODES["LOCK"], events.CODES["KEY"], events.CODES["BOOT"]
_SHOE = events.CODES["SHOE"]
# Room below which these are not taken in a round; a hand that must be named may use the reserve.
_LEAST = {_KEY: RESERVE + 64, _BOOT: RESERVE + 64, events.CODES["NAMED"]: RESERVE // 2}
# Reports that may say what is known already; the journal takes only what changes the table.
_REPORTS = [
    events.CODES[name] for name in ("DEVICE", "HAPPENED", "FACEUP", "EXPOSED", "BUTTON", "FAULT")
]

CONTEXT = 7  # bytes behind the identities in LOCK: button, jackpot before the round


def context(m):
    """Return what a replay of the coming round alone needs to know of the past."""
    return bytes([m.button]) + m.meters.jackpot.to_bytes(6, "big")


class Table(Recovery, Logbook, History):
    """One table. `watch(effect)` sees each effect after its event is on the medium."""

    # Below this a key is journalled only around an event that needs it. Above it, one that is
    # turned on is never refused.
    KEY_ROOM = _LEAST[_KEY] + 3 + OVERHEAD

    def __init__(self, settings, vault, generator=None, identity=b"", watch=None):
        self.vault = vault
        self.generator = generator
        self.identity = identity  # firmware, configuration and weights in force, 8 bytes each
        self.watch = watch
        self.fault = None  # a text key; the table is closed while it is set
        self.detail = ""
        self.machine = None
        self.archive = None  # older rounds on flash; None keeps only what critical memory holds
        self.unstored = True  # rounds may be waiting for the archive
        self.unseeded = False  # the generator owes this round fresh entropy
        self.kept = None  # every configuration played under, on flash
        self.document = b""  # the one in force
        self.verified = False  # critical memory was read whole by this start
        self.switches = 0  # the key switches as they stand
        self.starts = 0
        self.seconds = None  # gives the seconds since power-on
        self.real = 0  # real time at power-on; 0 while no clock was set
        self._accepted = []
        self._counts = {}
        if vault:
            vault.guarded = [[LOG.index(key) for key in keys] for keys in GUARDED]
        try:
            self.machine = Machine(settings)
        except SettingsError as e:
            self._fail("settings", "%s %s" % (e.name, e.why))

    def _fail(self, code, detail=""):
        if self.fault is None:
            self.fault = code
            self.detail = str(detail) or self.detail

    # --- key switches

    def keys_on(self):
        """True while attendant's and service key are both on; set by the key switches."""
        return self.machine.keys & 3 == 3

    def turn_key(self, key, on):
        """A key switch turned; known even while a fault keeps the journal shut."""
        m = self.machine
        self.switches = self.switches & ~(1 << key) | int(on) << key
        if m is None:
            return
        if self.fault:
            m.keys = self.switches
        elif m.has_key(key) != bool(on) and not (on and self._scarce()):
            self.submit(events.pack("KEY", key, int(on)))

    def _scarce(self):
        """True when so little journal is left in a round that keys are journalled by need."""
        return not self.machine.between and self.vault.room() < self.KEY_ROOM

    def _lend_key(self, event):
        """Journal the attendant's key, which is on, around the one event that needs it."""
        self.machine.keys |= 1
        try:
            effects = self._step(event)
        finally:
            self.machine.keys &= ~1
        self._append(events.pack("KEY", events.ATTENDANT, 1))
        seq = self._append(event)
        self._append(events.pack("KEY", events.ATTENDANT, 0))
        return effects, seq

    # --- the one door

    def typed(self, event):
        """Submit what a person entered: some reports need a key then (G7c)."""
        self.machine.typed = True
        try:
            return self.submit(event)
        finally:
            self.machine.typed = False

    def submit(self, event):
        """Step, journal, let the effects out; return them. Refused changes nothing."""
        if self.fault:
            raise Refused("table_fault", self.fault)
        self._make_room(event)
        report = self._may_be_old(event) and self.machine.snapshot()
        try:
            effects = self._step(event)
            if report and report == self.machine.snapshot():
                return self._old_news(effects)
            seq = self._append(event)
        except Refused as e:
            if e.code != "attendant_key" or not (self.switches & 1 and self._scarce()):
                raise
            effects, seq = self._lend_key(event)
        self._keep_all(effects, seq)
        self._conserved()
        self._let_out(effects)
        if self.machine.keys and self._scarce():
            for key in (events.ATTENDANT, events.SERVICE):
                if self.machine.has_key(key):
                    self.submit(events.pack("KEY", key, 0))
        return effects

    def _may_be_old(self, event):
        """True for a report that may change nothing; in a round every card is journalled."""
        astray = event[0] == _SHOE and self.machine.r is None
        return event[0] in _REPORTS or astray

    def _let_out(self, effects):
        if self.watch:
            for effect in effects:
                self.watch(effect)

    def _old_news(self, effects):
        """A report that changed nothing is told and counted, not journalled."""
        for effect in effects:
            if effect[0] == "log":
                self.note(effect[1], effect[2], effect[3], counted=True)
        self._let_out(effects)
        return effects

    def _step(self, event):
        """Step the machine; an error in it is a refusal, and the journal says what is true."""
        try:
            return self.machine.step(event)
        except Refused:
            raise
        except Disagreement:  # nothing is paid on it, and nothing more is taken
            self.note("evaluator", 0, event[0])
            self._fail("evaluator")
            raise Refused("table_fault", self.fault)
        except Exception as e:
            about = e
        try:
            self.rebuild()
            self.note("error", 255, event[0])
        except Exception as e:
            self._fail("replay", repr(e))
        raise Refused("program_error", repr(about))

    def _append(self, event):
        """Journal an event; when that fails nothing more is let out."""
        try:
            return self.vault.append(event)
        except (VaultFull, VaultError, OSError, ValueError) as e:
            self._fail("journal", e)
            raise Refused("table_fault", self.fault)

    def _make_room(self, event):
        """Keep enough journal free to settle or void whatever is open."""
        room = self.vault.room()
        need = len(event) + OVERHEAD
        if self.machine.between:
            if room < (ROUND_ROOM if event[0] == _LOCK else COMFORT):
                self._checkpoint(0)
        elif event[0] in _TO_THE_END or (event[0] == _KEY and not event[-1]):
            if room < need:
                raise Refused("journal_full")
        elif room < need + _LEAST.get(event[0], MARGIN):
            raise Refused("journal_full")

    def _keep_all(self, effects, seq):
        owed = None
        try:
            for effect in effects:
                owed = self._keep(effect, seq)
        except (VaultError, OSError) as e:
            self._fail("journal", e)
        if owed is not None:
            self._checkpoint(owed)

    def _keep(self, effect, seq):
        """Write what an effect leaves in logs; return what a checkpoint closes, or None.

        A checkpoint is the last of an event's effects."""
        kind = effect[0]
        if kind == "log":
            self.vault.log(seq, LOG.index(effect[1]), effect[2], effect[3])
        elif kind == "hit":
            self.vault.hit(seq, effect[1], effect[2], self.machine.round_no + 1)
        return effect[1] if kind == "checkpoint" else None

    def _checkpoint(self, closes):
        try:
            self.vault.checkpoint(self.machine.dump(), closes)
        except (VaultError, OSError) as e:
            self._fail("journal", e)
        self.unstored = self.unstored or bool(closes)

    def _conserved(self):
        if not self.machine.meters.conserved():
            self._fail("meters")

    def lock(self):
        """No more bets, under the identities in force; the generator owes a reseed."""
        if self.unrecorded():
            raise Refused("config_changed")
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

    def end_spins(self):
        """Give up spins that are due while the generator cannot draw them."""
        if self.generator is not None and not self.generator.fault:
            raise Refused("spin_works")
        return self.typed(events.pack("NO_SPIN"))

    def spin(self):
        """Draw the position of the spin that is due; it is journalled before the wheel turns."""
        m = self.machine
        seat = spinner(m)
        if self.generator is None:
            raise Refused("entropy_off")
        try:
            if self.unseeded:
                self.generator.reseed()
                self.unseeded = False
            position = wheel.draw(m.cfg["weights"], self.generator.below)
        except EntropyError as e:
            raise Refused(e.args[0])
        return self.submit(events.pack("SPIN", seat, position))
