"""What Colorado pays: by the group of a kept hand, and for choices that no board changes."""

from __future__ import annotations

from typing import Any

from felt.games.settings import resolve

from tools.prove.par import scores
from tools.prove.par.table import UNIT, Deal, Nets, Seat, exact, numbered, play, text

MAIN = ("ante", "bet")
SIDE = "bonus"
ALONE = ("instant", "fold")  # decided without the board


def seated(settings: dict[str, Any]) -> Seat:
    """A seat with both wagers; the bonus has one stake."""
    game, cfg = resolve({"game": "colorado", **settings})
    wagers = {MAIN[0]: UNIT, SIDE: game.exact(cfg, SIDE)}
    return Seat("colorado", settings, wagers, fixed=(SIDE,))


def by_group(seat: Seat, action: str) -> dict[int, Nets]:
    """What a kept hand pays, by its group."""
    deals: dict[int, Deal] = {}
    for deal, number, _ in numbered((2, 0, 3)):
        deals.setdefault(scores.group(number), deal)
    found = {}
    for group, deal in deals.items():
        away = next(c for c in range(52) if c not in deal.used)
        whole = Deal((*deal.hole, away), (), deal.board)
        found[group] = exact(seat, whole, (f"{action}:{text([away])}",))
    return found


def alone(seat: Seat, hole: tuple[int, ...], action: str, proven: bool = False) -> Nets:
    """The nets of a choice that no board changes."""
    board = tuple([c for c in range(52) if c not in hole][:3])
    return (exact if proven else play)(seat, Deal(hole, (), board), (action,))
