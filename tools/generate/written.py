"""Files that a tool writes and git keeps: written where they differ, or only compared."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.paths import ROOT


def keep(texts: dict[Path, str], check: bool) -> int:
    """Write what differs; with `check` write nothing and fail, naming what is outdated."""
    stale = [p for p, t in texts.items() if not p.exists() or p.read_text(encoding="utf-8") != t]
    for path in stale:
        name = path.relative_to(ROOT)
        if check:
            tool = Path(sys.argv[0]).stem
            print(f"{name} is outdated: run python -m tools.generate.{tool}", file=sys.stderr)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(texts[path], encoding="utf-8")
            print(name)
    return int(check and bool(stale))
