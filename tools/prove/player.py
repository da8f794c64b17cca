"""Plays random legal rounds: proposes what the machine waits for, now and then an irregularity.

Runs on CPython and MicroPython with the same choices. A refused event changes nothing, so the
player may propose too much."""

from felt.games.common import EQUAL, EXACT, MAY, MUST, ONE_OF
from felt.round import events
from felt.round.due import due
from felt.round.state import BET, CHECK, CLOSED, IDLE, Refused

WEIGHTS = [1, 30, 20, 2, 20, 12, 3, 20, 25, 5, 15, 9]
TABLES = (
    {"game": "premium", "bonus_spin": "flush5_progressive", "weights": WEIGHTS},
    {"game": "headsup", "shuffler": "plain", "dealing": "hand"},
    {"game": "colorado", "version": "required"},
    {"game": "winners_pot", "shuffler": "counting", "second_deck": True},
    {"game": "premium", "bonus_spin": "flush1_fixed", "fixed_prize": 500000, "weights": WEIGHTS},
    {"game": "headsup", "dealing": "auto"},
    {"game": "colorado", "version": "permissible", "two_positions": True},
    {"game": "winners_pot"},
    {"game": "ultimate", "dealing": "shoe"},
    {"game": "ultimate", "dealing": "auto"},
    {"game": "three_card", "dealing": "shoe"},
    {"game": "three_card", "dealing": "auto"},
)
IDENTITY = bytes(range(24))
_AMOUNTS = (100, 500, 1000, 2500)


class Dice:
    """A small generator that gives the same numbers on every interpreter."""

    def __init__(self, seed):
        self.x = seed * 7919 + 12345

    def below(self, n):
        self.x = (self.x * 1103515245 + 12345) & 0x7FFFFFFF
        return (self.x >> 8) % n

    def pick(self, items):
        return items[self.below(len(items))]


def stakes(m, ante, side):
    """Return wagers that may stand, in their order; `side()` gives a free stake or 0."""
    out = []
    for wager in m.game.WAGERS:
        bind = m.game.BINDS.get(wager, MAY)
        cents = ante if bind in (MUST, EQUAL) or (bind == ONE_OF and not any(out)) else side()
        if bind == EXACT:
            cents = m.game.exact(m.cfg, wager) or 0 if cents else 0
        if m.game.wrong(m.cfg, wager, cents, out[0] if out else cents):
            cents = 0
        out.append(cents)
    return out


