"""How much a proof does: an option of its command line that cannot be nothing."""

from __future__ import annotations

import argparse


def count(text: str) -> int:
    """With none every proof would pass."""
    if not text.isdecimal() or not int(text):
        raise argparse.ArgumentTypeError(f"{text} is no whole number above zero")
    return int(text)
