"""Colorado Hold 'Em, Massachusetts rules, both versions."""

from collections import namedtuple

from felt.evaluator import both5, category, three_card_straight_flush
from felt.games.base import Game
from felt.games.common import (
    BOARD,
    EXACT,
    FALSE_INSTANT,
    FLUSH,
    FOLDED,
    FULL,
    IN,
    INSTANT,
    MUST,
    NO_END,
    NO_LESS,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    Line,
    by_table,
    decision,
    kept,
    lost,
    pay_table,
    rounds_of,
    stacks_of,
    threshold,
    winnings,
)

BONUS_STAKE = 100
LIMIT = 5000000  # the least payout limit the text allows, and its default
RULE_FALSE = "Colorado 14(d)"
INSTANT_WINNER = "instant"  # three of a kind or a straight flush in three cards


def _wagers(rule, full, quads):
    return pay_table(
        rule,
        (ROYAL, 500, 1),
        (STRAIGHT_FLUSH, 100, 1),
        (QUADS, quads, 1),
        (FULL, full, 1),
        (FLUSH, 8, 1),
        (STRAIGHT, 5, 1),
        (INSTANT_WINNER, 5, 1),
        (TRIPS, 3, 1),
        (TWO_PAIR, 2, 1),
        (PAIR, 1, 1),
        change=NO_LESS,
    )


def _bonus(rule):
    return pay_table(
        rule,
        (ROYAL, 10000, 1),
        (STRAIGHT_FLUSH, 1000, 1),
        (QUADS, 100, 1),
        (FULL, 50, 1),
        (FLUSH, 25, 1),
        (STRAIGHT, 15, 1),
        (INSTANT_WINNER, 5, 1),
        (TRIPS, 3, 1),
        (TWO_PAIR, 1, 1),
        change=NO_LESS,
    )


# Its sections on procedure and on the payout limit, the names of its pay tables, where a push and
# where a win starts.
Version = namedtuple("Version", ("procedure", "limit", "wagers", "bonus", "push", "win"))
VERSIONS = {
    "required": Version(
        "Colorado 10",
        "Colorado 12(c)",
        "required",
        "bonus",
        threshold("7c7d2c3d4h"),
        threshold("TcTd2c3d4h"),
    ),
    "permissible": Version(
        "Colorado 11",
        "Colorado 13(c)",
        "permissible",
        "permissible_bonus",
        threshold("9c9d2c3d4h"),
        threshold("JcJd2c3d4h"),
    ),
}
TENS = threshold("TcTd2c3d4h")
JACKS = threshold("JcJd2c3d4h")


