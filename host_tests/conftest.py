"""Collects host_tests/logic: each test function becomes one item per runtime, and all must agree.

A logic module may set, at top level, with literal values:
  FRESH = True      one process per test instead of one per module
  RP2040 = True     also run inside the RP2040 emulator ([rp2040] items; keep such modules light)
  PATH = ["boards/VIRTUAL"]   folders searched before firmware/
  HOST = "why"      never inside the RP2040 emulator, for this reason
"""

from __future__ import annotations

import ast
import difflib
import gc
import os
from pathlib import Path
from typing import Any, Iterable

import pytest

from tools.emulator import runtimes
from tools.emulator.runtimes import Outcome
from tools.image.packages import ImageError

LOGIC = Path(__file__).parent / "logic"


class LogicFailure(Exception):
    """A logic test failed or its output differs from CPython's; the text is the whole report."""


def pytest_pycollect_makemodule(module_path: Path, parent: pytest.Collector) -> Any:
    if module_path.parent == LOGIC:
        return LogicModule.from_parent(parent, path=module_path)
    return None


# The files that take longest, the longest first.
LONG = (
    "test_touch_rounds", "test_docs_commands", "test_bench_browser", "test_closed_emulator",
    "test_felt", "test_powercut", "test_par", "test_evening", "test_display_emulator",
    "test_bench_serial", "test_certify", "test_pit", "test_table_room", "test_properties",
    "test_bench_rounds", "test_bench_starts", "test_bench", "test_bench_scripts",
    "test_round_emulator", "test_app_fuzz", "test_pit_access", "test_archive", "test_attack",
    "test_vault_flips",
)  # fmt: skip


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Long files first, so that no worker is left alone with one at the end."""
    marked = ("emulator", "browser")
    long = {item.path for item in items if any(item.get_closest_marker(m) for m in marked)}
    places = {name: place for place, name in enumerate(LONG)}
    items.sort(key=lambda item: (places.get(item.path.stem, len(LONG)), item.path not in long))


@pytest.hookimpl(trylast=True)
def pytest_collection_finish() -> None:
    """Thousands of items and what they import stay: no collection in a test looks at them again.

    Firmware that collects between rounds took ten times as long in a whole run as alone."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(call: pytest.CallInfo) -> Any:
    """Where no image can be built its tests are skipped: one line says what to install."""
    report = yield
    if call.excinfo and isinstance(call.excinfo.value, ImageError):
        report.outcome = "skipped"
        report.longrepr = ("tools/image/image.py", 1, str(call.excinfo.value))
    return report


def _literals(tree: ast.Module) -> dict[str, Any]:
    found = {}
    for node in tree.body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            if name in ("FRESH", "RP2040", "PATH", "HOST"):
                found[name] = ast.literal_eval(node.value)
    return found


class LogicModule(pytest.File):
    """One file of host_tests/logic; runs its tests once per runtime and keeps the outcomes."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.tree = ast.parse(self.path.read_text(encoding="utf-8"))
        self.options = _literals(self.tree)
        self._outcomes: dict[str, dict[str, Outcome]] = {}

    def collect(self) -> Iterable[pytest.Item]:
        names = ["cpython", "micropython"] + ["rp2040"] * self._on_board()
        for node in self.tree.body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for runtime in names:
                    yield LogicItem.from_parent(
                        self, name=f"{node.name}[{runtime}]", test=(node, runtime)
                    )

    def _on_board(self) -> bool:
        """The quick choice; with FELT_EMULATOR=full all but what only a PC can run."""
        full = os.environ.get("FELT_EMULATOR") == "full" and not self.options.get("HOST")
        return full or bool(self.options.get("RP2040"))

    def outcome(self, runtime: str, name: str) -> Outcome:
        known = self._outcomes.setdefault(runtime, {})
        if name not in known:
            names = [name] if self.options.get("FRESH") else self._selected(name)
            known.update(self._run(runtime, [n for n in names if n not in known]))
        return known[name]

    def _selected(self, name: str) -> list[str]:
        """The tests of this module that this session will ask for, in file order."""
        mine = [item.test for item in self.session.items if isinstance(item, LogicItem)]
        wanted = {node.name for node, _ in mine if node in self.tree.body} | {name}
        return [
            n.name for n in self.tree.body if isinstance(n, ast.FunctionDef) and n.name in wanted
        ]

    def _run(self, runtime: str, names: list[str]) -> dict[str, Outcome]:
        extra = list(self.options.get("PATH", []))
        if runtime == "rp2040":
            from tools.emulator import logic_board

            return logic_board.run_logic(self.path, names)
        return runtimes.run_module(runtime, self.path, names, extra)


class LogicItem(pytest.Item):
    def __init__(self, *, test: tuple[ast.FunctionDef, str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.test = test
        if test[1] == "rp2040":
            self.add_marker("emulator")

    @property
    def module(self) -> LogicModule:
        assert isinstance(self.parent, LogicModule)
        return self.parent

    def runtest(self) -> None:
        node, runtime = self.test
        got = self.module.outcome(runtime, node.name)
        if not got.ok:
            raise LogicFailure(f"{runtime}\n{got.trace}\n--- printed before ---\n{got.output}")
        expected = self.module.outcome("cpython", node.name)
        if expected.ok and got.output != expected.output:
            raise LogicFailure(_difference(expected.output, got.output, runtime))

    def repr_failure(self, excinfo: Any, style: Any = None) -> Any:
        if isinstance(excinfo.value, LogicFailure):
            return str(excinfo.value)
        return super().repr_failure(excinfo, style)

    def reportinfo(self) -> tuple[Path, int, str]:
        return self.path, self.test[0].lineno - 1, self.name


def _difference(expected: str, got: str, runtime: str) -> str:
    rows = difflib.unified_diff(
        expected.splitlines(), got.splitlines(), "printed by cpython", f"printed by {runtime}",
        lineterm="",
    )  # fmt: skip
    return "\n".join(rows) or f"outputs differ: {expected!r} {got!r}"
