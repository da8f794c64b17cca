"""The games there are: every module in `firmware/felt/games/` that has a GAME, by its number."""

from __future__ import annotations

from felt.games import SettingsError
from felt.games.settings import game_module

from tools.paths import ROOT


def _found() -> list[str]:
    games = []
    for path in (ROOT / "firmware" / "felt" / "games").glob("*.py"):
        try:
            games.append(game_module(path.stem))
        except SettingsError:
            continue  # what the games share
    return [game.NAME for game in sorted(games, key=lambda game: game.NUMBER)]


GAMES = tuple(_found())
