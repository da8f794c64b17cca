"""`felt provision --recorded`: puts back the configuration an open round is played under.

Such a table is closed by `config_changed`, and takes no other configuration until its wagers are
settled. This one is known by the SHA-256 in the table's log, so it may go past the console.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from .configuration import read
from .console import connect, restarted
from .device import Board
from .report import TODO, Report
from .trouble import Trouble

FAULT = "config_changed"
DIGITS = 16  # of its SHA-256 that the table tells


def put_back(port: str | None, given: Path | None, report: Report, only_shown: bool) -> None:
    """From the table's own old configurations, or from a file that was sent to it."""
    console = connect(port)
    told, where = console.facts(), console.link.port
    console.link.close()
    report.facts.update(told)
    if told["fault"].split()[0] != FAULT:
        raise Trouble("recorded", told["fault"].strip())
    wanted = told["recorded"]
    with Board(where) as board:
        raw = read(given) if given else kept(board, wanted)
        if hashlib.sha256(raw).hexdigest()[:DIGITS] != wanted:
            raise Trouble("another", given or "What the table kept", wanted)
        if only_shown:
            report.add("put back", TODO, f"no, only shown: {wanted}, {len(raw)} bytes")
        else:
            board.write("config.json", raw)
            report.add("put back", True, f"{wanted}, {len(raw)} bytes")
        fault = restarted(board).facts()["fault"].strip()
    if only_shown:
        return
    report.add("table", fault == "none", f"fault {fault}")
    report.add("next", TODO, "service key off, switch the table off and on, finish the round")


def kept(board: Board, wanted: str) -> bytes:
    """The table keeps the configurations of rounds it may be asked for."""
    for name in board.tree():
        if name.startswith("settings/") and name.endswith(f"-{wanted}.json"):
            return board.read(name)
    raise Trouble("another", "What the table kept", wanted)
