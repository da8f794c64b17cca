"""Every row of every pay table, against the oracles' own transcription of the rule texts.

Vectors and played rounds meet a royal flush once in a lifetime; here each row is met.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from felt.games import common
from felt.games.settings import game_module

from tools.games import GAMES
from tools.prove.oracles import colorado, headsup, premium, three_card, ultimate, winners_pot


def columns(rows: dict[int, Any]) -> tuple[dict[int, int], ...]:
    """One table for each column of a text that prints several side by side."""
    count = len(next(iter(rows.values())))
    return tuple({hand: pays[i] for hand, pays in rows.items()} for i in range(count))


# Three cards rank in an order of their own; the firmware keeps the classes' names.
THREE = {
    three_card.STR_FLUSH: common.STRAIGHT_FLUSH, three_card.TRIPS: common.TRIPS,
    three_card.STRAIGHT: common.STRAIGHT, three_card.FLUSH: common.FLUSH,
    three_card.PAIR: common.PAIR,
}  # fmt: skip
PRINTED: dict[str, dict[str, Any]] = {
    "premium": {"jacks_up": premium.JACKS_UP, "xtra": premium.XTRA},
    "headsup": {
        "odds": headsup.ODDS,
        "bad_beat": headsup.BAD_BEAT,
        "trips_plus": columns(headsup.TRIPS_PLUS),
    },
    "colorado": {
        name: {**rows, "instant": 5}  # a hand that wins at once, on every wager
        for name, rows in (
            *colorado.COLORADO.items(),
            ("bonus", colorado.BONUS),
            ("permissible_bonus", colorado.BONUS),
        )
    },
    "winners_pot": {"jacks_plus": winners_pot.JACKS_PLUS},
    "ultimate": {"blind": ultimate.BLIND, "trips": columns(ultimate.PAYS)},
    "three_card": {
        "ante_bonus": {THREE[hand]: pays for hand, pays in three_card.BONUS.items()},
        "pair_plus": columns({THREE[hand]: pays for hand, pays in three_card.PAYS.items()}),
    },
}

ELSEWHERE = {"pocket_bonus"}  # its rows are two cards, no classes: test_games_headsup has them


def printed(pays: int | str) -> Fraction:
    if isinstance(pays, int):
        return Fraction(pays)
    a, _, b = pays.partition(" to ")
    return Fraction(int(a), int(b))


@pytest.mark.parametrize("game", GAMES)
def test_every_row_pays_what_the_text_prints(game: str) -> None:
    rules = game_module(game)
    assert set(rules.TABLES) - ELSEWHERE == set(PRINTED[game])
    for name, wanted in PRINTED[game].items():
        held = rules.TABLES[name]
        pairs = zip(held, wanted, strict=True) if isinstance(wanted, tuple) else [(held, wanted)]
        for table, text in pairs:
            found = {hand: Fraction(*odds) for hand, odds in table.odds.items()}
            assert found == {hand: printed(pays) for hand, pays in text.items()}, name
