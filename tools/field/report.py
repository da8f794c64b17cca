"""One report for a person and for a file: rows that passed or failed, kept as JSON and as HTML.

The HTML needs nothing from anywhere: styles and plots are inside it.
"""

from __future__ import annotations

import html
import json
import re
import sys
import time
from pathlib import Path
from typing import Any, Callable

from .places import REPORTS
from .trouble import EXPECTED, of

PASS, FAIL, TODO = "PASS", "FAIL", "TO DO"
STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:62em;margin:2em auto;padding:0 1em;color:#222}
h1{margin:0 0 .3em}h2{margin:1.6em 0 .4em;font-size:1.15em}p{margin:.3em 0}
table{border-collapse:collapse;width:100%}
td,th{padding:.35em .8em;border-bottom:1px solid #e2e2e2;text-align:left;vertical-align:top}
th,.name{white-space:nowrap;width:1%;font-weight:600}code{font-size:.9em;overflow-wrap:anywhere}
.num{text-align:right;font-variant-numeric:tabular-nums}
.mark{white-space:nowrap;width:1%;font-weight:700}
.PASS{color:#0a6b2d}.FAIL{color:#b00020}.TODO{color:#8a5a00}
.banner{border-left:.5em solid;background:#f6f6f6;padding:.7em 1em;margin:.6em 0 1em}
.banner b{font-size:1.7em;margin-right:.6em}.banner span{color:#222}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(26em,1fr));gap:1em}
figure{margin:0;border:1px solid #e2e2e2;padding:.6em;break-inside:avoid}figcaption{font-size:.9em}
svg text{font-size:11px;fill:#555}svg .grid{stroke:#e2e2e2}svg .limit{stroke:#b00020;stroke-dasharray:6 4}
svg text.limit{stroke:none;fill:#b00020}svg polyline{fill:none;stroke:#0a57a3;stroke-width:1.5}
svg circle,svg .bar{fill:#0a57a3}
@media print{body{margin:0;max-width:none}}"""  # noqa: E501


LETTERS = {
    "P": ("#### ", "#   #", "#### ", "#    ", "#    "),
    "A": (" ### ", "#   #", "#####", "#   #", "#   #"),
    "S": (" ####", "#    ", " ### ", "    #", "#### "),
    "F": ("#####", "#    ", "###  ", "#    ", "#    "),
    "I": ("#####", "  #  ", "  #  ", "  #  ", "#####"),
    "L": ("#    ", "#    ", "#    ", "#    ", "#####"),
}


class Report:
    """Rows are (name, PASS|FAIL|TO DO, text); facts are what they were found on."""

    def __init__(self, title: str, facts: dict[str, Any] | None = None) -> None:
        self.title = title
        self.facts: dict[str, Any] = dict(facts or {})
        self.rows: list[tuple[str, str, str]] = []
        self.figures: list[str] = []  # SVG
        self.extra: dict[str, str] = {}  # pages kept beside it, by the end of their name
        self.when = time.strftime("%Y-%m-%d %H:%M:%S")
        self._stem = ""  # of the files it was saved as

    def add(self, name: str, ok: bool | str, text: str = "") -> None:
        outcome = ok if isinstance(ok, str) else PASS if ok else FAIL
        self.rows.append((name, outcome, text))
        print(f"  {outcome:5}  {name:24} {text}", flush=True)

    @property
    def outcome(self) -> str:
        return FAIL if any(row[1] == FAIL for row in self.rows) else PASS

    def as_dict(self) -> dict[str, Any]:
        rows = [{"name": n, "outcome": o, "text": t} for n, o, t in self.rows]
        return {
            "title": self.title,
            "when": self.when,
            "outcome": self.outcome,
            **self.facts,
            "rows": rows,
        }

    def summary(self) -> str:
        """How many passed, in words, and what comes first of what did not."""
        told = [f"{sum(o == PASS for _, o, _ in self.rows)} of {len(self.rows)} passed"]
        for mark in (FAIL, TODO):
            told += [f"{mark}: {n}" for n, o, _ in self.rows if o == mark][:3]
        return "; ".join(told)

    def as_html(self) -> str:
        rows = "".join(
            f"<tr class={o.replace(' ', '')}><td class=mark>{_e(o)}<td class=name>{_e(n)}"
            f"<td style='color:#222'>{_e(t)}"
            for n, o, t in self.rows
        )
        plots = f"<h2>Measured</h2><div class=plots>{''.join(self.figures)}</div>"
        return (
            head(self.title)
            + f"<div class='banner {self.outcome}'><b>{self.outcome}</b>"
            + f"<span>{_e(self.summary())}</span></div><p>{_e(self.when)}"
            + f"<h2>What was checked</h2><table>{rows}</table>"
            + (plots if self.figures else "")
            + f"<h2>On what</h2>{facts_table(self.facts)}\n"
        )

    def save(self, name: str, folder: Path | None = None) -> Path:
        """Writes NAME-TIME.json and .html; returns the HTML file's path."""
        folder = folder or REPORTS
        folder.mkdir(parents=True, exist_ok=True)
        stem = self._stem = self._stem or _unused(
            folder, f"{name}-{re.sub('[^0-9]', '', self.when)}"
        )
        (folder / f"{stem}.json").write_text(json.dumps(self.as_dict(), indent=1) + "\n")
        for end, page in self.extra.items():
            write_text(folder / f"{stem}-{end}", page)
        path = folder / f"{stem}.html"
        write_text(path, self.as_html())
        return path

    def finish(self, name: str, folder: Path | None = None) -> int:
        """Prints the outcome and where the report is; returns the exit code, which is that of the
        work: it is done, whether or not its report can be kept."""
        where, lost = "no report", ""
        try:
            where = f"report: {_near(self.save(name, folder))}"
        except OSError as error:  # a full disk's has no name
            lost = f"{error.filename or folder or REPORTS}: {error.strerror}"
        print(large(self.outcome))
        print(f"{self.outcome}  {self.title}  ({where})", flush=True)
        if lost:
            print(f"The report was not kept: {lost}. Name another folder with --reports.",
                  file=sys.stderr)  # fmt: skip
        return 0 if self.outcome == PASS else 1


def concluded(work: Callable[[], None], report: Report, name: str, folder: Path | None) -> int:
    """Does the work and ends its report, also when it stops in the middle; its exit code."""
    try:
        work()
    except EXPECTED as error:
        trouble = of(error)
        report.add("stopped", False, str(trouble))
        report.finish(name, folder)
        return trouble.code
    return report.finish(name, folder)


def write_text(path: Path, text: str) -> None:
    """What a table says of itself may hold what is no letter: no reason to lose the report."""
    path.write_text(text, encoding="utf-8", errors="replace")


def _unused(folder: Path, stem: str) -> str:
    """A name no other report has: several boards may end in one second."""
    found, number = stem, 1
    while (folder / f"{found}.json").exists():
        number += 1
        found = f"{stem}-{number}"
    return found


def large(word: str) -> str:
    """PASS or FAIL in letters that are read from across the table."""
    rows = [" ".join(LETTERS[letter][row] for letter in word) for row in range(5)]
    return "\n" + "\n".join("  " + row for row in rows) + "\n"


def head(title: str) -> str:
    """The beginning of a page, with its style."""
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        "<meta name=viewport content='width=device-width'>"
        f"<title>{_e(title)}</title><style>{STYLE}</style><h1>{_e(title)}</h1>"
    )


def facts_table(facts: dict[str, Any]) -> str:
    """Names and values; empty ones are left out, versions are written as such."""
    told = {k: ".".join(map(str, v)) if isinstance(v, list) else v for k, v in facts.items()}
    rows = (f"<tr><th>{_e(k)}<td><code>{_e(v)}</code>" for k, v in told.items() if v != "")
    return f"<table>{''.join(rows)}</table>"


def _near(path: Path) -> str:
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)


def _e(value: Any) -> str:
    return html.escape(str(value))


class Bar:
    """A progress bar on a terminal; silent elsewhere."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = bool(sys.stderr) and sys.stderr.isatty()

    def __call__(self, done: int, total: int) -> None:
        if self.shown:
            filled = 30 * done // max(total, 1)
            end = "\n" if done >= total else ""
            bar = "#" * filled + "." * (30 - filled)
            print(
                f"\r  {self.what:10} [{bar}] {100 * done // max(total, 1):3} %",
                end=end,
                file=sys.stderr,
            )
