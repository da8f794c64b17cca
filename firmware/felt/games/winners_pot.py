"""Winner's Pot Poker, 19:47-33: the players' pot, the house's commission, Jacks Plus."""

from felt.evaluator import both5, category, rank
from felt.games.common import (
    BURN,
    DEAD,
    DEALER,
    EVEN,
    FOLDED,
    IN,
    ROYAL,
    UP,
    VOID,
    line,
    threshold,
    winnings,
)

NAME = "winners_pot"
SEATS = 6
MIN_PLAYERS = 2
WAGERS = ("ante", "jacks_plus")
MANDATORY = 1
RAISES = ("bet", "double")
METERS = ("pot", "jacks_plus")
ACTIONS = ("fold", "bet", "double")
FOLD_TAKES = ()  # folded stakes go to the pot, which is settled last
FOLD_RULE = "19:47-33.10(c)2"
DESCENDING = True
ALL_FOLD_ENDS = True
EXPOSED_HOLE = True
LIMIT = 5000000
OPTIONS = {
    "bet_multiple": ("int", 1, (1, 100)),
    "double_multiple": ("int", 2, (1, 100)),
    "commission_percent": ("int", 10, (0, 10)),
    "commission_cap": ("int", None, (0, None)),
    "payout_limit": ("int", LIMIT, (LIMIT, None)),
}

RULE_VOID = "19:47-33.12"
RULE_POT = "19:47-33.10(h)"
RULE_JACKS = "19:47-33.11(b)"
RULE_LIMIT = "19:47-33.11(c)"
JACKS_PLUS = (None, EVEN, (3, 1), (7, 1), (10, 1), (15, 1), (30, 1), (50, 1), (80, 1), (400, 1))
PAIR_OF_JACKS = threshold("JcJd2c3d4h")


def conflict(cfg):
    """No two of this game's settings can contradict."""
    return None


def check_bets(cfg, bets):
    """Every wager stands on its own; equal antes are a matter of the table."""
    return None


def check_table(bets):
    """Return (seat, wager, reason) when antes differ (W2)."""
    antes = [(b[0], s) for s, b in enumerate(bets) if b]
    for ante, seat in antes:
        if ante != antes[0][0]:
            return seat, "ante", "equal_antes"
    return None


def script(dealing):
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


def clockwise(button):
    """Return all positions clockwise from the button's left; 0 is the dealer."""
    return [(button + 1 + i) % (SEATS + 1) for i in range(SEATS + 1)]


def plan(r, arg):
    """Return the deliveries of a deal stage, from the button's left."""
    live = [p for p in clockwise(r.button) if p == DEALER or r.status[p] == IN]
    if len(live) == 1:
        return []
    if arg:
        burns = 1 + r.owed_burns
        return [bytes([BURN])] * burns + [bytes([p | UP]) for p in live]
    if r.dealing == "auto":
        return [bytes([p, p, p | UP]) for p in live]
    down = [bytes([p]) for p in live]
    return down * 2 + [bytes([p | UP]) for p in live]


def miscount(r, place, count, expected):
    """An extra card voids that player's hand; a card not dealt is a misdeal (W10)."""
    return "seat" if place in r.seats and count > expected else "misdeal"


def stakes(r, seat):
    """Return (wager, amount) of all a seat has at risk: the pot game knows only the pot."""
    found = [("pot", put_in(r, seat))]
    if r.bets[seat][1]:
        found.append(("jacks_plus", r.bets[seat][1]))
    return found


def legal(r, seat, stage):
    """Return the actions open to a seat."""
    return ("double" if stage else "bet", "fold")


def act(r, seat, action, card):
    """Apply a decision."""
    if action == "fold":
        r.status[seat] = FOLDED
    else:
        r.raised[seat] += r.bets[seat][0] * r.cfg[action + "_multiple"]
    return None


def dealer_secret(r):
    """A dealer's card seen after the first three changes nothing."""
    return False


def settle(r, seat):
    """Return the Jacks Plus line of one seat; the pot comes last."""
    stake = r.bets[seat][1]
    if not stake:
        return []
    cat = _jacks_hand(r, seat)
    odds = JACKS_PLUS[cat] if cat else None
    if odds is None:
        return [line("jacks_plus", stake, -stake, None, RULE_JACKS, cat)]
    win = winnings(stake, odds)
    limit = r.cfg["payout_limit"]
    if cat == ROYAL:
        royals = [r.bets[s][1] for s in r.seats if _royal(r, s)]
        if len(royals) > 1 and winnings(sum(royals), odds) > limit:
            shared = limit * stake // sum(royals)
            return [line("jacks_plus", stake, shared, odds, RULE_LIMIT, cat)]
    return [line("jacks_plus", stake, min(win, limit), odds, RULE_JACKS, cat)]


def _royal(r, seat):
    return r.bets[seat][1] > 0 and r.status[seat] == IN and _jacks_hand(r, seat) == ROYAL


def _jacks_hand(r, seat):
    """Return the category Jacks Plus is paid on, 0 when the hand is below jacks."""
    held = bytes(r.cards[seat])
    if r.status[seat] == DEAD:  # settled on its two down cards (W8)
        held = held[:2]
        return 1 if len(held) == 2 and held[0] >> 2 == held[1] >> 2 >= 9 else 0
    score = rank(held)
    cat = category(score)
    return 0 if cat == 1 and score < PAIR_OF_JACKS else cat


def put_in(r, seat):
    """Return what a seat has put in the pot."""
    return r.bets[seat][0] + r.raised[seat]


def finish(r):
    """Award the pot; return ([(seat, line)], commission, dealer's take) (W2 to W5)."""
    contested = [s for s in r.seats if r.status[s] not in (VOID, DEAD)]
    pot = sum([put_in(r, s) for s in contested])
    unit = r.cfg["chip_unit"]
    live = [s for s in contested if r.status[s] == IN]
    scores = {s: both5(bytes(r.cards[s])) for s in live}
    if live:
        scores[DEALER] = both5(bytes(r.cards[DEALER]))
    best = max(scores.values()) if scores else 0
    winners = [p for p in clockwise(r.button) if scores.get(p) == best and p in scores]
    if not live or winners == [DEALER]:
        awards, commission, house = {}, 0, pot
    else:
        awards, commission, house = _share(r.cfg, pot, unit, winners)
    lines = []
    for seat in contested:
        stake = put_in(r, seat)
        award = awards.get(seat, 0)
        reason = "pot_tie" if award and len(winners) > 1 else "win" if award else "lose"
        if r.status[seat] == FOLDED:
            reason = "fold"
        lines.append((seat, line("pot", stake, award - stake, None, RULE_POT, reason)))
    return lines, commission, house


def _share(cfg, pot, unit, winners):
    house = 0
    if DEALER in winners:
        house = pot // len(winners) // unit * unit
    players = [p for p in winners if p != DEALER]
    portion = pot - house
    commission = portion * cfg["commission_percent"] // 100
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
