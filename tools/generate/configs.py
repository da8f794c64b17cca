"""Writes an example configuration of every game into tools/configs/, from the game itself.

`--check` fails when a file is not what the games say.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from felt.games.settings import game_module

from tools import games
from tools.games import GAMES
from tools.generate.written import keep
from tools.paths import ROOT

OUT = ROOT / "tools" / "configs"


def example(game: str) -> dict[str, Any]:
    """What a technician starts from: the bench's table, the common settings written out."""
    doc = games.settings(game)
    del doc["reader"]
    if "weights_note" in doc:
        doc["weights_note"] += ": not approved, not for live play"
    doc.update(table_name=games.TITLES[game], chip_unit=100, seats=game_module(game).SEATS)
    return doc


def text(doc: dict[str, Any]) -> str:
    rows = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in doc.items()]
    return "{\n" + ",\n".join(rows) + "\n}\n"


def files() -> dict[Path, str]:
    return {OUT / f"{game}.json": text(example(game)) for game in GAMES}


if __name__ == "__main__":
    sys.exit(keep(files(), "--check" in sys.argv))
