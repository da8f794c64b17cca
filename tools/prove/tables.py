"""Tables that proofs play: those of the random player, and two of every other game."""

from __future__ import annotations

from typing import Any

from felt.games.settings import game_module

from tools.games import GAMES
from tools.prove import player

_KNOWN = {table["game"] for table in player.TABLES}
_OTHERS: list[dict[str, Any]] = [
    {"game": game, "dealing": dealing, **game_module(game).OPENS_WITH}
    for game in GAMES
    if game not in _KNOWN
    for dealing in ("shoe", "auto")
]
TABLES: tuple[dict[str, Any], ...] = (*player.TABLES, *_OTHERS)
