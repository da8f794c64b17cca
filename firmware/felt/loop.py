"""How late the loop comes round; and whose turn it is while the wheel turns.

To ask whose turn it is costs microseconds and allocates nothing, so that the wheel has the time,
and no collection starts by itself.
"""

from array import array

import micropython
from micropython import const

from felt.ticks import PERIOD

_MASK = const((1 << 30) - 1)
LONGEST = 1000  # ms a wait lasts at most
NEVER = PERIOD - 1
LATENCY = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # upper bounds of the histogram, ms
LATE_MS = 50  # a loop later than ever before and than this is logged


class Latency:
    """How late the loop came round, as a histogram and the worst seen."""

    def __init__(self):
        self.counts = [0] * (len(LATENCY) + 1)
        self.worst = 0

    def add(self, ms):
        """Count one round of the loop; True when it was late as never before."""
        i = 0
        while i < len(LATENCY) and ms > LATENCY[i]:
            i += 1
        self.counts[i] += 1
        if ms <= self.worst:
            return False
        self.worst = ms
        return ms > LATE_MS

    def quantile(self, per_mille):
        """Return the bound below which that share of the rounds lies."""
        need = (sum(self.counts) * per_mille + 999) // 1000
        for i, count in enumerate(self.counts):
            need -= count
            if need <= 0:
                return min(LATENCY[i], self.worst) if i < len(LATENCY) else self.worst
        return self.worst


@micropython.viper
def soonest(called, periods, count: int, now: int, last: int, longest: int) -> int:
    """The first task after `last` whose period is over; else minus the ms until one's is."""
    at = ptr32(called)
    every = ptr32(periods)
    wait = longest
    n = 0
    while n < count:
        last += 1
        if last >= count:
            last = 0
        left = int(every[last]) - ((now - int(at[last])) & _MASK)
        if left <= 0:
            return last
        if left < wait:
            wait = left
        n += 1
    return 0 - wait


class Turns:
    """`periods`: a task's each, in ms; 0 is whenever no other task is due."""

    def __init__(self, periods):
        self._count = len(periods)
        self._called = array("i", [0] * len(periods))
        self._periods = array("i", periods)
        self._last = 0
        self.late = 0  # ms the task that `next` returned comes late

    def start(self, now):
        """Every period begins now."""
        for task in range(self._count):
            self._called[task] = now & _MASK

    def next(self, now):
        """Return the number of the task whose turn it is, else minus the ms to wait for one."""
        now &= _MASK
        called = self._called
        periods = self._periods
        task = soonest(called, periods, self._count, now, self._last, LONGEST)
        if task >= 0:
            self.late = ((now - called[task]) & _MASK) - periods[task]
            called[task] = now
            self._last = task
        return task

    def every(self, task, ms):
        """Set a task's period."""
        self._periods[task] = ms

    def end(self, task):
        """Call a task no more."""
        self._periods[task] = NEVER
