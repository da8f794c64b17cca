"""Winner's Pot Poker, 19:47-33: the players' pot, the house's commission, Jacks Plus."""

from felt.evaluator import both5, category, rank
from felt.games.base import Game
from felt.games.common import (
    BURN,
    DEAD,
    DEALER,
    FLUSH,
    FOLDED,
    FULL,
    HIGH,
    IN,
    ONE_DOWN,
    ONE_UP,
    MUST,
    NO_END,
    NO_LESS,
    OUT,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    VOID,
    Line,
    decision,
    lost,
    pay_table,
    tenths,
    threshold,
    winnings,
)

LIMIT = 5000000
RULE_LIMIT = "19:47-33.11(c)"
JACKS_PLUS = pay_table(
    "19:47-33.11(b)",
    (ROYAL, 400, 1),
    (STRAIGHT_FLUSH, 80, 1),
    (QUADS, 50, 1),
    (FULL, 30, 1),
    (FLUSH, 15, 1),
    (STRAIGHT, 10, 1),
    (TRIPS, 7, 1),
    (TWO_PAIR, 3, 1),
    (PAIR, 1, 1),  # of jacks, queens, kings or aces
    change=NO_LESS,
)
PAIR_OF_JACKS = threshold("JcJd2c3d4h")


class WinnersPot(Game):
    """Five cards each, dealer included; the best hand takes what all have put in."""

    NAME = "winners_pot"
    NUMBER = 3
    MIN_PLAYERS = 2
    WAGERS = ("ante", "jacks_plus")
    BINDS = {"ante": MUST}
    RAISES = ("bet", "double")
    METERS = ("pot", "jacks_plus")
    DECISIONS = (
        decision("fold"),
        decision("bet", "bet", "bet_multiple"),
        decision("double", "double", "double_multiple"),
    )
    HOLE, DEALER_CARDS = 5, 5
    FOLD_RULE = "19:47-33.10(c)2"  # folded stakes go to the pot, which is settled last
    RULE_VOID = "19:47-33.12"
    DESCENDING = True
    ALL_FOLD_ENDS = True
    EXPOSED_HOLE = True
    DEAD_KEEPS = ("jacks_plus",)
    REMOVES = ("EXPOSED", "MISCOUNT")
    BUTTON = True
    POT = "pot"
    RULE_POT = "19:47-33.10(h)"
    TABLES = {"jacks_plus": JACKS_PLUS}
    OPTIONS = {
        "dealer_dead": ("choice", "play_on", ("play_on", "void")),
        "bet_multiple": ("int", 1, (1, 100)),
        "double_multiple": ("int", 2, (1, 100)),
        "commission_percent": ("tenths", 10, (0, 100)),
        "commission_cap": ("int", None, (0, NO_END)),
        "payout_limit": ("int", LIMIT, (LIMIT, NO_END)),
    }
    CERTIFIED = (
        "button",
        "commission_percent",
        "commission_cap",
        "bet_multiple",
        "double_multiple",
        "payout_limit",
    )

    def conflict(self, cfg):
        """The limit covers what the least Jacks Plus wager can win (33.11(c))."""
        least = (cfg["limits"] or {}).get("jacks_plus", (0,))[0]
        if winnings(least, self.table(cfg, "jacks_plus").odds[ROYAL]) > cfg["payout_limit"]:
            return "limits.jacks_plus"
        return Game.conflict(self, cfg)

    def check_table(self, bets):
        """Return (seat, wager, reason) when antes differ (W2)."""
        antes = [b[0] for b in bets if b]
        if len(set(antes)) < 2:
            return None
        wrong = [s for s, b in enumerate(bets) if b and b[0] != antes[0]]
        return wrong[0], "ante", "equal_antes"

    def script(self, dealing):
        """Return the stages of a round (W1)."""
        return (
            ("deal", 0),
            ("decide", 0),
            ("deal", 4),
            ("decide", 1),
            ("deal", 5),
            ("reveal", 0),
            ("settle", 0),
            ("pot", 0),
        )

    def clockwise(self, button):
        """Return all positions clockwise from the button's left; 0 is the dealer."""
        places = list(range(self.SEATS + 1))
        return places[button + 1 :] + places[: button + 1]

    def around(self, r):
        """Players decide from the button's left."""
        return [p for p in self.clockwise(r.button) if p != DEALER]

    def plan(self, r, arg):
        """Return the deliveries of a deal stage, from the button's left."""
        live = [p for p in self.clockwise(r.button) if r.status[p] == (IN if p else OUT)]
        if not any(live):
            return []
        up = [ONE_UP[p : p + 1] for p in live]
        if arg:
            return [ONE_DOWN[BURN : BURN + 1]] * (1 + r.owed_burns) + up
        down = [ONE_DOWN[p : p + 1] for p in live]
        if r.dealing == "auto":
            return [one * 2 + other for one, other in zip(down, up)]
        return down * 2 + up

    def miscount(self, r, place, count, expected):
        """An extra card voids that player's hand; a card not dealt is a misdeal (W10)."""
        return "seat" if place in r.seats and count > expected else "misdeal"

    def stakes(self, r, seat):
        """Return (wager, amount) of all a seat has at risk: the pot game knows only the pot."""
        found = [("pot", put_in(r, seat))]
        if r.bets[seat][1]:
            found.append(("jacks_plus", r.bets[seat][1]))
        return found

    def legal(self, r, seat, stage):
        """Bet or fold, then double or fold."""
        return ("double" if stage else "bet", "fold")

    def settle(self, r, seat):
        """Return the Jacks Plus line of one seat; the pot comes last."""
        stake = r.bets[seat][1]
        if not stake:
            return []
        table = self.table(r.cfg, "jacks_plus")
        hand, low = _jacks_hand(r, seat)
        odds = None if low else table.odds.get(hand)
        if odds is None:
            return [lost(seat, "jacks_plus", stake, table.rule, hand)]
        limit = r.cfg["payout_limit"]
        shares = [stake]
        if hand == ROYAL:
            shares = [r.bets[s][1] for s in r.seats if _royal(r, s)]
        if winnings(sum(shares), odds) > limit:
            net = limit * stake // sum(shares)
            return [Line(seat, "jacks_plus", stake, net, odds, RULE_LIMIT, hand)]
        return [Line(seat, "jacks_plus", stake, winnings(stake, odds), odds, table.rule, hand)]

    def finish(self, r):
        """Award the pot; return (lines, commission, dealer's take) (W2 to W5)."""
        contested = [s for s in r.seats if r.status[s] not in (VOID, DEAD)]
        pot = sum([put_in(r, s) for s in contested])
        winners = self._winners(r, [s for s in contested if r.status[s] == IN])
        if not winners or winners == [DEALER]:
            awards, commission, house = {}, 0, pot
        else:
            awards, commission, house = _share(r.cfg, pot, winners)
        won = "best_hand" if r.status[DEALER] == DEAD else "win"  # nobody beats a dead hand
        lines = []
        for seat in contested:
            award = awards.get(seat, 0)
            reason = "pot_tie" if award and len(winners) > 1 else won if award else "lose"
            if r.status[seat] == FOLDED:
                reason = "fold"
            stake = put_in(r, seat)
            lines.append(Line(seat, "pot", stake, award - stake, None, self.RULE_POT, reason))
        return lines, commission, house

    def _winners(self, r, live):
        """Return the positions with the best hand, from the button's left."""
        if not live:
            return []
        house = [] if r.status[DEALER] == DEAD else [DEALER]  # W8a
        scores = {p: both5(bytes(r.cards[p])) for p in live + house}
        best = max(scores.values())
        return [p for p in self.clockwise(r.button) if scores.get(p) == best]


