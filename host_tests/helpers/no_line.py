"""The far end of a terminal's cable when nothing is plugged in there."""

from __future__ import annotations

from typing import Any


class NoLine:
    """A serial line nobody answers at."""

    def any(self) -> int:
        return 0

    def readinto(self, buf: Any) -> None:
        return None

    def write(self, data: bytes) -> int:
        return len(data)
