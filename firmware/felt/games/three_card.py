"""Three Card Poker, 19:47-20 by name; its text is not ours, so rules cite our rulings."""

from felt import cards
from felt.evaluator.three import both3, category3
from felt.games.base import Game
from felt.games.common import (
    DEALER,
    EVEN,
    FLUSH,
    HIGH,
    ONE_OF,
    PAIR,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    Line,
    by_table,
    decision,
    kept,
    pay_table,
    rounds_of,
    stacks_of,
    versus,
    winnings,
)

RULE_UNQUALIFIED = "19:47-20 T5"
RULES = ("19:47-20 T6",) * 3  # win, tie, loss
HANDS = (HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STRAIGHT_FLUSH)  # of three cards, by category (T3)
QUEEN_HIGH = both3(cards.parse_all("Qc3d2h"))
ANTE_BONUS = pay_table("19:47-20 T7", (STRAIGHT_FLUSH, 5, 1), (TRIPS, 4, 1), (STRAIGHT, 1, 1))


def _pair_plus(flush):
    return pay_table(
        "19:47-20 T8",
        (STRAIGHT_FLUSH, 40, 1),
        (TRIPS, 30, 1),
        (STRAIGHT, 6, 1),
        (FLUSH, flush, 1),
        (PAIR, 1, 1),
    )


class ThreeCard(Game):
    """Three cards each and no board: play or fold, or bet on the own hand alone."""

    NAME = "three_card"
    NUMBER = 5
    SEATS = 7
    WAGERS = ("ante", "pair_plus")
    COUPONS = WAGERS
    BINDS = {"ante": ONE_OF, "pair_plus": ONE_OF}
    RAISES = ("play",)
    METERS = ("ante", "pair_plus", "play", "ante_bonus")
    ADDS = {"ante_bonus": "ante"}
    DECISIONS = (decision("fold"), decision("play", "play", 1))
    HOLE, DEALER_CARDS = 3, 3
    FOLD_TAKES = ("ante",)
    FOLD_RULE = "19:47-20 T4"
    RULE_VOID = "19:47-20 T9"
    REMOVES = ("MISCOUNT",)
    TABLES = {"ante_bonus": ANTE_BONUS, "pair_plus": (_pair_plus(4), _pair_plus(3))}
    OPTIONS = {
        "pair_plus": ("int", 1, (1, 2)),
        "pair_plus_after_fold": ("choice", "lose", ("lose", "live")),
    }
    CERTIFIED = ("pair_plus", "pair_plus_after_fold")

    def script(self, dealing):
        """Return the stages of a round (T2)."""
        return (("deal", 0), ("decide", 0), ("reveal", 0), ("settle", 0))

    def plan(self, r, arg):
        """Return the deliveries of the deal (T2)."""
        if r.dealing == "auto":
            return stacks_of(r.seats, 3, DEALER)
        return rounds_of(r.seats, 3, DEALER)

    def miscount(self, r, place, count, expected):
        """A player's hand is void, the dealer's voids all (T9)."""
        return "seat" if place in r.seats else "miscount"

    def dealer_secret(self, r):
        """True until every seat has decided (T9)."""
        return any([r.stake(s, "ante") and not r.raised[s] for s in r.live()])

    def legal(self, r, seat, stage):
        """A seat with an ante plays or folds (T4)."""
        return ("play", "fold") if r.stake(seat, "ante") else ()

    def fold_takes(self, cfg):
        """Pair plus goes with a fold unless the house lets it live (T4)."""
        return self.WAGERS if cfg["pair_plus_after_fold"] == "lose" else self.FOLD_TAKES

    def settle(self, r, seat):
        """Return the settlement lines of one seat."""
        ante, pair_plus = r.bets[seat]
        lines = self.folded(r, seat)
        if len(lines) == (ante > 0) + (pair_plus > 0):
            return lines
        mine = both3(r.cards[seat])
        if r.raised[seat]:
            lines = _main(seat, ante, r.raised[seat], mine, both3(r.cards[DEALER]))
        if pair_plus:
            table = self.table(r.cfg, "pair_plus")
            hand = HANDS[category3(mine)]
            lines.append(by_table(seat, "pair_plus", pair_plus, table, hand))
        return lines


def _main(seat, ante, play, mine, dealer):
    """Ante, play and ante bonus of a seat that played (T5 to T7)."""
    if dealer < QUEEN_HIGH:
        lines = [
            Line(seat, "ante", ante, ante, EVEN, RULE_UNQUALIFIED, "unqualified"),
            kept(seat, "play", play, RULE_UNQUALIFIED, "unqualified"),
        ]
    else:
        order = mine - dealer
        lines = [versus(seat, w, s, order, RULES) for w, s in (("ante", ante), ("play", play))]
    hand = HANDS[category3(mine)]
    odds = ANTE_BONUS.odds.get(hand)
    if odds:
        net = winnings(ante, odds)
        lines.append(Line(seat, "ante_bonus", 0, net, odds, ANTE_BONUS.rule, hand))
    return lines


GAME = ThreeCard()
