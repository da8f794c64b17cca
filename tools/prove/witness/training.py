"""What a dealer learned in school: each game's spots, order of the cards and decisions.

Written from the rule texts and rulings alone, so that a controller that asks for another order
is noticed at the first card.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tools.prove.witness.furniture import BOARD, BURN, DEALER, seat_place

Delivery = tuple[tuple[str, bool], ...]  # places of the cards that come together; face up?


@dataclass(frozen=True)
class Lesson:
    """One game."""

    seats: int
    spots: tuple[str, ...]  # in the order of the sensors' bits
    raises: tuple[str, ...]
    fewest: int = 1
    descending: bool = False  # hands are exposed from the dealer's right
    button: bool = False
    folds: tuple[str, ...] = ()  # taken at once
    order: tuple[str, ...] = ()  # in which wagers are settled, where a text gives one


GAMES = {
    "premium": Lesson(
        6,
        ("ante", "xtra", "dealer_bonus", "player_bonus", "bonus_spin", "play"),
        ("play",),
        folds=("ante", "xtra"),
        order=("dealer_bonus", "player_bonus", "ante", "play", "xtra"),
    ),
    "headsup": Lesson(
        6,
        ("ante", "odds", "trips_plus", "pocket_bonus", "raise"),
        ("raise",),
        folds=("ante", "odds"),
    ),
    "colorado": Lesson(
        7, ("ante", "bonus", "bet"), ("bet",), descending=True, folds=("ante", "bonus")
    ),
    "winners_pot": Lesson(
        6,
        ("ante", "jacks_plus", "bet", "double"),
        ("bet", "double"),
        fewest=2,
        descending=True,
        button=True,
    ),
    "ultimate": Lesson(6, ("ante", "blind", "trips", "play"), ("play",), folds=("ante", "blind")),
    "three_card": Lesson(7, ("ante", "pair_plus", "play"), ("play",), folds=("ante",)),
}
BANK = ("premium", "headsup", "ultimate", "three_card")  # the dealer has a hand of his own
OPTIONS: dict[str, dict[str, tuple[Any, ...]]] = {  # what a house may choose; the oracle knows it
    "premium": {"ante_unqualified": ("lose", "push")},
    "headsup": {
        "ante_unqualified": ("push", "compare"),
        "trips_plus": (1, 2, 3, 4),
        "pocket_bonus": (1, 2, 3),
    },
    "colorado": {"tens": ("push", "pay"), "a23_instant": (True, False)},
    "winners_pot": {"bet_multiple": (1, 2), "double_multiple": (2, 3),
                    "commission_percent": (0, 5, 10)},
    "ultimate": {"trips": (1, 2, 3), "trips_after_fold": ("live", "lose")},
    "three_card": {"pair_plus": (1, 2), "pair_plus_after_fold": ("lose", "live")},
}  # fmt: skip


def taken(game: str, table: dict[str, Any]) -> tuple[str, ...]:
    """Spots whose chips a fold loses at once."""
    lost = GAMES[game].folds
    if game == "ultimate" and table.get("trips_after_fold") == "lose":
        return (*lost, "trips")
    if game == "three_card" and table.get("pair_plus_after_fold", "lose") == "lose":
        return (*lost, "pair_plus")
    return lost


def around(seats: list[int], button: int) -> list[str]:
    """Places clockwise from the button's left; the dealer (0) is one of them."""
    order = sorted([0, *seats], key=lambda n: (n - button - 1) % 7)
    return [seat_place(n) if n else DEALER for n in order]


def stages(game: str, method: str, seats: list[int], button: int) -> list[list[Delivery]]:
    """The deliveries of each dealing stage as if everybody stays in."""
    own = [seat_place(s) for s in seats]
    if game == "premium":
        if method == "auto":
            pair = ((BOARD, False), (BOARD, False), (BURN, False))
            return [[*_stacks([*own, DEALER], 3), pair, pair]]
        return [_laps([*own, DEALER], 3), [((BOARD, True),)] * 4]
    if game == "three_card":
        return [_stacks([*own, DEALER], 3) if method == "auto" else _laps([*own, DEALER], 3)]
    if game in ("headsup", "ultimate"):
        if method == "auto":
            return [[((BOARD, False),) * 5, *_stacks([*own, DEALER], 2)]]
        return [_laps([*own, DEALER], 2), [((BOARD, True),)] * 3, [((BOARD, True),)] * 2]
    if game == "colorado":
        return [_stacks([*own, BOARD], 3) if method == "auto" else _laps([*own, BOARD], 3)]
    order = around(seats, button)
    if method == "auto":
        first: list[Delivery] = [((p, False), (p, False), (p, True)) for p in order]
    else:
        first = _laps(order, 2) + [((p, True),) for p in order]
    more: list[Delivery] = [((BURN, False),)]
    more += [((p, True),) for p in order]
    return [first, more, more]


def _laps(places: list[str], times: int) -> list[Delivery]:
    return [((p, False),) for _ in range(times) for p in places]


def _stacks(places: list[str], size: int) -> list[Delivery]:
    return [((p, False),) * size for p in places]


def wagers(game: str, table: dict[str, Any], chance: Any, ante: int) -> dict[str, int]:
    """What a player lays down before the cards."""
    side = (0, 0, 100, 500)
    if game == "premium":
        found = {"ante": ante, "xtra": ante}
        found["dealer_bonus"], found["player_bonus"] = chance.choice(side), chance.choice(side)
        if table.get("bonus_spin"):
            stake = 500 if table["bonus_spin"].startswith("flush5") else 100
            found["bonus_spin"] = chance.choice((0, stake, stake))
    elif game == "headsup":
        found = {"ante": ante, "odds": ante}
        found["trips_plus"], found["pocket_bonus"] = chance.choice(side), chance.choice(side)
    elif game == "ultimate":
        found = {"ante": ante, "blind": ante, "trips": chance.choice(side)}
    elif game == "three_card":
        found = {"ante": chance.choice((0, ante, ante)), "pair_plus": chance.choice(side)}
        if not any(found.values()):
            found["ante"] = ante
    elif game == "colorado":
        found = {"ante": ante, "bonus": chance.choice((0, 100))}
    else:
        found = {"ante": ante, "jacks_plus": chance.choice(side)}
    return {name: cents for name, cents in found.items() if cents}


def choices(game: str, table: dict[str, Any], stage: int) -> tuple[str, ...]:
    """What a seat that has something to decide may do at a stage."""
    if game == "premium":
        return (("play3", "check"), ("play1", "play2", "fold"))[stage]
    if game == "headsup":
        return (
            ("raise1", "raise2", "raise3", "check"),
            ("raise1", "raise2", "check"),
            ("raise1", "fold"),
        )[stage]
    if game == "ultimate":
        return (("play4", "play3", "check"), ("play2", "check"), ("play1", "fold"))[stage]
    if game == "three_card":
        return ("play", "fold")
    if game == "colorado":
        return ("bet", "fold" if table["version"] == "required" else "stay", "instant")
    return (("bet", "fold"), ("double", "fold"))[stage]


def raised(game: str, table: dict[str, Any], action: str, ante: int) -> tuple[str, int] | None:
    """The spot and the chips of a decision."""
    if action[-1:].isdigit():
        return GAMES[game].raises[0], ante * int(action[-1])
    if action == "play":
        return "play", ante
    if action in ("bet", "double"):
        times = table.get(action + "_multiple", {"bet": 1, "double": 2}[action])
        return action, ante * (times if game == "winners_pot" else 1)
    return None
