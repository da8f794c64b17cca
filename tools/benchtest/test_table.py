"""The whole table: self-test times and how late its loop comes round.

Wiring: the complete harness; the table configured, its memory set up, no round open. The shoe and
the dealer's terminal may be missing: their tests then take the time they wait for an answer.
"""

from __future__ import annotations

from typing import Any

PARTS = """
from felt import hardware, selftest
hw, live, texts, name = hardware.build(display=False)
for code, name, test, critical in selftest.PARTS:
    t = time.ticks_ms()
    try:
        test(hw, live)
        ok = 1
    except selftest.Failed:
        ok = 0
    print(time.ticks_diff(time.ticks_ms(), t), int(critical and not ok))
"""

LOOP = """
import asyncio
from felt import hardware
hw, live, texts, name = hardware.build(display=False)
from felt.app import App
app = App(live, texts, hw, time.ticks_ms)
class Watchdog:  # the chip's own cannot be stopped again
    def feed(self):
        pass
app.watch(Watchdog())
async def some():
    task = asyncio.create_task(app.run(asyncio.sleep_ms))
    await asyncio.sleep_ms({ms})
    task.cancel()
    try:
        await task
    except asyncio.CancelledError:
        pass
asyncio.run(some())
print(app.latency.quantile(990), app.latency.worst, sum(app.latency.counts))
"""


def test_self_test(target: Any, measure: Any) -> None:
    """Every critical part passes, and the start of a table takes a few seconds."""
    found = target.numbers(PARTS)
    measure("self-test parts that fail", found[1::2], "parts", most=0)
    measure("self-test time of a part (T1, T2 ...)", found[0::2], "ms", most=4000)
    measure("self-test time in all", [sum(found[0::2])], "ms", most=8000)


def test_loop(target: Any, measure: Any) -> None:
    """99 of 100 turns of the loop are at most 20 ms late; none is later than 250 ms."""
    late, worst, turns = target.numbers(LOOP.format(ms=400))
    assert turns > 10
    measure("loop late, 99 of 100", [late], "ms", most=20)
    measure("loop late, worst", [worst], "ms", most=250)
