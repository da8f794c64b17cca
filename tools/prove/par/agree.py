"""Random rounds settled twice, by the round machine and from the enumerators' tables.

The tables were asked of the machine one deal a class; here every class meets many deals. A rule
that depends on something the classes do not know shows as a difference.
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any, Callable, NamedTuple, Sequence

from felt.games.settings import game_module

from tools.prove.par import catalogue, colorado_pays, pays, scores, sides, suits, three
from tools.prove.par.table import LOST, TIED, UNIT, WON, Deal, Nets, cell, table, text

Told = Callable[[Deal, tuple[str, ...]], dict[str, Fraction]]


class Game(NamedTuple):
    """A table to deal at: its settings, who may sit, what may be staked and done."""

    name: str
    settings: dict[str, Any]
    paths: Sequence[tuple[str, ...]]
    told: Told  # nets per unit of each wager, from the enumerator's tables
    unasked: tuple[str, ...] = ()  # results that are no wager against the house
    fixed: dict[str, int] = {}  # wagers with one stake


def by_group(key: str) -> Callable[[Sequence[int]], Fraction]:
    """A side wager's net from the best hand of some cards."""
    found = sides.pays_of_groups(catalogue.sides()[key][0])
    return lambda cards: found[scores.group(scores.number(cards))]


def by_hole(key: str) -> Callable[[Sequence[int]], Fraction]:
    found = sides.pays_of_holes(catalogue.sides()[key][0])
    return lambda cards: found[suits.key(cards)]


