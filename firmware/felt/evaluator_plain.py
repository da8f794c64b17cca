"""The same scores by a plain and slow way: the second opinion of the self test."""


def _top(mask):
    while mask & (mask - 1):
        mask &= mask - 1
    return mask


def _tops(mask, count):
    kept = 0
    for _ in range(count):
        kept |= _top(mask ^ kept)
    return kept


def _straight(mask):
    """Return the highest rank of a straight as a bit, or 0; an ace is also below the deuce."""
    mask = mask << 1 | mask >> 12
    return _top(mask & mask >> 1 & mask >> 2 & mask >> 3 & mask >> 4) << 3


def _score(cat, group, kickers):
    return cat << 26 | group << 13 | kickers


def _flush(mask):
    run = _straight(mask)
    if run:
        return _score(9 if run == 4096 else 8, 0, run)
    return _score(5, 0, _tops(mask, 5))


def _groups(one, two, three, four):
    if four:
        return _score(7, four, _top(one ^ four))
    top = _top(three)
    if three and two ^ top:
        return _score(6, top, _top(two ^ top))
    run = _straight(one)
    if run:
        return _score(4, 0, run)
    if three:
        return _score(3, top, _tops(one ^ top, 2))
    if two & (two - 1):
        top = _tops(two, 2)
        return _score(2, top, _top(one ^ top))
    if two:
        return _score(1, two, _tops(one ^ two, 3))
    return _score(0, 0, _tops(one, 5))


def _rank(cards, count):
    one = two = three = four = 0
    for i in range(count):
        bit = 1 << (cards[i] >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
    for suit in range(4):
        mask = held = 0
        for i in range(count):
            if cards[i] & 3 == suit:
                mask |= 1 << (cards[i] >> 2)
                held += 1
        if held > 4:
            return _flush(mask)
    return _groups(one, two, three, four)


def rank5(b):
    return _rank(b, 5)


def rank6(b):
    return _rank(b, 6)


def rank7(b):
    return _rank(b, 7)
