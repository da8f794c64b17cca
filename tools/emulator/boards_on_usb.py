"""For tests of the tools people use: releases of a few files, and tools run as people run them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

from tools.image import build
from tools.paths import BOARDS, ROOT


def small_build(**changes: bytes | None) -> dict[str, bytes]:
    """A few files, enough to copy, compare and damage; nothing that starts by itself."""
    files = {
        "board.py": (BOARDS / "RPI_PICO" / "board.py").read_bytes(),
        "felt/__init__.py": b"",
        "felt/cards.py": b"DECK = 52\n",
        "felt/store/area.py": bytes(range(256)) * 9,
        "lang/en.txt": b"hello Good evening\n",
    }
    for name, data in changes.items():
        path = name.replace("__", "/") + ".py"
        if data is None:
            del files[path]
        else:
            files[path] = data
    files[build.MANIFEST] = build.manifest(files)
    return files


def zipped(files: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


def typed() -> dict[str, str]:
    """The environment of a person at a shell: a make around us must not lend its variables."""
    lent = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    lent |= {"ARGS", "BOARD", "BY", "CONFIG", "LABEL", "PORT", "RELEASE"}
    return {k: v for k, v in os.environ.items() if k not in lent}


def run_tool(name: str, *words: str, seconds: float = 300) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", f"tools.{name}", *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=ROOT)


def table_memory(start: str, game: str = "premium") -> tuple[bytes, dict[str, Any]]:
    """Critical memory and settings of a table in one of the bench's start states."""
    from tools.bench import games, starts
    from tools.bench.world import World

    settings = games.settings(game)
    with tempfile.TemporaryDirectory() as folder:
        starts.prepare(start, World(game, Path(folder)), settings)
        return (Path(folder) / "fram.bin").read_bytes(), settings
