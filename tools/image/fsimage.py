"""Makes the littlefs image a board mounts, with the geometry its interpreter has."""

from __future__ import annotations

from pathlib import Path

from littlefs import LittleFS

BLOCK = 4096
BLOCKS = 352
BLOCKS_OF = {"rp2040": BLOCKS, "rp2350": 768}  # MICROPY_HW_FLASH_STORAGE_BYTES of our boards
PROG = 256
FLASH_OFFSET = 0xA0000  # where the image sits in a 2 MiB flash: the last 352 blocks


def _filesystem(
    mount: bool = True, disk_version: int = 0x00020000, blocks: int = BLOCKS
) -> LittleFS:
    return LittleFS(
        block_size=BLOCK,
        block_count=blocks,
        read_size=32,
        prog_size=PROG,
        lookahead_size=32,
        cache_size=1024,
        disk_version=disk_version,
        mount=mount,
    )


def make(files: dict[str, bytes], blocks: int = BLOCKS) -> bytes:
    """An image holding `files` ({path: bytes}; folders are made as needed)."""
    fs = _filesystem(blocks=blocks)
    for name, data in sorted(files.items()):
        folder = str(Path(name).parent)
        if folder != ".":
            fs.makedirs(folder, exist_ok=True)
        with fs.open(name, "wb") as target:
            target.write(data)
    fs.unmount()
    return bytes(fs.context.buffer)


def read(image: bytes) -> dict[str, bytes]:
    """The files in an image, for looking at a board after the fact."""
    fs = _filesystem(mount=False, disk_version=0)  # a board raises it when it first writes
    fs.context.buffer[:] = image
    fs.mount()
    found = {}
    for folder, _, names in fs.walk("/"):
        for name in names:
            path = f"{folder.rstrip('/')}/{name}"
            with fs.open(path, "rb") as source:
                found[path.lstrip("/")] = source.read()
    return found
