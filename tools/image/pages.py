"""The technician's page as one HTML file that reads offline, with the pages it leads to inside."""

from __future__ import annotations

import re
from pathlib import Path

from markdown_it import MarkdownIt

from tools.field.report import head
from tools.paths import ROOT

FIRST = ROOT / "docs" / "technician.md"
_LINK = re.compile(r'<a href="([^":#]+\.md)(?:#[^"]*)?">(.*?)</a>')


def _name(path: Path) -> str:
    return path.relative_to(ROOT).with_suffix("").as_posix().replace("/", "-")


def _html(path: Path) -> tuple[str, list[Path]]:
    """A page's body and the pages it links to; links lead to places in the same file."""
    text = MarkdownIt().enable("table").render(path.read_text(encoding="utf-8"))
    led = [(path.parent / target).resolve() for target, _ in _LINK.findall(text)]

    def inside(found: re.Match[str]) -> str:
        return f'<a href="#{_name((path.parent / found[1]).resolve())}">{found[2]}</a>'

    return _LINK.sub(inside, text), led


def technician() -> str:
    """Its own text, then every page it links to; those pages' further links are only words."""
    body, led = _html(FIRST)
    title, _, body = body.removeprefix("<h1>").partition("</h1>")
    parts = [f"<section id={_name(FIRST)}>{body}</section>"]
    known = {_name(path) for path in [FIRST, *led]}
    for path in dict.fromkeys(led):
        parts.append(f"<section id={_name(path)}>{_html(path)[0]}</section>")
    text = "<hr>\n".join(parts)
    for name, words in re.findall(r'<a href="#([^"]+)">(.*?)</a>', text):
        if name not in known:
            text = text.replace(f'<a href="#{name}">{words}</a>', words)
    text = re.sub(r"<img [^>]*>", "", text)
    return head(title) + text + "\n"
