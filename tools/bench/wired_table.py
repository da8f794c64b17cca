"""A table at the other end of two serial ports: the virtual board's UARTs, each on a pty.

with WiredTable(folder, "colorado") as table:
    subprocess.run([..., "--terminal", table.terminal, "--shoe", table.shoe])

The PC that plays it sees what it would see of a real board through two adapters, and no more.
`hand` moves chips, keys and the power switch, as the person at that board does.
"""

from __future__ import annotations

import asyncio
import os
import pty
import re
import tty
from pathlib import Path
from typing import Any

from tools.bench import wire
from tools.bench.hands import SHOE, TERM
from tools.bench.session import Session
from tools.bench.supervisor import until
from tools.bench.threaded import Threaded
from tools.games import FIRST, LABELS

SPOTS = {label: name for name, label in LABELS.items()}


def movements(request: str) -> list[str]:
    """What hands do for a request of bench.person; one that is not understood is an error."""
    seat = request.split()[1].rstrip(":") if request.startswith("seat") else ""
    if found := re.match(r"seat \d: put (.*)", request):
        chips = re.findall(r"\$(\S+) on ([^,]+)", found[1])
        start = [f"sweep {seat}"] if request.endswith("nothing else") else []
        return start + [f"place {seat} {SPOTS[spot]} {amount}" for amount, spot in chips]
    if found := re.match(r"seat \d: take all chips off (.+)", request):
        return [f"remove {seat} {SPOTS[found[1]]}"]
    if request.endswith("take all chips off"):
        return [f"sweep {seat}"]
    if request == "take all chips off the felt":
        return ["sweep"]
    if found := re.match(r"collect the Bonus Spin chips of seat (.*)", request):
        return [f"remove {each} bonus_spin" for each in found[1].split(", ")]
    if found := re.match(r"turn the (\w+) key (on|off)", request):
        return [f"key {found[1]} {found[2]}"]
    if found := re.match(r"switch the table's power (on|off)", request):
        return [f"power {found[1]}"]
    assert re.match("award the pot|look at the wheel|pull the plug|do the lamps", request), request
    return ["power off"] if "plug" in request else []


class PtyLine:
    """One UART of the board, joined to a pty whose other end is `path`."""

    plugged = True

    def __init__(self, channel: int, session: Session) -> None:
        self.channel = channel
        self._session = session
        self._master, self._slave = pty.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.path = os.ttyname(self._slave)
        asyncio.get_running_loop().add_reader(self._master, self._read)

    def arrive(self, data: bytes) -> None:
        """The board sent something; nobody at the other end means it is lost."""
        try:
            os.write(self._master, data)
        except BlockingIOError:
            pass

    def _read(self) -> None:
        self.deliver(os.read(self._master, 4096))

    def deliver(self, data: bytes) -> None:
        self._session.world.send(wire.pack("u", self.channel, data))

    def any(self) -> int:
        return 0  # the bench's own terminal and shoe hear nothing

    def write(self, data: bytes) -> int:
        return len(data)

    def close(self) -> None:
        asyncio.get_running_loop().remove_reader(self._master)
        os.close(self._master)
        os.close(self._slave)


class WiredTable(Threaded):
    """Runs the board in a thread."""

    def __init__(self, folder: Path, game: str = FIRST, **options: Any) -> None:
        super().__init__(folder, game, **options)
        self.lines: dict[int, PtyLine] = {}

    async def _start(self) -> None:
        await self.session.start()
        world: Any = self.session.world
        for channel, peer in ((TERM, world.terminal), (SHOE, world.shoe)):
            self.lines[channel] = PtyLine(channel, self.session)
            world.lines[channel] = peer.port.uart = self.lines[channel]
        assert await until(lambda: world.alive), world.console

    async def _stop(self) -> None:
        for channel in list(self.lines):
            self.lines.pop(channel).close()
        await self.session.stop()

    @property
    def terminal(self) -> str:
        return self.lines[TERM].path

    @property
    def shoe(self) -> str:
        return self.lines[SHOE].path

    def hand(self, line: str) -> None:
        """Something the person at the board does, in the words of the script language."""
        self._wait(self.session.do(line))

    def unplug(self, channel: int) -> None:
        """The adapter is pulled out of the PC."""

        async def pull() -> None:
            line = self.lines.pop(channel)
            self.session.world.lines[channel].plugged = False
            line.arrive = lambda data: None  # type: ignore[method-assign]
            line.close()

        self._wait(pull())
