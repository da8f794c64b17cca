"""What a wager's outcomes say: edge, frequencies, average wager, element of risk, variance."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import sqrt
from typing import Any, Iterable, NamedTuple


class Outcome(NamedTuple):
    """Something that happens `count` times: what it nets and what was staked, per unit."""

    count: int  # type: ignore[assignment]  # a tuple has a method of this name
    net: Fraction
    staked: Fraction
    name: str = ""


def figures(outcomes: Iterable[Outcome]) -> dict[str, Any]:
    """Every figure of a wager, exact, with decimals beside the fractions people read."""
    rows = [o for o in outcomes if o.count]
    total = sum(o.count for o in rows)
    mean = sum(o.count * o.net for o in rows) / Fraction(total)
    square = sum(o.count * o.net * o.net for o in rows) / Fraction(total)
    staked = sum(o.count * o.staked for o in rows) / Fraction(total)
    variance = square - mean * mean
    nets: dict[Fraction, int] = defaultdict(int)
    for o in rows:
        nets[o.net] += o.count

    def share(keep: Any) -> str:
        return str(Fraction(sum(n for net, n in nets.items() if keep(net)), total))

    return {
        "edge": str(-mean),
        "edge_percent": percent(-mean),
        "deals": total,
        "hit_frequency": share(lambda net: net > 0),
        "push_frequency": share(lambda net: net == 0),
        "lose_frequency": share(lambda net: net < 0),
        "average_wager": str(staked),
        "element_of_risk": str(-mean / staked),
        "element_of_risk_percent": percent(-mean / staked),
        "variance": str(variance),
        "standard_deviation": round(sqrt(variance), 6),
        "outcomes": [[str(net), nets[net]] for net in sorted(nets)],
    }


def percent(part: Fraction) -> float:
    """A part as a percentage with six decimals: for people, never for arithmetic."""
    return round(float(part * 100), 6)


def named(outcomes: Iterable[Outcome]) -> list[dict[str, Any]]:
    """Outcomes by name: pay, count, probability, and what each contributes to the return."""
    rows = [o for o in outcomes if o.count]
    total = sum(o.count for o in rows)
    return [
        {
            "name": o.name,
            "net": str(o.net),
            "count": o.count,
            "probability": str(Fraction(o.count, total)),
            "contribution": str(o.net * Fraction(o.count, total)),
        }
        for o in rows
    ]
