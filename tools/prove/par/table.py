"""What the firmware pays: deals are played through the round machine, event by event.

Nothing here knows a pay table. A wager's pay for a class of deals is what the machine paid for one
of them, and must double when the stakes do: a rounded or capped payment is no price.
"""

from __future__ import annotations

import random
from functools import lru_cache
from typing import Any, Iterable, NamedTuple, Sequence

from felt import cards as names

from tools.prove import vector_player
from tools.prove.par import scores

UNIT = 600  # cents: odds of halves and thirds come out whole, the highest pay stays below any cap
LOST, TIED, WON = range(3)
FIVE = 5
TRIES = 40000  # warm deals: enough to meet every cell
Nets = dict[str, int]


class Inexact(Exception):
    """A payment that is rounded or capped at the stakes used here."""


class Deal(NamedTuple):
    """The cards of one player, the dealer and the board."""

    hole: tuple[int, ...]
    dealer: tuple[int, ...] = ()
    board: tuple[int, ...] = ()

    @property
    def used(self) -> tuple[int, ...]:
        return self.hole + self.dealer + self.board


class Seat(NamedTuple):
    """Who is asked: a game, its settings, and what a seat stakes in cents."""

    game: str
    settings: dict[str, Any]
    wagers: Nets
    fixed: tuple[str, ...] = ()  # wagers the rules know at one stake only
    company: int = 0  # other players the rules need, who stake the same

    def doubled(self) -> Seat:
        twice = {w: n if w in self.fixed else 2 * n for w, n in self.wagers.items()}
        return self._replace(wagers=twice)


def text(cards: Iterable[int]) -> str:
    return "".join(names.name(c) for c in cards)


def play(seat: Seat, deal: Deal, actions: Sequence[str]) -> Nets:
    """What each wager of one seat wins or loses, settled by the round machine."""
    wagers = {w: n for w, n in seat.wagers.items() if w not in seat.fixed}
    seats = [_seat(1, deal.hole, seat.wagers, actions)]
    spare = [c for c in range(52) if c not in deal.used]
    size = len(deal.hole)
    for i in range(seat.company):
        seats.append(_seat(i + 2, spare[i * size : (i + 1) * size], wagers, actions))
    return table(seat.game, seat.settings, seats, deal)["1"]


def _seat(number: int, hole: Iterable[int], wagers: Nets, actions: Sequence[str]) -> dict:
    return {"seat": number, "cards": text(hole), "wagers": wagers, "actions": list(actions)}


def table(
    game: str, settings: dict[str, Any], seats: list[dict[str, Any]], deal: Deal
) -> dict[str, Nets]:
    """One round of several seats through the machine: nets by seat number."""
    v: dict[str, Any] = {
        "game": game,
        "seats": seats,
        "dealer": text(deal.dealer),
        "community": text(deal.board),
    }
    used = bytearray(52)
    for card in names.parse_all("".join(s["cards"] for s in seats) + v["dealer"] + v["community"]):
        used[card] = 1
    machine = vector_player.open_table(game, settings)
    return vector_player.Player(v, machine, used, None).run()


def exact(seat: Seat, deal: Deal, actions: Sequence[str], wager: str = "") -> Nets:
    """As `play`, and proven to be in proportion to the stakes: all wagers, or the one named."""
    once = play(seat, deal, actions)
    twice = play(seat.doubled(), deal, actions)
    asked = [wager] if wager else list(once)
    if any(twice[w] != once[w] * (1 if w in seat.fixed else 2) for w in asked):
        raise Inexact(f"{seat} {deal}: {once} and {twice} at twice the stakes")
    return once


def warm_cards(rng: random.Random) -> list[int]:
    """Cards that make rare hands common: few ranks, a run of one suit, often the royal's,

    or five ranks in two suits, with which player and dealer may tie a flush.
    """
    low, suit = min(rng.randrange(-1, 14), 8), rng.randrange(4)
    where = rng.random()
    if where < 0.4:
        return [r % 13 * 4 + suit for r in range(low, low + rng.randrange(5, 9)) if r < 13]
    if where < 0.8:
        ranks = rng.sample(range(13), rng.randrange(1, 6))
        return [r * 4 + s for r in ranks for s in range(4)]
    run = [r % 13 for r in range(low, low + 5)]
    ranks = run if where < 0.9 else rng.sample(range(13), 5)
    return [r * 4 + s for r in ranks for s in (suit, suit ^ 1)]


def warm_deal(rng: random.Random, sizes: tuple[int, int, int]) -> Deal | None:
    """A deal from warm cards and some others, part of it perhaps from the whole deck."""
    hole, dealer, board = sizes
    warm = warm_cards(rng)
    deck = list(set(warm + rng.choices(range(52), k=rng.randrange(10))))
    where = rng.random()
    if where < 0.1 and len(warm) >= board:
        cards = (
            rng.sample(range(52), hole) + rng.sample(warm, board) + rng.sample(range(52), dealer)
        )
    elif len(deck) >= hole + board + dealer:
        cards = rng.sample(deck, hole + board + dealer)
        if where < 0.5:
            cards[hole + board :] = rng.sample(range(52), dealer)
    else:
        return None
    if len(set(cards)) < len(cards):
        return None
    at = hole + board
    return Deal(tuple(cards[:hole]), tuple(cards[at:]), tuple(cards[hole:at]))


@lru_cache(maxsize=None)
def numbered(sizes: tuple[int, int, int]) -> list[tuple[Deal, int, int]]:
    """Deals of these sizes with the numbers of the player's and the dealer's hands.

    Of five cards there is one deal of every number, of seven there are many warm ones.
    """
    hole, dealer, board = sizes
    if hole + board == FIVE:
        return [(_five(sizes, cards), n, 0) for n, cards in sorted(scores.samples().items())]
    rng = random.Random(1)
    deals = [warm_deal(rng, sizes) for _ in range(TRIES)]
    return [
        (d, scores.number(d.hole + d.board), scores.number(d.dealer + d.board)) for d in deals if d
    ]


def _five(sizes: tuple[int, int, int], cards: tuple[int, ...]) -> Deal:
    others = [c for c in range(52) if c not in cards]
    return Deal(cards[: sizes[0]], tuple(others[: sizes[1]]), cards[sizes[0] :])


def cell(mine: int, theirs: int, cut: int) -> int:
    """The cell of a showdown: the player's category, the order, whether the dealer qualifies."""
    order = WON if mine > theirs else TIED if mine == theirs else LOST
    return scores.kind(mine) * 6 + order * 2 + (theirs >= cut)
