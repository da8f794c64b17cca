"""The best play drawn: two cards in a square, three cards in squares by what their suits share."""

from __future__ import annotations

from html import escape
from typing import Any, Callable

RANKS = "AKQJT98765432"
Rows = list[dict[str, Any]]


def colours(rows: Rows) -> dict[str, int]:
    """A shade for each action, the boldest the darkest."""
    order = ["fold", "check", "stay", "play", "bet", "instant"]
    actions = sorted(
        {r["action"] for r in rows}, key=lambda a: (order.index(a) if a in order else 9, a)
    )
    steps = max(1, len(actions) - 1)
    return {a: round(3 * i / steps) for i, a in enumerate(actions)}


def show(rows: Rows) -> str:
    """The grids that fit these hands, a key, and every hand in full."""
    shades = colours(rows)
    hands = {row["hand"]: row for row in rows}
    total = sum(r["times"] for r in rows)
    key = " ".join(
        f'<td class="a{s}">{a}: {share(rows, a, total)}</td>' for a, s in shades.items()
    )
    top = f'<table class="grid"><tr>{key}</tr></table>\n'
    draw = pairs if "AKs" in hands else triples
    return top + draw(hands, shades) + full(rows)


def share(rows: Rows, action: str, total: int) -> str:
    return f"{100 * sum(r['times'] for r in rows if r['action'] == action) / total:.2f} %"


def square(cell: Callable[[str, str], str]) -> str:
    """A 13 by 13 square of table cells."""
    head = "<tr><th></th>" + "".join(f"<th>{r}</th>" for r in RANKS) + "</tr>\n"
    lines = [(a, [cell(a, b) for b in RANKS]) for a in RANKS]
    rows = "".join(
        f"<tr><th>{a}</th>{''.join(cells)}</tr>\n"
        for a, cells in lines
        if any("></td>" not in c for c in cells)
    )
    return f'<table class="grid">{head}{rows}</table>\n'


def pairs(hands: dict[str, Any], shades: dict[str, int]) -> str:
    """Suited hands above the diagonal, others below."""

    def cell(a: str, b: str) -> str:
        over = RANKS.index(a) < RANKS.index(b)
        name = a + b + "s" if over else a + a if a == b else b + a + "o"
        action = hands[name]["action"]
        return f'<td class="a{shades[action]}" title="{name}">{short(action)}</td>'

    return "<p>Suited above the diagonal, unsuited below.</p>\n" + square(cell)


def short(action: str) -> str:
    """An action in a small cell: its number, or its first letter."""
    return action[-1] + "x" if action[-1].isdigit() else action[0].upper()


SUITS = (
    ("three of one suit", ("sss",)),
    ("two of one suit", ("ss-", "s-s", "-ss")),
    ("three suits", ("---",)),
)


def triples(hands: dict[str, Any], shades: dict[str, int]) -> str:
    """Pairs with a third card, then hands without a pair by the suits they share."""
    by_ranks: dict[str, dict[str, str]] = {}
    for name, row in hands.items():
        ranks = name.replace("s", "")
        by_ranks.setdefault(ranks, {})[suits_of(name)] = row["action"]
    trips = {a: next(iter(by_ranks[a * 3].values())) for a in RANKS}
    parts = ["<p>Three of a kind: " + ", ".join(sorted(set(trips.values()))) + ".</p>\n"]
    parts.append("<p>A pair (row) and a third card (column).</p>\n")
    parts.append(square(lambda a, b: _paired(by_ranks, a, b, shades)))
    for words, patterns in SUITS:
        parts.append(f"<p>No pair, {words}: the high card (row), the second (column), and from "
                     "which third card the bolder action is best.</p>\n")  # fmt: skip
        parts.append(square(lambda a, b: _unpaired(by_ranks, a, b, patterns, shades)))
    return "".join(parts)


def suits_of(name: str) -> str:
    """AsKQs as s-s."""
    found = ""
    for i, c in enumerate(name):
        if c != "s":
            found += "s" if name[i + 1 : i + 2] == "s" else "-"
    return found


def _paired(by_ranks: dict, pair: str, third: str, shades: dict[str, int]) -> str:
    if pair == third:
        return "<td></td>"
    high = RANKS.index(third) < RANKS.index(pair)
    actions = sorted(set(by_ranks[third + pair * 2 if high else pair * 2 + third].values()))
    shade = max(shades[a] for a in actions)
    return f'<td class="a{shade}">{"/".join(map(short, actions))}</td>'


def _unpaired(by_ranks: dict, a: str, b: str, patterns: tuple, shades: dict[str, int]) -> str:
    """The lowest third card that plays boldest, with the exceptions spelled out."""
    if RANKS.index(b) <= RANKS.index(a):
        return "<td></td>"
    thirds = RANKS[RANKS.index(b) + 1 :]
    if not thirds:
        return "<td></td>"
    bold = {}
    for c in thirds:
        found = {by_ranks[a + b + c][p] for p in patterns}
        bold[c] = max(found, key=lambda x: shades[x]) if len(found) == 1 else "mixed"
    top = max(shades.values())
    best = [c for c in thirds if bold[c] != "mixed" and shades[bold[c]] == top]
    mixed = [c for c in thirds if bold[c] == "mixed"]
    text = _run(thirds, best) + ("".join(f" {c}*" for c in mixed))
    return f'<td class="a{top if best else 1 if mixed else 0}">{text}</td>'


def _run(thirds: str, best: list[str]) -> str:
    """A run down from the second card as its lowest and a plus, anything else in full."""
    if not best:
        return ""
    if "".join(best) == thirds[: len(best)]:
        return best[-1] + ("+" if len(best) > 1 else "")
    return "".join(best)


def full(rows: Rows) -> str:
    """Every class of hands with what its actions are worth."""
    lines = []
    for r in rows:
        values = r.get("values") or {r["action"]: r["value"]}
        worth = " ".join(f"{escape(a)} {v:+.4f}" for a, v in values.items())
        away = f", discard {r['discard']}" if r.get("discard") else ""
        lines.append(f"<tr><td>{r['hand']}</td><td>{r['times']}</td>"
                     f"<td>{r['action']}{away}</td><td>{worth}</td></tr>\n")  # fmt: skip
    head = "<tr><th>hand</th><th>deals</th><th>action</th><th>worth</th></tr>\n"
    inside = f"<table>{head}{''.join(lines)}</table>"
    return f"<details><summary>every hand</summary>{inside}</details>\n"
