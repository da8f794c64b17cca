"""What the loop counts with: a queue, how late it comes round, whose turn it is in a spin.

To ask whose turn it is costs microseconds and allocates nothing, so that the wheel has the time,
and no collection starts by itself.
"""

from array import array

import micropython
from micropython import const

from felt.ticks import PERIOD

_MASK = const((1 << 30) - 1)
NEVER = PERIOD - 1
LATENCY = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000)  # upper bounds of the histogram, ms
LATE_MS = 50  # a loop later than ever before and than this is logged
DEPTH = 16


class Queue:
    """A ring of fixed size; `put` says False when it is full, and the giver tries again."""

    def __init__(self, depth=DEPTH):
        self._slots = [None] * depth
        self.depth = depth
        self._first = self.used = 0
        self.most = 0

    def put(self, item):
        """Append an item unless the ring is full."""
        if self.used == len(self._slots):
            return False
        self._slots[(self._first + self.used) % len(self._slots)] = item
        self.used += 1
        self.most = max(self.most, self.used)
        return True

    def get(self):
        """Return the oldest item, or None."""
        if not self.used:
            return None
        item = self._slots[self._first]
        self._slots[self._first] = None
        self._first = (self._first + 1) % len(self._slots)
        self.used -= 1
        return item


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


# What `Turns` keeps in one array: these, then when each task was called, then the periods.
_COUNT = const(0)
_LAST = const(1)
_LATE = const(2)
_CALLED = const(3)


@micropython.viper
def _next(state, now: int, take: int) -> int:
    """The first task after the last one whose period is over, else minus the ms until one's is;
    `take` it: its period begins anew."""
    s = ptr32(state)
    count = int(s[_COUNT])
    task = int(s[_LAST])
    wait = 1000
    n = 0
    while n < count:
        task += 1
        if task >= count:
            task = 0
        late = ((now - int(s[_CALLED + task])) & _MASK) - int(s[_CALLED + count + task])
        if late >= 0:
            if take:
                s[_CALLED + task] = now
                s[_LAST] = task
                s[_LATE] = late
            return task
        if 0 - late < wait:
            wait = 0 - late
        n += 1
    return 0 - wait


class Turns:
    """`periods`: a task's each, in ms."""

    def __init__(self, periods):
        self._count = len(periods)
        self._state = array("i", [len(periods), 0, 0] + [0] * len(periods) + periods)

    def start(self, now):
        """Every period begins now."""
        for task in range(self._count):
            self._state[_CALLED + task] = now & _MASK

    def take(self, now):
        """Return the number of the task whose turn it is, else minus the ms to wait for one."""
        return _next(self._state, now & _MASK, 1)

    def look(self, now):
        """The same, and take nothing."""
        return _next(self._state, now & _MASK, 0)

    @property
    def late(self):
        """Ms that the task taken last came late."""
        return self._state[_LATE]

    def end(self, task):
        """Call a task no more."""
        self._state[_CALLED + self._count + task] = NEVER
