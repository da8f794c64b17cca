"""Money and round meters, and the progressive's conservation law. All amounts in cents."""

CAUSES = (
    "supervisor",
    "dealer_exposed",
    "face_up",
    "miscount",
    "jam",
    "misdeal",
    "stub_misdealt",
    "stub_wrong",
)


class Meters:
    """Lifetime and period meters of one table; `bonus` names its Bonus Spin table or is None."""

    def __init__(self, wagers, bonus):
        self.wagers = wagers
        self.seed = self.share = 0
        if bonus:
            from felt.games.bonus_spin import TABLES, contribution

            stake, seed = TABLES[bonus][:2]
            self.seed = seed or 0
            self.share = contribution(stake) if seed else 0
        self.rounds = self.period_rounds = 0
        self.voids = [0] * len(CAUSES)
        n = len(wagers)
        self.handle = [0] * n
        self.win = [0] * n  # the house's
        self.period_handle = [0] * n
        self.period_win = [0] * n
        self.commission = 0
        self.spins = 0
        self.jackpot = self.seed
        self.contributions = self.hits = self.hit_total = 0
        self.carried = 0  # a meter brought from another table, above the seed

    def carry(self, jackpot):
        """Take over a meter that stood at `jackpot`; a meter below its seed is a fault (P15)."""
        if not self.seed or jackpot < self.seed:
            raise ValueError("meter %r is below its seed %r" % (jackpot, self.seed))
        if jackpot >= 1 << 31:  # a hit is recorded in 32 bits
            raise ValueError("meter %r is more than can be recorded" % jackpot)
        self.carried += jackpot - self.jackpot
        self.jackpot = jackpot

    def contribute(self, wagers):
        """Add the share of each latched Bonus Spin wager (P13)."""
        self.contributions += self.share * wagers
        self.jackpot += self.share * wagers

    def hit(self):
        """Return the frozen prize of a jackpot hit; the meter is at its seed at once."""
        prize = self.jackpot
        self.hits += 1
        self.hit_total += prize
        self.jackpot = self.seed
        return prize

    def settled(self, wager, stake, net):
        """Count one settled wager."""
        i = self.wagers.index(wager)
        self.handle[i] += stake
        self.win[i] -= net
        self.period_handle[i] += stake
        self.period_win[i] -= net

    def round_over(self):
        """Count one round played to its end."""
        self.rounds += 1
        self.period_rounds += 1

    def restart_period(self):
        """Start a new period; lifetime meters never go back."""
        self.period_rounds = 0
        self.period_handle = [0] * len(self.wagers)
        self.period_win = [0] * len(self.wagers)

    def conserved(self):
        """Seeds + carried + contributions - hits = meter, and never below the seed."""
        total = self.seed * (self.hits + 1) + self.carried + self.contributions - self.hit_total
        return total == self.jackpot and self.jackpot >= self.seed

    def values(self):
        """Return every meter as one list, the order of `restore`."""
        return (
            [self.rounds, self.period_rounds, self.commission, self.spins]
            + [self.jackpot, self.contributions, self.hits, self.hit_total, self.carried]
            + self.voids
            + self.handle
            + self.win
            + self.period_handle
            + self.period_win
        )

    def restore(self, v):
        """Take back what `values` gave; ValueError when it does not fit this table."""
        n = len(self.wagers)
        if len(v) != 9 + len(CAUSES) + 4 * n:
            raise ValueError("meters of another game: %d values" % len(v))
        self.rounds, self.period_rounds, self.commission, self.spins = v[:4]
        self.jackpot, self.contributions, self.hits, self.hit_total, self.carried = v[4:9]
        at = 9 + len(CAUSES)
        self.voids = v[9:at]
        self.handle, self.win = v[at : at + n], v[at + n : at + 2 * n]
        self.period_handle, self.period_win = v[at + 2 * n : at + 3 * n], v[at + 3 * n :]
