"""The technician's program as a wheel: the room tools/field as the package `felt_field`.

Written here byte by byte, so that a release is the same from every run. What the field tools need
of the project (the firmware's own checks, board data, examples) lies inside, under `data/`.
"""

from __future__ import annotations

import base64
import hashlib
from importlib.metadata import version
from pathlib import Path

from tools.field.places import wheel_name
from tools.image.archive import zip_of
from tools.paths import BOARDS, FIRMWARE, ROOT, SHIMS

PACKAGE = "felt_field"
NEEDS = ("mpremote", "platformdirs", "pyserial", "segno")  # with what these need: all is pinned
PIT = ("paho-mqtt", "psycopg", "psycopg-binary")  # of requirements-pit.txt, with aiohttp
PIT_TABLES = (
    "__main__.py",
    "broker.py",
    "delivery.py",
    "tables.py",
)  # the pit on one PC: only in a checkout
DATA = {  # folder in the wheel: where it comes from, which files
    "firmware": (FIRMWARE, "felt/**/*.py"),
    "firmware/lang": (FIRMWARE / "lang", "*.txt"),
    "shims": (SHIMS, "*.py"),
    "boards": (BOARDS, "*/board.*"),
    "configs": (ROOT / "tools" / "configs", "*.json"),
    "tools/data": (ROOT / "tools" / "data", "illustrative_weights.json"),
}


def _from(folder: Path, pattern: str) -> dict[str, bytes]:
    paths = sorted(path for path in folder.glob(pattern) if "__pycache__" not in path.parts)
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in paths}


def contents() -> dict[str, bytes]:
    """The package's files by their place in site-packages."""
    files = {f"{PACKAGE}/{n}": d for n, d in _from(ROOT / "tools" / "field", "*.py").items()}
    for pattern in ("*.py", "static/*"):
        for name, data in _from(ROOT / "tools" / "pit", pattern).items():
            if name not in PIT_TABLES:
                files[f"{PACKAGE}/pit/{name}"] = data
    for place, (folder, pattern) in DATA.items():
        for name, data in _from(folder, pattern).items():
            files[f"{PACKAGE}/data/{place}/{name}"] = data
    return files


def _hash(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


def _pit_needs() -> str:
    """Requirements of the extra `pit`, by the same locks as everything else."""
    locked = (ROOT / "requirements-pit.txt").read_text(encoding="utf-8").split()
    wanted = [line for line in locked if line.partition("==")[0] in PIT]
    wanted.append(f"aiohttp=={version('aiohttp')}")
    rows = [f"Requires-Dist: {each}; extra == 'pit'\n" for each in sorted(wanted)]
    return "Provides-Extra: pit\n" + "".join(rows)


def about(number: str) -> dict[str, bytes]:
    """The wheel's own files, except its record."""
    needs = "".join(f"Requires-Dist: {name}=={version(name)}\n" for name in NEEDS)
    return {
        "METADATA": (
            f"Metadata-Version: 2.1\nName: felt-field\nVersion: {number}\n"
            "Summary: Flash, verify, provision and report Felt tables\n"
            f"Requires-Python: >=3.10\n{needs}{_pit_needs()}"
        ).encode(),
        "WHEEL": b"Wheel-Version: 1.0\nGenerator: felt\nRoot-Is-Purelib: true\n"
        b"Tag: py3-none-any\n",
        "entry_points.txt": f"[console_scripts]\nfelt = {PACKAGE}.start:main\n".encode(),
    }


def make(number: str) -> tuple[str, bytes]:
    """(file name, bytes) of the wheel of this checkout."""
    inside = f"{PACKAGE}-{number}.dist-info"
    files = contents() | {f"{inside}/{name}": data for name, data in about(number).items()}
    rows = [f"{name},sha256={_hash(data)},{len(data)}\n" for name, data in sorted(files.items())]
    files[f"{inside}/RECORD"] = "".join([*rows, f"{inside}/RECORD,,\n"]).encode()
    return wheel_name(number), zip_of(files)
