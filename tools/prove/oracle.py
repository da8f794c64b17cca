"""A second opinion on every payment: the rule texts and rulings again, with nothing shared.

Slow and plain on purpose. Imports nothing of the firmware; settles a vector of the certification
format from its own reading of the rules. Where the two differ, one of them is wrong.
"""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

RANKS = "23456789TJQKA"
# hand classes, low to high
HIGH, PAIR, TWO_PAIR, TRIPS, STRAIGHT, FLUSH, FULL, QUADS, STR_FLUSH, ROYAL = range(10)
Nets = dict[str, int]


def split(text: str) -> list[str]:
    return [text[i : i + 2] for i in range(0, len(text), 2)]


def value(card: str) -> int:
    return RANKS.index(card[0]) + 2


def five(cards: list[str]) -> tuple[int, list[int]]:
    """Class and tie-break of five cards."""
    tally = sorted(Counter(map(value, cards)).items(), key=lambda kv: (kv[1], kv[0]), reverse=True)
    order = [rank for rank, _ in tally]
    shape = [n for _, n in tally]
    suited = len({c[1] for c in cards}) == 1
    top = _run(order) if shape == [1] * 5 else 0
    if top:
        if suited:
            return (ROYAL if top == 14 else STR_FLUSH), [top]
        return STRAIGHT, [top]
    if shape == [4, 1]:
        return QUADS, order
    if shape == [3, 2]:
        return FULL, order
    if suited:
        return FLUSH, order
    return {(3, 1, 1): TRIPS, (2, 2, 1): TWO_PAIR, (2, 1, 1, 1): PAIR}.get(
        tuple(shape), HIGH
    ), order


def _run(descending: list[int]) -> int:
    """The top card of five in sequence, or 0; an ace below a two makes a five-high run."""
    if descending[0] - descending[4] == 4:
        return descending[0]
    return 5 if descending == [14, 5, 4, 3, 2] else 0


def best(cards: list[str]) -> tuple[int, list[int]]:
    return max(five(list(chosen)) for chosen in combinations(cards, 5))


def compare(mine: tuple[int, list[int]], theirs: tuple[int, list[int]]) -> int:
    return (mine > theirs) - (mine < theirs)


def odds(stake: int, pay: str) -> int:
    """Winnings at "3 to 2"."""
    a, b = pay.split(" to ")
    return stake * int(a) // int(b)


def settle(v: dict[str, Any]) -> dict[str, Any]:
    """What `expect` must be."""
    seats = sorted(v["seats"], key=lambda s: s["seat"])
    if v.get("void"):
        return _void(v, seats)
    return {
        "premium": _premium,
        "headsup": _headsup,
        "colorado": _colorado,
        "winners_pot": _winners_pot,
    }[v["game"]](v, seats)


def _void(v: dict, seats: list[dict]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for s in seats:
        found[str(s["seat"])] = {w if w != "ante" or v["game"] != "winners_pot" else "pot": 0
                                 for w in s["wagers"]}  # fmt: skip
    if "progressive" in v["table"].get("bonus_spin", ""):
        found["jackpot"] = _meter_after_latch(v, seats)
    return found


# Premium Hold 'Em

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


def _premium(v: dict, seats: list[dict]) -> dict[str, Any]:
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


# Heads Up Hold'em

ODDS = {ROYAL: "500 to 1", STR_FLUSH: "50 to 1", QUADS: "10 to 1", FULL: "3 to 1",
        FLUSH: "3 to 2", STRAIGHT: "1 to 1"}  # fmt: skip
BAD_BEAT = {STR_FLUSH: "500 to 1", QUADS: "25 to 1", FULL: "6 to 1", FLUSH: "5 to 1",
            STRAIGHT: "4 to 1"}  # fmt: skip
TRIPS_PLUS = {  # pay tables 1 to 4
    ROYAL: (100, 100, 100, 100), STR_FLUSH: (40, 40, 40, 40), QUADS: (30, 30, 30, 30),
    FULL: (9, 8, 8, 7), FLUSH: (7, 6, 7, 6), STRAIGHT: (4, 5, 4, 5), TRIPS: (3, 3, 3, 3),
}  # fmt: skip


def _headsup(v: dict, seats: list[dict]) -> dict[str, Any]:
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


# Colorado Hold 'Em

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


def _colorado(v: dict, seats: list[dict]) -> dict[str, Any]:
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


# Winner's Pot Poker

JACKS_PLUS = {ROYAL: 400, STR_FLUSH: 80, QUADS: 50, FULL: 30, FLUSH: 15, STRAIGHT: 10, TRIPS: 7,
              TWO_PAIR: 3, PAIR: 1}  # fmt: skip


def _winners_pot(v: dict, seats: list[dict]) -> dict[str, Any]:
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
