"""Plays scripts at the virtual table without a browser, or at a real board, and prints them.

.venv/bin/python -m tools.bench.demo                       one script of every game
.venv/bin/python -m tools.bench.demo FILE.felt ...         these scripts
.venv/bin/python -m tools.bench.demo --terminal /dev/ttyUSB0 --shoe /dev/ttyUSB1 [FILE.felt ...]
"""

from __future__ import annotations

import argparse
import asyncio
import shutil
import sys
import tempfile
import time
from pathlib import Path

from tools import games
from tools.bench.runner import Runner
from tools.bench.script import ScriptError, Statement, load, table_of
from tools.bench.session import SCRIPTS, Session
from tools.bench.supervisor import until
from tools.games import GAMES
from tools.paths import ROOT

PATIENCE_S = 120


async def virtual(statements: list[Statement], folder: Path, live: bool) -> str:
    """Play one script on a fresh virtual table; return what went wrong, or nothing."""
    game, dealing, start, seed = table_of(statements)
    session = Session(folder, game, dealing=dealing, start=start, seed=int(seed), live=live)
    heard: list[str] = []
    await session.start()
    try:
        session.supervisor.on_console.append(heard.append)
        if not await until(lambda: bool(session.world.picture)):
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
            statements = load(path)
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
    if args.shoe and not args.terminal:
        parser.error("a real board's dealer terminal is needed too: --terminal PORT")
    try:
        return real(args.scripts, args.terminal, args.shoe) if args.terminal else demos(args)
    except (ScriptError, OSError) as error:
        print(f"demo: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\ndemo: stopped", file=sys.stderr)
        return 130


def demos(args: argparse.Namespace) -> int:
    paths = args.scripts or [SCRIPTS / f"{name}.felt" for name in GAMES]
    began = time.monotonic()
    failures = asyncio.run(play(paths, args.live))
    print(f"\n{len(paths) - failures} played, {failures} failed, {time.monotonic() - began:.1f} s")
    return 1 if failures else 0


def real(paths: list[Path], terminal: str, shoe: str | None) -> int:
    """At a real board: 0 played, 1 failed, 2 no such script; the rest as in trouble.py."""
    from tools.bench import serial_play
    from tools.bench.routines import NoTable

    failed = False
    chosen: list[Path | None] = [*paths] or [None]
    for path in chosen:
        try:
            error = serial_play.play(path, terminal, shoe)
        except NoTable as trouble:
            print(f"demo: {trouble}", file=sys.stderr)
            return trouble.code
        failed = failed or bool(error)
        print("FAILED" if error else "played", flush=True)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
