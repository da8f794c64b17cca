"""Ports, prompts and rounds in progress, over serial ports with the real mpremote.

Flashing itself is tested as it is installed: test_felt.py.
"""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool, table_memory
from tools.emulator.pico import Fram, Pico
from tools.emulator.serial_port import SerialPort
from tools.field import console, device, ports, trouble
from tools.image import image

pytestmark = pytest.mark.emulator


def put(port: SerialPort, tmp_path: Path, *more: str) -> subprocess.CompletedProcess:
    """Flash by a folder that stands for the drive; the board has this build already."""
    (tmp_path / "drive").mkdir(exist_ok=True)
    words = ["--drive", str(tmp_path / "drive"), "--no-self-test"]
    words += ["--reports", str(tmp_path / "reports"), *more]
    return run_tool("field", "flash", "--port", port.path, *words)


def test_the_console_is_back_after_a_tool_left_the_board_at_its_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console, "ANSWER_S", 200.0)
    memory, settings = table_memory("closed", "headsup")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    with SerialPort(pico) as port:
        with device.Board(port.path) as board:
            assert list(board.tree()) == ["config.json"]
        link = console.connect(port.path, seconds=200)
        assert link.facts()["build"] == image.of_tests().identity
        link.link.close()


def listed(*vids: int, pid: int = 0x0005) -> list[SimpleNamespace]:
    names = enumerate(vids)
    return [SimpleNamespace(device=f"/dev/ttyACM{i}", vid=vid, pid=pid) for i, vid in names]


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(listed(), "no_board"), (listed(0x1A86), "no_board"), (listed(0x2E8A, 0x2E8A), "two_boards")],
)
def test_no_board_and_two_boards(listed: list, kind: str) -> None:
    with pytest.raises(trouble.Trouble) as caught:
        ports.find_port(None, listed)
    assert caught.value.kind == kind and caught.value.code == trouble.CODES[kind]


def test_the_only_board_is_found() -> None:
    probe = listed(0x2E8A, pid=0x000C)
    assert ports.find_port(None, listed(0x1A86, 0x2E8A) + probe) == "/dev/ttyACM1"


def test_a_round_in_memory_refuses(tmp_path: Path) -> None:
    """No console runs, the memory holds a round: it ends with the build it began with."""
    memory, settings = table_memory("midround")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    pico.boot()
    with SerialPort(pico) as port:
        done = put(port, tmp_path)
    assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
    assert not list((tmp_path / "drive").iterdir())


def test_a_round_at_the_table_refuses(tmp_path: Path) -> None:
    with VirtualPort(tmp_path / "state", start="midround") as port:
        done = run_tool("field", "flash", "--port", port.path)
    assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
    assert "Finish or void it" in done.stdout
