"""What the firmware costs a board: flash and heap for each module, with limits that fail.

Heap is measured by importing each module, what it needs first, inside the emulated board; without
an RP2040 image on the host's MicroPython, whose 64-bit objects make it about twice as much.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import subprocess
import sys
from pathlib import Path

import build

sys.path.insert(0, str(build.ROOT / "host_tests"))

import runtimes
from uf2 import find_uf2

BUNDLE_LIMIT = 200 * 1024
FREE_LIMIT = 120 * 1024

MEASURE = """
import gc
gc.collect()
before = gc.mem_alloc()
for name in {names!r}:
    __import__(name)
    gc.collect()
    after = gc.mem_alloc()
    print(name, after - before)
    before = after
print("free", gc.mem_free())
"""


def module_name(path: Path) -> str:
    dotted = ".".join(path.relative_to(build.FIRMWARE).with_suffix("").parts)
    return dotted.removesuffix(".__init__")


def imports_at_start(path: Path) -> list[str]:
    """Modules of ours that importing this file imports (not those a function imports later)."""
    names = []
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names += [str(node.module), *(f"{node.module}.{alias.name}" for alias in node.names)]
    return names


def in_order(roots: list[str]) -> list[str]:
    """The modules `roots` need, each after what it needs itself."""
    files = {module_name(path): path for path in build.modules()}
    done: dict[str, None] = {}

    def visit(name: str) -> None:
        if name in files and name not in done:
            for needed in [name.rpartition(".")[0], *imports_at_start(files[name])]:
                if needed != name:
                    visit(needed)
            done.setdefault(name)

    for root in roots:
        visit(root)
    return list(done)


def measure_on_board(names: list[str]) -> list[str]:
    from emulator import Pico

    files = build.bundle("RPI_PICO")
    for name in build.AS_SOURCE:
        files.pop(name, None)
    return Pico(files).run(MEASURE.format(names=names)).splitlines()


def measure_on_host(names: list[str]) -> list[str]:
    folder = build.BUILD / "host"
    build.write(build.library("x64"), folder)
    paths = [folder, build.BOARDS / "VIRTUAL"]
    env = {**os.environ, "MICROPYPATH": ":".join([*map(str, paths), ".frozen"])}
    command = [*runtimes.micropython_command("2M"), "-c", MEASURE.format(names=names)]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stdout + done.stderr)
    return done.stdout.splitlines()


def heap(names: list[str], on_board: bool) -> tuple[dict[str, int], int]:
    """Heap each module takes, and what is free after them; kept in build/ by content."""
    key = build.digest(build.bundle("RPI_PICO"))[:16]
    kept = build.BUILD / "budget" / f"{'board' if on_board else 'host'}-{key}.json"
    if kept.exists():
        lines = json.loads(kept.read_text())
    else:
        lines = measure_on_board(names) if on_board else measure_on_host(names)
        kept.parent.mkdir(parents=True, exist_ok=True)
        kept.write_text(json.dumps(lines))
    sizes = {name: int(size) for name, size in (line.split() for line in lines)}
    return sizes, sizes.pop("free")


def open_table() -> list[str]:
    """Every module, minus what an open table does not need."""
    return in_order([module_name(path) for path in build.modules()])


def report(on_board: bool) -> list[str]:
    """Prints the table; returns the limits broken."""
    flash = {arch: build.library(arch) for arch in ("armv6m", "armv7emsp")}
    sizes, free = heap(open_table(), on_board)
    where = "RP2040" if on_board else "host, 64 bit"
    print(f"{'module':32} {'armv6m':>8} {'armv7emsp':>10} {'heap (' + where + ')':>18}")
    for path in build.modules():
        name = module_name(path)
        target = path.relative_to(build.FIRMWARE).with_suffix(".mpy").as_posix()
        cells = [len(flash[arch][target]) for arch in flash]
        print(f"{name:32} {cells[0]:8} {cells[1]:10} {sizes.get(name, 0):18}")
    broken = []
    for board in build.board_names():
        if build.board_data(board)["CHIP"] == "host":
            continue
        total = sum(map(len, build.bundle(board).values()))
        print(f"bundle {board:25} {total:8} of {BUNDLE_LIMIT}")
        if total > BUNDLE_LIMIT:
            broken.append(f"the bundle for {board} is {total} bytes, over {BUNDLE_LIMIT}")
    print(f"heap of all modules together     {sum(sizes.values()):8}, then free: {free}")
    return broken


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.parse_args()
    broken = report(find_uf2() is not None)
    for line in broken:
        print(f"over budget: {line}", file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())
