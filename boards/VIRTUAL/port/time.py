"""MicroPython's time on the virtual board's clock; asyncio takes its ticks from here too."""

from utime import gmtime, localtime, mktime, ticks_add, ticks_diff, time, time_ns  # noqa: F401
from vbench import bench, clock

_MASK = (1 << 62) - 1


def ticks_us():
    return clock.us() & _MASK


def ticks_ms():
    return clock.us() // 1000 & _MASK


def ticks_cpu():
    return clock.us() & _MASK


def sleep_us(us):
    bench.wait(us)


def sleep_ms(ms):
    bench.wait(ms * 1000)


def sleep(seconds):
    bench.wait(int(seconds * 1000000))
