"""Compares what the screen says with what lies on the felt and what the rules pay for it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from tools.prove import oracle
from tools.prove.oracles import premium
from tools.prove.witness.furniture import BOARD, DEALER, Felt, seat_place
from tools.prove.witness.reading import COLUMNS, Screen
from tools.prove.witness.training import GAMES, taken


class Differs(Exception):
    """The controller and the felt disagree; the text says how."""


@dataclass
class Player:
    """One seat in one round."""

    seat: int
    wagers: dict[str, int]
    actions: list[str] = field(default_factory=list)
    discard: str = ""
    void: bool = False  # its stakes were returned
    raised: int = 0
    judged: bool = False

    @property
    def last(self) -> str:
        return self.actions[-1] if self.actions else ""

    @property
    def folded(self) -> bool:
        return self.last == "fold"

    @property
    def out(self) -> bool:
        return self.void or self.last in ("fold", "instant")


class Judge:
    """One round's truth: players, cards and the table's settings."""

    def __init__(self, game: str, table: dict[str, Any], felt: Felt) -> None:
        self.game, self.table, self.felt = game, table, felt
        self.lesson = GAMES[game]
        self.players: dict[int, Player] = {}
        self.button = 0
        self.prizes: dict[int, int] = {}

    def expected(self, seat: int) -> dict[str, int]:
        """What each wager of a seat must come to."""
        return self._all(None if self.lesson.button else seat)[str(seat)]

    def _all(self, only: int | None = None) -> dict[str, Any]:
        live = [p for p in self.players.values() if not p.void and only in (None, p.seat)]
        table = dict(self.table, button=self.button)
        table.pop("bonus_spin", None)  # spins are judged one by one
        return oracle.settle({
            "game": self.game,
            "table": table,
            "seats": [self._seat(p) for p in live],
            "community": "".join(self.felt.names(BOARD)),
            "dealer": "".join(self.felt.names(DEALER)),
        })  # fmt: skip

    def _seat(self, p: Player) -> dict[str, Any]:
        actions = list(p.actions)
        if p.discard:
            actions[-1] += ":" + p.discard
        wagers = {w: cents for w, cents in p.wagers.items() if w != "bonus_spin"}
        return {
            "seat": p.seat,
            "wagers": wagers,
            "actions": actions,
            "cards": "".join(self.felt.names(seat_place(p.seat))),
        }

    def lines(self, seat: int) -> dict[str, int]:
        """The lines the screen must show for a seat."""
        p = self.players[seat]
        found = self.expected(seat)
        found.pop("pot", None)
        if p.folded:
            gone = taken(self.game, self.table)
            found = {w: net for w, net in found.items() if w not in gone}
        return found

    def seat(self, screen: Screen, seat: int) -> None:
        """A seat is about to be booked."""
        p = self.players[seat]
        if "ante" in p.wagers and not p.actions:
            raise Differs(f"seat {seat} is settled and was never asked")
        want = self.lines(seat)
        told = {wager: net for wager, net, _ in screen.lines()}
        order = [wager for wager in self.lesson.order if wager in told]
        if self.lesson.order and order != list(told):
            raise Differs(f"seat {seat}: {list(told)} are settled, the text says {order}")
        if "ante_bonus" in told:  # paid with the ante, on a line of its own
            told["ante"] += told.pop("ante_bonus")
        if told != want:
            raise Differs(f"seat {seat}: the screen says {told}, the rules {want}; {self.lie()}")
        shown = screen.seat(seat)
        cut = [row for row in screen.rows if row.startswith(f"{seat} ") and len(row) >= COLUMNS]
        if shown and not p.folded and not cut:
            self._same(shown, [c for c in self.felt.names(seat_place(seat)) if c != p.discard],
                       f"seat {seat}", hidden=bool(p.discard))  # fmt: skip
        board = screen.place("board")
        if board and "##" not in board:
            self._same(board, self.felt.names(BOARD), "board")
        dealer = screen.place("dealer")
        if dealer and "##" not in dealer:
            self._same(dealer, self.felt.names(DEALER), "dealer")
        p.judged = True

    def _same(self, shown: list[str], lie: list[str], where: str, hidden: bool = False) -> None:
        seen = [c for c in shown if not (hidden and c == "##")]
        if sorted(seen) != sorted(lie):
            raise Differs(f"{where}: the screen shows {seen}, there lie {lie}")

    def pot(self, screen: Screen) -> None:
        """The pot is about to be awarded: chips to each winner, as the rules share them."""
        told = screen.awards()
        want = {}
        for seat, nets in self._all().items():
            p = self.players[int(seat)]
            award = nets["pot"] + p.wagers["ante"] + p.raised
            if award:
                want[p.seat] = award
        if told != want:
            raise Differs(f"pot: the screen awards {told}, the rules {want}; {self.lie()}")

    def spin(self, screen: Screen, seat: int) -> None:
        """What a spin pays, to its player and to the others, is what some segment pays."""
        told = screen.spins()
        others = {p.seat for p in self.players.values() if p.wagers.get("bonus_spin")
                  and not p.void and p.seat != seat}  # fmt: skip
        for own, share in premium.WHEELS[self.table["bonus_spin"]].values():
            want = {seat: 100 * own} | {s: 100 * share for s in others if share}
            if told == want:
                return
        raise Differs(f"seat {seat} spun: the screen pays {told}, no segment does")

    def top(self, seat: int, won: int, meter: int) -> None:
        """The top prize is the meter as it stands, or the one the house has fixed."""
        want = self.table.get("fixed_prize") or meter
        if won != want:
            raise Differs(f"seat {seat} is to be paid {won} by hand, the prize is {want}")

    def returned(self, screen: Screen, booked: list[int]) -> None:
        """The round is void: every stake not settled yet goes back, to the cent."""
        told = screen.returns()
        want = {p.seat: sum(p.wagers.values()) + p.raised for p in self.players.values()
                if not p.void}  # fmt: skip
        for seat in set(booked) & set(want):
            p = self.players[seat]
            want[seat] = p.wagers["ante"] + p.raised if self.lesson.button else 0
        want = {seat: cents for seat, cents in want.items() if cents}
        if told != want:
            raise Differs(f"void: the screen returns {told}, there lie {want}; {self.lie()}")

    def complete(self) -> None:
        """The round is over: nobody was forgotten."""
        for p in self.players.values():
            if not p.void and not p.judged and self.lines(p.seat):
                raise Differs(f"seat {p.seat} was never settled: {self.lines(p.seat)}")

    def lie(self) -> str:
        places = [f"{place} {' '.join(c.name for c in cards)}"
                  for place, cards in self.felt.places.items()]  # fmt: skip
        acts = [f"{p.seat}:{','.join(p.actions)}{' void' * p.void}" for p in self.players.values()]
        return "; ".join(places) + " | " + " ".join(acts)
