"""A whole spin in the running table, with a garbage collection in the middle of it.

The table runs as `main.table` runs it, on the image that is shipped, with shoe and terminal on its
wires; it is started through the prompt so that the other panel can be chosen and the collection
asked for. Pictures are counted at the panel's end of the wire.
"""

from __future__ import annotations

import json
from typing import Any

from felt.wheel import motion, shapes

from tools.emulator.boards_on_usb import table_memory
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import Fram, Pico

ROWS = 0x2B  # ST7789 and ST7796: first and last row follow
TOLD_MS = 1000  # then terminal and lamps have been told; from here on nothing is allocated
LATE_MS = 40
PER_MILLE_MS = 20  # 99.9 % of the loop's rounds are no later
# name: panel, SPI clock, pictures a second at least
CASES = {
    "240x240, 62.5 MHz": ("ST7789", 62_500_000, 50),
    "480x320, 62.5 MHz": ("ST7796", 62_500_000, 30),
    "480x320, 31.25 MHz": ("ST7796", 31_250_000, 20),
}
COLLECTED, OVER, LAPS = "collected_us", "worst_ms", "laps"  # what the guest prints

GUEST = """
import board
board.FEATURES["panel"] = {panel!r}
board.SPEEDS["TFT"] = {baud}
import asyncio, gc, machine, main, time
from felt.loop import Latency
app = main.start()
for _ in range(main.FIRST_STEPS):
    app.poll_view(time.ticks_ms())
gc.collect()
app.tidy = main.tidy
app.watch(machine.WDT(timeout=8300))
whole, pulse = app.turn, app._pulse
then, what, used, took = 0, None, 0, 0
def after(ms, call):
    global then, what
    then, what = time.ticks_add(time.ticks_ms(), ms), call
def settled():
    global used
    app.latency = Latency()
    used = gc.mem_alloc()
    after(2000, counted)
def counted():
    global used
    used = gc.mem_alloc() - used
    after(1000, collected)
def collected():
    global took
    t = time.ticks_us()
    gc.collect()
    took = time.ticks_us() - t
    after(20000, None)
def watched(now):
    pulse(now)
    if time.ticks_diff(time.ticks_ms(), then) >= 0:
        what()
def spin():
    after({told_ms}, settled)
    whole()
    print("allocated", used)
    print("collected_us", took)
    print("late_ms", app.latency.quantile(999))
    print("worst_ms", app.latency.worst)
    print("laps", sum(app.latency.counts))
app.turn, app._pulse = spin, watched
asyncio.run(app.run(asyncio.sleep_ms))
"""


class Watched(FieldTable):
    """Knows when each picture of the wheel began."""

    def watch(self, shape: Any) -> None:
        self.top = shape.top
        self.began_at: list[float] = []
        self._data: bytearray | None = None

    def _display(self, byte: int, is_data: bool) -> None:
        if not is_data:
            self._data = bytearray() if byte == ROWS else None
        elif self._data is not None and len(self._data) < 2:
            self._data.append(byte)
            if len(self._data) == 2 and int.from_bytes(self._data, "big") <= self.top:
                self.began_at.append(self.pico.ms)


def started(panel: str, baud: int) -> Watched:
    """The table at the moment its program was started by hand."""
    memory, settings = table_memory("open")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    pico.boot()
    table = Watched(pico)
    table.watch(shapes.small() if panel == "ST7789" else shapes.large())
    pico.type(b"\x01" + GUEST.format(panel=panel, baud=baud, told_ms=TOLD_MS).encode() + b"\x04")
    return table


def said(table: Watched, key: str) -> int | None:
    for line in bytes(table.pico.output).decode(errors="replace").splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == key:
            return int(words[1])
    return None


def measure(name: str) -> dict[str, Any]:
    """Play up to a spin and watch it to its end."""
    panel, baud, _ = CASES[name]
    table = started(panel, baud)
    table.start()
    table.bets()
    table.to_settlement()
    table.say("ok", "Settle seat 3")
    table.say("ok", "Seat 1 spins")
    table.say("spin", "turning")
    table.until(lambda: said(table, LAPS) is not None, 2 * motion.DURATION)
    end = table.began_at[-1]
    times = [t for t in table.began_at if end - motion.DURATION + 500 < t < end - 500]
    gaps = [b - a for a, b in zip(times, times[1:])]
    return {
        "pictures": round(1000 * len(gaps) / (times[-1] - times[0]), 1),
        "latest_ms": round(max(gaps), 1),
        **{key: said(table, key) for key in ("allocated", COLLECTED, "late_ms", OVER, LAPS)},
    }


def missed(name: str, got: dict[str, Any]) -> list[str]:
    """The bars a spin is below."""
    least = CASES[name][2]
    bars = {
        f"{least} pictures a second": got["pictures"] >= least,
        f"no picture later than {LATE_MS} ms": got["latest_ms"] <= LATE_MS or least < 30,
        f"99.9 % of the loop within {PER_MILLE_MS} ms": got["late_ms"] <= PER_MILLE_MS,
        f"the loop never later than {LATE_MS} ms": got[OVER] <= LATE_MS,
        "nothing allocated": got["allocated"] == 0,
    }
    return [bar for bar, met in bars.items() if not met]


def shown(name: str, got: dict[str, Any]) -> str:
    return (
        f"{name:20} {got['pictures']} pictures a second, latest {got['latest_ms']} ms; "
        f"loop 99.9 % {got['late_ms']} ms, worst {got[OVER]} ms; "
        f"{got['allocated']} bytes in 2 s of it, a collection {got[COLLECTED] / 1000:.1f} ms"
    )
