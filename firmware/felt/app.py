"""The running table: tasks poll devices into one queue of fixed size; the table empties it.

Every task is a plain function of the time, so that tests call it without a loop. Nothing here
waits for a device: a link that is down, a display that is missing or an unread console change
what people see, never what the table does.
"""

from felt.dealer.counter import Counter
from felt.dealer.desk import Desk, lifted, moved_late
from felt.dealer.painter import Painter
from felt.dealer.recall import last_bets
from felt.dealer.touch import leave_menu
from felt.deliveries import Deliveries
from felt.field import lamps
from felt.link import shoe as shoe_link
from felt.loop import Queue
from felt.round import events
from felt.round.due import SPUN, due
from felt.round.state import BET, Refused
from felt.spin import EntropyError
from felt.tasks import Tasks
from felt.ticks import diff

KEYS_MS = 20  # a key is debounced for longer than that
LAMPS_MS = 32  # from one look at the lamps' colours to the next; they change every 128 at most
SETTLED = 12  # scans after which the bet spots are believed
CYCLES = 4  # calls of the random task from one cycle of the generator to the next
READER = 2  # its number where a link is logged: the shoe is 0, the terminal 1


class App(Tasks, Deliveries, Counter, Painter):
    """Devices and table together. `hw` has terminal, shoe, sensors, keys, lamps, display."""

    def __init__(self, table, texts, hw, ticks, build=""):
        self._net = getattr(hw, "net", None)
        Tasks.__init__(self, self._net)
        Deliveries.__init__(self)
        Counter.__init__(self)
        Painter.__init__(self)
        self.table = table
        self.texts = texts
        self.hw = hw
        self.ticks = ticks
        self.build = build
        self.queue = Queue()
        self.desk = Desk(hw.reader, hw.shoe, table.generator)
        self.tests = ()  # lines of the power-on self test
        self._odd = ()  # chips the reader finds that do not agree with the round
        self._remembered = False  # the desk knows what the seats bet before the start
        self._sensor_due = True
        self._scans = 0
        self._keys_at = self._lamps_at = 0
        self._lit = None  # changes the lamps have followed
        self._rest = 0
        table.watch = self._effect

    # --- tasks

    def poll_input(self, now):
        """Bet spots and key switches."""
        hw = self.hw
        if hw.sensors.poll(now):
            self._sensor_due = True
        if self._scans < SETTLED:  # at start every spot reads empty until it is debounced
            self._scans += 1
        elif self._sensor_due and self.queue.put(("sensors", bytes(hw.sensors.state))):
            self._sensor_due = False
        if diff(now, self._keys_at) < KEYS_MS:
            return
        self._keys_at = now
        turned = hw.keys.poll(now)
        if turned and not self.queue.put(("key", turned)):
            hw.keys.on[turned[0]] = not turned[1]  # seen again at the next poll

    def poll_terminal(self, now):
        """Commands in, rows out."""
        terminal = self.hw.terminal
        for line in terminal.poll(now):
            if not self.queue.put(("line" if isinstance(line, str) else "touch", line)):
                terminal.notice(self.texts.get("notice.busy"), True)
        change = terminal.change()
        if change:
            self._renew()
            self.changes += 1
        if change == "console":
            leave_menu(self.desk)  # nothing shows it there
        if change and change != "view":
            self.table.note("link", 1, ("lost", "back", "fresh", "console").index(change))

    def poll_reader(self, now):
        """Amounts from a chip reader, where one is fitted."""
        reader = self.desk.reader
        if reader and reader.poll(now):
            self._renew()
            self.changes += 1
            if reader.connected != self.desk.reads:
                self._follow_reader(reader.connected)
            self._name_odd()

    def _follow_reader(self, found):
        """Say that the reader fell silent or is back; that there is one is no news."""
        desk, m = self.desk, self.table.machine
        desk.reads = found
        if found and desk.silent:
            self.hw.terminal.notice(self.texts.get("notice.reader_back"))
            self.table.note("link", READER, shoe_link.LINK_STATES.index("back"))
        elif not found:
            if m:
                desk.silenced(m)
            self.alarm(self.texts.get("notice.reader_lost"))
            self.table.note("link", READER, shoe_link.LINK_STATES.index("lost"))

    def _name_odd(self):
        """Name chips that were moved after the lock, when it happens."""
        m = self.table.machine
        found = moved_late(m, self.desk) if m and not self.table.fault else ()
        for each in found:
            if each not in self._odd:
                self.refuse(Refused("lies_there", *each))
                self.table.note("late_bet", each[0], m.game.SPOTS.index(each[1]))
        self._odd = found

    def poll_net(self, now):
        """A small step towards the pit, unless the table has used this lap."""
        if not self._spent:
            self._net.poll(now)

    def poll_table(self, now):
        """Empty the queue one item a call, what NEXT books first; then repaint what changed."""
        item = ("batch", self._batch.pop(0)) if self._batch else self.queue.get()
        if item:
            source, what = item
            getattr(self, "_take_" + source)(what)
            self._renew()
            self._spent = True
            self.changes += 1
            if self._back and not self._batch:
                self._tell_back()
            if source != "shoe" and self._shoe_stuck:  # something changed: try again
                self._shoe_stuck = not self.queue.put(("shoe", self.hw.shoe.poll(now)))
        elif self._dirty:
            self._dirty = False
            self._spent = True
            self._paint()
        if not self._busy:
            self._dispense()

    def poll_view(self, now):
        """Lamps and display follow the state."""
        self._light(now)
        if self.hw.display and not self._spent:
            self.hw.display.step(self, now)
            self._turned()
        self._spent = False

    def _light(self, now):
        if self._lit != self.changes:
            self._lit = self.changes
            self._lamps_at = now - LAMPS_MS
            m, fault = self.table.machine, self.table.fault
            waits = due(m) if m and m.r and not fault else None
            for seat in range(1, 8):
                self.hw.lamps.set(seat - 1, seat_pattern(m, seat, fault, waits))
        if diff(now, self._lamps_at) >= LAMPS_MS:
            self._lamps_at = now
            self.hw.lamps.poll(now)

    def _turned(self):
        if self._busy != self.hw.display.turns:
            self._busy = self.hw.display.turns
            self._renew()

    def poll_random(self, now):
        """Stir the generator between spins; stuck sensors are noticed here too."""
        try:
            self._rest = (self._rest + 1) % CYCLES
            if self._stirs():
                self.table.stir()
        except EntropyError as e:
            self.alarm(self.texts.get("refused." + e.args[0]))
            self.table.note("entropy", 0, 0)
        self._miss_shoe(self.table.machine)
        if self.tidy and self._rest == 1 and not self._spent and not self._busy:
            self.tidy()
        if not self._remembered and not self._spent:
            self._remember()
        for fault, spot in self.hw.sensors.faults():
            self.alarm(self.texts.get("notice." + fault, spot // 8 + 1, self._spot(spot % 8)))
            self.table.note("spot", spot, 0)
        if self.table.store_rounds():
            self._excused = True
        if self._net and not self._spent:
            self._net.box.write_down()

    def _stirs(self):
        rests = not (self._spent or self._busy or self.turning())
        return rests and (self.table.unseeded or not self._rest)

    # --- what the queue brings

    def submit(self, event):
        """Submit an event; a refusal is told to the dealer and returned as False."""
        try:
            self.table.submit(event)
            return True
        except Refused as e:
            self.refuse(e)
            return False

    def _take_sensors(self, state):
        m = self.table.machine
        if m and state != m.sensors and not self.table.fault:
            if self.submit(events.pack("SENSORS", state)):
                lifted(m, self.desk)

    def _take_key(self, turned):
        try:
            self.table.turn_key(turned[0], turned[1])
        except Refused as e:
            self.refuse(e)

    def _remember(self):
        """After a start: what each seat bet in the round that is open, or in the last one."""
        self._remembered = self._excused = True
        m = self.table.machine
        if m is None or self.table.fault:
            return
        found = m.bets if m.r else last_bets(self.table)
        if found:
            self.desk.remember(found)
            self._renew()


def seat_pattern(m, seat, fault, now):
    """Return the lamp pattern of a seat while `now` is due."""
    if fault or m is None:
        return lamps.FAULT
    r = m.r
    if r is None:
        return lamps.OPEN if m.phase == BET and m.bets[seat] else lamps.OFF
    if r.late[seat]:
        return lamps.LATE
    if now.seat == seat and now.kind in SPUN:
        return lamps.SPINNING
    if r.tapped[seat]:
        return lamps.SPIN_DUE
    if now.seat == seat and now.kind in ("settle", "tap") and now.amounts:
        return lamps.PAID if any([ln.net > 0 for ln in now.amounts]) else lamps.OFF
    latched = m.game.LATCH and r.stake(seat, m.game.LATCH)
    return lamps.LATCHED if latched else lamps.OFF
