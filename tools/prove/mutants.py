"""`make mutants`: finds tests that cannot fail, by changing the firmware and looking who notices.

Each mutant is one wrong change in memory (mutations.py), nothing on disk is touched. A forked
process imports the changed module and runs the tests that reach its line (reach.py), quickest
first, until one fails; a test that does not end is a failure too. Mutants that no test can tell
from the firmware are listed in KNOWN with the reason. The same --seed takes the same sample;
--again asks only for those that lived in the last run.
"""

from __future__ import annotations

import argparse
import functools
import importlib.abc
import importlib.util
import json
import mmap
import multiprocessing
import os
import random
import signal
import sys
from collections import Counter
from pathlib import Path
from typing import Any, Iterator

from tools import stopped
from tools.paths import BUILD, FIRMWARE, ROOT
from tools.prove import reach
from tools.prove.mutations import Mutant, mutants, mutate

FELT = FIRMWARE / "felt"
ROOMS = ("games", "round", "link", "dealer", "table.py", "app.py", "tasks.py", "deliveries.py")
ELSEWHERE = ("link/pio_uart.py",)  # its registers are judged on the emulated board only
KNOWN = ROOT / "tools" / "data" / "mutants_alive.json"  # {mutant: why it may live}
LONGEST = 600.0  # seconds by the clock; none comes near
PATIENCE = 40.0  # seconds of tests shown a mutant; what lives longer counts as alive
STEP = 100  # mutants between two lines of progress
QUICK = 0.05  # seconds
KILLED, ALIVE = 0, 1

Map = dict[str, Any]  # {test: [seconds, {file: lines}]}


def sources(names: list[str]) -> list[Path]:
    """Files of the firmware, by room or by path below firmware/felt."""
    found: list[Path] = []
    for name in names:
        path = FELT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
    found = [path for path in found if path.relative_to(FELT).as_posix() not in ELSEWHERE]
    return [path for path in found if path.name != "__init__.py" or path.stat().st_size > 200]


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives one module of the firmware with its change in it."""

    def __init__(self, path: Path, number: int) -> None:
        parts = path.relative_to(FIRMWARE).with_suffix("").parts
        self._package = parts[-1] == "__init__"
        self._name = ".".join(parts[:-1] if self._package else parts)
        self._code = compile(mutate(path.read_text(encoding="utf-8"), number), str(path), "exec")

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self._name:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=self._package)

    def exec_module(self, module: Any) -> None:
        exec(self._code, module.__dict__)


class Judge:
    """Shows mutants to tests; tests that noticed others of the same file come first."""

    def __init__(self, map_: Map, patience: float = PATIENCE) -> None:
        self._map = map_
        self._patience = patience
        self._noticed: Counter[tuple[str, str]] = Counter()
        self._now = mmap.mmap(-1, 256)  # the test that runs, for the parent to read

    def verdict(self, path: Path, mutant: Mutant) -> tuple[int, str]:
        """(KILLED or ALIVE, by whom)."""
        near = self.near(path, {mutant.line, mutant.first})
        if not near:
            return ALIVE, "no test reaches the line"

        def work() -> int:
            sys.meta_path.insert(0, Changed(path, mutant.number))
            return run(near, self._map, self._tell)

        self._tell("its import")
        if reach.forked(work, LONGEST) == ALIVE:
            return ALIVE, f"{len(near)} tests"
        name = bytes(self._now[:]).rstrip(b"\0").decode()
        self._noticed[str(path), name] += 1
        return KILLED, name

    def near(self, path: Path, at: set[int]) -> list[str]:
        """The tests that reach a statement, in the order they are asked."""
        file = path.relative_to(FELT).as_posix()
        found = []
        for test, (seconds, lines) in self._map.items():
            if not at.isdisjoint(lines.get(file, ())):
                noticed = self._noticed[str(path), test]
                found.append(((seconds + 0.02) / (1 + 20 * noticed), test))
        chosen, spent = [], 0.0
        for _, test in sorted(found):
            spent += self._map[test][0]
            if chosen and spent > self._patience:
                break
            chosen.append(test)
        return chosen

    def _tell(self, test: str) -> None:
        self._now[:] = test.encode()[:256].ljust(256, b"\0")


def run(names: list[str], map_: Map, tell: Any) -> int:
    """ALIVE when all these tests pass; logic tests first, the others in one run of pytest."""

    def begin(test: str) -> None:
        tell(test)
        signal.setitimer(signal.ITIMER_PROF, 5 + 10 * map_[test][0])

    for test in names:
        if reach.is_plain(test):
            begin(test)
            try:
                reach.run_plain(test)
            except BaseException:
                return KILLED
    whole = [test for test in names if not reach.is_plain(test)]
    return reach.run_whole(whole, begin) if whole else ALIVE


def _processes(count: int, *begin: Any) -> Any:
    return multiprocessing.get_context("fork").Pool(count, *begin)


def gather(words: list[str], jobs: int) -> Map:
    """The tests whose file or name has one of these words; without any, all."""
    found: Map = {}
    with _processes(jobs) as pool:
        look = functools.partial(reach.reach, sources(list(ROOMS)))
        every = pool.map(look, reach.files(), chunksize=1)
    # Constants are shown to tests that call their file; to quick ones also when they do not.
    called = {file for tests in every for test in tests if test for file in tests[test][1]}
    for tests in every:
        imported = tests.pop("")[1]
        for name, (seconds, lines) in tests.items():
            if not words or any(word in name for word in words):
                bare = set() if seconds < QUICK else called - set(lines)
                found[name] = [seconds, both(imported, lines, bare)]
    return found


Lines = dict[str, list[int]]


def both(imported: Lines, lines: Lines, left: set[str]) -> dict[str, set[int]]:
    """A test's lines: what it executes, and what importing files did, some files left out."""
    files = {*lines, *imported} - left
    return {file: {*imported.get(file, ()), *lines.get(file, ())} for file in files}


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", default=list(ROOMS), help="rooms or files in felt/")
    parser.add_argument("--sample", type=int, default=100, help="mutants a room; 0 takes all")
    parser.add_argument("--again", action="store_true", help="only those that lived last time")
    parser.add_argument("--tests", nargs="*", default=[], help="only tests with such words")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--patience", type=float, default=PATIENCE,
                        help="seconds of tests a mutant is shown")  # fmt: skip
    parser.add_argument("--out", type=Path, default=BUILD / "mutants.json")
    return parser


