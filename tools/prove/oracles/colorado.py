"""Colorado Hold 'Em: a second reading of its rules, and its rounds."""

from __future__ import annotations

import random
from typing import Any

from tools.prove.oracles import makers
from tools.prove.oracles.hands import (
    FLUSH,
    FULL,
    HIGH,
    PAIR,
    QUADS,
    RANKS,
    ROYAL,
    STR_FLUSH,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    Nets,
    five,
    returned,
    split,
    value,
)

COLORADO = {
    "required": {ROYAL: 500, STR_FLUSH: 100, QUADS: 40, FULL: 11, FLUSH: 8, STRAIGHT: 5, TRIPS: 3,
                 TWO_PAIR: 2, PAIR: 1},
    "permissible": {ROYAL: 500, STR_FLUSH: 100, QUADS: 25, FULL: 10, FLUSH: 8, STRAIGHT: 5,
                    TRIPS: 3, TWO_PAIR: 2, PAIR: 1},
}  # fmt: skip
BONUS = {ROYAL: 10000, STR_FLUSH: 1000, QUADS: 100, FULL: 50, FLUSH: 25, STRAIGHT: 15, TRIPS: 3,
         TWO_PAIR: 1}  # fmt: skip


def _instant(hole: list[str], a23: bool) -> bool:
    ranks = sorted(map(value, hole))
    if len(set(ranks)) == 1:
        return True
    if len({c[1] for c in hole}) != 1:
        return False
    return ranks[2] - ranks[0] == 2 and ranks[1] - ranks[0] == 1 or a23 and ranks == [2, 3, 14]


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    found = {}
    for s in seats:
        nets = _colorado_seat(v, s)
        if "bonus" not in s["wagers"]:
            nets.pop("bonus", None)
        found[str(s["seat"])] = nets
    return found


def _colorado_seat(v: dict, s: dict) -> Nets:
    table = v["table"]
    limit = table.get("payout_limit", 50_000_00)
    ante = s["wagers"]["ante"]
    action, _, gone = s["actions"][0].partition(":")
    hole = split(s["cards"])
    if action == "fold":
        return {"ante": -ante, "bonus": -100}
    if action == "instant":
        if _instant(hole, table.get("a23_instant", True)):
            return {"ante": min(5 * ante, limit), "bonus": 500}
        return {"ante": -ante, "bonus": -100}
    hand = five([c for c in hole if c != gone] + split(v["community"]))
    nets = {"ante": _colorado_pay(table, hand, ante, limit)}
    if action == "bet":
        nets["bet"] = _colorado_pay(table, hand, ante, limit - max(nets["ante"], 0))
    nets["bonus"] = -100
    if hand[0] in BONUS:
        nets["bonus"] = 100 * BONUS[hand[0]]
    elif hand[0] == PAIR and hand[1][0] >= 11:
        nets["bonus"] = 0
    return nets


def _colorado_pay(table: dict, hand: Any, stake: int, room: int) -> int:
    version = table["version"]
    if hand[0] == HIGH:
        return -stake
    if hand[0] == PAIR:
        rank = hand[1][0]
        low, pays = (7, 10) if version == "required" else (9, 11)
        if version == "permissible" and table.get("tens", "push") == "pay":
            pays = 10
        if rank < low:
            return -stake
        if rank < pays:
            return 0
    return min(stake * COLORADO[version][hand[0]], room)


void = returned


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats = makers.deck(rng), makers.seats(rng, 7)
    version = rng.choice(("required", "permissible"))
    table: dict[str, Any] = {"version": version}
    if version == "permissible" and makers.flip(rng, 0.6):
        table["tens"] = rng.choice(("push", "pay"))
    if makers.flip(rng, 0.4):
        table["a23_instant"] = rng.choice((True, False))
    if makers.flip(rng, 0.5):
        table["payout_limit"] = rng.choice((5_000_000, 5_000_001, 7_500_000, 10**9))
    v: dict[str, Any] = {"table": table, "seats": seats}
    if makers.flip(rng, 0.15):
        suit = rng.choice("cdhs")
        makers.lay(
            rng, cards, [r + suit for r in rng.choice(("TJQKA", "9TJQK", "A2345", "56789"))]
        )
    v["community"] = makers.deal(cards, 3)
    for s in seats:
        if makers.flip(rng, 0.2):
            makers.lay(rng, cards, _instant_cards(rng, cards))
        s["cards"] = makers.deal(cards, 3)
        s["wagers"] = {"ante": makers.stake(rng)}
        if makers.flip(rng, 0.5):
            s["wagers"]["bonus"] = 100
        gone = rng.choice(split(s["cards"]))
        other = "fold" if version == "required" else f"stay:{gone}"
        s["actions"] = [rng.choice((f"bet:{gone}", f"bet:{gone}", other, "instant"))]
    return v


def _instant_cards(rng: random.Random, cards: list[str]) -> list[str]:
    if makers.flip(rng, 0.3):
        rank = rng.choice(RANKS)
        want = [rank + s for s in "cdhs"]
    else:
        low = rng.randrange(13)
        want = [(RANKS + "23")[i] + s for s in rng.choice("cdhs") for i in range(low, low + 3)]
    want = [c for c in want if c in cards][:3]
    return want if len(want) == 3 else cards[:3]
