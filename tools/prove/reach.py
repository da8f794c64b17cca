"""Which tests execute which lines of the firmware: a mutant is shown only to tests that see it.

A test file runs once in a forked process under a tracer. What it finds is kept in build/ for as
long as that file, the helpers and the firmware stay as they are.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import json
import os
import resource
import signal
import site
import sys
import threading
import time
from pathlib import Path
from types import CodeType
from typing import Any, Callable, Iterable

from tools.paths import BUILD, FIRMWARE, ROOT

HOST = ROOT / "host_tests"
LOGIC = HOST / "logic"
VECTORS = HOST / "data" / "vectors.jsonl"
MADE = 300
KEPT = BUILD / "mutants"
MEMORY = 3 << 30  # bytes a process may take; a mutant that fills memory is dead
OFTEN = 100  # calls of a function in one test after which only every eighth is looked at
# Tests under pytest that run the firmware in this process, with neither emulator nor browser.
WHOLE = (
    "test_app_fuzz", "test_attack", "test_dealer_commands", "test_dealer_desk",
    "test_dealer_glass", "test_dealer_pages", "test_devices_told", "test_edges", "test_faults",
    "test_game_facts", "test_generated", "test_link_fuzz", "test_links_page", "test_pay_tables",
    "test_recall", "test_rules_cited", "test_screen_rows", "test_selftest", "test_table_floods",
    "test_texts_machine", "test_three_card_order", "test_told_words",
)  # fmt: skip
# Logic tests of other rooms, long ones among them.
APART = (
    "display", "evaluator", "vault", "drbg", "entropy", "archive", "sensors", "wheel", "runtime",
    "virtual", "net",
)  # fmt: skip

Lines = dict[str, set[int]]


def files() -> list[Path]:
    """The test files, logic tests first."""
    logic = [
        path
        for path in sorted(LOGIC.glob("test_*.py"))
        if not any(path.stem.startswith(f"test_{room}") for room in APART)
    ]
    return [*logic, VECTORS, *(HOST / f"{name}.py" for name in WHOLE)]


def forked(work: Callable[[], int], seconds: float) -> int:
    """The exit code of `work` in a process of its own; negative when a signal ended it."""
    pid = os.fork()
    if pid == 0:
        code = 0
        try:
            _alone(seconds)
            code = work()
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def _alone(seconds: float) -> None:
    """Silent, out of the way of other processes' memory, and not for ever."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    signal.alarm(int(seconds) + 1)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(nowhere, fd)