def main() -> int:
    args = options().parse_args()
    for name in args.files:
        if not (FELT / name).exists():
            options().error(
                f"there is no {name} in firmware/felt; the rooms are {' '.join(ROOMS)}"
            )
    reach.warm()
    map_ = gather(args.tests, args.jobs)
    known = json.loads(KNOWN.read_text())
    for name in outdated(list(known)):
        print(f"{KNOWN.name}: outdated: {name}")
    lived = alive_before(args.out) if args.again else None
    rows = []
    for room in args.files:
        sample = taken(room, 0 if args.again else args.sample, args.seed, lived)
        rows.append(one_room(room, sample, known, map_, args))
        args.out.parent.mkdir(parents=True, exist_ok=True)
        args.out.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


def alive_before(path: Path) -> set[str]:
    """The names of those that lived in a run that was written there."""
    return {each["mutant"] for row in json.loads(path.read_text()) for each in row["alive"]}


def outdated(known: list[str]) -> list[str]:
    """The excuses of mutants that are no more: their line was changed since."""
    there = set()
    for name in {each.split(" ")[0] for each in known}:
        source = (FELT / name).read_text(encoding="utf-8")
        there |= {f"{name} {mutant}" for mutant in mutants(source)}
    return [name for name in known if name not in there]


Sample = list[tuple[Path, Mutant]]


def named(path: Path, mutant: Mutant) -> str:
    return f"{path.relative_to(FELT).as_posix()} {mutant}"


def taken(room: str, count: int, seed: int, only: set[str] | None = None) -> Sample:
    """A room's sample, in the order of its files; all of those in `only` where that is given."""
    every = [(p, m) for p in sources([room]) for m in mutants(p.read_text(encoding="utf-8"))]
    if only is not None:
        return [each for each in every if named(*each) in only]
    if not count or count >= len(every):
        return every
    places = random.Random(f"{seed} {room}").sample(range(len(every)), count)
    return [every[i] for i in sorted(places)]


_judge: Judge  # one a process: it learns which tests notice


def _begin(map_: Map, patience: float) -> None:
    global _judge
    _judge = Judge(map_, patience)


def _ask(each: tuple[Path, Mutant]) -> tuple[Path, Mutant, int, str]:
    return (*each, *_judge.verdict(*each))


def judged(sample: Sample, map_: Map, args: Any) -> Iterator[tuple[Path, Mutant, int, str]]:
    """Each mutant with its verdict and by whom, as several processes find them."""
    with _processes(args.jobs, _begin, (map_, args.patience)) as pool:
        yield from pool.imap_unordered(_ask, sample)


def one_room(room: str, sample: Sample, known: dict[str, str], map_: Map,
             args: Any) -> dict[str, Any]:  # fmt: skip
    """Try these mutants of a room and print who lives."""
    alive = []
    found = judged(sample, map_, args)
    for done, (path, mutant, verdict, told) in enumerate(found, 1):
        if verdict == ALIVE:
            name = named(path, mutant)
            why = known.get(name, "")
            alive.append({"mutant": name, "line": mutant.line, "tests": told, "why": why})
            print(f"{name} (line {mutant.line}) [{why or told}]", flush=True)
        if not done % STEP:
            print(f"# {room}: {done} of {len(sample)}, {len(alive)} alive", flush=True)
    dead = len(sample) - len(alive)
    same = sum(1 for each in alive if each["why"])
    share = 100 * dead / max(len(sample), 1)
    print(f"{room}: {dead} of {len(sample)} die, {share:.1f} %; of the others {same} are no other"
          f" program (seed {args.seed})", flush=True)  # fmt: skip
    return {"room": room, "seed": args.seed, "tried": len(sample), "dead": dead, "alive": alive}


if __name__ == "__main__":
    sys.exit(stopped.run(main))
