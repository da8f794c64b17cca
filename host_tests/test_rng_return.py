"""The weights tool: its exact return against independent counting and play, and its refusals."""

from __future__ import annotations

import json
import random
from fractions import Fraction
from itertools import combinations, product
from math import comb, sqrt
from pathlib import Path

import pytest
from felt.games.bonus_spin import TABLES, TRIGGER, contribution

from tools.generate import weights as tool

SETS = {chosen.table: chosen for _, chosen in tool.load(tool.ILLUSTRATIVE, None, None)}


def test_trigger_is_counted_from_the_deck() -> None:
    hands = list(combinations(range(52), 3))
    flushes = sum(len({card % 4 for card in hand}) == 1 for hand in hands)
    assert Fraction(flushes, len(hands)) == Fraction(*TRIGGER)


def suit_chance(hand: tuple[int, ...], left: tuple[int, ...]) -> Fraction:
    """Chance that three cards from a deck with `left` of each suit have the suits `hand`."""
    ways = 1
    for k, n in zip(hand, left):
        ways *= comb(n, k)
    return Fraction(ways, comb(sum(left), 3))


HANDS = [h for h in product(range(4), repeat=4) if sum(h) == 3]


def flush_patterns(seats: int, left: tuple[int, ...] = (13, 13, 13, 13)) -> dict:
    """Exact joint distribution of which seats hold three of a suit, dealt from one deck."""
    if not seats:
        return {(): Fraction(1)}
    found: dict = {}
    for hand in HANDS:
        chance = suit_chance(hand, left)
        rest = flush_patterns(seats - 1, tuple(n - k for n, k in zip(left, hand)))
        for pattern, p in rest.items():
            key = (max(hand) == 3, *pattern)
            found[key] = found.get(key, 0) + chance * p
    return found


def play_round(name: str, pattern: tuple, wheel: tuple, meter: int, seed: int) -> tuple[int, int]:
    """All pays of a spin round, by the rulings, and the meter after it."""
    _, progressive, player, community = TABLES[name]
    paid = 0
    for _, position in zip([seat for seat in pattern if seat], wheel):
        if position == 1:
            paid += meter
            meter = seed if progressive is not None else meter
        paid += player[position - 1] + community[position - 1] * (len(pattern) - 1)
    return paid, meter


@pytest.mark.parametrize("name", TABLES)
@pytest.mark.parametrize("seats", [1, 2])
def test_return_is_the_enumeration_of_every_deal_and_spin(name: str, seats: int) -> None:
    """Sum over all flush patterns of one deck and all wheel results, with the meter at its seed.

    What a meter pays above the seed is the contributions; the long-run test below covers them.
    """
    chosen = SETS[name]
    stake, seed, _, _ = TABLES[name]
    expected = Fraction(0)
    for pattern, chance in flush_patterns(seats).items():
        for wheel in product(range(1, 13), repeat=sum(pattern)):
            p = chance
            for position in wheel:
                p *= Fraction(chosen.weights[position - 1], chosen.total)
            expected += p * play_round(name, pattern, wheel, chosen.top, chosen.top)[0]
    meter = Fraction(contribution(stake), stake) if seed is not None else 0
    assert tool.returns(chosen, seats).total == expected / (stake * seats) + meter


def test_seats_share_a_deck_but_each_triggers_alike() -> None:
    patterns = flush_patterns(3)
    for seat in range(3):
        marginal = sum(p for pattern, p in patterns.items() if pattern[seat])
        assert marginal == Fraction(*TRIGGER)
    together = sum(p for pattern, p in patterns.items() if pattern[0] and pattern[1])
    assert together != Fraction(*TRIGGER) ** 2  # not independent, and it does not matter


@pytest.mark.parametrize("name", ["flush5_progressive", "flush1_progressive"])
def test_long_run_pays_each_contribution_once(name: str) -> None:
    """Exact: follow the meter's distribution for many rounds of two seats on a hot wheel."""
    stake, seed, _, _ = TABLES[name]
    assert seed is not None
    hot = tool.checked(name, [40] + [1] * 11, None)
    rounds, step = 60, 2 * contribution(stake)
    hit = Fraction(hot.weights[0], hot.total)
    odds = hits_per_round(flush_patterns(2), hit)
    ages = {0: Fraction(1)}  # contributions (in rounds) on the meter above the seed
    paid = Fraction(0)
    for _ in range(rounds):
        after: dict[int, Fraction] = {0: Fraction(0)}
        for age, p in ages.items():
            meter = seed + (age + 1) * step
            paid += p * (odds[1] * meter + odds[2] * (meter + seed))
            after[0] += p * (odds[1] + odds[2])
            after[age + 1] = p * odds[0]
        ages = after
    held = sum(p * age * step for age, p in ages.items())
    wagered = rounds * 2 * stake
    share = tool.returns(hot, 2)
    assert (paid + held) / wagered == share.top + share.meter


