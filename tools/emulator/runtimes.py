"""The interpreters a logic test runs under, and how to run one module's tests in each."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from tools.paths import FIRMWARE, ROOT, SHIMS

RUNNER = Path(__file__).with_name("logic_runner.py")
HEAP = "576k"  # a PC has code, tests and paths in its heap, and objects are twice as wide
TIMEOUT_S = 300


@dataclass
class Outcome:
    """What one test did: `ok`, what it printed, and the traceback if it failed."""

    ok: bool
    output: str
    trace: str = ""


def micropython() -> str:
    """The host's MicroPython: `MICROPYTHON=` or the one in the virtual environment."""
    beside = Path(sys.executable).with_name("micropython")
    return os.environ.get("MICROPYTHON") or str(beside)


def micropython_command(heap: str = HEAP) -> list[str]:
    return [micropython(), "-X", f"heapsize={heap}"]


def search_path(module: Path, extra: list[str]) -> list[str]:
    return [str(part) for part in (module.parent, *(ROOT / p for p in extra), FIRMWARE, ROOT)]


def _environment(runtime: str, path: list[str]) -> dict[str, str]:
    env = dict(os.environ)
    if runtime == "micropython":
        env["MICROPYPATH"] = ":".join([*path, ".frozen"])
    else:
        env["PYTHONPATH"] = ":".join([*path, str(SHIMS)])
        env["PYTHONHASHSEED"] = "0"
        env["PYTHONDONTWRITEBYTECODE"] = "1"
    return env


def run_module(
    runtime: str, module: Path, names: list[str], extra: list[str]
) -> dict[str, Outcome]:
    """Runs `names` of a logic module in one process of `runtime` ("cpython" or "micropython")."""
    command = micropython_command() if runtime == "micropython" else [sys.executable]
    command += [str(RUNNER), module.stem, *names]
    env = _environment(runtime, search_path(module, extra))
    try:
        done = subprocess.run(
            command, cwd=ROOT, env=env, capture_output=True, text=True, timeout=TIMEOUT_S
        )
        text, ended = done.stdout, f"exit status {done.returncode}\n{done.stdout}{done.stderr}"
    except subprocess.TimeoutExpired as late:
        raw = late.stdout or b""
        text = raw.decode(errors="replace") if isinstance(raw, bytes) else raw
        ended = f"no end after {TIMEOUT_S} s"
    return parse_report(text, names, f"{runtime} stopped: {ended}")


def parse_report(text: str, names: list[str], ended: str) -> dict[str, Outcome]:
    """Splits the runner's report; a test without a verdict failed with `ended`."""
    outcomes = {name: Outcome(False, "", ended) for name in names}
    for part in text.replace("\r\n", "\n").split("\x01run ")[1:]:
        name, _, body = part.partition("\n")
        output, mark, verdict = body.partition("\x01")
        if mark:
            ok = verdict.startswith("ok")
            outcomes[name] = Outcome(ok, output, "" if ok else with_source(verdict[5:]))
        else:
            outcomes[name] = Outcome(False, output, ended)
    return outcomes


def with_source(trace: str) -> str:
    """Adds the source line under each MicroPython traceback line, as CPython does."""
    lines = []
    rows = trace.splitlines()
    for row, following in zip(rows, [*rows[1:], ""]):
        lines.append(row)
        found = re.match(r'\s*File "(.+?)", line (\d+)', row)
        if found and not following.startswith("    "):
            lines.append("    " + _source_line(found[1], int(found[2])))
    return "\n".join(lines)


def _source_line(name: str, number: int) -> str:
    for base in (ROOT, ROOT / "firmware", ROOT / "host_tests" / "logic"):
        path = base / name
        if path.is_file():
            rows = path.read_text(encoding="utf-8").splitlines()
            return rows[number - 1].strip() if number <= len(rows) else ""
    return ""
