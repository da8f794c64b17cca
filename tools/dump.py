"""Everything a table remembers, as files: CSV and JSON for other programs, HTML for people."""

from __future__ import annotations

import csv
import html
import json
import sys
from pathlib import Path
from typing import Any

import build
from console import Console
from report import _STYLE

sys.path[1:1] = [str(build.FIRMWARE), str(build.ROOT / "host_tests" / "shims")]

WORDS_OF = 20  # so many rounds are told in words; all are in the JSON


def collect(console: Console) -> dict[str, Any]:
    """The answers to `version`, `dump`, `meters` and `recall N`, sorted out."""
    from felt.table import LOG

    found: dict[str, Any] = {
        "table": console.facts(),
        "meters": [],
        "log": [],
        "hits": [],
        "events": [],
    }
    for row in map(json.loads, console.ask("dump")):
        if "meter" in row:
            found["meters"].append(row)
        elif "log" in row:
            row["what"] = LOG[row["code"]] if row["code"] < len(LOG) else "cleared"
            found["log"].append(row)
        elif "hit" in row:
            found["hits"].append(row)
        elif "back" in row:
            found["events"].append(row)
        else:
            found["table"].update(row)
    found["meter_lines"] = console.ask("meters")
    last = max([row["back"] for row in found["events"]], default=0)
    found["rounds"] = [console.ask(f"recall {back}") for back in range(1, min(last, WORDS_OF) + 1)]
    return found


COLUMNS = {
    "meters": ("meter", "handle", "win", "period_handle", "period_win", "value"),
    "log": ("log", "seq", "code", "what", "a", "b"),
    "hits": ("hit", "seq", "seat", "cents", "round"),
    "events": ("back", "event", "args"),
}


def write(console: Console, folder: Path) -> int:
    """Writes the files and says which; returns the exit code."""
    found = collect(console)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.json").write_text(json.dumps(found, indent=1) + "\n")
    for name, columns in COLUMNS.items():
        with (folder / f"{name}.csv").open("w", newline="") as target:
            rows = csv.DictWriter(target, columns, extrasaction="ignore")
            rows.writeheader()
            for row in found[name]:
                words = {
                    k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()
                }
                rows.writerow(words)
    (folder / "report.html").write_text(page(found), encoding="utf-8")
    print(f"{folder}: table.json, {', '.join(f'{n}.csv' for n in COLUMNS)}, report.html"
          f" ({len(found['rounds'])} rounds, {len(found['log'])} log entries)")  # fmt: skip
    return 0


def page(found: dict[str, Any]) -> str:
    facts = "".join(f"<tr><th>{_e(k)}<td><code>{_e(v)}</code>" for k, v in found["table"].items())
    meters = "".join(f"<li>{_e(line)}" for line in found["meter_lines"])
    log = "".join(
        f"<tr><td>{r['log']}<td>{r['seq']}<td>{_e(r['what'])}<td>{r['a']} {r['b']}"
        for r in found["log"]
    )
    hits = "".join(
        f"<tr><td>{r['hit']}<td>round {r['round']}<td>seat {r['seat']}<td>${r['cents'] / 100:.2f}"
        for r in found["hits"]
    )
    rounds = "".join(
        f"<h3>{'Last round' if i == 0 else f'{i + 1} rounds ago'}</h3><ol>"
        + "".join(f"<li>{_e(line)}" for line in lines)
        + "</ol>"
        for i, lines in enumerate(found["rounds"])
    )
    return (
        f"<!doctype html><meta charset=utf-8><title>Table report</title><style>{_STYLE}</style>"
        f"<h1>Table report</h1><table>{facts}</table><h2>Meters</h2><ul>{meters}</ul>"
        f"<h2>Jackpot hits</h2><table>{hits}</table><h2>Rounds</h2>{rounds or '<p>none kept'}"
        f"<h2>Event log</h2><table><tr><th>#<th>journal<th>what<th>{log}</table>\n"
    )


def _e(value: Any) -> str:
    return html.escape(str(value))
