"""A serial port with a virtual table behind it, its service key on, for tools that talk to one.

with VirtualPort(folder, start="open") as port:
    console.connect(port.path)
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import tty
from pathlib import Path
from typing import Any

from tools.bench.supervisor import until
from tools.bench.threaded import Threaded
from tools.games import FIRST


class VirtualPort(Threaded):
    """Runs the bench in a thread and joins the firmware's console to a pty named `path`.

    `act("key service off", "power off", "power on")` does things at the table, in turn.
    """

    def __init__(
        self, folder: Path, game: str = FIRST, start: str = "open", keys: str = "service"
    ) -> None:
        super().__init__(folder, game, start=start)
        self.keys = keys.split()
        self._input = b""

    def __enter__(self) -> VirtualPort:
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        return super().__enter__()

    def __exit__(self, *ignored: Any) -> None:
        super().__exit__(*ignored)
        os.close(self._master)
        os.close(self._slave)

    async def _start(self) -> None:
        await self.session.start()
        supervisor = self.session.supervisor
        supervisor.on_console.append(self._print)
        self._loop.add_reader(self._master, self._typed)
        await self._act(["power off", *(f"key {key} on" for key in self.keys), "power on"])
        await self._ready()

    async def _stop(self) -> None:
        self._loop.remove_reader(self._master)
        await self.session.stop()

    async def _ready(self) -> None:
        console = self.session.world.console
        if not await until(lambda: any("service console" in line for line in console)):
            raise RuntimeError(
                "the virtual table offers no service console: " + " / ".join(console[-5:])
            )

    async def _act(self, lines: list[str]) -> None:
        for line in lines:
            starts = self.session.supervisor.starts
            self.session.world.do(line)
            if line == "power on":
                await until(lambda: self.session.supervisor.starts > starts)
            await asyncio.sleep(0.05)

    def act(self, *lines: str) -> None:
        self._wait(self._act(list(lines)))

    def power_cycle(self) -> None:
        """Off and on, and the console again."""
        self.act("power off")
        self.session.world.console.clear()
        self.act("power on")
        self._wait(self._ready())

    def _print(self, line: str) -> None:
        with contextlib.suppress(BlockingIOError):  # what nobody reads is lost
            os.write(self._master, line.encode() + b"\r\n")

    def _typed(self) -> None:
        self._input += os.read(self._master, 4096).replace(b"\r", b"\n")
        *lines, self._input = self._input.split(b"\n")
        for line in lines:
            if line:
                self.session.supervisor.type(line.decode(errors="replace"))
