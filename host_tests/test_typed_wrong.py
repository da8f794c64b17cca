"""What a newcomer types wrong ends in one sentence and an exit code, never in a traceback."""

from __future__ import annotations

import pytest

from tools.emulator.boards_on_usb import run_tool

WRONG = [
    (["bench", "--port", "99999"], "the virtual table cannot start: "),
    (["terminal", "--port", "/dev/null", "--web", "99999"], "the terminal cannot start: "),
    (["prove.evening", "--errors", "x"], "x is no list of percents such as 0,5,30"),
    (["prove.evening", "--errors", "101"], "101 is no list of percents"),
    (["prove.evening", "--rounds", "0"], "0 is no whole number above zero"),
    (["prove.soak", "--runs", "0"], "0 is no whole number above zero"),
    (["pit.delivery", "--rounds", "9"], "each of 10 tables plays at least one"),
    (["prove.long_forms", "soak", "many"], "many is no whole number above zero"),
    (["prove.mutants", "gmaes"], "there is no gmaes in firmware/felt; the rooms are games"),
]


@pytest.mark.parametrize(("words", "sentence"), WRONG, ids=lambda each: " ".join(each)[:40])
def test_what_is_typed_wrong_is_named_in_a_sentence(
    words: list[str], sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    state = ["--state", str(tmp_path_factory.mktemp("state"))] if words[0] == "bench" else []
    done = run_tool(*words, *state)
    assert done.returncode in (1, 2) and "Traceback" not in done.stderr, done.stderr
    assert sentence in done.stderr
