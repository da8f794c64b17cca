"""Which wagers there are: their names, cards and decisions. Pays are nobody's to write here."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Callable

from felt.games.settings import game_module, resolve

from tools.prove.par.pays import Game
from tools.prove.par.sides import Side, by_hole, by_number
from tools.prove.par.table import UNIT, Seat

Way = Callable[[Side], list]


def sizes(name: str) -> tuple[int, int, int]:
    """How many hole, dealer and board cards a game deals."""
    game = game_module(name)
    return game.HOLE, game.DEALER_CARDS, game.COMMUNITY


def open_at(name: str, settings: dict[str, Any], stage: int) -> tuple[str, ...]:
    """The decisions open to a seat that has only checked so far, as the game has them."""
    game, cfg = resolve({"game": name, **settings})
    seat = SimpleNamespace(cfg=cfg, raised=[0] * 8, bets=[[UNIT] * len(game.WAGERS)] * 8)
    return game.legal(seat, 1, stage)


def stages(name: str) -> tuple[tuple[str, ...], ...]:
    """The raises open at each decision, low to high."""
    game = game_module(name)
    decisions = [stage for kind, stage in game.script("shoe") if kind == "decide"]
    found = []
    for stage in decisions:
        raises = [w for w in open_at(name, {}, stage) if game.decision(w).spot]
        found.append(tuple(sorted(raises, key=lambda w: game.decision(w).times)))
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


# Side wagers whose pay table is chosen by a number.
NUMBERED: tuple[tuple[str, str, str, Way], ...] = (
    ("headsup", "trips_plus", "raise1", by_number),
    ("headsup", "pocket_bonus", "raise1", by_hole),
    ("ultimate", "trips", "play3", by_number),
    ("three_card", "pair_plus", "play", by_hole),
)


def sides() -> dict[str, tuple[Side, Way]]:
    """Every side wager by its key, and how its hands are counted."""
    found: dict[str, tuple[Side, Way]] = {
        "premium.jacks_up": (_side("premium", {}, "player_bonus", ("play3",)), by_number),
        "winners_pot.jacks_plus": (
            _side("winners_pot", {}, "jacks_plus", ("bet", "double")),
            by_number,
        ),
    }
    for game, wager, action, how in NUMBERED:
        low, high = game_module(game).OPTIONS[wager][2]
        for n in range(low, high + 1):
            found[f"{game}.{wager}.{n}"] = _side(game, {wager: n}, wager, (action,)), how
    return found


def actions(version: str) -> tuple[str, ...]:
    """What a Colorado player may do."""
    return open_at("colorado", {"version": version}, 0)


def versions() -> tuple[str, ...]:
    """Colorado's versions."""
    return game_module("colorado").OPTIONS["version"][2]


# Options that change what a main game pays; the others change side wagers or no price at all.
PRICED = {
    "premium": ("ante_unqualified",),
    "headsup": ("ante_unqualified", "bad_beat"),
    "colorado": ("tens", "a23_instant"),
    "ultimate": (),
}


# Tables of a house's own, as examples of what the texts let it replace: the Bad Beat table of the
# published game, and one odds more than the least Colorado's texts allow.
REPLACED: dict[str, list[dict[str, dict[str, str]]]] = {
    "headsup": [
        {
            "bad_beat": {
                "straight": "5 to 1",
                "flush": "8 to 1",
                "full_house": "10 to 1",
                "four_of_a_kind": "50 to 1",
                "straight_flush": "500 to 1",
            }
        }
    ],
    "required": [{"required": {"full_house": "12 to 1"}}],
    "permissible": [{"permissible": {"full_house": "12 to 1"}}],
}
EXTRA: list[dict[str, Any]] = []  # settings a person asks about


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
    for tables in REPLACED.get(fixed.get("version", game), ()):
        found.append({**fixed, "pay_tables": tables})
    return found + [{**fixed, **settings} for settings in EXTRA]
