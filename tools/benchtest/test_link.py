"""Serial links: bytes lost or changed, and the speed, on the shoe's line looped back.

Wiring: unplug the card shoe; a jumper from SHOE_TX (pin 6) to SHOE_RX (pin 7).
"""

from __future__ import annotations

from typing import Any

LOOP = """
from felt import hardware
uart = hardware.uart("SHOE")
uart.read()
block = bytes(range(256))
for i in range({blocks}):
    uart.write(block)
    got = b""
    t = time.ticks_us()
    while len(got) < 256 and time.ticks_diff(time.ticks_us(), t) < 100000:
        got += uart.read() or b""
    took = time.ticks_diff(time.ticks_us(), t)
    wrong = 256 - len(got)
    for a, b in zip(got, block):
        wrong += a != b
    print(wrong, took)
"""


def test_nothing_is_lost(target: Any, measure: Any) -> None:
    """No byte of the blocks is missing or wrong."""
    found = target.numbers(LOOP.format(blocks=12))
    measure("link errors per 256 bytes", found[0::2], "bytes", most=0)
    speeds = [256e6 / took for took in found[1::2]]
    measure("link speed", speeds, "bytes/s", least=10000)
