"""`make flash`: puts a build on a board and proves that it is there.

One .uf2 goes to the board's drive: of a board in BOOTSEL (give BOARD=), or of a running one with
the service key on, which is sent there. Configuration and archive stay. An interrupted copy leaves
an image that is not what its seal says, or none: the same command again completes it.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import sys
import time
from glob import glob
from pathlib import Path
from typing import Any

from felt.program import CODE

from tools.field import device, verify
from tools.field.console import Console, Refusal, restarted
from tools.field.device import Board
from tools.field.report import FAIL, TODO, Bar, Report
from tools.field.trouble import EXPECTED, Trouble, of
from tools.image import build, seal

CHUNK = 65536
DRIVE_S = 30  # a desktop takes its time to mount the drive


def refuse_open_round(port: str) -> bool:
    """Asks a service console that is running, in the table's own words; False when none is."""
    link = device.open_serial(port, timeout=0.1)
    console = Console(link)
    try:
        if console.found() != "console":
            return False
        if console.facts().get("between") == "0":
            raise Trouble("round_open")
        return True
    finally:
        link.close()


def open_round_in_memory(board: Board, name: str) -> bool:
    """The same where the program on the board cannot run: its critical memory, folded here."""
    data = build.board_data(name)
    pins = data["PINS"]
    code = (
        f"from machine import I2C, Pin\nfrom binascii import b2a_base64 as _b\n"
        f"i=I2C({data['BUSES']['FRAM']},sda=Pin({pins['FRAM_SDA']}),scl=Pin({pins['FRAM_SCL']}),freq=400000)\n"
        "try:\n for a in range(0,32768,512):\n"
        "  print(_b(i.readfrom_mem(80,a,512,addrsize=16)).decode(),end='')\nexcept OSError: pass"
    )
    raw = b"".join(base64.b64decode(line) for line in board.run(code).split())
    return bool(raw) and _unfinished(raw, board.read("config.json"))


class _Image:
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
        table = Table(config.parse(settings), Vault(_Image(raw)))
        table.start(0)
    except Exception:  # memory or settings this build does not understand: no open round of ours
        return False
    return table.fault is None and not table.machine.between


def drives() -> list[Path]:
    """Folders where a board waits for a .uf2: its own drive names itself in INFO_UF2.TXT."""
    places = ("/media/*/*", "/run/media/*/*", "/Volumes/*", "/mnt/*", "/media/*")
    found = {Path(name).parent for place in places for name in glob(f"{place}/INFO_UF2.TXT")}
    return sorted(found)


def waiting_drive(board: Board | None) -> Path:
    """The drive of a board in BOOTSEL; a board that runs is sent there first."""
    if board is not None:
        try:
            board.run("import machine\nmachine.bootloader()")
        except Trouble:
            pass  # it went away, as it should
    end = time.monotonic() + DRIVE_S
    while not (found := drives()):
        if time.monotonic() > end:
            raise Trouble("no_drive")
        time.sleep(0.2)
    return found[0]


def copy(uf2: Path, drive: Path) -> None:
    """Copies the file in one go; the board restarts by itself when it has all of it."""
    bar = Bar("copying")
    data = uf2.read_bytes()
    with (drive / uf2.name).open("wb") as target:
        for at in range(0, len(data), CHUNK):
            target.write(data[at : at + CHUNK])
            bar(min(at + CHUNK, len(data)), len(data))
        target.flush()
        os.fsync(target.fileno())


def set_identity(board: Board, label: str | None, record: dict[str, Any]) -> dict[str, Any]:
    """Writes identity.json: which table this is, what is on it, since when. The label stays."""
    old = verify.identity(board)
    record["label"] = label if label is not None else old.get("label", "")
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
            new = code == "T4" and fault in ("config", "vault_blank")
            mark = TODO if new or code not in failed.split() else FAIL
            report.add(f"self test: {part[:-1]}", mark, f"{code} {text}")
    report.add(
        "identity", facts["build"] == report.facts["build"], f"console says {facts['build'][:12]}"
    )
    if fault == "config":
        report.add("next", TODO, "make provision CONFIG=tools/configs/premium.json")
    elif fault == "vault_blank":
        report.add("next", TODO, "both keys on, then: make console ARGS=clear")
    elif fault != "none":
        report.add("table", False, f"fault {facts['fault']}")
    else:
        report.add("next", TODO, "keys off, switch the table off and on: it is ready to open")


