"""Every wager that is paid, taken, kept or returned names the section that says so.

The auditor reads it in recall and in a certification report. The sections are transcribed from
the rule texts here; hands are "hand", whatever they are.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import pytest

from tools.games import GAMES
from tools.prove import vector_maker, vector_player

ROUNDS = 75  # of each game: enough for every line below
SEEDS = {"winners_pot": 7}  # two royal flushes share a limit

CITED: dict[str, dict[str, str]] = {
    "premium": {
        "ante pay win": "13:69F-X.10(g)3iv",
        "ante push tie": "13:69F-X.10(g)3ii",
        "ante push unqualified": "13:69F-X.10(g)3iii",
        "ante take lose": "13:69F-X.10(g)3i",
        "play pay win": "13:69F-X.10(g)4iii",
        "play push tie": "13:69F-X.10(g)4ii",
        "play take lose": "13:69F-X.10(g)4i",
        "ante,xtra take fold": "13:69F-X.10(d)2",
        "dealer_bonus,player_bonus pay,take hand": "13:69F-X.11(c)",
        "xtra pay,push hand": "13:69F-X.11(d)",
        "xtra push tie": "13:69F-X.11(d)",
        "xtra take lose": "13:69F-X.11(d)",
        "bonus_spin take latched": "13:69F-X.10(a)3",
        "bonus_spin pay community,spin": "13:69F-X.11(e)",
        "ante,xtra,dealer_bonus,player_bonus,bonus_spin return supervisor": "13:69F-X.12",
    },
    "headsup": {
        "ante pay win": "13:69F-39.11(b)(2)",
        "ante push tie": "13:69F-39.11(b)(4)",
        "ante push unqualified": "13:69F-39.11(b)(1)",
        "ante take lose": "13:69F-39.11(b)(3)",
        "ante,odds take fold": "13:69F-39.10(h)",
        "odds pay hand": "13:69F-39.11(b)(5) / 13:69F-39.11(f)",
        "raise pay win": "13:69F-39.11(b)(5) / 13:69F-39.11(c)",
        "odds push hand": "13:69F-39.11(c)",
        "odds,raise push tie": "13:69F-39.11(d)",
        "odds take lose": "13:69F-39.11(e)",
        "raise take lose": "13:69F-39.11(e) / 13:69F-39.11(f)",
        "trips_plus pay,take hand": "13:69F-39.11(g)",
        "pocket_bonus pay pocket_aces,pocket_face,pocket_pair,pocket_suited": "13:69F-39.11(i)",
        "pocket_bonus take lose": "13:69F-39.11(i)",
        "ante,odds,trips_plus,pocket_bonus return supervisor": "13:69F-39.12",
    },
    "colorado": {
        "ante,bet pay hand": "Colorado 12(b) / Colorado 13(b)",
        "ante pay instant": "Colorado 12(b) / Colorado 13(b)",
        "ante,bet push hand": "Colorado 10(f) / Colorado 11(f)",
        "ante,bet take hand": "Colorado 10(e) / Colorado 11(e)",
        "ante,bonus take fold": "Colorado 10(b)(2)",
        "ante,bonus take false_instant": "Colorado 14(d)",
        "bonus pay,push,take hand": "Colorado 12(d) / Colorado 13(d)",
        "bonus pay instant": "Colorado 12(d) / Colorado 13(d)",
        "ante,bonus return supervisor": "Colorado 14",
    },
    "winners_pot": {
        "jacks_plus pay hand": "19:47-33.11(b) / 19:47-33.11(c)",
        "jacks_plus take hand": "19:47-33.11(b)",
        "jacks_plus,pot return supervisor": "19:47-33.12",
        "pot pot win,pot_tie,house": "19:47-33.10(h)",
        "pot to_pot fold": "19:47-33.10(c)2",
    },
    "ultimate": {
        "ante,play pay win": "19:47-32 U5",
        "ante,play push tie": "19:47-32 U5",
        "ante,play take lose": "19:47-32 U5",
        "ante push unqualified": "19:47-32 U4",
        "ante,blind,trips take fold": "19:47-32 U3",
        "blind pay,push hand": "19:47-32 U6",
        "blind push tie": "19:47-32 U6",
        "blind take lose": "19:47-32 U6",
        "trips pay,take hand": "19:47-32 U7",
        "ante,blind,trips return supervisor": "19:47-32 U8",
    },
    "three_card": {
        "ante,play pay win": "19:47-20 T6",
        "ante,play take lose": "19:47-20 T6",
        "ante,play push tie": "19:47-20 T6",
        "ante pay unqualified": "19:47-20 T5",
        "play push unqualified": "19:47-20 T5",
        "ante,pair_plus take fold": "19:47-20 T4",
        "ante_bonus pay hand": "19:47-20 T7",
        "pair_plus pay,take hand": "19:47-20 T8",
        "ante,pair_plus return supervisor": "19:47-20 T9",
    },
}


# Where the effect has its reason and its rule.
FIELDS = {"pay": (6, 5), "take": (5, 4), "push": (5, 4), "return": (5, 4)}


def spelled(rows: dict[str, str]) -> dict[str, set[str]]:
    """The sections of each wager, effect and reason."""
    found = {}
    for row, sections in rows.items():
        wagers, kinds, reasons = [part.split(",") for part in row.split(" ")]
        for name in [f"{w} {k} {r}" for w in wagers for k in kinds for r in reasons]:
            found[name] = set(sections.split(" / "))
    return found


def cited(game: str) -> dict[str, set[str]]:
    """The sections named in some made rounds."""
    found: dict[str, set[str]] = defaultdict(set)

    def log(event: bytes, effects: list[tuple[Any, ...]]) -> None:
        for effect in effects:
            kind = effect[0]
            if kind in FIELDS:
                reason, rule = [effect[at] for at in FIELDS[kind]]
                word = reason if isinstance(reason, str) else "hand"
                found[f"{effect[2]} {kind} {word}"].add(rule)
            elif kind == "pot":
                found[f"pot pot {effect[4]}"].add(effect[3])
            elif kind == "to_pot":
                found["pot to_pot fold"].add(effect[3])

    for vector in vector_maker.many(ROUNDS, seed=SEEDS.get(game, 5), games=(game,)):
        vector_player.play(vector, log)
    return found


@pytest.mark.parametrize("game", GAMES)
def test_every_payment_names_the_section_that_says_so(game: str) -> None:
    wanted, found = spelled(CITED[game]), cited(game)
    assert dict(found) == wanted
