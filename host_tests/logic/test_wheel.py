"""Weights: refusals by name, identity, and drawing in exact proportion."""

from felt.games.bonus_spin import TABLES
from felt.spin import wheel
from felt.spin.entropy import LIMIT
from felt.spin.wheel import WeightsError

NAME = "flush5_fixed"
GOOD = [1, 300, 12, 3, 280, 14, 5, 250, 60, 15, 40, 20]


def refusal(table, weights):
    try:
        wheel.check(table, weights)
    except WeightsError as e:
        return e.args
    return None


def changed(position, value):
    return GOOD[: position - 1] + [value] + GOOD[position:]


def test_good_sets():
    assert wheel.check(NAME, GOOD) == 1000
    assert wheel.check(NAME, tuple(GOOD)) == 1000
    for name in TABLES:
        assert wheel.check(name, [1] * 12) == 12


def test_the_refusal_names_what_is_wrong():
    assert refusal("flush9", GOOD) == ("weights_table", "flush9")
    assert refusal(NAME, GOOD[:11]) == ("weights_count", 11)
    assert refusal(NAME, GOOD + [1]) == ("weights_count", 13)
    assert refusal(NAME, None) == ("weights_count", 0)
    assert refusal(NAME, "123456789012") == ("weights_count", 0)
    for position in range(1, 13):
        for bad in (0, -1, "3", None, True, 1.5, 1 << 24, 1 << 40):
            assert refusal(NAME, changed(position, bad)) == ("weights_value", position, bad)


def test_the_sum_is_what_the_generator_can_draw():
    assert wheel.SUM_LIMIT == LIMIT
    rest = sum(GOOD) - GOOD[4]
    full = changed(5, wheel.SUM_LIMIT - rest)
    assert wheel.check(NAME, full) == wheel.SUM_LIMIT
    over = changed(5, wheel.SUM_LIMIT - rest + 1)
    assert refusal(NAME, over) == ("weights_sum", wheel.SUM_LIMIT + 1)


def test_identity():
    seen = {wheel.identity(NAME, GOOD), wheel.identity("flush1_fixed", GOOD)}
    assert wheel.identity(NAME, tuple(GOOD)) in seen
    for position in range(1, 13):
        seen.add(wheel.identity(NAME, changed(position, 999)))
    seen.add(wheel.identity(NAME, list(reversed(GOOD))))
    assert len(seen) == 15
    print(wheel.canonical(NAME, GOOD), wheel.identity(NAME, GOOD))


def test_every_ticket_lands_once():
    """Exhaustive: each position gets exactly its weight's share of the tickets."""
    hits = [0] * 12
    for ticket in range(sum(GOOD)):
        asked = []
        position = wheel.draw(GOOD, lambda n: asked.append(n) or ticket)
        assert asked == [1000]
        hits[position - 1] += 1
    assert hits == GOOD


def test_ends_of_the_largest_wheel():
    weights = [wheel.SUM_LIMIT - 11] + [1] * 11
    assert wheel.draw(weights, lambda n: n - 1) == 12
    assert wheel.draw(weights, lambda n: n - 12) == 1
    assert wheel.draw(weights, lambda n: n - 11) == 2
    assert wheel.draw(weights, lambda n: 0) == 1


def test_a_wrong_ticket_is_not_a_position():
    try:
        wheel.draw(GOOD, lambda n: n)
    except ValueError:
        return
    raise AssertionError("a ticket beyond the wheel was accepted")


def test_the_wheel_has_each_position_once():
    assert sorted(wheel.ORDER) == list(range(1, 13))
