"""`felt demo`: a bare board on a desk becomes a demonstration table, marked as one.

The image of a demonstration carries a file system with demonstration settings: no critical memory,
no sensors are needed. It would erase a table's configuration, so a table in use is refused.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from mpremote.transport import TransportExecError

from . import look
from .console import Refusal, connect
from .device import Board
from .flash import chosen, refuse_open_round, write
from .configuration import ILLUSTRATIVE
from .releases import Release, find
from .report import TODO, Report
from .trouble import Trouble
from .verify import options

NEXT = (
    "it starts by itself; display and terminal say DEMO. Wiring: technician.html, {0}; a dealer's"
    " terminal is a 3.3 V serial adapter. The service console: KEY_SERVICE to ground at power-on"
)
KEPT = (
    "a chip fitted here still holds the meters of {0}, and the demonstration stays closed beside"
    " them: both keys on, power off and on, then: felt console clear"
)
NEW = (
    "none is needed; a new chip fitted here (vault_blank) keeps it closed until it is set up: both"
    " keys on, power off and on, then: felt console clear"
)


def settings(found: look.Found) -> dict[str, object]:
    """The configuration on a board; empty when there is none."""
    try:
        if found.kind == look.TABLE:
            link = connect(found.where)
            lines = link.ask("config")
            link.link.close()
            return json.loads("\n".join(lines))
        with Board(found.where) as board:
            return json.loads(board.read("config.json"))
    except (Refusal, TransportExecError, ValueError):
        return {}


def erased(found: look.Found, erase: bool) -> str:
    """The game of the real table that is lost here; unless that is meant, it is refused."""
    held = {} if found.kind == look.BOOTSEL else settings(found)
    if not held or held.get("demonstration"):
        return ""
    if not erase:
        raise Trouble("in_use", found.where)
    return str(held.get("game"))


def demo(found: look.Found, args: argparse.Namespace, report: Report) -> None:
    """Writes the demonstration's image; what runs then needs no key and no memory."""
    name = chosen(found, args.board)
    refuse_open_round(found)
    lost = erased(found, args.erase)
    release = Release(find(args.release))
    report.add("signature", *release.signature())  # before any file of it is believed
    report.facts.update(port=found.where, board=name, build=release.identity(name))
    report.add("release", True, f"{release.folder}, {name}, build {report.facts['build'][:12]}")
    image = release.image(name, demo=True)
    write(found, image, name, args.drive)
    report.add("written", True, f"{len(image)} bytes, with demonstration settings")
    report.add("wheel weights", TODO, ILLUSTRATIVE)
    report.add("critical memory", TODO, KEPT.format(lost) if lost else NEW)
    report.add("next", TODO, NEXT.format(name))


def add(parser: argparse.ArgumentParser) -> None:
    options(parser)
    parser.add_argument("--drive", type=Path, help="where the board's BOOTSEL drive is")
    parser.add_argument("--erase", action="store_true", help="a table's own settings may be lost")
