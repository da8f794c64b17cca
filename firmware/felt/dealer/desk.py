"""The dealer's desk: what the controller works out for itself before anything is booked.

Chips on a spot are a wager. Its amount is what a chip reader tells, else what the dealer said,
else what binds it, else the last amount of this seat there. Chips on a raise spot are the raise,
an empty one is check or fold. What a reader told before it fell silent is guessed by none of
these: it is asked for. Nothing here is an event: proposal.py makes events of it.
"""

from felt.dealer.words import money
from felt.games.common import EQUAL, MAY
from felt.round import betting
from felt.round.due import DEALS, due
from felt.round.events import SHOE
from felt.round.state import Refused

CHIPS = (100, 500, 2500, 10000, 50000, 100000)  # cents, by the value of a chip key
DIGITS = 7  # longest number that can be typed
LIFTED = ""  # where a raise stood: chips that come there now may be any size


class Desk:
    """What the dealer has said and what is remembered; the machine knows nothing of it."""

    def __init__(self, reader=None, shoe=None, generator=None):
        self.reader = reader
        self.shoe = shoe
        self.generator = generator
        self.reads = False  # the reader answers
        self.silent = 0  # number of the round whose chips it told last; 0: it never fell silent
        self.last = {}  # seat: the amounts it had when bets were last locked
        self.said = {}  # (seat, spot): cents the dealer gave for the coming round
        self.chosen = {}  # seat: the decision the dealer gave for this stage
        self.stood = {}  # seat: the raise that was taken back, LIFTED once its chips are
        self.ante = 0  # the ante last given, where all antes are equal
        self.trail = []  # said in this stage: (where, key, what was there, the ante then)
        self.seat = self.spot = 0  # which the next keys are about
        self.typed = ""
        self.floor = False  # the floorperson's menu is open
        self.asks = ""  # the floor entry that waits for a seat
        self.names = None  # the place whose cards are named over what was read (G7b)
        self.jackpot = 0  # as last shown: it stands still while the wheel turns; 0: not shown yet

    def locked(self, m):
        """Bets are locked: they are what each seat will be offered next time."""
        self.remember(m.bets)
        self.said.clear()
        self.moved_on()

    def remember(self, bets):
        """Offer these amounts, by seat."""
        for seat in range(1, 8):
            if bets[seat]:
                self.last[seat] = list(bets[seat])
                self.ante = bets[seat][0]

    def silenced(self, m):
        """The reader fell silent: what it told of this round must be said anew.

        While cards are collected the chips on the felt are the next round's."""
        next_bets = m.r is None or due(m).kind == "collect"
        self.silent = m.round_no + (2 if m.r and next_bets else 1)
        if next_bets:
            self.ante = 0

    def moved_on(self, same=False):
        """The table waits for something else: entries for the stage before mean nothing now.

        In the same stage a seat was settled at once: what others are said to decide stays."""
        if not same:
            self.chosen.clear()
            self.stood.clear()
        self.trail = []
        self.seat = self.spot = 0
        self.typed = ""
        self.names = None

    def note(self, where, key, value):
        """The dealer says something about a seat; it can be taken back."""
        kept = getattr(self, where)
        antes = [e[3] for e in self.trail if e[:2] == (where, key)]
        self.trail.append((where, key, kept.get(key), self.ante))
        if antes and not value:
            self.ante = antes[0]  # what a wrong ante had told of all seats goes with it
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value

    def say(self, seat, spot, cents):
        """The dealer gives an amount."""
        self.note("said", (seat, spot), cents)
        if spot == 0:
            self.ante = cents

    def decided(self, seat):
        """A decision is booked: to take back only what was said of it would leave it booked."""
        self.chosen.pop(seat, None)
        self.trail = [e for e in self.trail if e[:2] != ("chosen", seat)]

    def take_back(self):
        """Forget the last thing said; return (where, seat), None when there is none."""
        if not self.trail:
            return None
        where, key, value, self.ante = self.trail.pop()
        kept = getattr(self, where)
        if value is None:
            kept.pop(key, None)
        else:
            kept[key] = value
        self.typed = ""
        return where, key[0] if where == "said" else key


def shoe_silent(m, shoe):
    """True for a shoe that tells of no card: without link, jammed, or off the table."""
    return not shoe.connected or bool((m.absent | m.broken) >> SHOE & 1)


