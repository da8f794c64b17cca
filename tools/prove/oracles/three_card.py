"""Three Card Poker: a second reading of its rules, and its rounds."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from tools.prove.oracles import makers
from tools.prove.oracles.hands import RANKS, Nets, returned, split, value

void = returned
HIGH, PAIR, FLUSH, STRAIGHT, TRIPS, STR_FLUSH = range(6)  # of three cards, low to high
BONUS = {STR_FLUSH: 5, TRIPS: 4, STRAIGHT: 1}
PAYS = {STR_FLUSH: (40, 40), TRIPS: (30, 30), STRAIGHT: (6, 6), FLUSH: (4, 3), PAIR: (1, 1)}


def three(cards: list[str]) -> tuple[int, list[int]]:
    """Class and tie-break of three cards."""
    tally = Counter(map(value, cards))
    order = sorted(tally, key=lambda rank: (tally[rank], rank), reverse=True)
    suited = len({c[1] for c in cards}) == 1
    if len(order) == 1:
        return TRIPS, order
    if len(order) == 2:
        return PAIR, order
    if order == [14, 3, 2]:
        order = [3, 2, 1]
    if order[0] - order[2] == 2:
        return (STR_FLUSH if suited else STRAIGHT), order[:1]
    return (FLUSH if suited else HIGH), order


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    dealer = three(split(v["dealer"]))
    found: dict[str, Any] = {}
    for s in seats:
        hand = three(split(s["cards"]))
        nets = found[str(s["seat"])] = _main(s, hand, dealer) if "ante" in s["wagers"] else {}
        if "pair_plus" in s["wagers"]:
            nets["pair_plus"] = _pair_plus(v, s, hand[0])
    return found


def _pair_plus(v: dict, s: dict, kind: int) -> int:
    stake: int = s["wagers"]["pair_plus"]
    folded = s["actions"] == ["fold"]
    if kind not in PAYS or folded and v["table"].get("pair_plus_after_fold", "lose") == "lose":
        return -stake
    return stake * PAYS[kind][v["table"].get("pair_plus", 1) - 1]


def _main(s: dict, hand: Any, dealer: Any) -> Nets:
    ante = s["wagers"]["ante"]
    if s["actions"] == ["fold"]:
        return {"ante": -ante}
    bonus = BONUS.get(hand[0], 0) * ante
    if dealer < (HIGH, [12]):
        return {"ante": ante + bonus, "play": 0}
    order = (hand > dealer) - (hand < dealer)
    return {"ante": order * ante + bonus, "play": order * ante}


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats = makers.deck(rng), makers.seats(rng, 7)
    table: dict[str, Any] = {}
    for key, values in (("pair_plus", (1, 2)), ("pair_plus_after_fold", ("lose", "live"))):
        if makers.flip(rng, 0.5):
            table[key] = rng.choice(values)
    if makers.flip(rng, 0.2):  # low cards at the dealer: a hand around queen high
        low = rng.choice(("Q32", "Q43", "J98", "JT8"))
        want = [r + s for r, s in zip(low, rng.sample("cdhs", 3))]
        cards[:] = want + [c for c in cards if c not in want]
    v: dict[str, Any] = {"table": table, "seats": seats, "dealer": makers.deal(cards, 3)}
    for s in seats:
        if makers.flip(rng, 0.25):
            _bend(rng, cards)
        s["cards"] = makers.deal(cards, 3)
        kind = rng.randrange(3)
        if kind != 0:
            s["wagers"]["ante"] = makers.stake(rng)
            s["actions"] = [rng.choice(("play", "play", "fold"))]
        if kind != 1:
            s["wagers"]["pair_plus"] = makers.stake(rng)
    return v


def _bend(rng: random.Random, cards: list[str]) -> None:
    """Bring a straight, a straight flush or three of a kind to the top, if its cards are left."""
    low = rng.randrange(-1, 11)
    ranks = [RANKS[low], RANKS[low + 1], RANKS[low + 2]]
    suits = rng.choice(("ccc", "hhh", "cdh", "ssd"))
    if makers.flip(rng, 0.3):
        ranks, suits = [ranks[0]] * 3, "cdh"
    want = [r + s for r, s in zip(ranks, suits)]
    if all(c in cards for c in want):
        cards[:] = want + [c for c in cards if c not in want]
