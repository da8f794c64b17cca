"""The state of one round, and the refusal every handler raises before it changes anything."""

import micropython
from felt.cards import DECK
from felt.games.common import IN, OUT, PLACES

CLOSED, CHECK, IDLE, BET, ROUND = range(5)
PHASES = ("closed", "check", "idle", "bet", "round")
IN_PLAY, FACE_UP, TOO_MANY = 0, 1, 2  # what became of a drawn card
BY_SEAT = 8  # values a list holds for the seats 1 to 7
# What an entry that can be taken back changes in place; none of them moves a card.
CHANGED = (
    "status", "raised", "discarded", "visible", "turned", "booked", "results", "tapped", "pays",
    "late", "acts",
)  # fmt: skip
WHY = ("new", "closed", "deck_removed", "open")  # why the table is closed, or that it is not


class Refused(Exception):
    """An event the rules do not allow now: a reason key, and what it concerns."""

    def __init__(self, code, *about):
        super().__init__(code, *about)
        self.code = code
        self.about = about


def _known(card):
    return -1 if card is None else card


class Round:
    """Everything that is forgotten when the next round begins."""

    # What a round begins with, until it is set.
    stage_from = 0  # slots before the stage that is dealt
    base = 0  # cards the shoe had counted before the first one of this round
    why = ()  # what is odd about it
    stage = -1
    plan = ()
    at = 0  # next delivery of the plan
    order = ()  # seats of the stage, in their order
    turn = 0
    lines = ()  # of the seat being settled
    face_up = 0
    owed_burns = 0
    stub_counted = False
    spun = 0  # position of the spin being shown
    prize = 0  # frozen top prize that waits for the attendant
    settling = False
    laid = b"", b""  # read and slots when the places were last worked out

    @micropython.native
    def __init__(self, game, cfg, dealing, button, bets, coupons=bytes(BY_SEAT)):
        self.game = game
        self.cfg = cfg
        self.dealing = dealing
        self.button = button
        self.bets = bets
        self.coupons = coupons  # by seat, one bit a wager
        self.seats = [s for s in range(1, 8) if bets[s]]
        self.status = bytearray([IN if bet else OUT for bet in bets])
        self.void = None  # why, one of meters.CAUSES
        self.recut = 0  # the supervisor ordered a cut before the first card
        self.paying = 0  # a seat settled out of turn (instant winner)
        self.raised = [0] * BY_SEAT
        self.discarded = [None] * BY_SEAT
        self.acts = [b""] * BY_SEAT
        self.cards = [b""] * PLACES
        self.visible = [0] * PLACES  # bit i: card i of that place may be shown
        self.seen = bytearray(DECK)
        self.raw = bytearray()  # every card that left the deck, in order, as it was reported
        self.read = bytearray()  # likewise, as it is believed
        self.fate = bytearray()  # of each of them
        self.slots = bytearray()  # where the cards in play lie, in their order; UP: dealt face up
        self.owed = bytearray()  # places that lack a card of a stage that is over
        self.entered = bytearray()  # cards a person typed: no secret to whoever types
        self.named = [None] * PLACES  # what the dealer named, over what was read (G7b)
        self.turned = [0] * PLACES  # bit i: card i was turned face up since it was dealt
        self.stopped = []  # (kind, position, cards) from the shoe; the first one was odd
        self.script = game.script(dealing)
        self.booked = bytearray(BY_SEAT)  # seats whose lines are in results and meters
        self.results = []  # (seat, wager, net), as confirmed
        self.exposed = bytearray(PLACES)
        self.tapped = bytearray(BY_SEAT)  # the order in which seats were tapped, from 1
        self.pays = [0] * BY_SEAT  # Bonus Spin money received
        self.returned = [0] * BY_SEAT  # cents of each seat that the void round gives back
        self.late = bytearray(BY_SEAT)  # spots alarmed, one bit a spot

    def kept(self):
        """Return the round as it is now, for `back`."""
        found = self.__dict__.copy()
        for name in CHANGED:
            found[name] = found[name][:]
        return found

    def back(self, kept):
        """Be again what was kept."""
        for name in self.__dict__:
            setattr(self, name, kept[name] if name in kept else getattr(Round, name))

    @property
    def dealt(self):
        """How many cards left the deck."""
        return len(self.raw)

    @property
    def short(self):
        """How many cards a stage that is over still owes (P20)."""
        return len(self.owed)

    @property
    def held(self):
        """The cards drawn before their time: the next ones (G4)."""
        waiting = [c for c, fate in zip(self.read, self.fate) if fate == IN_PLAY]
        return waiting[len(self.slots) :]

    @micropython.native
    def kind(self):
        """Return the kind of the current stage."""
        if self.void:
            return "void"
        if self.stage >= len(self.script):
            return "collect"
        return self.script[self.stage][0]

    def arg(self):
        """Return the current stage's argument."""
        return self.script[self.stage][1] if self.stage < len(self.script) else 0

    def all_dealt(self):
        """True when no deal stage is left."""
        for i in range(max(self.stage, 0), len(self.script)):
            if self.script[i][0] == "deal" and (i != self.stage or self.at < len(self.plan)):
                return False
        return True

    def live(self):
        """Return the seats still playing."""
        return [s for s in self.seats if self.status[s] == IN]

    def stake(self, seat, wager):
        """Return what a seat placed on a wager before the cards."""
        return self.bets[seat][self.game.WAGERS.index(wager)] if self.bets[seat] else 0

    def is_coupon(self, seat, wager):
        """True when a seat's wager is a match play coupon."""
        if not self.coupons[seat]:
            return False
        wagers = self.game.WAGERS
        return wager in wagers and bool(self.coupons[seat] >> wagers.index(wager) & 1)

    def raise_on(self, seat, spot):
        """Return what a seat's decisions put on a spot."""
        game = self.game
        words = [game.ACTIONS[code] for code in self.acts[seat]]
        return sum([game.price(self, seat, w) for w in words if game.decision(w).spot == spot])

    def flat(self):
        """Yield the whole round as integers, for snapshots: as a list it would be large."""
        for part in self._parts():
            for value in part:
                yield value

    def _parts(self):
        yield (self.stage, self.at, self.turn, self.paying, self.face_up, self.stage_from)
        yield [_known(card) for card in self.discarded]
        yield (self.void or "").encode() + b"."
        yield (self.base, self.owed_burns, int(self.stub_counted), self.spun, self.prize)
        yield (int(self.settling), self.recut, len(self.results), len(self.lines))
        groups = [self.raw, self.read, self.fate, self.slots, self.owed, self.order]
        for each in groups + list(self.plan) + self.cards + self.acts:
            yield (len(each),)
            yield each
        for each in self.named:
            yield (-1,) if each is None else each
        for kind, position, each in self.stopped:
            yield (kind, position)
            yield each
        for each in (self.status, self.exposed, self.tapped, self.late, self.booked):
            yield each
        for each in (self.raised, self.pays, self.visible, self.turned):
            yield each
        for seat, wager, net in self.results:
            yield (seat, self.game.METERS.index(wager), net)
