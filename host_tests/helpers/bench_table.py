"""A virtual table for tests: real MicroPython, real firmware, real links, stepped time."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any, Awaitable, Callable

from tools.bench.runner import Runner
from tools.bench.script import parse
from tools.bench.session import Session
from tools.bench.supervisor import LIMIT_S, Supervisor, until

SPIN = """
stack Ah 9c 2c Ks  Qh 9d 7d 4s  5h Jc 8s 2d  9h 3c Td 6s
bet 1 ante 5 xtra 5 bonus_spin 5
bet 3 ante 10 xtra 10
bet 5 ante 5 xtra 5
say nmb
deal-all
decide 1 check
decide 3 play3
decide 5 check
deal-all
decide 1 play1
decide 5 fold
settle
expect prompt Seat 1 spins
say spin
wait-for wheel turning
"""


def at_table(
    folder: Path, play: Callable[[Session], Awaitable[Any]], game: str = "premium", **options: Any
) -> Any:
    """Run `play` with a powered table in stepped time; nothing is left running afterwards."""

    async def run() -> Any:
        session = Session(folder, game, live=False, **options)
        await session.start()
        try:
            assert await until(lambda: session.world.picture is not None), session.world.console
            return await play(session)
        finally:
            await session.stop()

    return asyncio.run(run())


async def another_end(
    supervisor: Supervisor, word: bytes
) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A program that comes to the port of the firmware's wire and says that."""
    assert supervisor._server is not None
    where = supervisor._server.sockets[0].getsockname()[:2]
    heard, line = await asyncio.open_connection(*where)
    line.write(word)
    return heard, line


async def script(session: Session, text: str) -> Runner:
    """Play a script to its end; its error is the test's."""
    runner = Runner(parse(text), session.supervisor, session.folder)
    session.supervisor.on_tick.append(runner.step)
    assert await until(lambda: runner.done, 5 * LIMIT_S), runner.current
    session.supervisor.on_tick.remove(runner.step)
    assert not runner.error, "\n".join(runner.transcript[-12:])
    return runner


def told(session: Session) -> str:
    """What the table and the bench say of a round that does not go on: for a failure's text."""
    world, supervisor = session.world, session.supervisor
    linked = f"terminal {'up' if world.terminal.connected else 'down'}"
    notices = [str(each["text"]) for each in world.notices[-6:]]
    state = f"{linked}, {supervisor.starts} starts, {supervisor.bites} bites, later {world.later}"
    return "\n".join([state, *world.terminal.rows, *notices, *world.console[-6:]])
