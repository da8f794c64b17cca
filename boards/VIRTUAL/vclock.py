"""The virtual board's time: real time at any speed, or time that moves only when told to.

LIVE follows the PC's clock times `speed` percent (0 stops the world), but keeps step with the
bench, which leaves out what a busy PC gives to others: a table would take devices for dead that
had no time to speak, and its watchdog would bite a firmware that was not let run. STEP is
deterministic: time passes when the firmware waits, by what the bench grants. Where time stands, a
look at the clock moves it a little, so that a loop that only watches the clock still ends.

asyncio's task queue is C code that stamps "run now" with the PC's own milliseconds. START lies far
ahead of those, so such a task is always due, in order; sleeping tasks carry our time.
"""

try:
    import utime as _pc  # the u forces MicroPython's own module past port/time.py

    _real_us = _pc.ticks_us
    _real_diff = _pc.ticks_diff
    _sleep_us = _pc.sleep_us
except ImportError:
    import time as _pc

    def _real_us():
        return _pc.monotonic_ns() // 1000

    def _real_diff(a, b):
        return a - b

    def _sleep_us(us):
        _pc.sleep(us / 1e6)


LIVE, STEP = 0, 1
START = 1 << 54  # microseconds; divided by 1000 it is still beyond any PC's milliseconds
LOOK_US = 2  # what one look at the clock costs where time stands
SLACK_US = 400000  # ahead of the bench at most; every device may be silent for longer
STEP_US = 100000  # further ahead than that, time goes at half its speed
DEBT_US = 2000


class Clock:
    """Microseconds since START in `us()`; `spend` for work that takes time without waiting."""

    def __init__(self, mode=LIVE, start=START):
        self.mode = mode
        self.speed = 100
        self._now = start
        self._anchor = _real_us()
        self._debt = 0
        self._bench = None  # our time when the bench's was zero, once it has told it
        self._limit = None
        self._slow = 1

    def us(self):
        if self.mode == STEP:
            self._now += LOOK_US
        elif self.stands():
            self._now += LOOK_US
            self._limit += LOOK_US
        return self.peek()

    def stands(self):
        """True while LIVE time waits for the bench."""
        return self._limit is not None and self.peek() == self._limit

    def follow(self, us):
        """The bench is that far; it only ever goes forward, and so do we."""
        now = self.peek()
        if self._bench is None:
            self._bench = now - us
        there = self._bench + us
        self._move(max(now, there))
        self._slow = 2 if now - there > STEP_US else 1
        self._limit = max(self._now, there + SLACK_US)

    def peek(self):
        """Return the time without the price of a look."""
        if self.mode == STEP:
            return self._now
        passed = _real_diff(_real_us(), self._anchor) * self.speed // (100 * self._slow)
        if self._limit is not None and self._now + passed > self._limit:
            self._move(self._limit)
            return self._now
        return self._now + passed

    def _move(self, us):
        self._now = us
        self._anchor = _real_us()

    def set_speed(self, percent):
        self._move(self.peek())
        self.speed = percent

    def advance(self, us):
        """Move time on; the bench's grant in STEP, a test's own clock hand in LIVE."""
        self._now += us

    def spend(self, us):
        """A bus was busy that long. Small amounts are added up, for a PC cannot sleep exactly."""
        if self.mode == STEP:
            self._now += us
            return
        self._debt += us
        if self._debt >= DEBT_US and self.speed:
            _sleep_us(self._debt * 100 // self.speed)
            self._debt = 0

    def real_us(self, us):
        """Return how long the PC has to wait for that much of our time; None while stopped."""
        return us * 100 // self.speed if self.speed else None
