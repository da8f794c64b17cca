"""`felt provision --recorded`: puts back the configuration an open round is played under.

Such a table is closed by `config_changed`, and takes no other configuration until its wagers are
settled. This one is known by the SHA-256 in the table's log, so it may go past the console.
"""

from __future__ import annotations

import argparse
import hashlib
from pathlib import Path

from .configuration import read
from .console import Console, Refusal, connect, restarted
from .device import Board
from .report import TODO, Report
from .saved import SavedAsUtf16, plain
from .trouble import Trouble

FAULT = "config_changed"
DIGITS = 16  # of its SHA-256 that the table tells


def put_back(args: argparse.Namespace, report: Report) -> None:
    """From the table's own old configurations, or from a file that was sent to it."""
    console = connect(args.port or None)
    told, where = console.facts(), console.link.port
    wanted = told["recorded"]
    same = told["config"] == wanted and on_flash(console, wanted)
    console.link.close()
    report.facts.update(told, by=args.by)
    fault = told["fault"].split()[0]
    raw = sent(args.config) if args.config else b""
    if raw and fault in (FAULT, "none"):
        refuse_another(raw, args.config, wanted)
    if fault == "none" and same:
        report.add("put back", True, f"nothing: the table has {wanted}, which it recorded")
        return
    if fault != FAULT:
        raise Trouble("recorded", told["fault"].strip())
    with Board(where) as board:
        raw = raw or kept(board, wanted)
        if args.dry_run:
            report.add("put back", TODO, f"no, only shown: {wanted}, {len(raw)} bytes")
        else:
            board.write("config.json", raw)
            report.add("put back", True, f"{wanted}, {len(raw)} bytes")
        after = restarted(board).facts()["fault"].strip()
    if args.dry_run:
        return
    report.add("table", after == "none", f"fault {after}")
    report.add("next", TODO, "service key off, switch the table off and on, finish the round")


def on_flash(console: Console, wanted: str) -> bool:
    """Whether the file itself is that one: what is in force was read at the start. The console
    tells no blanks at the end; of what people wrote in several lines it may say no."""
    try:
        raw = "\n".join(console.ask("config")).encode()
    except Refusal:
        return False
    return hashlib.sha256(raw).hexdigest().startswith(wanted)


def sent(path: Path) -> bytes:
    """What was sent to the table, without the mark of an editor it was looked at in."""
    try:
        return plain(read(path))
    except SavedAsUtf16 as error:
        raise Trouble("unfit", f"{path}: {error}") from None


def refuse_another(raw: bytes, name: object, wanted: str) -> None:
    if hashlib.sha256(raw).hexdigest()[:DIGITS] != wanted:
        raise Trouble("another", name, wanted)


def kept(board: Board, wanted: str) -> bytes:
    """The table keeps the configurations of rounds it may be asked for."""
    for name in board.tree():
        if name.startswith("settings/") and name.endswith(f"-{wanted}.json"):
            raw = board.read(name)
            refuse_another(raw, "What the table kept", wanted)
            return raw
    raise Trouble("none_kept", wanted)
