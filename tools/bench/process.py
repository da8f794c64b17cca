"""The firmware process: a real MicroPython, started, watched and ended.

One instance, one state folder: fram.bin is the critical memory, flash/ the board's file system,
virtual/ the compiled virtual board with the program in it. The process has its own group and dies
with the bench.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import secrets
import shutil
import signal
import sys
from pathlib import Path

from tools.field import seal
from tools.image import build
from tools.paths import ROOT

BOARD = ROOT / "boards" / "VIRTUAL"
ARCH = "x64"
HEAP = 2_000_000  # code lies in it here; what a table needs is measured on the emulated board


def micropython() -> str:
    beside = Path(sys.executable).with_name("micropython")
    return os.environ.get("MICROPYTHON") or str(beside)


def deploy(state: Path) -> None:
    """Put firmware and virtual board where the process finds them; flash keeps its files."""
    (state / "flash").mkdir(parents=True, exist_ok=True)
    files = build.program("VIRTUAL")
    rom = state / "virtual"
    shutil.rmtree(rom, ignore_errors=True)
    (rom / "port").mkdir(parents=True)
    for path in sorted(BOARD.rglob("*.py")):
        target = rom / path.relative_to(BOARD)
        if path.name == "start.py":
            shutil.copy(path, target)
        elif path.name != "board.py":
            target.with_suffix(".mpy").write_bytes(build.compile_module(path, ARCH))
    build.write(files, rom / "program")
    whole = b"".join(name.encode() + b"\0" + files[name] for name in sorted(files))
    room = (-(-len(whole) // seal.SIZE) + 1) * seal.SIZE
    (rom / "image.bin").write_bytes(seal.sealed(whole, room))


def die_with_parent() -> None:
    """Linux: the kernel ends the firmware when the bench is gone, whatever the reason."""
    try:
        ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    except (OSError, AttributeError):
        pass


def waited(pid: int) -> float:
    """Seconds a process wanted to run since its start and was not let; 0 where nobody counts.

    Asked two hundred times a second: files of Python would take as long as the rest of the bench.
    """
    try:
        handle = os.open(f"/proc/{pid}/schedstat", os.O_RDONLY)
        try:
            return int(os.read(handle, 100).split()[1]) / 1e9
        finally:
            os.close(handle)
    except (OSError, IndexError, ValueError):
        return 0.0


def listens(pid: int) -> bool:
    """True for a process that neither runs nor was stopped: it waits for what it is told next."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    except (OSError, IndexError):
        return False


class Process:
    """One run of the firmware, from power on to power off."""

    def __init__(self, state: Path, port: int, **options: str) -> None:
        self.state = state
        self.word = secrets.token_hex(8).encode()  # by it the end of the wire is known
        rom = state / "virtual"
        self.environment = {
            "PATH": os.environ.get("PATH", ""),
            "FELT_BENCH": f"127.0.0.1:{port}/{self.word.decode()}",
            "FELT_STATE": str(state),
            "FELT_ROM": str(rom),
            "MICROPYPATH": ":".join([*map(str, (rom, rom / "program", rom / "port")), ".frozen"]),
            **options,
        }
        self.command = [micropython(), "-X", f"heapsize={HEAP}", str(rom / "start.py")]
        self._child: asyncio.subprocess.Process | None = None
        self._changing = asyncio.Lock()  # what is being started can be ended only after that

    async def start(self) -> asyncio.subprocess.Process:
        async with self._changing:
            self._child = await asyncio.create_subprocess_exec(
                *self.command,
                env=self.environment,
                cwd=self.state,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
                preexec_fn=die_with_parent,
            )
            return self._child

    async def kill(self) -> None:
        """Power off: at once, as a plug does."""
        async with self._changing:
            child = self._child
            if child is not None and child.returncode is None:
                try:
                    child.kill()
                except ProcessLookupError:
                    pass
                await child.wait()
