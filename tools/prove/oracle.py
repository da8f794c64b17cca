"""A second opinion on every payment: the rule texts and rulings again, with nothing shared.

Slow and plain on purpose. Imports nothing of the firmware; settles a vector of the certification
format from its own reading of the rules. Where the two differ, one of them is wrong.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


def of(game: str) -> Any:
    """The oracle of one game."""
    return import_module(f"tools.prove.oracles.{game}")


def settle(v: dict[str, Any]) -> dict[str, Any]:
    """What `expect` must be."""
    seats = sorted(v["seats"], key=lambda s: s["seat"])
    game = of(v["game"])
    found: dict[str, Any] = game.void(v, seats) if v.get("void") else game.settle(v, seats)
    return found
