"""docs/rules.md names a test for every sentence: all are there, and each of the tests exists."""

from __future__ import annotations

import re

from tools.paths import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text()
ROW = re.compile(r"^\| .* \| .* \| `(test_\w+)` \|$", re.M)
# Paragraphs of the texts about irregular cards, the stub, shuffling, decks and devices.
PARAGRAPHS = {
    "X.2": "ab", "X.3": "abcd", "X.4": "abcde", "X.7": "efg", "X.8": "def", "X.9": "e",
    "X.12": "abcdefg",
    "39.2": "ab", "39.3": "abcd", "39.4": "abcde", "39.7": "efg", "39.8": "def", "39.9": "def",
    "39.12": "abcdefg",
    "C2": "ab", "C4": "abcd", "C5": "abcde", "C7": "def", "C8": "de", "C9": "de", "C14": "abcdefg",
    "33.12": "abcdefghijk",
}  # fmt: skip


def test_every_test_of_the_page_exists() -> None:
    named = ROW.findall(PAGE)
    rows = [row for row in PAGE.splitlines() if row.startswith("| ")][1:]
    assert len(named) == len(rows) > 40
    sources = "".join(path.read_text() for path in (ROOT / "host_tests" / "logic").glob("*.py"))
    missing = [name for name in named if f"def {name}(" not in sources]
    assert not missing


def test_every_paragraph_has_a_row() -> None:
    heads = " ".join(row.split("|")[1] for row in PAGE.splitlines() if row.startswith("| "))
    wanted = [f"{part}({letter})" for part, letters in PARAGRAPHS.items() for letter in letters]
    missing = [name for name in wanted if not re.search(rf"(?<![\d.X]){re.escape(name)}", heads)]
    assert not missing
