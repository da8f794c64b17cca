"""The real mpremote works against the emulated board."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tools.emulator.pico import Pico
from tools.emulator.serial_port import SerialPort

pytestmark = pytest.mark.emulator


def mpremote(port: SerialPort, *words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mpremote", "connect", port.path, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=300)


def test_mpremote_copies_and_runs(tmp_path: Path) -> None:
    """A file is copied and a program is run from the PC; what lies in files is never imported."""
    source = tmp_path / "hello.py"
    source.write_text("print('hello from', __name__, open('kept.txt').read())\n")
    with SerialPort(Pico({"kept.txt": b"kept"})) as port:
        assert mpremote(port, "fs", "cp", str(source), ":hello.py").returncode == 0
        held = mpremote(port, "fs", "cat", ":hello.py")
        done = mpremote(port, "run", str(source))
        never = mpremote(port, "exec", "import hello")
    assert held.stdout == source.read_text()
    assert done.stdout.split() == ["hello", "from", "__main__", "kept"]
    assert never.returncode != 0 and "no module named 'hello'" in never.stdout + never.stderr
    assert port.error is None


def test_unplugged_port_is_an_error() -> None:
    with SerialPort(Pico({})) as port:
        port.unplug()
        assert mpremote(port, "exec", "print(1)").returncode != 0
        others = [os.openpty() for _ in range(8)]  # the next test's boards
        names = [os.ttyname(slave) for _, slave in others]
    for end in sum(others, ()):
        os.close(end)
    assert port.path not in names


class Chatty:
    """A board that prints much more than a serial port keeps."""

    mcu = SimpleNamespace(core=SimpleNamespace(waiting=False))
    output = b""

    def run_for(self, ms: float) -> None:
        self.output = bytes(range(256)) * 400


def test_a_port_whose_tool_was_ended_can_be_unplugged() -> None:
    """The board's thread wrote to nobody, and whoever unplugged it waited for that for ever."""
    board: Any = Chatty()
    with SerialPort(board) as port:
        tool = os.open(port.path, os.O_RDONLY | os.O_NOCTTY)
        heard = b""
        while len(heard) < 50_000:
            heard += os.read(tool, 4096)
        os.close(tool)
        time.sleep(0.2)  # as much as there is room for
        leaves = threading.Thread(target=port.unplug, daemon=True)
        leaves.start()
        leaves.join(10)
        assert not leaves.is_alive()
    assert heard == board.output[: len(heard)] and port.error is None
