"""`make flash`: puts a build on a board and proves that it is there.

Copies only what differs, each file under a temporary name first, manifest.txt last: an
interrupted flash has no manifest, its self test fails, the table stays closed, and the same
command again completes it.
"""

from __future__ import annotations

import argparse
import base64
import json
import sys
import time
from typing import Any

from tools.field import device, verify
from tools.field.console import Console, Refusal, restarted
from tools.field.device import Board
from tools.field.report import FAIL, TODO, Bar, Report
from tools.field.trouble import EXPECTED, Trouble, of
from tools.image import build, fsimage


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


def room(files: dict[str, bytes], names: list[str], held: dict[str, int], free: int) -> None:
    """Refuses before anything is touched when the file system is too small."""

    def blocks(size: int) -> int:
        return -(-size // fsimage.BLOCK)

    grows = sum(blocks(len(files[name])) - blocks(held.get(name, 0)) for name in names)
    beside = max([blocks(len(files[name])) for name in names], default=0)  # old and new at once
    if (grows + beside) * fsimage.BLOCK > free:
        need = (grows + beside) * fsimage.BLOCK
        raise Trouble("full", f"{len(names)} files ({need} bytes needed, {free} free)")


def copy(board: Board, files: dict[str, bytes], found: verify.Difference) -> int:
    """Copies what differs, manifest last; removes what is not of this build. Returns bytes."""
    names = [name for name in found.to_copy if name != build.MANIFEST]
    if names or found.extra:
        board.remove([build.MANIFEST])
    board.remove(found.extra)
    total = sum(len(files[name]) for name in names)
    sent = 0
    bar = Bar("copying")
    for name in names:
        board.write(name, files[name], lambda done, of, base=sent: bar(base + done, total))  # type: ignore[misc]
        sent += len(files[name])
    return sent


def counted(files: int) -> str:
    return "1 file" if files == 1 else f"{files} files"


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


def flash(port: str, args: argparse.Namespace, report: Report) -> None:
    """Does it all; the report has a row for each step, also when it stops in the middle."""
    report.facts["port"] = port
    asked = refuse_open_round(port)
    with Board(port) as board:
        name, facts = board.check(args.board)
        held = board.tree()
        if not asked and "config.json" in held and open_round_in_memory(board, name):
            raise Trouble("round_open")
        files = verify.load(args.release, name)
        report.facts.update(board=name, **facts, build=build.digest(files))
        report.add(
            "MicroPython", True, f"{device.version_text(facts['version'])} on {facts['machine']}"
        )
        found = verify.compare(board, files)
        room(files, found.to_copy, held, facts["free"])
        sent = copy(board, files, found)
        after = verify.compare(board, {n: d for n, d in files.items() if n != build.MANIFEST})
        report.add(
            "copied",
            True,
            f"{counted(len(found.to_copy))}, {sent} bytes; {len(found.same)} were there",
        )
        report.add("removed", True, ", ".join(found.extra) or "nothing")
        bad = after.to_copy + [n for n in after.extra if n != build.MANIFEST]
        report.add("every SHA-256", not bad, ", ".join(bad) or f"{len(after.same)} files as built")
        if bad:
            return
        if found.to_copy or found.extra:
            board.write(build.MANIFEST, files[build.MANIFEST])
        today = time.strftime("%Y-%m-%d %H:%M")
        record = {
            "board": name,
            "id": facts["id"],
            "build": build.digest(files),
            "flashed_on": today,
        }
        record = set_identity(board, args.label, record)
        report.add("board identity", True, f"{record['label'] or '(no label)'} {record['id']}")
        if not args.self_test:
            report.add("self test", TODO, "left out on request")
        elif not board.key_on("KEY_SERVICE"):
            report.add("self test", False, str(Trouble("service_key")))
        else:
            self_test(restarted(board), report)


def main() -> int:
    options = verify.parser(__doc__.splitlines()[0])
    options.add_argument(
        "--label", help="name of the table on this board, for example 'Pit 3 table 12'"
    )
    options.add_argument("--no-self-test", dest="self_test", action="store_false",
                         help="copy and verify only")  # fmt: skip
    args = options.parse_args()
    report = Report("Flashing a table")
    try:
        flash(device.find_port(args.port or None), args, report)
    except EXPECTED as error:
        trouble = of(error)
        report.add("stopped", False, str(trouble))
        report.finish("flash", args.reports)
        return trouble.code
    print(f"identity {report.facts['build']}")
    return report.finish("flash", args.reports)


if __name__ == "__main__":
    sys.exit(main())
