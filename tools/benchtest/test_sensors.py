"""Bet sensors: time of one scan of all 56 spots.

Wiring: seven 74HC165 in a chain on SENSOR_LATCH (pin 9), SENSOR_CLK (pin 10), SENSOR_DATA
(pin 29). Works without the chain too: the time is the same, the values are not looked at.
"""

from __future__ import annotations

from typing import Any

SCAN = """
from felt import hardware
hw = hardware.Hardware()
hardware.field(hw)
now = 0
for i in range(40):
    now += 5
    t = time.ticks_us()
    hw.sensors.poll(now)
    print(time.ticks_diff(time.ticks_us(), t))
"""


def test_scan(target: Any, measure: Any) -> None:
    """A scan is due every 5 ms and may take a fifth of that."""
    measure("sensor scan", target.numbers(SCAN)[2:], "us", most=1000)
