"""make powercut: 100,000 power cuts, a real start after each one, on both interpreters; and in one
round a second cut at every byte of the start after the first.

Options: --cuts N, --seed N, --on cpython|micropython|both. One PASS or FAIL line for each."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import threading
from pathlib import Path

from tools.counts import count
from tools.paths import ROOT, SHIMS

SCRIPT = Path(__file__).with_name("powercut.py")
RUNTIMES = ("cpython", "micropython")
HEAP = "4m"  # a recorded round and some memory images; the table itself needs no more than it has


def command(runtime: str) -> list[str]:
    """How to run tools/prove/powercut.py under an interpreter."""
    if runtime == "cpython":
        return [sys.executable, str(SCRIPT)]
    beside = str(Path(sys.executable).with_name("micropython"))
    return [os.environ.get("MICROPYTHON", beside), "-X", f"heapsize={HEAP}", str(SCRIPT)]


def environment(runtime: str) -> dict[str, str]:
    path = [str(ROOT / "firmware"), str(ROOT)]
    if runtime == "micropython":
        return {**os.environ, "MICROPYPATH": ":".join([*path, ".frozen"])}
    return {**os.environ, "PYTHONPATH": ":".join([*path, str(SHIMS)])}


class Run(threading.Thread):
    """One interpreter at work; `cuts` so far, then `line` (what was proved) or `error`."""

    def __init__(self, runtime: str, numbers: list[int]) -> None:
        super().__init__(daemon=True)
        self.runtime = runtime
        self.cuts = 0
        self.line = self.error = ""
        self.process = subprocess.Popen(
            [*command(runtime), *map(str, numbers)],
            env=environment(runtime),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def run(self) -> None:
        rest = []
        for row in self.process.stdout or ():
            if row.startswith("PROGRESS"):
                self.cuts = int(row.split()[1])
            else:
                rest.append(row)
        if self.process.wait() == 0:
            self.line = rest[-1].strip()
        else:
            self.error = "".join(rest) or f"exit status {self.process.returncode}"


def bar(runs: list[Run], cuts: int) -> str:
    done = sum(min(run.cuts, cuts) for run in runs)
    share = done / (cuts * len(runs))
    width = 40
    filled = "#" * int(share * width)
    return f"[{filled:.<{width}}] {share:6.1%}  {done:,} cuts"


def watch(runs: list[Run], cuts: int) -> None:
    shown = bool(cuts) and sys.stderr.isatty()
    for run in runs:
        run.start()
    while any(run.is_alive() for run in runs):
        runs[0].join(0.5) if runs[0].is_alive() else runs[-1].join(0.5)
        if shown:
            print("\r" + bar(runs, cuts), end="", file=sys.stderr, flush=True)
    if shown:
        print(file=sys.stderr)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cuts", type=count, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", choices=(*RUNTIMES, "both"), default="both")
    args = parser.parse_args()
    chosen = RUNTIMES if args.on == "both" else (args.on,)
    runs = [Run(name, [args.cuts, 0, args.seed, 1, args.cuts]) for name in chosen]
    try:
        watch(runs, args.cuts)
        runs += [Run(name, [1, 1, args.seed]) for name in chosen]
        print("one round more, cut twice: a minute", file=sys.stderr)
        watch(runs[len(chosen) :], 0)
    except KeyboardInterrupt:
        for run in runs:
            run.process.terminate()
        return 130
    for run in runs:
        print(
            f"FAIL {run.runtime}\n{run.error}" if run.error else f"PASS {run.runtime}: {run.line}"
        )
    return any(run.error for run in runs)


if __name__ == "__main__":
    sys.exit(main())
