"""Measure the evaluator against published ones and against a call that does nothing.

Each subject runs in a process, or on an emulated board, of its own.  Times include the loop that
makes the calls.  phevaluator's tables do not fit a board.  Emulated figures are exact for their
hands: cycles are counted, and a sample is smaller only where a hand costs tens of thousands.
"""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path
from typing import Any

from tools.emulator import runtimes
from tools.generate import gen_tables
from tools.image import build
from tools.measure.perf_subjects import BOARD, HEAP, HOST, SUBJECTS, script, sources
from tools.paths import FIRMWARE

BARS = (
    ("seven cards / floor", "at most", 1.75, 1.9),
    ("seven cards against treys", "at least", 600, 550),
    ("five cards against treys", "at least", 12, 12),
    ("seven cards against phevaluator", "at least", 100, None),
    ("looked up and calculated, us a hand", "at most", None, 25),
    ("bytes allocated a hand", "at most", 0, 0),
    ("bytes of tables", "at most", gen_tables.LIMIT, gen_tables.LIMIT),
)


def parse(text: str) -> dict[str, dict[str, int]]:
    found = {}
    for line in text.splitlines():
        name, ns, allocated, sample = line.rsplit(None, 3)
        found[name] = {"ns": int(ns), "allocated": int(allocated), "sample": int(sample)}
    return found


def on_host(subject: str) -> dict[str, dict[str, int]]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources(subject).items():
            (Path(folder) / f"{name}.py").write_text(text)
        command = [
            *runtimes.micropython_command(HEAP.get(subject, "480k")),
            "-c",
            script(subject, HOST),
        ]
        env = runtimes._environment("micropython", [folder, str(FIRMWARE)])
        done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{subject} on the host:\n{done.stderr}{done.stdout}")
    return parse(done.stdout)


def on_board(subject: str) -> dict[str, dict[str, int]]:
    from tools.emulator import pico as emulator

    files = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources(subject).items():
            path = Path(folder) / f"{name}.py"
            path.write_text(text)
            files[f"{name}.mpy"] = build.compile_module(path, "armv6m")
    board = emulator.Pico(files)
    return parse(board.run(script(subject, BOARD), max_ms=3_600_000))


def mpy_bytes() -> int:
    names = ("__init__", "kernels", "tables")
    paths = [FIRMWARE / "felt" / "evaluator" / f"{name}.py" for name in names]
    return sum(len(build.compile_module(path, "armv6m")) for path in paths)


def bars(host: dict, board: dict) -> list[dict[str, Any]]:
    """The promised figures beside what was measured."""
    both = (host, board)
    ours = [where.get("ours, viper", {}) for where in both]

    def ratio(subject: str, cards: str, mine: str, up: bool) -> list[float | None]:
        found: list[float | None] = []
        for where, own in zip(both, ours):
            other = where.get(subject, {}).get(cards)
            if not other or mine not in own:
                found.append(None)
            else:
                a, b = other["ns"], own[mine]["ns"]
                found.append(a / b if up else b / a)
        return found

    twice = board.get("ours, viper", {}).get("both 7", {}).get("ns")
    spent = [
        max((own[k]["allocated"] for k in "567"), default=None) if own else None for own in ours
    ]
    values: tuple[list[Any], ...] = (
        ratio("floor", "7", "7", False),
        ratio("treys", "7", "7", True),
        ratio("treys", "5", "5", True),
        ratio("phevaluator", "7", "7", True),
        [None, twice / 1000 if twice else None],
        spent,
        [len(gen_tables.tables())] * 2,
    )
    rows = []
    for (name, kind, *limits), measured in zip(BARS, values):
        for where, limit, value in zip(("host", "board"), limits, measured):
            if limit is not None and value is not None:
                met = value <= limit if kind == "at most" else value >= limit
                rows.append(
                    {"figure": name, "where": where, "bar": f"{kind} {limit}",
                     "measured": round(value, 2), "met": met}
                )  # fmt: skip
    return rows


def measure(quick: bool) -> dict[str, Any]:
    """All figures of this section; quick leaves the emulated board out."""
    host = {subject: on_host(subject) for subject in SUBJECTS}
    board = {} if quick else {s: on_board(s) for s in SUBJECTS if s != "phevaluator"}
    rows = []
    for where, found in (("host", host), ("board", board)):
        for subject, figures in found.items():
            for cards, figure in figures.items():
                if cards != "import":
                    rows.append({"where": where, "subject": subject, "cards": cards, **figure})
    return {"times": rows, "bars": bars(host, board), "mpy": [{"bytes of .mpy": mpy_bytes()}]}
