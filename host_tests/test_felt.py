"""The technician's program as it is installed: from a wheel, in an empty environment, at a board.

The board is emulated behind a pseudo terminal; in BOOTSEL a folder is its drive.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any, Iterator

import pytest

from tools.emulator.boards_on_usb import table_memory
from tools.emulator.pico import Fram, Pico
from tools.emulator.usb_board import UsbBoard
from tools.field import boards, drive, look, seal, trouble, uf2file
from tools.field.drive import INFO
from tools.field.look import Found
from tools.image import build, fsimage, release, wheel
from tools.paths import ROOT

OLD_CODE = {"main.py": b"import felt", "felt/cards.mpy": b"M", "manifest.txt": b"x"}
OWN = {"rounds/00001": b"history", "identity.json": b'{"label": "T12"}'}


def repacked(name: str, folder: Path) -> None:
    """A wheel of an installed distribution, so that no index is needed."""
    held = metadata.distribution(name)
    version = held.version
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in held.files or []:
            if ".." not in file.parts and "__pycache__" not in file.parts:
                archive.write(str(held.locate_file(file)), str(file))


class Installed:
    """`felt` in an environment of its own, run in the release's folder."""

    def __init__(self, python: Path, folder: Path) -> None:
        self.python, self.folder = python, folder

    def __call__(self, *words: str, seconds: float = 900) -> subprocess.CompletedProcess:
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        env["FELT_WAIT"] = "200"  # an emulated board on a busy machine starts slowly
        command = [str(self.python.with_name("felt")), *words]
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True,
                              timeout=seconds)  # fmt: skip


