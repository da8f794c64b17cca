"""A release: the same bytes from every run, and a .uf2 that is a working board."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import zipfile
from io import BytesIO
from pathlib import Path

import pytest

from tools.emulator.boards_on_usb import run_tool
from tools.emulator.pico import FLASH_SIZE, Pico
from tools.image import build, fsimage, release, uf2file
from tools.paths import ROOT

CONFIG = b'{"game": "headsup"}'


@pytest.fixture(scope="module")
def made() -> dict[str, bytes]:
    return release.make(["RPI_PICO", "RPI_PICO2"], CONFIG)


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    """From two folders, with nothing compiled before and another order in every set of names."""
    runs = []
    for seed in ("1", "2"):
        root = tmp_path / seed
        for name in ("boards", "firmware", "host_tests", "tools"):
            source = ROOT if seed == "1" else tmp_path / "1"
            ignored = shutil.ignore_patterns("__pycache__", "*.png", "build")
            shutil.copytree(source / name, root / name, ignore=ignored)
        shutil.copy(ROOT / "CHANGELOG.md", root)
    for seed in ("1", "2"):
        env = {**os.environ, "PYTHONHASHSEED": seed, "SOURCE_DATE_EPOCH": "1700000000"}
        command = [sys.executable, "-m", "tools.image.release"]
        done = subprocess.run(
            command, cwd=tmp_path / seed, env=env, capture_output=True, text=True, timeout=300
        )
        assert done.returncode == 0, done.stdout + done.stderr
        found = (tmp_path / seed / "build" / "release").iterdir()
        runs.append({path.name: path.read_bytes() for path in found})
    assert "SHA256SUMS" in runs[0] and sorted(runs[0]) == sorted(runs[1])
    assert [name for name in runs[0] if runs[0][name] != runs[1][name]] == []


def test_checksums_and_identities_hold(made: dict[str, bytes]) -> None:
    for line in made["SHA256SUMS"].decode().splitlines():
        wanted, name = line.split()
        assert hashlib.sha256(made[name]).hexdigest() == wanted
    about = json.loads(made["manifest.json"])
    for board in ("RPI_PICO", "RPI_PICO2"):
        with zipfile.ZipFile(BytesIO(made[f"felt-{board}.zip"])) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
        assert files == build.bundle(board)
        assert hashlib.sha256(files["manifest.txt"]).hexdigest() == about["builds"][board]
        assert about["builds"][board] in made["NOTES.md"].decode()


def test_image_and_uf2_hold_the_bundle_and_the_settings(made: dict[str, bytes]) -> None:
    image = made["felt-RPI_PICO.littlefs.img"]
    assert fsimage.read(image) == {**build.bundle("RPI_PICO"), "config.json": CONFIG}
    flash = uf2file.flat(made["felt-RPI_PICO.uf2"]).ljust(FLASH_SIZE, b"\xff")
    assert flash[fsimage.FLASH_OFFSET :] == image
    assert fsimage.FLASH_OFFSET + fsimage.BLOCK * fsimage.BLOCKS == FLASH_SIZE


def test_uf2_writes_whole_sectors_in_order(made: dict[str, bytes]) -> None:
    parts = uf2file.blocks(made["felt-RPI_PICO.uf2"])
    starts = [address for address, _ in parts]
    assert starts == sorted(set(starts))
    sectors = {address // uf2file.SECTOR for address in starts}
    assert len(starts) == len(sectors) * uf2file.SECTOR // uf2file.PAGE


def test_without_the_official_image_only_the_files_are_in_the_uf2(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(uf2file, "official", lambda: None)
    made = release.make(["RPI_PICO"])
    lowest = min(address for address, _ in uf2file.blocks(made["felt-RPI_PICO.uf2"]))
    assert lowest == uf2file.BASE + fsimage.FLASH_OFFSET
    assert "not at hand" in made["NOTES.md"].decode()


@pytest.mark.emulator
def test_the_uf2_boots_and_holds_its_identity(made: dict[str, bytes]) -> None:
    """Nothing but the .uf2 is on this board; its start is broken off for the REPL."""
    Pico({})  # skips where there is no official image
    flash = uf2file.flat(made["felt-RPI_PICO.uf2"]).ljust(FLASH_SIZE, b"\xff")
    pico = Pico(flash=flash)
    pico.drive("KEY_SERVICE", 0)
    pico.run_until(lambda: pico.cdc and pico.cdc._initialized, 3000)
    while not pico.output.endswith(b">>> "):
        pico.type(b"\x03")
        pico.run_for(5)
    code = "import hashlib, binascii\nh = hashlib.sha256(open('manifest.txt', 'rb').read())\n"
    text = pico.run(code + "print(binascii.hexlify(h.digest()).decode())")
    assert text.strip() == json.loads(made["manifest.json"])["builds"]["RPI_PICO"]


def test_a_release_is_refused_with_a_bad_configuration(tmp_path: Path) -> None:
    bad = tmp_path / "bad.json"
    bad.write_text('{"game": "poker"}')
    done = run_tool("image.release", "--out", str(tmp_path / "out"), "--config", str(bad))
    assert done.returncode != 0 and "there is no such game" in done.stderr
    assert not (tmp_path / "out").exists()
