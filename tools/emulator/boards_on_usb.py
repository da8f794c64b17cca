"""For tests of the tools people use: tools run as people run them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools import games
from tools.paths import ROOT

UNIQUE_ID = b"\xff" * 8  # of the emulated chip


def typed() -> dict[str, str]:
    """The environment of a person at a shell: a make around us must not lend its variables."""
    lent = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}
    lent |= {"ARGS", "BOARD", "BY", "CONFIG", "LABEL", "PORT", "RELEASE"}
    return {k: v for k, v in os.environ.items() if k not in lent}


def run_tool(name: str, *words: str, seconds: float = 300) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", f"tools.{name}", *words]
    env = {**os.environ, "FELT_WAIT": "200"}  # an emulated board on a busy machine starts slowly
    return subprocess.run(
        command, capture_output=True, text=True, timeout=seconds, cwd=ROOT, env=env
    )


def table_memory(start: str, game: str = games.FIRST) -> tuple[bytes, dict[str, Any]]:
    """Critical memory of the emulated board and settings, in one of the bench's start states."""
    from tools.bench import starts
    from tools.bench.world import World

    settings = games.settings(game)
    with tempfile.TemporaryDirectory() as folder:
        starts.prepare(start, World(game, Path(folder)), settings)
        return _adopted((Path(folder) / "fram.bin").read_bytes()), settings


def _adopted(memory: bytes) -> bytes:
    """The same memory as the emulated chip's own."""
    from felt.store.area import RamMemory, VaultError
    from felt.store.vault import Vault

    image = RamMemory()
    image.data[:] = memory
    try:
        Vault(image, owner=UNIQUE_ID).adopt()
    except VaultError:  # blank or damaged on purpose
        return memory
    return bytes(image.data)
