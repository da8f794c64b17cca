"""Which wagers there are: their names, cards and decisions. Pays are nobody's to write here."""

from __future__ import annotations

from typing import Any, Callable

from felt.games.settings import game_module

from tools.prove import vector_check
from tools.prove.par.pays import Game
from tools.prove.par.sides import Side, by_hole, by_number
from tools.prove.par.table import UNIT, Seat

Way = Callable[[Side], list]


def sizes(game: str) -> tuple[int, int, int]:
    """How many hole, dealer and board cards a game deals."""
    counts = (vector_check.HOLE, vector_check.DEALER, vector_check.COMMUNITY)
    hole, dealer, board = (count.get(game, 0) for count in counts)
    return hole, dealer, board


def stages(game: str) -> tuple[tuple[str, ...], ...]:
    """The raises open after so many checks."""
    ways = vector_check.PATHS[game]
    found = []
    for checks in range(len(ways)):
        open_now = ways[" ".join(["check"] * checks)].split()
        found.append(tuple(a for a in open_now if a not in ("check", "fold")))
    return tuple(found)


def showdown(name: str) -> Game:
    """A game against the dealer."""
    module = game_module(name)
    wagers = module.WAGERS[: module.MANDATORY]
    return Game(name, sizes(name), wagers, module.RAISES[0], stages(name))


def _side(game: str, settings: dict[str, Any], wager: str, actions: tuple[str, ...]) -> Side:
    module = game_module(game)
    wagers = dict.fromkeys((*module.WAGERS[: module.MANDATORY], wager), UNIT)
    seat = Seat(game, settings, wagers, company=module.MIN_PLAYERS - 1)
    return Side(seat, wager, sizes(game), actions)


def sides() -> dict[str, tuple[Side, Way]]:
    """Every side wager by its key, and how its hands are counted."""
    found: dict[str, tuple[Side, Way]] = {
        "premium.jacks_up": (_side("premium", {}, "player_bonus", ("play3",)), by_number),
        "winners_pot.jacks_plus": (
            _side("winners_pot", {}, "jacks_plus", ("bet", "double")),
            by_number,
        ),
    }
    for wager, how in (("trips_plus", by_number), ("pocket_bonus", by_hole)):
        low, high = game_module("headsup").OPTIONS[wager][2]
        for n in range(low, high + 1):
            side = _side("headsup", {wager: n}, wager, ("raise1",))
            found[f"headsup.{wager}.{n}"] = side, how
    return found


def actions(version: str) -> list[str]:
    """What a Colorado player may do."""
    return vector_check.PATHS[version][""].split()


def versions() -> tuple[str, ...]:
    """Colorado's versions."""
    return game_module("colorado").OPTIONS["version"][2]


def three_card_score() -> Any:
    """The firmware's order of three cards."""
    raise NotImplementedError


# Options that change what a main game pays; the others change side wagers or no price at all.
PRICED = {
    "premium": ("ante_unqualified",),
    "headsup": ("ante_unqualified", "bad_beat"),
    "colorado": ("tens", "a23_instant"),
    "ultimate": (),
}


def option_sets(game: str, **fixed: Any) -> list[dict[str, Any]]:
    """The default first, then each priced option away from its default, one at a time."""
    options = game_module(game).OPTIONS
    found = [dict(fixed)]
    for name in PRICED[game]:
        kind, default, domain = options[name]
        others = (not default,) if kind == "bool" else [v for v in domain if v != default]
        if name == "tens" and fixed.get("version") != "permissible":
            continue
        found += [{**fixed, name: value} for value in others]
    return found
