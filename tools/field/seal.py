"""The seal at the end of an image: its length and SHA-256, so that a board can check itself.

It lies in the last sector before the file system: `FELT`, the length in bytes, the hash, then
erased flash. The board reads it there (felt/program.py) and compares; the hash is the identity
that display, console and `felt verify` show.
"""

from __future__ import annotations

import hashlib
import struct

SIZE = 4096  # a sector: the boot ROM erases whole ones
MAGIC = b"FELT"
HEAD = struct.Struct("<4sI32s")


class SealError(Exception):
    """The image does not fit, or is none of ours."""


def sealed(binary: bytes, files_at: int) -> bytes:
    """The flash up to the file system: binary, erased bytes, seal."""
    if len(binary) > files_at - SIZE:
        over = len(binary) - (files_at - SIZE)
        raise SealError(f"the image of {len(binary)} bytes is {over} bytes too long")
    head = HEAD.pack(MAGIC, len(binary), hashlib.sha256(binary).digest())
    return binary.ljust(files_at - SIZE, b"\xff") + head.ljust(SIZE, b"\xff")


def length(flash: bytes) -> int:
    """How long the sealed image is."""
    magic, size, _ = HEAD.unpack_from(flash, len(flash) - SIZE)
    if magic != MAGIC:
        raise SealError("no seal at the end of this image")
    return size


def identity(flash: bytes) -> str:
    """SHA-256 of the image in hex, as the board computes it; SealError when the seal differs."""
    digest = hashlib.sha256(flash[: length(flash)]).digest()
    if HEAD.unpack_from(flash, len(flash) - SIZE)[2] != digest:
        raise SealError("the image is not what its seal says: it is damaged")
    return digest.hex()
