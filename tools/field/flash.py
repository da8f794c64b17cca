"""`felt flash`: writes a release's image to a board and proves that it is there.

The image goes over the drive a board shows in BOOTSEL; a table in service mode, or a board with
stock MicroPython, is sent there. Only the program is written: configuration and old rounds stay.
"""

from __future__ import annotations

import argparse
import base64
import json
import time
from pathlib import Path
from typing import Any

from . import boards, drive, label, ports, provision, verify
from .console import ANSWER_S, Console, Refusal, restarted
from .device import Board
from .faults import BACK, NEXT, next_step
from .look import BOOTSEL, MICROPYTHON, TABLE, Found, at_port, marks
from .releases import Release, find, image_name
from .report import FAIL, TODO, Bar, Report
from .saved import typed
from .trouble import Trouble

DRIVE_S = 60.0  # a system may take long to show a drive
BACK_S = max(120.0, ANSWER_S)  # a table measures its image before it answers
LOOK_S = 0.5


def open_round_in_memory(board: Board, name: str) -> bool:
    """A table whose program lay in files, at its prompt: is a round open in critical memory?"""
    data = boards.data(name)
    pins = data["PINS"]
    code = (
        f"from machine import I2C, Pin\nfrom binascii import b2a_base64 as _b\n"
        f"i=I2C({data['BUSES']['FRAM']},sda=Pin({pins['FRAM_SDA']}),scl=Pin({pins['FRAM_SCL']}),freq=400000)\n"
        "try:\n for a in range(0,32768,512):\n"
        "  print(_b(i.readfrom_mem(80,a,512,addrsize=16)).decode(),end='')\nexcept OSError: pass"
    )
    raw = b"".join(base64.b64decode(line) for line in board.run(code).split())
    return bool(raw) and _unfinished(raw, board.read("config.json"))


class _Memory:
    """Critical memory as bytes, for the vault."""

    def __init__(self, raw: bytes) -> None:
        self.data = bytearray(raw)
        self.size = len(raw)

    def readinto(self, at: int, buf: Any) -> None:
        buf[:] = self.data[at : at + len(buf)]

    def write(self, at: int, buf: Any) -> None:
        self.data[at : at + len(buf)] = buf


def _unfinished(raw: bytes, settings: bytes) -> bool:
    from felt.store import config
    from felt.store.vault import Vault
    from felt.table import Table

    try:
        table = Table(config.parse(settings), Vault(_Memory(raw)))
        table.start(0)
    except Exception:  # memory or settings this build does not understand: no open round of ours
        return False
    return table.fault is None and not table.machine.between


def chosen(found: Found, board: str | None) -> str:
    """Which board this is: it says so itself, except in BOOTSEL."""
    if found.trouble is not None:
        raise found.trouble
    if found.kind != BOOTSEL:
        if not found.board or board not in (None, found.board):
            raise Trouble("wrong_board", found.board or found.state, board or "board Felt runs on")
        return found.board
    fit = [n for n in boards.names() if boards.data(n)["CHIP"] == found.facts["chip"]]
    if board is None and len(fit) > 1:
        raise Trouble("bootsel", found.where, " or ".join(fit))
    if board is not None and board not in fit:
        raise Trouble("wrong_board", f"board with an {found.facts['chip'].upper()}", board)
    return board or fit[0]


def refuse_open_round(found: Found) -> None:
    """No program is replaced under a round: a table is asked, an old one's memory is read."""
    if found.kind == TABLE and found.facts.get("between") == "0":
        raise Trouble("changed" if found.fault in BACK else "round_open")
    if found.kind == MICROPYTHON:
        with Board(found.where) as board:
            if "config.json" in board.tree() and open_round_in_memory(board, found.board):
                raise Trouble("round_open")


def write(found: Found, image: bytes, name: str, place: Path | None) -> None:
    """The image onto the board, by way of its drive."""
    chip = boards.data(name)["CHIP"]
    if found.kind != BOOTSEL:
        others = drive.before(chip, place)
        with Board(found.where) as board:
            board.bootsel()
        target = drive.wait(chip, place, DRIVE_S, others)
    else:
        target = drive.Drive(Path(found.where), chip)
    drive.copy(image, target, image_name(name), Bar("writing"))
    drive.vanish(target)


def others(found: Found, back: str | None) -> list[str]:
    """Ports of other boards, before one is written; a board in BOOTSEL will have none of them."""
    there = [port for port in ports.connected() if port != found.where]
    if found.kind == BOOTSEL and back in there:
        raise Trouble("taken", back)
    return there


