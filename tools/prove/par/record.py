"""The figures the documentation shows, and whether the rules still are those they were made from.

docs/par/figures.json keeps each edge, and for a main game a digest of everything the machine pays
in it. Side wagers and Three Card Poker are computed again to compare; a main game that takes
minutes is compared by what it pays. `--record` writes the file and the table in docs/par.md.
"""

from __future__ import annotations

import hashlib
import json
from fractions import Fraction
from typing import Any, Iterator

from tools.games import GAMES
from tools.paths import ROOT
from tools.prove.par import book, catalogue, colorado_pays, pays, suits

FIGURES = ROOT / "docs" / "par" / "figures.json"
PAGE = ROOT / "docs" / "par.md"
SAMPLE = 15  # one in so many classes of three cards is asked again
START, END = "<!-- figures -->\n", "<!-- end of figures -->\n"


def digest(found: Any) -> str:
    return hashlib.sha256(repr(found).encode()).hexdigest()[:16]


def showdown(game: str) -> Iterator[Any]:
    """All a game of showdowns pays at its defaults."""
    shape = catalogue.showdown(game)
    asked = pays.ask(shape, {})
    yield asked.cut, sorted(asked.folded.items()), sorted(asked.stakes.items())
    yield [(path, asked.table(path, asked.scale())) for path in pays.paths(shape)]


def colorado(version: str) -> Iterator[Any]:
    """All a version of Colorado pays at its defaults."""
    seat = colorado_pays.seated({"version": version})
    for action in catalogue.actions(version):
        if action in colorado_pays.ALONE:
            holes = [c.cards for c in suits.classes(3).values()][::SAMPLE]
            yield [sorted(colorado_pays.alone(seat, hole, action).items()) for hole in holes]
        else:
            found = colorado_pays.by_group(seat, action)
            yield [(g, sorted(found[g].items())) for g in sorted(found)]


def digests() -> dict[str, str]:
    """A digest for each main game that takes minutes."""
    found = {f"{game}.main": digest(list(showdown(game))) for game in book.SHOWDOWNS}
    for version in catalogue.versions():
        found[f"colorado.{version}.main"] = digest(list(colorado(version)))
    return found


def quick() -> dict[str, str]:
    """The edges that take no minutes, computed now."""
    found = {}
    for game in GAMES:
        found.update((key, entry["edge"]) for key, entry in book.side_wagers(game))
    found.update((key, entry["edge"]) for key, entry in book.three_card())
    return found


def rows(edges: dict[str, str], options: dict[str, list]) -> str:
    """The documentation's table."""
    lines = ["| wager | house edge | exact |\n|---|---|---|\n"]
    for key, edge in edges.items():
        lines.append(f"| `{key}` | {_percent(edge)} | {edge} |\n")
        for settings, other in options.get(key, ()):
            lines.append(f"| with {settings} | {_percent(other)} | {other} |\n")
    return "".join(lines)


def _percent(edge: str) -> str:
    text = f"{float(Fraction(edge)) * 100:.4f} %"
    return f"**{text}, the player's**" if Fraction(edge) < 0 else text


def write(found: dict[str, Any]) -> None:
    """Record the figures of a whole book."""
    from tools.prove.par.sheet import settings

    priced = {k: e for k, e in sorted(found.items()) if "edge" in e}
    kept = {
        "edges": {k: e["edge"] for k, e in priced.items()},
        "options": {
            k: [[settings(o["settings"]), o["edge"]] for o in e["options"]]
            for k, e in priced.items()
            if e.get("options")
        },
        "pays": digests(),
    }
    FIGURES.parent.mkdir(exist_ok=True)
    FIGURES.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    PAGE.write_text(page(kept), encoding="utf-8")


def page(kept: dict[str, Any]) -> str:
    """The documentation with the table these figures make."""
    text = PAGE.read_text(encoding="utf-8")
    head, _, rest = text.partition(START)
    return head + START + rows(kept["edges"], kept["options"]) + END + rest.partition(END)[2]


def differences() -> list[str]:
    """What the documentation says that the rules no longer do."""
    kept = json.loads(FIGURES.read_text(encoding="utf-8"))
    wrong = []
    for key, edge in quick().items():
        if kept["edges"].get(key) != edge:
            wrong.append(f"{key} is {edge}, recorded {kept['edges'].get(key)}")
    for key, found in digests().items():
        if kept["pays"].get(key) != found:
            wrong.append(f"{key} pays otherwise than when it was recorded")
    if page(kept) != PAGE.read_text(encoding="utf-8"):
        wrong.append("docs/par.md shows other figures than docs/par/figures.json")
    return wrong
