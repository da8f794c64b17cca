"""Measure the wheel display on the emulated board: frames a second, time of a step, memory.

Counts processor cycles and SPI bits at the clocks set. What the panel receives is put together
again and compared with the picture the PC paints, so a fast but wrong frame does not count.

    make perf-display [ARGS=--quick]     prints a table; build/perf_display.json holds the figures
"""

from __future__ import annotations

import argparse
import json
import sys

from tools.emulator import pico as emulator
from tools.generate import screens
from tools.generate.screens import SIZE
from tools.paths import ROOT

VIEW = {
    "mode": "spin",
    "table": "flush5_progressive",
    "jackpot": 1284735,
    "seat": 4,
    "start": 1,
    "position": 4,
}
TIMES = (0, 900, 1500, 4000)  # ms into the spin; the first frame is whole, the others turn
LIMIT = {"frames_per_second": 25, "step_ms": 10, "ram": 40 * 1024}  # ram: buffers and tables

CODE = """
import gc
import felt.field
gc.collect()
free = [gc.mem_free()]
import felt.wheel.font
gc.collect()
free.append(gc.mem_free())
import felt.wheel.screens, felt.wheel.st7789, felt.wheel.dma
gc.collect()
print(free[0] - free[1], free[1] - gc.mem_free())
"""
GUEST = """
import gc, machine, time
{clocks}
from felt.texts import Texts
text = Texts(__import__("lang_en").TEXT).get
text("screen.seat")
from felt.wheel.screens import Screens
from felt.wheel.st7789 import ST7789
pin = lambda n: machine.Pin(n, machine.Pin.OUT)
spi = machine.SPI({bus}, baudrate=62_500_000, polarity=1, phase=1, sck=pin({TFT_SCK}),
                  mosi=pin({TFT_MOSI}), miso=None)
dma = None
{dma}
panel = ST7789(spi, pin({TFT_CS}), pin({TFT_DC}), pin({TFT_RST}), pin({TFT_BL}), dma)
gc.collect()
before = gc.mem_free()
panel.start(lambda ms: None)
t = time.ticks_us()
screens = Screens(panel.blit, text)
ready = time.ticks_us() - t
screens.show(dict({view}, elapsed=0))
slow = 0
more = True
while more:
    t = time.ticks_us()
    more = screens.step()
    slow = max(slow, time.ticks_us() - t)
panel.finish()
print("first_step_us", slow)
gc.collect()
print("ready_us", ready)
print("ram", before - gc.mem_free())
screens.redraw()
for elapsed in {times}:
    view = dict({view})
    view["elapsed"] = elapsed
    screens.show(view)
    worst = 0
    steps = 0
    start = time.ticks_us()
    more = True
    while more:
        t = time.ticks_us()
        more = screens.step()
        worst = max(worst, time.ticks_us() - t)
        steps += 1
    panel.finish()
    print("frame", time.ticks_us() - start, worst, steps)
"""
FAST = "machine.freq(125_000_000, 125_000_000)"
DMA = "from felt.wheel.dma import SpiSender; dma = SpiSender({bus}, {TFT_DC})"


class Panel:
    """The ST7789's side of the wire: windows, and what was written into them."""

    def __init__(self) -> None:
        self.pixels = bytearray(SIZE * SIZE * 2)
        self.sent = 0
        self._code = 0
        self._data = bytearray()
        self._box = [0, 0, 0, 0]

    def byte(self, value: int, is_data: bool) -> None:
        self.sent += 1
        if not is_data:
            self._end()
            self._code = value
            self._data.clear()
        else:
            self._data.append(value)

    def _end(self) -> None:
        data = self._data
        if self._code in (0x2A, 0x2B) and len(data) == 4:
            at = 0 if self._code == 0x2A else 2
            self._box[at] = data[0] << 8 | data[1]
            self._box[at + 1] = data[2] << 8 | data[3]
        elif self._code == 0x2C:
            left, right, top, _ = self._box
            wide = 2 * (right - left + 1)
            for row in range(len(data) // wide):
                at = ((top + row) * SIZE + left) * 2
                self.pixels[at : at + wide] = data[row * wide : (row + 1) * wide]

    def seen(self) -> bytes:
        self._end()
        self._data.clear()
        return bytes(self.pixels)


def measure(fast: bool, dma: bool, times: tuple[int, ...] = TIMES) -> dict:
    """One case on a fresh board."""
    pico = emulator.Pico()
    panel = Panel()
    pico.on_display = panel.byte
    bus = pico.buses["TFT"]
    code = GUEST.format(
        clocks=FAST if fast else "",
        dma=DMA.format(bus=bus, **pico.pins) if dma else "",
        bus=bus,
        view=repr(VIEW),
        times=repr(times),
        **{name: number for name, number in pico.pins.items() if name.startswith("TFT")},
    )
    found: dict = {"frames": []}
    for line in pico.run(code).splitlines():
        name, *values = line.split()
        if name == "frame":
            found["frames"].append([int(v) for v in values])
        else:
            found[name] = int(values[0])
    apart = emulator.Pico().run(CODE)
    found["fonts"], found["code"] = map(int, apart.split())
    turning = [frame[0] for frame in found["frames"][1:]]
    found["frames_per_second"] = round(1e6 * len(turning) / sum(turning), 1)
    found["whole_frame_ms"] = round(found["frames"][0][0] / 1000, 1)
    found["step_ms"] = round(max(frame[1] for frame in found["frames"]) / 1000, 1)
    glass = screens.Glass(str(ROOT / screens.LANGUAGE))
    for elapsed in times:
        wanted = glass.paint(dict(VIEW, elapsed=elapsed))
    found["exact"] = panel.seen() == wanted
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="only the case the firmware uses")
    cases = [("62.5 MHz, DMA", True, True)]
    if not parser.parse_args().quick:
        cases.append(("62.5 MHz", True, False))
        cases.append(("24 MHz, DMA", False, True))
        cases.append(("24 MHz", False, False))
    figures = {}
    row = "{:14} {:>8} {:>10} {:>10} {:>7} {:>7}  {}"
    print(row.format("SPI", "frames/s", "worst step", "whole", "tables", "code", "exact"))
    for name, fast, dma in cases:
        got = figures[name] = measure(fast, dma)
        step, frame = (f"{got[key]} ms" for key in ("step_ms", "whole_frame_ms"))
        tables = got["ram"] + got["fonts"]
        rate = got["frames_per_second"]
        print(row.format(name, rate, step, frame, tables, got["code"], got["exact"]), flush=True)
    out = ROOT / "build" / "perf_display.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=1) + "\n")
    used = figures[cases[0][0]]
    good = used["exact"] and used["frames_per_second"] >= LIMIT["frames_per_second"]
    good = good and used["ram"] + used["fonts"] <= LIMIT["ram"]
    return 0 if good and used["step_ms"] < LIMIT["step_ms"] else 1


if __name__ == "__main__":
    sys.exit(main())
