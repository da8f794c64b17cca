"""Names the stock MicroPython image holds in flash: used as short names they cost a board no heap.

`image_names.txt` is the list for the official image; this tool makes it. On another
image a name that is missing there costs a few bytes and nothing else.
"""

from __future__ import annotations

import argparse
import struct
import sys

from tools.image import uf2file
from tools.image.micropython_names import IMAGE_NAMES

# A pool of names in flash: the pool before, how many names that has, growth, number of names,
# where hashes and lengths are; then a pointer a name.
POOL = struct.Struct("<6I")
GROWTH, MOST = 10, 4096


def names_in(flash: bytes) -> set[str]:
    """Every identifier among the names of an image."""
    found: set[str] = set()
    for at in range(0, len(flash) - POOL.size, 4):
        _, _, growth, count, _, lengths = POOL.unpack_from(flash, at)
        if growth == GROWTH and 0 < count < MOST and 0 <= lengths - uf2file.BASE < len(flash):
            found |= _pool(flash, at + POOL.size, count, lengths - uf2file.BASE)
    return {name for name in found if name.isidentifier()}


def _pool(flash: bytes, at: int, count: int, lengths: int) -> set[str]:
    """The names of a pool; none when what looked like one is something else."""
    found = set()
    for i, address in enumerate(struct.unpack_from(f"<{count}I", flash, at)):
        start = address - uf2file.BASE
        text = flash[start : start + flash[lengths + i] + 1] if start >= 0 else b""
        if text[-1:] != b"\0" or not text.isascii():
            return set()
        found.add(text[:-1].decode())
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="fail if the list is not current")
    args = parser.parse_args()
    image = uf2file.official()
    if image is None:
        print("names of the image: not compared, no RP2040 image here")
        return 0
    names = sorted(names_in(uf2file.flat(image.read_bytes())))
    if not args.check:
        IMAGE_NAMES.write_text("\n".join(names) + "\n", encoding="utf-8")
    current = names == IMAGE_NAMES.read_text(encoding="utf-8").split()
    print(f"{IMAGE_NAMES.name}: {len(names)} names, {'current' if current else 'out of date'}")
    return 0 if current else 1


if __name__ == "__main__":
    sys.exit(main())
