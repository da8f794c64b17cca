"""Heads Up Hold'em, 13:69F-39."""

from felt.evaluator import both7, category
from felt.games.common import (
    BOARD,
    DEALER,
    EVEN,
    FOLDED,
    PAIR,
    STRAIGHT,
    UP,
    by_table,
    line,
    rounds_of,
    stacks_of,
    versus,
    winnings,
)

NAME = "headsup"
SEATS = 6
MIN_PLAYERS = 1
WAGERS = ("ante", "odds", "trips_plus", "pocket_bonus")
MANDATORY = 2  # ante and odds
RAISES = ("raise",)
METERS = WAGERS + RAISES
ACTIONS = ("check", "fold", "raise1", "raise2", "raise3")
FOLD_TAKES = ("ante", "odds")
FOLD_RULE = "13:69F-39.10(h)"
DESCENDING = False
ALL_FOLD_ENDS = False
EXPOSED_HOLE = False
OPTIONS = {
    "ante_unqualified": ("choice", "push", ("push", "compare")),
    "trips_plus": ("int", 1, (1, 4)),
    "pocket_bonus": ("int", 1, (1, 3)),
    "bad_beat": ("choice", "printed", ("printed", "none")),
}

RULE_VOID = "13:69F-39.12"
RULES_ANTE = ("13:69F-39.11(b)(2)", "13:69F-39.11(b)(4)", "13:69F-39.11(b)(3)")  # win, tie, loss
RULE_UNQUALIFIED = "13:69F-39.11(b)(1)"
RULES_WEAK = (
    "13:69F-39.11(c)",
    "13:69F-39.11(d)",
    "13:69F-39.11(e)",
)  # raise, odds: trips or less
RULES_STRONG = ("13:69F-39.11(b)(5)", "13:69F-39.11(d)", "13:69F-39.11(f)")  # a straight or more
RULE_TRIPS = "13:69F-39.11(g)"
RULE_POCKET = "13:69F-39.11(i)"
NO = (None, None, None)
ODDS = NO + (None, EVEN, (3, 2), (3, 1), (10, 1), (50, 1), (500, 1))
BAD_BEAT = NO + (None, (4, 1), (5, 1), (6, 1), (25, 1), (500, 1), None)
TRIPS_PLUS = (
    NO + ((3, 1), (4, 1), (7, 1), (9, 1), (30, 1), (40, 1), (100, 1)),
    NO + ((3, 1), (5, 1), (6, 1), (8, 1), (30, 1), (40, 1), (100, 1)),
    NO + ((3, 1), (4, 1), (7, 1), (8, 1), (30, 1), (40, 1), (100, 1)),
    NO + ((3, 1), (5, 1), (6, 1), (7, 1), (30, 1), (40, 1), (100, 1)),
)
# pair of aces, ace-face suited, ace-face unsuited, pair of twos to kings
POCKETS = ("pocket_aces", "pocket_suited", "pocket_face", "pocket_pair")
POCKET_BONUS = (
    ((30, 1), (20, 1), (10, 1), (5, 1)),
    ((25, 1), (20, 1), (10, 1), (5, 1)),
    ((30, 1), (20, 1), (10, 1), (4, 1)),
)


def conflict(cfg):
    """No two of this game's settings can contradict."""
    return None


def check_bets(cfg, bets):
    """Return (wager, reason) for a seat's wagers that may not stand, or None."""
    return ("odds", "equal_ante") if bets[1] != bets[0] else None


def check_table(bets):
    """Nothing binds one seat's wagers to another's."""
    return None


def script(dealing):
    """Return the stages of a round."""
    board = "show" if dealing == "auto" else "deal"
    return (
        ("deal", 0),
        ("decide", 0),
        (board, 3),
        ("decide", 1),
        (board, 2),
        ("decide", 2),
        ("reveal", 0),
        ("settle", 0),
    )


def plan(r, arg):
    """Return the deliveries of a deal stage (H10)."""
    if arg:
        return [bytes([BOARD | UP])] * arg
    if r.dealing == "auto":
        return [bytes([BOARD] * 5)] + stacks_of(r.seats, 2, DEALER)
    return rounds_of(r.seats, 2, DEALER)


def miscount(r, place, count, expected):
    """Any wrong count voids all hands (H11)."""
    return "miscount"


def legal(r, seat, stage):
    """Return the actions open to a seat at a decision stage (H1)."""
    if r.raised[seat]:
        return ()
    return (
        ("raise1", "raise2", "raise3", "check"),
        ("raise1", "raise2", "check"),
        ("raise1", "fold"),
    )[stage]


def act(r, seat, action, card):
    """Apply a decision the machine found legal."""
    if action == "fold":
        r.status[seat] = FOLDED
    elif action != "check":
        r.raised[seat] = r.bets[seat][0] * int(action[5])
    return None


def dealer_secret(r):
    """True until the dealer's hand is due to be revealed (H11)."""
    return True


def settle(r, seat):
    """Return the settlement lines of one seat."""
    cfg = r.cfg
    board = bytes(r.cards[BOARD])
    mine = both7(bytes(r.cards[seat]) + board)
    ante, odds, trips, pocket = r.bets[seat]
    if r.status[seat] == FOLDED:
        lines = [
            line("ante", ante, -ante, None, FOLD_RULE, "fold"),
            line("odds", odds, -odds, None, FOLD_RULE, "fold"),
        ]
    else:
        dealer = both7(bytes(r.cards[DEALER]) + board)
        order = mine - dealer
        cat = category(mine)
        rules = RULES_STRONG if cat >= STRAIGHT else RULES_WEAK
        lines = [
            _ante(cfg, ante, order, dealer),
            versus("raise", r.raised[seat], order, rules),
            _odds(cfg, odds, order, cat, rules),
        ]
    if trips:
        table = TRIPS_PLUS[cfg["trips_plus"] - 1]
        lines.append(by_table("trips_plus", trips, table, category(mine), RULE_TRIPS))
    if pocket:
        lines.append(_pocket(cfg, pocket, r.cards[seat]))
    return lines


def _ante(cfg, stake, order, dealer):
    if category(dealer) < PAIR and (order >= 0 or cfg["ante_unqualified"] == "push"):
        return line("ante", stake, 0, None, RULE_UNQUALIFIED, "unqualified")
    return versus("ante", stake, order, RULES_ANTE)


def _odds(cfg, stake, order, cat, rules):
    if order == 0:
        return line("odds", stake, 0, None, rules[1], "tie")
    if order > 0:
        odds = ODDS[cat]
        net = winnings(stake, odds) if odds else 0
        return line("odds", stake, net, odds, rules[0], cat)
    if cat >= STRAIGHT and cfg["bad_beat"] == "printed":
        net = winnings(stake, BAD_BEAT[cat])
        return line("odds", stake, net, BAD_BEAT[cat], rules[2], cat)
    return line("odds", stake, -stake, None, rules[2], "lose")


def _pocket(cfg, stake, hole):
    kind = _pocket_kind(hole[0], hole[1])
    if kind is None:
        return line("pocket_bonus", stake, -stake, None, RULE_POCKET, "lose")
    odds = POCKET_BONUS[cfg["pocket_bonus"] - 1][kind]
    return line("pocket_bonus", stake, winnings(stake, odds), odds, RULE_POCKET, POCKETS[kind])


def _pocket_kind(a, b):
    high, low = max(a >> 2, b >> 2), min(a >> 2, b >> 2)
    if high == low:
        return 0 if high == 12 else 3
    if high == 12 and low >= 9:
        return 1 if a & 3 == b & 3 else 2
    return None
