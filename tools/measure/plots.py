"""Plots as SVG inside a page: a line of samples, or one bar, against a limit."""

from __future__ import annotations

import html
from typing import Iterable

LEFT, RIGHT, TOP, BOTTOM = 62, 420, 12, 130


def nice(value: float) -> float:
    """The next number whose quarters are short to write."""
    power = 1.0
    while power * 10 <= value:
        power *= 10
    while power > value:
        power /= 10
    steps = (1, 1.2, 1.6, 2, 3, 4, 6, 8, 10)
    return next(power * step for step in steps if power * step >= value * 0.999999)


def number(value: float) -> str:
    """At most three digits that matter, and no exponent."""
    if value == int(value) or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:.3g}"


def samples(points: list[float]) -> str:
    return "1 sample" if len(points) == 1 else f"{len(points)} samples"


def _height(value: float, top: float) -> float:
    return BOTTOM - (BOTTOM - TOP) * value / top


def _grid(top: float, unit: str) -> str:
    out = ""
    for part in range(5):
        value = top * part / 4
        y = _height(value, top)
        out += f"<path class=grid d='M{LEFT} {y:.1f}H{RIGHT}'/>"
        out += f"<text x={LEFT - 6} y={y + 4:.1f} text-anchor=end>{number(value)}</text>"
    return out + f"<text x={LEFT} y={BOTTOM + 18}>{html.escape(unit)}</text>"


def _samples(points: list[float], top: float) -> str:
    if len(points) == 1:
        y = _height(points[0], top)
        return f"<rect class=bar x=210 y={y:.1f} width=72 height={max(BOTTOM - y, 1):.1f} />"
    step = (RIGHT - LEFT) / (len(points) - 1)
    at = [(LEFT + i * step, _height(value, top)) for i, value in enumerate(points)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in at)
    dots = "".join(f"<circle r=2.5 cx={x:.1f} cy={y:.1f} />" for x, y in at)
    return f"<polyline points='{line}'/>{dots}"


def _limit(limit: float | None, least: bool, top: float) -> str:
    if limit is None:
        return ""
    y = _height(limit, top)
    words = f"{'least' if least else 'most'} {number(limit)}"
    return (
        f"<path class=limit d='M{LEFT} {y:.1f}H{RIGHT}'/>"
        f"<text class=limit x={RIGHT + 5} y={y + 4:.1f}>{words}</text>"
    )


def plot(
    title: str, values: Iterable[float], unit: str, limit: float | None = None, least: bool = False
) -> str:
    """A figure: samples in the order they were taken, the limit as a dashed line."""
    points = list(values)
    top = nice(max([*points, limit or 0, 0.001]) * 1.05 if any([*points, limit]) else 1)
    low, high = number(min(points)), number(max(points))
    span = low if low == high else f"{low} to {high}"
    told = f"{span} {unit}, {samples(points)}"
    return (
        f"<figure><figcaption><b>{html.escape(title)}</b> {html.escape(told)}</figcaption>"
        f"<svg viewBox='0 0 510 155' role=img aria-label='{html.escape(title)}'>"
        f"{_grid(top, unit)}{_samples(points, top)}{_limit(limit, least, top)}</svg></figure>"
    )
