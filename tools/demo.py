"""Plays scripts at the virtual table without a browser, or at a real board, and prints them.

.venv/bin/python tools/demo.py                       one script of every game
.venv/bin/python tools/demo.py FILE.felt ...         these scripts
.venv/bin/python tools/demo.py --terminal /dev/ttyUSB0 --shoe /dev/ttyUSB1 FILE.felt
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

from bench import ROOT, games
from bench.runner import Runner
from bench.script import ScriptError, Statement, parse
from bench.session import SCRIPTS, Session
from bench.supervisor import until

PATIENCE_S = 60
DEMOS = ("premium", "headsup", "colorado", "winners_pot")


def table_of(statements: list[Statement]) -> list[str]:
    """The words of the script's `table` line: game, dealing, start state."""
    found = [s.words for s in statements if s.verb == "table"]
    words = found[0] if found else ["premium"]
    return (words + ["", "shoe", "open"][len(words) :])[:3]


async def virtual(statements: list[Statement], folder: Path, live: bool) -> str:
    """Play one script on a fresh virtual table; return what went wrong, or nothing."""
    game, dealing, start = table_of(statements)
    session = Session(folder, game, dealing=dealing, start=start, live=live)
    heard: list[str] = []
    await session.start()
    try:
        session.supervisor.on_console.append(heard.append)
        if not await until(lambda: bool(session.world.picture), 20):
            return "the firmware did not start: " + " / ".join(heard[-5:])
        runner = Runner(statements, session.supervisor, ROOT / "build" / "demo")
        runner.listen = lambda text: print("  " + text, flush=True)
        session.supervisor.on_tick.append(runner.step)
        if not await until(lambda: runner.done, PATIENCE_S):
            return f"no end after {PATIENCE_S} s at {runner.current}"
        return runner.error
    finally:
        await session.stop()


async def play(paths: list[Path], live: bool) -> int:
    folder = Path(tempfile.mkdtemp(prefix="felt-demo-"))
    failures = 0
    try:
        for path in paths:
            began = time.monotonic()
            statements = parse(path.read_text())
            game = table_of(statements)[0]
            print(f"\n{games.TITLES[game]} ({path.name})", flush=True)
            error = await virtual(statements, folder / path.stem, live)
            failures += bool(error)
            verdict = f"FAILED: {error}" if error else "played"
            print(f"{path.stem}: {verdict}, {time.monotonic() - began:.1f} s", flush=True)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return failures


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("scripts", nargs="*", type=Path, help="default: one of every game")
    parser.add_argument("--live", action="store_true", help="in real time instead of flat out")
    parser.add_argument("--terminal", help="serial port of a real board's dealer terminal line")
    parser.add_argument("--shoe", help="serial port of a real board's shoe line")
    args = parser.parse_args()
    paths = args.scripts or [SCRIPTS / f"{name}.felt" for name in DEMOS]
    began = time.monotonic()
    try:
        if args.terminal or args.shoe:
            from bench.serial_table import play_serial

            failures = sum(bool(play_serial(p, args.terminal, args.shoe)) for p in paths)
        else:
            failures = asyncio.run(play(paths, args.live))
    except (ScriptError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    print(f"\n{len(paths) - failures} played, {failures} failed, {time.monotonic() - began:.1f} s")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