class Player:
    """`feed(event)` steps one event and raises Refused; `m` is the machine behind it."""

    def __init__(self, m, feed, seed, most_seats=6):
        self.m = m
        self.feed = feed
        self.dice = Dice(seed)
        self.most = min(most_seats, m.cfg["seats"])

    def say(self, name, *args):
        """True when the event was accepted."""
        try:
            self.feed(events.pack(name, *args))
        except Refused:
            return False
        return True

    def round(self):
        """Play until a round has ended."""
        number = self.m.round_no
        turns = 0
        while self.m.round_no == number:
            self.turn()
            turns += 1
            assert turns < 2000, "the round does not end"

    def turn(self):
        m = self.m
        if not self.dice.below(40):
            self.irregular()
        elif m.phase == CLOSED:
            self.say("KEY", events.ATTENDANT, 1)
            self.say("OPEN", self.dice.below(2))
        elif m.phase == CHECK:
            step = m.steps[m.step_at]
            self.say("DONE", step, 26 if step == 7 else 52)
        elif m.phase == IDLE:
            self.say("OPEN", 2)
        elif m.phase == BET:
            self.bets()
        else:
            self.round_turn(m.r)

    def bets(self):
        count = 1 + self.dice.below(self.most)
        ante = self.dice.pick(_AMOUNTS)
        picture = bytearray(7)
        for seat in range(1, max(count, self.m.game.MIN_PLAYERS) + 1):
            amounts = self.amounts(ante)
            if self.say("BET", seat, events.bet(seat, amounts)[2:]):
                picture[seat - 1] = sum([1 << i for i in range(len(amounts)) if amounts[i]])
        self.say("SENSORS", picture)
        self.say("LOCK", IDENTITY)

    def amounts(self, ante):
        return stakes(self.m, ante, lambda: self.dice.pick(_AMOUNTS) * self.dice.below(2))

    def card(self):
        """A card not seen yet; places tend to their own suit, so that spins are not rare."""
        r = self.m.r
        c = self.dice.below(52)
        if r.kind() == "deal" and self.dice.below(4):
            c = c & ~3 | r.plan[r.at][0] & 3
        step = 4 if self.dice.below(4) else 1
        for i in range(52):
            if not r.seen[(c + i * step) % 52]:
                return (c + i * step) % 52
        return 51  # refused as seen

    def round_turn(self, r):
        kind = r.kind()
        now = due(self.m)
        if now.kind == "name":
            return self.name(now.places[0], now.amounts[0])
        if now.kind == "stop" and not self.say("GO_ON"):
            self.say("KEY", events.ATTENDANT, 1)
            return self.say("VOID", 0)
        if r.short:
            self.say("CARD", self.card())
        elif r.paying:
            self.say("PAID", r.paying)
        elif kind == "deal":
            self.deal(r)
        elif kind == "decide":
            self.decide(r)
        elif kind == "settle":
            seat = r.order[r.turn]
            if not self.say("PAID", seat) and not self.say("TAP", seat):
                self.say("DISCARD", seat, self.dice.pick(r.cards[seat]))
        elif kind == "spin":
            self.spin(r)
        else:
            self.finish(kind)

    def name(self, place, count):
        """Name cards that were never read."""
        r = self.m.r
        free = [c for c in range(52) if not r.seen[c]]
        self.say("KEY", events.ATTENDANT, 1)
        lie = list(r.cards[place])[:count]
        self.say("NAMED", place, bytes([c if c < 52 else free.pop() for c in lie]))

    def deal(self, r):
        if r.dealing != "auto":
            self.say("CARD", self.card())
            return
        stack = []
        while len(stack) < len(r.plan[r.at]):
            c = self.card()
            if c not in stack:
                stack.append(c)
        self.say("STACK", bytes(stack))

    def decide(self, r):
        seat = r.order[r.turn]
        code = self.dice.below(len(self.m.game.ACTIONS))
        self.say("ACT", seat, code, events.NO_CARD)

    def spin(self, r):
        seat = r.order[r.turn]
        if not r.spun:
            if not self.say("SPIN", seat, 1 + self.dice.below(12) * min(1, self.dice.below(3))):
                for each in r.order:  # a tap may have been taken back
                    self.say("TAP", each)
        elif r.prize:
            self.say("KEY", events.ATTENDANT, 1)
            self.say("HANDPAID", seat)
        else:
            self.say("SPUN", seat)

    def finish(self, kind):
        if kind == "pot":
            self.say("PAID", 0)
        elif kind in ("show", "reveal"):
            if not self.say("REVEAL"):
                self.say("STUB", 52 - self.m.r.dealt, 0)
        elif not self.say("END"):
            self.say("STUB", 52 - self.m.r.dealt, 0)

    def irregular(self):
        d = self.dice
        what = d.below(12)
        if what == 0:
            self.say("FAULT", d.below(9), d.below(200))
        elif what == 1:
            self.say("TAKE_BACK")
        elif what == 2:
            self.say("FACEUP", d.below(52))
        elif what == 3:
            self.say("KEY", d.below(2), 1)
        elif what == 4:
            self.say("SENSORS", bytes([d.below(4) for _ in range(7)]))
        elif what == 5:
            self.say("BOOT", d.below(3))
        elif what == 6:
            self.say("PERIOD")
        elif what == 7:
            self.say("IDLE")
        elif what == 8 and not d.below(4):
            self.say("VOID", 0)
        elif what == 9:
            self.say("EXPOSED", 1 + d.below(6))
