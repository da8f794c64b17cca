"""Freezes, compiles and links an image. A change of this file is a change of every image."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from tools.image import tree
from tools.image.packages import ImageError, say

TAG = "v1.25.0"
DATE = "1744675200"  # of that release: no clock may reach the image


def stage(files: dict[str, bytes], folder: Path) -> None:
    """Make `folder` hold exactly `files`; what did not change is not touched."""
    for path in [p for p in folder.rglob("*") if p.is_file()]:
        if path.relative_to(folder).as_posix() not in files:
            path.unlink()
    for name, data in files.items():
        path = folder / name
        if not path.exists() or path.read_bytes() != data:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)


def _environment(source: Path, work: Path) -> dict[str, str]:
    """What the build may know: no clock, no folder names, no settings of the caller's."""
    flags = f"-ffile-prefix-map={source}=micropython -ffile-prefix-map={work}=work"
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.environ.get("HOME", "/"),
        "LC_ALL": "C",
        "SOURCE_DATE_EPOCH": DATE,
        "MICROPY_GIT_TAG": TAG,
        "MICROPY_GIT_HASH": "felt",
        "MICROPY_MPYCROSS": str(tree.mpy_cross(source)),
        "CFLAGS": flags,
        "CXXFLAGS": flags,
        "ASMFLAGS": flags,
    }


def _step(text: str, command: list[str], env: dict[str, str], log: Path) -> None:
    say(text)
    with log.open("ab") as out:
        done = subprocess.run(command, env=env, stdout=out, stderr=subprocess.STDOUT)
    if done.returncode:
        tail = log.read_text(errors="replace").splitlines()[-15:]
        raise ImageError("\n".join([f"{text} failed, the whole log is {log}", *tail]))


def binary(work: Path, board: str, files: dict[str, bytes], source: Path) -> bytes:
    """Freeze, compile and link in `work`; return the binary as it lies in flash."""
    stage(files, work / "stage")
    made, env, log = work / "made", _environment(source, work), work / "log.txt"
    log.unlink(missing_ok=True)
    # Its files name folders: of a cache that was copied or moved they would freeze other sources.
    place = made / "place"
    if made.exists() and not (place.exists() and place.read_text() == f"{work}\n{source}\n"):
        shutil.rmtree(made)
    if not (made / "build.ninja").exists():
        python = getattr(sys, "_base_executable", sys.executable)
        options = {
            "MICROPY_BOARD": board,
            "MICROPY_BOARD_DIR": work / "stage" / "boards" / board,
            "PICO_BUILD_DOCS": 0,
            "PICO_NO_PICOTOOL": 1,
            "Python3_EXECUTABLE": python,
        }
        named = [f"-D{key}={value}" for key, value in options.items()]
        command = ["cmake", "-S", str(source / "ports" / "rp2"), "-B", str(made), "-G", "Ninja"]
        _step(f"configuring MicroPython for {board}", [*command, *named], env, log)
        place.write_text(f"{work}\n{source}\n")
    first = not (made / "firmware.bin").exists()
    told = "compiling MicroPython (a minute or two)" if first else "freezing what changed"
    _step(told, ["ninja", "-C", str(made)], env, log)
    return (made / "firmware.bin").read_bytes()
