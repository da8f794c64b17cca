"""The boards a table can be built on, as their data tells it."""

from __future__ import annotations

import json
import runpy
from typing import Any

from .places import BOARDS

OURS = "Felt table on a "  # begins what our image calls a board; the stock image leaves it out


def names() -> list[str]:
    """Boards an image is made for, by name."""
    found = sorted(path.parent.name for path in BOARDS.glob("*/board.py"))
    return [name for name in found if data(name)["CHIP"] != "host"]


def data(name: str) -> dict[str, Any]:
    """What a board's board.py defines (NAME, CHIP, PINS, FILES_AT, ...)."""
    return runpy.run_path(str(BOARDS / name / "board.py"))


def product(name: str) -> str:
    """The name on the box."""
    return json.loads((BOARDS / name / "board.json").read_text(encoding="utf-8"))["product"]


def of_machine(machine: str) -> str | None:
    """The board MicroPython says it runs on, ours or the stock one; None for any other."""

    def bare(text: str) -> str:
        return text.removeprefix(OURS).replace(" ", "")

    for name in names():
        known = json.loads((BOARDS / name / "board.json").read_text(encoding="utf-8"))["machine"]
        if bare(known) == bare(machine):
            return name
    return None
