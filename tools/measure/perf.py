"""Measure the evaluator: print its tables and write them into build/perf.json beside others."""

from __future__ import annotations

import argparse
import json
from typing import Any

from tools.measure import perf_evaluator
from tools.paths import BUILD


def table(rows: list[dict[str, Any]]) -> str:
    """Rows as aligned text, columns in the order they first appear."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    cells = [names] + [[str(row.get(name, "")) for name in names] for row in rows]
    widths = [max(len(line[i]) for line in cells) for i in range(len(names))]
    lines = ["  ".join(text.ljust(width) for text, width in zip(line, widths)) for line in cells]
    return "\n".join(line.rstrip() for line in lines)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--quick", action="store_true", help="without the emulated board")
    given = options.parse_args()
    kept = BUILD / "perf.json"
    figures = json.loads(kept.read_text()) if kept.exists() else {}
    figures["evaluator"] = perf_evaluator.measure(given.quick)
    for title, rows in figures["evaluator"].items():
        print(f"\nevaluator: {title}\n{table(rows)}")
    kept.parent.mkdir(exist_ok=True)
    kept.write_text(json.dumps(figures, indent=1) + "\n")


if __name__ == "__main__":
    main()
