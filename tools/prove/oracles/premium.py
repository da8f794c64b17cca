"""Premium Hold 'Em: a second reading of its rules, and its rounds."""

from __future__ import annotations

import random
from typing import Any

from tools.prove.oracles import makers
from tools.prove.oracles.hands import (
    FLUSH,
    FULL,
    PAIR,
    QUADS,
    ROYAL,
    STR_FLUSH,
    STRAIGHT,
    TRIPS,
    TWO_PAIR,
    Nets,
    best,
    compare,
    odds,
    returned,
    split,
)

SEEDS = {"flush5_progressive": 10_000_00, "flush1_progressive": 5_000_00}
# position: dollars to the player, dollars to every other wager
WHEELS: dict[str, dict[int, tuple[int, int]]] = {
    "flush5_progressive": {
        4: (5000, 0), 7: (2500, 0), 10: (1000, 0), 6: (250, 100), 12: (500, 0), 3: (100, 50),
        11: (100, 0), 9: (40, 15), 8: (60, 0), 5: (50, 0), 2: (40, 0),
    },
    "flush5_fixed": {
        4: (10000, 0), 7: (5000, 0), 10: (1000, 0), 6: (250, 100), 12: (500, 0), 3: (100, 50),
        11: (100, 0), 9: (40, 15), 8: (65, 0), 5: (60, 0), 2: (50, 0),
    },
    "flush1_progressive": {
        4: (1000, 0), 7: (500, 0), 3: (100, 25), 9: (75, 15), 12: (60, 0), 11: (50, 0),
        8: (40, 0), 6: (25, 3), 10: (15, 0), 5: (10, 0), 2: (5, 0),
    },
    "flush1_fixed": {
        4: (1000, 0), 7: (500, 0), 10: (200, 0), 3: (100, 25), 11: (75, 0), 9: (50, 10),
        12: (25, 0), 6: (20, 3), 8: (15, 0), 5: (10, 0), 2: (5, 0),
    },
}  # fmt: skip
JACKS_UP = {ROYAL: "50 to 1", STR_FLUSH: "30 to 1", QUADS: "10 to 1", FULL: "6 to 1",
            FLUSH: "4 to 1", STRAIGHT: "3 to 1", TRIPS: "2 to 1", TWO_PAIR: "1 to 1"}  # fmt: skip
XTRA = {ROYAL: "500 to 1", STR_FLUSH: "100 to 1", QUADS: "10 to 1", FULL: "3 to 1",
        FLUSH: "3 to 2", STRAIGHT: "1 to 1"}  # fmt: skip


def _meter_after_latch(v: dict, seats: list[dict]) -> int:
    kind = v["table"]["bonus_spin"]
    share = 35 if kind.startswith("flush5") else 7
    latched = sum("bonus_spin" in s["wagers"] for s in seats)
    return v["table"].get("jackpot", SEEDS[kind]) + share * latched


def _jacks_up(stake: int, hand: tuple[int, list[int]]) -> int:
    if hand[0] == TWO_PAIR and hand[1][0] < 11:
        return -stake
    return odds(stake, JACKS_UP[hand[0]]) if hand[0] in JACKS_UP else -stake


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    board = split(v["community"])
    dealer = best(split(v["dealer"]) + board)
    for s in seats:
        hand = best(split(s["cards"]) + board)
        nets = found[str(s["seat"])] = _premium_main(v, s, hand, dealer)
        for wager, whose in (("dealer_bonus", dealer), ("player_bonus", hand)):
            if wager in s["wagers"]:
                nets[wager] = _jacks_up(s["wagers"][wager], whose)
    if v["table"].get("bonus_spin"):
        _spins(v, seats, found)
    return found


