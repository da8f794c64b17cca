"""The running table: tasks poll devices into one queue of fixed size; the table empties it.

Every task is a plain function of the time, so that tests call it without a loop. Nothing here
waits for a device: a link that is down, a display that is missing or an unread console change
what people see, never what the table does.
"""

import asyncio

from felt.dealer import commands, pages, parts, screen, touch
from felt.dealer.desk import Desk, moved_late, shoe_silent, stands
from felt.dealer.recall import last_bets
from felt.dealer.words import place_name, undone_text
from felt.field import lamps
from felt.field.sensors import SCAN_MS
from felt.field.watchdog import Watchdog
from felt.link import shoe as shoe_link
from felt.loop import NEVER, Latency, Turns
from felt.round import decks, events, procedures
from felt.round.due import SPUN, due
from felt.round.state import BET, Refused
from felt.spin import EntropyError
from felt.ticks import diff

# Each task with its period in ms, and while the wheel turns: the view has all that is left then.
TASKS = (
    ("input", SCAN_MS, SCAN_MS), ("shoe", 10, 40), ("terminal", 10, 40), ("table", 5, 40),
    ("view", 8, NEVER), ("random", 250, 250), ("reader", 20, 40),
)  # fmt: skip
NET_TASK = (("net", 10, 60),)  # only where a table has a network
# By their number; how late the pulse comes is what is kept of a spin's loop.
PULSE, TABLE, VIEW = 0, 3, 4
KEYS_MS = 20  # a key is debounced for longer than that
LAP_MS = 10  # from one look at the watchdog and the loop's lateness to the next
LAMPS_MS = 32  # from one look at the lamps' colours to the next; they change every 128 at most
ROWS_A_CALL = 4  # of the terminal, worked out in one call: 8 ms at most
SETTLED = 12  # scans after which the bet spots are believed
CYCLES = 4  # calls of the random task from one cycle of the generator to the next
ALONE = 12  # such calls without a shoe on its line until that is said
TAGS = 64  # requests a round may make: the next round's first tag is no tag of this one's
PAGES = ("meters", "log", "security", "hits", "recall", "help", "decks", "selftest")
OUTCOMES = ("meters", "log", "security", "hits", "recall")  # would tell a result early
REPEAT_MS = 400  # a second ok or NEXT within this is a bounce or a held key
BACK = events.pack("TAKE_BACK")
NAMED = events.CODES["NAMED"]
STANDING = (events.CODES["SPUN"], events.CODES["HANDPAID"])  # once the wheel does
READER = 2  # its number where a link is logged: the shoe is 0, the terminal 1
FAILURES = 5  # errors in a row after which a task is given up and the watchdog restarts
DEPTH = 16
_SHOE_EVENTS = {
    shoe_link.JAM: events.JAM,
    shoe_link.REMOVED: events.REMOVED,
    shoe_link.ATTACHED: events.ATTACHED,
    shoe_link.CLEARED: events.ATTACHED,
    shoe_link.EMPTY: events.EMPTY,
}
_PROBES = ("duplicate_card", "no_flush", "not_held")  # answers that may tell of a card
_CARDS = (shoe_link.DRAWN, shoe_link.STACK, shoe_link.FACE_UP)  # kinds of the event SHOE


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


