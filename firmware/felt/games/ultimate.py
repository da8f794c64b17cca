"""Ultimate Texas Hold 'Em, 19:47-32 by name; its text is not ours, so rules cite our rulings."""

from felt.evaluator import both7, category
from felt.games.common import (
    BOARD,
    DEALER,
    EQUAL,
    FLUSH,
    FULL,
    MUST,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    by_table,
    decision,
    kept,
    on_win,
    pay_table,
    versus,
)
from felt.games.holdem import Holdem

RULE_UNQUALIFIED = "19:47-32 U4"
RULES = ("19:47-32 U5",) * 3  # win, tie, loss
BLIND = pay_table(
    "19:47-32 U6",
    (ROYAL, 500, 1),
    (STRAIGHT_FLUSH, 50, 1),
    (QUADS, 10, 1),
    (FULL, 3, 1),
    (FLUSH, 3, 2),
    (STRAIGHT, 1, 1),
)


def _trips(full, flush, straight):
    return pay_table(
        "19:47-32 U7",
        (ROYAL, 50, 1),
        (STRAIGHT_FLUSH, 40, 1),
        (QUADS, 30, 1),
        (FULL, full, 1),
        (FLUSH, flush, 1),
        (STRAIGHT, straight, 1),
        (TRIPS, 3, 1),
    )


class Ultimate(Holdem):
    """Two hole cards and five on the board; one play wager, larger the sooner it comes."""

    NAME = "ultimate"
    NUMBER = 4
    WAGERS = ("ante", "blind", "trips")
    COUPONS = WAGERS
    BINDS = {"ante": MUST, "blind": EQUAL}
    MAY_BE_OFF = ("trips",)
    RAISES = ("play",)
    DECISIONS = (
        decision("check"),
        decision("fold"),
        decision("play1", "play", 1),
        decision("play2", "play", 2),
        decision("play3", "play", 3),
        decision("play4", "play", 4),
    )
    STAGES = (("play4", "play3", "check"), ("play2", "check"), ("play1", "fold"))  # U3
    FOLD_TAKES = ("ante", "blind")
    FOLD_RULE = "19:47-32 U3"
    RULE_VOID = "19:47-32 U8"
    TABLES = {"blind": BLIND, "trips": (_trips(9, 7, 4), _trips(8, 7, 4), _trips(8, 6, 5))}
    OPTIONS = {
        "trips": ("int", 1, (1, 3)),
        "trips_after_fold": ("choice", "live", ("live", "lose")),
    }
    CERTIFIED = ("trips", "trips_after_fold")

    def fold_takes(self, cfg):
        """Trips goes with a fold only where the house says so (U7)."""
        return self.WAGERS if cfg["trips_after_fold"] == "lose" else self.FOLD_TAKES

    def settle(self, r, seat):
        """Return the settlement lines of one seat."""
        board = bytes(r.cards[BOARD])
        mine = both7(bytes(r.cards[seat]) + board)
        lines = self.folded(r, seat)
        if not lines:
            lines = self._main(r, seat, mine, both7(bytes(r.cards[DEALER]) + board))
        trips = r.bets[seat][2]
        if trips and "trips" not in [line.wager for line in lines]:
            table = self.table(r.cfg, "trips")
            lines.append(by_table(seat, "trips", trips, table, category(mine)))
        return lines

    def _main(self, r, seat, mine, dealer):
        """Ante, play and blind of a seat that played (U4 to U6)."""
        ante, blind, _ = r.bets[seat]
        order = mine - dealer
        first = versus(seat, "ante", ante, order, RULES)
        if category(dealer) < PAIR:
            first = kept(seat, "ante", ante, RULE_UNQUALIFIED, "unqualified")
        play = versus(seat, "play", r.raised[seat], order, RULES)
        return [first, play, on_win(seat, "blind", blind, order, BLIND, category(mine))]


GAME = Ultimate()