class Colorado(Game):
    """Three cards, of which two are kept, and three on the board; no dealer's hand."""

    NAME = "colorado"
    NUMBER = 2
    SEATS = 7
    WAGERS = ("ante", "bonus")
    COUPONS = WAGERS
    BINDS = {"ante": MUST, "bonus": EXACT}
    MAY_BE_OFF = ("bonus",)
    RAISES = ("bet",)
    DECISIONS = (
        decision("fold"),
        decision("bet", "bet", 1, discards=True),
        decision("stay", discards=True),
        decision("instant", pays=True),  # settled before the board is shown
    )
    HOLE, COMMUNITY = 3, 3
    FOLD_TAKES = ("ante", "bonus")
    FOLD_RULE = "Colorado 10(b)(2)"
    RULE_VOID = "Colorado 14"
    DESCENDING = True
    TABLES = {
        "required": _wagers("Colorado 12(b)", 11, 40),
        "permissible": _wagers("Colorado 13(b)", 10, 25),
        "bonus": _bonus("Colorado 12(d)"),
        "permissible_bonus": _bonus("Colorado 13(d)"),
    }
    OPTIONS = {
        "version": ("choice", None, ("required", "permissible")),
        "tens": ("choice", "push", ("push", "pay")),
        "payout_limit": ("int", LIMIT, (LIMIT, NO_END)),
        "a23_instant": ("bool", True, None),
        "two_positions": ("bool", False, None),
    }
    REQUIRED = ("version",)
    CERTIFIED = ("version", "tens", "payout_limit", "a23_instant")
    OPENS_WITH = {"version": "required"}

    def exact(self, cfg, wager):
        """The bonus is exactly $1 (C7)."""
        return BONUS_STAKE if wager == "bonus" else None

    def script(self, dealing):
        """Return the stages of a round; the board lies face down until all have decided."""
        return (("deal", 0), ("decide", 0), ("show", 3), ("settle", 0))

    def plan(self, r, arg):
        """Return the deliveries of the deal."""
        if r.dealing == "auto":
            return stacks_of(r.seats, 3, BOARD)
        return rounds_of(r.seats, 3, BOARD)

    def legal(self, r, seat, stage):
        """Bet or fold, or bet or stay (C1); an instant winner may be declared."""
        last = "fold" if r.cfg["version"] == "required" else "stay"
        return ("bet", last, "instant")

    def act(self, r, seat, word, card):
        """Apply a decision; a kept hand may name its discard now, else when it is settled."""
        held = r.cards[seat]
        if self.decision(word).discards and card is not None:
            if card not in list(held):
                return "not_held"
            r.discarded[seat] = card
        if word == "instant":
            self._declared(r, seat)
            return None
        return Game.act(self, r, seat, word, card)

    def named(self, r, seat):
        """Judge a declaration again (C4, C6)."""
        if r.status[seat] in (INSTANT, FALSE_INSTANT):
            self._declared(r, seat)

    def _declared(self, r, seat):
        r.status[seat] = INSTANT if _is_instant(r.cfg, r.cards[seat]) else FALSE_INSTANT

    def discard_due(self, r, seat):
        """True for a kept hand whose discard nobody has named: it lay face down until now."""
        return r.status[seat] == IN and r.discarded[seat] is None

    def settle(self, r, seat):
        """Return the settlement lines of one seat."""
        version = VERSIONS[r.cfg["version"]]
        status = r.status[seat]
        if status == INSTANT:
            return self._instant(r, seat, version)
        if status in (FOLDED, FALSE_INSTANT):
            reason = "fold" if status == FOLDED else "false_instant"
            rule = self.FOLD_RULE if status == FOLDED else RULE_FALSE
            return [lost(seat, w, s, rule, reason) for w, s in self.stakes(r, seat)]
        two = bytes([c for c in r.cards[seat] if c != r.discarded[seat]])
        score = both5(two + bytes(r.cards[BOARD]))
        lines = self._main(r, seat, version, score)
        bonus = r.bets[seat][1]
        if bonus:
            table = self.table(r.cfg, version.bonus)
            lines.append(_bonus_line(seat, bonus, table, score))
        return lines

    def _main(self, r, seat, version, score):
        """Ante first, then the bet gets what the payout limit leaves (C3, C8)."""
        table = self.table(r.cfg, version.wagers)
        win, hand, room = version.win, category(score), r.cfg["payout_limit"]
        if r.cfg["version"] == "permissible" and r.cfg["tens"] == "pay":
            win = TENS
        lines = []
        for wager, stake in (("ante", r.bets[seat][0]), ("bet", r.raised[seat])):
            if not stake:
                continue
            if score >= win:
                lines.append(_paid(seat, wager, stake, room, table, hand, version))
                room -= lines[-1].net
            elif score >= version.push:
                lines.append(kept(seat, wager, stake, version.procedure + "(f)", hand))
            else:
                lines.append(lost(seat, wager, stake, version.procedure + "(e)", hand))
        return lines

    def _instant(self, r, seat, version):
        """Only the ante is paid, and the bonus (C4, C7)."""
        ante, bonus = r.bets[seat]
        table = self.table(r.cfg, version.wagers)
        room = r.cfg["payout_limit"]
        lines = [_paid(seat, "ante", ante, room, table, INSTANT_WINNER, version)]
        if bonus:
            table = self.table(r.cfg, version.bonus)
            lines.append(by_table(seat, "bonus", bonus, table, INSTANT_WINNER))
        return lines


def _paid(seat, wager, stake, room, table, hand, version):
    """A wager paid by its table, or what the limit leaves of that, by the limit's paragraph."""
    odds = table.odds[hand]
    full = winnings(stake, odds)
    if full > room:
        return Line(seat, wager, stake, room, odds, version.limit, hand)
    return Line(seat, wager, stake, full, odds, table.rule, hand)


def _is_instant(cfg, held):
    """True for three of a kind or a three-card straight flush (C4)."""
    ranks = [c >> 2 for c in held]
    if ranks[0] == ranks[1] == ranks[2]:
        return True
    return three_card_straight_flush(bytes(held), cfg["a23_instant"])


def _bonus_line(seat, stake, table, score):
    hand = category(score)
    if hand == PAIR and score >= JACKS:
        return kept(seat, "bonus", stake, table.rule, hand)
    return by_table(seat, "bonus", stake, table, hand)


GAME = Colorado()
