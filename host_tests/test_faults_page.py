"""docs/faults.md has every fault of the language file, and the test that shows each one closed."""

from __future__ import annotations

import re

from tools.paths import ROOT

WHOLE = (ROOT / "docs" / "faults.md").read_text()
PAGE = WHOLE.partition("## Every FAULT")[2].partition("\n## ")[0]
TEXTS = (ROOT / "firmware" / "lang" / "en.txt").read_text()
SAID = re.findall(r"^fault\.\w+ FAULT: (.+)$", TEXTS, re.M)
ROWS = re.findall(r"^\| (?!FAULT)(.+?) \| (.+?) \| .+? \| `(test_\w+)` \|$", PAGE, re.M)


def defined(*folders: str) -> list[str]:
    sources = [path.read_text() for each in folders for path in (ROOT / each).glob("test_*.py")]
    return re.findall(r"^def (test_\w+)\(", "".join(sources), re.M)


def test_every_fault_has_its_row() -> None:
    assert sorted(SAID) == sorted(words for words, _, _ in ROWS) and len(SAID) > 20


def test_every_start_up_fault_was_made_on_the_emulated_board() -> None:
    board = (ROOT / "host_tests" / "test_closed_emulator.py").read_text()
    there = defined("host_tests", "host_tests/logic")
    for words, what, test in ROWS:
        assert there.count(test) == 1, words
        assert what.startswith("later: ") or f"def {test}(" in board, words
        told = test.startswith(("test_whatever", "test_settings_that"))
        assert not told or words.split(" up to ")[0] in board, words