def unread(m, desk, now):
    """True where nothing tells which cards are dealt: a person says that they lie there (G6)."""
    if now.kind not in DEALS:
        return False
    if m.r.dealing == "shoe":
        return desk.shoe is not None and shoe_silent(m, desk.shoe)
    return m.r.dealing == "hand"


def read(desk, seat, spot):
    """Return the cents a chip reader finds on a spot; None when nothing reads it."""
    return desk.reader.cents(seat, spot) if desk.reader else None


def untold(m, desk, seat, spot):
    """True for chips a reader cannot tell, or whose amount went with it: nothing else may stand
    for what it would have told."""
    if not desk.reader or read(desk, seat, spot) is not None:
        return False
    asked = desk.reader.connected or desk.silent == m.round_no + 1
    return asked and desk.reader.told(seat, spot)


def seen(m, desk, seat, spot):
    """Return True or False as chips lie on a spot; None when nothing can tell."""
    if read(desk, seat, spot):
        return True
    return bool(m.sensors[seat - 1] >> spot & 1) if m.cfg["sensors"] else None


def wagers(m, desk, seat):
    """Return the seat's amounts in the game's order: 0 for no wager, None for one not known."""
    out = []
    for spot in range(len(m.game.WAGERS)):
        there = seen(m, desk, seat, spot)
        entered = m.bets[seat][spot] if m.bets[seat] else 0
        asked = untold(m, desk, seat, spot)
        last = desk.last[seat][spot] if seat in desk.last and not asked else 0
        given = desk.said.get((seat, spot))
        if there is None:
            there = asked or last if given is None else given
        counts = there or given or entered
        out.append(_amount(m, desk, seat, out, given or entered or last) if counts else 0)
    return out


def unknown(amounts):
    """Return the first spot whose amount nobody knows, the first of all when there is none."""
    return amounts.index(None) if None in amounts else 0


def _amount(m, desk, seat, before, known):
    """Return the amount of the next wager after those in `before`, None when nobody knows it."""
    spot = len(before)
    cents = read(desk, seat, spot)
    if cents:
        return cents
    bound = bound_to(m, desk, spot, before)
    if bound and not desk.said.get((seat, spot)):
        return bound
    return known or None


def bound_to(m, desk, spot, before):
    """Return what binds a wager's amount, None when nothing does."""
    wager = m.game.WAGERS[spot]
    if spot == 0:
        return desk.ante if antes_equal(m.game) else None
    if m.game.BINDS.get(wager, MAY) == EQUAL:
        return before[0]
    return m.game.exact(m.cfg, wager)


def antes_equal(game):
    """True for a game whose table takes equal antes only."""
    return game.check_table([[cents] for cents in CHIPS]) is not None


def wrong_with(m, seat, amounts, ask):
    """Return a refusal for what keeps a seat's wagers from being booked, or None."""
    for spot, cents in enumerate(amounts):
        if cents is None:
            return Refused(ask, seat, m.game.WAGERS[spot])
    try:
        betting.check_amounts(m, seat, amounts)
    except Refused as e:
        return e
    if m.cfg["sensors"]:
        for spot, cents in enumerate(amounts):
            if bool(cents) != bool(m.sensors[seat - 1] >> spot & 1):
                return Refused("sensor_mismatch", seat, m.game.WAGERS[spot])
    return None


def raises_among(game, legal):
    """Return (decision, spot its chips lie on) of the decisions that add chips."""
    words = [word for word in legal if game.decision(word).spot]
    return [(word, game.SPOTS.index(game.decision(word).spot)) for word in words]


def decision(m, desk, seat):
    """Return the action the seat's chips stand for, None when the dealer must say it."""
    legal = m.game.legal(m.r, seat, m.r.arg())
    if desk.chosen.get(seat) in legal:
        return desk.chosen[seat]
    raises = raises_among(m.game, legal)
    there = [seen(m, desk, seat, spot) for _, spot in raises]
    if None in there:
        return None
    if not any(there):
        kinds = [m.game.decision(word) for word in legal]
        rests = [kind.word for kind in kinds if not kind.spot and not kind.pays]
        return rests[0] if rests else None
    for size, action, spot in sorted([(m.game.price(m.r, seat, a), a, at) for a, at in raises]):
        cents = read(desk, seat, spot)
        if not (cents or _size_untold(m, desk, seat, spot, raises)):
            return desk.stood[seat] if desk.stood.get(seat) in legal else action
        if cents == size:
            return action
    return None