def hits_per_round(patterns: dict, hit: Fraction) -> list[Fraction]:
    """Chances of 0, 1, 2 jackpot hits in a round of two seats."""
    odds = [Fraction(0)] * 3
    for pattern, p in patterns.items():
        spins = sum(pattern)
        for k in range(spins + 1):
            odds[k] += p * comb(spins, k) * hit**k * (1 - hit) ** (spins - k)
    return odds


def test_six_seats_played_with_cards() -> None:
    """A plain simulation with its own deck, meter and wheel agrees within five deviations."""
    rng = random.Random(20260116)
    name, rounds = "flush1_progressive", 40000
    stake, seed, _, _ = TABLES[name]
    assert seed is not None
    mild = tool.checked(name, [60] + [400] * 11, None)
    meter, totals, deck = seed, [], list(range(52))
    for _ in range(rounds):
        meter += 6 * contribution(stake)
        cards = rng.sample(deck, 18)
        flush = tuple(len({c % 4 for c in cards[i : i + 3]}) == 1 for i in range(0, 18, 3))
        spins = tuple(rng.choices(range(1, 13), mild.weights, k=sum(flush)))
        paid, meter = play_round(name, flush, spins, meter, seed)
        totals.append(paid / (6 * stake))
    mean = (sum(totals) + (meter - seed) / (6 * stake)) / rounds
    spread = sqrt(sum((x - mean) ** 2 for x in totals) / rounds / rounds)
    assert abs(mean - float(tool.returns(mild, 6).total)) < 5 * spread


def test_the_illustrative_sets_leave_the_house_an_edge() -> None:
    assert list(SETS) == list(TABLES)
    for chosen in SETS.values():
        got = [tool.returns(chosen, n).total for n in tool.SEATS]
        assert Fraction(3, 4) < got[0] < got[5] < Fraction(92, 100)
    assert "ILLUSTRATIVE" in json.loads(tool.ILLUSTRATIVE.read_text())["note"]


def write(tmp_path: Path, data: object) -> str:
    path = tmp_path / "set.json"
    path.write_text(json.dumps(data))
    return str(path)


def test_a_set_at_exactly_100_percent_is_refused(tmp_path: Path, capsys) -> None:
    """This prize gives back exactly 1 at six seats and less at five; a cent less is accepted."""
    name, weights, prize = "flush1_fixed", [1, 10989] + [1] * 10, 15537000
    data = {"table": name, "weights": weights, "fixed_prize": prize}
    chosen = tool.checked(name, weights, prize)
    assert [tool.returns(chosen, n).total >= 1 for n in tool.SEATS] == [False] * 5 + [True]
    assert tool.returns(chosen, 6).total == 1
    assert tool.main([write(tmp_path, data)]) == 1
    assert "100% or more at 6 wagering" in capsys.readouterr().out
    data["fixed_prize"] = prize - 1
    assert tool.main([write(tmp_path, data)]) == 0
    assert "at most 99.9999%" in capsys.readouterr().out


def test_equal_weights_are_refused_unless_told(tmp_path: Path, capsys) -> None:
    data = {"table": "flush5_progressive", "weights": [1] * 12}
    assert tool.main([write(tmp_path, data)]) == 1
    assert "REFUSED" in capsys.readouterr().out
    assert tool.main([write(tmp_path, data), "--allow-over-100"]) == 0
    assert tool.returns(tool.checked("flush5_progressive", [1] * 12, None), 1).total > 8


BAD = [
    ({"table": "flush5_fixed", "weights": [1] * 12}, "fixed prize"),
    ({"table": "flush5_fixed", "weights": [1] * 12, "fixed_prize": 1.5}, "1.5"),
    ({"table": "flush5_progressive", "weights": [1] * 12, "fixed_prize": 5}, "no fixed prize"),
    ({"table": "flush5_progressive", "weights": [1] * 11}, "got 11"),
    ({"table": "flush5_progressive", "weights": [1] * 6 + [0] + [1] * 5}, "position 7 is 0"),
    ({"table": "flush5_progressive", "weights": [1] * 11 + ["9"]}, "position 12 is '9'"),
    ({"table": "flush5_progressive", "weights": [1 << 23] * 12}, "100,663,296"),
    ({"table": "flush6", "weights": [1] * 12}, "no pay table 'flush6'"),
    ({"weights": [1] * 12}, "no pay table None"),
    ([1, 2], "JSON object"),
    ({"sets": [1]}, "'sets'"),
]


@pytest.mark.parametrize("data, says", BAD)
def test_bad_input_is_named(data: object, says: str, tmp_path: Path, capsys) -> None:
    assert tool.main([write(tmp_path, data)]) == 2
    shown = capsys.readouterr()
    assert says in shown.err and not shown.out


def test_files_that_are_not_json(tmp_path: Path, capsys) -> None:
    path = tmp_path / "x.json"
    assert tool.main([str(path)]) == 2
    path.write_bytes(b"\xff{")
    assert tool.main([str(path)]) == 2
    assert tool.main(["--table", "flush9"]) == 2
    assert "flush9" in capsys.readouterr().err


def test_percent_never_rounds_up_to_100() -> None:
    assert tool.percent(1 - Fraction(1, 10**9)) == "99.9999%"
    assert tool.percent(Fraction(1)) == "100.0000%"
