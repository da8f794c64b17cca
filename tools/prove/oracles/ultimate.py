"""Ultimate Texas Hold 'Em: a second reading of its rules, and its rounds."""

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
    Nets,
    best,
    compare,
    odds,
    returned,
    split,
)

void = returned
BLIND = {ROYAL: "500 to 1", STR_FLUSH: "50 to 1", QUADS: "10 to 1", FULL: "3 to 1",
         FLUSH: "3 to 2", STRAIGHT: "1 to 1"}  # fmt: skip
PAYS = {  # trips, pay tables 1 to 3
    ROYAL: (50, 50, 50), STR_FLUSH: (40, 40, 40), QUADS: (30, 30, 30), FULL: (9, 8, 8),
    FLUSH: (7, 7, 6), STRAIGHT: (4, 4, 5), TRIPS: (3, 3, 3),
}  # fmt: skip


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    board = split(v["community"])
    dealer = best(split(v["dealer"]) + board)
    found: dict[str, Any] = {}
    for s in seats:
        hand = best(split(s["cards"]) + board)
        nets = found[str(s["seat"])] = _main(s, hand, dealer)
        if "trips" in s["wagers"]:
            nets["trips"] = _trips(v, s, hand[0])
    return found


def _trips(v: dict, s: dict, kind: int) -> int:
    stake: int = s["wagers"]["trips"]
    if s["actions"][-1] == "fold" and v["table"].get("trips_after_fold") == "lose":
        return -stake
    if kind not in PAYS:
        return -stake
    return stake * PAYS[kind][v["table"].get("trips", 1) - 1]


def _main(s: dict, hand: Any, dealer: Any) -> Nets:
    ante = s["wagers"]["ante"]
    last = s["actions"][-1]
    if last == "fold":
        return {"ante": -ante, "blind": -ante}
    order = compare(hand, dealer)
    nets = {
        "ante": order * ante,
        "play": order * ante * int(last[-1]),
        "blind": min(order, 0) * ante,
    }
    if dealer[0] < PAIR:
        nets["ante"] = 0
    if order > 0 and hand[0] in BLIND:
        nets["blind"] = odds(ante, BLIND[hand[0]])
    return nets


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats = makers.deck(rng), makers.seats(rng, 6)
    table: dict[str, Any] = {}
    for key, values in (("trips", (1, 2, 3)), ("trips_after_fold", ("live", "lose"))):
        if makers.flip(rng, 0.5):
            table[key] = rng.choice(values)
    v: dict[str, Any] = {"table": table, "seats": seats}
    if makers.flip(rng, 0.1):
        suit = rng.choice("cdhs")
        makers.lay(rng, cards, [r + suit for r in rng.choice(makers.RUNS)])
    v["community"] = makers.deal(cards, 5)
    v["dealer"] = makers.deal(cards, 2)
    for s in seats:
        s["cards"] = makers.deal(cards, 2)
        ante = makers.stake(rng)
        s["wagers"] = {"ante": ante, "blind": ante}
        if makers.flip(rng, 0.5):
            s["wagers"]["trips"] = makers.stake(rng)
        checks = rng.randrange(3)
        last = (("play4", "play3"), ("play2",), ("play1", "fold"))[checks]
        s["actions"] = ["check"] * checks + [rng.choice(last)]
    return v
