"""`felt verify`: compares a table with a release, its flash and its files; writes nothing.

The table's own word is its identity; the flash is also hashed piece by piece through MicroPython's
prompt, and with `--bytes` every byte of it is read and compared here.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mpremote.transport import TransportExecError

from . import boards, console, seal, uf2file
from .device import Board
from .configuration import DEMO
from .provision import facts
from .releases import Release, find
from .report import FAIL, TODO, Bar, Report, concluded
from .trouble import Trouble

TITLE = "Verification of a table"
IDENTITY = "identity.json"
RELEASE = "release"  # the row about the stick; every other one is about the table
# What a table has of its own: never removed.
OWN = ("config.json", "config.json.new", IDENTITY, "pit.key", "rounds/", "settings/")
CODE = (".py", ".mpy", ".pyc", ".uf2", ".bin", ".elf")
OLD = ("manifest.txt", "lang/en.txt")  # of a table whose program lay in files
PIECE = 16384
READ = 3072  # at once: mpremote copies all of an answer for each of its bytes


@dataclass
class Files:
    """What lies on a table's file system beside its own."""

    code: list[str]
    other: list[str]


def sort_out(names: list[str]) -> Files:
    """Programs have no place there; anything else that is not the table's is only told."""

    def own(name: str) -> bool:
        return any(name == o or (o.endswith("/") and name.startswith(o)) for o in OWN)

    found = Files([], [])
    for name in sorted(name for name in names if not own(name)):
        code = name.endswith(CODE) or name.removesuffix(".new") in OLD
        (found.code if code else found.other).append(name)
    return found


def identity(board: Board) -> dict[str, Any]:
    """Which table this is and since when it has its program; empty on a new board."""
    try:
        return json.loads(board.read(IDENTITY))
    except (ValueError, TransportExecError):
        return {}


def pieces(flash: bytes) -> list[tuple[int, int]]:
    """(start, length) of what must be in flash: the image's sectors and the seal's."""
    end = -(-seal.length(flash) // uf2file.SECTOR) * uf2file.SECTOR
    starts = [(at, min(PIECE, end - at)) for at in range(0, end, PIECE)]
    return [*starts, (len(flash) - seal.SIZE, seal.SIZE)]


def hashed(board: Board, flash: bytes) -> list[str]:
    """Addresses of pieces whose SHA-256 differs on the board."""
    wrong, parts, bar = [], pieces(flash), Bar("comparing")
    board.run("import uctypes")
    for count, (at, size) in enumerate(parts):
        code = f"print(hexlify(sha256(uctypes.bytearray_at({uf2file.BASE + at},{size})).digest())"
        if board.run(code + ".decode())").strip() != _sha(flash[at : at + size]):
            wrong.append(f"{at:#x}")
        bar(count + 1, len(parts))
    return wrong


def read(board: Board, flash: bytes) -> list[str]:
    """Addresses of pieces that differ, every byte read back."""
    wrong, bar = [], Bar("reading")
    parts = [
        (at + i, min(READ, size - i)) for at, size in pieces(flash) for i in range(0, size, READ)
    ]
    board.run("import uctypes\nfrom binascii import b2a_base64 as _b")
    for count, (at, size) in enumerate(parts):
        code = f"m=uctypes.bytearray_at({uf2file.BASE + at},{size})\n"
        code += f"for i in range(0,{size},768):\n print(_b(m[i:i+768]).decode(),end='')"
        back = b"".join(base64.b64decode(line) for line in board.run(code).split())
        if back != flash[at : at + size]:
            wrong.append(f"{at:#x}")
        bar(count + 1, len(parts))
    return wrong


def _sha(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def compare(board: Board, report: Report, flash: bytes, every_byte: bool) -> None:
    """The flash and the files of a board at its prompt."""
    total = sum(size for _, size in pieces(flash))
    wrong = hashed(board, flash)
    report.add("flash", not wrong, "differs at " + ", ".join(wrong) if wrong else f"{total} bytes")
    if every_byte and not wrong:
        wrong = read(board, flash)
        text = "differs at " + ", ".join(wrong) if wrong else f"{total} bytes read back, the same"
        report.add("every byte", not wrong, text)
    held = sort_out(list(board.tree()))
    report.add("code in files", not held.code, ", ".join(held.code) or "none")
    if held.other:
        report.add("other files", TODO, ", ".join(held.other))
    found = board.hashes(["config.json"]).get("config.json", "none")
    report.facts["configuration"] = found


def tell_marks(told: dict[str, Any], report: Report) -> None:
    """A demonstration, and wheel weights nobody approved, are in every report, by the table's own
    word."""
    if told["demonstration"]:
        report.add("demonstration", TODO, DEMO)
    if "weights" in told:
        report.add("wheel weights", TODO, told["weights"])


def judge_release(release: Release, report: Report) -> None:
    """The stick itself, before a table is asked: what is wrong there is not the table's fault."""
    report.add("signature", *release.signature())
    wrong = release.damaged()
    text = f"{release.folder}: {len(release.sums)} files"
    if wrong:
        text = f"{release.folder}: damaged or missing: {', '.join(wrong)}; copy the release again"
    report.add(RELEASE, not wrong, text)


def verify(port: str, args: argparse.Namespace, report: Report) -> None:
    """Compares and reports; the board is only read."""
    release = Release(find(args.release))
    judge_release(release, report)
    link = console.connect(port)
    told = facts(link)
    link.link.close()
    wanted = release.identity(told["board"])  # before the prompt: nobody needs to leave it then
    with Board(port) as board:
        name, found = board.check(args.board)
        own = identity(board)
        report.facts.update(board=name, **found, build=wanted, label=own.get("label", ""))
        report.facts["flashed_on"] = own.get("flashed_on", "")
        mine = told["build"]
        report.add("identity", mine == wanted, f"table {mine[:12]}, release {wanted[:12]}")
        tell_marks(told, report)
        compare(board, report, release.flash(name), args.bytes)
        console.restarted(board)


def options(parser: argparse.ArgumentParser) -> None:
    """Options every command with a board and a release has."""
    parser.add_argument("--port", help="serial port; found by itself when there is one board")
    parser.add_argument("--board", choices=boards.names())
    parser.add_argument("--release", type=Path, help="a release's folder; else the one we are in")
    parser.add_argument("--reports", type=Path, help="folder for the report")
    parser.add_argument("--all", action="store_true", help="every board that is connected")


def add(parser: argparse.ArgumentParser) -> None:
    options(parser)
    parser.add_argument("--bytes", action="store_true", help="read every byte of flash back too")


def run(port: str, args: argparse.Namespace) -> int:
    report = Report(TITLE, {"port": port})

    def steps() -> None:
        try:
            verify(port, args, report)
        except seal.SealError as error:
            raise Trouble("no_file", f"{error}. Copy the release again.") from None
        differs = any(outcome == FAIL and name != RELEASE for name, outcome, _ in report.rows)
        same = "  (of the release; this table differs from it)" if differs else ""
        print(f"identity {report.facts['build']}{same}")

    return concluded(steps, report, "verify", args.reports)