@pytest.fixture(scope="module")
def felt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """A release made, and its wheel installed with nothing but what it asks for."""
    folder = tmp_path_factory.mktemp("stick")
    build.write(release.make(["RPI_PICO"]), folder)
    shelf = tmp_path_factory.mktemp("shelf")
    for name in (*wheel.NEEDS, "platformdirs"):
        repacked(name, shelf)
    home = tmp_path_factory.mktemp("env")
    venv.create(home, with_pip=True)
    python = home / "bin" / "python"
    made = next(folder.glob("*.whl"))
    done = subprocess.run(
        [python, "-m", "pip", "install", "-q", "--no-index", "--find-links", shelf, made],
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    yield Installed(python, folder)


def table(files: dict[str, bytes] | None = None, start: str = "closed") -> Pico:
    memory, settings = table_memory(start, "headsup")
    settings = {**settings, "table_name": "T12"}
    held = {"config.json": json.dumps(settings).encode(), **(files or {})}
    return Pico(held, fram=Fram(memory))


def older(pico: Pico) -> Pico:
    """The same table with another build: its image is a byte longer, and its seal says so."""
    flash = bytearray(pico.flash_image())
    at = fsimage.FLASH_OFFSET
    binary = bytes(flash[: seal.length(bytes(flash[:at])) + 1])
    flash[:at] = seal.sealed(binary, at)
    return pico.power_cycle(flash=bytes(flash))


def reports(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


def test_the_wheel_hides_no_package_of_the_firmware(felt: Installed) -> None:
    code = "import importlib.util as u; print(u.find_spec('felt'), u.find_spec('tools'))"
    done = subprocess.run([felt.python, "-c", code], capture_output=True, text=True, cwd="/")
    assert done.stdout.strip() == "None None"
    code = "import felt_field, felt; print(felt.__path__)"
    done = subprocess.run([felt.python, "-c", code], capture_output=True, text=True, cwd="/")
    assert "felt_field/data/firmware/felt" in done.stdout, done.stderr


@pytest.mark.emulator
def test_an_old_table_is_updated_verified_provisioned_and_reported(
    felt: Installed, tmp_path: Path
) -> None:
    """From a wheel, through BOOTSEL; its own files stay, those of the old way go."""
    kept = tmp_path / "reports"
    with UsbBoard(older(table({**OLD_CODE, **OWN})), tmp_path / "drive") as usb:
        at = ["--port", usb.path]
        words = [*at, "--drive", str(usb.drive), "--reports", str(kept)]
        told = felt("boards", *at)
        assert "not the one of this release" in told.stdout and "Next: felt flash" in told.stdout
        done = felt("flash", *words, "--label", "Pit 3 table 12")
        assert done.returncode == 0, done.stdout + done.stderr
        assert usb.written == 1 and not (usb.drive / INFO).exists()
        again = felt("flash", *words)
        assert again.returncode == 0 and "this build is on the board" in again.stdout
        assert usb.written == 1
        checked = felt("verify", *at, "--reports", str(kept))
        assert checked.returncode == 0, checked.stdout + checked.stderr
        config = tmp_path / "new.json"
        doc = json.loads((ROOT / "tools" / "configs" / "headsup.json").read_text())
        config.write_text(json.dumps({**doc, "table_name": "Pit 3 table 12"}))
        put = felt("provision", str(config), *at, "--by", "Ada", "--reports", str(kept))
        assert put.returncode == 0, put.stdout + put.stderr
        taken = felt("report", str(tmp_path / "taken"), *at)
        assert taken.returncode == 0, taken.stdout + taken.stderr
        spoken = felt("console", *at, "version")
    assert "3 files taken off" in done.stdout and "####" in done.stdout
    first = reports(kept)[0]
    assert first["label"] == "Pit 3 table 12" and first["outcome"] == "PASS"
    assert list(kept.glob("flash-*-label.html"))
    assert f"build {first['build']}" in spoken.stdout
    held = fsimage.read(usb.pico.flash_image()[fsimage.FLASH_OFFSET :])
    assert sorted(held) == ["config.json", "identity.json", "rounds/00001"]
    assert (tmp_path / "taken" / "report.html").exists()


@pytest.mark.emulator
def test_a_changed_byte_is_found_and_every_byte_can_be_read(
    felt: Installed, tmp_path: Path
) -> None:
    pico = table()
    with UsbBoard(pico, tmp_path / "drive") as usb:
        whole = felt("verify", "--port", usb.path, "--bytes", "--reports", str(tmp_path))
    assert whole.returncode == 0 and "read back, the same" in whole.stdout, whole.stdout
    changed = table()
    changed.mcu.flash[300_000] ^= 1
    with UsbBoard(changed, tmp_path / "drive") as usb:
        found = felt("verify", "--port", usb.path, "--reports", str(tmp_path))
    assert found.returncode == 1
    assert f"differs at {300_000 // 16384 * 16384:#x}" in found.stdout


@pytest.mark.emulator
def test_a_board_in_bootsel_becomes_a_table_or_a_demonstration(
    felt: Installed, tmp_path: Path
) -> None:
    blank = Pico(flash=b"\xff" * 4096, fram=Fram())
    with UsbBoard(blank, tmp_path / "drive", bootsel=True) as usb:
        words = ["--drive", str(usb.drive), "--reports", str(tmp_path / "r")]
        unsaid = felt("flash", *words)
        assert unsaid.returncode == trouble.CODES["bootsel"]
        assert "--board RPI_PICO or W5500_EVB_PICO" in unsaid.stdout
        done = felt("demo", *words, "--board", "RPI_PICO")
        assert done.returncode == 0, done.stdout + done.stderr
        shown = felt("console", "--port", usb.path, "version", "selftest")
        refused = felt("boards", "--port", usb.path)
    assert "fault none" in shown.stdout and "demonstration, none fitted" in shown.stdout
    assert "ILLUSTRATIVE" in done.stdout and refused.returncode == 0


@pytest.mark.emulator
def test_a_table_in_use_is_no_demonstration_and_an_open_round_no_moment(
    felt: Installed, tmp_path: Path
) -> None:
    with UsbBoard(table(start="midround"), tmp_path / "drive") as usb:
        words = ["--port", usb.path, "--drive", str(usb.drive), "--reports", str(tmp_path / "r")]
        early = felt("flash", *words, "--again")
    assert early.returncode == trouble.CODES["round_open"] and "Finish or void" in early.stdout
    with UsbBoard(table(), tmp_path / "drive") as usb:
        words = ["--port", usb.path, "--drive", str(usb.drive), "--reports", str(tmp_path / "r")]
        done = felt("demo", *words)
    assert done.returncode == trouble.CODES["in_use"] and "--erase" in done.stdout
    assert usb.written == 0


def test_a_damaged_release_is_refused(felt: Installed, tmp_path: Path) -> None:
    for path in felt.folder.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    image = tmp_path / "felt-RPI_PICO.uf2"
    image.write_bytes(image.read_bytes()[:-1] + b"\0")
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / INFO).write_text("Board-ID: RPI-RP2\n")
    done = felt("flash", "--release", str(tmp_path), "--drive", str(tmp_path / "drive"),
                "--board", "RPI_PICO", "--reports", str(tmp_path / "r"))  # fmt: skip
    assert done.returncode == trouble.CODES["no_file"] and "is damaged" in done.stdout
    assert [path.name for path in (tmp_path / "drive").iterdir()] == [INFO]


def test_without_a_board_the_next_step_is_said(felt: Installed) -> None:
    done = felt()
    assert done.returncode == 0 and "Next: " in done.stdout
    lost = felt("verify", "--port", "/dev/ttyACM99")
    assert lost.returncode == trouble.CODES["no_board"] and "service key" in lost.stderr


class AnyRelease:
    def identity(self, board: str) -> str:
        return "a" * 64


@pytest.mark.parametrize(
    ("found", "said", "then"),
    [
        (None, "No board is connected", "hold BOOTSEL"),
        (
            Found("/mnt/x", look.BOOTSEL, facts={"chip": "rp2350"}),
            "waits in BOOTSEL",
            "felt flash",
        ),
        (Found("/mnt/x", look.BOOTSEL, facts={"chip": "rp2040"}), "RP2040", "--board RPI_PICO or"),
        (
            Found("p", look.MICROPYTHON, "RPI_PICO", {"text": "MicroPython 1.28.0"}),
            "stock",
            "flash",
        ),
        (Found("p", look.OTHER, facts={"text": "ESP32"}), "ESP32: Felt has no image", "another"),
        (Found("p", look.SILENT, facts={"text": "does not answer"}), "p: does not", "Service key"),
        (Found("p", look.TABLE, "RPI_PICO", {"build": "b" * 64}), "not the one", "felt flash"),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "fault": "config "}),
            "without a configuration",
            "felt provision",
        ),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "fault": "vault_blank"}),
            "memory is new",
            "felt console clear",
        ),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "state": "closed"}),
            "the one of this release, closed",
            "felt verify",
        ),
    ],
)
def test_a_newcomer_gets_one_sentence_and_the_next_step(
    found: Found | None, said: str, then: str
) -> None:
    told = look.guide(found, AnyRelease())  # type: ignore[arg-type]
    assert said in told[0] and then in told[1]


