"""`make release`: the folder a technician carries, the same bytes from every run.

An image a board, the wheel with the command `felt`, the technician's page, checksums and notes.
Copying a .uf2 onto the board's drive leaves the file system alone, unless settings are put in:
then it makes a new table, as the demonstration's does. Without an image there is no release.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from tools.field import signing, uf2file
from tools.field.releases import MANIFEST, SUMS, image_name
from tools.field.trouble import told
from tools.image import build, compiling, fsimage, image, packages, pages, wheel
from tools.paths import BUILD, ROOT

OUT = BUILD / "release"
DEMONSTRATION = ROOT / "tools" / "configs" / "premium.json"
EPOCH = 315532800  # 1980-01-01


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


def wheel_number(version: str) -> str:
    """A version pip understands; before the first release there is none."""
    return "0.0.0" if version == "unreleased" else version


def changes() -> str:
    """The newest section of the change log."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    sections = re.split(r"^(?=## \[)", text, flags=re.M)
    return sections[1].strip() + "\n" if len(sections) > 1 else ""


def flash_of(made: image.Image, settings: bytes | None) -> bytes:
    """What the .uf2 writes: the image; with settings a whole new file system as well."""
    flash = made.flash.read_bytes()
    if settings is None:
        return flash
    blocks = fsimage.BLOCKS_OF[build.board_data(made.board)["CHIP"]]
    return flash + fsimage.make({"config.json": settings}, blocks)


def demonstration() -> bytes:
    """Settings of a bare board on a desk: marked as a demonstration, nothing is plugged in."""
    doc = json.loads(DEMONSTRATION.read_text(encoding="utf-8"))
    doc.update(demonstration=True, sensors=False, table_name="Demonstration")
    return json.dumps(doc).encode()


def notes(about: dict[str, Any], program: str) -> str:
    """What is in the folder; `program` is the wheel's whole name, which cmd.exe needs."""
    rows = [f"| {board} | `{identity}` |" for board, identity in sorted(about["builds"].items())]
    return (
        f"# Felt {about['version']}{'' if about['signed'] else ', unsigned development build'}"
        "\n\n| board | identity |\n|---|---|\n"
        + "\n".join(rows)
        + "\n\nThe identity is on the table's display, on its console and in `felt verify`; the\n"
        "first 12 digits are enough to tell builds apart.\n\n"
        f"Begin with technician.html. Install: pipx install ./{program}, then: felt\n"
        f"This takes {', '.join(wheel.NEEDS)} from the network, once.\n\n"
        f"MicroPython {compiling.TAG}, compiled by {about['compiler']}.\n\n{changes()}"
    )


def make(
    boards: list[str], settings: bytes | None = None, signed: bool = False
) -> dict[str, bytes]:
    """The files of a release, {name: bytes}; ImageError where an image cannot be built.

    `signed`: it will be; its images do not call themselves unsigned.
    """
    out: dict[str, bytes] = {}
    about: dict[str, Any] = {
        "version": number(),
        "signed": signed,
        "date": epoch(),
        "builds": {},
        "compiler": image.check_tools(),
        "packages": {p.name: p.version for p in packages.PACKAGES},
    }
    for board in boards:
        made = image.make(board, number() if signed else "")
        about["builds"][board] = made.identity
        chip = build.board_data(board)["CHIP"]
        out[image_name(board)] = uf2file.make(flash_of(made, settings), chip)
        demo = flash_of(made, demonstration())
        out[image_name(board, demo=True)] = uf2file.make(demo, chip)
    name, data = wheel.make(wheel_number(about["version"]))
    out[name] = data
    out["technician.html"] = pages.technician().encode()
    out[MANIFEST] = (json.dumps(about, indent=1, sort_keys=True) + "\n").encode()
    out["NOTES.md"] = notes(about, name).encode()
    sums = [f"{hashlib.sha256(out[name]).hexdigest()}  {name}\n" for name in sorted(out)]
    out[SUMS] = "".join(sums).encode()
    return out


def clear(folder: Path) -> None:
    """Take an older release away: no file or signature of it may pass for the new one."""
    (folder / signing.SIGNATURE).unlink(missing_ok=True)
    try:
        lines = (folder / SUMS).read_text(encoding="utf-8").splitlines()
    except OSError:
        return
    for name in [line.split("  ", 1)[1] for line in lines] + [SUMS]:
        (folder / name).unlink(missing_ok=True)


def main() -> int:
    known = image.boards()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--board", choices=known, action="append", help="only these (all boards)")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument(
        "--config", type=Path, help="make the .uf2 of a new table with this configuration"
    )
    parser.add_argument("--sign", type=Path, metavar="KEY", help="sign it with this Ed25519 key")
    args = parser.parse_args()
    settings = None
    if args.config:
        from tools.field import configuration

        settings = configuration.checked(args.config)[0]
    try:
        if args.sign:
            signing.check_key(args.sign)
        files = make(args.board or known, settings, bool(args.sign))
        clear(args.out)
        build.write(files, args.out)
        if args.sign:
            signing.sign(args.out, args.sign)
    except (packages.ImageError, signing.NotSigned) as error:
        print(f"no release: {error}", file=sys.stderr)
        return 1
    for name in sorted(files):
        print(f"{len(files[name]):9}  {hashlib.sha256(files[name]).hexdigest()[:12]}  {name}")
    for board, identity in sorted(json.loads(files[MANIFEST])["builds"].items()):
        print(f"identity {board} {identity}")
    print("signed" if args.sign else "unsigned development build: make release SIGN=KEY signs")
    return 0


if __name__ == "__main__":
    sys.exit(told(main))
