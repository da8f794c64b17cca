"""Critical memory: time to write, and that it holds what was written.

Wiring: MB85RC256V on the FRAM pins (boards/NAME/wiring.md): SDA pin 4, SCL pin 5, 2.2 kohm each
to 3.3 V; A0, A1, A2, WP to ground. Nothing on the chip is changed: the same bytes go back.
"""

from __future__ import annotations

from typing import Any

SAMPLES = """
from felt import hardware
memory = hardware.fram()
if memory:
    buf = bytearray({size})
    for at in range(0, 32768 - {size}, 32768 // 20):
        memory.readinto(at, buf)
        t = time.ticks_us()
        memory.write(at, buf)
        print(time.ticks_diff(time.ticks_us(), t))
"""


def test_write_of_one_event(target: Any, measure: Any) -> None:
    """An event of 16 bytes is on the medium within a millisecond."""
    measure("FRAM write, 16 bytes", target.numbers(SAMPLES.format(size=16)), "us", most=1000)


def test_write_of_a_checkpoint(target: Any, measure: Any) -> None:
    """A checkpoint of 512 bytes takes less than one turn of the sensors' loop, twice over."""
    measure("FRAM write, 512 bytes", target.numbers(SAMPLES.format(size=512)), "us", most=12000)