def _size_untold(m, desk, seat, spot, raises):
    """True for a raise of several possible sizes whose size went with the reader, or with the
    chips that were lifted after it was taken back."""
    if sum([at == spot for _, at in raises]) < 2:
        return False
    return desk.stood.get(seat) == LIFTED or untold(m, desk, seat, spot)


def stands(m, desk, seat, action):
    """A decision was taken back. The size of a raise stays said while its chips lie there.

    A sensor tells chips, not how many: the smallest raise would be booked for a larger one.
    A chip reader tells how many, and a dealer says it anew. One that was said and never laid
    down is no size of chips that come later.
    """
    spot = m.game.decision(action).spot
    if spot and seen(m, desk, seat, m.game.SPOTS.index(spot)) is not False:
        desk.stood[seat] = action


def lifted(m, desk):
    """Chips were moved. Where a raise stood and none lie now, what comes next is asked for."""
    for seat, action in list(desk.stood.items()):
        spot = action and m.game.decision(action).spot
        if spot and seen(m, desk, seat, m.game.SPOTS.index(spot)) is False:
            desk.stood[seat] = LIFTED


def need_size(m, desk, seat, action, legal):
    """Refuse a decision that was said while a reader tells other chips on a spot it is about."""
    wanted = m.game.decision(action).spot
    for _, at in raises_among(m.game, legal):
        spot, cents = m.game.SPOTS[at], read(desk, seat, at)
        size = m.game.price(m.r, seat, action) if spot == wanted else 0
        if cents and cents != size:
            raise Refused("lies_there", seat, spot, cents, money(size))


def need_generator(m, bets, generator):
    """Refuse to lock a wager on the wheel while nothing can draw for it."""
    latch = m.game.LATCH
    if latch and any([b and b[m.game.WAGERS.index(latch)] for b in bets]):
        wrong = "entropy_off" if generator is None else generator.fault
        if wrong:
            raise Refused(wrong)


def need_shoe(m, shoe):
    """Refuse to lock bets for a shoe that deals by itself and does not answer."""
    if shoe and m.dealing == "auto" and not shoe.connected:
        raise Refused("no_shoe")


def undecided(m, desk, seat):
    """Return a refusal that says why nobody knows what a seat decides."""
    for _, spot in raises_among(m.game, m.game.legal(m.r, seat, m.r.arg())):
        cents = read(desk, seat, spot)
        if cents:
            return Refused("wrong_raise", seat, m.game.SPOTS[spot], cents)
    return Refused("decide", seat)


def moved_late(m, desk):
    """Return (seat, wager, cents, due) of chips that were changed since they were locked."""
    r = m.r
    if r is None or r.settling or not desk.reader:
        return ()
    found = []
    for seat in r.live():
        for spot, wager in enumerate(m.game.SPOTS):
            stake = r.stake(seat, wager) if wager in m.game.WAGERS else r.raise_on(seat, wager)
            cents = read(desk, seat, spot)
            if stake and cents and cents != stake and wager != m.game.LATCH:
                found.append((seat, wager, cents, money(stake)))
    return found


def paid_wrong(m, desk, seat, lines):
    """Return a refusal for a payment on a spot that came out short or too large, or None."""
    most = sum([max(ln.net, 0) for ln in lines])
    for ln in lines:
        if ln.net <= 0 or ln.wager not in m.game.SPOTS:
            continue
        cents = read(desk, seat, m.game.SPOTS.index(ln.wager))
        due = ln.stake + ln.net
        if cents and (ln.stake < cents < due or cents > ln.stake + most):
            return Refused("lies_there", seat, ln.wager, cents, money(due))
    return None


def moved(m, desk, seat, lines):
    """True when the seat's spots show that it was paid, and what it lost was taken up."""
    spots = m.game.SPOTS
    if paid_wrong(m, desk, seat, lines):
        return False
    for ln in lines:
        if ln.net < 0 and ln.wager in spots:
            if seen(m, desk, seat, spots.index(ln.wager)):
                return False
    return True
