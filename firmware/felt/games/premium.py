"""Premium Hold 'Em, 13:69F-X (also cited as 13:69F-40), with Bonus Spin."""

from felt.evaluator import both7, category
from felt.games import SettingsError, bonus_spin
from felt.games.base import Game
from felt.games.common import (
    BOARD,
    BURN,
    DEALER,
    EQUAL,
    EXACT,
    FLUSH,
    FOLDED,
    FULL,
    MUST,
    PAIR,
    QUADS,
    ROYAL,
    STRAIGHT,
    STRAIGHT_FLUSH,
    TRIPS,
    TWO_PAIR,
    UP,
    Line,
    by_table,
    decision,
    kept,
    on_win,
    pay_table,
    rounds_of,
    stacks_of,
    threshold,
    versus,
)

RULES_ANTE = ("13:69F-X.10(g)3iv", "13:69F-X.10(g)3ii", "13:69F-X.10(g)3i")  # win, tie, loss
RULE_UNQUALIFIED = "13:69F-X.10(g)3iii"
RULES_PLAY = ("13:69F-X.10(g)4iii", "13:69F-X.10(g)4ii", "13:69F-X.10(g)4i")
JACKS_UP = pay_table(
    "13:69F-X.11(c)",
    (ROYAL, 50, 1),
    (STRAIGHT_FLUSH, 30, 1),
    (QUADS, 10, 1),
    (FULL, 6, 1),
    (FLUSH, 4, 1),
    (STRAIGHT, 3, 1),
    (TRIPS, 2, 1),
    (TWO_PAIR, 1, 1),  # jacks or better as the higher pair
)
XTRA = pay_table(
    "13:69F-X.11(d)",
    (ROYAL, 500, 1),
    (STRAIGHT_FLUSH, 100, 1),
    (QUADS, 10, 1),
    (FULL, 3, 1),
    (FLUSH, 3, 2),
    (STRAIGHT, 1, 1),
)
PAIR_OF_THREES = threshold("3c3d2c4d5h")
JACKS_AND_TWOS = threshold("JcJd2c2d3h")


def _noted(cfg):
    """The configuration itself says the word."""
    return cfg["weights_note"].upper().startswith("ILLUSTRATIVE")


