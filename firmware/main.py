"""Start: `table()` runs the table; run as the main program (service key turned at power-on) this
file offers the service console.
"""

import asyncio
import gc
import sys
import time

from felt import hardware
from felt.app import App
from felt.service import selftest

FIRST_STEPS = 48
ROOM = 60_000  # bytes, for two seconds of the table's work and the network's
_low = False


def tidy():
    """Collect while nothing is under way, before memory is used up in the middle of something.

    One call looks, the next one collects: each stops the loop for 7 ms."""
    global _low
    if _low:
        gc.collect()
    _low = not _low and gc.mem_free() < ROOM


def start(feed=lambda: None):
    """Build and test everything; return the table ready to run. A watchdog is fed half-way."""
    hw, live, texts, name = hardware.build()
    feed()
    lines, bad = selftest.run(hw, live, print)
    if bad:
        live.fault, live.detail = live.fault or "self_test", live.detail or bad[0]
    app = App(live, texts, hw, time.ticks_ms, name)
    app.tests = lines
    return app


def table(dog):
    """Run the table under the watchdog; returns or raises only when it cannot go on."""
    app = start(dog.feed)
    for _ in range(FIRST_STEPS):  # the first picture needs large pieces of memory
        app.poll_view(time.ticks_ms())
    gc.collect()
    app.tidy = tidy
    app.watch(dog)
    try:
        asyncio.run(app.run(asyncio.sleep_ms))
    finally:
        app.safe()


def service():
    """Offer the service console on USB until Ctrl-C."""
    from felt.service.console import Service

    hw, live, texts, name = hardware.build(display=False)
    live.note("service", 1, 0)
    console = Service(hw, live, texts, name, print)
    print("# felt service console, build %s, type help" % name[:12])
    while True:
        console.answer(sys.stdin.readline())


if __name__ == "__main__":
    service()
