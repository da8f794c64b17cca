"""The state of one round, and the refusal every handler raises before it changes anything."""

from felt.games.common import IN, OUT, PLACES

CLOSED, CHECK, IDLE, BET, ROUND = range(5)
PHASES = ("closed", "check", "idle", "bet", "round")
DECK = 52
UNKNOWN = 255  # a card nobody has read or named yet
IN_PLAY, FACE_UP, TOO_MANY = 0, 1, 2  # what became of a drawn card
WHY = ("new", "closed", "deck_removed", "open")  # why the table is closed, or that it is not


class Refused(Exception):
    """An event the rules do not allow now: a reason key, and what it concerns."""

    def __init__(self, code, *about):
        super().__init__(code, *about)
        self.code = code
        self.about = about


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
        self.discarded = bytearray(b"\xff" * 8)
        self.acts = [bytearray() for _ in range(8)]
        self.cards = [bytearray() for _ in range(PLACES)]
        self.visible = [0] * PLACES  # bit i: card i of that place may be shown
        self.seen = bytearray(DECK)
        self.raw = bytearray()  # every card that left the deck, in order, as it was reported
        self.read = bytearray()  # likewise, as it is believed
        self.fate = bytearray()  # of each of them
        self.slots = bytearray()  # where the cards in play lie, in their order; UP: dealt face up
        self.owed = bytearray()  # places that lack a card of a stage that is over
        self.named = [None] * PLACES  # what the dealer named, over what was read (G7b)
        self.turned = [0] * PLACES  # bit i: card i was turned face up since it was dealt
        self.stage_from = 0  # slots before the stage that is dealt
        self.base = 0  # cards the shoe had counted before the first one of this round
        self.stopped = []  # (kind, position, cards) from the shoe; the first one was odd
        self.why = ()  # what is odd about it
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
        self.owed_burns = 0
        self.recut = 0  # the supervisor ordered a cut before the first card
        self.exposed = bytearray(PLACES)
        self.stub_counted = False
        self.tapped = bytearray(8)  # the order in which seats were tapped, from 1
        self.pays = [0] * 8  # Bonus Spin money received
        self.spun = 0  # position of the spin being shown
        self.prize = 0  # frozen top prize that waits for the attendant
        self.void = 255  # index in meters.CAUSES
        self.late = bytearray(8)  # spots alarmed, one bit a spot
        self.settling = False

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
        """A card drawn before its time, which is the next one (G4); 255: none."""
        before = len(self.slots)
        for card, fate in zip(self.read, self.fate):
            if fate == IN_PLAY:
                if not before:
                    return card
                before -= 1
        return UNKNOWN

    def kind(self):
        """Return the kind of the current stage."""
        if self.void != 255:
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

    def stakes(self, seat):
        """Return (wager, amount) of all a seat has at risk."""
        if self.status[seat] == OUT:
            return []
        custom = getattr(self.game, "stakes", None)
        if custom:
            return custom(self, seat)
        found = [(w, s) for w, s in zip(self.game.WAGERS, self.bets[seat]) if s]
        if self.raised[seat]:
            found.append((self.game.RAISES[0], self.raised[seat]))
        return found

    def flat(self):
        """Return the whole round as a list of integers, for snapshots."""
        out = [self.stage, self.at, self.turn, self.paying, self.face_up, self.stage_from]
        out += [self.base, self.owed_burns, int(self.stub_counted), self.spun, self.prize]
        out += [self.void, int(self.settling), self.recut, len(self.results), len(self.lines)]
        out.append(len(self.plan))
        for each in self.plan:
            out += list(each)
        for each in (self.raw, self.read, self.fate, self.slots, self.owed):
            out.append(len(each))
            out += list(each)
        for each in self.named:
            out += [-1] if each is None else list(each)
        for kind, position, each in self.stopped:
            out += [kind, position] + list(each)
        flags = (self.status, self.discarded, self.exposed, self.tapped, self.late, self.booked)
        for each in flags:
            out += list(each)
        out += self.raised + self.pays + self.visible + self.turned + list(self.order)
        for each in self.cards:
            out.append(len(each))
            out += list(each)
        for each in self.acts:
            out.append(len(each))
            out += list(each)
        for seat, wager, net in self.results:
            out += [seat, self.game.METERS.index(wager), net]
        return out
