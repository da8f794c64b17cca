"""The firmware process: a real MicroPython with a board-sized heap, started, watched and ended.

One instance, one state folder: fram.bin is the critical memory, flash/ the board's file system,
virtual/ the compiled virtual board. The process has its own group and dies with the bench.
"""

from __future__ import annotations

import asyncio
import ctypes
import hashlib
import os
import shutil
import signal
import sys
from pathlib import Path

from tools.image import build
from tools.paths import ROOT

BOARD = ROOT / "boards" / "VIRTUAL"
ARCH = "x64"
MANIFEST = "manifest.txt"
# A Pico has 241,552 bytes free at start: 15,097 blocks of four words. A PC's words are twice as
# wide, so the same number of blocks is twice the bytes. What stands in for hardware comes on top.
HEAP = 241_552 * 2
VIRTUAL_HEAP = 52_000


def micropython() -> str:
    beside = Path(sys.executable).with_name("micropython")
    return os.environ.get("MICROPYTHON") or str(beside)


def deploy(state: Path) -> None:
    """Put firmware and virtual board where the process finds them; keeps other files on flash."""
    flash = state / "flash"
    flash.mkdir(parents=True, exist_ok=True)
    files = build.bundle("VIRTUAL")
    if MANIFEST not in files:
        rows = [f"{name} {hashlib.sha256(files[name]).hexdigest()}\n" for name in sorted(files)]
        files[MANIFEST] = "".join(rows).encode()
    build.write(files, flash)
    rom = state / "virtual"
    shutil.rmtree(rom, ignore_errors=True)
    (rom / "port").mkdir(parents=True)
    for path in sorted(BOARD.rglob("*.py")):
        target = rom / path.relative_to(BOARD)
        if path.name in ("start.py", "manifest.py"):
            shutil.copy(path, target)
        elif path.name != "board.py":
            target.with_suffix(".mpy").write_bytes(build.compile_module(path, ARCH))
    shutil.copy(BOARD / "board.py", rom / "board.py")


def _die_with_parent() -> None:
    """Linux: the kernel ends the firmware when the bench is gone, whatever the reason."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        pass


class Process:
    """One run of the firmware, from power on to power off."""

    def __init__(self, state: Path, address: str, **options: str) -> None:
        self.state = state
        self._env = {
            "PATH": os.environ.get("PATH", ""),
            "FELT_BENCH": address,
            "FELT_STATE": str(state),
            "FELT_ROM": str(state / "virtual"),
            "MICROPYPATH": f"{state / 'virtual'}:{state / 'virtual' / 'port'}:.frozen",
            **options,
        }
        self._child: asyncio.subprocess.Process | None = None

    async def start(self) -> asyncio.subprocess.Process:
        command = [micropython(), "-X", f"heapsize={HEAP + VIRTUAL_HEAP}"]
        command.append(str(self.state / "virtual" / "start.py"))
        self._child = await asyncio.create_subprocess_exec(
            *command,
            env=self._env,
            cwd=self.state,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.STDOUT,
            start_new_session=True,
            preexec_fn=_die_with_parent,
        )
        return self._child

    async def kill(self) -> None:
        """Power off: at once, as a plug does."""
        child = self._child
        if child is not None and child.returncode is None:
            try:
                child.kill()
            except ProcessLookupError:
                pass
            await child.wait()
