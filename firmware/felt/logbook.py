"""What a table writes into its log beside what events leave there, and with which stamp."""

from felt.store.area import VaultError

# Log codes: the position of a key in this list. Only ever appended to.
LOG = (
    "boot", "key", "config", "deck_removed", "paired", "late_bet", "withdrawn", "override",
    "method", "period", "undo", "fault", "drawn_in_error", "tap", "hit", "hand_paid", "void",
    "face_up", "exposed", "miscount", "stub", "device", "no_burn", "button", "watchdog",
    "service", "cleared", "link", "latency", "spot", "entropy", "accepted", "config_found",
    "clock", "error", "archive", "probe", "astray", "stopped", "too_many", "named", "evaluator",
    "counted", "network", "carried", "no_spin",
)  # fmt: skip
# Logged a second time where only their own group can push them out.
GUARDED = (
    ("config", "fault", "override", "void", "service", "cleared", "accepted", "config_found",
     "clock", "error", "probe", "named", "evaluator", "carried"),
    ("boot", "key", "watchdog"),
)  # fmt: skip
# Written down when they come for the first, tenth, hundredth time since power-on: a link that
# comes and goes must not push everything else out.
COUNTED = ("link", "spot", "entropy", "error", "archive", "probe", "fault")

KINDS = 40  # so many different ones are told apart; whoever invents more is counted by name


class Logbook:
    """The half of a table that writes notes."""

    def note(self, key, a=0, b=0, counted=False):
        """Log something that is no event of the round: service entry, latency, link."""
        if self.fault:
            return
        if counted or key in COUNTED:
            which = (key, a, b) if len(self._counts) < KINDS else key
            count = self._counts[which] = self._counts.get(which, 0) + 1
            if str(count).rstrip("0") != "1":
                return
            b += count - 1 << 8  # how many more there were
        try:
            self.vault.note(LOG.index(key), a, b)
        except (VaultError, OSError, ValueError) as e:
            self._fail("journal", e)

    def stamp(self):
        """Number of this start, seconds since power-on, real seconds or 0: for log entries."""
        since = self.seconds() if self.seconds else 0
        return self.starts, since, self.real and self.real + since

    def set_clock(self, real):
        """Real seconds since 2000; log entries carry them from here on."""
        self.real = real - (self.seconds() if self.seconds else 0)
        self.note("clock", real)
