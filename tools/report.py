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
from typing import Any, Iterable

import build

REPORTS = build.BUILD / "reports"
PASS, FAIL, TODO = "PASS", "FAIL", "TO DO"
_STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60em;margin:2em auto;color:#222}
table{border-collapse:collapse;width:100%}
td,th{padding:.3em .7em;border-bottom:1px solid #ddd;text-align:left;vertical-align:top}
.PASS{color:#0a6b2d}.FAIL{color:#b00020}.TODO{color:#8a5a00}.big{font-size:2em;font-weight:700}
code{font-size:.9em;word-break:break-all}svg{background:#fafafa;border:1px solid #ddd}
@media print{body{margin:0}}"""


class Report:
    """Rows are (name, PASS|FAIL|TO DO, text); facts are what they were found on."""

    def __init__(self, title: str, facts: dict[str, Any] | None = None) -> None:
        self.title = title
        self.facts: dict[str, Any] = dict(facts or {})
        self.rows: list[tuple[str, str, str]] = []
        self.figures: list[str] = []  # SVG
        self.when = time.strftime("%Y-%m-%d %H:%M:%S")

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

    def as_html(self) -> str:
        kind = {PASS: "PASS", FAIL: "FAIL", TODO: "TODO"}
        facts = "".join(f"<tr><th>{_e(k)}<td><code>{_e(v)}</code>" for k, v in self.facts.items())
        rows = "".join(
            f"<tr><td class={kind[o]}>{_e(o)}<td>{_e(n)}<td>{_e(t)}" for n, o, t in self.rows
        )
        return (
            f"<!doctype html><meta charset=utf-8><title>{_e(self.title)}</title>"
            f"<style>{_STYLE}</style><h1>{_e(self.title)}</h1>"
            f"<p class='big {self.outcome}'>{self.outcome}<p>{_e(self.when)}<table>{facts}</table>"
            f"<h2>What was checked</h2><table>{rows}</table>{''.join(self.figures)}\n"
        )

    def save(self, name: str, folder: Path | None = None) -> Path:
        """Writes NAME-TIME.json and .html; returns the HTML file's path."""
        folder = folder or REPORTS
        folder.mkdir(parents=True, exist_ok=True)
        stem = f"{name}-{re.sub('[^0-9]', '', self.when)}"
        (folder / f"{stem}.json").write_text(json.dumps(self.as_dict(), indent=1) + "\n")
        path = folder / f"{stem}.html"
        path.write_text(self.as_html(), encoding="utf-8")
        return path

    def finish(self, name: str, folder: Path | None = None) -> int:
        """Prints the outcome and where the report is; returns the exit code."""
        path = self.save(name, folder)
        print(f"{self.outcome}  {self.title}  (report: {_near(path)})", flush=True)
        return 0 if self.outcome == PASS else 1


def _near(path: Path) -> str:
    return str(path.relative_to(build.ROOT)) if path.is_relative_to(build.ROOT) else str(path)


def _e(value: Any) -> str:
    return html.escape(str(value))


class Bar:
    """A progress bar on a terminal; silent elsewhere."""

    def __init__(self, what: str) -> None:
        self.what = what
        self.shown = sys.stderr.isatty()

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


def plot(title: str, values: Iterable[float], unit: str, limit: float | None = None) -> str:
    """A line plot as SVG, with the limit as a red line."""
    points = list(values)
    top = max([*points, limit or 0, 1e-9]) * 1.1
    step = 560 / max(len(points) - 1, 1)
    path = " ".join(f"{40 + i * step:.1f},{150 - 130 * v / top:.1f}" for i, v in enumerate(points))
    line = ""
    if limit is not None:
        y = 150 - 130 * limit / top
        line = f"<path d='M40 {y:.1f}H600' stroke='#b00020' stroke-dasharray='6 4'/>"
        line += f"<text x=602 y={y:.1f} font-size=11 fill='#b00020'>{limit:g}</text>"
    dots = "".join(
        f"<circle r=2 cx={p.split(',')[0]} cy={p.split(',')[1]} />" for p in path.split()
    )
    return (
        f"<h3>{_e(title)}</h3><svg width=660 height=170 role=img aria-label='{_e(title)}'>"
        f"<text x=2 y=24 font-size=11>{top:.3g} {_e(unit)}</text>"
        f"<path d='M40 150H600M40 20V150' stroke='#888' fill='none'/>"
        f"<polyline points='{path}' fill='none' stroke='#0a57a3'/>{dots}{line}</svg>"
    )
