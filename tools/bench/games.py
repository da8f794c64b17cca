"""What the bench knows of a game: names for people, spots of the felt, settings to open with."""

from __future__ import annotations

import json
from typing import Any

from felt.games.settings import GAMES, game_module

from tools.paths import ROOT

TITLES = {
    "premium": "Premium Hold 'Em",
    "headsup": "Heads Up Hold'em",
    "colorado": "Colorado Hold 'Em",
    "winners_pot": "Winner's Pot Poker",
}
LABELS = {
    "ante": "Ante",
    "xtra": "X-Tra Bonus",
    "dealer_bonus": "Dealer Bonus",
    "player_bonus": "Player Bonus",
    "bonus_spin": "Bonus Spin",
    "play": "Play",
    "odds": "Odds",
    "trips_plus": "Trips Plus",
    "pocket_bonus": "Pocket Bonus",
    "raise": "Raise",
    "bonus": "Bonus",
    "bet": "Bet",
    "double": "Double",
    "jacks_plus": "Jacks Plus",
}
WEIGHTS = ROOT / "tools" / "data" / "illustrative_weights.json"
DEALINGS = ("shoe", "hand", "auto")


def spots(game: str) -> tuple[str, ...]:
    """Spots of the felt in the order of the sensor bits."""
    module = game_module(game)
    return tuple(module.WAGERS + module.RAISES)


def actions(game: str) -> tuple[str, ...]:
    """Decisions a player can take."""
    return tuple(game_module(game).ACTIONS)


def seats(game: str) -> int:
    return game_module(game).SEATS


def multiples(game: str) -> dict[str, int]:
    """Raises that are another multiple of the ante than their name says, as tables come."""
    module = game_module(game)
    found = ((name, module.OPTIONS.get(name + "_multiple")) for name in module.RAISES)
    return {name: option[1] for name, option in found if option}


def settings(game: str, dealing: str = "shoe", spin: str = "flush5_progressive") -> dict[str, Any]:
    """Settings the bench opens a table with; wheel weights are the illustrative ones."""
    limits = {wager: [100, 50000] for wager in game_module(game).WAGERS}
    out: dict[str, Any] = {"game": game, "dealing": dealing, "limits": limits, "reader": True}
    if dealing == "hand":
        out["shuffler"] = "plain"
    if dealing == "auto":
        out["shuffler"] = "counting"
    if game == "premium":
        document = json.loads(WEIGHTS.read_text())
        chosen = document["sets"][spin]
        out.update(bonus_spin=spin, **chosen)
        out["weights_note"] = "ILLUSTRATIVE"
    if game == "colorado":
        out["version"] = "required"
    return out


def describe(game: str) -> dict[str, Any]:
    """For the page: the felt of a game."""
    module = game_module(game)
    return {
        "game": game,
        "title": TITLES[game],
        "seats": module.SEATS,
        "wagers": list(module.WAGERS),
        "raises": list(module.RAISES),
        "mandatory": module.MANDATORY,
        "actions": list(module.ACTIONS),
        "labels": {name: LABELS[name] for name in module.WAGERS + module.RAISES},
        "games": [{"game": name, "title": TITLES[name]} for name in GAMES],
    }
