"""The two interpreters are held to the same output, and a test that should fail does."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tests.conftest import _difference
from tools.emulator import runtimes

MODULE = """
import sys


def test_good():
    print("hello", 1 << 40)


def test_bad():
    three = 2
    assert three == 3, "not three"


def test_differs():
    print(sys.implementation.name)


def test_too_big_for_a_board():
    print(len(bytearray(600_000)))


def test_stops_the_process():
    sys.exit(3)


def test_after_the_end():
    pass
"""
NAMES = [line[4:-3] for line in MODULE.splitlines() if line.startswith("def ")]


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, runtimes.Outcome]]:
    module = tmp_path_factory.mktemp("logic") / "test_made_up.py"
    module.write_text(MODULE)
    return {
        runtime: runtimes.run_module(runtime, module, NAMES, [])
        for runtime in ("cpython", "micropython")
    }


@pytest.mark.parametrize("runtime", ["cpython", "micropython"])
def test_outcomes(outcomes: dict, runtime: str) -> None:
    got = outcomes[runtime]
    assert got["test_good"] == runtimes.Outcome(True, "hello 1099511627776\n")
    assert not got["test_bad"].ok
    assert "AssertionError: not three" in got["test_bad"].trace
    assert 'assert three == 3, "not three"' in got["test_bad"].trace
    assert not got["test_stops_the_process"].ok
    assert "exit status 3" in got["test_after_the_end"].trace


def test_heap_is_a_board_s(outcomes: dict) -> None:
    assert outcomes["cpython"]["test_too_big_for_a_board"].ok
    assert "MemoryError" in outcomes["micropython"]["test_too_big_for_a_board"].trace


def test_difference_shows_both_lines(outcomes: dict) -> None:
    both = [outcomes[name]["test_differs"].output for name in ("cpython", "micropython")]
    text = _difference(both[0], both[1], "micropython")
    assert "-cpython" in text and "+micropython" in text


def test_other_interpreter_by_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MICROPYTHON", str(Path("bin") / "my-micropython"))
    assert runtimes.micropython_command()[0] == "bin/my-micropython"