def test_drives_are_found_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / INFO).write_text("UF2 Bootloader v1.0\nBoard-ID: RP2350\n")
    assert drive.read(tmp_path) == drive.Drive(tmp_path, "rp2350")
    assert drive.read(tmp_path / "nothing") is None
    monkeypatch.setattr(sys, "platform", "win32")
    assert Path("E:/") in list(drive.places())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert all(str(place).startswith("/Volumes") for place in drive.places())


def test_no_drive_and_two_drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(trouble.Trouble, match="did not appear"):
        drive.wait("rp2040", tmp_path, 0)
    both = [drive.Drive(Path(name), "rp2040") for name in "ab"]
    monkeypatch.setattr(drive, "drives", lambda given: both)
    with pytest.raises(trouble.Trouble, match="More than one board"):
        drive.wait("rp2040", None, 0)


def test_a_cable_pulled_while_writing_is_told(tmp_path: Path) -> None:
    gone = drive.Drive(tmp_path / "gone", "rp2040")
    with pytest.raises(trouble.Trouble, match="went away in the middle while writing x.uf2"):
        drive.copy(b"data", gone, "x.uf2", lambda done, total: None)


def test_stock_and_own_names_of_every_board_are_known() -> None:
    stock = {
        "Raspberry Pi Pico with RP2040": "RPI_PICO",
        "Raspberry Pi Pico2 with RP2350": "RPI_PICO2",
        "W5500-EVB-Pico with RP2040": "W5500_EVB_PICO",
        "ESP32": None,
    }
    assert {name: boards.of_machine(name) for name in stock} == stock
    assert boards.of_machine(boards.OURS + "Raspberry Pi Pico with RP2040") == "RPI_PICO"


def test_the_demonstration_writes_its_settings_and_the_update_none() -> None:
    made = release.make(["RPI_PICO"])
    update = uf2file.flat(made["felt-RPI_PICO.uf2"])
    whole = uf2file.flat(made["felt-RPI_PICO-demo.uf2"]).ljust(2 << 20, b"\xff")
    assert len(update) == fsimage.FLASH_OFFSET and whole.startswith(update)
    files = fsimage.read(whole[fsimage.FLASH_OFFSET :])
    assert json.loads(files["config.json"])["demonstration"] is True
