"""What the figures depend on: the firmware's rules and evaluator, as one short identity."""

from __future__ import annotations

import hashlib
from functools import lru_cache
from pathlib import Path

FELT = Path(__file__).resolve().parents[3] / "firmware" / "felt"


@lru_cache(maxsize=1)
def rules() -> str:
    """The SHA-256 of the game modules, the evaluator and the round machine, shortened."""
    digest = hashlib.sha256()
    for room in ("games", "evaluator", "round"):
        for path in sorted((FELT / room).glob("*.py")):
            digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()[:16]