def come_back(known: str | None, taken: list[str], seconds: float) -> str:
    """The port of a table that starts with its new program; a new board's is not known yet, and
    is none of another's."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for port in [known] if known else [p for p in ports.connected() if p not in taken]:
            try:
                if at_port(port).kind == TABLE:
                    return port
            except Exception:
                pass  # not there yet, or stopped by the restart in the middle of what it said
        time.sleep(LOOK_S)
    raise Trouble("not_back")


def set_identity(board: Board, name: str | None, record: dict[str, Any]) -> dict[str, Any]:
    """Writes identity.json: which table this is, what is on it, since when. The label stays."""
    old = verify.identity(board)
    record["label"] = name if name is not None else old.get("label", "")
    if {**old, "flashed_on": record["flashed_on"]} != record:
        board.write(verify.IDENTITY, json.dumps(record).encode())
        return record
    return old


def self_test(console: Console, report: Report) -> None:
    """The firmware's own test. A table without settings or memory is told what comes next."""
    facts = console.facts()
    fault = facts["fault"].split()[0]
    try:
        lines = console.ask("selftest", None)
        failed = ""
    except Refusal as error:
        lines, failed = console.heard, error.args[1]
    for line in lines:
        if line.startswith("OK "):
            _, part, text = line.split(" ", 2)
            report.add(f"self test: {part}", True, text)
        elif line.startswith("ERROR T"):
            _, code, part, text = line.split(" ", 3)
            new = code == "T4" and fault in ("config", "vault_blank", "files")
            new = new or code == "T12" and fault == "files"
            mark = TODO if new or code not in failed.split() else FAIL
            report.add(f"self test: {part[:-1]}", mark, f"{code} {text}")
    same = facts["build"] == report.facts["build"]
    report.add("identity", same, f"the table says {facts['build'][:12]}")
    if fault in NEXT:
        report.add("next", TODO, next_step(fault))
    elif fault != "none":
        report.add("table", False, f"fault {facts['fault']}")
    else:
        report.add("next", TODO, "keys off, switch the table off and on: it is ready to open")


def settle_in(port: str, args: argparse.Namespace, report: Report, name: str) -> None:
    """After the image: take old programs off the file system, name the table, test it."""
    with Board(port) as board:
        found, facts = board.check(name)
        report.facts.update(facts)
        held = verify.sort_out(list(board.tree()))
        board.remove(held.code)
        if held.code:
            report.add("old program", True, f"{len(held.code)} files taken off")
        today = time.strftime("%Y-%m-%d %H:%M")
        build = report.facts["build"]
        record = {"board": found, "id": facts["id"], "build": build, "flashed_on": today}
        if not facts["free"]:  # a new board: nothing can be kept on it yet
            record["label"] = args.label or ""
        else:
            record = set_identity(board, args.label, record)
        report.facts["label"] = record["label"]
        report.add("board identity", True, f"{record['label'] or '(no label)'} {record['id']}")
        console = restarted(board)
        told = provision.facts(console)
        report.extra["label.html"] = label.page(record, marks(told))
        verify.tell_marks(told, report)
        if args.self_test:
            self_test(console, report)
        else:
            report.add("self test", TODO, "left out on request")


def flash(found: Found, args: argparse.Namespace, report: Report) -> None:
    """Does it all; the report has a row for each step, also when it stops in the middle."""
    name = chosen(found, args.board)
    refuse_open_round(found)
    release = Release(find(args.release))
    report.add("signature", *release.signature())  # before any file of it is believed
    report.facts.update(port=found.where, board=name, build=release.identity(name))
    report.add("release", True, f"{release.folder}, {name}, build {report.facts['build'][:12]}")
    port = found.where
    if found.build == report.facts["build"] and not args.again:
        report.add("written", True, "nothing: this build is on the board")
    else:
        image = release.image(name)
        taken = others(found, args.back)
        write(found, image, name, args.drive)
        report.add("written", True, f"{len(image)} bytes; configuration and old rounds untouched")
        port = come_back(args.back if found.kind == BOOTSEL else found.where, taken, BACK_S)
    settle_in(port, args, report, name)


def add(parser: argparse.ArgumentParser) -> None:
    verify.options(parser)
    parser.add_argument("--drive", type=Path, help="where the board's BOOTSEL drive is")
    parser.add_argument("--back", metavar="PORT", help="port a board in BOOTSEL will have then")
    parser.add_argument(
        "--label", type=typed, help="name of the table, for example 'Pit 3 table 12'"
    )
    parser.add_argument("--again", action="store_true", help="write it although it is there")
    parser.add_argument("--no-self-test", dest="self_test", action="store_false",
                        help="write and compare only")  # fmt: skip
