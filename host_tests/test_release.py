"""A release: the same bytes from every run, and a .uf2 that is the whole program."""

from __future__ import annotations

import hashlib
import json
import re
import os
import shutil
import subprocess
import sys
from importlib import metadata
from pathlib import Path

import pytest

from tools.emulator.boards_on_usb import run_tool
from tools.emulator.pico import FLASH_SIZE
from tools.field import seal, uf2file
from tools.image import fsimage, image, release, wheel
from tools.image.packages import ImageError
from tools.paths import ROOT

CONFIG = b'{"game": "headsup"}'


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return release.make(["RPI_PICO"], CONFIG)


def test_two_folders_give_the_same_bytes(tmp_path: Path, made: dict[str, bytes]) -> None:
    """From another checkout's folder; what the compiler made before is shared."""
    root = tmp_path / "other"
    for name in ("boards", "firmware", "tools"):
        ignored = shutil.ignore_patterns("__pycache__", "*.png", "build")
        shutil.copytree(ROOT / name, root / name, ignore=ignored)
    for name in ("CHANGELOG.md", "requirements-pit.txt"):
        shutil.copy(ROOT / name, root)
    shutil.copytree(ROOT / "docs", root / "docs")
    env = {**os.environ, "PYTHONHASHSEED": "2", "PYTHONPATH": f"{root}:{root / 'firmware'}"}
    command = [sys.executable, "-m", "tools.image.release", "--board", "RPI_PICO"]
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = (root / "build" / "release" / "felt-RPI_PICO.uf2").read_bytes()
    flash = uf2file.flat(found)
    assert flash == uf2file.flat(made["felt-RPI_PICO.uf2"])[: len(flash)]


def test_checksums_and_identities_hold(made: dict[str, bytes]) -> None:
    for line in made["SHA256SUMS"].decode().splitlines():
        wanted, name = line.split()
        assert hashlib.sha256(made[name]).hexdigest() == wanted
    about = json.loads(made["manifest.json"])
    flash = uf2file.flat(made["felt-RPI_PICO.uf2"])[: fsimage.FLASH_OFFSET]
    assert seal.identity(flash) == about["builds"]["RPI_PICO"]
    assert about["builds"]["RPI_PICO"] in made["NOTES.md"].decode()


def test_notes_and_page_say_how_felt_is_installed_on_any_system(made: dict[str, bytes]) -> None:
    """cmd.exe and PowerShell do not know what * stands for; a laptop may have no network."""
    notes, page = made["NOTES.md"].decode(), made["technician.html"].decode()
    (program,) = [name for name in made if name.endswith(".whl")]
    assert f"pipx install ./{program}," in notes
    for name in wheel.NEEDS:
        assert name in notes and name in page


def test_the_wheel_pins_all_that_comes_with_it() -> None:
    """A package that mpremote asks for came in whatever version there was that day."""
    asked = [each for name in wheel.NEEDS for each in metadata.requires(name) or []]
    named = {re.split("[^A-Za-z0-9-]", each)[0] for each in asked if ";" not in each}
    assert named and named <= set(wheel.NEEDS)


def test_the_technicians_page_has_one_title_and_every_link_leads_inside(
    made: dict[str, bytes],
) -> None:
    page = made["technician.html"].decode()
    assert page.count("<h1>For the technician</h1>") == 1
    places = set(re.findall(r"<section id=([^>]+)>", page))
    links = re.findall(r'href="([^"]+)"', page)
    assert links and {link.removeprefix("#") for link in links} <= places


def test_only_with_settings_the_file_system_is_written(made: dict[str, bytes]) -> None:
    flash = uf2file.flat(made["felt-RPI_PICO.uf2"]).ljust(FLASH_SIZE, b"\xff")
    assert fsimage.read(flash[fsimage.FLASH_OFFSET :]) == {"config.json": CONFIG}
    assert fsimage.FLASH_OFFSET + fsimage.BLOCK * fsimage.BLOCKS == FLASH_SIZE
    plain = uf2file.flat(release.make(["RPI_PICO"])["felt-RPI_PICO.uf2"])
    assert plain == flash[: len(plain)] and len(plain) == fsimage.FLASH_OFFSET


def test_uf2_writes_whole_sectors_in_order(made: dict[str, bytes]) -> None:
    parts = uf2file.blocks(made["felt-RPI_PICO.uf2"])
    starts = [address for address, _ in parts]
    assert starts == sorted(set(starts))
    sectors = {address // uf2file.SECTOR for address in starts}
    assert len(starts) == len(sectors) * uf2file.SECTOR // uf2file.PAGE


def test_without_an_image_there_is_no_release(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> str:
        raise ImageError("no compiler")

    monkeypatch.setattr(image, "check_tools", none)
    with pytest.raises(ImageError):
        release.make(["RPI_PICO"])


def test_a_release_is_refused_with_a_bad_configuration(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"game": "poker"}')
    done = run_tool("image.release", "--out", str(tmp_path / "out"), "--config", str(bad))
    assert done.returncode != 0 and "there is no such game" in done.stderr
    assert not (tmp_path / "out").exists()
