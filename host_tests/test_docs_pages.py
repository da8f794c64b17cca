"""Every page can be reached from the README, links lead somewhere, lines fit a screen."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from tools.paths import ROOT

WIDEST = 110
LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")


def pages() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True)
    return [ROOT / name for name in listed.stdout.splitlines()]


def linked(page: Path) -> list[Path]:
    """What a page of ours links to; a folder stands for the pages in it."""
    found = []
    for target in LINK.findall(page.read_text(encoding="utf-8")):
        if "://" not in target:
            path = (page.parent / target).resolve()
            found += sorted(path.glob("*.md")) if path.is_dir() else [path]
    return found


def too_long(text: str) -> list[str]:
    """Lines wider than a screen; a row of a table cannot be broken, nor what a program prints."""
    found, printed = [], False
    for line in text.splitlines():
        if line.lstrip().startswith("```"):
            printed = not printed
        elif len(line) > WIDEST and not printed and not line.lstrip().startswith("|"):
            found.append(line)
    return found


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.relative_to(ROOT).as_posix())
def test_lines_fit_and_links_lead_somewhere(page: Path) -> None:
    assert too_long(page.read_text(encoding="utf-8")) == []
    assert [path for path in linked(page) if not path.exists()] == []


def test_every_page_is_reached_from_the_readme() -> None:
    reached, waiting = set(), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        if page not in reached and page.suffix == ".md":
            reached.add(page)
            waiting += linked(page)
    assert {page.relative_to(ROOT).as_posix() for page in set(pages()) - reached} == set()


def test_the_overview_fits_on_two_screens() -> None:
    assert len((ROOT / "docs" / "architecture.md").read_text(encoding="utf-8").splitlines()) <= 110


def test_the_rule_can_fail() -> None:
    long = "word " * 30
    assert too_long(long) and not too_long(f"| {long}|") and not too_long(f"```\n{long}\n```")
