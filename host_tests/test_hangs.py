"""A frozen firmware is restarted by the watchdog with its round intact (`make hangs`: 100)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from host_tests.helpers.bench_table import another_end
from tools.bench import wire
from tools.bench.supervisor import Supervisor, until
from tools.bench.world import World
from tools.prove import hangs


def test_hangs_in_the_middle_of_rounds(tmp_path: Path) -> None:
    done = asyncio.run(hangs.run(tmp_path, 4, seed=3))
    assert done.done == 4 and done.phases


class Dying:
    """A board that still talks while its power goes."""

    _child = None
    word = b"the board"
    line: asyncio.StreamWriter

    async def kill(self) -> None:
        self.line.write(wire.pack("n", 0, b"{}"))
        await self.line.drain()
        await asyncio.sleep(0.1)  # it is read now, if ever


def test_what_a_board_says_while_its_power_goes_counts_for_nothing(tmp_path: Path) -> None:
    """Taken for the next start's it made a table alive that had not started."""

    async def run() -> bool:
        world = World("headsup", tmp_path, 1)
        supervisor = Supervisor(world, live=False)
        await supervisor.start(power=False)
        dying = Dying()
        supervisor._process = dying  # type: ignore[assignment]
        _, dying.line = await another_end(supervisor, dying.word)
        await until(lambda: world.powered)
        await supervisor.power_off()
        alive = world.alive
        dying.line.close()
        await supervisor.stop()
        return alive

    assert asyncio.run(run()) is False
