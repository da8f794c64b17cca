"""Money and round meters, and the progressive's conservation law. All amounts in cents."""

import micropython
from felt.round.numbers import Reader

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
# In the order of a dump: single numbers, then lists.
SINGLE = (
    "rounds", "period_rounds", "commission", "spins", "jackpot", "contributions", "hits",
    "hit_total", "carried",
)  # fmt: skip
LISTS = ("voids", "handle", "win", "period_handle", "period_win")


class Meters:
    """Lifetime and period meters of one table; `wheel` is its Wheel or None."""

    def __init__(self, wagers, wheel):
        self.wagers = wagers
        self.seed = wheel.seed or 0 if wheel else 0
        self.share = wheel.share if wheel else 0
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
        self.coupons = 0  # face value of match play coupons; kept only where there were any
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

    @micropython.native
    def settled(self, wager, stake, net, coupon=False):
        """Count one settled wager; a coupon is no drop, and wins the house nothing (O4)."""
        i = self.wagers.index(wager)
        if coupon:
            self.coupons += stake
            stake, net = 0, max(net, 0)
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
        out = [getattr(self, name) for name in SINGLE]
        for name in LISTS:
            out += getattr(self, name)
        return out + [self.coupons] if self.coupons else out

    def restore(self, v):
        """Take back what `values` gave; ValueError when it does not fit this table."""
        self.coupons = 0
        size = len(self.values())
        if len(v) == size + 1:
            self.coupons = v[-1]
        elif len(v) != size:
            raise ValueError("meters of another game: %d values" % len(v))
        take = Reader(v)
        for name in SINGLE:
            setattr(self, name, take.one())
        for name in LISTS:
            setattr(self, name, take.some(len(getattr(self, name))))
