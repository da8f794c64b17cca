"""A frozen firmware is restarted by the watchdog with its round intact (`make hangs`: 100)."""

from __future__ import annotations

import asyncio
from pathlib import Path

from tools.prove import hangs


def test_hangs_in_the_middle_of_rounds(tmp_path: Path) -> None:
    done = asyncio.run(hangs.run(tmp_path, 4, seed=3))
    assert done.done == 4 and done.phases
