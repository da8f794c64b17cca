"""Published evaluators to be measured against: fetched by pip, adapted in memory, never kept here.

MicroPython lacks `typing`, `itertools` and relative imports out of a flat folder; the changes
below are all that is made to the peers' text.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tools.paths import ROOT

PEERS = ("treys==0.1.8", "phevaluator==0.5.3.1")

# What CPython's manual says combinations() does, written as plainly as it says it.
COMBINATIONS = """
def combinations(items, size):
    pool = tuple(items)
    spare = len(pool) - size
    places = list(range(size))
    yield tuple(pool[k] for k in places)
    while True:
        for i in reversed(range(size)):
            if places[i] < i + spare:
                break
        else:
            return
        places[i] += 1
        for j in range(i + 1, size):
            places[j] = places[j - 1] + 1
        yield tuple(pool[k] for k in places)
"""


def install() -> Path:
    """Put the peers into build/peers (once) and return that folder."""
    folder = ROOT / "build" / "peers"
    stamp = folder / (" ".join(PEERS) + ".stamp")
    if not stamp.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--upgrade"]
        command += ["--disable-pip-version-check", "--target", str(folder), *PEERS]
        subprocess.run(command, check=True)
        stamp.touch()
    return folder


def _plain(text: str, package: str) -> str:
    text = re.sub(r"^from (typing|collections\.abc|__future__) .*\n", "", text, flags=re.M)
    text = text.replace("import itertools", "import peer_itertools as itertools")
    return re.sub(r"from \.(\w+) import", rf"from {package}_\1 import", text)


def treys() -> dict[str, str]:
    """{module: source} of treys for MicroPython."""
    folder = install() / "treys"
    names = ("card", "lookup", "evaluator")
    found = {
        f"treys_{name}": _plain((folder / f"{name}.py").read_text(), "treys") for name in names
    }
    return {"peer_itertools": COMBINATIONS, **found}


def phevaluator() -> dict[str, str]:
    """{module: source} of phevaluator for MicroPython: the evaluator and the tables it reads."""
    folder = install() / "phevaluator"
    text = _plain((folder / "evaluator.py").read_text(), "phe")
    text = text.replace("from phe_card import Card\n", "")
    text = re.sub(r"def evaluate_cards\(.*?(?=def _evaluate)", "", text, flags=re.S)
    tables = _plain((folder / "tables" / "__init__.py").read_text(), "phe")
    found = {"phe_evaluator": text, "phe_hash": _plain((folder / "hash.py").read_text(), "phe")}
    # Its lazy loading by dotted names becomes plain imports of the same tables.
    tables = tables[: tables.index("def __getattr__")]
    tables = re.sub(r"^all_by_module = .*?(?=^BINARIES)", "", tables, flags=re.M | re.S)
    modules = {"dptables": "CHOOSE, DP, SUITS", "hashtable": "FLUSH"}
    modules.update({f"hashtable{size}": f"NO_FLUSH_{size}" for size in (5, 6, 7)})
    lines = [f"from phe_{name} import {items}\n" for name, items in modules.items()]
    found["phe_tables"] = "".join(lines) + tables
    for name in modules:
        found[f"phe_{name}"] = (folder / "tables" / f"{name}.py").read_text()
    return found
