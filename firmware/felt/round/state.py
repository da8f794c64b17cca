"""The state of one round, and the refusal every handler raises before it changes anything."""

from felt.games.common import IN, PLACES

CLOSED, CHECK, IDLE, BET, ROUND = range(5)
PHASES = ("closed", "check", "idle", "bet", "round")
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

    def __init__(self, game, cfg, dealing, button, bets):
        self.game = game
        self.cfg = cfg
        self.dealing = dealing
        self.button = button
        self.bets = bets
        self.seats = [s for s in range(1, 8) if bets[s]]
        self.status = bytearray(8)
        for s in self.seats:
            self.status[s] = IN
        self.raised = [0] * 8
        self.discarded = [None] * 8
        self.acts = [bytearray() for _ in range(8)]
        self.cards = [bytearray() for _ in range(PLACES)]
        self.visible = [0] * PLACES  # bit i: card i of that place may be shown
        self.seen = bytearray(52)
        self.script = game.script(dealing)
        self.stage = -1
        self.plan = ()
        self.at = 0  # next delivery of the plan
        self.order = ()  # seats of the stage, in their order
        self.turn = 0
        self.lines = ()  # of the seat being settled
        self.paying = 0  # a seat settled out of turn (instant winner)
        self.booked = bytearray(8)  # seats whose lines are in results and meters
        self.results = []  # (seat, wager, net), as confirmed
        self.face_up = 0
        self.claims = 0  # of these, cards believed to lie face down somewhere
        self.held = None  # a card drawn in error: the next card
        self.dealt = 0
        self.owed_burns = 0
        self.recut = 0  # the supervisor ordered a cut before the first card
        self.exposed = bytearray(PLACES)
        self.short = 0  # cards the dealer still owes his own hand (P20)
        self.stub_counted = False
        self.tapped = bytearray(8)  # the order in which seats were tapped, from 1
        self.pays = [0] * 8  # Bonus Spin money received
        self.spun = 0  # position of the spin being shown
        self.prize = 0  # frozen top prize that waits for the attendant
        self.void = None  # why, one of meters.CAUSES
        self.late = bytearray(8)  # spots alarmed, one bit a spot
        self.settling = False

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

    def raise_on(self, seat, spot):
        """Return what a seat's decisions put on a spot."""
        game = self.game
        words = [game.ACTIONS[code] for code in self.acts[seat]]
        return sum([game.price(self, seat, w) for w in words if game.decision(w).spot == spot])

    def flat(self):
        """Return the whole round as a list of integers, for snapshots."""
        out = [self.stage, self.at, self.turn, self.paying, self.face_up, self.dealt]
        out += [_known(self.held)] + [_known(card) for card in self.discarded]
        out += list((self.void or "").encode()) + [-1]
        out += [self.owed_burns, self.short, int(self.stub_counted), self.spun, self.prize]
        out += [int(self.settling), self.recut, self.claims]
        out += [len(self.results), len(self.lines)]
        out.append(len(self.plan))
        for each in self.plan:
            out += list(each)
        flags = (self.status, self.exposed, self.tapped, self.late, self.booked)
        for each in flags:
            out += list(each)
        out += self.raised + self.pays + self.visible + list(self.order)
        for each in self.cards:
            out.append(len(each))
            out += list(each)
        for each in self.acts:
            out.append(len(each))
            out += list(each)
        for seat, wager, net in self.results:
            out += [seat, self.game.METERS.index(wager), net]
        return out
