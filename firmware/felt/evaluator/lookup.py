"""The same scores by looking them up, where the kernels calculate: a second opinion on the board.

The self test asks it; nothing of how it works is shared with the kernels.
"""

from felt.evaluator.tables import SHAPES, SIZES, STRAIGHTS

_LOW = 8  # ranks counted in the lower of two words, three bits each


def _straight(ranks):
    """Return the highest rank of a straight as a bit, or 0."""
    top = STRAIGHTS[ranks >> 1] >> (ranks & 1) * 4 & 15
    return 1 << top >> 1


def _best(ranks, keep):
    while SIZES[ranks >> 7] + SIZES[ranks & 127] > keep:
        ranks &= ranks - 1
    return ranks


def _score(cat, group, kickers):
    return cat << 26 | group << 13 | kickers


def _suited(cards, count, suit):
    """Return the score of a flush in this suit, or 0."""
    ranks = 0
    for i in range(count):
        if cards[i] & 3 == suit:
            ranks |= 1 << (cards[i] >> 2)
    if SIZES[ranks >> 7] + SIZES[ranks & 127] < 5:
        return 0
    run = _straight(ranks)
    if run:
        return _score(9 if run == 4096 else 8, 0, run)
    return _score(5, 0, _best(ranks, 5))


def _held(cards, count):
    """Return the sets of ranks held at least once, twice, three and four times."""
    words = [0, 0]
    for i in range(count):
        rank = cards[i] >> 2
        words[rank // _LOW] += 1 << rank % _LOW * 3
    sets = [0, 0, 0, 0]
    for first in range(0, 13, 2):
        shape = SHAPES[words[first // _LOW] >> first % _LOW * 3 & 63]
        for times in range(4):
            sets[times] |= (shape >> 2 * times & 3) << first
    return sets


def _grouped(one, two, three, four):
    if four:
        return _score(7, four, _best(one ^ four, 1))
    top = _best(three, 1)
    if three and two ^ top:
        return _score(6, top, _best(two ^ top, 1))
    run = _straight(one)
    if run:
        return _score(4, 0, run)
    if three:
        return _score(3, top, _best(one ^ top, 2))
    pairs = _best(two, 2)
    return _score(min(2, SIZES[pairs >> 7] + SIZES[pairs & 127]), pairs, _left(one, pairs))


def _left(one, pairs):
    """Return the kickers beside no, one or two pairs."""
    taken = SIZES[pairs >> 7] + SIZES[pairs & 127]
    return _best(one ^ pairs, 5 - 2 * taken)


def rank(cards, count):
    """Score the first 5, 6 or 7 of these ids."""
    for suit in range(4):
        score = _suited(cards, count, suit)
        if score:
            return score
    return _grouped(*_held(cards, count))
