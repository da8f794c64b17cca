"""The drive a board in BOOTSEL shows: finding it, and copying an image onto it."""

from __future__ import annotations

import os
import string
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Callable, Collection, Iterable

from .trouble import Trouble

INFO = "INFO_UF2.TXT"
CHIPS = {"RPI-RP2": "rp2040", "RP2350": "rp2350"}  # what the file says, and the chip behind it
MEDIA = ("/media", "/run/media")  # of Linux: drives, or a folder of drives for each user
CHUNK = 65536
GONE_S = 10.0  # a system may show a drive that is gone a while longer
LOOK_S = 0.2  # a drive is not announced by the system: its place is looked at


@dataclass(frozen=True)
class Drive:
    """A board waiting for a .uf2 file."""

    path: Path
    chip: str


def places() -> Iterable[Path]:
    """Where a system puts a drive that was plugged in. Linux shows it to whoever is logged in, in
    a folder with that name, also where felt runs as another user (sudo)."""
    if sys.platform == "win32":
        return [Path(f"{letter}:/") for letter in string.ascii_uppercase]
    if sys.platform == "darwin":
        return _inside(Path("/Volumes"))
    shown = [place for base in MEDIA for place in _inside(Path(base))]
    users = [place for place in shown if not os.path.ismount(place)]
    return [p for user in users for p in _inside(user)] + shown + _inside(Path("/mnt"))


def _inside(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def read(path: Path) -> Drive | None:
    """The drive at a place, if it is one of a board in BOOTSEL."""
    try:
        lines = (path / INFO).read_text(encoding="ascii", errors="replace").splitlines()
    except OSError:
        return None
    told = dict(line.split(": ", 1) for line in lines if ": " in line)
    chip = CHIPS.get(told.get("Board-ID", "").strip())
    return Drive(path, chip) if chip else None


def drives(given: Path | None = None) -> list[Drive]:
    """Boards in BOOTSEL whose drive the system shows; with a place given, only there."""
    found = (read(path) for path in ([given] if given else places()))
    return [drive for drive in found if drive]


def before(chip: str, given: Path | None) -> list[Drive]:
    """Drives of other boards, before one is sent to BOOTSEL; none may have the place it is to
    come to."""
    waiting = [drive for drive in drives(given) if drive.chip == chip]
    if given and waiting:
        raise Trouble("taken", given)
    return waiting


def wait(chip: str, given: Path | None, seconds: float, others: Collection[Drive] = ()) -> Drive:
    """The drive of a board that was sent to BOOTSEL: none of those that waited before."""
    end = time.monotonic() + seconds
    while True:
        found = [each for each in drives(given) if each.chip == chip and each not in others]
        if len(found) > 1:
            raise Trouble("two_drives", ", ".join(str(drive.path) for drive in found))
        if found:
            return found[0]
        if time.monotonic() > end:
            raise Trouble("no_drive")
        time.sleep(LOOK_S)


def copy(image: bytes, drive: Drive, name: str, told: Callable[[int, int], None]) -> None:
    """Copy an image; the board restarts by itself at its last block, and the drive vanishes.

    A system takes all of it at once and sends it later: each part is waited for."""
    sent = 0
    try:
        with (drive.path / name).open("wb", buffering=0) as target:
            while sent < len(image):
                sent += target.write(image[sent : sent + CHUNK])
                os.fsync(target.fileno())
                told(sent, len(image))
    except OSError as error:
        if sent < len(image):
            raise Trouble("unplugged", f" while writing {name}") from error


def vanish(drive: Drive) -> None:
    """Waits until a written board's drive is gone: the next board may be shown at its place."""
    end = time.monotonic() + GONE_S
    while read(drive.path) and time.monotonic() < end:
        time.sleep(LOOK_S)
