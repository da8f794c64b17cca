"""docs/rules.md has a row for every sentence of the texts, and a test that exists for each row."""

from __future__ import annotations

import re

from tools.paths import ROOT

PAGE = (ROOT / "docs" / "rules.md").read_text()
ROWS = [row.split(" | ") for row in PAGE.splitlines() if re.match(r"\| (?!section)", row)]
# Paragraphs and items about decks, opening, shuffle, dealing, the stub and irregular cards, each
# with its number of sentences where that is not one; a line that only heads its items has none.
CUT = "c1 c1i c1ii c1iii c1iv c2"
DECKS = "b b1 b2 b3 b4 b5"
FROM_HAND = "a b1 b2 b2i b2ii"
TEXTS = {
    "X.2": f"a {DECKS}", "39.2": f"a*3 {DECKS}", "C2": f"a*3 {DECKS}",
    "X.3": "a b*3 c*2 d", "39.3": "a b*2 c*2 d", "C4": "a b*2 c*2 d",
    "X.4": f"a*2 b1 b2 {CUT} d e*3", "39.4": f"a*2 b1 b2 {CUT} d e*3",
    "C5": f"a*2 b1 b2 {CUT} d e*3",
    "X.7": "a*2 b c d d1 d2 d3 d4 d5 d6 e f*2 f1 f2*3 g*2",
    "39.7": "a*2 b c d d1 d2 d3 d4 e f*2 f1 f2*3 g*2",
    "C7": "a*2 b c*2 c1 c2 c3 c4 c5 c6 d e*2 e1 e2*3 f*2",
    "X.8": f"{FROM_HAND} b3*2 c c1 c2 c3 c4 c5 c6 d e*2 f*2",
    "39.8": f"{FROM_HAND} b3*2 c c1 c2 c3 c4 d e*2 f*2",
    "C8": f"{FROM_HAND} b3 c*2 c1 c2 c3 c4 c5 c6 d e*2",
    "X.9": "a b1 b2 c*3 d*3 e*2", "39.9": "a b1 b2 c*4 d*2 e*2 f*2", "C9": "a b1 b2 c*3 d e*2",
    "X.12": "a b*2 c d*2 e f g", "39.12": "a*2 b c d e f g", "C14": "a*2 b c d e f g",
    "33.12": "a*3 b*3 c d e f g*2 h i j k",
}  # fmt: skip
MARK = re.compile(r"((?:X|39|33)\.\d+|C\d+)\((\w)\)(\d*)([iv]*)((?:\.\d)?)((?:-(?:\d|[iv]+))?)")
ROMAN = ("", "i", "ii", "iii", "iv")
HOUSE = "the house's duty: "


def sentences() -> set[str]:
    """Every sentence of the texts, as the page marks it."""
    found = set()
    for part, paragraphs in TEXTS.items():
        for unit in paragraphs.split():
            name, _, count = unit.partition("*")
            mark = f"{part}({name[0]}){name[1:]}"
            found |= {f"{mark}.{n + 1}" for n in range(int(count))} if count else {mark}
    return found


def marks(head: str) -> set[str]:
    """The sentences a row is about; `.1-3`, `1-6` and `i-iv` stand for all between."""
    found = set()
    for part, letter, item, roman, sentence, upto in MARK.findall(head):
        start = f"{part}({letter})"
        upto = upto[1:]
        if not upto:
            found.add(f"{start}{item}{roman}{sentence}")
        elif sentence:
            span = range(int(sentence[1:]), int(upto) + 1)
            found |= {f"{start}{item}{roman}.{n}" for n in span}
        elif roman:
            span = range(ROMAN.index(roman), ROMAN.index(upto) + 1)
            found |= {f"{start}{item}{ROMAN[n]}" for n in span}
        else:
            found |= {f"{start}{n}" for n in range(int(item), int(upto) + 1)}
    return found


def test_marks_are_read_as_the_page_writes_them() -> None:
    assert marks("X.7(f)2.3, C5(c)1iii-iv") == {"X.7(f)2.3", "C5(c)1iii", "C5(c)1iv"}
    assert marks("X.3(b).2-3, 39.7(d)1-2") == {"X.3(b).2", "X.3(b).3", "39.7(d)1", "39.7(d)2"}


def test_every_sentence_has_a_row() -> None:
    rowed = set[str]().union(*(marks(row[0]) for row in ROWS))
    assert rowed - sentences() == set(), "no such sentence"
    assert sentences() - rowed == set(), "no row"


def test_every_row_names_a_test_that_exists_once() -> None:
    folder = ROOT / "host_tests"
    files = [*folder.glob("test_*.py"), *(folder / "logic").glob("test_*.py")]
    there = re.findall(r"^def (test_\w+)\(", "".join(path.read_text() for path in files), re.M)
    for head, does, test in ROWS:
        name = test.strip("`| ")
        assert there.count(name) == 1 or (does.startswith(HOUSE) and name == "none"), head


def test_what_is_left_to_the_house_is_little() -> None:
    left = [row for row in ROWS if row[1].startswith(HOUSE)]
    only = set[str]().union(*(marks(row[0]) for row in left))
    assert len(left) <= 6 and len(only) <= 0.15 * len(sentences())
