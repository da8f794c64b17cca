"""For tests of the tools people use: releases of a few files, and the tools run as a person runs them."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import build

TOOLS = build.ROOT / "tools"


def small_build(**changes: bytes | None) -> dict[str, bytes]:
    """A build of a few files: enough to copy, compare and damage; nothing that starts by itself."""
    files = {
        "board.py": (build.BOARDS / "RPI_PICO" / "board.py").read_bytes(),
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


def run_tool(name: str, *words: str, seconds: float = 300) -> subprocess.CompletedProcess:
    command = [sys.executable, str(TOOLS / name), *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=build.ROOT)
