"""docs/rules.md names a test for every sentence: each of them exists."""

from __future__ import annotations

import re

from tools.paths import ROOT

ROW = re.compile(r"^\| .* \| .* \| `(test_\w+)` \|$", re.M)


def test_every_test_of_the_page_exists() -> None:
    page = (ROOT / "docs" / "rules.md").read_text()
    named = ROW.findall(page)
    rows = [row for row in page.splitlines() if row.startswith("| ")][1:]
    assert len(named) == len(rows) > 40
    sources = "".join(path.read_text() for path in (ROOT / "host_tests" / "logic").glob("*.py"))
    missing = [name for name in named if f"def {name}(" not in sources]
    assert not missing
