"""The wheel display on the emulated board: fast enough, small enough, and the right pixels."""

from __future__ import annotations

import pytest

from tools.measure import perf_display

pytestmark = pytest.mark.emulator


def test_turning_wheel_on_the_board() -> None:
    """62.5 MHz and DMA, as the firmware uses them; the panel's memory must match the PC's."""
    got = perf_display.measure(fast=True, dma=True, times=(0, 1500))
    assert got["exact"]
    assert got["frames_per_second"] >= perf_display.LIMIT["frames_per_second"]
    assert got["step_ms"] < perf_display.LIMIT["step_ms"]
    assert got["ram"] + got["fonts"] <= perf_display.LIMIT["ram"]
