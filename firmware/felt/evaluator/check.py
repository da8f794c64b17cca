"""Proof on the board that the evaluator is intact; imported only while it runs."""

from felt import evaluator
from felt.cards import parse_all

TOTAL = 2598960
FIRST = 0  # the lowest card counted
SAMPLE = 60  # dealt hands both evaluators rank
# Exact numbers of five-card hands by category, high card first.
COUNTS = (1302540, 1098240, 123552, 54912, 10200, 5108, 3744, 624, 36, 4)

# In rising order: category, five cards, two more that do not improve them.
LADDER = (
    (0, "7c5d4h3s2c", ""),
    (0, "Ac9dTh7s5d", "2c3h"),
    (1, "2c2dAhKsQd", "9c8h"),
    (1, "AcAdKh9s7d", "3c2h"),
    (2, "3c3d2h2s4c", ""),
    (2, "AcAdKhKsQd", "JcJh"),
    (3, "2c2d2hTs9d", "7c5h"),
    (3, "AcAdAhKsQd", ""),
    (4, "Ac2d3h4s5d", "5cKh"),
    (4, "AcKdQhJsTd", "AhAs"),
    (5, "7c5c4c3c2c", "7d7h"),
    (5, "AdKdQdJd9d", "8d7d"),
    (6, "2c2d2h3s3d", "AcKh"),
    (6, "AcAdAhKsKd", "KhQc"),
    (7, "2c2d2h2sAd", "3c3h"),
    (7, "AcAdAhAsKd", "KhKc"),
    (8, "Ah2h3h4h5h", "AcKh"),
    (8, "KsQsJsTs9s", "8s7s"),
    (9, "AsKsQsJsTs", "9s8s"),
)


def _ladder_holds():
    last = -1
    for category, five, more in LADDER:
        hand = parse_all(five + more)
        score = evaluator.both5(hand)
        if score <= last or evaluator.category(score) != category:
            return False
        if more and not (score == evaluator.both6(hand) == evaluator.both7(hand)):
            return False
        last = score
    return True


def _deal(hand, state, limit):
    """Fill hand with distinct ids below limit; return the generator's next state."""
    k = 0
    while k < len(hand):
        state = (state * 75 + 74) % 65537
        hand[k] = state % limit
        i = 0
        while hand[i] != hand[k]:
            i += 1
        k += i == k
    return state


def _agrees(hand):
    return evaluator.both5(hand) <= evaluator.both7(hand) >= evaluator.both6(hand)


def quick():
    """True if every category and kernel answers right, looked up and calculated."""
    try:
        return _samples_agree() and _ladder_holds()
    except evaluator.Disagreement:
        return False


def _samples_agree():
    hand = bytearray(7)
    state = 1
    for turn in range(SAMPLE):
        state = _deal(hand, state, (52, 12)[turn & 1])  # few ranks make the rare hands common
        if not _agrees(hand):
            return False
    return True


def full(progress):
    """Count all hands by category; progress(done, total) each time the first two cards change."""
    hand = bytearray(5)
    counts = [0] * 10
    done = 0
    for a in range(FIRST, 48):
        hand[0] = a
        for b in range(a + 1, 49):
            hand[1] = b
            try:
                done += _count_three(hand, b + 1, counts, evaluator.both5)
            except evaluator.Disagreement:
                return False
            progress(done, TOTAL)
    return tuple(counts) == COUNTS


def _count_three(hand, first, counts, both5):
    """Count the hands with two cards given and three of first or above."""
    done = 0
    for c in range(first, 50):
        hand[2] = c
        for d in range(c + 1, 51):
            hand[3] = d
            for e in range(d + 1, 52):
                hand[4] = e
                counts[both5(hand) >> 26] += 1
            done += 51 - d
    return done
