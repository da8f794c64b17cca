"""Plays random legal rounds, the same choices on CPython and MicroPython."""

import os

from felt import games
from felt.games import SettingsError
from felt.games.common import EQUAL, EXACT, MAY, MUST, ONE_OF
from felt.games.settings import game_module
from felt.round import events
from felt.round.state import Refused

from tools.rounds import Rounds

WEIGHTS = [1, 30, 20, 2, 20, 12, 3, 20, 25, 5, 15, 9]
VARIED = (
    {"game": "premium", "bonus_spin": "flush5_progressive", "weights": WEIGHTS},
    {"game": "headsup", "shuffler": "plain", "dealing": "hand"},
    {"game": "colorado", "version": "required"},
    {"game": "winners_pot", "shuffler": "counting", "second_deck": True},
    {"game": "premium", "bonus_spin": "flush1_fixed", "fixed_prize": 500000, "weights": WEIGHTS},
    {"game": "headsup", "dealing": "auto"},
    {"game": "colorado", "version": "permissible", "two_positions": True},
    {"game": "winners_pot"},
)


def _others():
    """Two tables of every game that has none yet: it deals card by card, or in stacks."""
    path = games.__path__
    known = [table["game"] for table in VARIED]
    found = []
    for file in os.listdir(path if isinstance(path, str) else path[0]):
        name = file.split(".")[0]
        try:
            game = game_module(name) if name not in known else None
        except SettingsError:
            continue  # what the games share
        if game:
            found += [(game.NUMBER, dealing, game) for dealing in ("shoe", "auto")]
    found.sort(key=lambda row: (row[0], row[1] != "shoe"))
    return tuple([dict(game.OPENS_WITH, game=game.NAME, dealing=how) for _, how, game in found])


TABLES = VARIED + _others()
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


class Player(Rounds):
    """Does what is due by the dice, now and then an irregularity; refusals change nothing."""

    identity = IDENTITY

    def __init__(self, m, feed, seed, most_seats=6):
        Rounds.__init__(self, m, feed)
        self.dice = Dice(seed)
        self.most = min(most_seats, m.cfg["seats"])
        self.wanted = 0  # seats that play this round
        self.ante = 0

    def say(self, name, *args):
        """True when the event was accepted."""
        return self.tried(events.pack(name, *args))

    def tried(self, event):
        try:
            self.feed(event)
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
        if self.dice.below(40):
            self.tried(self.answer())
        else:
            self.irregular()

    def cards_come(self):
        return self.dice.below(2)

    def joins(self):
        if not any(self.m.bets):
            self.wanted = max(1 + self.dice.below(self.most), self.m.game.MIN_PLAYERS)
            self.ante = self.dice.pick(_AMOUNTS)
        for seat in range(1, self.wanted + 1):
            if not self.m.bets[seat]:
                return seat
        return 0

    def stakes(self, seat):
        return stakes(self.m, self.ante, self._side)

    def _side(self):
        return self.dice.pick(_AMOUNTS) * self.dice.below(2)

    def card(self, place):
        """A card not seen yet; places tend to their own suit, so that spins are not rare."""
        seen = self.m.r.seen
        c = self.dice.below(52)
        if self.dice.below(4):
            c = c & ~3 | place & 3
        step = 4 if self.dice.below(4) else 1
        for i in range(52):
            if not seen[(c + i * step) % 52]:
                return (c + i * step) % 52
        return 51  # refused as seen

    def decision(self, now):
        return self.dice.pick(self.words(now)), events.NO_CARD

    def position(self, seat):
        return 1 + self.dice.below(12) * min(1, self.dice.below(3))

    def laid_down(self, seat):
        return self.dice.pick(self.m.r.cards[seat])

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
