"""Long counting in pieces: two processes, a bar with an estimate, and a cache Ctrl-C cannot hurt.

A finished piece is a file; its name is made of everything its numbers depend on. What is
interrupted goes on where it stopped; what is asked again is read.
"""

from __future__ import annotations

import ast
import hashlib
import os
import signal
import sys
import time
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from pathlib import Path
from typing import Any, Callable, Sequence

import numpy as np

from tools.prove.par import scores

ROOT = Path(__file__).resolve().parents[3]
CACHE = ROOT / "build" / "par" / "cache"
WORKERS = 2
BAR = 30
Arrays = dict[str, np.ndarray]


def identity(*parts: Any) -> str:
    """A short name for everything a result depends on, the code that counts included."""
    digest = hashlib.sha256()
    digest.update(_program("kernels.py").encode())
    digest.update(repr(scores.tables()).encode())
    for part in parts:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return digest.hexdigest()[:20]


def _program(name: str) -> str:
    """A module's program, whatever its comments and its format."""
    tree = ast.parse((Path(__file__).parent / name).read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef)) and ast.get_docstring(node):
            del node.body[0]
    return ast.dump(tree)


class Bar:
    """One line that says how far, how long it took and how long it will take."""

    def __init__(self, name: str, total: int, done: int = 0, stream: Any = sys.stderr) -> None:
        self.name, self.total, self.done, self.first = name, total, done, done
        self.start = time.monotonic()
        self.stream = stream
        self.show()

    def step(self) -> None:
        self.done += 1
        self.show()

    def show(self) -> None:
        spent = time.monotonic() - self.start
        fresh = self.done - self.first
        left = spent / fresh * (self.total - self.done) if fresh else 0
        filled = BAR * self.done // self.total
        line = f"{self.name:24} |{'#' * filled:{BAR}}| {self.done}/{self.total}"
        line += f"  {spent:4.0f} s, {left:.0f} s left " if fresh else ""
        end = "\n" if self.done == self.total else ""
        self.stream.write(("\r" if self.stream.isatty() else "") + line + end)
        if not end and not self.stream.isatty():
            self.stream.write("\n")
        self.stream.flush()


def _save(path: Path, arrays: Arrays) -> None:
    part = path.with_suffix(f".{os.getpid()}.part")
    save: Any = np.savez_compressed
    with part.open("wb") as f:
        save(f, **arrays)
    part.replace(path)


def _load(path: Path) -> Arrays:
    with np.load(path) as data:
        return {name: data[name] for name in data.files}


def _quiet() -> None:
    """Ctrl-C is the parent's business; others on this machine come first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.setpriority(os.PRIO_PROCESS, 0, max(10, os.getpriority(os.PRIO_PROCESS, 0)))


def pieces(
    name: str, key: str, jobs: Sequence[tuple], count: Callable[..., Arrays]
) -> list[Arrays]:
    """`count(*job)` of every job, in order, from the cache where it is there."""
    folder = CACHE / f"{name}-{key}"
    folder.mkdir(parents=True, exist_ok=True)
    files = [folder / f"{i:04}.npz" for i in range(len(jobs))]
    due = [i for i, file in enumerate(files) if not file.exists()]
    if due:
        _run(name, files, due, jobs, count)
    return [_load(file) for file in files]


def _run(
    name: str, files: list[Path], due: list[int], jobs: Sequence[tuple], count: Callable
) -> None:
    bar = Bar(name, len(files), len(files) - len(due))
    pool = ProcessPoolExecutor(WORKERS, initializer=_quiet)
    waiting = {pool.submit(_piece, files[i], count, jobs[i]) for i in due}
    try:
        while waiting:
            done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
            for one in done:
                one.result()
                bar.step()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _piece(file: Path, count: Callable[..., Arrays], job: tuple) -> None:
    _save(file, count(*job))


def added(parts: Sequence[Arrays], name: str) -> np.ndarray:
    """The sum of one array over all pieces."""
    total = parts[0][name].copy()
    for part in parts[1:]:
        total += part[name]
    return total
