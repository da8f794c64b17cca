"""The image: what is changed in MicroPython does its work, and each boot ROM would start it."""

from __future__ import annotations

import hashlib
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tools.emulator.pico import Pico
from tools.field import seal, uf2file
from tools.image import build, changes, compiling, image, packages
from tools.image.packages import ImageError

RAM_END = {"rp2040": 0x20042000, "rp2350": 0x20082000}
# RP2350's boot ROM looks in the first 4 KB for this: marker, then an image for its Arm cores.
IMAGE_DEF = struct.pack("<II", 0xFFFFDED3, 0x10210142)

IN_FLASH = """
import gc, sys
from felt import cards
from felt.loop import Latency
from felt.dealer import screen
FLASH = range(0x10000000, 0x11000000)
print([id(f) in FLASH for f in (cards.name, screen.screen, Latency.add)])
print(cards.name(51), type(screen.screen).__name__, hasattr(cards, "__file__"))
name = cards.name
del sys.modules["felt.cards"], cards
gc.collect()
filled = [bytearray(100) for _ in range(200)]
print(name(50))
"""


def test_another_tree_than_the_changes_are_for_is_refused(tmp_path: Path) -> None:
    name, old, _ = changes.CHANGES[0]
    (tmp_path / name).parent.mkdir(parents=True)
    for text in ("nothing of it", old + old):
        (tmp_path / name).write_text(text)
        with pytest.raises(ImageError, match=name):
            changes.apply(tmp_path)


def test_a_cache_that_was_copied_is_configured_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What ninja remembers names folders: it would freeze the sources of another cache."""
    made = tmp_path / "work" / "made"
    made.mkdir(parents=True)
    (made / "build.ninja").write_text("of another folder")
    (made / "place").write_text("/elsewhere\n")
    steps: list[str] = []

    def step(text: str, command: list[str], env: dict[str, str], log: Path) -> None:
        steps.append(command[0])
        made.mkdir(exist_ok=True)
        (made / "firmware.bin").write_bytes(b"made")

    monkeypatch.setattr(compiling, "_step", step)
    for _ in range(2):
        assert compiling.binary(tmp_path / "work", "RPI_PICO", {}, tmp_path) == b"made"
        (made / "build.ninja").touch()
    assert steps == ["cmake", "ninja", "ninja"]


@pytest.mark.emulator
def test_frozen_functions_lie_in_flash_and_keep_their_module() -> None:
    first, second, third = Pico().run(IN_FLASH).splitlines()
    assert first == "[True, True, True]"
    assert second == "As generator False"
    assert third == "Ah"


def mpeg_crc(data: bytes) -> int:
    """CRC-32/MPEG-2, as RP2040's boot ROM has it."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte << 24
        for _ in range(8):
            crc = crc << 1 ^ (0x04C11DB7 if crc >> 31 else 0)
            crc &= 0xFFFFFFFF
    return crc


@pytest.mark.emulator
@pytest.mark.parametrize("board", image.boards())
def test_what_the_boot_rom_looks_at(board: str) -> None:
    """All that can be said of a chip no emulator has: RP2350."""
    made, data = image.of_tests(board), build.board_data(board)
    chip, flash = data["CHIP"], made.flash.read_bytes()
    drive = made.uf2.read_bytes()
    families = {struct.unpack_from("<I", drive, at + 28)[0] for at in range(0, len(drive), 512)}
    assert families == {uf2file.FAMILIES[chip]}
    assert uf2file.flat(drive) == flash and len(flash) == data["FILES_AT"]
    if chip == "rp2040":
        assert mpeg_crc(flash[:252]) == struct.unpack_from("<I", flash, 252)[0]
    else:
        assert IMAGE_DEF in flash[:4096]
    stack, reset = struct.unpack_from("<II", flash, 256 if chip == "rp2040" else 0)
    assert 0x20000000 < stack <= RAM_END[chip] and stack % 8 == 0
    assert reset & 1 and uf2file.BASE < reset < uf2file.BASE + seal.length(flash)


def test_two_programs_at_once_fetch_the_packages_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two emulated boards of one certification are the first to need an image."""
    data = b"sources"
    sha256 = hashlib.sha256(data).hexdigest()
    inside = threading.Lock()
    fetched = []

    def debian(missing: list[packages.Package], folder: Path) -> None:
        assert inside.acquire(blocking=False), "two in apt's folder"
        time.sleep(0.3)
        fetched.extend(package.name for package in missing)
        (folder / "one.tar").write_bytes(data)
        inside.release()

    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(
        packages, "PACKAGES", (packages.Package("one", "1", True, "one.tar", sha256),)
    )
    monkeypatch.setattr(packages, "wheel", lambda: ("one.tar", sha256))
    monkeypatch.setattr(packages, "_debian", debian)
    with ThreadPoolExecutor(2) as pool:
        folders = {task.result() for task in [pool.submit(packages.fetch) for _ in range(2)]}
    assert fetched == ["one"] and len(folders) == 1
