"""What a table's memory, its layout and a regulator know of each game, beside its payments.

Numbers, wagers and decisions stand in journals by their place: one that moves makes an old
journal tell another story.
"""

from __future__ import annotations

from fractions import Fraction
from math import comb
from typing import Any

import pytest
from felt.games import SettingsError, bonus_spin, common
from felt.games.settings import MOST, game_module, resolve, schema

from tools.games import GAMES
from tools.prove.oracles import premium

MUST, EQUAL, EXACT, ONE_OF = common.MUST, common.EQUAL, common.EXACT, common.ONE_OF
FACTS: dict[str, dict[str, Any]] = {
    "premium": {
        "NUMBER": 0, "SEATS": 6, "MIN_PLAYERS": 1, "cards": (3, 3, 4),
        "WAGERS": ("ante", "xtra", "dealer_bonus", "player_bonus", "bonus_spin"),
        "BINDS": {"ante": MUST, "xtra": EQUAL, "bonus_spin": EXACT}, "LEAST": {"ante": 100},
        "ACTIONS": ("check", "fold", "play1", "play2", "play3"), "RAISES": ("play",),
        "COUPONS": ("ante", "xtra", "dealer_bonus", "player_bonus"), "MAY_BE_OFF": (),
        "REMOVES": ("MISCOUNT",), "DESCENDING": False, "BUTTON": False,
    },
    "headsup": {
        "NUMBER": 1, "SEATS": 6, "MIN_PLAYERS": 1, "cards": (2, 2, 5),
        "WAGERS": ("ante", "odds", "trips_plus", "pocket_bonus"),
        "BINDS": {"ante": MUST, "odds": EQUAL}, "LEAST": {},
        "ACTIONS": ("check", "fold", "raise1", "raise2", "raise3"), "RAISES": ("raise",),
        "COUPONS": ("ante", "odds", "trips_plus", "pocket_bonus"),
        "MAY_BE_OFF": ("trips_plus", "pocket_bonus"),
        "REMOVES": (), "DESCENDING": False, "BUTTON": False,
    },
    "colorado": {
        "NUMBER": 2, "SEATS": 7, "MIN_PLAYERS": 1, "cards": (3, 0, 3),
        "WAGERS": ("ante", "bonus"), "BINDS": {"ante": MUST, "bonus": EXACT}, "LEAST": {},
        "ACTIONS": ("fold", "bet", "stay", "instant"), "RAISES": ("bet",),
        "COUPONS": ("ante", "bonus"), "MAY_BE_OFF": ("bonus",),
        "REMOVES": (), "DESCENDING": True, "BUTTON": False,
    },
    "winners_pot": {
        "NUMBER": 3, "SEATS": 6, "MIN_PLAYERS": 2, "cards": (5, 5, 0),
        "WAGERS": ("ante", "jacks_plus"), "BINDS": {"ante": MUST}, "LEAST": {},
        "ACTIONS": ("fold", "bet", "double"), "RAISES": ("bet", "double"),
        "COUPONS": (), "MAY_BE_OFF": (),
        "REMOVES": ("EXPOSED", "MISCOUNT"), "DESCENDING": True, "BUTTON": True,
    },
    "ultimate": {
        "NUMBER": 4, "SEATS": 6, "MIN_PLAYERS": 1, "cards": (2, 2, 5),
        "WAGERS": ("ante", "blind", "trips"), "BINDS": {"ante": MUST, "blind": EQUAL},
        "LEAST": {}, "ACTIONS": ("check", "fold", "play1", "play2", "play3", "play4"),
        "RAISES": ("play",), "COUPONS": ("ante", "blind", "trips"), "MAY_BE_OFF": ("trips",),
        "REMOVES": (), "DESCENDING": False, "BUTTON": False,
    },
    "three_card": {
        "NUMBER": 5, "SEATS": 7, "MIN_PLAYERS": 1, "cards": (3, 3, 0),
        "WAGERS": ("ante", "pair_plus"), "BINDS": {"ante": ONE_OF, "pair_plus": ONE_OF},
        "LEAST": {}, "ACTIONS": ("fold", "play"), "RAISES": ("play",),
        "COUPONS": ("ante", "pair_plus"), "MAY_BE_OFF": (),
        "REMOVES": ("MISCOUNT",), "DESCENDING": False, "BUTTON": False,
    },
}  # fmt: skip
# The ends of every setting that is a number; None stands for what 32 bits of a record keep.
ENDS: dict[str, dict[str, tuple[int, int]]] = {
    "": {"seats": (1, 7), "chip_unit": (1, 1000000), "stub_every": (1, 5)},
    "premium": {"fixed_prize": (1, 2**32 - 1)},
    "headsup": {"trips_plus": (1, 4), "pocket_bonus": (1, 3)},
    "colorado": {"payout_limit": (5000000, 2**62)},
    "winners_pot": {
        "bet_multiple": (1, 100), "double_multiple": (1, 100), "commission_cap": (0, 2**62),
        "payout_limit": (5000000, 2**62),
    },
    "ultimate": {"trips": (1, 3)},
    "three_card": {"pair_plus": (1, 2)},
}  # fmt: skip
# What a table does unless its settings say otherwise, and what else they may say.
CHOICES: dict[str, dict[str, tuple[str | None, ...]]] = {
    "": {
        "void_key": ("attendant", "none"), "dealing": ("shoe", "hand", "auto"),
        "shuffler": ("none", "plain", "counting"), "language": ("en",),
    },
    "premium": {
        "ante_unqualified": ("lose", "push"),
        "bonus_spin": (None, "flush1_fixed", "flush1_progressive", "flush5_fixed",
                       "flush5_progressive"),
    },
    "headsup": {"ante_unqualified": ("push", "compare"), "bad_beat": ("printed", "none")},
    "colorado": {"version": (None, "required", "permissible"), "tens": ("push", "pay")},
    "winners_pot": {"dealer_dead": ("play_on", "void")},
    "ultimate": {"trips_after_fold": ("live", "lose")},
    "three_card": {"pair_plus_after_fold": ("lose", "live")},
}  # fmt: skip
DEFAULTS: dict[str, dict[str, Any]] = {
    "": {
        "seats": None, "chip_unit": 100, "stub_every": 5, "second_deck": False, "sensors": True,
        "card_reader": True, "reader": False, "demonstration": False,
    },
    "premium": {"fixed_prize": None, "weights": None, "stub_waiver_auto": False},
    "headsup": {"trips_plus": 1, "pocket_bonus": 1},
    "colorado": {"payout_limit": 5000000, "a23_instant": True, "two_positions": False},
    "winners_pot": {
        "bet_multiple": 1, "double_multiple": 2, "commission_percent": 10, "commission_cap": None,
        "payout_limit": 5000000,
    },
    "ultimate": {"trips": 1},
    "three_card": {"pair_plus": 1},
}  # fmt: skip


