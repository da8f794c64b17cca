"""The seal at the end of an image: its length and SHA-256, so that a board can check itself.

It lies in the last sector before the file system: `FELT`, the length in bytes, the hash, then
erased flash. The board reads it there (felt/identity.py) and compares; the hash is the identity
that display, console and `make verify` show.
"""

from __future__ import annotations

import hashlib
import struct

from tools.image.packages import ImageError

SIZE = 4096  # a sector: the boot ROM erases whole ones
MAGIC = b"FELT"
HEAD = struct.Struct("<4sI32s")


def sealed(binary: bytes, files_at: int) -> bytes:
    """The flash up to the file system: binary, erased bytes, seal."""
    if len(binary) > files_at - SIZE:
        over = len(binary) - (files_at - SIZE)
        raise ImageError(f"the image of {len(binary)} bytes is {over} bytes too long")
    head = HEAD.pack(MAGIC, len(binary), hashlib.sha256(binary).digest())
    return binary.ljust(files_at - SIZE, b"\xff") + head.ljust(SIZE, b"\xff")


def length(flash: bytes) -> int:
    """How long the sealed image is."""
    magic, size, _ = HEAD.unpack_from(flash, len(flash) - SIZE)
    if magic != MAGIC:
        raise ImageError("no seal at the end of this image")
    return size


def identity(flash: bytes) -> str:
    """SHA-256 of the image in hex, as the board computes it."""
    return hashlib.sha256(flash[: length(flash)]).hexdigest()


def whole(flash: bytes) -> bool:
    """True when the image is what it was sealed as."""
    _, size, digest = HEAD.unpack_from(flash, len(flash) - SIZE)
    return length(flash) == size and hashlib.sha256(flash[:size]).digest() == digest
