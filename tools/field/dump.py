"""Everything a table remembers, as files: CSV and JSON for other programs, HTML for people."""

from __future__ import annotations

import csv
import html
import json
import time
from pathlib import Path
from typing import Any, Iterable

from felt.recovery import UNREAD

from .console import Console
from .places import FIRMWARE
from .configuration import DEMO
from .provision import on_table
from .report import facts_table, head, write_text
from .trouble import Trouble

WORDS_OF = 20  # so many rounds are told in words; all are in the JSON
LOGS = ("log", "security")


def collect(console: Console) -> dict[str, Any]:
    """The answers to `version`, `config`, `dump`, `meters` and `recall N`, sorted out."""
    from felt.logbook import LOG
    from felt.store.entries import LOST

    settings = on_table(console)
    about = {"table_name": settings.get("table_name", "")}
    if settings.get("demonstration"):
        about["demonstration"] = DEMO
    about["taken"] = time.strftime("%Y-%m-%d %H:%M:%S")
    found: dict[str, Any] = {"table": {**about, **console.facts()}}
    found |= {name: [] for name in COLUMNS}
    for row in map(json.loads, console.ask("dump")):
        kept_in = next((name for name in LOGS if name in row), "")
        if "meter" in row:
            found["meters"].append(row)
        elif kept_in:
            beyond = "lost" if row["code"] == LOST else "cleared"
            row["what"] = LOG[row["code"]] if row["code"] < len(LOG) else beyond
            found[kept_in].append(row)
        elif "hit" in row:
            found["hits"].append(row)
        elif "back" in row:
            found["events"].append(row)
        else:
            found["table"].update(row)
    if found["table"]["fault"].startswith(UNREAD):
        found["meters"], found["meter_lines"] = [], ["not read: " + found["table"]["fault"]]
    else:
        found["meter_lines"] = console.ask("meters")
    last = max([row["back"] for row in found["events"]], default=0)
    found["rounds"] = [console.ask(f"recall {back}") for back in range(1, min(last, WORDS_OF) + 1)]
    return found


WHEN = ("start", "seconds", "real")
ENTRY = ("seq", "code", "what", "a", "b", *WHEN)
COLUMNS = {
    "meters": ("meter", "handle", "win", "period_handle", "period_win", "value"),
    "log": ("log", *ENTRY),
    "security": ("security", *ENTRY),
    "hits": ("hit", "seq", "seat", "cents", "round", *WHEN),
    "events": ("back", "event", "args", "finding"),
}


def write(console: Console, folder: Path) -> int:
    """Writes the files and says which; returns the exit code."""
    found = collect(console)
    folder.mkdir(parents=True, exist_ok=True)
    refuse_another(folder, found)
    (folder / "table.json").write_text(json.dumps(found, indent=1) + "\n")
    for name, columns in COLUMNS.items():
        path = folder / f"{name}.csv"
        with path.open("w", newline="", encoding="utf-8", errors="replace") as target:
            rows = csv.DictWriter(target, columns, extrasaction="ignore")
            rows.writeheader()
            for row in found[name]:
                words = {
                    k: " ".join(map(str, v)) if isinstance(v, list) else v for k, v in row.items()
                }
                rows.writerow(words)
    write_text(folder / "report.html", page(found))
    print(f"{folder}: table.json, {', '.join(f'{n}.csv' for n in COLUMNS)}, report.html"
          f" ({len(found['rounds'])} rounds, {len(found['log'])} log entries)")  # fmt: skip
    return 0


def refuse_another(folder: Path, found: dict[str, Any]) -> None:
    """A table's own report may be taken again; what another one said is not written over."""
    path = folder / "table.json"
    if not path.is_file():
        return
    try:
        held = json.loads(path.read_text(encoding="utf-8"))["table"]
        known = held["id"] == found["table"]["id"]
    except (OSError, ValueError, LookupError, TypeError):
        return  # none of ours
    if not known:
        whose = f"{held.get('table_name') or 'a table'}, board {held['id']}"
        raise Trouble(
            "no_file", f"{folder} holds the report of another table ({whose}). Name another."
        )


