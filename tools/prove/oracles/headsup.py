"""Heads Up Hold'em: a second reading of its rules, and its rounds."""

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
    value,
)

ODDS = {ROYAL: "500 to 1", STR_FLUSH: "50 to 1", QUADS: "10 to 1", FULL: "3 to 1",
        FLUSH: "3 to 2", STRAIGHT: "1 to 1"}  # fmt: skip
BAD_BEAT = {STR_FLUSH: "500 to 1", QUADS: "25 to 1", FULL: "6 to 1", FLUSH: "5 to 1",
            STRAIGHT: "4 to 1"}  # fmt: skip
TRIPS_PLUS = {  # pay tables 1 to 4
    ROYAL: (100, 100, 100, 100), STR_FLUSH: (40, 40, 40, 40), QUADS: (30, 30, 30, 30),
    FULL: (9, 8, 8, 7), FLUSH: (7, 6, 7, 6), STRAIGHT: (4, 5, 4, 5), TRIPS: (3, 3, 3, 3),
}  # fmt: skip


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    board = split(v["community"])
    dealer = best(split(v["dealer"]) + board)
    for s in seats:
        hole = split(s["cards"])
        hand = best(hole + board)
        nets = found[str(s["seat"])] = _headsup_main(v, s, hand, dealer)
        if "trips_plus" in s["wagers"]:
            stake = s["wagers"]["trips_plus"]
            pays = TRIPS_PLUS.get(hand[0])
            which = v["table"].get("trips_plus", 1) - 1
            nets["trips_plus"] = stake * pays[which] if pays else -stake
        if "pocket_bonus" in s["wagers"]:
            which = v["table"].get("pocket_bonus", 1) - 1
            nets["pocket_bonus"] = _pocket(hole, s["wagers"]["pocket_bonus"], which)
    return found


def _pocket(hole: list[str], stake: int, which: int) -> int:
    a, b = sorted(hole, key=value, reverse=True)
    if a[0] == b[0]:
        return stake * ((30, 25, 30) if a[0] == "A" else (5, 5, 4))[which]
    if a[0] == "A" and b[0] in "KQJ":
        return stake * (20 if a[1] == b[1] else 10)
    return -stake


def _headsup_main(v: dict, s: dict, hand: Any, dealer: Any) -> Nets:
    ante = s["wagers"]["ante"]
    last = s["actions"][-1]
    if last == "fold":
        return {"ante": -ante, "odds": -ante}
    order = compare(hand, dealer)
    if dealer[0] >= PAIR:
        ante_net = order * ante
    elif v["table"].get("ante_unqualified", "push") == "push":
        ante_net = 0
    else:
        ante_net = -ante if order < 0 else 0
    if order > 0:
        odds_net = odds(ante, ODDS[hand[0]]) if hand[0] in ODDS else 0
    elif order == 0:
        odds_net = 0
    else:
        odds_net = odds(ante, BAD_BEAT[hand[0]]) if hand[0] in BAD_BEAT else -ante
    return {"ante": ante_net, "raise": order * ante * int(last[-1]), "odds": odds_net}


void = returned


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats, table = makers.deck(rng), makers.seats(rng, 6), {}  # type: Any, Any, dict[str, Any]
    for key, values in (
        ("trips_plus", (1, 2, 3, 4)),
        ("pocket_bonus", (1, 2, 3)),
        ("ante_unqualified", ("push", "compare")),
    ):
        if makers.flip(rng, 0.5):
            table[key] = rng.choice(values)
    v: dict[str, Any] = {"table": table, "seats": seats}
    if makers.flip(rng, 0.1):
        suit = rng.choice("cdhs")
        makers.lay(
            rng, cards, [r + suit for r in rng.choice(("TJQKA", "9TJQK", "A2345", "56789"))]
        )
    v["community"] = makers.deal(cards, 5)
    v["dealer"] = makers.deal(cards, 2)
    for s in seats:
        s["cards"] = makers.deal(cards, 2)
        ante = makers.stake(rng)
        s["wagers"] = {"ante": ante, "odds": ante}
        for side in ("trips_plus", "pocket_bonus"):
            if makers.flip(rng, 0.5):
                s["wagers"][side] = makers.stake(rng)
        checks = rng.randrange(3)
        last = [f"raise{n}" for n in range(1, 4 - checks)] + ["fold"] * (checks == 2)
        s["actions"] = ["check"] * checks + [rng.choice(last)]
    return v
