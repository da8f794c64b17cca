"""The evaluator against rules written down by hand, on a PC and on the board."""

import micropython
from felt import cards, evaluator
from felt.evaluator import (
    both5,
    both6,
    both7,
    calculated5,
    calculated6,
    calculated7,
    category,
    rank,
    rank5,
    rank6,
    rank7,
)

RP2040 = True

LADDER = (
    (0, "7c5d4h3s2c"),
    (0, "Ac6d4h3s2c"),
    (0, "AcKdQhJs9c"),
    (1, "2c2d5h4s3c"),
    (1, "JcJd4h3s2c"),
    (1, "AcAdKhQsJc"),
    (2, "3c3d2h2s4c"),
    (2, "AcAdKhKsQc"),
    (3, "2c2d2h4s3c"),
    (3, "AcAdAhKsQc"),
    (4, "Ac2d3h4s5c"),
    (4, "2c3d4h5s6c"),
    (4, "TcJdQhKsAc"),
    (5, "7c5c4c3c2c"),
    (5, "AcKcQcJc9c"),
    (6, "2c2d2h3s3c"),
    (6, "2c2d2hAsAc"),
    (6, "AcAdAhKsKc"),
    (7, "2c2d2h2s3c"),
    (7, "AcAdAhAsKc"),
    (8, "Ac2c3c4c5c"),
    (8, "9cTcJcQcKc"),
    (9, "TcJcQcKcAc"),
)


class Deck:
    """A small generator, the same numbers everywhere, so that runtimes can be compared."""

    def __init__(self, seed):
        self.state = seed

    def below(self, limit):
        self.state = (self.state * 75 + 74) % 65537
        return self.state % limit

    def deal(self, count, limit=52):
        hand = []
        while len(hand) < count:
            card = self.below(limit)
            if card not in hand:
                hand.append(card)
        return bytes(hand)


def ids(text):
    return cards.parse_all(text)


def refusal(hand):
    try:
        rank(hand)
    except ValueError as error:
        return str(error)
    return "accepted"


def test_ladder_rises_through_every_category():
    last = -1
    for cat, text in LADDER:
        score = rank5(ids(text))
        assert category(score) == cat, text
        assert score > last, text
        last = score


def test_suits_and_order_do_not_matter():
    assert rank5(ids("AcKdQhJs9c")) == rank5(ids("9sJcQdKhAs"))
    assert rank5(ids("AhKhQhJhTh")) == rank5(ids("TsJsQsKsAs"))


def test_best_five_of_more():
    assert rank7(ids("AcAdKhKsQcQdJh")) == rank5(ids("AcAdKhKsQc"))
    assert rank7(ids("AcAdAhKsKcKdQh")) == rank5(ids("AcAdAhKsKc"))
    assert rank7(ids("AcAdAhAsKcKdKh")) == rank5(ids("AcAdAhAsKc"))
    assert rank7(ids("Ac2d3h4s5c5d5h")) == rank5(ids("Ac2d3h4s5c"))
    assert rank7(ids("2c3c4c5c6c7c8c")) == rank5(ids("4c5c6c7c8c"))
    assert rank7(ids("AcKcQc9c8c7c2c")) == rank5(ids("AcKcQc9c8c"))
    assert rank6(ids("2c2d3h3s4c4d")) == rank5(ids("4c4d3h3s2c"))
    assert rank6(ids("2c2d2h3s3c3d")) == rank5(ids("3c3d3s2c2d"))


def test_kernels_agree_with_the_tables():
    deck = Deck(11)
    total = 0
    for turn in range(150):
        hand = deck.deal(7, (52, 20, 12)[turn % 3])  # few ranks make the rare hands common
        scores = (rank5(hand), rank6(hand), rank7(hand))
        assert scores == (calculated5(hand), calculated6(hand), calculated7(hand)), hand
        total = (total * 31 + scores[2]) % 1000003
    print(total)


def lowest(hand):
    """The lowest five-card hand with these groups and kickers, found by trying all of them."""
    best = None
    groups = {}
    for card in hand:
        groups[card >> 2] = groups.get(card >> 2, 0) + 1
    free = [r for r in range(13) if r not in groups]
    suit = (hand[0] & 3) ^ 2
    for i in range(len(free)):
        for j in range(i if len(hand) == 4 else 0, i + 1 if len(hand) == 4 else i):
            more = [free[i]] if len(hand) == 4 else [free[i], free[j]]
            score = calculated5(bytes(hand) + bytes([r * 4 + suit for r in more]))
            if category(score) not in (4, 5) and (best is None or score < best):
                best = score
    return best


def test_three_and_four_cards_score_as_their_lowest_completion():
    deck = Deck(77)
    for turn in range(12):
        hand = deck.deal(3 + turn % 2, (52, 16)[turn // 2 & 1])
        assert rank(hand) == lowest(hand), hand
    for text in ("3c4d5h", "Ac2d3h", "6c5d4h3c", "4c3c2c", "KcQcJcTc", "2c2d2h2s", "2c2d3h3s"):
        assert rank(ids(text)) == lowest(ids(text)), text


def test_thresholds_hold_for_partial_hands():
    jacks = rank5(ids("JcJd4h3s2c"))
    assert rank(ids("JcJd2h")) >= jacks
    assert rank(ids("JcJd")[:2] + ids("3h")) >= jacks
    assert rank(ids("TcTdAhKs")) < jacks
    assert category(rank(ids("AcKcQcJc"))) == 0
    assert category(rank(ids("2c2d2h"))) == 3
    assert category(rank(ids("2c2d3h3s"))) == 2


def test_any_buffer_will_do():
    hand = ids("AcKdQhJs9c2d3h")
    score = rank(hand)
    assert score == rank(bytearray(hand)) == rank(memoryview(hand))
    assert score == rank(list(hand)) == rank(tuple(hand))


def test_bad_hands_are_refused_by_name():
    print(refusal(b""))
    print(refusal(ids("AcKd")))
    print(refusal(ids("AcKdQhJs9c2d3h4s")))
    print(refusal(ids("AcKdQhJsAc")))
    print(refusal(ids("2c2c3d")))
    print(refusal(ids("AcKd") + bytes([52])))
    print(refusal(bytes([255, 1, 2, 3, 4])))
    print(refusal([1, 2, 3, 4, 300]))
    print(refusal([1, 2, -3]))
    assert refusal([1, 2, 3]) == "accepted"


def test_three_card_straight_flush():
    check = evaluator.three_card_straight_flush
    for low in (False, True):
        assert check(ids("QhKhAh"), low) and check(ids("Ts9s8s"), low)
        assert not check(ids("KhAh2h"), low)
        assert not check(ids("QhKhAs"), low) and not check(ids("2h3h5h"), low)
        assert check(ids("3dAd2d"), low) == low
    assert check(ids("2c3c4c"), False)


def score_all(hands, suited):
    high = 0
    for hand in hands:
        score = rank(hand)
        if score > high:
            high = score
        if len(hand) == 7:
            both5(hand)
            both6(hand)
            both7(hand)
    evaluator.three_card_straight_flush(suited, True)
    return category(high)


def test_good_hands_allocate_nothing():
    deck = Deck(3)
    hands = [deck.deal(3 + i % 5) for i in range(60)] + [deck.deal(7, 12) for _ in range(20)]
    suited = ids("QhKhAh")
    micropython.heap_lock()
    try:
        high = score_all(hands, suited)
    finally:
        micropython.heap_unlock()
    print(high)


def test_self_test_passes():
    assert evaluator.self_test()
