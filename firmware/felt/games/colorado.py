"""Colorado Hold 'Em, Massachusetts rules, both versions."""

from felt import cards as card_names
from felt.evaluator import both5, category, three_card_straight_flush
from felt.games.common import (
    BOARD,
    EVEN,
    FALSE_INSTANT,
    FOLDED,
    IN,
    INSTANT,
    by_table,
    line,
    rounds_of,
    stacks_of,
    threshold,
    winnings,
)

NAME = "colorado"
SEATS = 7
MIN_PLAYERS = 1
WAGERS = ("ante", "bonus")
MANDATORY = 1
RAISES = ("bet",)
METERS = WAGERS + RAISES
ACTIONS = ("fold", "bet", "stay", "instant")
FOLD_TAKES = ("ante", "bonus")
FOLD_RULE = "Colorado 10(b)(2)"
DESCENDING = True
ALL_FOLD_ENDS = False
EXPOSED_HOLE = False
BONUS_STAKE = 100
LIMIT = 5000000  # the least payout limit the text allows, and its default
OPTIONS = {
    "version": ("choice", None, ("required", "permissible")),
    "tens": ("choice", "push", ("push", "pay")),
    "payout_limit": ("int", LIMIT, (LIMIT, None)),
    "a23_instant": ("bool", True, None),
    "two_positions": ("bool", False, None),
}
REQUIRED = ("version",)

RULE_VOID = "Colorado 14"
RULE_FALSE = "Colorado 14(d)"
COMMON = (EVEN, (2, 1), (3, 1), (5, 1), (8, 1))
# version: (procedure, odds, pay by category, a push starts here, a win starts here)
VERSIONS = {
    "required": (
        "Colorado 10",
        "Colorado 12",
        (None,) + COMMON + ((11, 1), (40, 1), (100, 1), (500, 1)),
        threshold("7c7d2c3d4h"),
        threshold("TcTd2c3d4h"),
    ),
    "permissible": (
        "Colorado 11",
        "Colorado 13",
        (None,) + COMMON + ((10, 1), (25, 1), (100, 1), (500, 1)),
        threshold("9c9d2c3d4h"),
        threshold("JcJd2c3d4h"),
    ),
}
TENS = threshold("TcTd2c3d4h")
JACKS = threshold("JcJd2c3d4h")
INSTANT_ODDS = (5, 1)
BONUS = (None, None, EVEN, (3, 1), (15, 1), (25, 1), (50, 1), (100, 1), (1000, 1)) + ((10000, 1),)


def conflict(cfg):
    """Return the name of a setting that contradicts another, or None."""
    return None


def check_bets(cfg, bets):
    """Return (wager, reason) for a seat's wagers that may not stand, or None."""
    return ("bonus", "exact_stake") if bets[1] not in (0, BONUS_STAKE) else None


def check_table(bets):
    """Nothing binds one seat's wagers to another's."""
    return None


def script(dealing):
    """Return the stages of a round; the board lies face down until all have decided."""
    return (("deal", 0), ("decide", 0), ("show", 3), ("settle", 0))


def plan(r, arg):
    """Return the deliveries of the deal."""
    if r.dealing == "auto":
        return stacks_of(r.seats, 3, BOARD)
    return rounds_of(r.seats, 3, BOARD)


def miscount(r, place, count, expected):
    """Any wrong count voids all hands (C10)."""
    return "miscount"


def legal(r, seat, stage):
    """Return the actions open to a seat (C1)."""
    last = "fold" if r.cfg["version"] == "required" else "stay"
    return ("bet", last, "instant")


def act(r, seat, action, card):
    """Apply a decision; a kept hand may name its discard now, else when it is settled."""
    held = r.cards[seat]
    if action in ("bet", "stay"):
        if card != 255 and card not in list(held):
            return "not_held"
        r.discarded[seat] = card
        if action == "bet":
            r.raised[seat] = r.bets[seat][0]
    elif action == "instant":
        r.status[seat] = INSTANT if is_instant(r.cfg, held) else FALSE_INSTANT
    else:
        r.status[seat] = FOLDED
    return None


def is_instant(cfg, held):
    """True for three of a kind or a three-card straight flush (C4)."""
    ranks = [c >> 2 for c in held]
    if ranks[0] == ranks[1] == ranks[2]:
        return True
    return three_card_straight_flush(bytes(held), cfg["a23_instant"])


def discard_due(r, seat):
    """True for a kept hand whose discard nobody has named: it lay face down until now."""
    return r.status[seat] == IN and r.discarded[seat] == 255


def pays_now(r, seat):
    """A declared instant winner, true or false, is settled before the board is shown."""
    return r.status[seat] in (INSTANT, FALSE_INSTANT)


def settle(r, seat):
    """Return the settlement lines of one seat."""
    cfg = r.cfg
    procedure, rule, table, push, win = VERSIONS[cfg["version"]]
    if cfg["version"] == "permissible" and cfg["tens"] == "pay":
        win = TENS
    status = r.status[seat]
    if status == INSTANT:
        return _instant(r, seat, rule + "(b)", rule + "(d)")
    if status in (FOLDED, FALSE_INSTANT):
        reason = "fold" if status == FOLDED else "false_instant"
        why = FOLD_RULE if status == FOLDED else RULE_FALSE
        return [line(w, s, -s, None, why, reason) for w, s in r.stakes(seat)]
    kept = bytes([c for c in r.cards[seat] if c != r.discarded[seat]])
    score = both5(kept + bytes(r.cards[BOARD]))
    cat = category(score)
    room = cfg["payout_limit"]
    lines = []
    for wager, stake in (("ante", r.bets[seat][0]), ("bet", r.raised[seat])):
        if not stake:
            continue
        if score >= win:
            net = min(winnings(stake, table[cat]), room)
            room -= net
            lines.append(line(wager, stake, net, table[cat], rule + "(b)", cat))
        elif score >= push:
            lines.append(line(wager, stake, 0, None, procedure + "(f)", cat))
        else:
            lines.append(line(wager, stake, -stake, None, procedure + "(e)", cat))
    if r.bets[seat][1]:
        lines.append(_bonus(r.bets[seat][1], score, cat, rule + "(d)"))
    return lines


def _instant(r, seat, rule, bonus_rule):
    ante, bonus = r.bets[seat]
    net = min(winnings(ante, INSTANT_ODDS), r.cfg["payout_limit"])
    lines = [line("ante", ante, net, INSTANT_ODDS, rule, "instant")]
    if bonus:
        net = winnings(bonus, INSTANT_ODDS)
        lines.append(line("bonus", bonus, net, INSTANT_ODDS, bonus_rule, "instant"))
    return lines


def _bonus(stake, score, cat, rule):
    if cat == 1 and score >= JACKS:
        return line("bonus", stake, 0, None, rule, cat)
    return by_table("bonus", stake, BONUS, cat, rule)


def card_of(text):
    """Return (action, card) of a vector's action such as "bet:7h"."""
    action, _, name = text.partition(":")
    return action, card_names.parse(name) if name else 255
