"""Rounds of six seats on the touch terminal in a browser, with the touches `make effort` allows.

Each game is one firmware and one page: a round on a tablet of 1024x600, then one at 1366x768 with
the bets of two seats changed; without their touches it is one with the bets of the round before.
FELT_SHOTS=folder keeps the docs' pictures and plays that one, too.
"""

from __future__ import annotations

import asyncio
import os
import re
from collections import deque
from pathlib import Path
from typing import Any, Iterator

import pytest
from aiohttp.test_utils import TestServer
from felt.link import terminal as t
from PIL import Image

from host_tests.helpers.bench_table import told
from host_tests.helpers.browser import NEEDED, SIZES, opened, problems
from tools.bench.session import Session
from tools.bench.supervisor import until
from tools.games import GAMES
from tools.measure import effort
from tools.terminal.server import Glass, make_app

SHOTS = os.environ.get("FELT_SHOTS")
PICTURES = {"same": ("bet", "decide", "settle", "spun", "pot"), "changed": ("bet",)}
SPEED = 200  # per cent of real time: a browser is slower than a finger
LOOK_S = 0.01
CARD = re.compile("[2-9TJQKA][cdhs]|##")

pytestmark = [pytest.mark.browser, NEEDED]


class TableGlass(Glass):
    """The page's end of a virtual table's terminal line; the table polls it."""

    def __init__(self, world: Any) -> None:
        self.peer = world.terminal
        self.told, self.count = deque(), 0

    def poll(self) -> None:
        """Nothing: the bench does."""


class Touching(effort.Dealer):
    """Touches the glass with a finger; what it sees must be whole."""

    def __init__(self, session: Session, page: Any, name: str) -> None:
        super().__init__(session)
        self.page = page
        self.name = name
        self.wanted: tuple[str, int] | None = None
        self.wrong: list[str] = []
        self.spins = self.width = 0
        self.pictures: tuple[str, ...] = ()  # still to be taken in this round

    def touch(self, key: str, value: int = 0) -> Iterator[None]:
        self.touches += 1
        peer = self.world.terminal
        sent, glass, start = peer.sent, list(peer.parts), 0
        self.wanted = key, value
        while self.wanted or peer.sent == sent or peer.taken < peer.sent:
            yield
            start = self.now
        while peer.parts == glass and (self.now - start) % (1 << 30) < effort.GLASS_MS:
            yield  # what was touched is seen on the glass
        yield from self.wait(effort.NOD_MS)

    def told(self, seats: range) -> Iterator[None]:
        """Their bets in typed words; how a finger enters them is seen at other seats."""
        for seat in seats:
            lies = sorted(self.world.chips.cents.items())
            words = [f"{spot} {cents // 100}" for (at, spot), cents in lies if at == seat]
            self.world.do(f"say bet {seat} {' '.join(words)}")
            yield from self.wait(effort.NOD_MS)

    async def fingers(self) -> None:
        """Touch what is wanted, as long as the round lasts; what stops a finger ends the play."""
        try:
            while True:
                if self.wanted:
                    key, value = self.wanted
                    await self.look()
                    await self.page.click(f'.touch [data-key="{key}"][data-value="{value}"]')
                    self.wanted = None
                await asyncio.sleep(LOOK_S)
        except Exception as error:
            self.done, self.error = True, f"no touch of {self.wanted}: {error}"

    async def look(self) -> None:
        """The page shows what the controller sent last, and nothing is cut or covered."""
        while not CARD.search(self.part(t.PROMPT)):  # a card is drawn, not written
            if await self.page.text_content(".touch .prompt") == self.part(t.PROMPT):
                break
            await asyncio.sleep(LOOK_S)
        kind = self.world.due["kind"]
        self.spins += kind == "spin"
        self.wrong += [f"{kind}: {each}" for each in await problems(self.page)]
        chosen = any(self.part(t.SEAT + seat).startswith("*") for seat in range(1, 8))
        if SHOTS and kind in self.pictures and (self.width == SIZES[0][0] or chosen):
            self.pictures = tuple(each for each in self.pictures if each != kind)
            await keep(self.page, f"touch_{self.session.game}_{kind}_{self.width}.png")


async def keep(page: Any, name: str) -> None:
    """A picture for the docs, in as few colours as it has."""
    path = Path(str(SHOTS)) / name
    path.parent.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(64).save(path, optimize=True)


async def play(game: str, folder: Path) -> dict[str, int]:
    session = Session(folder, game, changes={"shuffler": "counting"})
    session.speed = SPEED
    await session.start()
    try:
        assert await until(lambda: session.world.picture is not None), told(session)
        async with TestServer(make_app(TableGlass(session.world))) as server:
            async with opened(str(server.make_url("/"))) as page:
                return await rounds(session, page, game)
    finally:
        await session.stop()


async def rounds(session: Session, page: Any, game: str) -> dict[str, int]:
    dealer = Touching(session, page, game)
    session.supervisor.on_tick.append(dealer.step)
    fingers = asyncio.create_task(dealer.fingers())
    found = {}
    try:
        await dealer.play(dealer.bets())
        await dealer.play(dealer.enter((1, 2)))
        await dealer.play(dealer.told(range(3, effort.SEATS + 1)))
        await dealer.play(dealer.touch(t.NEXT))
        await dealer.play(dealer.round())
        for (width, height), name, changed in zip(SIZES, ("same", "changed"), ((), (2, 5))):
            if not changed and not SHOTS:
                continue
            await page.set_viewport_size({"width": width, "height": height})
            dealer.touches = dealer.spins = 0
            dealer.width, dealer.pictures = width, PICTURES[name]
            await dealer.play(dealer.bets(changed))
            await dealer.play(dealer.enter(changed))
            entered = dealer.touches
            await dealer.play(dealer.touch(t.NEXT))
            await dealer.play(dealer.round())
            found[name] = dealer.touches - effort.SPIN * dealer.spins
            found.setdefault("same", found[name] - entered)
    finally:
        fingers.cancel()
    assert not dealer.wrong, dealer.wrong[:5]
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_round_of_six_seats_takes_few_touches(game: str, tmp_path: Path) -> None:
    for name, touches in asyncio.run(play(game, tmp_path)).items():
        assert touches <= effort.bar(game, name), (name, touches)
