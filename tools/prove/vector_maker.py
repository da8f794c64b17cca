"""Makes settlement vectors: random rounds, and rounds bent towards the rare cases.

A bent deck deals from few ranks or suits first, so that ties, royals, quads and boundary pairs
come up in every hundred rounds instead of every million. `expect` comes from the oracle.
"""

from __future__ import annotations

import random
from typing import Any, Iterator

from tools.prove import oracle

SEATS = {"premium": 6, "headsup": 6, "colorado": 7, "winners_pot": 6}
HOLE = {"premium": 3, "headsup": 2, "colorado": 3, "winners_pot": 5}
GAMES = tuple(SEATS)
STAKES = (100, 200, 300, 500, 700, 1000, 1500, 2500, 5000, 9900, 25000, 100000)
HUGE = (1_000_000, 5_000_000, 12_345_600, 4_294_967_200)
DECK = [r + s for r in oracle.RANKS for s in "cdhs"]


def _deck(rng: random.Random) -> list[str]:
    """52 cards, shuffled, often with a few ranks or suits on top."""
    cards = DECK[:]
    rng.shuffle(cards)
    bend = rng.randrange(8)
    if bend == 0:  # the high cards: straights, royals, full houses
        cards.sort(key=lambda c: c[0] not in "TJQKA")
    elif bend == 1:  # few ranks: pairs, quads, ties
        few = rng.sample(oracle.RANKS, 5)
        cards.sort(key=lambda c: c[0] not in few)
    elif bend == 2:  # one suit: flushes, spins
        suit = rng.choice("cdhs")
        cards.sort(key=lambda c: c[1] != suit)
    elif bend == 3:  # a run of ranks in two suits: straight flushes
        low, suits = rng.randrange(9), rng.sample("cdhs", 2)
        run = oracle.RANKS[low : low + 5]
        cards.sort(key=lambda c: c[0] not in run or c[1] not in suits)
    elif bend == 4:  # the wheel
        cards.sort(key=lambda c: c[0] not in "A2345")
    if bend < 5:
        top = rng.randrange(8, 36)
        head = cards[:top]
        rng.shuffle(head)
        cards[:top] = head
    return cards


def _lay(rng: random.Random, cards: list[str], want: list[str]) -> None:
    """Brings the wanted cards to the top, in random order."""
    rng.shuffle(want)
    cards[:] = want + [c for c in cards if c not in want]


def _stake(rng: random.Random) -> int:
    return rng.choice(HUGE) if rng.random() < 0.02 else rng.choice(STAKES)


def _flip(rng: random.Random, chance: float) -> bool:
    return rng.random() < chance


def make(game: str, number: int, seed: int = 1) -> dict[str, Any]:
    """One legal vector with the oracle's expectation; the same for the same arguments."""
    rng = random.Random(f"{game} {number} {seed}")
    v = _GAMES[game](rng)
    v["id"], v["game"] = f"{game}-{seed}-{number:06d}", game
    if _flip(rng, 0.25):
        v["table"]["dealing"] = rng.choice(("shoe", "hand", "auto"))
    if _flip(rng, 0.03):
        v["void"] = True
        v.pop("spins", None)
    rng.shuffle(v["seats"])
    v["expect"] = oracle.settle(v)
    return v


def many(count: int, seed: int = 1, games: tuple[str, ...] = GAMES) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield make(games[number % len(games)], number, seed)


def _seats(rng: random.Random, game: str, least: int = 1) -> list[dict[str, Any]]:
    count = rng.randint(least, SEATS[game])
    numbers = rng.sample(range(1, SEATS[game] + 1), count)
    return [{"seat": n, "cards": "", "wagers": {}, "actions": []} for n in sorted(numbers)]


def _deal(cards: list[str], count: int) -> str:
    taken, cards[:] = cards[:count], cards[count:]
    return "".join(taken)


