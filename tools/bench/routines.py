"""Statements of a script that stand for many entries: what a dealer does without thinking."""

from __future__ import annotations

from typing import Iterator

from felt.round.due import DEALS

from tools.bench.world import World

SETTLING = ("settle", "tap", "pot", "show", "reveal", "stub")


class Failed(Exception):
    """The table did not do what the script expects."""


class Routines:
    """Runner gives them a table to look at and to act on."""

    @property
    def world(self) -> World:
        raise NotImplementedError

    def say(self, text: str) -> None:
        raise NotImplementedError

    def _look(self, what: str) -> str:
        raise NotImplementedError

    def _act(self, line: str) -> Iterator[None]:
        raise NotImplementedError

    def _pause(self, ms: int) -> Iterator[None]:
        raise NotImplementedError

    def _deal_all(self, words: list[str]) -> Iterator[None]:
        """Pull one card after the other as long as the prompt asks for one."""
        self.say("> deal-all")
        dealt = 0
        while self.world.due["kind"] in DEALS and len(self.world.due["places"]) == 1:
            before = self.world.shoe.out
            yield from self._act("deal")
            dealt += self.world.shoe.out - before
            if self.world.shoe.out == before:
                raise Failed("the shoe lets no card go")
        self.say(f"  {dealt} cards")

    def _checklist(self, words: list[str]) -> Iterator[None]:
        """Confirm step after step; the floorperson's key is turned where it is needed."""
        self.say("> checklist")
        for _ in range(20):
            if self.world.due["kind"] != "check":
                return
            self.say("  " + self._look("prompt"))
            verify = self.world.due["choices"] == ["verify"]
            if verify:
                yield from self._act("key attendant on")
            yield from self._act("say ok")
            if verify:
                yield from self._act("key attendant off")
        raise Failed("the checklist does not end")

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
                yield from self._act(f"tap {seat}")
            elif kind == "stub":
                yield from self._act(f"say stub {self.world.shoe.inside}")
            else:
                self._attend(kind, seat)
                yield from self._act("say ok")
        raise Failed("settlement does not end")