def _premium_main(v: dict, s: dict, hand: Any, dealer: Any) -> Nets:
    ante = s["wagers"]["ante"]
    last = s["actions"][-1]
    if last == "fold":
        return {"ante": -ante, "xtra": -ante}
    play = ante * int(last[-1])
    order = compare(hand, dealer)
    qualifies = dealer >= (PAIR, [3, 0])
    if qualifies or order == 0:
        ante_net = order * ante
    elif order > 0:
        ante_net = 0
    else:
        ante_net = -ante if v["table"].get("ante_unqualified", "lose") == "lose" else 0
    xtra = {-1: -ante, 0: 0}.get(order, 0)
    if order > 0 and hand[0] in XTRA:
        xtra = odds(ante, XTRA[hand[0]])
    return {"ante": ante_net, "play": order * play, "xtra": xtra}


def _spins(v: dict, seats: list[dict], found: dict[str, Any]) -> None:
    kind = v["table"]["bonus_spin"]
    inside = [s for s in seats if "bonus_spin" in s["wagers"]]
    received = {s["seat"]: 0 for s in inside}
    meter = _meter_after_latch(v, seats) if kind in SEEDS else 0
    spins = list(v.get("spins", []))
    for s in inside:
        if len({c[1] for c in split(s["cards"])}) != 1:
            continue
        position = spins.pop(0)
        if position == 1:
            received[s["seat"]] += meter if kind in SEEDS else v["table"]["fixed_prize"]
            meter = SEEDS.get(kind, 0)
            continue
        mine, others = WHEELS[kind][position]
        for seat in received:
            received[seat] += 100 * (mine if seat == s["seat"] else others)
    for s in inside:
        found[str(s["seat"])]["bonus_spin"] = received[s["seat"]] - s["wagers"]["bonus_spin"]
    if kind in SEEDS:
        found["jackpot"] = meter


def void(v: dict, seats: list[dict]) -> dict[str, Any]:
    """Stakes go back, contributions stay (G8)."""
    found = returned(v, seats)
    if "progressive" in v["table"].get("bonus_spin", ""):
        found["jackpot"] = _meter_after_latch(v, seats)
    return found


def _spin_table(rng: random.Random, table: dict[str, Any]) -> str | None:
    kind = rng.choice((None, *WHEELS))
    if kind:
        table["bonus_spin"] = kind
        if kind in SEEDS:
            if makers.flip(rng, 0.7):
                table["jackpot"] = SEEDS[kind] + rng.choice((0, 1, 35, 999_999, 10**7 + 1))
        else:
            table["fixed_prize"] = rng.choice((1, 100, 5_000_000, 2_500_001))
    return kind


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats, table = makers.deck(rng), makers.seats(rng, 6), {}  # type: Any, Any, dict[str, Any]
    if makers.flip(rng, 0.3):
        table["ante_unqualified"] = rng.choice(("lose", "push"))
    kind = _spin_table(rng, table)
    v: dict[str, Any] = {"table": table, "seats": seats}
    if makers.flip(rng, 0.1):
        makers.lay(rng, cards, [r + rng.choice("cdhs") for r in "TJQKA"])
    v["community"] = makers.deal(cards, 4)
    v["dealer"] = makers.deal(cards, 3)
    spins = []
    for s in seats:
        if kind and makers.flip(rng, 0.4):
            suit = rng.choice("cdhs")
            makers.lay(rng, cards, [c for c in cards if c[1] == suit][:3])
        s["cards"] = makers.deal(cards, 3)
        ante = makers.stake(rng)
        s["wagers"] = {"ante": ante, "xtra": ante}
        for side in ("dealer_bonus", "player_bonus"):
            if makers.flip(rng, 0.5):
                s["wagers"][side] = makers.stake(rng)
        if kind and makers.flip(rng, 0.7):
            s["wagers"]["bonus_spin"] = 500 if kind.startswith("flush5") else 100
            if len({c[1] for c in split(s["cards"])}) == 1:
                spins.append(rng.choice((1, rng.randint(1, 12))))
        s["actions"] = rng.choice(
            (["play3"], ["check", "play1"], ["check", "play2"], ["check", "fold"])
        )
    if spins or makers.flip(rng, 0.8):
        v["spins"] = spins
    return v
