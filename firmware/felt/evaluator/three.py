"""Hands of three cards, which rank otherwise than five: a straight beats a flush.

rank3(cards) is a score that orders every two hands of three; 12 bits of it are the ranks that
break ties, the rest is the category. What money rests on asks both3, which has the hand scored
twice, from its sorted ranks and from a mask of them: a disagreement pays nothing.
"""

import micropython
from felt.evaluator import Disagreement

HIGH3, PAIR3, FLUSH3, STRAIGHT3, TRIPS3, STRAIGHT_FLUSH3 = range(6)
_ACE, _THREE, _TWO = 12, 1, 0


def category3(score):
    """Return the category of a score."""
    return score >> 12


@micropython.native
def rank3(cards):
    """Return the score of three different cards; ValueError for anything else."""
    if len(cards) != 3 or max(cards) > 51 or min(cards) < 0 or len(set(cards)) != 3:
        raise ValueError("not three different cards: %r" % (list(cards),))
    low, mid, high = sorted([c >> 2 for c in cards])
    if low == high:
        return _score(TRIPS3, high, 0, 0)
    if low == mid:
        return _score(PAIR3, low, high, 0)
    if mid == high:
        return _score(PAIR3, high, low, 0)
    suited = cards[0] & 3 == cards[1] & 3 == cards[2] & 3
    top = _straight(low, mid, high)
    if top is not None:
        return _score(STRAIGHT_FLUSH3 if suited else STRAIGHT3, top, 0, 0)
    return _score(FLUSH3 if suited else HIGH3, high, mid, low)


def _straight(low, mid, high):
    """Return the top rank of a straight or None; an ace below a two makes the lowest."""
    if high - low == 2:  # three different ranks
        return high
    return _THREE if (low, mid, high) == (_TWO, _THREE, _ACE) else None


def both3(cards):
    """Return rank3's score; the second opinion shares nothing with it."""
    score = rank3(cards)
    if score != counted3(cards):
        raise Disagreement
    return score


@micropython.native
def counted3(cards):
    """Return the score of three cards from bits: which ranks are there once, twice and thrice."""
    once = twice = thrice = suits = 0
    for c in cards:
        rank = 1 << (c >> 2)
        thrice |= twice & rank
        twice |= once & rank
        once |= rank
        suits |= 1 << (c & 3)
    if thrice:
        return 0x4000 | _top(thrice) << 8
    if twice:
        return 0x1000 | _top(twice) << 8 | _top(once ^ twice) << 4
    suited = suits & (suits - 1) == 0
    if once == 0x1003:  # ace, two, three
        return (0x5000 if suited else 0x3000) | 1 << 8
    if once == 7 * (once & -once):
        return (0x5000 if suited else 0x3000) | _top(once) << 8
    high = _top(once)
    rest = once ^ 1 << high
    mid = _top(rest)
    return (0x2000 if suited else 0) | high << 8 | mid << 4 | _top(rest ^ 1 << mid)


def _top(mask):
    """Return the place of the highest bit."""
    place = 0
    while mask > 1:
        mask >>= 1
        place += 1
    return place


def _score(category, a, b, c):
    return category << 12 | a << 8 | b << 4 | c
