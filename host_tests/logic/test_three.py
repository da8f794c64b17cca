"""Three-card hands: all 22,100 of them counted, the order of the categories, the edges."""

from felt.cards import parse_all
from felt.evaluator import Disagreement, three
from felt.evaluator.three import both3, category3, counted3, rank3

COUNTS = [16440, 3744, 1096, 720, 52, 48]  # high, pair, flush, straight, trips, straight flush
DIFFERENT = 274 + 156 + 274 + 12 + 13 + 12  # hands that do not tie


def test_all_hands_are_counted():
    counts = [0] * 6
    scores = set()
    for a in range(52):
        for b in range(a):
            for c in range(b):
                score = rank3(bytes([a, b, c]))
                assert score == counted3(bytes([c, a, b])), (a, b, c)
                counts[category3(score)] += 1
                scores.add(score)
    assert counts == COUNTS and len(scores) == DIFFERENT


def test_from_the_lowest_to_the_highest():
    ladder = (
        "5h3c2d", "Qh3c2d", "AhKcJd", "2h2c3d", "2h2cAd", "AhAcKd", "5h3h2h", "AhKhJh",
        "Ah2c3d", "2h3c4d", "QhKcAd", "2h2c2d", "AhAcAd", "Ah2h3h", "2h3h4h", "QhKhAh",
    )  # fmt: skip
    scores = [rank3(parse_all(hand)) for hand in ladder]
    assert scores == sorted(scores) and len(set(scores)) == len(scores)


def test_suits_and_order_do_not_matter():
    for one, other in (("AhKcJd", "JsAdKh"), ("7h7c2d", "2s7d7s"), ("AhKhJh", "KcJcAc")):
        assert rank3(parse_all(one)) == rank3(parse_all(other))


def test_no_straight_goes_round_the_corner():
    assert (
        category3(rank3(parse_all("KhAc2d"))) == 0 and category3(rank3(parse_all("KhAh2h"))) == 2
    )


def test_what_is_no_hand_is_refused():
    for wrong in (b"", b"\0\1", b"\0\1\2\3", b"\0\0\1", bytes([1, 2, 52])):
        try:
            rank3(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)


def test_a_disagreement_scores_nothing():
    true = three.counted3
    three.counted3 = lambda cards: true(cards) ^ 1
    try:
        both3(parse_all("AhKcJd"))
    except Disagreement:
        return
    finally:
        three.counted3 = true
    raise AssertionError("scored")
