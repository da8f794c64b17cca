"""Values and small helpers the games share: places, hands, settlement lines, pay tables."""

from collections import namedtuple

from felt import cards, evaluator

DEALER, BOARD, BURN, DISCARD = 0, 8, 9, 10  # places; seats are 1..7
PLACES = 11
UP = 0x80  # flag on a place in a deal plan: the card is dealt face up
ONE_DOWN = b"\0\1\2\3\4\5\6\7\x08\x09\x0a"  # slices of it are deliveries of one card
ONE_UP = b"\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a"

# What a seat has come to; a round starts with everyone IN.
OUT, IN, FOLDED, VOID, DEAD, INSTANT, FALSE_INSTANT = range(7)

# How a wager binds: it opens the round; it equals the ante; its stake is exact; it is free; the
# seat must place one of several such.
MUST, EQUAL, EXACT, MAY, ONE_OF = range(5)

EVEN = (1, 1)
NO_END = 1 << 62  # of an amount that is only compared
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)
# Names of these hands in a configuration.
HANDS = (
    "high_card", "pair", "two_pair", "three_of_a_kind", "straight", "flush", "full_house",
    "four_of_a_kind", "straight_flush", "royal_flush",
)  # fmt: skip

# One settled wager: what moves at a seat, and why. Odds are (a, b), read "a to b", or None; the
# reason is a hand or a text key.
Line = namedtuple("Line", ("seat", "wager", "stake", "net", "odds", "rule", "reason"))
# A decision: its word, the spot its chips lie on or None, how many antes (or the option that says
# so), whether it names a discard, whether the seat is paid at once.
Decision = namedtuple("Decision", ("word", "spot", "times", "discards", "pays"))
# What a rule section pays by hand; `change` says what a house may do with it.
PayTable = namedtuple("PayTable", ("rule", "odds", "change"))
FIXED, NO_LESS, OWN = range(3)


def decision(word, spot=None, times=0, discards=False, pays=False):
    """Return one decision of a game."""
    return Decision(word, spot, times, discards, pays)


def pay_table(rule, *rows, change=FIXED):
    """Return a pay table from rows (hand, a, b), highest first, as the rule text prints them."""
    return PayTable(rule, {hand: (a, b) for hand, a, b in rows}, change)


def threshold(text):
    """Return the score of a hand such as "3c3d2c4d5h": the lowest that qualifies."""
    return evaluator.both5(cards.parse_all(text))


def tenths(percent):
    """Return tenths of a percent of 7, 7.5 or "7.5"; None of anything finer or else."""
    if isinstance(percent, bool) or not isinstance(percent, (int, float, str)):
        return None
    text = percent if isinstance(percent, str) else "%.4f" % percent
    whole, _, rest = text.partition(".")
    rest = rest.rstrip("0")
    if not whole.isdigit() or len(rest) > 1 or (rest and not rest.isdigit()):
        return None
    return int(whole) * 10 + int(rest or 0)


def winnings(stake, odds):
    """Return what a stake wins at odds of a to b."""
    return stake * odds[0] // odds[1]


def by_table(seat, wager, stake, table, hand):
    """Settle a wager that wins by its own pay table or loses."""
    odds = table.odds.get(hand)
    net = winnings(stake, odds) if odds else -stake
    return Line(seat, wager, stake, net, odds, table.rule, hand)


def versus(seat, wager, stake, order, rules):
    """Settle a wager at even money by comparison; rules are those of a win, a tie, a loss."""
    if order > 0:
        return Line(seat, wager, stake, stake, EVEN, rules[0], "win")
    if order < 0:
        return Line(seat, wager, stake, -stake, None, rules[2], "lose")
    return Line(seat, wager, stake, 0, None, rules[1], "tie")


def on_win(seat, wager, stake, order, table, hand, rules=None):
    """Settle a wager that a win pays by its table, or returns where the table has no such hand."""
    win, tie, loss = rules or (table.rule,) * 3
    if order < 0:
        return lost(seat, wager, stake, loss, "lose")
    if order == 0:
        return kept(seat, wager, stake, tie, "tie")
    odds = table.odds.get(hand)
    return Line(seat, wager, stake, winnings(stake, odds) if odds else 0, odds, win, hand)


def lost(seat, wager, stake, rule, reason):
    """A wager that is collected."""
    return Line(seat, wager, stake, -stake, None, rule, reason)


def kept(seat, wager, stake, rule, reason):
    """A wager that pushes or is returned."""
    return Line(seat, wager, stake, 0, None, rule, reason)


def rounds_of(seats, times, last):
    """Deal one card at a time, `times` times round the seats and then the last place."""
    lap = [ONE_DOWN[s : s + 1] for s in seats]
    lap.append(ONE_DOWN[last : last + 1])
    return lap * times


def stacks_of(seats, size, last):
    """Deal whole stacks: one to each seat, then one to the last place."""
    return [lap * size for lap in rounds_of(seats, 1, last)]