SUMS = ("handle", "win", "period_handle", "period_win")
WAGERS = ("wager", "handle", "house win", "handle, this period", "house win, this period")
STAMPED = ("start", "seconds since", "time")
HITS = ("number", "round", "seat", "paid", *STAMPED)
LOGGED = ("number", "journal", "what", *STAMPED)


def page(found: dict[str, Any]) -> str:
    """The report people read: meters in dollars, hits, rounds in words, the log."""
    from felt.texts import Texts

    texts = Texts(str(FIRMWARE / "lang" / "en.txt"))
    text = texts.get
    wagers = [row for row in found["meters"] if "handle" in row]
    sums = [[text("wager." + r["meter"]), *(_money(r[k]) for k in SUMS)] for r in wagers]
    hits = [[h["hit"], h["round"], h["seat"], _money(h["cents"]), *_when(h)]
            for h in found["hits"]]  # fmt: skip
    logs = {name: [[r[name], r["seq"], _words(texts, r), *_when(r)] for r in found[name]]
            for name in LOGS}  # fmt: skip
    name = found["table"]["table_name"]
    fault = found["table"]["fault"]
    closed = f"<div class='banner FAIL'><b>FAULT</b><span>{_e(fault)}</span></div>"
    demonstration = f"<div class='banner FAIL'><b>DEMO</b><span>{_e(DEMO)}</span></div>"
    unapproved = (
        "<div class='banner FAIL'><b>ILLUSTRATIVE</b>"
        f"<span>wheel weights: {_e(found['table'].get('weights', ''))}</span></div>"
    )
    return (
        head(f"Table report: {name}" if name else "Table report")
        + (closed if fault != "none" else "")
        + (demonstration if "demonstration" in found["table"] else "")
        + (unapproved if "weights" in found["table"] else "")
        + facts_table(found["table"])
        + f"<h2>Meters</h2>{_table(WAGERS, sums)}"
        + _list(line for line in found["meter_lines"] if " handle " not in line)
        + f"<h2>Jackpot hits, newest first</h2>{_table(HITS, hits)}"
        + f"<h2>Rounds, newest first</h2>{_rounds(found['rounds'])}"
        + "<h2>Security log: keys, service, settings, faults</h2>"
        + _table(LOGGED, logs["security"])
        + f"<h2>Event log, newest first</h2>{_table(LOGGED, logs['log'])}\n"
    )


def _words(texts: Any, row: dict[str, Any]) -> str:
    """An entry as the table's own console says it."""
    from felt.dealer.pages import entry_text

    said = entry_text(texts, row["code"], row["a"], row["b"])
    return said.removesuffix(" 0 0")  # numbers that stand for nothing


def _when(row: dict[str, Any]) -> list[Any]:
    """The start it belongs to, seconds since then, and the time where the table knew it: as its
    own terminal says it, whatever zone this PC is in."""
    from felt.dealer.pages import moment

    return [
        row["start"],
        row["seconds"],
        moment(row["real"]) if row["real"] else "-",
    ]


def _rounds(rounds: list[list[str]]) -> str:
    told = ""
    for back, lines in enumerate(rounds):
        name = f"{back + 1} rounds ago" if back else "Last round"
        shown = "" if back else " open"
        told += f"<details{shown}><summary>{name}</summary>{_list(lines)}</details>"
    return told or "<p>none kept"


def _list(lines: Iterable[str]) -> str:
    return f"<ul>{''.join(f'<li>{_e(line)}' for line in lines)}</ul>"


def _table(names: tuple[str, ...], rows: list[list[Any]]) -> str:
    if not rows:
        return "<p>none"
    marks = [_cell(value).partition(">")[0].replace("<td", "<th") for value in rows[0]]
    top = "".join(f"{mark}>{_e(name)}" for mark, name in zip(marks, names))
    body = "".join("<tr>" + "".join(_cell(value) for value in row) for row in rows)
    return f"<table><tr>{top}{body}</table>"


def _cell(value: Any) -> str:
    number = isinstance(value, int) or str(value).lstrip("-").startswith("$")
    return f"<td class=num>{_e(value)}" if number else f"<td>{_e(value)}"


def _money(cents: int) -> str:
    return f"{'-' if cents < 0 else ''}${abs(cents) // 100:,}.{abs(cents) % 100:02}"


def _e(value: Any) -> str:
    return html.escape(str(value))
