"""The virtual table: firmware on a real MicroPython, and everything that is plugged into it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
for _part in (
    "firmware",
    "tools",
    "host_tests/shims",
):  # first: a package has a micropython.py too
    if str(ROOT / _part) not in sys.path:
        sys.path.insert(0, str(ROOT / _part))