def _spin_table(rng: random.Random, table: dict[str, Any]) -> str | None:
    kind = rng.choice((None, *oracle.WHEELS))
    if kind:
        table["bonus_spin"] = kind
        if kind in oracle.SEEDS:
            if _flip(rng, 0.7):
                table["jackpot"] = oracle.SEEDS[kind] + rng.choice((0, 1, 35, 999_999, 10**7 + 1))
        else:
            table["fixed_prize"] = rng.choice((1, 100, 5_000_000, 2_500_001))
    return kind


def _premium(rng: random.Random) -> dict[str, Any]:
    cards, seats, table = _deck(rng), _seats(rng, "premium"), {}  # type: Any, Any, dict[str, Any]
    if _flip(rng, 0.3):
        table["ante_unqualified"] = rng.choice(("lose", "push"))
    kind = _spin_table(rng, table)
    v: dict[str, Any] = {"table": table, "seats": seats}
    if _flip(rng, 0.1):
        _lay(rng, cards, [r + rng.choice("cdhs") for r in "TJQKA"])
    v["community"] = _deal(cards, 4)
    v["dealer"] = _deal(cards, 3)
    spins = []
    for s in seats:
        if kind and _flip(rng, 0.4):
            suit = rng.choice("cdhs")
            _lay(rng, cards, [c for c in cards if c[1] == suit][:3])
        s["cards"] = _deal(cards, 3)
        ante = _stake(rng)
        s["wagers"] = {"ante": ante, "xtra": ante}
        for side in ("dealer_bonus", "player_bonus"):
            if _flip(rng, 0.5):
                s["wagers"][side] = _stake(rng)
        if kind and _flip(rng, 0.7):
            s["wagers"]["bonus_spin"] = 500 if kind.startswith("flush5") else 100
            if len({c[1] for c in oracle.split(s["cards"])}) == 1:
                spins.append(rng.choice((1, rng.randint(1, 12))))
        s["actions"] = rng.choice(
            (["play3"], ["check", "play1"], ["check", "play2"], ["check", "fold"])
        )
    if spins or _flip(rng, 0.8):
        v["spins"] = spins
    return v


def _headsup(rng: random.Random) -> dict[str, Any]:
    cards, seats, table = _deck(rng), _seats(rng, "headsup"), {}  # type: Any, Any, dict[str, Any]
    for key, values in (
        ("trips_plus", (1, 2, 3, 4)),
        ("pocket_bonus", (1, 2, 3)),
        ("ante_unqualified", ("push", "compare")),
    ):
        if _flip(rng, 0.5):
            table[key] = rng.choice(values)
    v: dict[str, Any] = {"table": table, "seats": seats}
    if _flip(rng, 0.1):
        suit = rng.choice("cdhs")
        _lay(rng, cards, [r + suit for r in rng.choice(("TJQKA", "9TJQK", "A2345", "56789"))])
    v["community"] = _deal(cards, 5)
    v["dealer"] = _deal(cards, 2)
    for s in seats:
        s["cards"] = _deal(cards, 2)
        ante = _stake(rng)
        s["wagers"] = {"ante": ante, "odds": ante}
        for side in ("trips_plus", "pocket_bonus"):
            if _flip(rng, 0.5):
                s["wagers"][side] = _stake(rng)
        checks = rng.randrange(3)
        last = [f"raise{n}" for n in range(1, 4 - checks)] + ["fold"] * (checks == 2)
        s["actions"] = ["check"] * checks + [rng.choice(last)]
    return v


