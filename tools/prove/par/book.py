"""Every figure of build/par.json, game by game; options beside the default they change."""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Iterator, Sequence

from tools.games import GAMES, WITH_WHEEL
from tools.generate import weights
from tools.prove.par import catalogue, sides, spin, strategy
from tools.prove.par.stats import figures, percent

Entry = dict[str, Any]
Settings = dict[str, Any]


def side_wagers(game: str) -> Iterator[tuple[str, Entry]]:
    """Each side wager of a game in each pay table."""
    for key, (side, how) in catalogue.sides().items():
        if key.startswith(game + "."):
            yield key, sides.price(side, how)


def spins() -> Iterator[tuple[str, Entry]]:
    """Bonus Spin: how often it is won, and the illustrative weights of each pay table."""
    odds = spin.chance()
    yield (
        f"{WITH_WHEEL}.bonus_spin.trigger",
        {"probability": str(odds.one), "both": str(odds.both)},
    )
    for note, chosen in weights.load(weights.ILLUSTRATIVE, None, None):
        yield f"{WITH_WHEEL}.bonus_spin.{chosen.table}", spin.sheet(chosen, note, odds)


def changed(default: Entry, entry: Entry, settings: Settings) -> Entry:
    """An option's figures beside the default's, named by what it changes."""
    kept = ("edge", "edge_percent", "average_wager", "element_of_risk_percent", "variance")
    change = Fraction(entry["edge"]) - Fraction(default["edge"])
    return {
        "settings": {k: v for k, v in settings.items() if default["settings"].get(k) != v},
        **{name: entry[name] for name in kept},
        "change": str(change),
        "change_percent": percent(change),
        "players_edge": Fraction(entry["edge"]) < 0,
    }


def _showdown(found: Sequence[Any]) -> Entry:
    """A main game and its options, from the plays of every option set, the default first."""
    entries = []
    for play in found:
        entry = figures(play.outcomes())
        entry["settings"] = play.pays.settings
        entry["by_wager"] = {w: str(-n) for w, n in play.by_wager().items()}
        entry["paths"] = strategy.paths(play)
        entries.append(entry)
    main = entries[0]
    main["strategy"] = strategy.first_decision(found[0])
    main["later"] = strategy.by_hand(found[0])
    main["options"] = [changed(main, e, e["settings"]) for e in entries[1:]]
    return main


def plays(game: str) -> list[Any]:
    """The best play of Premium, Heads Up or Ultimate under each option set, the default first."""
    from tools.prove.par import holdem, pays, premium

    shape = catalogue.showdown(game)
    asked = [pays.ask(shape, settings) for settings in catalogue.option_sets(game)]
    return (premium.solve if shape.sizes[0] == 3 else holdem.solve)(asked)


def default_play(game: str) -> Any:
    return plays(game)[0]


def showdown(game: str) -> Iterator[tuple[str, Entry]]:
    """A main game of showdowns."""
    yield f"{game}.main", _showdown(plays(game))


def colorado() -> Iterator[tuple[str, Entry]]:
    """Both versions, main wager and the bonus that follows its best play."""
    from tools.prove.par import colorado as solver

    counted = solver.groups()
    for version in catalogue.versions():
        found: dict[str, list[tuple[Settings, Entry]]] = {"main": [], "bonus": []}
        for settings in catalogue.option_sets("colorado", version=version):
            play = solver.solve(settings, counted)
            for name, wagers in (("main", solver.MAIN), ("bonus", (solver.SIDE,))):
                entry = figures(play.outcomes(wagers))
                entry["settings"] = settings
                found[name].append((settings, entry))
                if len(found[name]) == 1 and name == "main":
                    entry["strategy"] = strategy.colorado(play)
        for name, entries in found.items():
            default = entries[0][1]
            default["options"] = [changed(default, e, s) for s, e in entries[1:]]
            yield f"colorado.{version}.{name}", default


def three_card() -> Iterator[tuple[str, Entry]]:
    """Ante and play of Three Card Poker."""
    from tools.prove.par import three

    play = three.default()
    entry = figures(play.outcomes())
    entry["settings"] = {}
    entry["strategy"] = strategy.three_card(play)
    entry["options"] = []
    yield "three_card.ante_play", entry


SHOWDOWNS = tuple(game for game in GAMES if all(catalogue.sizes(game)))
MAIN = {"colorado": colorado, "three_card": three_card}


def entries(game: str, main: bool) -> Iterator[tuple[str, Entry]]:
    """All of one game: side wagers, then the main game if it is wanted."""
    yield from side_wagers(game)
    if game == WITH_WHEEL:
        yield from spins()
    if main and game in SHOWDOWNS:
        yield from showdown(game)
    elif main and game in MAIN:
        yield from MAIN[game]()
