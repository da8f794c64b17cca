"""The ring oscillator's jitter, one bit a call (RP2040 data sheet 2.17.7)."""

import board
import machine

_REGISTER = board.ROSC_RANDOM


def jitter():
    """Return one bit of noise."""
    return machine.mem32[_REGISTER] & 1
