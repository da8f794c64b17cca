"""The mutation run itself: mutants differ, are made from their number, and tests kill them."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.paths import FIRMWARE
from tools.prove import mutants, mutations

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


def test_a_mutant_is_killed_by_a_test_that_reaches_it_and_lives_without_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = FIRMWARE / "felt" / "cards.py"
    chosen = mutations.mutants(path.read_text())[0]
    found = {"test_none test_x": [0.1, {str(path): [chosen.line]}]}
    monkeypatch.setattr(mutants, "run_test", lambda module, name: None)
    assert mutants.judge(path, chosen, found)[0] == mutants.ALIVE
    assert mutants.judge(path, chosen, {}) == (mutants.ALIVE, "no test reaches the line")

    def notices(module: str, name: str) -> None:
        raise AssertionError

    monkeypatch.setattr(mutants, "run_test", notices)
    assert mutants.judge(path, chosen, found)[0] == mutants.KILLED
