"""A fast twin of the firmware's generator, for statistics on a PC.

Same HMAC-DRBG, same rejection, same walk over the weights; host_tests/test_rng_stats.py holds it
equal to the firmware draw by draw. It differs only in speed, and in being fed repeatable noise.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from hashlib import sha256
from itertools import accumulate
from typing import Iterator

NOISE = 32  # bytes of entropy in each reseed
ROUND = 6  # spins between reseeds
_INNER = bytes(x ^ 0x36 for x in range(256))
_OUTER = bytes(x ^ 0x5C for x in range(256))


def mac(key: bytes, data: bytes) -> bytes:
    """HMAC-SHA-256 for a 32-byte key, without the set-up cost of the hmac module."""
    inner = sha256(key.translate(_INNER) + b"\x36" * 32 + data).digest()
    return sha256(key.translate(_OUTER) + b"\x5c" * 32 + inner).digest()


class Twin:
    """felt.spin.drbg.Drbg and felt.spin.entropy.Generator.below() again, fast."""

    def __init__(self, entropy: bytes, nonce: bytes, personal: bytes = b"") -> None:
        self.key, self.v = bytes(32), b"\1" * 32
        self.update(entropy + nonce + personal)

    def update(self, data: bytes = b"") -> None:
        for tag in (b"\0", b"\1") if data else (b"\0",):
            self.key = mac(self.key, self.v + tag + data)
            self.v = mac(self.key, self.v)

    def generate(self, size: int) -> bytes:
        out, v, key = [], self.v, self.key
        for _ in range(0, size, 32):
            v = mac(key, v)
            out.append(v)
        self.v = v
        self.update()
        return b"".join(out)[:size]

    def below(self, n: int) -> int:
        mask = (1 << (n - 1).bit_length()) - 1
        while True:
            block = self.generate(30)
            for i in range(0, 30, 3):
                value = int.from_bytes(block[i : i + 3], "big") & mask
                if value < n:
                    return value


def noise(seed: bytes, label: str) -> Iterator[bytes]:
    """Repeatable reseeding material for one work item."""
    for block in range(1 << 40):
        text = seed + f"{label}/{block}".encode()
        data = hashlib.shake_256(text).digest(NOISE * 1024)
        for i in range(0, len(data), NOISE):
            yield data[i : i + NOISE]


def spin_shard(job: tuple[bytes, str, list[int], int, int]) -> tuple[str, list[int]]:
    """Spin one shard, reseeding every round; returns 12 counts, then 144 of pairs.

    Pairs are spins 1 and 2, 3 and 4, and so on: overlapping ones would not be independent.
    """
    seed, name, wheel, shard, spins = job
    fresh = noise(seed, f"{name}/{shard}")
    twin = Twin(next(fresh), shard.to_bytes(16, "big"))
    edges, total = list(accumulate(wheel)), sum(wheel)
    counts, first = [0] * 156, 0
    for i in range(spins):
        if i % ROUND == 0:
            twin.update(next(fresh))
        position = bisect_right(edges, twin.below(total))
        counts[position] += 1
        if i & 1:
            counts[12 + 12 * first + position] += 1
        first = position
    return name, counts


def stream(seed: bytes, size: int) -> Iterator[bytes]:
    """The DRBG's raw output in its largest requests."""
    fresh = noise(seed, "stream")
    twin = Twin(next(fresh), bytes(16))
    for at in range(0, size, 65536):
        twin.update(next(fresh))
        yield twin.generate(min(65536, size - at))
