"""Counts a dealer's touches: a six-seat round of every game, through the real terminal.

The firmware runs on MicroPython behind the virtual table; a model of a dealer looks at the touch
terminal's parts only and touches what is golden, or the discard that is asked for. Players put
chips on the felt, cards come out of the shoe, the shuffler reports: none of that is a touch.

same     the bets of the round before
changed  two seats bet another amount
reader   a chip reader tells the amounts
discards where hands lay a card down: nobody folds, so every seat's discard is touched
A spin adds at most three. It prints the table and writes build/effort.json.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any, Iterator

from felt.games.base import Game
from felt.games.settings import game_module, resolve
from felt.link import terminal as t
from felt.round.due import DEALS

from tools import games, stopped
from tools.bench.session import Session
from tools.bench.supervisor import until
from tools.games import GAMES
from tools.paths import ROOT

OUT = ROOT / "build" / "effort.json"
SEATS = 6
BARS = {"same": 8, "changed": 16, "reader": 8}
CHOICES = {"colorado": {**BARS, "same": 12}}  # a discard is a choice
SPIN = 3
NOD_MS = 450  # from one touch to the next: a person is not faster
GLASS_MS = 3000  # the glass shows by then what the table waits for
DOLLARS = {True: "10", False: "25"}  # what the odd and the even seats bet
TURNING = games.texts("notice")["turning"]
SPIN_CARDS = "Ah9c2c3d4s5dKs Qh9d7d8c2sTd3c 6hJc8s6c7hJh9s 2d9hKcTs"  # three hearts at seat 1


class Stuck(Exception):
    """The dealer does not know what to touch."""


class Dealer:
    """Looks at the glass, touches it, and moves cards and chips as a dealer's hands do."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.touches = 0
        self.trace: list[str] = []
        self.now = 0
        self.error = ""
        self.done = False
        self.nobody_folds = False
        self._play: Iterator[None] | None = None

    @property
    def world(self) -> Any:
        return self.session.world

    def part(self, index: int) -> str:
        return self.world.terminal.parts[index]

    def step(self, now: int) -> None:
        """Called with the time of the bench."""
        self.now = now
        if self._play is None or self.done:
            return
        try:
            next(self._play)
        except StopIteration:
            self.done = True
        except Stuck as stuck:
            self.done, self.error = True, str(stuck)

    async def play(self, routine: Iterator[None]) -> None:
        self._play, self.done = routine, False
        seen: list[Any] = []
        while not await until(lambda: self.done):  # a busy PC is slow, and no reason to give up
            before = seen
            seen = [self.touches, dict(self.world.chips.cents), *self.world.terminal.parts]
            if seen == before:
                raise Stuck(f"no end: {self.part(t.PROMPT)} / {self.part(t.BOOKS)}")
        if self.error:
            raise Stuck(self.error)

    def wait(self, ms: int) -> Iterator[None]:
        start = self.now
        while (self.now - start) % (1 << 30) < ms:
            yield

    def touch(self, key: str, value: int = 0) -> Iterator[None]:
        """One touch, and a look at what came of it."""
        self.touches += 1
        self.trace.append(f"{key}{value}")
        self.world.do(f"touch {key} {value}")
        yield from self.wait(NOD_MS)

    def bets(self, changed: tuple[int, ...] = ()) -> Iterator[None]:
        """Players put their wagers down; those of the changed seats are others than before."""
        game = game_module(self.session.game)
        for seat in range(1, SEATS + 1):
            ante = DOLLARS[bool(seat % 2) != (seat in changed)]
            if game.check_table([None, *([c] + [0] * (len(game.WAGERS) - 1) for c in (1, 2))]):
                ante = DOLLARS[bool(changed)]  # all antes are equal
            for wager in game.WAGERS:
                self.world.do(f"place {seat} {wager} {self._stake(game, wager, ante)}")
        yield from self.wait(300)

    def _stake(self, game: Any, wager: str, ante: str) -> str:
        exact = game.exact(resolve(self.session.settings)[1], wager)
        return ante if exact is None else str(exact // 100)

    def enter(self, seats: tuple[int, ...]) -> Iterator[None]:
        """Say what changed: the seat, then the ante's chips; what is bound follows."""
        for seat in seats:
            yield from self.touch(t.SEAT_KEY, seat)
            for line in self.part(t.SEAT + seat).lstrip("*>").split("\n"):
                yield from self._amount(seat, line)

    def _amount(self, seat: int, line: str) -> Iterator[None]:
        game = game_module(self.session.game)
        names = {games.texts("tile")[w]: i for i, w in enumerate(game.WAGERS)}
        words = line[1:].rsplit(" ", 1)
        spot = names.get(words[0])
        lies = self.world.chips.cents.get((seat, game.WAGERS[spot]), 0) if spot is not None else 0
        if spot is None or words[1] == f"${lies // 100}" or (spot and line[0] == "d"):
            return
        if spot:
            yield from self.touch(t.SPOT, spot)
        for chip, dollars in ((2, 25), (1, 5), (0, 1)):
            while lies >= dollars * 100:
                lies -= dollars * 100
                yield from self.touch(t.CHIP, chip)

    def round(self, spin: bool = False) -> Iterator[None]:
        """Go on until betting is open again."""
        for _ in range(400):
            kind = self.world.due["kind"]
            if kind in DEALS:
                self.world.do("deal due")
                yield from self.wait(300)
            elif kind == "decide":
                yield from self._decide()
            elif kind == "collect" or (
                kind == "check" and self.world.due["choices"] == ["shuffle"]
            ):
                self.world.do("shuffle")  # the cards go into the shuffler, which reports
                yield from self.wait(400)
            elif kind == "discard" or (kind == "settle" and self._discards()):
                yield from self.touch(t.CARD, 0)
            elif self.world.turning or self.part(t.PROMPT) == TURNING:
                yield from self.wait(200)
            elif self.part(t.BUTTON).startswith("g"):
                yield from self.touch(t.NEXT)
            else:
                yield from self._look_again(kind)
            if self.world.due["kind"] == "bet":
                return
        raise Stuck("the round does not end")

    def _look_again(self, kind: str) -> Iterator[None]:
        """The glass may be behind the table; when it stays there nobody knows what to touch."""
        while self.world.due["kind"] == kind and not self.part(t.BUTTON).startswith("g"):
            yield

    def _discards(self) -> bool:
        return any(self.part(i)[1:2] == t.CARD for i in range(t.BUTTON, t.PARTS))

    def _decide(self) -> Iterator[None]:
        """Odd seats raise with the least their stage allows; then the stage is booked."""
        game = game_module(self.session.game)
        choices = self.world.due["choices"]
        raises = [word for word in choices if game.decision(word).spot]
        word = min(raises, key=lambda each: str(game.decision(each).times))
        for seat in range(1, SEATS + 1):
            raised = (self.world.picture or {})["raised"][seat]
            if (seat % 2 or self.nobody_folds) and not raised or game.BUTTON:
                spot, times = game.decision(word).spot, game.decision(word).times
                ante = self.world.chips.cents.get((seat, "ante"), 0)
                if ante and (seat, spot) not in self.world.chips.cents:
                    many = times if isinstance(times, int) else game.OPTIONS[times][1]
                    self.world.do(f"place {seat} {spot} {ante * many // 100}")
        yield from self.wait(300)
        yield from self.touch(t.NEXT)


async def play_game(game: str, folder: Path) -> dict[str, int]:
    """Play the rounds of one game; return the touches of each."""
    found: dict[str, int] = {}
    rules = game_module(game)
    names = ["same", "changed", "reader"] + ["spin"] * bool(rules.LATCH)
    names += ["discards"] * (type(rules).discard_due is not Game.discard_due)
    for name in names:
        found[name] = await _measure(game, name, folder / f"{game}-{name}")
    if "spin" in found:
        found["spin"] -= found["same"]
    return found


async def _measure(game: str, name: str, folder: Path) -> int:
    session = Session(folder, game, live=False, changes={"shuffler": "counting"})
    await session.start()
    try:
        if not await until(lambda: session.world.picture is not None):
            raise Stuck("the firmware did not start")
        dealer = Dealer(session)
        dealer.nobody_folds = name == "discards"
        session.supervisor.on_tick.append(dealer.step)
        if name == "reader":
            session.world.do("sensors amounts")
        else:
            await dealer.play(dealer.bets())
            await dealer.play(dealer.enter(tuple(range(1, SEATS + 1))))
            await dealer.play(dealer.touch(t.NEXT))
            await dealer.play(dealer.round())
        dealer.touches, dealer.trace = 0, []
        if name == "spin":
            session.world.do(f"stack {SPIN_CARDS}")
        changed = (2, 5) if name == "changed" else ()
        await dealer.play(dealer.bets(changed))
        if changed:
            await dealer.play(dealer.enter(changed))
        await dealer.play(dealer.touch(t.NEXT))
        await dealer.play(dealer.round())
        return dealer.touches
    finally:
        await session.stop()


def bar(game: str, name: str) -> int:
    """Most touches a round may take; of a spin, how many more."""
    if name == "spin":
        return SPIN
    return CHOICES.get(game, BARS)["same" if name == "discards" else name]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("games", nargs="*", choices=[*GAMES, []], help="default: all")
    chosen = parser.parse_args().games or GAMES
    folder = Path(tempfile.mkdtemp(prefix="felt-effort-"))
    table: dict[str, dict[str, int]] = {}
    over = 0
    print(f"touches in a round of {SEATS} seats (most allowed)")
    try:
        for game in chosen:
            table[game] = asyncio.run(play_game(game, folder))
            cells = []
            for name, count in table[game].items():
                over += count > bar(game, name)
                plus = "+" if name == "spin" else ""
                cells.append(f"{name} {plus}{count} ({plus}{bar(game, name)})")
            print(f"  {game:12} " + "   ".join(cells), flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(table, indent=2) + "\n")
    print("every bar holds" if not over else f"{over} over the bar")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
