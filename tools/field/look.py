"""What is connected, and what a newcomer does next with it: one sentence each."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import boards, device, drive, ports
from .console import Console
from .device import Board
from .faults import next_step
from .provision import facts
from .releases import Release
from .trouble import EXPECTED, Trouble, of

BOOTSEL, TABLE, MICROPYTHON, OTHER, SILENT = "bootsel", "table", "micropython", "other", "silent"
SHORT = 12  # digits of an identity that tell builds apart


@dataclass
class Found:
    """One board: where it is, what answers there, and what it said; silent, why it did not."""

    where: str
    kind: str
    board: str = ""
    facts: dict[str, Any] = field(default_factory=dict)
    trouble: Trouble | None = None

    @property
    def build(self) -> str:
        return str(self.facts.get("build", ""))

    @property
    def fault(self) -> str:
        return str(self.facts.get("fault", "none")).split()[0]

    @property
    def state(self) -> str:
        if self.trouble is not None:
            return str(self.trouble).split(". ")[0]
        if self.kind != TABLE:
            return str(self.facts.get("text", self.kind))
        state = str(self.facts["state"]) if self.fault == "none" else f"fault {self.fault}"
        return ", ".join([state, *self.marks])

    @property
    def marks(self) -> list[str]:
        """What nobody may overlook on a table that is not for live play."""
        return marks(self.facts)


def marks(told: dict[str, Any]) -> list[str]:
    """In a word each: a demonstration, and wheel weights nobody approved."""
    demo = ["DEMO"] if told.get("demonstration") else []
    return demo + (["ILLUSTRATIVE wheel weights"] if "weights" in told else [])


def at_port(port: str) -> Found:
    """Ask what is behind a port; a board of ours left at its prompt is started again.

    Trouble when it cannot be opened, or nothing answers."""
    link = ports.open_serial(port, timeout=0.1)
    console = Console(link)
    try:
        answers = console.found()
        if answers == "console":
            return _table(port, console)
    finally:
        link.close()
    if not answers:
        raise Trouble("locked", port)
    with Board(port) as board:
        facts = board.facts()
        name = boards.of_machine(facts["machine"]) or ""
        if not name:
            return Found(port, OTHER, facts={**facts, "text": facts["machine"]})
        if not facts["machine"].startswith(boards.OURS):
            version = device.version_text(facts["version"])
            return Found(port, MICROPYTHON, name, {**facts, "text": f"MicroPython {version}"})
        console = Console(board.restart())
        console.wait()
        return _table(port, console)


def _table(port: str, console: Console) -> Found:
    told = facts(console)
    return Found(port, TABLE, told["board"], told)


def everything(port: str | None = None, place: Path | None = None) -> list[Found]:
    """Every board that is connected, those in BOOTSEL last; with a port given, that one alone."""
    found = []
    for name in [port] if port else ports.connected():
        try:
            found.append(at_port(name))
        except Exception as error:  # whatever a board says, the others are listed
            told = of(error) if isinstance(error, EXPECTED) else Trouble("odd", name, error)
            found.append(Found(name, SILENT, trouble=told))
    waiting = [] if port else drive.drives(place)
    return found + [Found(str(d.path), BOOTSEL, facts={"chip": d.chip}) for d in waiting]


def guide(found: Found | None, release: Release | None) -> tuple[str, str]:
    """(what is there, what to do next) in one sentence each."""
    if found is None:
        return (
            "No board is connected.",
            "Plug a USB data cable in. A new board: hold BOOTSEL while you do. A table: service"
            " key on first, then power off and on.",
        )
    if found.kind == BOOTSEL:
        chip = found.facts["chip"]
        fit = [n for n in boards.names() if boards.data(n)["CHIP"] == chip]
        return (
            f"A board with an {chip.upper()} waits in BOOTSEL at {found.where}.",
            "felt flash" if len(fit) == 1 else f"felt flash --board {' or '.join(fit)}",
        )
    if found.kind == MICROPYTHON:
        told = f"A {boards.product(found.board)} with stock {found.state}, and no table on it."
        return told, "felt flash (or felt demo, for a bare board on a desk)"
    if found.kind == OTHER:
        return f"This is a {found.state}: Felt has no image for it.", "Connect another board."
    if found.trouble is not None:
        return f"{found.state}.", str(found.trouble)[len(found.state) + 2 :]
    return _guide_table(found, release)


def _guide_table(found: Found, release: Release | None) -> tuple[str, str]:
    told = f"A table ({found.board}), build {found.build[:SHORT]}"
    try:
        wanted = release.identity(found.board) if release else found.build
    except Trouble as trouble:  # of the stick: the other boards are told of all the same
        return f"{told}.", str(trouble)
    if wanted != found.build:
        return f"{told}: not the one of this release, {wanted[:SHORT]}.", "felt flash"
    told += ", the one of this release" if release else ""
    if found.fault == "files":
        return f"{told}, without a file system.", next_step(found.fault)
    if found.fault == "config":
        return f"{told}, without a configuration.", next_step(found.fault)
    if found.fault == "vault_blank":
        return f"{told}, its critical memory is new.", next_step(found.fault)
    if found.fault != "none":
        return f"{told}, closed by the fault {found.fault}.", next_step(found.fault)
    return f"{told}, {found.state}.", "felt verify; then keys off, power off and on."
