"""Statements of a script that stand for many entries: what a dealer does without thinking."""

from __future__ import annotations

from typing import Iterator

from bench.world import World

SETTLING = ("settle", "pot", "show", "reveal")


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
        while "Next card" in self._look("prompt"):
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
            if (self.world.picture or {}).get("phase") != "check":
                return
            prompt = self._look("prompt")
            self.say("  " + prompt)
            verify = "key on" in prompt.lower()
            if verify:
                yield from self._act("key attendant on")
            yield from self._act("say ok")
            if verify:
                yield from self._act("key attendant off")
        raise Failed("the checklist does not end")

    def _attend(self, phase: str, seat: int | None) -> None:
        if phase == "settle":
            self.world.attend(f"seat {seat}: pay and take as shown, take all chips off")
        elif phase == "pot":
            self.world.attend("award the pot as shown")

    def _settle(self, words: list[str]) -> Iterator[None]:
        """Confirm what the table asks for until the hands are settled."""
        self.say("> settle")
        for _ in range(40):
            picture = self.world.picture or {}
            phase, prompt = picture.get("phase", ""), self._look("prompt")
            if phase not in SETTLING and "stub" not in prompt:
                return
            for row in self.world.terminal.rows[1:15]:
                if row.strip() and row[:1] not in ("o", "|"):
                    self.say("  | " + row)
            if "tap it" in prompt:
                yield from self._act(f"tap {picture['turn']}")
            elif "stub" in prompt:
                yield from self._act(f"say stub {self.world.shoe.inside}")
            else:
                self._attend(phase, picture.get("turn"))
                yield from self._act("say ok")
        raise Failed("settlement does not end")
