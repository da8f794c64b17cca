"""UF2 files: what a board takes by drag and drop; whole sectors, as the boot ROM needs."""

from __future__ import annotations

import struct

MAGIC = (0x0A324655, 0x9E5D5157, 0x0AB16F30)
FAMILY_PRESENT = 0x2000
FAMILIES = {"rp2040": 0xE48BFF56, "rp2350": 0xE48BFF59}
BASE = 0x10000000
PAGE, SECTOR = 256, 4096


def blocks(data: bytes) -> list[tuple[int, bytes]]:
    """(address, payload) of every block; ValueError when the file is not whole."""
    found = []
    for at in range(0, len(data), 512):
        head = struct.unpack_from("<8I", data, at)
        if (head[0], head[1]) != MAGIC[:2] or head[4] > 476 or head[6] != len(data) // 512:
            raise ValueError(f"no UF2 block at {at}")
        found.append((head[3], data[at + 32 : at + 32 + head[4]]))
    return found


def flat(data: bytes) -> bytes:
    """The flash a UF2 file fills, from its start; gaps read as erased."""
    parts = blocks(data)
    out = bytearray(b"\xff" * (max(a + len(p) for a, p in parts) - BASE))
    for address, payload in parts:
        out[address - BASE : address - BASE + len(payload)] = payload
    return bytes(out)


def make(flash: bytes, chip: str = "rp2040") -> bytes:
    """A UF2 file that writes every sector of `flash` that is not erased, whole."""
    padded = flash + b"\xff" * (-len(flash) % SECTOR)
    pages = []
    for sector in range(0, len(padded), SECTOR):
        if padded[sector : sector + SECTOR].strip(b"\xff"):
            pages += range(sector, sector + SECTOR, PAGE)
    out = bytearray()
    for number, at in enumerate(pages):
        head = (
            MAGIC[0],
            MAGIC[1],
            FAMILY_PRESENT,
            BASE + at,
            PAGE,
            number,
            len(pages),
            FAMILIES[chip],
        )
        block = struct.pack("<8I", *head) + padded[at : at + PAGE]
        out += block.ljust(508, b"\0") + struct.pack("<I", MAGIC[2])
    return bytes(out)
