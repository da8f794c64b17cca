"""The mutation run itself: mutants differ, are made from their number, and tests kill them."""

from __future__ import annotations

import ast
import json
import signal
from pathlib import Path

import pytest

from tools.paths import FIRMWARE
from tools.prove import mutants, mutations, reach

SOURCE = '''"""A docstring is no code."""


def pays(score, odds):
    """Nor is this."""
    if score > 3 and odds:
        check(score)
        return score * 2
    return None
'''


def test_every_mutant_is_another_program_and_docstrings_are_left_alone() -> None:
    made = mutations.mutants(SOURCE)
    texts = {ast.unparse(mutations.mutate(SOURCE, m.number)) for m in made}
    assert len(texts) == len(made) and ast.unparse(ast.parse(SOURCE)) not in texts
    assert all("Nor is this." in text and "A docstring" in text for text in texts)
    changed = {m.after for m in made}
    assert {"if score >= 3 and odds:", "return score // 2", "return None", "pass"} <= changed


def test_a_mutant_is_named_by_its_function_and_its_change() -> None:
    names = [str(m) for m in mutations.mutants(SOURCE)]
    assert "pays: if score > [3 => 4] and odds:" in names
    assert "pays: [check(score) => pass]" in names
    assert len(set(names)) == len(names)


PATH = FIRMWARE / "felt" / "cards.py"
TEST = "logic/test_none.py::test_x"


def judged(monkeypatch: pytest.MonkeyPatch, plain: object, map_: object) -> tuple[int, str]:
    monkeypatch.setattr(reach, "run_plain", plain)
    judge = mutants.Judge(map_)  # type: ignore[arg-type]
    return judge.verdict(PATH, mutations.mutants(PATH.read_text())[0])


def test_a_mutant_lives_unless_a_test_that_reaches_it_fails_or_hangs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = mutations.mutants(PATH.read_text())[0].line
    found = {TEST: [0.0, {"cards.py": {line}}]}

    def passes(test: str) -> None:
        pass

    def notices(test: str) -> None:
        raise AssertionError

    def hangs(test: str) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0.05)
        while True:
            pass

    assert judged(monkeypatch, passes, found) == (mutants.ALIVE, "1 tests")
    assert judged(monkeypatch, notices, {}) == (mutants.ALIVE, "no test reaches the line")
    assert judged(monkeypatch, notices, found) == (mutants.KILLED, TEST)
    assert judged(monkeypatch, hangs, found) == (mutants.KILLED, TEST)


def test_a_line_executed_by_an_import_is_reached_by_the_tests_of_that_file() -> None:
    imported, lines = {"a.py": [1, 2], "b.py": [7], "c.py": [9]}, {"a.py": [5]}
    assert mutants.both(imported, lines, {"b.py"}) == {"a.py": {1, 2, 5}, "c.py": {9}}


def test_every_excuse_has_a_reason_and_an_outdated_one_is_found(tmp_path: Path) -> None:
    known = json.loads(mutants.KNOWN.read_text())
    assert known and all(known.values())
    assert mutants.outdated(list(known)) == []
    gone = "games/three_card.py ThreeCard: WAGERS = [1 => 2]"
    there = next(name for name in known if name.startswith("games/three_card.py"))
    assert mutants.outdated([there, gone]) == [gone]


def test_the_tests_that_judge_are_there() -> None:
    assert all(Path(path).exists() for path in reach.files())