@pytest.mark.parametrize("game", GAMES)
def test_a_game_is_what_its_text_and_old_journals_know(game: str) -> None:
    rules = game_module(game)
    found = {name: getattr(rules, name) for name in FACTS[game] if name != "cards"}
    found["cards"] = (rules.HOLE, rules.DEALER_CARDS, rules.COMMUNITY)
    assert found == FACTS[game]
    assert rules.NAME == game
    assert {d.spot for d in rules.DECISIONS} - {None} == set(rules.RAISES)
    for decision in rules.DECISIONS:
        digit = decision.word[-1]
        if digit.isdigit():
            assert decision.times == int(digit), "its word says how many antes"
        assert bool(decision.spot) == bool(decision.times)
        assert decision.discards == (game == "colorado" and decision.word in ("bet", "stay"))
        assert decision.pays == (decision.word == "instant")


@pytest.mark.parametrize("game", GAMES)
def test_every_setting_has_its_default_and_its_ends(game: str) -> None:
    options = schema(game_module(game))
    numbers = {n: domain for n, (kind, _, domain) in options.items() if kind == "int"}
    filled = {n: (low, MOST if high is None else high) for n, (low, high) in numbers.items()}
    assert filled == ENDS[""] | ENDS[game]
    choices = CHOICES[""] | CHOICES[game]
    asked = {n: (default, domain) for n, (kind, default, domain) in options.items()
             if kind == "choice"}  # fmt: skip
    assert {n: d for n, (d, _) in asked.items()} == {n: words[0] for n, words in choices.items()}
    for name, (_, domain) in asked.items():
        assert set(domain) == {word for word in choices[name] if word}, name
    wanted = DEFAULTS[""] | DEFAULTS[game]
    assert {name: options[name][1] for name in wanted} == wanted


@pytest.mark.parametrize("game", GAMES)
def test_a_setting_is_taken_at_its_ends_and_not_beyond(game: str) -> None:
    rules = game_module(game)
    opened = {"game": game} | rules.OPENS_WITH
    for name, (low, high) in (ENDS[""] | ENDS[game]).items():
        for value in (low - 1, high + 1):
            with pytest.raises(SettingsError) as told:
                resolve(opened | {name: value})
            assert (told.value.name, told.value.why) == (name, "bad_value")
    assert resolve(opened | {"seats": rules.SEATS})[1]["seats"] == rules.SEATS
    assert resolve(opened)[1]["seats"] == rules.SEATS


def test_every_position_of_every_wheel_pays_what_the_text_prints() -> None:
    assert set(bonus_spin.TABLES) == set(premium.WHEELS)
    for name, rows in premium.WHEELS.items():
        wheel = bonus_spin.wheel(name, 99900, "a car")
        assert wheel.stake == (500 if name.startswith("flush5") else 100)
        assert wheel.seed == premium.SEEDS.get(name)
        printed = [(0, 0), *(rows[position] for position in range(2, 13))]
        assert wheel.pays == tuple(100 * mine for mine, _ in printed)
        assert wheel.community == tuple(100 * others for _, others in printed)
        share = wheel.stake * 7 // 100 if wheel.seed else 0  # "with 7% contribution"
        assert (wheel.share, wheel.prize, wheel.prize_name) == (share, 99900, "a car")
    assert bonus_spin.TOP == 1 and bonus_spin.POSITIONS == 12
    hands, flushes = comb(52, 3), 4 * comb(13, 3)
    assert Fraction(*bonus_spin.TRIGGER) == Fraction(flushes, hands)
