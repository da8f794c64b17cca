"""The tasks of the running table: when each is called, and what happens when one raises.

Between spins every task sleeps for its own period. While the wheel turns one loop calls them all,
since the wheel has the time that is left. The watchdog is fed only when all have come round.
"""

import asyncio

from felt.field import lamps
from felt.field.sensors import SCAN_MS
from felt.field.watchdog import Watchdog
from felt.loop import NEVER, Latency, Turns
from felt.ticks import diff

# Each task with its period in ms, and while the wheel turns: the view has all that is left then.
TASKS = (
    ("input", SCAN_MS, SCAN_MS), ("shoe", 10, 40), ("terminal", 10, 40), ("table", 5, 40),
    ("view", 8, NEVER), ("random", 250, 250), ("reader", 20, 40),
)  # fmt: skip
NET_TASK = (("net", 10, 60),)  # only where a table has a network
# By their number; how late the pulse comes is what is kept of a spin's loop.
PULSE, TABLE, VIEW = 0, 3, 4
LAP_MS = 10  # from one look at the watchdog and the loop's lateness to the next
FAILURES = 5  # errors in a row after which a task is given up and the watchdog restarts


class Tasks:
    """The application's part that calls its polls: `poll_NAME` of each task."""

    def __init__(self, net):
        self.dog = None
        self.tidy = None  # called now and then while nothing is under way
        self.latency = Latency()
        self.resting_worst = 0  # ms the loop stood for flash, a page or a start of the generator
        self._excused = False  # such work was done in this round of the loop
        self._spent = False  # the table has used this lap: long work that can wait does
        self._busy = False  # the wheel turns
        self._watched = 0
        self.tasks = TASKS + NET_TASK if net else TASKS
        self._turns = Turns([task[2] for task in self.tasks])
        self._polls = ()
        self._calling = VIEW  # the task that is called while the wheel turns
        self._failures = [0] * len(self.tasks)

    def watch(self, wdt):
        """Put a watchdog over the tasks."""
        names = [task[0] for task in self.tasks]
        self.dog = Watchdog(wdt, names, on_starving=self._starving)

    def _starving(self, name):
        self.table.note("watchdog", [task[0] for task in self.tasks].index(name), 0)

    def safe(self):
        """Outputs safe after an error: every lamp shows the fault."""
        self.hw.lamps.set_all(lamps.FAULT)
        self.hw.lamps.poll(self.ticks())

    async def run(self, sleep_ms):
        """Run every task; the watchdog is fed only when all have come round."""
        self._polls = [getattr(self, "poll_" + task[0]) for task in self.tasks]
        for i, task in enumerate(self.tasks):
            asyncio.create_task(self._task(i, task[1], sleep_ms))
        while True:
            before = self.ticks()
            await sleep_ms(LAP_MS)
            now = self.ticks()
            self._lap(max(0, diff(now, before) - LAP_MS))
            self.dog.poll(now)
            if self._busy:
                self.turn()

    async def _task(self, index, period, sleep_ms):
        while self.attempt(index, self._polls[index]):
            await sleep_ms(period)

    def turn(self):
        """While the wheel turns call the same tasks from here: to switch tasks costs as much as a
        band of the wheel, and memory."""
        for _ in range(2 if self.tidy else 0):  # it looks, then it collects
            self.tidy()
        self._turns.start(self.ticks())
        while self._busy and self._failures[VIEW] < FAILURES:
            try:
                self.laps(self.hw.display, self._turns, self._polls, self._failures)
            except Exception as e:
                self._failures[self._calling] += 1
                self._failed(self._calling, e)
                if self._failures[self._calling] >= FAILURES:
                    self._turns.end(self._calling)

    def laps(self, display, turns, polls, failures):
        """Call one task that is due, paint, and so on; one call lasts as long as the spin."""
        ticks, sleep_ms, check_in = self.ticks, self.hw.sleep_ms, self.dog.check_in
        while self._busy:
            now = ticks()
            task = turns.take(now)
            if task >= 0:
                self._calling = task
                if task == PULSE:
                    self._pulse(now)
                polls[task](now)
                failures[task] = 0
                check_in(task)
            self._calling = VIEW  # between any two tasks: after a pause all of them are due
            if not display.step(self, now) and task < 0:
                sleep_ms(1)

    def _pulse(self, now):
        """What is done every few ms while the wheel turns, and how late it is."""
        self._lap(self._turns.late)
        self._light(now)
        self._turned()
        self._failures[VIEW] = 0
        self.dog.check_in(VIEW)
        if diff(now, self._watched) >= LAP_MS:
            self._watched = now
            self.dog.poll(now)
        self._spent = False
        self.hw.sleep_ms(0)  # what the port does beside us

    def _lap(self, late):
        """Keep how late the loop came round; work that may take long is kept apart."""
        if self._excused:
            self._excused = False
            self.resting_worst = max(self.resting_worst, late)
        elif self.latency.add(late):
            self.table.note("latency", late, 0)

    def attempt(self, index, poll):
        """Call a task and survive what it raises; False when it fails again and again.

        Then every lamp shows the fault, and the watchdog is not fed by that task any more."""
        try:
            poll(self.ticks())
            self._failures[index] = 0
            self.dog.check_in(index)
            return True
        except Exception as e:
            self._failures[index] += 1
            self._failed(index, e)
        return self._failures[index] < FAILURES

    def _say_error(self, index, error):
        self.table.note("error", index, 0)
        self.alarm(self.texts.get("notice.error", self.tasks[index][0], repr(error)))

    def _failed(self, index, error):
        """Say what failed; the journal has everything, so the table goes on from there."""
        self._rows = None
        self.page = None
        self._shoe_waits = False
        try:
            self._say_error(index, error)
            if self._failures[index] >= FAILURES:
                self.safe()
        except Exception:
            self._failures[index] = FAILURES
