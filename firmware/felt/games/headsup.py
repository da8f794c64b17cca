"""Heads Up Hold'em, 13:69F-39."""

from felt.evaluator import both7, category
from felt.games.common import (
    BOARD,
    DEALER,
    EQUAL,
    FLUSH,
    FULL,
    MUST,
    OWN,
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

RULES_ANTE = ("13:69F-39.11(b)(2)", "13:69F-39.11(b)(4)", "13:69F-39.11(b)(3)")  # win, tie, loss
RULE_UNQUALIFIED = "13:69F-39.11(b)(1)"
# Raise and odds: with three of a kind or less, and with a straight or more.
RULES_WEAK = ("13:69F-39.11(c)", "13:69F-39.11(d)", "13:69F-39.11(e)")
RULES_STRONG = ("13:69F-39.11(b)(5)", "13:69F-39.11(d)", "13:69F-39.11(f)")
ODDS = pay_table(
    RULES_STRONG[0],
    (ROYAL, 500, 1),
    (STRAIGHT_FLUSH, 50, 1),
    (QUADS, 10, 1),
    (FULL, 3, 1),
    (FLUSH, 3, 2),
    (STRAIGHT, 1, 1),
)
BAD_BEAT = pay_table(
    RULES_STRONG[2],
    (STRAIGHT_FLUSH, 500, 1),
    (QUADS, 25, 1),
    (FULL, 6, 1),
    (FLUSH, 5, 1),
    (STRAIGHT, 4, 1),
    change=OWN,
)


def _trips_plus(full, flush, straight):
    return pay_table(
        "13:69F-39.11(g)",
        (ROYAL, 100, 1),
        (STRAIGHT_FLUSH, 40, 1),
        (QUADS, 30, 1),
        (FULL, full, 1),
        (FLUSH, flush, 1),
        (STRAIGHT, straight, 1),
        (TRIPS, 3, 1),
    )


def _pocket_bonus(aces, pair):
    return pay_table(
        "13:69F-39.11(i)",
        ("pocket_aces", aces, 1),
        ("pocket_suited", 20, 1),
        ("pocket_face", 10, 1),
        ("pocket_pair", pair, 1),
    )


class HeadsUp(Holdem):
    """Two hole cards and five on the board; three chances to raise once."""

    NAME = "headsup"
    NUMBER = 1
    WAGERS = ("ante", "odds", "trips_plus", "pocket_bonus")
    COUPONS = WAGERS
    BINDS = {"ante": MUST, "odds": EQUAL}
    MAY_BE_OFF = ("trips_plus", "pocket_bonus")
    RAISES = ("raise",)
    DECISIONS = (
        decision("check"),
        decision("fold"),
        decision("raise1", "raise", 1),
        decision("raise2", "raise", 2),
        decision("raise3", "raise", 3),
    )
    STAGES = (  # less the later it is (H1)
        ("raise1", "raise2", "raise3", "check"),
        ("raise1", "raise2", "check"),
        ("raise1", "fold"),
    )
    FOLD_TAKES = ("ante", "odds")
    FOLD_RULE = "13:69F-39.10(h)"
    RULE_VOID = "13:69F-39.12"
    TABLES = {
        "odds": ODDS,
        "bad_beat": BAD_BEAT,
        "trips_plus": (
            _trips_plus(9, 7, 4),
            _trips_plus(8, 6, 5),
            _trips_plus(8, 7, 4),
            _trips_plus(7, 6, 5),
        ),
        "pocket_bonus": (_pocket_bonus(30, 5), _pocket_bonus(25, 5), _pocket_bonus(30, 4)),
    }
    OPTIONS = {
        "ante_unqualified": ("choice", "push", ("push", "compare")),
        "trips_plus": ("int", 1, (1, 4)),
        "pocket_bonus": ("int", 1, (1, 3)),
        "bad_beat": ("choice", "printed", ("printed", "none")),
    }
    CERTIFIED = ("trips_plus", "pocket_bonus", "ante_unqualified")

    def settle(self, r, seat):
        """Return the settlement lines of one seat."""
        board = bytes(r.cards[BOARD])
        mine = both7(bytes(r.cards[seat]) + board)
        ante, odds, trips, pocket = r.bets[seat]
        lines = self.folded(r, seat)
        if not lines:
            dealer = both7(bytes(r.cards[DEALER]) + board)
            order = mine - dealer
            rules = RULES_STRONG if category(mine) >= STRAIGHT else RULES_WEAK
            lines = [
                _ante(r.cfg, seat, ante, order, dealer),
                versus(seat, "raise", r.raised[seat], order, rules),
                self._odds(r.cfg, seat, odds, order, category(mine), rules),
            ]
        if trips:
            table = self.table(r.cfg, "trips_plus")
            lines.append(by_table(seat, "trips_plus", trips, table, category(mine)))
        if pocket:
            table = self.table(r.cfg, "pocket_bonus")
            hand = _pocket_hand(r.cards[seat][0], r.cards[seat][1])
            lines.append(by_table(seat, "pocket_bonus", pocket, table, hand))
        return lines

    def _odds(self, cfg, seat, stake, order, hand, rules):
        """A strong hand that loses is paid by the Bad Beat table (H5, H6)."""
        beat = self.table(cfg, "bad_beat") if cfg["bad_beat"] == "printed" else None
        if order < 0 and beat and hand in beat.odds:
            return by_table(seat, "odds", stake, beat, hand)
        return on_win(seat, "odds", stake, order, ODDS, hand, rules)


def _ante(cfg, seat, stake, order, dealer):
    if category(dealer) < PAIR and (order >= 0 or cfg["ante_unqualified"] == "push"):
        return kept(seat, "ante", stake, RULE_UNQUALIFIED, "unqualified")
    return versus(seat, "ante", stake, order, RULES_ANTE)


def _pocket_hand(a, b):
    """Return what two hole cards are to the Pocket Bonus table (H8)."""
    high, low = max(a >> 2, b >> 2), min(a >> 2, b >> 2)
    if high == low:
        return "pocket_aces" if high == 12 else "pocket_pair"
    if high == 12 and low >= 9:
        return "pocket_suited" if a & 3 == b & 3 else "pocket_face"
    return "lose"


GAME = HeadsUp()