def load(path: Path) -> Any:
    """A logic test's module, with the folders it asks for."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "PATH":
            for folder in ast.literal_eval(node.value):
                sys.path.insert(0, str(ROOT / folder))
    return __import__(path.stem)


def functions(path: Path) -> list[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    defs = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    return [name for name in defs if name.startswith("test_")]


class Tracer:
    """Lines of some files: executed since `begin`, and executed while a module was imported."""

    def __init__(self, wanted: Iterable[str]) -> None:
        self._wanted = set(wanted)
        self._importing = 0
        self.imported: Lines = {}
        self.begin()

    def begin(self) -> None:
        self.lines: Lines = {}
        self._calls: dict[CodeType, int] = {}

    def start(self) -> None:
        threading.settrace(self._called)
        sys.settrace(self._called)

    def _called(self, frame: Any, event: str, arg: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self._wanted:
            return None
        top = code.co_name == "<module>"
        self._importing += top
        calls = self._calls[code] = self._calls.get(code, 0) + 1
        if calls > OFTEN and calls % 8 and not self._importing:
            return None
        found = self.imported if self._importing else self.lines
        seen = found.setdefault(code.co_filename, set())
        seen.add(frame.f_lineno)

        def line(frame: Any, event: str, arg: Any) -> Any:
            seen.add(frame.f_lineno)
            if top and event == "return":
                self._importing -= 1
            return line

        return line


class Watch:
    """A pytest plugin: seconds and lines of each test that passes."""

    def __init__(self, tracer: Tracer) -> None:
        self._tracer = tracer
        self.found: dict[str, Any] = {}

    def pytest_runtest_setup(self, item: Any) -> None:
        self._tracer.begin()
        self._began = time.process_time()

    def pytest_runtest_logreport(self, report: Any) -> None:
        name = report.nodeid.removeprefix("host_tests/")
        if report.when == "call" and report.passed:
            spent = time.process_time() - self._began
            self.found[name] = [round(spent, 3), _sorted(self._tracer.lines)]


def _sorted(lines: Lines) -> dict[str, list[int]]:
    near = {str(Path(path).relative_to(FIRMWARE / "felt")): n for path, n in lines.items()}
    return {path: sorted(found) for path, found in near.items()}


def is_plain(test: str) -> bool:
    """No pytest is needed to run it."""
    return test.startswith(("logic/", VECTORS.name))


def run_plain(test: str) -> None:
    file, name = test.split("::")
    if file == VECTORS.name:
        play_vectors(name)
    else:
        getattr(load(HOST / file), name)()


def play_vectors(which: str) -> None:
    """The settlement vectors, or some of the rounds test_certify makes, through the machine."""
    from tools.prove import certify, vector_maker

    path = VECTORS
    if which == "made":
        path = KEPT / f"made-{os.getpid()}.jsonl"
        rows = [json.dumps(row) for row in vector_maker.many(MADE, seed=3)]
        path.write_text("\n".join(rows) + "\n")
    try:
        if certify.main([str(path), "--on", "cpython"]):
            raise AssertionError("a vector differs")
    finally:
        if path != VECTORS:
            path.unlink()


def _trace_plain(path: Path, tracer: Tracer) -> dict[str, Any]:
    names = ["play", "made"]
    if path != VECTORS:
        load(path)
        names = functions(path)
    found: dict[str, Any] = {}
    for name in names:
        test = f"{path.relative_to(HOST)}::{name}".removeprefix("data/")
        tracer.begin()
        began = time.process_time()
        run_plain(test)
        spent = time.process_time() - began
        found[test] = [round(spent, 3), _sorted(tracer.lines)]
    return found


def _trace_whole(path: Path, tracer: Tracer) -> dict[str, Any]:
    import pytest

    watch = Watch(tracer)
    pytest.main([str(path), *QUIET], plugins=[watch])
    return watch.found


class Ranked:
    """A pytest plugin: only these tests, in this order."""

    def __init__(self, names: list[str], begin: Callable[[str], None]) -> None:
        self._rank = {name: i for i, name in enumerate(names)}
        self._begin = begin

    @staticmethod
    def _name(item: Any) -> str:
        return str(item.nodeid.removeprefix("host_tests/"))

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items[:] = [item for item in items if self._name(item) in self._rank]
        items.sort(key=lambda item: self._rank[self._name(item)])

    def pytest_runtest_setup(self, item: Any) -> None:
        self._begin(self._name(item))


def run_whole(names: list[str], begin: Callable[[str], None]) -> int:
    """1 when these tests pass, 0 when one fails or cannot be imported."""
    import pytest

    paths = sorted({str(HOST / name.split("::")[0]) for name in names})
    return int(not pytest.main(["-x", *paths, *QUIET], plugins=[Ranked(names, begin)]))


QUIET = [
    "-q",
    "-n0",
    "-p",
    "no:cacheprovider",
    "-p",
    "no:hypothesispytest",
    "-m",
    "not emulator and not browser",
]


def reach(wanted: list[Path], path: Path) -> dict[str, Any]:
    """{test: [seconds, {file: lines}]} of a file's tests; "" has the lines its import executes."""
    kept = KEPT / f"{path.stem}-{_mark(wanted, path)}.json"
    if not kept.exists():
        KEPT.mkdir(parents=True, exist_ok=True)
        for old in KEPT.glob(f"{path.stem}-*.json"):
            old.unlink()

        def work() -> int:
            tracer = Tracer(map(str, wanted))
            tracer.start()
            found = (_trace_whole if path.parent == HOST else _trace_plain)(path, tracer)
            sys.settrace(None)
            found[""] = [0, _sorted(tracer.imported)]
            kept.with_suffix(".new").write_text(json.dumps(found))
            kept.with_suffix(".new").rename(kept)
            return 0

        if forked(work, 900) or not kept.exists():
            raise SystemExit(f"{path.name} fails without any mutant")
    return dict(json.loads(kept.read_text()))


def _mark(wanted: list[Path], path: Path) -> str:
    helpers = [*HOST.glob("helpers/*.py"), *LOGIC.glob("[!t]*.py")]  # but tests
    told = hashlib.sha256()
    for each in sorted({path, *wanted, *helpers, *(FIRMWARE / "felt").rglob("*.py")}):
        told.update(each.read_bytes())
    return told.hexdigest()[:16]


def warm() -> None:
    """What every forked process needs, imported or compiled once; nothing of the firmware."""
    sys.dont_write_bytecode = False
    sys.pycache_prefix = str(KEPT / "bytecode")
    for name in ("pytest", "_hypothesis_pytestplugin", "hypothesis", "xdist.plugin",
                 "tools.emulator.runtimes", "tools.image.packages"):  # fmt: skip
        importlib.import_module(name)
    site.addsitedir(str(LOGIC))
