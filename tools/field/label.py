"""The label for the table: what is on it since when, to print, with its identity to scan."""

from __future__ import annotations

import html
import io
from typing import Any, Iterable

import segno

STYLE = """@page{size:70mm 37mm;margin:0}body{margin:0;font:9pt/1.35 system-ui,sans-serif}
.label{width:66mm;height:33mm;padding:2mm;display:flex;gap:3mm;align-items:center;overflow:hidden}
.label svg{width:29mm;height:29mm;flex:none}.label div{min-width:0}
.label b{font-size:12pt;overflow-wrap:anywhere;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.mark{background:#000;color:#fff;padding:0 .7mm;font-size:7.5pt;font-weight:700;white-space:nowrap;print-color-adjust:exact;-webkit-print-color-adjust:exact}
b:has(+.mark){-webkit-line-clamp:1}
code{font-size:8pt}"""  # noqa: E501


def code(identity: str) -> str:
    """A QR code of the identity as SVG; capital digits take the smaller alphabet."""
    out = io.BytesIO()
    segno.make(identity.upper(), error="m", micro=False).save(
        out, kind="svg", border=2, xmldecl=False, svgns=True, omitsize=True
    )
    return out.getvalue().decode()


def page(record: dict[str, Any], marks: Iterable[str] = ()) -> str:
    """A page of one label, 70 x 37 mm; `record` is the board's identity.json, `marks` is what
    nobody may overlook on a table that is not for live play: their first words fit."""
    words = " ".join(mark.partition(" ")[0] for mark in marks)
    rows = [f"<span class=mark>{_e(words)}</span>"] if words else []
    rows += [
        f"build <code>{_e(record['build'][:12])}</code>",
        f"board {_e(record['board'])}",
        f"id <code>{_e(record['id'])}</code>",
        _e(record["flashed_on"]),
    ]
    name = _e(record["label"] or "Felt table")
    return (
        "<!doctype html><html lang=en><meta charset=utf-8>"
        f"<title>{_e(record['label'] or record['id'])}</title><style>{STYLE}</style>"
        f"<div class=label>{code(record['build'])}<div><b>{name}</b>"
        f"{'<br>'.join(rows)}</div></div>\n"
    )


def _e(value: Any) -> str:
    return html.escape(str(value))
