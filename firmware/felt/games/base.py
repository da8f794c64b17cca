"""A game as the rest of the firmware knows it: every fact and hook, each with its default.

A game is one file with a subclass that says only what is its own, and `GAME`, an instance of it.
docs/new_game.md shows how one is added.
"""

from felt.games.common import EQUAL, EXACT, FOLDED, MAY, MUST, OUT, kept, lost


class Game:
    """The rules of one game; it keeps no state of a round."""

    NAME = ""
    NUMBER = 0  # in a table's memory: never changed, never used again
    SEATS = 6
    MIN_PLAYERS = 1
    # Wagers before the cards, in the order of sensors and journal, and how each binds.
    WAGERS = ()
    BINDS = {}  # wager: MUST, EQUAL, EXACT, ONE_OF; MAY unless named
    LEAST = {}  # wager: the rules' own minimum in cents
    MAY_BE_OFF = ()  # wagers a house need not offer
    COUPONS = ()  # wagers a match play coupon may stand for
    LATCH = None  # the wager collected at the lock that spins the wheel
    LATCH_RULE = ""
    RAISES = ()  # wagers that come with decisions
    METERS = None  # what is metered; wagers and raises unless said otherwise
    DECISIONS = ()  # in the order of their journal codes
    # Cards: of a seat, of the dealer, on the board.
    HOLE = 0
    DEALER_CARDS = 0
    COMMUNITY = 0
    FOLD_TAKES = ()  # wagers collected when a seat folds
    FOLD_RULE = ""
    RULE_VOID = ""
    DESCENDING = False  # hands are settled from the dealer's far right
    ALL_FOLD_ENDS = False  # nobody left in: no more cards
    EXPOSED_HOLE = False  # a down card turned up while dealing changes that hand
    DEAD_KEEPS = ()  # wagers that are still settled when a hand is dead
    REMOVES = ()  # events that take one hand out of the round instead of voiding it
    BUTTON = False  # a button passes round
    ADDS = {}  # meter without a stake: the wager its net is counted with
    POT = None  # the meter of wagers that go to a pot
    RULE_POT = ""
    TABLES = {}  # name: pay table, or the printed ones an option of that name chooses from
    OPTIONS = {}  # name: (kind, default, domain)
    REQUIRED = ()  # options without a default that must be set
    CERTIFIED = ()  # settings a settlement vector may name
    OPENS_WITH = {}  # settings a table needs beside its name

    def __init__(self):
        self.ACTIONS = tuple([d.word for d in self.DECISIONS])
        self.SPOTS = self.WAGERS + self.RAISES
        if self.METERS is None:
            self.METERS = self.SPOTS
        binding = [w for w in self.WAGERS if self.BINDS.get(w, MAY) in (MUST, EQUAL)]
        self.MANDATORY = len(binding) or 1  # wagers a seat begins with

    # --- settings

    def illustrative(self, cfg):
        """Return whether the wheel turns with weights that nobody approved."""
        return False

    def conflict(self, cfg):
        """Return the name of a setting that contradicts another, or None."""
        limits = cfg["limits"] or {}
        for wager in self.WAGERS:
            stake = self.exact(cfg, wager)
            if wager in cfg["wagers_off"]:
                continue
            if stake is not None and stake % cfg["chip_unit"]:
                return "chip_unit"
            if wager in limits and not self._playable(cfg, wager, limits, stake):
                return "limits." + wager
        return None

    def _playable(self, cfg, wager, limits, stake):
        """True when some wager fits its limits, and one equal to the ante the ante's."""
        low, high = limits[wager]
        unit = cfg["chip_unit"]
        if stake is not None:
            return low <= stake <= high
        if high // unit * unit < max(low, self.LEAST.get(wager, 0)):
            return False
        floor, roof = limits.get(self.WAGERS[0], limits[wager])
        return self.BINDS.get(wager) != EQUAL or floor <= low <= high <= roof

    def stub_waived(self, cfg, dealing):
        """True where a counting shuffler's 52 stands for a count of the stub (G5)."""
        return True

    def wheel_name(self, settings):
        """Return the name of the wheel's pay table, or None where no wheel turns."""
        return None

    def wheel(self, cfg):
        """Return the Wheel in play, or None."""
        return None

    def table(self, cfg, name):
        """Return a pay table: the printed one, the one chosen, or the house's."""
        found = self.TABLES[name]
        if isinstance(found[0], tuple):
            found = found[cfg[name] - 1]
        return cfg["pay_tables"].get(name, found)

    # --- wagers

    def exact(self, cfg, wager):
        """Return the only stake a wager takes, or None."""
        return None

    def opens(self, bets):
        """True when a seat has placed every wager it must."""
        return all([bets[i] for i, w in enumerate(self.WAGERS) if self.BINDS.get(w) == MUST])

    def check_bets(self, cfg, bets):
        """Return (wager, reason) for a seat's first wager that may not stand, or None."""
        for i, wager in enumerate(self.WAGERS):
            why = self.wrong(cfg, wager, bets[i], bets[0])
            if why:
                return wager, why
        return None

    def wrong(self, cfg, wager, cents, ante):
        """Return why a wager may not stand, or None."""
        bind = self.BINDS.get(wager, MAY)
        if bind == EQUAL:
            return "equal_ante" if cents != ante else None
        if not cents:
            return None
        if wager in cfg["wagers_off"]:
            return "wager_off"
        if cents < self.LEAST.get(wager, 0):
            return "least_ante"
        if bind == EXACT and cents != self.exact(cfg, wager):
            return "exact_stake"
        return None

    def check_table(self, bets):
        """Return (seat, wager, reason) where one seat's wagers contradict another's, or None."""
        return None

    def stakes(self, r, seat):
        """Return (wager, amount) of all a seat has at risk."""
        if r.status[seat] == OUT:
            return []
        found = [(w, s) for w, s in zip(self.WAGERS, r.bets[seat]) if s]
        if r.raised[seat]:
            found.append((self.RAISES[0], r.raised[seat]))
        return found

    # --- cards

    def script(self, dealing):
        """Return the stages of a round: (kind, argument)."""
        raise NotImplementedError

    def plan(self, r, arg):
        """Return the deliveries of a deal stage, each the places of its cards."""
        raise NotImplementedError

    def miscount(self, r, place, count, expected):
        """Return what a wrong number of cards means: "seat", "mend" or why all is void."""
        return "miscount"

    def dealer_secret(self, r):
        """True while a dealer's card that is seen voids the round."""
        return False

    # --- decisions

    def around(self, r):
        """Return the seats in the order they decide."""
        return r.seats

    def legal(self, r, seat, stage):
        """Return the words open to a seat at a decision stage."""
        raise NotImplementedError

    def decision(self, word):
        """Return the Decision of a word."""
        return self.DECISIONS[self.ACTIONS.index(word)]

    def price(self, r, seat, word):
        """Return what a decision puts down, in cents."""
        times = self.decision(word).times
        return r.bets[seat][0] * (r.cfg[times] if isinstance(times, str) else times)

    def act(self, r, seat, word, card):
        """Apply a decision the machine found legal; return a refusal or None."""
        if word == "fold":
            r.status[seat] = FOLDED
        else:
            r.raised[seat] += self.price(r, seat, word)
        return None

    def named(self, r, seat):
        """A seat's true cards were named: judge again what it declared."""

    def fold_takes(self, cfg):
        """Return the wagers collected when a seat folds."""
        return self.FOLD_TAKES

    def folded(self, r, seat):
        """Return the lines of the wagers a seat lost when it folded."""
        taken = self.fold_takes(r.cfg) if r.status[seat] == FOLDED else ()
        found = [(w, s) for w, s in self.stakes(r, seat) if w in taken]
        return [lost(seat, w, s, self.FOLD_RULE, "fold") for w, s in found]

    # --- settlement

    def discard_due(self, r, seat):
        """True for a kept hand whose discard nobody has named."""
        return False

    def triggers(self, r, seat):
        """True when the seat's latched wager has won a spin."""
        return False

    def settle(self, r, seat):
        """Return the settlement lines of one seat, in the rules' order."""
        raise NotImplementedError

    def finish(self, r):
        """Award the pot; return (lines, commission, dealer's take)."""
        raise NotImplementedError

    def returned(self, r, seat, reason):
        """Return every stake of a seat: a void round or a void hand (ruling G8)."""
        return [kept(seat, w, s, self.RULE_VOID, reason) for w, s in self.stakes(r, seat)]
