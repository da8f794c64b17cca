"""CRC-32 of a frame without a number beyond 30 bits, which a board would allocate.

For boards, while a wheel turns; elsewhere frame.py uses binascii's, which is faster there.
"""

from array import array

import micropython

# of every four bits, polynomial EDB88320
_NIBBLES = array(
    "I",
    (
        0x00000000, 0x1DB71064, 0x3B6E20C8, 0x26D930AC, 0x76DC4190, 0x6B6B51F4, 0x4DB26158,
        0x5005713C, 0xEDB88320, 0xF00F9344, 0xD6D6A3E8, 0xCB61B38C, 0x9B64C2B0, 0x86D3D2D4,
        0xA00AE278, 0xBDBDF21C,
    ),
)  # fmt: skip


@micropython.viper
def put(buf, at: int, end: int):
    """Write the CRC of buf[at:end] behind it, lowest byte first."""
    b = ptr8(buf)
    t = ptr32(_NIBBLES)
    crc = 0 - 1
    while at < end:
        crc ^= b[at]
        crc = ((crc >> 4) & 0xFFFFFFF) ^ int(t[crc & 15])
        crc = ((crc >> 4) & 0xFFFFFFF) ^ int(t[crc & 15])
        at += 1
    end += 4
    while at < end:
        b[at] = (crc & 255) ^ 255
        crc >>= 8
        at += 1


@micropython.viper
def right(buf, at: int, end: int) -> bool:
    """Whether the four bytes behind buf[at:end] are its CRC."""
    b = ptr8(buf)
    t = ptr32(_NIBBLES)
    crc = 0 - 1
    while at < end:
        crc ^= b[at]
        crc = ((crc >> 4) & 0xFFFFFFF) ^ int(t[crc & 15])
        crc = ((crc >> 4) & 0xFFFFFFF) ^ int(t[crc & 15])
        at += 1
    end += 4
    same = True
    while at < end:
        if b[at] != (crc & 255) ^ 255:
            same = False
        crc >>= 8
        at += 1
    return same


@micropython.viper
def copy(to, at: int, of, start: int, stop: int):
    """to[at:] = of[start:stop], without a slice."""
    t = ptr8(to)
    b = ptr8(of)
    while start < stop:
        t[at] = b[start]
        at += 1
        start += 1
