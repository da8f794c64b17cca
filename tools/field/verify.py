"""`make verify`: compares a table's program with a build, as it lies in flash; writes nothing.

The board hashes its flash piece by piece; `--bytes` reads every byte back and compares it here.
Files that look like code are reported: none belongs on a table, none is ever run.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import sys
from pathlib import Path
from typing import Any

from felt.program import CODE
from mpremote.transport import TransportExecError

from tools.field import device
from tools.field.device import Board
from tools.field.report import PASS, Bar, Report
from tools.field.trouble import Trouble, told
from tools.image import build, image, packages, seal, uf2file

IDENTITY = "identity.json"
STEP = 16384


def identity(board: Board) -> dict[str, Any]:
    """Which table this is and since when it has its program; empty on a new board."""
    try:
        return json.loads(board.read(IDENTITY))
    except (ValueError, TransportExecError):
        return {}


def uf2_of(release: Path | None, board: str) -> Path:
    """The .uf2 of a release's folder, the file itself, or this checkout's."""
    if release is None:
        try:
            return image.make(board).uf2
        except packages.ImageError as error:
            raise Trouble("no_file", str(error)) from None
    path = release / f"felt-{board}.uf2" if release.is_dir() else release
    if not path.exists():
        raise Trouble("no_file", f"{path} is no release of {board}.")
    return path


def load(release: Path | None, board: str) -> bytes:
    """The flash of a build, up to the file system; Trouble when the file is not whole."""
    path = uf2_of(release, board)
    try:
        flash = uf2file.flat(path.read_bytes())[: build.board_data(board)["FILES_AT"]]
        whole = seal.whole(flash)
    except (ValueError, packages.ImageError):
        whole = False
    if not whole:
        raise Trouble("no_file", f"{path} is damaged: it is not what it was sealed as.")
    return flash


def pieces(flash: bytes) -> list[tuple[int, bytes]]:
    """What a build fills: the image in pieces, and its seal."""
    end = seal.length(flash)
    found = [(at, flash[at : min(at + STEP, end)]) for at in range(0, end, STEP)]
    return [*found, (len(flash) - seal.SIZE, flash[-seal.SIZE :])]


def differing(board: Board, flash: bytes, whole: bool) -> list[str]:
    """Where the board's flash is another, by its hashes, or byte by byte."""
    wrong = []
    bar = Bar("reading" if whole else "comparing")
    parts = pieces(flash)
    for count, (at, wanted) in enumerate(parts):
        view = f"import uctypes\nm=uctypes.bytearray_at({uf2file.BASE + at},{len(wanted)})\n"
        if whole:
            code = "from binascii import b2a_base64 as _b\nfor i in range(0,len(m),384):\n"
            text = board.run(view + code + " print(_b(m[i:i+384]).decode(),end='')")
            same = b"".join(base64.b64decode(line) for line in text.split()) == wanted
        else:
            found = board.run(view + "print(hexlify(sha256(m).digest()).decode())").strip()
            same = found == hashlib.sha256(wanted).hexdigest()
        if not same:
            wrong.append(f"{at:#x}")
        bar(count + 1, len(parts))
    return wrong


def add_program(report: Report, board: Board, flash: bytes, whole: bool) -> None:
    """Rows about the program: its flash, and files that look like one."""
    wrong = differing(board, flash, whole)
    said = "differs at " + ", ".join(wrong) if wrong else f"{seal.length(flash)} bytes the same"
    report.add("every byte" if whole else "program", not wrong, said)
    stray = [name for name in board.tree() if name.endswith(CODE)]
    report.add("files that look like code", not stray, ", ".join(sorted(stray)) or "none")


def verify(port: str, args: Any) -> Report:
    """Compares and reports; the board is only read."""
    report = Report("Verification of a table", {"port": port})
    with Board(port) as board:
        name, facts = board.check(args.board)
        flash = load(args.release, name)
        own = identity(board)
        report.facts.update(board=name, **facts, build=seal.identity(flash))
        report.facts["label"] = own.get("label", "")
        report.facts["flashed_on"] = own.get("flashed_on", "")
        add_program(report, board, flash, args.bytes)
        report.facts["configuration"] = board.hashes(["config.json"]).get("config.json", "none")
    return report


def parser(description: str) -> argparse.ArgumentParser:
    """Options every tool with a board and a build has."""
    made = argparse.ArgumentParser(description=description)
    made.add_argument("--port", help="serial port; found by itself when there is one board")
    made.add_argument("--board", choices=image.boards())
    made.add_argument(
        "--release", type=Path, help="a release's folder or .uf2; else this checkout's build"
    )
    made.add_argument("--reports", type=Path, help="folder for the report (build/reports)")
    return made


def main() -> int:
    options = parser((__doc__ or "").splitlines()[0])
    options.add_argument("--bytes", action="store_true", help="read every byte back")
    args = options.parse_args()
    report = verify(device.find_port(args.port or None), args)
    same = "" if report.outcome == PASS else "  (of the build; this table differs from it)"
    print(f"identity {report.facts['build']}{same}")
    return report.finish("verify", args.reports)


if __name__ == "__main__":
    sys.exit(told(main))
