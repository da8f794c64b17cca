"""Finds the official RPI_PICO image: it is never part of the checkout."""

from __future__ import annotations

import functools
import hashlib
import os
from pathlib import Path

UF2_NAME = "RPI_PICO-20260406-v1.28.0.uf2"
UF2_SHA256 = "00aedb8431ebea83b470ef909509f16432c5b1b43e8f6eaf015f6f9560bc8152"


def cache_folder() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "felt"


def _download() -> Path | None:
    from rp2040py.utils.firmware_retrieve import MICROPYTHON, retrieve

    try:
        return retrieve(MICROPYTHON, "1.28.0")
    except OSError:
        return None


@functools.cache
def find_uf2() -> Path | None:
    """`PICO_UF2`, then the cache folder, then rp2040py's own download; None when there is none."""
    named = os.environ.get("PICO_UF2")
    kept = cache_folder() / UF2_NAME
    found = Path(named) if named else kept if kept.exists() else _download()
    if found and hashlib.sha256(found.read_bytes()).hexdigest() != UF2_SHA256:
        raise ValueError(f"{found} is not {UF2_NAME}: its SHA-256 differs")
    return found


class NoImage(Exception):
    """There is no RP2040 image to run; conftest.py skips a test that meets this."""

    def __str__(self) -> str:
        return (
            f"no RP2040 image: download https://micropython.org/resources/firmware/{UF2_NAME} "
            f"to {cache_folder()} or set PICO_UF2"
        )
