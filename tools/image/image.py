"""`make image`: MicroPython with the whole firmware frozen in, as one .uf2 for a board.

Sources are frozen as they are, with line numbers and real names. They are copied to a folder in
the cache, beside what the compiler made before, so that the same inputs give the same bytes from
any checkout and a changed firmware costs one generated file and a link. Finished images are kept
by the hash of everything that went in.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import os
import shutil
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from tools import stopped
from tools.field import seal, uf2file
from tools.image import build, compiling, packages, tree
from tools.image.packages import ImageError, say
from tools.paths import BOARDS, BUILD, FIRMWARE, ROOT

OUT = BUILD / "image"
BOARD_FILES = ("mpconfigboard.h", "mpconfigboard.cmake")
ALL_BOARDS = ("mpconfigfelt.h", "felt.cmake")  # beside the boards' folders
NEEDED = {  # a program, or a file the compiler must find: the package that has it
    "arm-none-eabi-gcc": "gcc-arm-none-eabi",
    "libc.a": "libnewlib-arm-none-eabi",
    "libstdc++.a": "libstdc++-arm-none-eabi-newlib",
    "cmake": "cmake",
    "ninja": "ninja-build",
}
KEPT = {"images": 60, "work": 8}  # the newest stay in the cache


@dataclass(frozen=True)
class Image:
    """A finished image: the file for the drive, and the same bytes as they lie in flash."""

    board: str
    uf2: Path
    flash: Path
    identity: str
    room: int  # bytes left before the file system


def boards() -> list[str]:
    """The boards an image can be made for."""
    return sorted(path.parent.name for path in BOARDS.glob("*/mpconfigboard.h"))


def check_tools() -> str:
    """The compiler's version; ImageError says what to install when a tool is missing."""
    missing = []
    for name, package in NEEDED.items():
        if "." not in name:
            found = shutil.which(name) is not None
        elif shutil.which("arm-none-eabi-gcc"):
            command = ["arm-none-eabi-gcc", "-mcpu=cortex-m0plus", f"-print-file-name={name}"]
            found = "/" in subprocess.run(command, capture_output=True, text=True).stdout
        else:
            found = False
        if not found:
            missing.append(package)
    if missing:
        raise ImageError(
            f"a compiler for the board is missing: apt-get install {' '.join(missing)}"
        )
    command = ["arm-none-eabi-gcc", "--version"]
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def inputs(board: str, release: str = "") -> dict[str, bytes]:
    """Everything of this project that goes into an image, by its place beside the build.

    `release`: the version of a build that will be signed; any other calls itself unsigned.
    """
    folder = BOARDS / board
    paths = [folder / name for name in (*BOARD_FILES, "manifest.py", "board.py")]
    paths += [BOARDS / name for name in (*ALL_BOARDS, "manifest.py")]
    paths += sorted(FIRMWARE.rglob("*.py"))
    found = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in paths}
    return {
        **found,
        **{f"build/frozen/{name}": data for name, data in build.texts(release).items()},
    }


def _hash(*parts: bytes | str) -> str:
    total = hashlib.sha256()
    for part in parts:
        data = part.encode() if isinstance(part, str) else part
        total.update(len(data).to_bytes(8, "big") + data)
    return total.hexdigest()[:24]


def _fixed(board: str, compiler: str, files: dict[str, bytes]) -> str:
    """Names what is compiled once: the interpreter for this board."""
    ours = [files[f"boards/{board}/{name}"] for name in BOARD_FILES]
    ours += [files[f"boards/{name}"] for name in ALL_BOARDS]
    return _hash(board, compiler, tree.key(), Path(compiling.__file__).read_bytes(), *ours)


def _prune() -> None:
    for name, count in KEPT.items():
        held = sorted((packages.cache() / name).glob("*"), key=lambda p: -p.stat().st_mtime)
        for old in held[count:]:
            shutil.rmtree(old, ignore_errors=True)


def _finished(board: str, folder: Path) -> Image:
    flash = (folder / "image.bin").read_bytes()
    data = build.board_data(board)
    return Image(
        board,
        folder / f"felt-{board}.uf2",
        folder / "image.bin",
        seal.identity(flash),
        data["FILES_AT"] - seal.SIZE - seal.length(flash),
    )


def _keep(folder: Path, board: str, binary: bytes) -> None:
    data = build.board_data(board)
    flash = seal.sealed(binary, data["FILES_AT"])
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"felt-{board}.uf2").write_bytes(uf2file.make(flash, data["CHIP"]))
    fresh = folder / f"image.{os.getpid()}"
    fresh.write_bytes(flash)
    os.replace(fresh, folder / "image.bin")  # last: a folder with it is whole
    _prune()


@functools.cache
def of_tests(board: str = "RPI_PICO") -> Image:
    """The image of this checkout, looked up once a process: sources do not change under a test."""
    return make(board)


def make(board: str = "RPI_PICO", release: str = "") -> Image:
    """The image of this checkout for a board; built where it is not kept already."""
    files = inputs(board, release)
    compiler = check_tools()
    fixed = _fixed(board, compiler, files)
    key = _hash(fixed, *[part for name in sorted(files) for part in (name, files[name])])
    folder = packages.cache() / "images" / key
    if not (folder / "image.bin").exists():
        source = tree.make()
        work = packages.cache() / "work" / f"{board}-{fixed}"
        with packages.locked(work):
            if not (folder / "image.bin").exists():  # another process may have been quicker
                _keep(folder, board, compiling.binary(work, board, files, source))
    os.utime(folder)
    return _finished(board, folder)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--board", choices=boards(), default="RPI_PICO")
    parser.add_argument("--out", type=Path, default=OUT)
    args = parser.parse_args()
    start = time.monotonic()
    try:
        image = make(args.board)
    except ImageError as error:
        print(f"image: {error}", file=sys.stderr)
        return 1
    args.out.mkdir(parents=True, exist_ok=True)
    target = args.out / image.uf2.name
    shutil.copyfile(image.uf2, target)
    print(f"{target}: {target.stat().st_size} bytes, {image.room} left before the file system")
    print(f"identity {image.identity}")
    say(f"done in {time.monotonic() - start:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
