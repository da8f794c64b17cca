"""Statements of a script that stand for many entries: what a dealer does without thinking."""

from __future__ import annotations

from typing import Iterator

from felt.round.due import DEALS

from tools.bench import reading
from tools.bench.world import World
from tools.field import trouble

SETTLING = ("settle", "tap", "pot", "show", "reveal", "stub")


class Failed(Exception):
    """The table did not do what the script expects."""


class NoTable(Exception):
    """The line to the table is not there, or nobody answers on it; `code` is the exit code."""

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text)
        self.code = trouble.code(kind)


class Routines:
    """Runner gives them a table to look at and to act on."""

    @property
    def world(self) -> World:
        raise NotImplementedError

    def say(self, text: str) -> None:
        raise NotImplementedError

    def _look(self, what: str) -> str:
        raise NotImplementedError

    def _enter(self, line: str) -> Iterator[None]:
        raise NotImplementedError

    def _landed(self, place: str, count: int, asked: str) -> Iterator[None]:
        raise NotImplementedError

    def _deal_all(self, words: list[str]) -> Iterator[None]:
        """Pull one card after the other as long as the prompt asks for one."""
        self.say("> deal-all")
        began, lying = self.world.shoe.out, self._lying()
        lie: dict[str, int] = {}  # at each place, as the screen will tell
        while self.world.due["kind"] in DEALS and len(self.world.due["places"]) == 1:
            before, rows = self.world.shoe.out, self.world.terminal.rows
            place, asked = reading.next_place(rows), self._look("prompt")
            lie[place] = max(lie.get(place, 0), reading.cards_at(rows, place) or 0) + 1
            yield from self._enter("deal")
            if self.world.shoe.out == before:
                raise Failed("the shoe lets no card go")
            yield from self._landed(place, lie[place], asked)
        dealt, placed = self.world.shoe.out - began, self._lying() - lying
        if "cards" in (self.world.picture or {}) and dealt != placed:
            raise Failed(f"{dealt} cards left the shoe, {placed} lie at a place")
        self.say(f"  {dealt} cards")

    def _lying(self) -> int:
        """Cards that lie at a place, where the table tells."""
        return sum(len(place) for place in (self.world.picture or {}).get("cards", ()))

    def _checklist(self, words: list[str]) -> Iterator[None]:
        """Confirm step after step: cards are shuffled and back in the shoe, the key is turned."""
        self.say("> checklist")
        for done in range(20):
            if self.world.due["kind"] != "check":
                self.say(f"  {done} steps")
                return
            self.say("  " + self._look("prompt"))
            yield from self._step(self.world.due["choices"][0])
        raise Failed("the checklist does not end")

    def _step(self, name: str) -> Iterator[None]:
        if name == "shuffle" and (self.world.picture or {}).get("shuffler") == "counting":
            yield from self._enter("shuffle")  # the device tells its count itself
            return
        if name == "shuffle":
            yield from self._enter("shuffle-deck")
        elif name == "verify":
            yield from self._enter("key attendant on")
        yield from self._enter("say ok")
        if name == "verify":
            yield from self._enter("key attendant off")

    def _attend(self, kind: str, seat: int) -> None:
        if kind == "settle":
            self.world.attend(f"seat {seat}: pay and take as shown, take all chips off")
        elif kind == "pot":
            self.world.attend("award the pot as shown")

    def _settle(self, words: list[str]) -> Iterator[None]:
        """Confirm what the table asks for until the hands are settled."""
        self.say("> settle")
        for _ in range(40):
            kind, seat = self.world.due["kind"], self.world.due["seat"]
            if kind not in SETTLING:
                return
            for row in self.world.terminal.rows[1:15]:
                if row.strip() and row[:1] not in ("o", "|"):
                    self.say("  | " + row)
            if kind == "tap":
                yield from self._enter(f"tap {seat}")
            elif kind == "stub":
                yield from self._enter(f"say stub {self.world.shoe.inside}")
            else:
                self._attend(kind, seat)
                yield from self._enter("say ok")
        raise Failed("settlement does not end")
