"""One full round of each game, all events and effects hashed: the same bytes on every runtime.

The hash runs over the event log and every effect, so a difference anywhere shows; it is printed,
and printed output must be equal on CPython, MicroPython and the RP2040.
"""

from hashlib import sha256

from croupier import Croupier
from felt import cards
from felt.round import events
from felt.round.due import due
from felt.round.events import pack

RP2040 = True
DECK = bytes([c * 11 % 52 for c in range(52)])


class Tape(Croupier):
    """A dealer with one deck for all; what goes in and what comes out is hashed."""

    def __init__(self, game, **settings):
        Croupier.__init__(self, game, **settings)
        self.feed = self.step
        self.sum = sha256()
        self.log = 0
        self.deck = list(DECK)

    def step(self, event):
        effects = self.m.step(event)
        self.log += len(event)
        self.sum.update(event)
        for e in effects:
            self.sum.update(repr(e).encode())
        return effects

    def lock(self, stakes, *seats):
        self.open(1)
        for seat in seats:
            self.bet(seat, *stakes)
        self.do("LOCK", b"")

    def card(self, place):
        return self.deck.pop(0)

    def deal(self, first=""):
        first = list(cards.parse_all(first))
        self.deck = first + [c for c in self.deck if c not in first]
        return Croupier.deal(self)

    def all_act(self, words):
        """Every seat in turn; a hand that is kept lays its third card down."""
        for word in words.split():
            seat = due(self.m).seat
            lays = self.m.game.decision(word).discards
            self.act(seat, word, cards.name(self.m.r.cards[seat][2]) if lays else "")
            if due(self.m).kind == "settle" and self.m.r.paying:
                self.turn()

    def report(self, spins=()):
        self.settle(spins)
        results = sorted(self.m.r.results)
        self.end()
        self.sum.update(self.m.dump())
        print(self.m.game.NAME, self.log, "bytes of events")
        print("".join(["%02x" % b for b in self.sum.digest()]))
        for row in results:
            print(*row)


def test_premium_with_spins():
    t = Tape("premium", bonus_spin="flush5_progressive")
    t.lock([500, 500, 100, 200, 500], 1, 3, 6)
    t.deal("2h3c4s5dJh5cTs7dQh9c8s")  # seat 1: three hearts; seat 3: three clubs
    t.all_act("play3 check check")
    t.deal()
    t.all_act("fold play2")
    t.report([1, 6, 9])
    assert t.m.meters.hits == 1 and t.m.meters.conserved()


def test_headsup_by_automated_shoe():
    t = Tape("headsup", dealing="auto", shuffler="counting")
    t.lock([1500, 1500, 500, 100], 2, 5)
    t.deal("AhKhQh2c3d" + "JhTh" + "7c7d")
    t.all_act("raise3 check")
    t.turn()
    t.all_act("check")
    t.turn()
    t.all_act("fold")
    t.report()


def test_colorado_with_an_instant_winner():
    t = Tape("colorado", version="required")
    t.lock([2500, 100], 1, 4, 7)
    t.deal("9c2hKd3s9d5hKc4s9h7hKh8s")
    t.all_act("instant bet fold")
    t.report()


def test_winners_pot():
    t = Tape("winners_pot", commission_percent=7)
    t.lock([700, 100], 1, 2, 6)
    t.deal()
    t.all_act("bet bet bet")
    t.deal()
    t.all_act("double fold double")
    t.deal()
    t.report()


def test_ultimate():
    t = Tape("ultimate")
    t.lock([500, 500, 100], 1, 3, 6)
    t.deal()
    t.all_act("play4 check check")
    t.deal()
    t.all_act("play2 check")
    t.deal()
    t.all_act("fold")
    t.report()


def test_three_card():
    t = Tape("three_card")
    t.lock([500, 100], 2, 4, 7)
    t.deal()
    t.all_act("play fold play")
    t.report()


def test_a_refusal_is_the_same_everywhere():
    t = Tape("premium")
    for raw in (b"", pack("LOCK", b""), pack("SPIN", 1, 1), bytes([events.CODES["ACT"], 1])):
        try:
            t.step(raw)
            print("accepted", raw)
        except Exception as e:
            print(e.code, e.about)
