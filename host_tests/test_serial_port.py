"""The real mpremote works against the emulated board."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tools.emulator.pico import Pico
from tools.emulator.serial_port import SerialPort

pytestmark = pytest.mark.emulator


def mpremote(port: SerialPort, *words: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "mpremote", "connect", port.path, *words]
    return subprocess.run(command, capture_output=True, text=True, timeout=60)


@pytest.mark.open
def test_mpremote_copies_and_runs(tmp_path: Path) -> None:
    source = tmp_path / "hello.py"
    source.write_text("print('hello from', __name__)\n")
    with SerialPort(Pico({"kept.txt": b"kept"})) as port:
        assert mpremote(port, "fs", "cp", str(source), ":hello.py").returncode == 0
        done = mpremote(port, "exec", "import hello; print(open('kept.txt').read())")
    assert done.stdout.split() == ["hello", "from", "hello", "kept"]
    assert port.error is None


def test_unplugged_port_is_an_error() -> None:
    port = SerialPort(Pico({}))
    with port:
        port.unplug()
    assert mpremote(port, "exec", "print(1)").returncode != 0