class Premium(Game):
    """Three hole cards and four on the board, against a dealer who needs a pair of threes."""

    NAME = "premium"
    NUMBER = 0
    WAGERS = ("ante", "xtra", "dealer_bonus", "player_bonus", "bonus_spin")
    COUPONS = ("ante", "xtra", "dealer_bonus", "player_bonus")
    BINDS = {"ante": MUST, "xtra": EQUAL, "bonus_spin": EXACT}
    LEAST = {"ante": 100}  # P1
    LATCH = "bonus_spin"
    LATCH_RULE = "13:69F-X.10(a)3"
    RAISES = ("play",)
    DECISIONS = (
        decision("check"),
        decision("fold"),
        decision("play1", "play", 1),
        decision("play2", "play", 2),
        decision("play3", "play", 3),
    )
    HOLE, DEALER_CARDS, COMMUNITY = 3, 3, 4
    FOLD_TAKES = ("ante", "xtra")
    FOLD_RULE = "13:69F-X.10(d)2"
    RULE_VOID = "13:69F-X.12"
    REMOVES = ("MISCOUNT",)
    TABLES = {"jacks_up": JACKS_UP, "xtra": XTRA}
    OPTIONS = {
        "ante_unqualified": ("choice", "lose", ("lose", "push")),
        "bonus_spin": ("choice", None, tuple(sorted(bonus_spin.TABLES))),
        "fixed_prize": ("int", None, (1, None)),
        "prize_name": ("name", "", None),
        "weights": ("weights", None, None),
        "weights_note": ("text", "", None),
        "stub_waiver_auto": ("bool", False, None),
    }
    CERTIFIED = ("bonus_spin", "jackpot", "fixed_prize", "ante_unqualified")

    def stub_waived(self, cfg, dealing):
        """Its text has no such words for an automated shoe, unless the house has them."""
        return dealing != "auto" or cfg["stub_waiver_auto"]

    def conflict(self, cfg):
        """A fixed prize belongs to a fixed table, weights to a wheel."""
        wheel = self.wheel(cfg)
        fixed = wheel is not None and wheel.seed is None
        if fixed != (cfg["fixed_prize"] is not None):
            return "fixed_prize"
        if cfg["prize_name"] and not fixed:
            return "prize_name"
        if cfg["weights"] is not None and wheel is None:
            return "weights"
        if self.illustrative(cfg) and not (cfg["demonstration"] or _noted(cfg)):
            raise SettingsError("weights", "illustrative")
        return Game.conflict(self, cfg)

    def illustrative(self, cfg):
        """Return whether the wheel turns with weights that nobody approved."""
        return _noted(cfg) or bonus_spin.illustrative(cfg["weights"])

    def wheel_name(self, settings):
        """Return the name of the Bonus Spin pay table, or None."""
        return settings.get("bonus_spin")

    def wheel(self, cfg):
        """Return the Bonus Spin wheel, or None."""
        name = self.wheel_name(cfg)
        return bonus_spin.wheel(name, cfg["fixed_prize"], cfg["prize_name"]) if name else None

    def exact(self, cfg, wager):
        """Bonus Spin takes the stake of its pay table (P12)."""
        if wager != self.LATCH or not cfg["bonus_spin"]:
            return None
        return bonus_spin.TABLES[cfg["bonus_spin"]][0]

    def wrong(self, cfg, wager, cents, ante):
        """Bonus Spin is closed until the wheel has its weights (P17)."""
        if wager == self.LATCH and cents and not (cfg["bonus_spin"] and cfg["weights"]):
            return "spin_closed"
        return Game.wrong(self, cfg, wager, cents, ante)

    def script(self, dealing):
        """Return the stages of a round."""
        board = "show" if dealing == "auto" else "deal"
        return (
            ("deal", 0),
            ("decide", 0),
            (board, 4),
            ("decide", 1),
            ("reveal", 0),
            ("settle", 0),
            ("spin", 0),
        )

    def plan(self, r, arg):
        """Return the deliveries of a deal stage, each the places of its cards (P21)."""
        if arg:
            return [bytes([BOARD | UP])] * arg
        if r.dealing == "auto":
            return stacks_of(r.seats, 3, DEALER) + [bytes([BOARD, BOARD, BURN])] * 2
        return rounds_of(r.seats, 3, DEALER)

    def miscount(self, r, place, count, expected):
        """A player's hand is void; a card the dealer lacks is dealt if it still can be (P20)."""
        if place in r.seats:
            return "seat"
        one_short = place == DEALER and count == expected - 1
        unseen = not r.held and not r.exposed[DEALER] and not r.cards[BOARD]
        return "mend" if one_short and unseen and r.dealing != "auto" else "miscount"

    def dealer_secret(self, r):
        """True until each player has folded or placed a play wager (P19)."""
        return any([r.raised[s] == 0 for s in r.live()])

    def legal(self, r, seat, stage):
        """Three times the ante or check; then once, twice or fold (P3)."""
        if stage == 0:
            return ("play3", "check")
        return ("play1", "play2", "fold") if r.raised[seat] == 0 else ()

    def triggers(self, r, seat):
        """True when the seat's latched Bonus Spin wager has won a spin (P10, P11)."""
        c = r.cards[seat]
        latched = r.stake(seat, self.LATCH) > 0
        return latched and len(c) == 3 and c[0] & 3 == c[1] & 3 == c[2] & 3

    def settle(self, r, seat):
        """Return the lines of one seat, Bonus Spin excepted, in the rules' order."""
        board = bytes(r.cards[BOARD])
        dealer = both7(bytes(r.cards[DEALER]) + board)
        mine = both7(bytes(r.cards[seat]) + board)
        ante, xtra, on_dealer, on_player, _ = r.bets[seat]
        lines = []
        if on_dealer:
            lines.append(_jacks_up(seat, "dealer_bonus", on_dealer, dealer))
        if on_player:
            lines.append(_jacks_up(seat, "player_bonus", on_player, mine))
        if r.status[seat] == FOLDED:
            return lines + self.folded(r, seat)
        order = mine - dealer
        lines.append(_ante(r.cfg, seat, ante, order, dealer))
        lines.append(versus(seat, "play", r.raised[seat], order, RULES_PLAY))
        lines.append(on_win(seat, "xtra", xtra, order, XTRA, category(mine)))
        return lines

    def spin_line(self, seat, stake, pays):
        """Return the Bonus Spin line of a seat: everything received less the stake (P12)."""
        reason = "spin" if pays else "lose"
        return Line(seat, self.LATCH, stake, pays - stake, None, bonus_spin.RULE, reason)


def _jacks_up(seat, wager, stake, score):
    """Two pair pays only with jacks or better as the higher pair (P9)."""
    hand = category(score)
    if hand == TWO_PAIR and score < JACKS_AND_TWOS:
        hand = PAIR
    return by_table(seat, wager, stake, JACKS_UP, hand)


def _ante(cfg, seat, stake, order, dealer):
    lenient = order < 0 and cfg["ante_unqualified"] == "push"
    if dealer < PAIR_OF_THREES and (order > 0 or lenient):
        return kept(seat, "ante", stake, RULE_UNQUALIFIED, "unqualified")
    return versus(seat, "ante", stake, order, RULES_ANTE)


GAME = Premium()
