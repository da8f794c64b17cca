"""The real mpremote works against the emulated board."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

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
