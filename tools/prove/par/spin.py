"""Bonus Spin for any weights: return, jackpot, volatility; and weights for a wanted return.

Exact fractions throughout, except the search, which ends with an exact check of what it found.
The volatility counts the jackpot at its mean.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations
from math import exp, log, sqrt
from typing import Any, NamedTuple

from felt.games.bonus_spin import TABLES, TOP, contribution

from tools.games import WITH_WHEEL
from tools.generate.weights import Return, WheelSet, checked, returns
from tools.prove import vector_player
from tools.prove.par import suits
from tools.prove.par.table import UNIT, Deal, text

SEATS = range(1, 7)
SUM = 100000  # of the weights a search finds
TOPS = (1, 2, 4, 7, 10, 15, 25, 40, 70, 100, 150, 250, 400)  # weights of the top prize it tries
NEAR = Fraction(1, 200)  # a set that returns less than the goal by more is no answer


class Chance(NamedTuple):
    """How often three cards win a spin, alone and together with another seat's."""

    one: Fraction
    both: Fraction


def triggers(cards: tuple[int, ...]) -> bool:
    """True if the machine lets a seat with these hole cards spin."""
    others = [c for c in range(52) if c not in cards]
    deal = Deal(cards, tuple(others[:3]), tuple(others[3:7]))
    table = next(iter(TABLES))
    settings: dict[str, Any] = {"bonus_spin": table}
    if TABLES[table][1] is None:
        settings["fixed_prize"] = 1
    wagers = {"ante": UNIT, "xtra": UNIT, "bonus_spin": TABLES[table][0]}
    seat = {"seat": 1, "cards": text(cards), "wagers": wagers, "actions": ["play3"]}
    v = {"game": WITH_WHEEL, "seats": [seat], "spins": [2]}
    v.update(dealer=text(deal.dealer), community=text(deal.board))
    used = bytearray(1 if c in deal.used else 0 for c in range(52))
    machine = vector_player.open_table(WITH_WHEEL, settings)
    player = vector_player.Player(v, machine, used, None)
    try:
        player.run()
    except vector_player.BadVector:  # the spin was left over: nobody had won one
        return False
    return True


def chance() -> Chance:
    """Count the hands that spin, and the pairs of hands dealt from one deck that both do."""
    spins = {k for k, c in suits.classes(3).items() if triggers(c.cards)}
    one = sum(suits.classes(3)[k].times for k in spins)
    hands = [set(c) for c in combinations(range(52), 3) if suits.key(c) in spins]
    both = sum(1 for a in hands for b in hands if not a & b)
    every = sum(c.times for c in suits.classes(3).values())
    return Chance(Fraction(one, every), Fraction(both, every * 18424))


def mean_jackpot(chosen: WheelSet, spins: Fraction) -> Fraction:
    """Cents at a hit: the seed and every contribution made since the last one.

    Seats make contributions and hits alike, so their number does not matter.
    """
    stake, seed, _, _ = TABLES[chosen.table]
    if seed is None:
        return Fraction(chosen.top)
    hit = spins * Fraction(chosen.weights[TOP - 1], chosen.total)
    return seed + contribution(stake) / hit


def variance(chosen: WheelSet, seats: int, odds: Chance) -> Fraction:
    """Of one wager's net in units of the stake, with the jackpot at its mean."""
    stake, _, player, community = TABLES[chosen.table]
    top = mean_jackpot(chosen, odds.one)
    own = [top if i == TOP - 1 else Fraction(p) for i, p in enumerate(player)]
    share = [Fraction(w, chosen.total) for w in chosen.weights]

    def mean(pays: Any, power: int = 1) -> Fraction:
        return sum((s * p**power for s, p in zip(share, pays)), Fraction(0))

    others = seats - 1
    square = odds.one * (mean(own, 2) + others * mean(community, 2))
    square += odds.both * 2 * others * mean(own) * mean(community)
    square += odds.both * others * (others - 1) * mean(community) ** 2
    first = odds.one * (mean(own) + others * mean(community))
    return (square - first * first) / stake**2


def sheet(chosen: WheelSet, note: str, odds: Chance) -> dict[str, Any]:
    """Everything about one set of weights."""
    seed = TABLES[chosen.table][1]
    by_seats = {}
    for seats in SEATS:
        r = returns(chosen, seats)
        spread = variance(chosen, seats, odds)
        by_seats[str(seats)] = {
            **{part: str(getattr(r, part)) for part in Return._fields},
            "return": str(r.total),
            "return_percent": round(float(r.total * 100), 6),
            "edge": str(1 - r.total),
            "jackpot_share": str((r.top + r.meter) / r.total),
            "standard_deviation": round(sqrt(spread), 6),
        }
    hit = odds.one * Fraction(chosen.weights[TOP - 1], chosen.total)
    return {
        "table": chosen.table,
        "weights": chosen.weights,
        "note": note,
        "by_seats": by_seats,
        "top_prize": "progressive" if seed is not None else "fixed",
        "mean_jackpot_cents": str(mean_jackpot(chosen, odds.one)),
        "wagers_to_a_hit": str(1 / hit),
    }


def _shape(pays: list[int], top: int, tilt: float, bend: float) -> list[int]:
    """Weights of the top prize as given, of the others falling with the pay (tilt) and favouring

    or shunning the ends of its range (bend).
    """
    logs = [log(p) for p in pays]
    middle = sum(logs) / len(logs)
    raw = [exp(-tilt * (x - middle) - bend * (x - middle) ** 2) for x in logs]
    others = [max(1, round((SUM - top) * r / sum(raw))) for r in raw]
    return others[: TOP - 1] + [top] + others[TOP - 1 :]


def _tilted(table: str, prize: int | None, shape: tuple[int, float], goal: Fraction, seats: int):
    """The set of this shape whose return is nearest to the goal from below."""
    _, _, player, community = TABLES[table]
    every = [p + (seats - 1) * c for p, c in zip(player, community)]
    pays = every[: TOP - 1] + every[TOP:]
    low, high = -1.0, 8.0
    for _ in range(40):
        tilt = (low + high) / 2
        found = checked(table, _shape(pays, shape[0], tilt, shape[1]), prize)
        low, high = (tilt, high) if returns(found, seats).total > goal else (low, tilt)
    return checked(table, _shape(pays, shape[0], high, shape[1]), prize)


def search(
    table: str,
    goal: Fraction,
    deviation: float,
    odds: Chance,
    seats: int = 6,
    prize: int | None = None,
) -> WheelSet:
    """Weights that return at most `goal` to so many players, with a deviation near the wanted."""
    shapes = [(top, bend / 10) for top in TOPS for bend in range(-2, 7, 2)]
    sets = [_tilted(table, prize, shape, goal, seats) for shape in shapes]
    good = [s for s in sets if goal - NEAR <= returns(s, seats).total <= goal]
    if not good:
        raise ValueError(f"no weights of this kind return {float(goal):.2%} on {table}")
    return min(good, key=lambda s: abs(sqrt(variance(s, seats, odds)) - deviation))
