"""What the four games share: settlement lines, odds and hand thresholds."""

from felt import cards, evaluator

DEALER, BOARD, BURN, DISCARD = 0, 8, 9, 10  # places; seats are 1..7
PLACES = 11
UP = 0x80  # flag on a place in a deal plan: the card is dealt face up

# What a seat has come to; a round starts with everyone IN.
OUT, IN, FOLDED, VOID, DEAD, INSTANT, FALSE_INSTANT = range(7)

EVEN = (1, 1)
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STRAIGHT_FLUSH, ROYAL = range(10)


def threshold(text):
    """Return the score of a hand such as "3c3d2c4d5h": the lowest that qualifies."""
    return evaluator.both5(cards.parse_all(text))


def winnings(stake, odds):
    """Return what a stake wins at odds of a to b."""
    return stake * odds[0] // odds[1]


def line(wager, stake, net, odds, rule, reason):
    """One settled wager: name, stake, net cents, odds or None, rule section, reason key."""
    return (wager, stake, net, odds, rule, reason)


def by_table(wager, stake, table, cat, rule):
    """Settle a wager that wins by its own pay table or loses."""
    odds = table[cat]
    if odds:
        return line(wager, stake, winnings(stake, odds), odds, rule, cat)
    return line(wager, stake, -stake, None, rule, cat)


def versus(wager, stake, order, rules):
    """Settle a wager at even money by comparison; rules are those of a win, a tie, a loss."""
    if order > 0:
        return line(wager, stake, stake, EVEN, rules[0], "win")
    if order < 0:
        return line(wager, stake, -stake, None, rules[2], "lose")
    return line(wager, stake, 0, None, rules[1], "tie")


def returned(r, seat, rule, reason):
    """Return every stake of a seat: a void round or a void hand (ruling G8)."""
    return [line(w, s, 0, None, rule, reason) for w, s in r.stakes(seat)]


def rounds_of(seats, times, last):
    """Deal one card at a time, `times` times round the seats and then the last place."""
    lap = [bytes([s]) for s in seats]
    lap.append(bytes([last]))
    return lap * times


def stacks_of(seats, size, last):
    """Deal whole stacks: one to each seat, then one to the last place."""
    return [bytes([s] * size) for s in seats] + [bytes([last] * size)]
