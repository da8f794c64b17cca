"""A dealer for the tests: opens a table and plays it event by event, on every runtime."""

from felt import cards
from felt.games.common import BOARD, BURN, DEALER
from felt.round import events, procedures
from felt.round.due import due, stub_due
from felt.round.events import pack
from felt.round.machine import Machine
from felt.round.state import BET, CHECK, Refused

ONES = [1] * 12


class Croupier:
    """One table; settings by keyword, sensors off unless asked for."""

    def __init__(self, game, **settings):
        settings["game"] = game
        settings.setdefault("sensors", False)
        if settings.get("bonus_spin"):
            settings.setdefault("weights", ONES)
        self.m = Machine(settings)
        self.hands = {}
        self.filler = []
        self.effects = []
        self.results = {}

    def do(self, name, *args):
        """Step one event; return its effects."""
        self.effects = self.m.step(pack(name, *args))
        return self.effects

    def refused(self, name, *args):
        """Return the reason an event is refused for; it must change nothing."""
        before = self.m.snapshot()
        try:
            self.m.step(pack(name, *args))
        except Refused as e:
            assert self.m.snapshot() == before, "a refused event left a trace"
            return e.code
        return None

    def key(self, on, which=events.ATTENDANT):
        """Turn a key."""
        return self.do("KEY", which, on)

    def checklist(self):
        """Work the open checklist off; return its steps."""
        names = []
        self.key(1)
        while self.m.phase == CHECK:
            step = self.m.steps[self.m.step_at]
            names.append(procedures.STEPS[step])
            self.do("DONE", step, 26 if step == procedures.CUT else 52)
        self.key(0)
        return names

    def open(self, kind=0):
        """Open the table; return the checklist's steps."""
        self.do("OPEN", kind)
        return self.checklist()

    def bet(self, seat, *cents):
        """Enter a seat's wagers; those not given are 0."""
        more = [0] * (len(self.m.game.WAGERS) - len(cents))
        self.effects = self.m.step(events.bet(seat, list(cents) + more))
        return self.effects

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

    def next_card(self, place):
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
        while times and r.kind() == "deal" and r.stage == stage:
            due = bytes([self.next_card(p & 127) for p in r.plan[r.at]])
            if r.dealing == "auto":
                self.do("STACK", due)
            else:
                self.do("CARD", due[0])
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
        while r.kind() == "decide" and r.stage == stage:
            if r.paying:
                self.do("PAID", r.paying)
                continue
            seat = r.order[r.turn]
            self.act(seat, word, cards.name(r.cards[seat][0]) if card else "")

    def settle(self, spins=()):
        """Play from the last decision to the collected cards; return {(seat, wager): net}."""
        spins = list(spins)
        r = self.m.r
        while r.kind() not in ("collect", "void"):
            kind = r.kind()
            if kind in ("show", "reveal"):
                if stub_due(self.m):
                    self.do("STUB", 52 - r.dealt, 0)
                self.do("REVEAL")
            elif kind == "deal":
                self.deal()
            elif kind == "pot":
                self.do("PAID", 0)
            elif kind == "spin":
                self.spin(spins.pop(0))
            else:
                self.settle_seat(r.order[r.turn])
        return self.nets()

    def settle_seat(self, seat):
        """Tap a winner of a spin, then confirm the seat."""
        if due(self.m).kind == "tap":
            self.do("TAP", seat)
        self.do("PAID", seat)

    def spin(self, position):
        """Spin for the seat that is due."""
        r = self.m.r
        seat = r.order[r.turn]
        self.do("SPIN", seat, position)
        if r.prize:
            self.key(1)
            self.do("HANDPAID", seat)
            self.key(0)
        self.do("SPUN", seat)

    def nets(self):
        """Return {(seat, wager): net} of what is settled so far."""
        return {(s, w): net for s, w, net in self.m.r.results}

    def end(self):
        """Collect the cards, counting the stub when it is due; return the effects."""
        r = self.m.r
        if r.kind() == "collect" and stub_due(self.m):
            self.do("STUB", 52 - r.dealt, 0)
        return self.do("END")

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
