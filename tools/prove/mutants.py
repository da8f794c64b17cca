"""`make mutants`: finds tests that cannot fail, by changing the firmware and looking who notices.

Each mutant is one wrong change in memory (mutations.py); a forked process imports the changed
module and runs the logic tests, settlement vectors and tests of the dealer's desk that reach its
line, quickest first, until one fails. Nothing on disk is touched. The same --seed takes the same
sample.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.abc
import importlib.util
import io
import json
import os
import random
import signal
import site
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Callable

from tools.paths import BUILD, FIRMWARE, ROOT
from tools.prove.mutations import Mutant, mutants, mutate

LOGIC = ROOT / "host_tests" / "logic"
VECTORS = ROOT / "host_tests" / "data" / "vectors.jsonl"
FELT = FIRMWARE / "felt"
ROOMS = ("games", "round", "link", "dealer", "table.py", "app.py")
KNOWN = ROOT / "tools" / "data" / "mutants_alive.json"  # survivors and why they may live
# Logic tests of other rooms, long ones among them.
APART = (
    "display", "evaluator", "vault", "drbg", "entropy", "archive", "sensors", "wheel", "runtime",
    "config", "virtual",
)  # fmt: skip
# Tests under pytest that play a whole table in this process, a file each.
WHOLE = (
    "test_dealer_desk", "test_edges", "test_faults", "test_selftest", "test_texts_machine",
    "test_pay_tables", "test_rules_page",
)  # fmt: skip
LONGEST = 60.0  # seconds a mutant may run; one that loops is dead
KILLED, ALIVE, LATE = 0, 1, 2


def sources(names: list[str]) -> list[Path]:
    """Files of the firmware, by room or by path below firmware/felt."""
    found: list[Path] = []
    for name in names:
        path = FELT / name
        found += sorted(path.rglob("*.py")) if path.is_dir() else [path]
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


def forked(work: Callable[[], int], seconds: float) -> int:
    """The result of `work` in a process of its own; LATE when it does not end."""
    pid = os.fork()
    if pid == 0:
        code = KILLED
        signal.alarm(int(seconds) + 1)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                code = work()
        except BaseException:
            code = KILLED
        finally:
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return LATE if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)


def tests() -> list[tuple[str, str]]:
    """(module, test) of every logic test that needs no board's own modules."""
    found = []
    for path in sorted(LOGIC.glob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        apart = any(path.stem.startswith(f"test_{room}") for room in APART)
        if "\nPATH = " not in text and not apart:
            names = [
                ln[4:].split("(")[0] for ln in text.splitlines() if ln.startswith("def test_")
            ]
            found += [(path.stem, name) for name in names]
    return [*found, ("vectors", "play"), *(("pytest", name) for name in WHOLE)]


def chosen(words: list[str]) -> list[tuple[str, str]]:
    """The tests whose file or name has one of these words; without any, all."""
    return [(m, n) for m, n in tests() if not words or any(w in f"{m} {n}" for w in words)]


def run_test(module: str, name: str) -> None:
    if module == "vectors":
        play_vectors()
    elif module == "pytest":
        under_pytest(name)
    else:
        getattr(__import__(module), name)()


def play_vectors() -> None:
    """The settlement vectors, through the round machine."""
    from tools.prove import certify

    if certify.main([str(VECTORS), "--on", "cpython"]):
        raise AssertionError("a vector differs")


def under_pytest(name: str) -> None:
    """A file of tests that need pytest, in this process."""
    import pytest

    path = str(LOGIC.parent / f"{name}.py")
    words = ["-q", "-x", "-n0", "-p", "no:cacheprovider", "-m", "not emulator", path]
    with contextlib.redirect_stderr(io.StringIO()):
        if pytest.main(words):
            raise AssertionError(f"{name} fails")


def reach(wanted: set[str], words: list[str]) -> dict[str, Any]:
    """{test: [seconds, {file: lines}]} of the tests, each traced in a process of its own."""
    out: dict[str, Any] = {}
    for module, name in chosen(words):
        read, write = os.pipe()

        def work(module: str = module, name: str = name, write: int = write) -> int:
            seen: dict[str, set[int]] = {}

            def local(frame: Any, event: str, arg: Any) -> Any:
                seen[frame.f_code.co_filename].add(frame.f_lineno)
                return local

            def trace(frame: Any, event: str, arg: Any) -> Any:
                if frame.f_code.co_filename not in wanted:
                    return None
                seen.setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
                return local

            began = time.process_time()
            sys.settrace(trace)
            try:
                run_test(module, name)
            finally:
                sys.settrace(None)
            lines = {path: sorted(found) for path, found in seen.items()}
            with os.fdopen(write, "w") as pipe:
                json.dump([time.process_time() - began, lines], pipe)
            return ALIVE

        with ThreadPoolExecutor(1) as reader:
            text = reader.submit(os.fdopen(read).read)
            ended = forked(work, 300)
            os.close(write)
            found = text.result()
        if ended == ALIVE and found:
            out[f"{module} {name}"] = json.loads(found)
    return out


def judge(path: Path, mutant: Mutant, map_: dict[str, Any]) -> tuple[int, str]:
    """(KILLED, ALIVE or LATE, by whom)."""
    near = [
        (seconds, test)
        for test, (seconds, lines) in map_.items()
        if mutant.line in lines.get(str(path), ())
    ]
    if not near:
        return ALIVE, "no test reaches the line"
    quickest = [test for _, test in sorted(near)]

    def work() -> int:
        sys.meta_path.insert(0, Changed(path, mutant.number))
        for test in quickest:
            run_test(*test.split())
        return ALIVE

    return forked(work, LONGEST), f"{len(quickest)} tests"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", default=list(ROOMS), help="rooms or files in felt/")
    parser.add_argument("--sample", type=int, default=20, help="mutants a file; 0 takes all")
    parser.add_argument("--tests", nargs="*", default=[], help="only tests with such words")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=BUILD / "mutants.json")
    args = parser.parse_args()
    site.addsitedir(str(LOGIC))
    paths = sources(args.files or list(ROOMS))
    print(f"tracing {len(chosen(args.tests))} tests over {len(paths)} files", flush=True)
    map_ = reach({str(path) for path in paths}, args.tests)
    known = json.loads(KNOWN.read_text()) if KNOWN.exists() else {}
    rows = []
    for path in paths:
        rows.append(one_file(path, map_, args, known))
    total, dead = sum(r["tried"] for r in rows), sum(r["dead"] for r in rows)
    print(f"{dead} of {total} mutants die, {100 * dead / max(total, 1):.1f} %")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    args.out.write_text(json.dumps(rows, indent=1) + "\n")
    return 0


def one_file(path: Path, map_: dict[str, Any], args: Any, known: dict[str, str]) -> dict[str, Any]:
    """Try a sample of a file's mutants and print who lives."""
    name = path.relative_to(FELT).as_posix()
    every = mutants(path.read_text(encoding="utf-8"))
    rng = random.Random(f"{args.seed} {name}")
    taken = rng.sample(every, min(args.sample, len(every))) if args.sample else every
    alive = []
    for mutant in sorted(taken, key=lambda m: m.number):
        verdict, told = judge(path, mutant, map_)
        if verdict == ALIVE:
            why = known.get(f"{name}: {mutant.before} => {mutant.after}", "")
            alive.append({"line": mutant.line, "before": mutant.before, "after": mutant.after,
                          "tests": told, "why": why})  # fmt: skip
            mark = f"  ({why})" if why else ""
            print(f"  {name}:{mutant.line} [{told}]{mark}", flush=True)
            print(f"    {mutant.before}\n    {mutant.after}", flush=True)
    dead = len(taken) - len(alive)
    print(f"{name}: {dead} of {len(taken)} die ({len(every)} possible)", flush=True)
    return {"file": name, "possible": len(every), "tried": len(taken), "dead": dead,
            "alive": alive}  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