def _colorado(rng: random.Random) -> dict[str, Any]:
    cards, seats = _deck(rng), _seats(rng, "colorado")
    version = rng.choice(("required", "permissible"))
    table: dict[str, Any] = {"version": version}
    if version == "permissible" and _flip(rng, 0.6):
        table["tens"] = rng.choice(("push", "pay"))
    if _flip(rng, 0.4):
        table["a23_instant"] = rng.choice((True, False))
    if _flip(rng, 0.5):
        table["payout_limit"] = rng.choice((5_000_000, 5_000_001, 7_500_000, 10**9))
    v: dict[str, Any] = {"table": table, "seats": seats}
    if _flip(rng, 0.15):
        suit = rng.choice("cdhs")
        _lay(rng, cards, [r + suit for r in rng.choice(("TJQKA", "9TJQK", "A2345", "56789"))])
    v["community"] = _deal(cards, 3)
    for s in seats:
        if _flip(rng, 0.2):
            _lay(rng, cards, _instant_cards(rng, cards))
        s["cards"] = _deal(cards, 3)
        s["wagers"] = {"ante": _stake(rng)}
        if _flip(rng, 0.5):
            s["wagers"]["bonus"] = 100
        gone = rng.choice(oracle.split(s["cards"]))
        other = "fold" if version == "required" else f"stay:{gone}"
        s["actions"] = [rng.choice((f"bet:{gone}", f"bet:{gone}", other, "instant"))]
    return v


def _instant_cards(rng: random.Random, cards: list[str]) -> list[str]:
    if _flip(rng, 0.3):
        rank = rng.choice(oracle.RANKS)
        want = [rank + s for s in "cdhs"]
    else:
        low = rng.randrange(13)
        want = [
            (oracle.RANKS + "23")[i] + s for s in rng.choice("cdhs") for i in range(low, low + 3)
        ]
    want = [c for c in want if c in cards][:3]
    return want if len(want) == 3 else cards[:3]


def _winners_pot(rng: random.Random) -> dict[str, Any]:
    cards, seats = _deck(rng), _seats(rng, "winners_pot", 2)
    table: dict[str, Any] = {}
    for key, values in (
        ("button", tuple(range(7))),
        ("commission_percent", tuple(range(11))),
        ("commission_cap", (0, 100, 150, 500, 99_999, 10**9)),
        ("bet_multiple", (1, 2, 3)),
        ("double_multiple", (1, 2, 3)),
        ("payout_limit", (5_000_000, 5_000_003, 9_000_000)),
    ):
        if _flip(rng, 0.5):
            table[key] = rng.choice(values)
    v: dict[str, Any] = {"table": table, "seats": seats}
    ante = _stake(rng)
    hands = _pot_hands(rng, cards, len(seats) + 1)
    v["dealer"] = hands.pop()
    for s, hand in zip(seats, hands):
        s["cards"] = hand
        s["wagers"] = {"ante": ante}
        if _flip(rng, 0.6):
            s["wagers"]["jacks_plus"] = _stake(rng)
        s["actions"] = rng.choice((["fold"], ["bet", "fold"], *[["bet", "double"]] * 4))
    return v


def _pot_hands(rng: random.Random, cards: list[str], count: int) -> list[str]:
    """Hands with ties now and then: the same ranks in other suits, or two royals and more."""
    hands = []
    ranks = rng.choice((rng.sample(oracle.RANKS, 5), list("TJQKA"), list("A2345")))
    suits = rng.sample("cdhs", 4)
    same = rng.choice((0, 0, 2, 3, 4)) if count > 1 else 0
    for i in range(min(same, count)):
        mixed = _flip(rng, 0.5)
        want = [r + suits[(i + (k if mixed else 0)) % 4] for k, r in enumerate(ranks)]
        if all(c in cards for c in want):
            rng.shuffle(want)
            hands.append("".join(want))
            cards[:] = [c for c in cards if c not in want]
    while len(hands) < count:
        hands.append(_deal(cards, 5))
    rng.shuffle(hands)
    return hands


_GAMES = {
    "premium": _premium,
    "headsup": _headsup,
    "colorado": _colorado,
    "winners_pot": _winners_pot,
}


if __name__ == "__main__":
    import json
    import sys

    for vector in many(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        print(json.dumps(vector))
