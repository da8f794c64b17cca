"""Difference of two millisecond ticks that wrap, the same on the board and on a PC.

MicroPython's time.ticks_diff is missing on CPython and depends on the port's period; here the
period is fixed to that of the rp2 port, and no intermediate value leaves a 31-bit small int.
"""

PERIOD = 1 << 30
_MASK = PERIOD - 1
_HALF = PERIOD >> 1


def diff(later, earlier):
    """Return later - earlier in milliseconds, right while they are less than 6 days apart."""
    return (((later - earlier) & _MASK) ^ _HALF) - _HALF
