"""The poker hand evaluator every payment rests on: an int for 3 to 7 cards, higher is better.

A score is the category << 20 and below it five ranks of four bits, most significant first.
"""

from felt import cards as names_of

HIGH_CARD = 0
PAIR = 1
TWO_PAIR = 2
TRIPS = 3
STRAIGHT = 4
FLUSH = 5
FULL_HOUSE = 6
QUADS = 7
STRAIGHT_FLUSH = 8
ROYAL = 9

_WHEEL = 0x100F
_fill = bytearray(5)


def category(score):
    """Return 0 for a high card up to 8 for a straight flush and 9 for a royal flush."""
    return score >> 20


def _top(mask):
    rank = 12
    while not mask >> rank & 1:
        rank -= 1
    return rank


def _tops(mask, count):
    score = 0
    for _ in range(count):
        rank = _top(mask)
        score = score << 4 | rank
        mask ^= 1 << rank
    return score


def _straight(mask):
    run = mask & mask << 1 & mask << 2 & mask << 3 & mask << 4
    if run:
        return _top(run)
    return 3 if mask & _WHEEL == _WHEEL else 0


def _raw(cards, count):
    suits = 0
    one = two = three = four = 0
    for i in range(count):
        bit = 1 << (cards[i] >> 2)
        four |= three & bit
        three |= two & bit
        two |= one & bit
        one |= bit
        suits += 1 << (cards[i] & 3) * 4
    for suit in range(4):
        if (suits >> suit * 4 & 15) >= 5:
            return _flush(cards, count, suit)
    if four:
        top = _top(four)
        return QUADS << 20 | top << 16 | _top(one ^ 1 << top) << 12
    if three:
        top = _top(three)
        if two ^ 1 << top:
            return FULL_HOUSE << 20 | top << 16 | _top(two ^ 1 << top) << 12
    run = _straight(one)
    if run:
        return STRAIGHT << 20 | run << 16
    if three:
        return TRIPS << 20 | top << 16 | _tops(one ^ 1 << top, 2) << 8
    if not two:
        return _tops(one, 5)
    top = _top(two)
    low = two ^ 1 << top
    if low:
        second = _top(low)
        rest = one ^ 1 << top ^ 1 << second
        return TWO_PAIR << 20 | top << 16 | second << 12 | _top(rest) << 8
    return PAIR << 20 | top << 16 | _tops(one ^ 1 << top, 3) << 4


def _flush(cards, count, suit):
    mask = 0
    for i in range(count):
        if cards[i] & 3 == suit:
            mask |= 1 << (cards[i] >> 2)
    run = _straight(mask)
    if run == 12:
        return ROYAL << 20
    if run:
        return STRAIGHT_FLUSH << 20 | run << 16
    return FLUSH << 20 | _tops(mask, 5)


def rank5(buf):
    """Score five cards. Trusts that buf is a buffer of at least 5 distinct ids below 52."""
    return _raw(buf, 5)


def rank6(buf):
    """Score the best five of six cards. Trusts its buffer as rank5 does."""
    return _raw(buf, 6)


def rank7(buf):
    """Score the best five of seven cards. Trusts its buffer as rank5 does."""
    return _raw(buf, 7)


def _check(cards):
    low = high = 0
    for card in cards:
        if not 0 <= card < 52:
            raise ValueError("not a card id: %s" % card)
        if card < 26:
            if low >> card & 1:
                raise ValueError("duplicate card: %s" % names_of.name(card))
            low |= 1 << card
        else:
            if high >> (card - 26) & 1:
                raise ValueError("duplicate card: %s" % names_of.name(card))
            high |= 1 << (card - 26)


def _rank_partial(cards, count):
    """Score 3 or 4 cards as the lowest five-card hand with their groups and kickers."""
    held = 0
    for i in range(count):
        _fill[i] = cards[i]
        held |= 1 << (cards[i] >> 2)
    suit = (cards[0] & 3) ^ 1
    rank = 0
    for i in range(count, 5):
        while held >> rank & 1:
            rank += 1
        _fill[i] = rank * 4 + suit
        held |= 1 << rank
    score = rank5(_fill)
    while category(score) == STRAIGHT:
        rank += 1
        while held >> rank & 1:
            rank += 1
        _fill[4] = rank * 4 + suit
        score = rank5(_fill)
    return score


def rank(cards):
    """Score 3 to 7 distinct card ids; ValueError names what is wrong with any others."""
    count = len(cards)
    if not 3 <= count <= 7:
        raise ValueError("3 to 7 cards, not %d" % count)
    _check(cards)
    if count == 7:
        return rank7(cards)
    if count == 6:
        return rank6(cards)
    if count == 5:
        return rank5(cards)
    return _rank_partial(cards, count)


def rank_seats(board, holes, scores):
    """Score each pair in holes with the five cards of board into scores (array of 'i').

    Trusts that the ids are distinct and below 52 and that scores has a place for each pair.
    """
    hand = bytearray(7)
    hand[:5] = board
    for seat in range(len(holes) // 2):
        hand[5] = holes[seat * 2]
        hand[6] = holes[seat * 2 + 1]
        scores[seat] = rank7(hand)


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


# Exact counts of all 2,598,960 five-card hands by category, high card first.
COUNTS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)


def self_test_full(progress):
    """Count every five-card hand by category; progress(done, total) after each first card."""
    hand = bytearray(5)
    counts = [0] * 10
    done = 0
    for a in range(48):
        hand[0] = a
        for b in range(a + 1, 49):
            hand[1] = b
            for c in range(b + 1, 50):
                hand[2] = c
                for d in range(c + 1, 51):
                    hand[3] = d
                    for e in range(d + 1, 52):
                        hand[4] = e
                        counts[category(rank5(hand))] += 1
                    done += 51 - d
        progress(done, 2598960)
    return tuple(counts) == COUNTS


def self_test():
    """True if a sample hand of every category scores as it must."""
    samples = ((0, 5, 10, 15, 21), (0, 1, 6, 11, 16), (48, 49, 50, 51, 0), (48, 44, 40, 36, 32))
    want = (HIGH_CARD, PAIR, QUADS, ROYAL)
    for hand, cat in zip(samples, want):
        if category(rank5(bytes(hand))) != cat:
            return False
    return True
