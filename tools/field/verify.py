"""`make verify`: compares a table with a build, every file and the interpreter; writes nothing.

The hashes are computed by stock MicroPython on the board, not by our firmware; `--bytes` also
reads every file back and compares it here.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mpremote.transport import TransportExecError

from tools.field import device
from tools.field.device import Board
from tools.field.report import PASS, Bar, Report
from tools.field.trouble import Trouble, told
from tools.image import build, uf2file

IDENTITY = "identity.json"
# What a table has of its own: never compared, never removed.
OWN = ("config.json", "config.json.new", IDENTITY, "rounds/")


@dataclass
class Difference:
    """What a board has other than a build."""

    missing: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)
    extra: list[str] = field(default_factory=list)
    same: list[str] = field(default_factory=list)

    @property
    def to_copy(self) -> list[str]:
        return self.missing + self.changed

    @property
    def none(self) -> bool:
        return not (self.missing or self.changed or self.extra)


def is_own(name: str) -> bool:
    return any(name == own or (own.endswith("/") and name.startswith(own)) for own in OWN)


def identity(board: Board) -> dict[str, Any]:
    """Which table this is and since when it has its program; empty on a new board."""
    try:
        return json.loads(board.read(IDENTITY))
    except (ValueError, TransportExecError):
        return {}


def compare(board: Board, files: dict[str, bytes]) -> Difference:
    """Sizes first, then hashes of what has the right size."""
    held = board.tree()
    found = Difference(extra=sorted(n for n in held if n not in files and not is_own(n)))
    alike = [name for name in sorted(files) if held.get(name) == len(files[name])]
    hashes = board.hashes(alike, Bar("comparing"))
    for name in sorted(files):
        if name not in held:
            found.missing.append(name)
        elif hashes.get(name) != hashlib.sha256(files[name]).hexdigest():
            found.changed.append(name)
        else:
            found.same.append(name)
    return found


def load(release: Path | None, board: str) -> dict[str, bytes]:
    """The files to compare with: a release's zip, or this checkout's build."""
    if release is None:
        return build.bundle(board)
    path = release / f"felt-{board}.zip" if release.is_dir() else release
    try:
        with zipfile.ZipFile(path) as archive:
            files = {name: archive.read(name) for name in archive.namelist()}
    except (OSError, zipfile.BadZipFile):
        raise Trouble("no_file", f"{path} is no release of {board}.") from None
    if files.get(build.MANIFEST) != build.manifest(files):
        raise Trouble("no_file", f"{path} is damaged: its files are not those of its manifest.")
    return files


def list_differences(report: Report, found: Difference) -> None:
    for what in ("missing", "changed", "extra"):
        names = getattr(found, what)
        report.add(f"{what} files", not names, ", ".join(names) or "none")


def interpreter(board: Board, report: Report) -> None:
    """MicroPython itself, against the official image where that is at hand."""
    official = uf2file.official()
    if official is None:
        report.add("MicroPython", "TO DO", "official image not at hand, not compared")
        return
    image = uf2file.flat(official.read_bytes())
    step, wrong = 16384, []
    for at in range(0, len(image), step):
        n = min(step, len(image) - at)
        code = f"import uctypes\nh=sha256(uctypes.bytearray_at({uf2file.BASE + at},{n}))\n"
        code += "print(hexlify(h.digest()).decode())"
        if board.run(code).strip() != hashlib.sha256(image[at : at + n]).hexdigest():
            wrong.append(f"{at:#x}")
    report.add(
        "MicroPython",
        not wrong,
        f"{official.name}: " + ("differs at " + ", ".join(wrong) if wrong else "same"),
    )


def every_byte(board: Board, report: Report, files: dict[str, bytes]) -> None:
    bar = Bar("reading")
    wrong = []
    for count, (name, data) in enumerate(sorted(files.items())):
        if board.read(name) != data:
            wrong.append(name)
        bar(count + 1, len(files))
    report.add(
        "every byte",
        not wrong,
        ", ".join(wrong) or f"{sum(map(len, files.values()))} bytes the same",
    )


def verify(port: str, args: Any) -> Report:
    """Compares and reports; the board is only read."""
    report = Report("Verification of a table", {"port": port})
    with Board(port) as board:
        name, facts = board.check(args.board)
        files = load(args.release, name)
        wanted = build.digest(files)
        own = identity(board)
        report.facts.update(board=name, **facts, build=wanted, label=own.get("label", ""))
        report.facts["flashed_on"] = own.get("flashed_on", "")
        found = compare(board, files)
        list_differences(report, found)
        manifest = board.hashes([build.MANIFEST]).get(build.MANIFEST, "none")
        report.add("identity", manifest == wanted, f"table {manifest[:12]}, build {wanted[:12]}")
        report.facts["configuration"] = board.hashes(["config.json"]).get("config.json", "none")
        if args.bytes and not found.to_copy:
            every_byte(board, report, files)
        if args.interpreter and name == "RPI_PICO":
            interpreter(board, report)
    return report


def parser(description: str) -> argparse.ArgumentParser:
    """Options every tool with a board and a build has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--port", help="serial port; found by itself when there is one board")
    made.add_argument("--board", choices=[n for n in build.board_names() if n != "VIRTUAL"])
    made.add_argument(
        "--release", type=Path, help="a release's folder or zip; else this checkout's build"
    )
    made.add_argument("--reports", type=Path, help="folder for the report (build/reports)")
    return made


def main() -> int:
    options = parser(__doc__.splitlines()[0])
    options.add_argument("--bytes", action="store_true", help="read every file back as well")
    options.add_argument("--no-interpreter", dest="interpreter", action="store_false",
                         help="do not compare MicroPython itself")  # fmt: skip
    args = options.parse_args()
    report = verify(device.find_port(args.port or None), args)
    same = "" if report.outcome == PASS else "  (of the build; this table differs from it)"
    print(f"identity {report.facts['build']}{same}")
    return report.finish("verify", args.reports)


if __name__ == "__main__":
    sys.exit(told(main))
