"""Winner's Pot Poker: a second reading of its rules, and its rounds."""

from __future__ import annotations

import random
from collections import Counter
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
    split,
    value,
)

JACKS_PLUS = {ROYAL: 400, STR_FLUSH: 80, QUADS: 50, FULL: 30, FLUSH: 15, STRAIGHT: 10, TRIPS: 7,
              TWO_PAIR: 3, PAIR: 1}  # fmt: skip


def settle(v: dict, seats: list[dict]) -> dict[str, Any]:
    put = {}
    live = {}
    for s in seats:
        ante = s["wagers"]["ante"]
        actions = s["actions"]
        put[s["seat"]] = ante
        if "bet" in actions:
            put[s["seat"]] += ante * v["table"].get("bet_multiple", 1)
        if "double" in actions:
            put[s["seat"]] += ante * v["table"].get("double_multiple", 2)
            live[s["seat"]] = five(split(s["cards"]))
    award = _pot(v, sum(put.values()), live, five(split(v["dealer"])))
    found = {str(n): {"pot": award.get(n, 0) - put[n]} for n in put}
    for n, net in _jacks_plus(v, seats).items():
        found[str(n)]["jacks_plus"] = net
    return found


def _pot(v: dict, pot: int, live: dict[int, Any], dealer: Any) -> dict[int, int]:
    """What each winning seat is handed."""
    if not live:
        return {}
    top = max([*live.values(), dealer])
    winners = [n for n in live if live[n] == top]
    if not winners:
        return {}
    house = 0
    if dealer == top:
        house = pot // (len(winners) + 1) // 100 * 100
    players = pot - house
    commission = players * v["table"].get("commission_percent", 10) // 100
    cap = v["table"].get("commission_cap")
    if cap is not None:
        commission = min(commission, cap)
    commission -= commission % 100
    chips = (players - commission) // 100
    button = v["table"].get("button", 0)
    around = sorted(winners, key=lambda n: (n - button - 1) % 7)
    got = {n: chips // len(winners) * 100 for n in winners}
    for n in around[: chips % len(winners)]:
        got[n] += 100
    return got


def _jacks_class(s: dict) -> int:
    """The class a Jacks Plus wager is paid on; HIGH when it is not."""
    actions = s["actions"]
    held = split(s["cards"])[: {"fold": 3}.get(actions[0], 4 if actions[-1] == "fold" else 5)]
    if len(held) == 5:
        kind, order = five(held)
        return HIGH if kind == PAIR and order[0] < 11 else kind
    groups = sorted(Counter(map(value, held)).items(), key=lambda kv: kv[1], reverse=True)
    shape = [n for _, n in groups]
    if shape[0] == 4:
        return QUADS
    if shape[0] == 3:
        return TRIPS
    if shape[:2] == [2, 2]:
        return TWO_PAIR
    return PAIR if shape[0] == 2 and groups[0][0] >= 11 else HIGH


def _jacks_plus(v: dict, seats: list[dict]) -> Nets:
    limit = v["table"].get("payout_limit", 50_000_00)
    stakes = {s["seat"]: s["wagers"]["jacks_plus"] for s in seats if "jacks_plus" in s["wagers"]}
    kinds = {s["seat"]: _jacks_class(s) for s in seats if s["seat"] in stakes}
    royal = [n for n in kinds if kinds[n] == ROYAL]
    together = sum(stakes[n] for n in royal)
    nets = {}
    for n, kind in kinds.items():
        nets[n] = -stakes[n] if kind == HIGH else min(stakes[n] * JACKS_PLUS[kind], limit)
        if kind == ROYAL and len(royal) > 1 and together * 400 > limit:
            nets[n] = limit * stakes[n] // together
    return nets


def void(v: dict, seats: list[dict]) -> dict[str, Any]:
    """What a seat put in the pot goes back."""
    found: dict[str, Any] = {}
    for s in seats:
        found[str(s["seat"])] = {"pot" if w == "ante" else w: 0 for w in s["wagers"]}
    return found


def make(rng: random.Random) -> dict[str, Any]:
    cards, seats = makers.deck(rng), makers.seats(rng, 6, 2)
    table: dict[str, Any] = {}
    for key, values in (
        ("button", tuple(range(7))),
        ("commission_percent", tuple(range(11))),
        ("commission_cap", (0, 100, 150, 500, 99_999, 10**9)),
        ("bet_multiple", (1, 2, 3)),
        ("double_multiple", (1, 2, 3)),
        ("payout_limit", (5_000_000, 5_000_003, 9_000_000)),
    ):
        if makers.flip(rng, 0.5):
            table[key] = rng.choice(values)
    v: dict[str, Any] = {"table": table, "seats": seats}
    ante = makers.stake(rng)
    hands = _pot_hands(rng, cards, len(seats) + 1)
    v["dealer"] = hands.pop()
    for s, hand in zip(seats, hands):
        s["cards"] = hand
        s["wagers"] = {"ante": ante}
        if makers.flip(rng, 0.6):
            s["wagers"]["jacks_plus"] = makers.stake(rng)
        s["actions"] = rng.choice((["fold"], ["bet", "fold"], *[["bet", "double"]] * 4))
    return v


def _pot_hands(rng: random.Random, cards: list[str], count: int) -> list[str]:
    """Hands with ties now and then: the same ranks in other suits, or two royals and more."""
    hands = []
    ranks = rng.choice((rng.sample(RANKS, 5), list("TJQKA"), list("A2345")))
    suits = rng.sample("cdhs", 4)
    same = rng.choice((0, 0, 2, 3, 4)) if count > 1 else 0
    for i in range(min(same, count)):
        mixed = makers.flip(rng, 0.5)
        want = [r + suits[(i + (k if mixed else 0)) % 4] for k, r in enumerate(ranks)]
        if all(c in cards for c in want):
            rng.shuffle(want)
            hands.append("".join(want))
            cards[:] = [c for c in cards if c not in want]
    while len(hands) < count:
        hands.append(makers.deal(cards, 5))
    rng.shuffle(hands)
    return hands
