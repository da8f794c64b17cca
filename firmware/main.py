"""Start: `table()` runs the table and never returns; run as the main program (service key turned
at power-on) this file offers the service console. Small on purpose: it is compiled on the board.
"""

import gc
import sys
import time

import machine

WDT_MS = 8000
FIRST_STEPS = 48
ROOM = 20_000  # bytes, for a second of the table's work
ONCE = (  # modules that only a start needs
    "felt.hardware", "felt.service.selftest", "felt.store.config", "felt.store",
    "felt.games.settings",
    "felt.evaluator.check", "felt.evaluator.lookup", "felt.evaluator.tables",
    "felt.evaluator.seats", "felt.app", "board",
)  # fmt: skip
gc.threshold(6000)  # collect often: garbage between modules would split the heap for good


def forget(*names):
    """Drop modules that only starting needs: their heap is the table's."""
    for name in names:
        package, _, leaf = name.rpartition(".")
        sys.modules.pop(name, None)
        if hasattr(sys.modules.get(package), leaf):
            delattr(sys.modules[package], leaf)


def tidy():
    """Collect while nothing is under way, before memory is used up in the middle of something."""
    if gc.mem_free() < ROOM:
        gc.collect()


def start():
    """Build and test everything; return the table ready to run."""
    from felt import hardware
    from felt.service import selftest

    hw, live, texts, name = hardware.build()
    lines, bad = selftest.run(hw, live, print)
    if bad:
        live.fault, live.detail = live.fault or "self_test", live.detail or bad[0]
    del hardware, selftest
    from felt.app import App

    app = App(live, texts, hw, time.ticks_ms, name)
    app.tests = lines
    forget(*ONCE)
    return app


def table():
    """Run the table; an error leaves the outputs safe and the watchdog to restart."""
    import asyncio

    app = start()
    for _ in range(FIRST_STEPS):  # the first picture needs large pieces of memory
        app.poll_view(time.ticks_ms())
    gc.collect()
    gc.threshold(-1)  # a collection takes 30 ms: from here on at a good moment, or if it must be
    app.tidy = tidy
    app.watch(machine.WDT(timeout=WDT_MS))
    try:
        asyncio.run(app.run(asyncio.sleep_ms))
    except Exception as e:
        app.safe()
        sys.print_exception(e)
    while True:  # the watchdog restarts; the journal has everything
        time.sleep_ms(100)


def service():
    """Offer the service console on USB until Ctrl-C."""
    from felt import hardware
    from felt.service.console import Service

    hw, live, texts, name = hardware.build(display=False)
    live.note("service", 1, 0)
    console = Service(hw, live, texts, name, print)
    print("# felt service console, build %s, type help" % name[:12])
    while True:
        console.answer(sys.stdin.readline())


if __name__ == "__main__":
    service()
