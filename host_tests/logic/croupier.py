"""A dealer for the tests: opens a table and plays it event by event, on every runtime."""

from felt import cards
from felt.games.common import BOARD, BURN, DEALER
from felt.round import events
from felt.round.due import SPUN, due
from felt.round.events import pack
from felt.round.machine import Machine
from felt.round.state import BET, CHECK, Refused

from tools.rounds import KEY_OFF, KEY_ON, Rounds

ONES = [1] * 12


def why(t, name, *args):
    """Return (code, about...) of a refusal that left no trace."""
    before = t.m.snapshot()
    try:
        t.m.step(pack(name, *args))
    except Refused as e:
        assert t.m.snapshot() == before, "a refused event left a trace"
        return (e.code,) + tuple(e.about)
    return None


class Chips:
    """A chip reader: cents by seat and spot, None for chips it cannot tell."""

    connected = True

    def __init__(self):
        self.lie = {}

    def told(self, seat, spot):
        return (seat, spot) in self.lie

    def cents(self, seat, spot):
        return self.lie.get((seat, spot))


class Croupier(Rounds):
    """One table; settings by keyword, sensors off unless asked for."""

    def __init__(self, game, **settings):
        settings["game"] = game
        settings.setdefault("sensors", False)
        if settings.get("bonus_spin"):
            settings.setdefault("weights", ONES)
        m = Machine(settings)
        Rounds.__init__(self, m, m.step)
        self.spins = []
        self.hands = {}
        self.filler = []
        self.effects = []
        self.results = {}

    def do(self, name, *args):
        """Step one event; return its effects."""
        return self.done(pack(name, *args))

    def done(self, event):
        """Step event bytes; return their effects."""
        self.effects = self.feed(event)
        return self.effects

    def turn(self):
        """Do what is due; a key it needs is on for that long."""
        event = self.answer()
        if event != KEY_ON:
            return self.done(event)
        self.feed(event)
        self.done(self.answer())
        self.feed(KEY_OFF)
        return self.effects

    def refused(self, name, *args):
        """Return the reason an event is refused for; it must change nothing."""
        found = why(self, name, *args)
        return found and found[0]

    def key(self, on, which=events.ATTENDANT):
        """Turn a key."""
        return self.do("KEY", which, on)

    def checklist(self):
        """Work the open checklist off; return its steps."""
        names = []
        self.key(1)
        while due(self.m).kind == "check":
            names.append(due(self.m).choices[0])
            self.turn()
        self.key(0)
        return names

    def open(self, kind=0):
        """Open the table; return the checklist's steps."""
        self.do("OPEN", kind)
        return self.checklist()

    def bet(self, seat, *cents):
        """Enter a seat's wagers; those not given are 0."""
        more = [0] * (len(self.m.game.WAGERS) - len(cents))
        return self.done(events.bet(seat, list(cents) + more))

    def begin(self, *seats, **hands):
        """Open if need be, take 500 a mandatory wager from each seat, and lock.

        `hands`: s1="AhKd", dealer=..., board=..., burn=...: cards dealt there first.
        """
        if self.m.phase != BET:
            self.checklist() if self.m.phase == CHECK else self.open()
        for seat in seats or (1, 2):
            if not self.m.bets[seat]:
                self.bet(seat, *([500] * self.m.game.MANDATORY))
        names = {"dealer": DEALER, "board": BOARD, "burn": BURN}
        self.hands = {}
        for name in hands:
            place = names[name] if name in names else int(name[1:])
            self.hands[place] = list(cards.parse_all(hands[name]))
        taken = [c for p in self.hands for c in self.hands[p]]
        self.filler = [c * 7 % 52 for c in range(52) if c * 7 % 52 not in taken]
        return self.do("LOCK", b"")

    def card(self, place):
        """Return the card that goes to a place now."""
        if self.hands.get(place):
            return self.hands[place].pop(0)
        while True:
            c = self.filler.pop(0)
            if not self.m.r.seen[c]:
                return c

    def deal(self, times=99):
        """Deal what is due, at most `times` deliveries of this stage."""
        r = self.m.r
        stage = r.stage
        while times and due(self.m).kind == "deal" and r.stage == stage:
            self.turn()
            times -= 1
        return self.effects

    def act(self, seat, word, card=""):
        """Enter a decision."""
        code = self.m.game.ACTIONS.index(word)
        return self.do("ACT", seat, code, cards.parse(card) if card else events.NO_CARD)

    def all_act(self, word, card=None):
        """Everyone asked at this stage gives the same answer."""
        r = self.m.r
        stage = r.stage
        while r.stage == stage and r.kind() == "decide":
            now = due(self.m)
            if now.kind == "decide":
                self.act(now.seat, word, cards.name(r.cards[now.seat][0]) if card else "")
            else:
                self.turn()

    def settle(self, spins=()):
        """Play from the last decision to the collected cards; return {(seat, wager): net}."""
        self.spins = list(spins)
        while self.m.r.kind() not in ("collect", "void"):
            self.turn()
        return self.nets()

    def position(self, seat):
        """The next of the positions given."""
        return self.spins.pop(0)

    def spin(self, position):
        """Spin for the seat that is due, to the end."""
        self.spins = [position]
        self.turn()
        while due(self.m).kind in SPUN:
            self.turn()

    def nets(self):
        """Return {(seat, wager): net} of what is settled so far."""
        return {(s, w): net for s, w, net in self.m.r.results}

    def end(self):
        """Collect the cards, counting the stub when it is due; return the effects."""
        while due(self.m).kind == "stub":
            self.turn()
        return self.turn()

    def void_now(self):
        """True when the round is void and every stake lies there to be returned."""
        r = self.m.r
        return r.kind() == "void" and not any([net for _, _, net in r.results])


def kinds(effects):
    """Return the kinds of some effects."""
    return [e[0] for e in effects]


def find(effects, kind):
    """Return the effects of one kind."""
    return [e for e in effects if e[0] == kind]


def premium(**settings):
    """A Premium table."""
    return Croupier("premium", **settings)


def headsup(**settings):
    """A Heads Up table."""
    return Croupier("headsup", **settings)


def colorado(**settings):
    """A Colorado table."""
    settings.setdefault("version", "required")
    return Croupier("colorado", **settings)


def winners_pot(**settings):
    """A Winner's Pot table."""
    return Croupier("winners_pot", **settings)


def premium_round(t):
    """A round whose seat 1 spins; seat 2 folds."""
    t.open()
    t.bet(1, 500, 500, 100, 100, 500)
    t.bet(2, 500, 500, 0, 0, 500)
    t.begin(1, 2, s1="2h5h9h", s2="3s4d7c", dealer="3c3dTs", board="KdQs8c7d")
    t.deal()
    t.all_act("check")
    t.deal()
    t.act(1, "play1")
    t.act(2, "fold")
    t.turn()
    t.do("TAP", 1)
    t.turn()
    t.do("SPIN", 1, 3)
    t.turn()
    t.end()
