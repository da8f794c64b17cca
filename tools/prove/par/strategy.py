"""The best play as tables a person can read."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

from tools.prove.par import pays, suits
from tools.prove.par.sides import KINDS
from tools.prove.par.suits import RANKS

Rows = list[dict[str, Any]]


def paths(play: Any) -> list[dict[str, Any]]:
    """How often each way of play is taken, and what it brings, under the best play."""
    counts: Counter = Counter()
    nets: dict[str, Fraction] = {}
    for o in play.outcomes():
        counts[o.name] += o.count
        nets[o.name] = nets.get(o.name, Fraction(0)) + o.count * o.net
    total = sum(counts.values())
    return [
        {
            "path": name,
            "frequency": str(Fraction(n, total)),
            "mean_net": round(float(nets[name] / n), 6),
        }
        for name, n in sorted(counts.items())
        if n
    ]


def by_hand(play: Any) -> list[dict[str, Any]]:
    """Of the hands that check first: what the made hand decides later, as shares of its deals."""
    fold = pays.fold_path(play.pays.game)
    every: Counter = Counter()
    taken: dict[str, Counter] = {}
    for hole, found in enumerate(play.holes):
        best = play.best(hole)
        if best.action != "check":
            continue
        for c, n in next(iter(play.ways[hole][0].cells.values())).items():
            every[c // 6] += n
        for path, cells in best.cells.items():
            row = taken.setdefault(" ".join(path), Counter())
            for c, n in cells.items() if path != fold else ():
                row[c // 6] += n
    last = " ".join(fold)
    for kind, n in every.items():
        taken[last][kind] = n - sum(row[kind] for row in taken.values())
    return [
        {
            "hand": KINDS[kind],
            **{path: str(Fraction(row[kind], every[kind])) for path, row in taken.items()},
        }
        for kind in sorted(every)
    ]


def first_decision(play: Any) -> Rows:
    """For each class of hole cards, what to do first and what every action is worth."""
    rows = []
    for hole, found in enumerate(play.holes):
        values = {way.action: play.value(hole, way) for way in play.ways[hole]}
        rows.append(
            {
                "hand": name(found.cards),
                "times": found.times,
                "action": play.best(hole).action,
                "values": {a: round(float(v), 6) for a, v in values.items()},
            }
        )
    return rows


def name(cards: tuple[int, ...]) -> str:
    """Two cards as players write them; three by rank, with the suits that matter."""
    return suits.pair_name(cards) if len(cards) == 2 else three_name(cards)


def three_name(cards: tuple[int, ...]) -> str:
    """Three cards from high to low; cards of one suit share a letter, a lone suit has none."""
    held = sorted(cards, reverse=True)
    shared = [s for s, n in Counter(c & 3 for c in held).items() if n > 1]
    return "".join(RANKS[c >> 2] + ("s" if c & 3 in shared else "") for c in held)


def colorado(play: Any) -> Rows:
    """For each class of three cards, what to do and which card to discard."""
    rows = []
    for hole, found in enumerate(play.holes):
        choice = play.best(hole)
        boards = 18424
        unit = play.seat.wagers["ante"]
        rows.append(
            {
                "hand": three_name(found.cards),
                "times": found.times,
                "action": choice.name,
                "discard": "" if choice.discard is None else RANKS[choice.discard >> 2],
                "value": round(choice.main / boards / unit, 6),
            }
        )
    return rows


def three_card(play: Any) -> Rows:
    """Every class of hands from high to low: play or fold."""
    met = sorted(play.met, key=lambda m: (-m.score, m.hole.cards))
    return [
        {
            "hand": three_name(m.hole.cards),
            "times": m.hole.times,
            "action": "play" if play.plays(m) else "fold",
            "values": {"play": round(float(play.value(m)), 6)},
        }
        for m in met
    ]
