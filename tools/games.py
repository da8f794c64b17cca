"""The games there are, and what tools know of each: all of it from the game and the language file.

A game is a module in `firmware/felt/games/` that has a GAME; they stand in the order of their
numbers.
"""

from __future__ import annotations

import json
from typing import Any

from felt.games import SettingsError
from felt.games.settings import game_module

from tools.paths import ROOT

WEIGHTS = ROOT / "tools" / "data" / "illustrative_weights.json"
LANGUAGE = ROOT / "firmware" / "lang" / "en.txt"


def _found() -> list[str]:
    games = []
    for path in (ROOT / "firmware" / "felt" / "games").glob("*.py"):
        try:
            games.append(game_module(path.stem))
        except SettingsError:
            continue  # what the games share
    return [game.NAME for game in sorted(games, key=lambda game: game.NUMBER)]


GAMES = tuple(_found())
FIRST = GAMES[0]  # where nobody names one
WITH_WHEEL = next(name for name in GAMES if game_module(name).LATCH)
DEALINGS = ("shoe", "hand", "auto")


def texts(group: str) -> dict[str, str]:
    """The texts of one group, `wager` for example, by the rest of their keys."""
    rows = [row.split(" ", 1) for row in LANGUAGE.read_text(encoding="utf-8").splitlines()]
    return {r[0][len(group) + 1 :]: r[1] for r in rows if r[0].startswith(group + ".")}


TITLES = {name: texts("game")[name] for name in GAMES}
LABELS = texts("wager")


def spots(game: str) -> tuple[str, ...]:
    """Spots of the felt in the order of the sensor bits."""
    return game_module(game).SPOTS


def actions(game: str) -> tuple[str, ...]:
    """Decisions a player can take."""
    return tuple(game_module(game).ACTIONS)


def seats(game: str) -> int:
    return game_module(game).SEATS


def put_down(game: str, action: str, settings: dict[str, Any]) -> tuple[str, int] | None:
    """The spot a decision's chips lie on and how many antes they are; None when it adds none."""
    rules = game_module(game)
    found = rules.decision(action) if action in rules.ACTIONS else None
    if found is None or found.spot is None:
        return None
    times = found.times
    if isinstance(times, str):
        times = settings.get(times, rules.OPTIONS[times][1])
    return found.spot, times


def settings(game: str, dealing: str = "shoe", spin: str = "flush5_progressive") -> dict[str, Any]:
    """Settings the bench opens a table with; wheel weights are the illustrative ones."""
    rules = game_module(game)
    limits = {wager: [100, 50000] for wager in rules.WAGERS}
    out: dict[str, Any] = {"game": game, "dealing": dealing, "limits": limits}
    out.update(reader=True, **rules.OPENS_WITH)
    if dealing == "hand":
        out["shuffler"] = "plain"
    if dealing == "auto":
        out["shuffler"] = "counting"
    if rules.LATCH:
        document = json.loads(WEIGHTS.read_text())
        out[rules.LATCH] = spin
        out.update(document["sets"][spin])
        out["weights_note"] = "ILLUSTRATIVE"
    return out


def describe(game: str) -> dict[str, Any]:
    """For the page: the felt of a game."""
    rules = game_module(game)
    words = texts("action")
    return {
        "game": game,
        "title": TITLES[game],
        "seats": rules.SEATS,
        "wagers": list(rules.WAGERS),
        "raises": list(rules.RAISES),
        "mandatory": rules.MANDATORY,
        "actions": {d.word: words[d.word] for d in rules.DECISIONS},
        "button": rules.BUTTON,
        "latch": rules.LATCH,
        "pot": rules.POT,
        "labels": {name: LABELS[name] for name in rules.SPOTS},
        "games": [{"game": name, "title": TITLES[name]} for name in GAMES],
    }
