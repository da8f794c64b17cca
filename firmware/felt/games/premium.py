"""Premium Hold 'Em, 13:69F-X (also cited as 13:69F-40), with Bonus Spin."""

from felt.evaluator import both7, category
from felt.games.bonus_spin import RULE as RULE_SPIN
from felt.games.bonus_spin import TABLES
from felt.games.common import (
    BOARD,
    BURN,
    DEALER,
    EVEN,
    FOLDED,
    UP,
    by_table,
    line,
    rounds_of,
    stacks_of,
    threshold,
    versus,
    winnings,
)

NAME = "premium"
SEATS = 6
MIN_PLAYERS = 1
WAGERS = ("ante", "xtra", "dealer_bonus", "player_bonus", "bonus_spin")
MANDATORY = 2  # ante and X-Tra
RAISES = ("play",)
METERS = WAGERS + RAISES
ACTIONS = ("check", "fold", "play1", "play2", "play3")
FOLD_TAKES = ("ante", "xtra")
FOLD_RULE = "13:69F-X.10(d)2"
DESCENDING = False
ALL_FOLD_ENDS = False
EXPOSED_HOLE = False
OPTIONS = {
    "ante_unqualified": ("choice", "lose", ("lose", "push")),
    "bonus_spin": ("choice", None, tuple(sorted(TABLES))),
    "fixed_prize": ("int", None, (1, None)),
    "weights": ("weights", None, None),
    "weights_note": ("text", "", None),
}

LEAST_ANTE = 100  # cents (P1)
RULE_VOID = "13:69F-X.12"
RULES_ANTE = ("13:69F-X.10(g)3iv", "13:69F-X.10(g)3ii", "13:69F-X.10(g)3i")  # win, tie, loss
RULE_UNQUALIFIED = "13:69F-X.10(g)3iii"
RULES_PLAY = ("13:69F-X.10(g)4iii", "13:69F-X.10(g)4ii", "13:69F-X.10(g)4i")
RULE_JACKS = "13:69F-X.11(c)"
RULE_XTRA = "13:69F-X.11(d)"
JACKS_UP = (None, None, EVEN, (2, 1), (3, 1), (4, 1), (6, 1), (10, 1), (30, 1), (50, 1))
XTRA = (None, None, None, None, EVEN, (3, 2), (3, 1), (10, 1), (100, 1), (500, 1))
PAIR_OF_THREES = threshold("3c3d2c4d5h")
JACKS_AND_TWOS = threshold("JcJd2c2d3h")


def conflict(cfg):
    """Return the name of a setting that contradicts another, or None."""
    spin = cfg["bonus_spin"]
    fixed = spin is not None and TABLES[spin][1] is None
    if fixed != (cfg["fixed_prize"] is not None):
        return "fixed_prize"
    if cfg["weights"] is not None and spin is None:
        return "weights"
    if spin is not None and TABLES[spin][0] % cfg["chip_unit"]:
        return "chip_unit"
    return None


def check_bets(cfg, bets):
    """Return (wager, reason) for a seat's wagers that may not stand, or None (P1)."""
    if bets[0] < LEAST_ANTE:
        return "ante", "least_ante"
    if bets[1] != bets[0]:
        return "xtra", "equal_ante"
    if bets[4]:
        if cfg["bonus_spin"] is None or cfg["weights"] is None:
            return "bonus_spin", "spin_closed"
        if bets[4] != TABLES[cfg["bonus_spin"]][0]:
            return "bonus_spin", "exact_stake"
    return None


def check_table(bets):
    """Nothing binds one seat's wagers to another's."""
    return None


def script(dealing):
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


def plan(r, arg):
    """Return the deliveries of a deal stage, each the places of its cards (P21)."""
    if arg:
        return [bytes([BOARD | UP])] * arg
    if r.dealing == "auto":
        return stacks_of(r.seats, 3, DEALER) + [bytes([BOARD, BOARD, BURN])] * 2
    return rounds_of(r.seats, 3, DEALER)


def miscount(r, place, count, expected):
    """A player's hand is void; a card the dealer lacks is dealt in sequence if it can be (P20)."""
    if place in r.seats:
        return "seat"
    last = r.plan[r.at - 1][0] if r.at else DEALER
    one_short = place == DEALER and count == expected - 1 and last == DEALER
    fair = one_short and not r.cards[BOARD] and r.held == 255 and not r.exposed[DEALER]
    return "mend" if fair and r.dealing != "auto" else "miscount"


def legal(r, seat, stage):
    """Return the actions open to a seat at a decision stage."""
    if stage == 0:
        return ("play3", "check")
    return ("play1", "play2", "fold") if r.raised[seat] == 0 else ()


def act(r, seat, action, card):
    """Apply a decision the machine found legal; return a refusal or None."""
    if action == "fold":
        r.status[seat] = FOLDED
    elif action != "check":
        r.raised[seat] = r.bets[seat][0] * int(action[4])
    return None


def dealer_secret(r):
    """True until each player has folded or placed a play wager (P19)."""
    return any([r.raised[s] == 0 for s in r.live()])


def triggers(r, seat):
    """True when the seat's latched Bonus Spin wager has won a spin (P10, P11)."""
    c = r.cards[seat]
    return r.bets[seat][4] > 0 and len(c) == 3 and c[0] & 3 == c[1] & 3 == c[2] & 3


def settle(r, seat):
    """Return the settlement lines of one seat, Bonus Spin excepted, in the rules' order."""
    board = bytes(r.cards[BOARD])
    dealer = both7(bytes(r.cards[DEALER]) + board)
    mine = both7(bytes(r.cards[seat]) + board)
    order = mine - dealer
    ante, xtra, on_dealer, on_player, _ = r.bets[seat]
    lines = []
    for wager, stake, score in (
        ("dealer_bonus", on_dealer, dealer),
        ("player_bonus", on_player, mine),
    ):
        if stake:
            cat = category(score)
            if cat == 2 and score < JACKS_AND_TWOS:
                cat = 1
            lines.append(by_table(wager, stake, JACKS_UP, cat, RULE_JACKS))
    if r.status[seat] == FOLDED:
        lines.append(line("ante", ante, -ante, None, FOLD_RULE, "fold"))
        lines.append(line("xtra", xtra, -xtra, None, FOLD_RULE, "fold"))
        return lines
    lines.append(_ante(r.cfg, ante, order, dealer))
    lines.append(versus("play", r.raised[seat], order, RULES_PLAY))
    lines.append(_xtra(xtra, order, category(mine)))
    return lines


def _ante(cfg, stake, order, dealer):
    lenient = order < 0 and cfg["ante_unqualified"] == "push"
    if dealer < PAIR_OF_THREES and (order > 0 or lenient):
        return line("ante", stake, 0, None, RULE_UNQUALIFIED, "unqualified")
    return versus("ante", stake, order, RULES_ANTE)


def _xtra(stake, order, cat):
    if order < 0:
        return line("xtra", stake, -stake, None, RULE_XTRA, "lose")
    if order == 0:
        return line("xtra", stake, 0, None, RULE_XTRA, "tie")
    odds = XTRA[cat]
    net = winnings(stake, odds) if odds else 0
    return line("xtra", stake, net, odds, RULE_XTRA, cat)


def spin_lines(stake, pays):
    """Return the Bonus Spin line of a seat: everything received less the stake (P12)."""
    return line("bonus_spin", stake, pays - stake, None, RULE_SPIN, "spin" if pays else "lose")
