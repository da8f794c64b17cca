"""Build the RP2040 emulator for this very Python: the same code, about four times as fast.

The published wheel keeps to Python's stable interface, which is slow for it. Where a C compiler
and Python's headers are at hand the pinned source is compiled without that limit, once: the
wheel is kept in the cache folder outside the checkout. Without a compiler the published one stays.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
from importlib import metadata
from pathlib import Path

from tools.emulator.uf2 import cache_folder, find_uf2

VERSION = metadata.version("rp2040py")
SOURCE_SHA256 = "01ee97436c5338995249e05d61f3dc07fb1bab5fd154828c681260048aa25809"
BUILD_WITH = "setuptools==84.2.1\nsetuptools-scm==10.3.4\ncython==3.3.1\nwheel==0.48.0\n"
LIMIT, NO_LIMIT = "USE_LIMITED_API = (", "USE_LIMITED_API = False and ("


class CannotBuild(Exception):
    """The published wheel stays in use; the text says why."""


def pip(*args: str | Path, env: dict[str, str] | None = None) -> None:
    command = [sys.executable, "-m", "pip", *map(str, args), "-q", "--disable-pip-version-check"]
    done = subprocess.run(command, env=os.environ | (env or {}), capture_output=True, text=True)
    if done.returncode:
        raise CannotBuild((done.stderr.strip() or "pip failed").splitlines()[-1])


def limited() -> bool:
    """True while the emulator in use keeps to the stable interface."""
    return "abi3" in (metadata.distribution("rp2040py").read_text("WHEEL") or "")


def can_compile() -> None:
    compiler = (sysconfig.get_config_var("CC") or "cc").split()[0]
    if not shutil.which(compiler):
        raise CannotBuild(f"no C compiler ({compiler})")
    if not (Path(sysconfig.get_paths()["include"]) / "Python.h").exists():
        raise CannotBuild("no Python headers (apt-get install python3-dev)")


def source(folder: Path, env: dict[str, str]) -> Path:
    """The pinned source, unpacked, with its limit to the stable interface taken off."""
    exact = f"rp2040py=={VERSION}"
    pip("download", "--no-deps", "--no-binary", ":all:", exact, "-d", folder, env=env)
    packed = folder / f"rp2040py-{VERSION}.tar.gz"
    if hashlib.sha256(packed.read_bytes()).hexdigest() != SOURCE_SHA256:
        raise CannotBuild(f"{packed.name} is not the pinned source: its SHA-256 differs")
    with tarfile.open(packed) as tar:
        tar.extractall(folder, filter="data")
    setup = folder / f"rp2040py-{VERSION}" / "setup.py"
    text = setup.read_text(encoding="utf-8")
    if text.count(LIMIT) != 1:
        raise CannotBuild("its setup.py has no such limit")
    setup.write_text(text.replace(LIMIT, NO_LIMIT), encoding="utf-8")
    return setup.parent


def compiled(shelf: Path) -> Path:
    """Compile a wheel onto the shelf and return it."""
    can_compile()
    if find_uf2() is None:
        raise CannotBuild("no RP2040 image to run")
    print("compiling the emulator for this Python, once (about a minute)", flush=True)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "with.txt").write_text(BUILD_WITH)
        pins = f"{folder}/with.txt"  # newer pips look at the second name only
        env = {"PIP_CONSTRAINT": pins, "PIP_BUILD_CONSTRAINT": pins}
        env["SETUPTOOLS_SCM_PRETEND_VERSION_FOR_RP2040PY"] = VERSION
        pip("wheel", "--no-deps", "-w", folder / "out", source(folder, env), env=env)
        wheel = next((folder / "out").glob("*.whl"))
        if "abi3" in wheel.name or "none-any" in wheel.name:
            raise CannotBuild(f"the compiler made {wheel.name}")
        shelf.mkdir(parents=True, exist_ok=True)
        return Path(shutil.move(wheel, shelf / wheel.name))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--stock", action="store_true", help="go back to the published wheel")
    args = parser.parse_args()
    shelf = cache_folder() / f"emulator-{sys.implementation.cache_tag}-{sysconfig.get_platform()}"
    try:
        if args.stock:
            pip("install", "--no-deps", "--force-reinstall", f"rp2040py=={VERSION}")
        elif limited():
            kept = next(shelf.glob(f"rp2040py-{VERSION}-*.whl"), None) or compiled(shelf)
            pip("install", "--no-deps", "--force-reinstall", kept)
    except CannotBuild as reason:
        print(f"emulator: the published wheel, four times slower: {reason}")
        return int(args.stock)
    print("emulator:", "the published wheel" if args.stock else "compiled for this Python")
    return 0


if __name__ == "__main__":
    sys.exit(main())
