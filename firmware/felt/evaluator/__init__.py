"""The poker hand evaluator every payment rests on: an int for 3 to 7 cards, higher is better.

A score is its category << 26, a mask of the ranks that make the hand << 13 and a mask of kickers.
Categories: 0 high card, pair, two pair, trips, straight, flush, full house, quads, 8 straight
flush, 9 royal flush.

rank5, rank6 and rank7 look a hand up in tables: raw viper kernels.  What money rests on asks
both5, both6 or both7, or the checked `rank`: they have the hand calculated as well, by kernels
that share nothing with the tables, and a damaged chip pays nothing instead of something else.
"""

import micropython

from felt.evaluator.kernels import rank5 as calculated5
from felt.evaluator.kernels import rank6 as calculated6
from felt.evaluator.kernels import rank7 as calculated7
from felt.evaluator.tables import rank5, rank6, rank7

STRAIGHT = 4
_LISTS = (list, tuple)
_fill = bytearray(5)


class Disagreement(Exception):
    """Tables and arithmetic rank a hand differently. Says no cards: they may not be open yet."""


# Native: as bytecode the two calls and the comparison take a third as long as both evaluations.
@micropython.native
def both5(hand):
    """Score five cards, looked up and calculated."""
    score = rank5(hand)
    if score != calculated5(hand):
        raise Disagreement
    return score


@micropython.native
def both6(hand):
    """Score six cards, looked up and calculated."""
    score = rank6(hand)
    if score != calculated6(hand):
        raise Disagreement
    return score


@micropython.native
def both7(hand):
    """Score seven cards, looked up and calculated."""
    score = rank7(hand)
    if score != calculated7(hand):
        raise Disagreement
    return score


def category(score):
    """Return 0 for a high card up to 8 for a straight flush and 9 for a royal flush."""
    return score >> 26


@micropython.viper
def _first_bad(b: ptr8, count: int) -> int:
    """Return the place of the first id that is over 51 or seen before, or count."""
    low = 0
    high = 0
    i = 0
    while i < count:
        c = b[i]
        if c < 26:
            if low >> c & 1:
                return i
            low |= 1 << c
        else:
            if c > 51 or high >> (c - 26) & 1:
                return i
            high |= 1 << (c - 26)
        i += 1
    return count


def _name(card):
    from felt.cards import name  # only a refusal needs names

    return name(card) if 0 <= card < 52 else str(card)


def _as_bytes(cards):
    for card in cards:
        if not 0 <= card < 256:
            _refuse(cards, "not a card: %d" % card)
    return bytes(cards)


def _refuse(cards, why):
    """Raise ValueError with the reason and every card by name, or by number if it has none."""
    raise ValueError("%s in [%s]" % (why, " ".join([_name(c) for c in cards])))


def _check(cards, count):
    if not 3 <= count <= 7:
        _refuse(cards, "3 to 7 cards, not %d" % count)
    bad = _first_bad(cards, count)
    if bad < count:
        card = cards[bad]
        if card > 51:
            _refuse(cards, "not a card: %d" % card)
        _refuse(cards, "duplicate %s" % _name(card))


def _rank_partial(cards, count):
    """Score 3 or 4 cards as the lowest five-card hand with their groups and kickers."""
    held = 0
    for i in range(count):
        _fill[i] = cards[i]
        held |= 1 << (cards[i] >> 2)
    suit = (cards[0] & 3) ^ 1  # another suit than the first card's: never a flush
    rank = 0
    for i in range(count, 5):
        while held >> rank & 1:
            rank += 1
        _fill[i] = rank * 4 + suit
        held |= 1 << rank
    while category(both5(_fill)) == STRAIGHT:
        rank += 1
        if not held >> rank & 1:
            _fill[4] = rank * 4 + suit
    return both5(_fill)


def rank(cards):
    """Score 3 to 7 card ids; ValueError names the cards if they are not distinct ids below 52.

    Three or four cards score as the lowest five-card hand that has their pairs, trips or quads
    and their kickers, so that thresholds on five-card scores hold for them.
    """
    if isinstance(cards, _LISTS):
        cards = _as_bytes(cards)
    count = len(cards)
    _check(cards, count)
    if count == 7:
        return both7(cards)
    if count == 6:
        return both6(cards)
    if count == 5:
        return both5(cards)
    return _rank_partial(cards, count)


def three_card_straight_flush(cards, ace_low):
    """True for three suited cards in sequence; A-2-3 only if ace_low, K-A-2 never."""
    if cards[0] & 3 != cards[1] & 3 or cards[0] & 3 != cards[2] & 3:
        return False
    mask = 1 << (cards[0] >> 2) | 1 << (cards[1] >> 2) | 1 << (cards[2] >> 2)
    if mask == 0x1003:
        return bool(ace_low)
    while not mask & 1:
        mask >>= 1
    return mask == 7


def self_test():
    """True if sample hands score in order, looked up and calculated alike."""
    from felt.evaluator import check

    return check.quick()


def self_test_full(progress):
    """True if all five-card hands are ranked alike by both and fall into the exact counts; calls
    progress(done, total)."""
    from felt.evaluator import check

    return check.full(progress)
