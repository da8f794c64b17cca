"""The firmware's and the oracle's order of all 22,100 three-card hands are one."""

from __future__ import annotations

from itertools import combinations

from felt import cards
from felt.evaluator.three import rank3
from felt.games.three_card import QUEEN_HIGH

from tools.prove.oracles.three_card import three


def test_every_hand_has_the_same_place_in_both_orders() -> None:
    found = []
    for hand in combinations(range(52), 3):
        found.append((rank3(bytes(hand)), three([cards.name(card) for card in hand])))
    assert len(found) == 22_100
    by_score: dict[int, object] = {}
    for score, second in sorted(found):
        assert by_score.setdefault(score, second) == second
    seconds = [by_score[score] for score in sorted(by_score)]
    assert seconds == sorted(seconds) and len({str(s) for s in seconds}) == len(seconds)  # type: ignore[type-var]
    lowest = min(second for score, second in found if score >= QUEEN_HIGH)
    assert lowest == (0, [12, 3, 2])