def _royal(r, seat):
    return r.bets[seat][1] > 0 and r.status[seat] == IN and _jacks_hand(r, seat)[0] == ROYAL


def _jacks_hand(r, seat):
    """Return the hand Jacks Plus goes by, and whether it is a pair too low to be paid."""
    held = bytes(r.cards[seat])
    if r.status[seat] == DEAD:  # settled on its two down cards (W8)
        held = held[:2]
        paired = len(held) == 2 and held[0] >> 2 == held[1] >> 2
        return (PAIR, held[0] >> 2 < 9) if paired else (HIGH, False)  # 9: a jack
    score = rank(held)
    hand = category(score)
    return hand, hand == PAIR and score < PAIR_OF_JACKS


def put_in(r, seat):
    """Return what a seat has put in the pot."""
    return r.bets[seat][0] + r.raised[seat]


def _share(cfg, pot, winners):
    """Return (awards, commission, dealer's share) of a pot players win or share (W3, W4)."""
    unit = cfg["chip_unit"]
    house = pot // len(winners) // unit * unit if DEALER in winners else 0
    players = [p for p in winners if p != DEALER]
    portion = pot - house
    commission = portion * tenths(cfg["commission_percent"]) // 1000
    cap = cfg["commission_cap"]
    if cap is not None and commission > cap:
        commission = cap
    commission = commission // unit * unit
    portion -= commission
    each = portion // len(players) // unit * unit
    odd = (portion - each * len(players)) // unit
    awards = {}
    for i, seat in enumerate(players):
        awards[seat] = each + (unit if i < odd else 0)
    return awards, commission, house


GAME = WinnersPot()