class App:
    """Devices and table together. `hw` has terminal, shoe, sensors, keys, lamps, display."""

    def __init__(self, table, texts, hw, ticks, build=""):
        self.table = table
        self.texts = texts
        self.hw = hw
        self.ticks = ticks
        self.build = build
        self.dog = None
        self.queue = Queue()
        self.latency = Latency()
        self.resting_worst = 0  # ms the loop stood for flash, a page or a start of the generator
        self._excused = False  # such work was done in this round of the loop
        self.desk = Desk(hw.reader, hw.shoe)
        self.shown = None  # events of the proposal that stands on the terminal
        self._batch = []  # events that NEXT is booking, one a call
        self._sizes = []  # how many entries each touch booked that UNDO may take back
        self._back = []  # (what, seat) taken back and not told yet
        self._odd = ()  # chips the reader finds that do not agree with the round
        self._remembered = False  # the desk knows what the seats bet before the start
        self._nodded = None  # when ok or NEXT was last heeded
        self._stage = None  # what was due when the page and the desk's entries were made
        self.tests = ()  # lines of the power-on self test
        self.page = None  # rows shown instead of the table, until the next command
        self.more = None  # the words that show what follows them
        self.feed = None  # called with each effect, for a bench
        self.tidy = None  # called now and then while nothing is under way
        self.shoe_id = ""
        self._alone = 0  # calls of the random task without a shoe
        self._shoe_waits = False
        self._shoe_stuck = False  # its message could not be journalled
        self._sensor_due = True
        self._scans = 0
        self._keys_at = self._watched = self._lamps_at = 0
        self._dirty = True
        self._asked = 0
        self.changes = 0  # grows with everything that may change a picture
        self._rows = self._source = self._shows = None  # of a screen that is being worked out
        self._spent = False  # the table has used this lap: long work that can wait does
        self._lit = None  # changes the lamps have followed
        self._busy = False  # the wheel turns
        self._rest = 0
        self._net = getattr(hw, "net", None)
        self.tasks = TASKS + NET_TASK if self._net else TASKS
        self._turns = Turns([task[2] for task in self.tasks])
        self._polls = ()
        self._calling = VIEW  # the task that is called while the wheel turns
        self._failures = [0] * len(self.tasks)
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

    def poll_shoe(self, now):
        """One message at a time; the shoe forgets it when it is journalled."""
        message = self.hw.shoe.poll(now)
        if message and not self._shoe_waits:
            self._shoe_waits = self.queue.put(("shoe", message))

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

    def refuse(self, e):
        """Tell the dealer why something was refused."""
        self.alarm(screen.refusal(self.texts, e, self.table.machine))

    def _take_sensors(self, state):
        m = self.table.machine
        if m and state != m.sensors and not self.table.fault:
            self.submit(events.pack("SENSORS", state))

    def _take_key(self, turned):
        try:
            self.table.turn_key(turned[0], turned[1])
        except Refused as e:
            self.refuse(e)

    def _take_shoe(self, message):
        kind = message[0]
        m = self.table.machine
        if self.table.fault:
            if kind in _CARDS:  # the shoe keeps it until it can be journalled
                self._shoe_stuck = True
                return
        elif kind in _CARDS:
            if not self._cards_left(kind, message):
                return
        elif kind in _SHOE_EVENTS:
            self.submit(events.pack("HAPPENED", events.SHOE, _SHOE_EVENTS[kind]))
        elif kind in (shoe_link.SHUFFLING, shoe_link.SHUFFLED):
            self._follow_shuffler(kind, message, due(m))
        elif kind == shoe_link.IDENTITY:
            self.shoe_id = message[2]
        elif kind == shoe_link.LINK:
            lost = message[1] == "lost"
            self.hw.terminal.notice(self.texts.get("notice.shoe_" + message[1]), lost)
            self.table.note("link", 0, shoe_link.LINK_STATES.index(message[1]))
            if message[1] == "fresh":
                self.hw.shoe.hello()
        elif kind == shoe_link.GARBLED:
            self.alarm(self.texts.get("notice.garbled"))
        self.hw.shoe.accept()
        self._shoe_waits = False

    def _follow_shuffler(self, kind, message, now):
        """Cards in the shuffler are collected; a shuffle it reports is done."""
        if kind == shoe_link.SHUFFLING:
            if now.kind == "collect":
                self.submit(events.pack("END"))
        elif now.choices != (procedures.STEPS[procedures.SHUFFLE],):
            self.submit(events.pack("COUNTED", message[1], message[2]))
        elif self._right_deck(self.table.machine, message[2]):
            self.submit(events.pack("SHUFFLED", message[1]))
        else:
            self.submit(events.pack("COUNTED", message[1], message[2]))

    def _right_deck(self, m, told):
        """Compare the deck a shuffler names with the one whose turn it is (G12)."""
        wanted = decks.in_hand(m) + 1
        if not told or procedures.decks(m) == 1 or told == wanted:
            return True
        self.alarm(self.texts.get("notice.other_deck", wanted, told))
        return False

    def _cards_left(self, kind, message):
        """Journal cards that left the shoe; until that is done the shoe may not forget them."""
        cards = message[3] if kind == shoe_link.STACK else bytes(message[1:2])
        event = events.pack("SHOE", _CARDS.index(kind), message[2], cards)
        self._shoe_stuck = not self.submit(event)
        return not self._shoe_stuck

    def _take_line(self, line):
        """A line that was typed; what it opened before gives way to it."""
        words = line.lower().split()
        if words[:1] in (["next"], ["ok"]) and self.page is not None:
            return self._turn_page()  # what a nod would book is not on the screen
        self.page = None
        if words and words[0] in PAGES:
            return self._open_page(words)
        self._command(line, words)

    def _command(self, line, words):
        """An event, or a sentence that says what is wrong."""
        m = self.table.machine
        if m is None or self.table.fault:
            return self.refuse(Refused("table_fault", self.table.fault))
        if words == ["entropy"]:
            return self._restart_generator(m)
        if words == ["next"]:
            return self._next(self.hw.terminal.whole)
        if words == ["undo"]:
            return self._undo()
        if words[:1] == ["ok"] and self._repeated():
            return
        try:
            if words[:1] == ["clock"]:
                return self._set_clock(m, words[1:])
            self._book(commands.parse(m, line))
            self._booked(1)
            self._typed_card(m, words[0])
        except commands.CommandError as e:
            if e.code == "name_later":
                self.table.note("probe", 0)
            self.alarm(screen.command_text(self.texts, e))
        except Refused as e:
            if e.code in _PROBES or words[0] == "hand":
                self.table.note("probe", 1)
            self.refuse(e)

    def _typed_card(self, m, verb):
        """Cards typed where a shoe reads them are noted, whichever they are."""
        if verb in ("card", "stack") and m.r and m.r.dealing != "hand":
            self.table.note("probe", 2)

    def _take_touch(self, key):
        """A key of the terminal: it changes the desk, or asks for something to be booked."""
        kind, value, current = key
        if kind == touch.keys.NEXT and self.page is not None:
            return self._turn_page()
        self.page = None
        m = self.table.machine
        if m is None or self.table.fault:
            return self.refuse(Refused("table_fault", self.table.fault))
        if kind == touch.keys.NEXT and self.desk.floor:  # what lies under the menu is no offer
            if self._repeated():
                return
            kind = touch.keys.FLOOR
        try:
            found = touch.press(m, self.desk, kind, value)
        except Refused as e:
            return self.refuse(e)
        if found is None:
            return
        what, detail = found
        if what == "next":
            self._next(current)
        elif what == "undo":
            self._undo()
        elif what == "line":
            self._take_line(detail)
        elif what == "events":
            self._start(detail)

    def _repeated(self):
        """True for an ok or NEXT too soon after the last one: a bounce, or a key held down."""
        now = self.ticks()
        if self._nodded is not None and 0 <= diff(now, self._nodded) < REPEAT_MS:
            self.alarm(self.texts.get("notice.repeated"))
            return True
        self._nodded = now
        return False

    def _next(self, current):
        """Book what the screen said NEXT would book, and nothing else."""
        if self._repeated():
            return
        view = self._view()
        if view.proposal.wrong:
            self.refuse(view.proposal.wrong)
        elif not view.proposal.events:
            self.alarm(screen.prompt(view))
        elif not current or view.proposal.events != self.shown:
            self._nodded = None
            self.alarm(self.texts.get("notice.look"))
        else:
            self._start(view.proposal.events)

    def _start(self, booked):
        self._batch = list(booked)
        self._booked(0)

    def _booked(self, count):
        """One touch or line booked that many entries, which UNDO takes back together."""
        if not self.table.machine.undo:
            self._sizes = []
        self._sizes.append(count)

    def _take_batch(self, event):
        """One event of a batch; what it is refused for ends the batch."""
        m = self.table.machine
        last = m.undo[-1:]
        try:
            self._book(event)
            if event != BACK:
                self._sizes[-1] += 1
                if event[0] == events.CODES["ACT"]:
                    self.desk.decided(event[1])
            elif last and last[0][0] == events.CODES["ACT"]:
                self._moved_on(m)
                stands(m, self.desk, last[0][1], m.game.ACTIONS[last[0][2]])
        except Refused as e:
            if event[0] == NAMED:
                self.table.note("probe", 1)
            elif due(m).kind != "bet":
                self.desk.typed = ""  # it is counted again: the next digit begins a number
            self._batch = []
            self.refuse(e)

    def _book(self, event):
        """Submit an event; "lock" and "spin" are the table's: it adds what only it knows."""
        if isinstance(event, str):
            if event == "lock":
                self._need_devices(self.table.machine)
            getattr(self.table, event)()
            if event == "lock":
                self.desk.locked(self.table.machine)
        elif event[0] in STANDING and self.turning():
            self.alarm(self.texts.get("notice.turning"))
        else:
            self._type(event)

    def _type(self, event):
        """Submit what a person entered; that a stub does not fit is said before the key."""
        m = self.table.machine
        if event == events.pack("DEALT") and m.cfg["card_reader"]:
            if m.dealing == "shoe" and not shoe_silent(m, self.hw.shoe):
                raise Refused("reader_reads")
        try:
            self.table.typed(event)
        except Refused as e:
            if e.code == "attendant_key" and event[0] == events.CODES["STUB"]:
                raise Refused("stub_key")
            raise
        self.desk.typed, self.desk.names = "", None  # they were about what is booked now
        if self.desk.reader:
            self._name_odd()

    def _need_devices(self, m):
        """Name a device that is known to fail before money is taken, not after it."""
        latch, generator = m.game.LATCH, self.table.generator
        if latch and any([b and b[m.game.WAGERS.index(latch)] for b in m.bets]):
            wrong = "entropy_off" if generator is None else generator.fault
            if wrong:
                raise Refused(wrong)
        if m.dealing == "auto" and not self.hw.shoe.connected:
            raise Refused("no_shoe")

    def _miss_shoe(self, m):
        """Say once that a table which deals from a shoe has none on its line."""
        if m is None or m.dealing == "hand" or self.hw.shoe.connected:
            self._alone = 0
            return
        self._alone += 1
        if self._alone == ALONE:
            self.alarm(self.texts.get("refused.no_shoe"))

    def _undo(self):
        """Take back the last thing said, or else all that the last touch booked."""
        said = self.desk.take_back()
        if said:
            self._back.append(said)
            return
        size = 0
        while self._sizes and not size:  # a touch that was refused booked none
            size = self._sizes.pop()
        self._batch = [BACK] * max(1, min(size, len(self.table.machine.undo)))

    def _tell_back(self):
        """Say what was taken back, in one sentence."""
        what = []
        for kind in sorted({kind for kind, _ in self._back}):
            seats = sorted([seat for each, seat in self._back if each == kind])
            what.append(undone_text(self.texts, kind, " ".join([str(s) for s in seats])))
        self._back = []
        self.hw.terminal.notice(self.texts.get("note.undone", ", ".join(what)))

    def _open_page(self, words):
        if words[0] in OUTCOMES and self.turning():
            return self.alarm(self.texts.get("notice.turning"))
        self.page = self._read_page(words)
        self.more = self.more and pages.following(words, self.more)

    def _turn_page(self):
        """Show what follows the page that is open; after the last one the table is back."""
        if self._repeated():
            return
        more, self.page = self.more, None
        if more:
            self._open_page(more)

    def _view(self):
        every = self.hw.terminal.view
        table = self.table
        return screen.View(
            table.machine, self.desk, self.texts, every, table.fault, self.turning()
        )

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

    def _spot(self, spot):
        """Return what people call a bet spot."""
        spots = self.table.machine.game.SPOTS if self.table.machine else ()
        return self.texts.get("wager." + spots[spot]) if spot < len(spots) else spot + 1

    def _set_clock(self, m, words):
        """Real time for the log, from a person: never used for anything else."""
        if not m.has_key(events.ATTENDANT):
            raise Refused("attendant_key")
        self.table.set_clock(commands.moment(" ".join(words)))
        self.hw.terminal.notice(self.texts.get("notice.clock"))

    def _restart_generator(self, m):
        """Test the noise source anew: the way back after it failed, for the attendant only."""
        generator = self.table.generator
        try:
            if generator is None:
                raise EntropyError("entropy_off")
            if not m.has_key(events.ATTENDANT):
                raise Refused("attendant_key")
            self._excused = True
            generator.start()
            self.table.unseeded = False
            self.table.note("entropy", 1, 0)
            self.hw.terminal.notice(self.texts.get("notice.entropy"))
        except EntropyError as e:
            self.alarm(self.texts.get("refused." + e.args[0]))
        except Refused as e:
            self.refuse(e)

    def _read_page(self, words):
        """Make a page; rounds are read from flash for it, which takes its time."""
        self._excused = True
        return pages.PAGES[words[0]](self, words[1:])

    def turning(self):
        """True from the moment a spin is drawn until the wheel was seen to stand."""
        if self.table.fault or not self.hw.display:
            return False
        return self.hw.display.turning(self.table.machine)

    def _dispense(self):
        """Ask the automated shoe for the stack that is due, once."""
        m = self.table.machine
        now = due(m) if m and m.r and m.dealing == "auto" else None
        if now is None or now.kind != "deal":
            self._asked = 0
            return
        tag = (m.round_no * TAGS + m.r.dealt) % 255 + 1
        if tag != self._asked and self.hw.shoe.connected:
            if self.hw.shoe.dispense(len(now.places), tag):
                self._asked = tag

    # --- what people see

    def _renew(self):
        """What the terminal shows has changed: rows that were begun before are worked out anew."""
        self._dirty = True
        self._rows = None

    def _effect(self, effect):
        if effect[0] == "alarm":
            about = self.texts.get("wager." + effect[3], default=effect[3])
            self.alarm(self.texts.get("alarm." + effect[1], effect[2], about))
        elif effect[0] == "note":
            about = [place_name(self.texts, place) for place in effect[2:]]
            self.hw.terminal.notice(self.texts.get("note." + effect[1], *about))
        elif effect[0] == "undone":
            self._back.append((effect[1], effect[2]))
        elif effect[0] == "over":
            self.hw.sensors.round_closed()
        if self.feed:
            self.feed(effect)

    def alarm(self, text):
        """Tell the dealer something that must be heard."""
        self.hw.terminal.notice(text, True)
        if self.feed:
            self.feed(("told", text))

    def _paint(self):
        """Paint; what cannot be shown is said, and the table goes on taking entries."""
        try:
            self.paint()
        except Exception as e:
            self._rows = self.page = None
            self._say_error(TABLE, e)

    def paint(self):
        """Work a few rows of the terminal out from the state, or show the page asked for."""
        m = self.table.machine
        if m is None:
            fault = self.texts.get("fault." + self.table.fault)
            rows = [fault, self.texts.get("todo.fault"), self.table.detail]
            if self.hw.terminal.view:
                self.hw.terminal.paint_parts(parts.broken(rows, self.page is not None))
            return self.hw.terminal.paint(rows if self.page is None else self.page)
        self._moved_on(m)
        if self.page is not None:
            self._rows = None
            return self._show(self.page)
        if self._rows is None:
            self._rows = []
            self._shows = self._view()
            self._source = screen.screen(self._shows)
            self._dirty = True  # to see all of it takes as long as some rows
            return
        for row in self._source:
            self._rows.append(row)
            if len(self._rows) % ROWS_A_CALL == 0:
                self._dirty = True
                return
        self._show(self._rows)

    def _moved_on(self, m):
        """A page and half an entry give way when the table waits for something else."""
        stage = (due(m).kind, m.r.stage if m.r else None, m.round_no)
        if stage != self._stage:
            if self._stage is not None:
                self.page = None
                self.desk.moved_on(m.r and stage[1:] == self._stage[1:])
            self._stage = stage

    def _show(self, rows):
        """Paint rows and parts, and remember what NEXT would book by them."""
        view = self._shows if self._rows is not None else self._view()
        terminal = self.hw.terminal
        terminal.paint(rows)
        if terminal.view:
            terminal.paint_parts(parts.parts(view, self.page is not None, self.more))
        self.shown = None if self.page is not None else view.proposal.events
        self._rows = self._source = None

    # --- the loop

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
