"""What the dealer sees and hears: the screen, pages to read, notices.

A screen is worked out a few rows a call, so that the table is never late for a sensor. What NEXT
may book is what stood on the last one that was shown.
"""

from felt.dealer import pages, parts, screen
from felt.dealer.words import place_name
from felt.round.due import due
from felt.round.state import Refused
from felt.tasks import TABLE

PAGES = ("meters", "log", "security", "hits", "recall", "help", "decks", "selftest")
OUTCOMES = ("meters", "log", "security", "hits", "recall")  # would tell a result early
ROWS_A_CALL = 4  # of the terminal, worked out in one call: 8 ms at most


class Painter:
    """The application's part that shows the table to the dealer."""

    def __init__(self):
        self.feed = None  # called with each effect, for a bench
        self.shown = None  # events of the proposal that stands on the terminal
        self.page = None  # rows shown instead of the table, until the next command
        self.more = None  # the words that show what follows them
        self.changes = 0  # grows with everything that may change a picture
        self._dirty = True
        self._rows = self._source = self._shows = None  # of a screen that is being worked out
        self._stage = None  # what was due when the page and the desk's entries were made

    def alarm(self, text):
        """Tell the dealer something that must be heard."""
        self.hw.terminal.notice(text, True)
        if self.feed:
            self.feed(("told", text))

    def refuse(self, e):
        """Tell the dealer why something was refused."""
        self.alarm(screen.refusal(self.texts, e, self.table.machine))

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

    def _spot(self, spot):
        """Return what people call a bet spot."""
        spots = self.table.machine.game.SPOTS if self.table.machine else ()
        return self.texts.get("wager." + spots[spot]) if spot < len(spots) else spot + 1

    def turning(self):
        """True from the moment a spin is drawn until the wheel was seen to stand."""
        if self.table.fault or not self.hw.display:
            return False
        return self.hw.display.turning(self.table.machine)

    def _view(self):
        every = self.hw.terminal.view
        table = self.table
        return screen.View(
            table.machine, self.desk, self.texts, every, table.fault, self.turning()
        )

    def _renew(self):
        """What the terminal shows has changed: rows that were begun before are worked out anew."""
        self._dirty = True
        self._rows = None

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

    def _open_page(self, words):
        if words[0] in OUTCOMES and self.turning():
            return self.alarm(self.texts.get("notice.turning"))
        if words[0] == "meters" and self.table.unread():
            return self.refuse(Refused("table_fault", self.table.fault))
        self.page = self._read_page(words)
        self.more = self.more and pages.following(words, self.more)

    def _turn_page(self):
        """Show what follows the page that is open; after the last one the table is back."""
        if self._repeated():
            return
        more, self.page = self.more, None
        if more:
            self._open_page(more)

    def _read_page(self, words):
        """Make a page; rounds are read from flash for it, which takes its time."""
        self._excused = True
        return pages.PAGES[words[0]](self, words[1:])
