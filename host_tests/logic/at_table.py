"""A running table with everything in reach: the application on a clock that is set by hand.

Table, critical memory, bet sensors and lamps are the real ones; devices at the far end of a wire
take down what they are asked and say what a test wants them to say.
"""

import gc

import felt.app as running  # first: to compile it takes most memory
from croupier import Croupier
from felt.field.lamps import Lamps
from felt.field.sensors import Sensors
from felt.logbook import LOG
from felt.round.due import due
from felt.store.vault import Vault
from felt.table import Table
from felt.texts import Texts

from host_tests.helpers.fileimage import FileImage

LANGUAGE = "firmware/lang/en.txt"
TURNING = "! The wheel is still turning."
QUICK = "! Only the first one counted: look first."
MEMORY = FileImage("at_table")  # one for all: a test begins with it blank


class Glass:
    """The dealer's terminal: `says` are lines and touches, `heard` is what it was told."""

    def __init__(self):
        self.says = []
        self.heard = []  # (text, alarm)
        self.rows = self.parts = None
        self.painted = 0
        self.view = self.whole = False
        self.changed = None

    def poll(self, now):
        says, self.says = self.says, []
        return says

    def change(self):
        changed, self.changed = self.changed, None
        return changed

    def notice(self, text, alarm=False):
        self.heard.append((text, alarm))

    def paint(self, rows):
        self.rows = list(rows)
        self.painted += 1

    def paint_parts(self, parts):
        self.parts = parts


class Shoe:
    """A card shoe: gives its messages one after the other, the same one until it is accepted."""

    def __init__(self):
        self.connected = True
        self.says = []
        self.asked = []
        self.takes = True

    def poll(self, now):
        return self.says[0] if self.says else None

    def accept(self):
        self.says.pop(0)

    def hello(self):
        self.asked.append("hello")

    def dispense(self, cards, tag):
        if self.takes:
            self.asked.append((cards, tag))
        return self.takes


class Switches:
    """Two key switches: `turned` is what the next poll says."""

    def __init__(self):
        self.on = [False, False]
        self.turned = None
        self.asked = []

    def poll(self, now):
        self.asked.append(now)
        turned, self.turned = self.turned, None
        return turned


class Noise:
    """A generator that counts what it is asked for; `wrong` is raised by everything."""

    def __init__(self):
        self.fault = self.wrong = None
        self.done = []

    def _do(self, what):
        self.done.append(what)
        if self.wrong:
            raise self.wrong

    def start(self):
        self._do("start")
        self.fault = None

    def cycle(self):
        self._do("cycle")

    def gather(self):
        self._do("gather")
        return True

    def below(self, most):
        return 0

    def reseed(self):
        self._do("reseed")


class Wheel:
    """A display: counts its steps; `spins` while a spin is not shown to its end."""

    def __init__(self):
        self.turns = self.spins = self.more = False
        self.steps = []

    def step(self, app, now):
        self.steps.append(now)
        return self.more

    def turning(self, m):
        return self.spins


class Leds(dict):
    """A chain of lamps: what was written, and how often."""

    writes = 0

    def write(self):
        self.writes += 1


class Chain:
    """The bet spots, a byte a seat."""

    def __init__(self):
        self.bits = bytearray(7)

    def readinto(self, buf):
        buf[:] = self.bits


class Dog:
    """A watchdog's hardware."""

    fed = 0

    def feed(self):
        self.fed += 1


class Parts:
    """What is plugged in."""

    def __init__(self):
        self.terminal, self.shoe, self.keys = Glass(), Shoe(), Switches()
        self.chain, self.leds = Chain(), Leds()
        self.sensors, self.lamps = Sensors(self.chain), Lamps(self.leds)
        self.display = self.reader = None
        self.slept = {}  # ms: how often

    def sleep_ms(self, ms):
        self.slept[ms] = self.slept.get(ms, 0) + 1


class Sitting:
    """One table of a game; `play` is its croupier, who books past the application."""

    def __init__(self, game="headsup", hw=None, **settings):
        gc.collect()
        self.now = 0
        self.play = Croupier(game, **settings)
        self.hw = hw or Parts()
        self.noise = Noise()
        table = Table(self.play.m.cfg_source, Vault(MEMORY), self.noise)
        MEMORY.wipe()
        table.vault.clear(table.machine.dump(), 0)
        table.start(1)
        self.play.m, self.play.feed = table.machine, table.submit
        self.table = table
        self.effects = []
        self.app = running.App(table, Texts(LANGUAGE), self.hw, lambda: self.now, "build")
        self.app.feed = self.effects.append
        self.hw.terminal.heard.clear()

    @property
    def m(self):
        return self.table.machine

    def work(self, most=40):
        """Let the table take everything that waits, and paint it."""
        for _ in range(most):
            self.app.poll_table(self.now)

    def say(self, line):
        """Type a line; return what was told."""
        self.app.queue.put(("line", line))
        return self.told()

    def touch(self, key, value=0, current=True):
        """Touch a key; return what was told."""
        self.app.queue.put(("touch", (key, value, current)))
        return self.told()

    def told(self):
        """Let the table work; return what the dealer was told since the last call."""
        self.work()
        heard, self.hw.terminal.heard = self.hw.terminal.heard, []
        return [("! " if alarm else "") + text for text, alarm in heard]

    def logged(self, *keys):
        """Return (key, a, b) of the log's entries under these keys, oldest first."""
        found = [(LOG[e[2]], e[3], e[4]) for e in self.table.vault.entries() if e[2] < len(LOG)]
        return [each for each in reversed(found) if each[0] in keys]

    def named(self):
        """Return the names of the journalled events since the last checkpoint."""
        from felt.round import events

        return [events.unpack(event)[0] for event in self.table.vault.tail()]


class Net:
    """A network that does nothing."""

    box = None

    def poll(self, now):
        pass


def watched(net=False):
    hw = Parts()
    if net:
        hw.net = Net()
    at = Sitting(hw=hw)
    at.dog = Dog()
    at.app.watch(at.dog)
    return at


class Record:
    """Takes down when each task is called; `work[name]` is done then."""

    def __init__(self, at):
        self.calls = {}
        self.work = {}
        self.at = at
        for task in at.app.tasks:
            setattr(at.app, "poll_" + task[0], self._task(task[0]))

    def _task(self, name):
        calls = self.calls[name] = []

        def poll(now):
            assert now == self.at.now
            calls.append(now)
            if name in self.work:
                self.work[name]()

        return poll


def gaps(times):
    return sorted({b - a for a, b in zip(times, times[1:])})


def fails():
    raise KeyError("lost")


class Spin(Wheel):
    """A wheel that turns for so many ms of the table's clock; a step takes one."""

    def __init__(self, at, ms):
        super().__init__()
        self._at, self._end = at, ms
        self.turns = True
        self.fail = self.count = 0

    def step(self, app, now):
        self._at.now += 1
        if self._at.now >= self._end:
            self.turns = False
        self.count += 1
        if self.fail:
            self.fail -= 1
            raise OSError(self.fail)
        return self.more


def betting(**settings):
    at = Sitting(**settings)
    at.play.open()
    at.told()
    return at


def decided():
    """Heads Up before its first decision; seats 1 and 2 play."""
    at = Sitting()
    at.play.begin(1, 2)
    at.play.deal()
    at.told()
    assert due(at.m).kind == "decide"
    return at
