"""Turns what was played by hand into a script that plays it again."""

from __future__ import annotations

PERIOD = 1 << 30
PAUSE = 200  # shorter pauses are a person's rhythm, not meaning
WATCHING = ("speed",)  # how fast somebody looked on is not part of what was played


def script_of(journal: list[str], table: str) -> str:
    """`journal` lines are `TIME ACTION`; long pauses become waits."""
    out = ["# recorded at the virtual table", f"table {table}"]
    last: int | None = None
    for entry in journal:
        at, _, action = entry.partition(" ")
        if last is not None:
            gap = (int(at) - last) % PERIOD
            if gap >= PAUSE:
                out.append(f"wait {gap // 100 * 100}")
        last = int(at)
        if action.split()[0] not in WATCHING:
            out.append(action)
    return "\n".join(out) + "\n"
