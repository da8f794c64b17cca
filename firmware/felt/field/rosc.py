"""The ring oscillator's jitter, one bit a call (RP2040 data sheet 2.17.7)."""

import machine
from board import ROSC_RANDOM


def jitter():
    """Return one bit of noise."""
    return machine.mem32[ROSC_RANDOM] & 1
