"""What the dealer says becomes events: lines, touches, NEXT and UNDO.

Nothing is booked that was not on the screen, nothing twice, and UNDO takes back what one touch
booked as a whole.
"""

from felt.dealer import commands, screen, touch
from felt.dealer.desk import need_generator, need_shoe, shoe_silent, stands
from felt.dealer.painter import PAGES
from felt.dealer.words import undone_text
from felt.round import events
from felt.round.due import due
from felt.round.state import Refused
from felt.spin import EntropyError
from felt.ticks import diff

REPEAT_MS = 400  # a second ok or NEXT within this is a bounce or a held key
BACK = events.pack("TAKE_BACK")
NAMED = events.CODES["NAMED"]
STANDING = (events.CODES["SPUN"], events.CODES["HANDPAID"])  # once the wheel does
_PROBES = ("duplicate_card", "no_flush", "not_held")  # answers that may tell of a card


class Counter:
    """The application's part that listens to the dealer."""

    def __init__(self):
        self._batch = []  # events that NEXT is booking, one a call
        self._sizes = []  # how many entries each touch booked that UNDO may take back
        self._back = []  # (what, seat) taken back and not told yet
        self._nodded = None  # when ok or NEXT was last heeded

    def _take_line(self, line):
        """A line that was typed; what it opened before gives way to it."""
        words = line.lower().split()
        if words[:1] in (["next"], ["ok"]):
            if self._read():  # what a nod would book is not on the screen
                return
            if self.desk.names is not None:
                words = ["next"]  # the cards that are named, not what waits behind them
        self.page = None
        if words and words[0] in PAGES:
            return self._open_page(words)
        self._command(line, words)

    def _take_touch(self, key):
        """A key of the terminal: it changes the desk, or asks for something to be booked."""
        kind, value, current = key
        if kind == touch.keys.NEXT and self._read():
            return
        self.page = None
        m = self.table.machine
        if m is None or self.table.fault:
            return self.refuse(Refused("table_fault", self.table.fault))
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

    def _read(self):
        """Turn a page, or put the floor's menu away; False when the table itself is shown."""
        if self.page is not None:
            self._turn_page()
            return True
        if not self.desk.floor:
            return False
        if not self._repeated():
            touch.leave_menu(self.desk)
        return True

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
            return None if touch.put_away(self.desk) else self._undo()
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
        need_generator(m, m.bets, self.table.generator)
        need_shoe(m, self.hw.shoe)

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