def showdown(name: str, settings: dict[str, Any], extra: Told) -> Game:
    """A game against the dealer; `extra` tells its side wagers."""
    game = catalogue.showdown(name)
    asked = pays.ask(game, settings)
    fold = pays.fold_path(game)

    def told(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        mine = scores.number(deal.hole + deal.board)
        theirs = scores.number(deal.dealer + deal.board)
        nets = asked.folded if path == fold else asked.nets[path][cell(mine, theirs, asked.cut)]
        return {**{w: Fraction(n, UNIT) for w, n in nets.items()}, **extra(deal, path)}

    return Game(name, settings, [*pays.paths(game), fold], told)


def premium(settings: dict[str, Any]) -> Game:
    up = by_group("premium.jacks_up")

    def extra(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        mine, theirs = up(deal.hole + deal.board), up(deal.dealer + deal.board)
        return {"player_bonus": mine, "dealer_bonus": theirs}

    return showdown("premium", settings, extra)


def headsup(settings: dict[str, Any]) -> Game:
    trips = by_group(f"headsup.trips_plus.{settings.get('trips_plus', 1)}")
    pocket = by_hole(f"headsup.pocket_bonus.{settings.get('pocket_bonus', 1)}")

    def extra(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        return {"trips_plus": trips(deal.hole + deal.board), "pocket_bonus": pocket(deal.hole)}

    return showdown("headsup", settings, extra)


def ultimate(settings: dict[str, Any]) -> Game:
    """Trips goes with a fold where the table says so."""
    trips = by_group(f"ultimate.trips.{settings.get('trips', 1)}")
    taken = settings.get("trips_after_fold") == "lose"

    def extra(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        gone = taken and path[-1] == "fold"
        return {"trips": Fraction(-1) if gone else trips(deal.hole + deal.board)}

    return showdown("ultimate", settings, extra)


def three_card(settings: dict[str, Any]) -> Game:
    """With an ante, or on pair plus alone."""
    pair = by_hole(f"three_card.pair_plus.{settings.get('pair_plus', 1)}")
    best = three.default()  # ante and play know no option
    live = settings.get("pair_plus_after_fold") == "live"

    def told(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        plus = pair(deal.hole)
        if not path:
            return {"pair_plus": plus}
        mine, theirs = three.rank3(bytes(deal.hole)), three.rank3(bytes(deal.dealer))
        order = WON if mine > theirs else TIED if mine == theirs else LOST
        folded = path == ("fold",)
        nets = best.folded if folded else best.nets[mine, (order, theirs >= best.cut)]
        found = {w: Fraction(n, UNIT) for w, n in nets.items()}
        return {**found, "pair_plus": Fraction(-1) if folded and not live else plus}

    return Game("three_card", settings, [("play",), ("fold",), ()], told)


def winners_pot(settings: dict[str, Any]) -> Game:
    plus = by_group("winners_pot.jacks_plus")
    told: Told = lambda deal, path: {"jacks_plus": plus(deal.hole)}  # noqa: E731
    return Game("winners_pot", settings, [("bet", "double")], told, ("pot",))


def colorado(settings: dict[str, Any]) -> Game:
    """Hands kept or given up; an instant winner or a false one is as the machine has it alone."""
    seat = colorado_pays.seated(settings)
    ways = catalogue.actions(settings["version"])
    kept = {a: colorado_pays.by_group(seat, a) for a in ways if a not in colorado_pays.ALONE}

    def told(deal: Deal, path: tuple[str, ...]) -> dict[str, Fraction]:
        action, _, away = path[0].partition(":")
        if action in kept:
            five = [c for c in deal.hole if text([c]) != away] + list(deal.board)
            nets = kept[action][scores.group(scores.number(five))]
        else:
            nets = colorado_pays.alone(seat, deal.hole, action)
        return {w: Fraction(n, seat.wagers.get(w, UNIT)) for w, n in nets.items()}

    paths = [(a + (":CARD" if a in kept else ""),) for a in ways]
    fixed = {w: seat.wagers[w] for w in seat.fixed}
    return Game("colorado", settings, paths, told, (), fixed)


GAMES: dict[str, Callable[[dict[str, Any]], Game]] = {
    "premium": premium,
    "headsup": headsup,
    "colorado": colorado,
    "winners_pot": winners_pot,
    "ultimate": ultimate,
    "three_card": three_card,
}
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "colorado": [{"version": v} for v in catalogue.versions()],
    "ultimate": [{}, {"trips": 3, "trips_after_fold": "lose"}],
    "three_card": [{}, {"pair_plus": 2, "pair_plus_after_fold": "live"}],
}


def tables(name: str) -> list[Game]:
    """The tables of a game to deal at."""
    return [GAMES[name](settings) for settings in SETTINGS.get(name, [{}])]


def differences(game: Game, deals: int, seed: int = 0) -> list[str]:
    """Play at least so many hands; say where the machine and the tables differ."""
    rng = random.Random(f"{game.name} {seed}")
    found: list[str] = []
    played = 0
    while played < deals:
        seats, deal = _round(game, rng)
        got = table(game.name, game.settings, seats, deal)
        for seat in seats:
            played += 1
            found += _compare(game, seat, deal, got[str(seat["seat"])])
    return found


def _round(game: Game, rng: random.Random) -> tuple[list[dict[str, Any]], Deal]:
    """Random cards, wagers and decisions for a full table."""
    module = game_module(game.name)
    hole, dealer, board = catalogue.sizes(game.name)
    cards = rng.sample(range(52), module.SEATS * hole + dealer + board)
    seats = []
    for number in range(1, module.SEATS + 1):
        held = tuple(cards.pop() for _ in range(hole))
        path = rng.choice(game.paths)
        own = [a.replace("CARD", text([rng.choice(held)])) for a in path]
        seats.append(
            {
                "seat": number,
                "cards": text(held),
                "held": held,
                "path": path,
                "wagers": _wagers(game, module, rng, path),
                "actions": own,
            }
        )
    dealt = tuple(cards.pop() for _ in range(dealer))
    return seats, Deal((), dealt, tuple(cards))


def _wagers(game: Game, module: Any, rng: random.Random, path: tuple[str, ...]) -> Nets:
    """Random stakes on every wager; a seat that decides nothing has none of the first ones."""
    unit = UNIT * (rng.randrange(1, 6) if module.MIN_PLAYERS == 1 else 1)
    binding = module.WAGERS[: module.MANDATORY]
    wagers = dict.fromkeys(binding, unit)
    for w in module.WAGERS[module.MANDATORY :]:
        if w != module.LATCH:
            wagers[w] = game.fixed.get(w, UNIT * rng.randrange(1, 6))
    return wagers if path else {w: n for w, n in wagers.items() if w not in binding}


def _compare(game: Game, seat: dict[str, Any], deal: Deal, got: Nets) -> list[str]:
    told = game.told(deal._replace(hole=seat["held"]), tuple(seat["actions"]))
    unit = next(iter(seat["wagers"].values()))
    want = {w: n * seat["wagers"].get(w, unit) for w, n in told.items()}
    mine = {w: n for w, n in got.items() if w not in game.unasked}
    if mine == want:
        return []
    return [f"{game.name} {text(deal.used)} {seat['cards']} {seat['actions']}: {mine}, not {want}"]
