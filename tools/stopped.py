"""Ctrl-C ends a tool with a word and the code shells know, not with twenty lines of Python."""

from __future__ import annotations

import sys
from typing import Callable


def run(main: Callable[[], int]) -> int:
    """What main returns; 130 when a person stopped it."""
    try:
        return main()
    except KeyboardInterrupt:
        print("\nstopped", file=sys.stderr)
        return 130
