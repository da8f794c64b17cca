"""What the firmware costs a board: flash and heap for each module, with limits that fail.

Heap is measured in emulated boards: on one for each game a table is opened as main.py does it,
Premium Hold 'Em with Bonus Spin and its display; others import the modules one by one, each
compiled by itself, and the joints a board really has of them. Without an RP2040 image only
imports are measured, on the host's MicroPython with its 64-bit objects.
"""

from __future__ import annotations

import argparse
import ast
import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from tools.emulator import runtimes
from tools.emulator.uf2 import find_uf2
from tools.image import build, join
from tools.paths import BOARDS, BUILD, FIRMWARE

BUNDLE_LIMIT = 200 * 1024
FREE_GOAL = 120 * 1024
# What a table leaves free today, less a little: docs/architecture.md says where the rest is.
FREE_LIMITS = {"premium": 68_000, "headsup": 130_000, "colorado": 130_000, "winners_pot": 130_000}

IMPORTS = """
import gc
gc.collect()
before = gc.mem_alloc()
for name in {names!r}:
    try:
        __import__(name)
    except (ImportError, MemoryError) as error:
        print(name, type(error).__name__)
        continue
    gc.collect()
    after = gc.mem_alloc()
    print(name, after - before)
    before = after
"""

# What main.table() does, up to the point where it starts its tasks.
TABLE = """
import main, gc
app = main.start()
gc.collect()
import micropython
micropython.mem_info()
print("fault", app.table.fault or "none")
print("open", gc.mem_free())
"""
BLOCK = 16  # bytes of heap in one of mem_info()'s blocks


def module_name(path: Path) -> str:
    dotted = ".".join(path.relative_to(FIRMWARE).with_suffix("").parts)
    return dotted.removesuffix(".__init__")


def in_order(files: dict[str, Path]) -> list[str]:
    """The modules, each after what it needs itself."""
    trees = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files.items()}
    return join.in_order(files, trees)


def open_memory(game: str) -> tuple[bytes, dict[str, Any]]:
    """Critical memory and settings of a table that is open for bets."""
    from tools.bench import games, starts

    settings = games.settings(game)
    with tempfile.TemporaryDirectory() as folder:
        world: Any = SimpleNamespace(state=Path(folder))
        starts.prepare("open", world, settings)
        return (Path(folder) / "fram.bin").read_bytes(), settings


def measure_imports(names: list[str], joined: bool) -> list[str]:
    from tools.emulator.pico import Pico

    held = build.library(joined=joined)
    held["board.py"] = (BOARDS / "RPI_PICO" / "board.py").read_bytes()
    return Pico(held).run(IMPORTS.format(names=names)).splitlines()


def measure_table(game: str) -> list[str]:
    """Lines `open.GAME bytes`, `largest.GAME bytes`, `fault.GAME why`."""
    from tools.emulator.pico import Fram, GuestError, Pico

    memory, settings = open_memory(game)
    held = build.bundle("RPI_PICO")
    for name in build.AS_SOURCE:  # compiled, so that nothing starts by itself
        held.pop(name)
    held["main.mpy"] = build.compile_module(FIRMWARE / "main.py", "armv6m")
    held[build.MANIFEST] = build.manifest(held)
    held["config.json"] = json.dumps(settings).encode()
    try:
        text = Pico(held, fram=Fram(memory)).run(TABLE)
    except GuestError as error:
        text = f"fault {str(error).splitlines()[-1]}\nopen 0\nmax free sz: 0\n"
    lines = [line.split(" ", 1) for line in text.splitlines()]
    found = {line[0]: line[1] for line in lines if line[0] in ("fault", "open")}
    found["largest"] = str(int(text.partition("max free sz: ")[2].split()[0]) * BLOCK)
    return [f"{key}.{game} {value}" for key, value in found.items()]


def measure_on_board(files: dict[str, Path]) -> list[str]:
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        runs = [pool.submit(measure_imports, in_order(files), False)]
        runs += [pool.submit(measure_table, game) for game in FREE_LIMITS]
        runs += [pool.submit(measure_imports, list(build.JOINTS), True)]
        return [line for run in runs for line in run.result()]


def measure_on_host(files: dict[str, Path]) -> list[str]:
    folder = BUILD / "host"
    build.write(build.library("x64", joined=False), folder)
    paths = [folder, BOARDS / "VIRTUAL"]
    env = {**os.environ, "MICROPYPATH": ":".join([*map(str, paths), ".frozen"])}
    code = IMPORTS.format(names=in_order(files))
    command = [*runtimes.micropython_command("2M"), "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout.splitlines()


def heap(files: dict[str, Path], on_board: bool) -> dict[str, str]:
    """Heap each module takes, and `open`, what is free with a table open; kept by content."""
    key = build.digest(build.bundle("RPI_PICO"))[:16]
    kept = BUILD / "budget" / f"{'board' if on_board else 'host'}-{key}.json"
    if not kept.exists():
        lines = measure_on_board(files) if on_board else measure_on_host(files)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(lines))
    return dict(line.split(" ", 1) for line in json.loads(kept.read_text()))


def print_modules(files: dict[str, Path], taken: dict[str, str], where: str) -> None:
    print(f"{'module':32} {'armv6m':>8} {'armv7emsp':>10} {'heap (' + where + ')':>18}")
    rows = [(name, path, False) for name, path in files.items()]
    rows += [(f"{module_name(path)} (joint)", path, True) for path in joints()]
    for name, path, joined in rows:
        sizes = [len(build.compile_module(path, arch, joined)) for arch in ("armv6m", "armv7emsp")]
        print(f"{name:32} {sizes[0]:8} {sizes[1]:10} {taken.get(name.split()[0], '?'):>18}")


def joints() -> list[Path]:
    return [path for path in build.shrunk()[0] if module_name(path) in build.JOINTS]


def bundle_over() -> list[str]:
    """Prints each board's bundle; says which are over the limit."""
    over = []
    for board in build.board_names():
        if build.board_data(board)["CHIP"] == "host":
            continue
        total = sum(map(len, build.bundle(board).values()))
        print(f"bundle {board:25} {total:8} of {BUNDLE_LIMIT}")
        if total > BUNDLE_LIMIT:
            over.append(f"the bundle for {board} is {total} bytes, over {BUNDLE_LIMIT}")
    return over


def heap_over(taken: dict[str, str]) -> list[str]:
    """Prints what is free with a table of each game open; says where that is too little."""
    if "open.premium" not in taken:
        print("heap free with the table open: not measured, no RP2040 image here")
        return []
    over = []
    for game, limit in FREE_LIMITS.items():
        free, largest = int(taken[f"open.{game}"]), taken[f"largest.{game}"]
        row = f"heap free, {game:20} {free:8}, largest block {largest:>7}, at least {limit}"
        print(f"{row}, goal {FREE_GOAL}")
        if taken[f"fault.{game}"] != "none":
            over.append(f"{game}: the table did not open: {taken[f'fault.{game}']}")
        elif free < limit:
            over.append(f"{game}: {free} bytes of heap free, under {limit}")
    return over


def main() -> int:
    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    on_board = find_uf2() is not None
    files = {module_name(path): path for path in build.modules()}
    taken = heap(files, on_board)
    print_modules(files, taken, "RP2040" if on_board else "host, 64 bit")
    over = bundle_over() + heap_over(taken)
    for line in over:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
