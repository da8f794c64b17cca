"""Flashing and verifying an emulated board over its serial port, with the real mpremote.

The board's own drive is no part of the emulator: a folder takes its place.
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
from tools.field import console, device, flash, trouble
from tools.image import fsimage, image, uf2file

pytestmark = pytest.mark.emulator
OWN = {
    "config.json": b'{"game": "premium"}',
    "rounds/00001": b"history",
    "identity.json": b'{"label": "T12"}',
}


def files_of(pico: Pico) -> dict[str, bytes]:
    return fsimage.read(pico.flash_image()[fsimage.FLASH_OFFSET :])


def put(port: SerialPort, tmp_path: Path, *more: str) -> subprocess.CompletedProcess:
    """Flash by a folder that stands for the drive; the board has this build already."""
    (tmp_path / "drive").mkdir(exist_ok=True)
    words = ["--drive", str(tmp_path / "drive"), "--no-self-test"]
    words += ["--reports", str(tmp_path / "reports"), *more]
    return run_tool("field.flash", "--port", port.path, *words)


def verify(port: SerialPort, tmp_path: Path, *more: str) -> subprocess.CompletedProcess:
    return run_tool(
        "field.verify", "--port", port.path, *more, "--reports", str(tmp_path / "reports")
    )


def test_a_table_flashed_the_old_way_is_cleaned_and_keeps_its_own(tmp_path: Path) -> None:
    old = {**OWN, "main.py": b"import felt", "felt/cards.mpy": b"M", "manifest.txt": b"x"}
    with SerialPort(Pico(old)) as port:
        done = put(port, tmp_path, "--label", "Pit 3 table 12")
    assert done.returncode == 0, done.stdout + done.stderr
    made = image.of_tests()
    assert f"identity {made.identity}" in done.stdout and "3 files of old code" in done.stdout
    copied = (tmp_path / "drive" / made.uf2.name).read_bytes()
    assert uf2file.flat(copied) == made.flash.read_bytes()
    held = files_of(port.pico)
    label = json.loads(held.pop("identity.json"))
    assert label["label"] == "Pit 3 table 12" and label["build"] == made.identity
    assert held == {name: OWN[name] for name in ("config.json", "rounds/00001")}


def test_a_changed_byte_and_a_file_of_code_are_found(tmp_path: Path) -> None:
    pico = Pico({"spy.py": b"import felt"})
    release = tmp_path / "other.uf2"
    flash_of_build = bytearray(image.of_tests().flash.read_bytes())
    with SerialPort(pico) as port:
        found = verify(port, tmp_path)
        flash_of_build[300_000] ^= 1
        release.write_bytes(uf2file.make(bytes(flash_of_build)))
        damaged = verify(port, tmp_path, "--release", str(release))
    assert found.returncode == 1 and "spy.py" in found.stdout
    assert "this table differs" in found.stdout and "bytes the same" in found.stdout
    assert damaged.returncode == trouble.CODES["no_file"] and "damaged" in damaged.stderr


def test_a_table_with_another_program_differs(tmp_path: Path) -> None:
    pico = Pico()
    pico.mcu.flash[300_000] ^= 1
    with SerialPort(pico) as port:
        found = verify(port, tmp_path)
    assert found.returncode == 1 and f"differs at {300_000 // 16384 * 16384:#x}" in found.stdout


def test_wrong_board_and_busy_port(tmp_path: Path) -> None:
    with SerialPort(Pico()) as port:
        wrong = put(port, tmp_path, "--board", "RPI_PICO2")
        holder = device.open_serial(port.path)
        busy = verify(port, tmp_path)
        holder.close()
    assert wrong.returncode == trouble.CODES["wrong_board"]
    assert "Raspberry Pi Pico with RP2040, not a RPI_PICO2" in wrong.stdout
    assert busy.returncode == trouble.CODES["busy"] and "in use by another program" in busy.stderr


def test_no_drive_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flash, "DRIVE_S", 0)
    monkeypatch.setattr(flash, "drives", list)
    with pytest.raises(trouble.Trouble, match="drive did not appear"):
        flash.waiting_drive(None)


def test_the_console_is_back_after_a_tool_left_the_board_at_its_prompt() -> None:
    memory, settings = table_memory("closed", "headsup")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    with SerialPort(pico) as port:
        with device.Board(port.path) as board:
            assert list(board.tree()) == ["config.json"]
        link = console.connect(port.path, seconds=60)
        assert link.facts()["build"] == image.of_tests().identity
        link.link.close()


def ports(*vids: int, pid: int = 0x0005) -> list[SimpleNamespace]:
    names = enumerate(vids)
    return [SimpleNamespace(device=f"/dev/ttyACM{i}", vid=vid, pid=pid) for i, vid in names]


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(ports(), "no_board"), (ports(0x1A86), "no_board"), (ports(0x2E8A, 0x2E8A), "two_boards")],
)
def test_no_board_and_two_boards(listed: list, kind: str) -> None:
    with pytest.raises(trouble.Trouble) as caught:
        device.find_port(None, listed)
    assert caught.value.kind == kind and caught.value.code == trouble.CODES[kind]


def test_the_only_board_is_found() -> None:
    probe = ports(0x2E8A, pid=0x000C)
    assert device.find_port(None, ports(0x1A86, 0x2E8A) + probe) == "/dev/ttyACM1"


def test_a_port_that_is_not_there() -> None:
    done = run_tool("field.verify", "--port", "/dev/ttyACM99")
    assert done.returncode == trouble.CODES["no_board"] and "turn the service key" in done.stderr


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
        done = run_tool("field.flash", "--port", port.path)
    assert done.returncode == trouble.CODES["round_open"] and "Finish or void it" in done.stdout