def old_code(board: Board, report: Report) -> None:
    """Removes what flashing the old way left: with code among its files a table stays closed."""
    stray = [name for name in board.tree() if name.endswith(CODE) or name == "manifest.txt"]
    board.remove(stray)
    report.add("removed", True, f"{len(stray)} files of old code" if stray else "nothing")


def after(board: Board, args: argparse.Namespace, report: Report) -> None:
    """What is done once the new program runs, with the service key on."""
    name, facts = board.check(args.board)
    flash = verify.load(args.release, name)
    identity = seal.identity(flash)
    report.facts.update(board=name, **facts, build=identity)
    old_code(board, report)
    verify.add_program(report, board, flash, False)
    today = time.strftime("%Y-%m-%d %H:%M")
    record = {"board": name, "id": facts["id"], "build": identity, "flashed_on": today}
    record = set_identity(board, args.label, record)
    report.add("board identity", True, f"{record['label'] or '(no label)'} {record['id']}")
    if args.self_test:
        self_test(restarted(board), report)
    else:
        report.add("self test", TODO, "left out on request")


def put(port: str, args: argparse.Namespace, report: Report) -> None:
    """Sends a running board to its drive and copies the program; not while a round is open."""
    asked = refuse_open_round(port)
    with Board(port) as board:
        name, _ = board.check(args.board)
        if not asked and "config.json" in board.tree() and open_round_in_memory(board, name):
            raise Trouble("round_open")
        if not board.key_on("KEY_SERVICE"):
            raise Trouble("service_key")
        uf2 = verify.uf2_of(args.release, name)
        verify.load(args.release, name)  # whole, or nothing is touched
        drive = args.drive or waiting_drive(board)
    copy(uf2, drive)
    report.add("copied", True, f"{uf2.name}, {uf2.stat().st_size} bytes, to {drive}")


def flash(args: argparse.Namespace, report: Report) -> None:
    """Does it all; the report has a row for each step, also when it stops in the middle."""
    if args.board and (args.drive or drives()):
        verify.load(args.release, args.board)
        uf2, drive = verify.uf2_of(args.release, args.board), args.drive or drives()[0]
        copy(uf2, drive)
        report.add("copied", True, f"{uf2.name}, {uf2.stat().st_size} bytes, to {drive}")
    else:
        put(device.find_port(args.port or None), args, report)
    port = args.port or _back()
    report.facts["port"] = port
    with Board(port) as board:
        after(board, args, report)


def _back() -> str:
    """The port of the board once it runs again."""
    end = time.monotonic() + DRIVE_S
    while True:
        try:
            return device.find_port(None)
        except Trouble:
            if time.monotonic() > end:
                raise
            time.sleep(0.2)


def main() -> int:
    options = verify.parser(__doc__.splitlines()[0])
    options.add_argument(
        "--label", help="name of the table on this board, for example 'Pit 3 table 12'"
    )
    options.add_argument("--no-self-test", dest="self_test", action="store_false",
                         help="copy and verify only")  # fmt: skip
    options.add_argument("--drive", type=Path, help="folder of the board's drive, if not found")
    args = options.parse_args()
    report = Report("Flashing a table")
    try:
        flash(args, report)
    except EXPECTED as error:
        trouble = of(error)
        report.add("stopped", False, str(trouble))
        report.finish("flash", args.reports)
        return trouble.code
    print(f"identity {report.facts['build']}")
    return report.finish("flash", args.reports)


if __name__ == "__main__":
    sys.exit(main())
