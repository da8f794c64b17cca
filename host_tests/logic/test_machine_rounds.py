"""One full round of each game, all events and effects hashed: the same bytes on every runtime.

The hash runs over the event log and every effect, so a difference anywhere shows; it is printed,
and printed output must be equal on CPython, MicroPython and the RP2040.
"""

from hashlib import sha256

from felt import cards
from felt.round import events
from felt.round.events import bet, pack
from felt.round.machine import Machine

RP2040 = True
DECK = bytes([c * 11 % 52 for c in range(52)])


class Tape:
    """Steps a machine and hashes what goes in and what comes out."""

    def __init__(self, settings):
        settings["sensors"] = False
        self.m = Machine(settings)
        self.sum = sha256()
        self.log = 0
        self.deck = list(DECK)

    def do(self, name, *args):
        self.step(pack(name, *args))

    def step(self, event):
        effects = self.m.step(event)
        self.log += len(event)
        self.sum.update(event)
        for e in effects:
            self.sum.update(repr(e).encode())

    def open(self):
        self.do("KEY", 0, 1)
        self.do("OPEN", 1)
        self.do("DONE", 2, 0)
        self.do("DONE", 7, 20)

    def deal(self, first=""):
        r = self.m.r
        stage = r.stage
        first = list(cards.parse_all(first))
        for c in first:
            self.deck.remove(c)
        self.deck = first + self.deck
        while r.kind() == "deal" and r.stage == stage:
            n = len(r.plan[r.at])
            due, self.deck = bytes(self.deck[:n]), self.deck[n:]
            self.do("STACK", due) if r.dealing == "auto" else self.do("CARD", due[0])

    def act(self, words):
        r = self.m.r
        for word in words.split():
            seat = r.order[r.turn]
            card = r.cards[seat][2] if word in ("bet", "stay") and r.cards[8] else 255
            self.do("ACT", seat, self.m.game.ACTIONS.index(word), card)
            if r.paying:
                self.do("PAID", r.paying)

    def finish(self, spins=()):
        r = self.m.r
        spins = list(spins)
        while r.kind() != "collect":
            kind = r.kind()
            seat = r.order[r.turn] if r.turn < len(r.order) else 0
            if kind in ("show", "reveal"):
                self.do("REVEAL")
            elif kind == "spin":
                self.do("SPIN", seat, spins.pop(0))
                if r.prize:
                    self.do("HANDPAID", seat)
                self.do("SPUN", seat)
            else:
                tap = getattr(self.m.game, "triggers", None)
                if kind == "settle" and tap and tap(r, seat) and not r.tapped[seat]:
                    self.do("TAP", seat)
                self.do("PAID", 0 if kind == "pot" else seat)
        results = sorted(r.results)
        self.do("END")
        self.sum.update(self.m.dump())
        return results

    def report(self, results):
        print(self.m.game.NAME, self.log, "bytes of events")
        print("".join(["%02x" % b for b in self.sum.digest()]))
        for row in results:
            print(*row)


def test_premium_with_spins():
    t = Tape({"game": "premium", "bonus_spin": "flush5_progressive", "weights": [1] * 12})
    t.open()
    for seat in (1, 3, 6):
        t.step(bet(seat, [500, 500, 100, 200, 500]))
    t.do("LOCK", b"")
    t.deal("2h3c4s5dJh5cTs7dQh9c8s")  # seat 1: three hearts; seat 3: three clubs
    t.act("play3 check check")
    t.deal()
    t.act("fold play2")
    results = t.finish([1, 6, 9])
    assert t.m.meters.hits == 1 and t.m.meters.conserved()
    t.report(results)


def test_headsup_by_automated_shoe():
    t = Tape({"game": "headsup", "dealing": "auto", "shuffler": "counting"})
    t.open()
    for seat in (2, 5):
        t.step(bet(seat, [1500, 1500, 500, 100]))
    t.do("LOCK", b"")
    t.deal("AhKhQh2c3d" + "JhTh" + "7c7d")
    t.act("raise3 check")
    t.do("REVEAL")
    t.act("check")
    t.do("REVEAL")
    t.act("fold")
    t.report(t.finish())


def test_colorado_with_an_instant_winner():
    t = Tape({"game": "colorado", "version": "required"})
    t.open()
    for seat in (1, 4, 7):
        t.step(bet(seat, [2500, 100]))
    t.do("LOCK", b"")
    t.deal("9c2hKd3s9d5hKc4s9h7hKh8s")
    t.act("instant bet fold")
    t.report(t.finish())


def test_winners_pot():
    t = Tape({"game": "winners_pot", "commission_percent": 7})
    t.open()
    for seat in (1, 2, 6):
        t.step(bet(seat, [700, 100]))
    t.do("LOCK", b"")
    t.deal()
    t.act("bet bet bet")
    t.deal()
    t.act("double fold double")
    t.deal()
    t.report(t.finish())


def test_a_refusal_is_the_same_everywhere():
    t = Tape({"game": "premium"})
    for raw in (b"", pack("LOCK", b""), pack("SPIN", 1, 1), bytes([events.CODES["ACT"], 1])):
        try:
            t.step(raw)
            print("accepted", raw)
        except Exception as e:
            print(e.code, e.about)
