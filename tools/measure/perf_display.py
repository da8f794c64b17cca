"""Measure the wheel display on the emulated board: frames a second, time of a step, memory.

Counts processor cycles and SPI bits at the clocks set. What the panel receives is put together
again and compared with the picture the PC paints, so a fast but wrong frame does not count.

Then a whole spin in the running table, on both panels (perf_spin.py).

    make perf-display [ARGS=--quick]     prints a table; build/perf_display.json holds the figures
"""

from __future__ import annotations

import argparse
import json
import sys

from felt.wheel import shapes

from tools import stopped
from tools.emulator import pico as emulator
from tools.generate import screens
from tools.measure import perf_spin
from tools.paths import ROOT

VIEW = {
    "mode": "spin",
    "table": "flush5_progressive",
    "jackpot": 1284735,
    "seat": 4,
    "start": 1,
    "position": 4,
}
TIMES = (900, 1500, 2600, 4000, 5300, 6600)  # ms into the spin
RAM = {"ST7789": 49152, "ST7796": 53248}  # bytes; bands and tables grow with the panel
STEP_MS = 4
# name: panel, peripheral clock of 125 MHz, SPI clock, DMA, pictures a second at least
CASES = {
    "240x240, 62.5 MHz, DMA": ("ST7789", True, 62_500_000, True, 80),
    "240x240, 24 MHz, DMA": ("ST7789", False, 62_500_000, True, None),
    "240x240, 62.5 MHz": ("ST7789", True, 62_500_000, False, None),
    "480x320, 62.5 MHz, DMA": ("ST7796", True, 62_500_000, True, 30),
    "480x320, 31.25 MHz, DMA": ("ST7796", True, 31_250_000, True, 20),
}

GUEST = """
import gc, machine, time
{clocks}
from felt.hardware import language
text = language({{}}).get
text("screen.seat")
from felt.wheel.screens import Screens
from felt.wheel.panel import KINDS, Panel
from felt.wheel.shapes import SHAPES
pin = lambda n: machine.Pin(n, machine.Pin.OUT)
spi = machine.SPI({bus}, baudrate={baud}, polarity=1, phase=1, sck=pin({TFT_SCK}),
                  mosi=pin({TFT_MOSI}), miso=None)
dma = None
{dma}
pins = [pin(n) for n in ({TFT_CS}, {TFT_DC}, {TFT_RST}, {TFT_BL})]
panel = Panel(KINDS[{kind!r}], spi, *pins, dma)
gc.collect()
before = gc.mem_free()
panel.start(lambda ms: None)
t = time.ticks_us()
screens = Screens(panel.send, text, SHAPES[panel.width, panel.height](), panel.busy,
                  panel.band)
print("ready_us", time.ticks_us() - t)
view = {view}
view["elapsed"] = 0
def paint():
    slow = 0
    more = True
    while more:
        t = time.ticks_us()
        more = screens.step()
        slow = max(slow, time.ticks_us() - t)
    return slow
def turn(times):
    slow = 0
    for elapsed in times:
        view["elapsed"] = elapsed
        screens.show(view)
        slow = max(slow, paint())
    panel.finish()
    return slow
screens.show(view)
paint()
panel.finish()
gc.collect()
print("ram", before - gc.mem_free())
screens.redraw()
screens.show(view)
t = time.ticks_us()
paint()
panel.finish()
print("whole_us", time.ticks_us() - t)
times = {times}
turn(times[:1])
gc.collect()
gc.disable()
held = gc.mem_alloc()
t = time.ticks_us()
slow = turn(times)
t = time.ticks_us() - t
print("allocated", gc.mem_alloc() - held)
print("turning_us", t)
print("slowest_us", slow)
"""
FAST = "machine.freq(125_000_000, 125_000_000)"
DMA = "from felt.wheel.dma import SpiSender; dma = SpiSender({bus}, {TFT_DC})"


class Panel:
    """The panel's side of the wire: windows, and what was written into them."""

    def __init__(self, width: int, height: int) -> None:
        self._width = width
        self.pixels = bytearray(width * height * 2)
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

    def block(self, data: bytes) -> None:
        self.sent += len(data)
        self._data += data

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
                at = ((top + row) * self._width + left) * 2
                self.pixels[at : at + wide] = data[row * wide : (row + 1) * wide]

    def seen(self) -> bytes:
        self._end()
        self._data.clear()
        return bytes(self.pixels)


def measure(name: str, times: tuple[int, ...] = TIMES) -> dict:
    """One case on a fresh board."""
    kind, fast, baud, dma, _ = CASES[name]
    shape = (shapes.small if kind == "ST7789" else shapes.large)()
    pico = emulator.Pico()
    panel = Panel(shape.width, shape.height)
    pico.on_display, pico.on_pixels = panel.byte, panel.block
    bus = pico.buses["TFT"]
    code = GUEST.format(
        clocks=FAST if fast else "",
        dma=DMA.format(bus=bus, **pico.pins) if dma else "",
        bus=bus,
        baud=baud,
        kind=kind,
        view=repr(VIEW),
        times=repr(times),
        **{pin: number for pin, number in pico.pins.items() if pin.startswith("TFT")},
    )
    found: dict = {}
    for line in pico.run(code).splitlines():
        key, value = line.split()
        found[key] = int(value)
    found["frames_per_second"] = round(1e6 * len(times) / found["turning_us"], 1)
    found["whole_frame_ms"] = round(found["whole_us"] / 1000, 1)
    found["step_ms"] = round(found["slowest_us"] / 1000, 1)
    glass = screens.Glass(str(ROOT / screens.LANGUAGE), shape=shape)
    for elapsed in (0, *times):
        wanted = glass.paint(dict(VIEW, elapsed=elapsed))
    found["exact"] = panel.seen() == wanted
    return found


def missed(name: str, got: dict) -> list[str]:
    """The bars a case is below; one without a rate is only shown."""
    kind, least = CASES[name][0], CASES[name][4]
    if least is None:
        return []
    bars = {
        f"{least} pictures a second": got["frames_per_second"] >= least,
        "the PC's pixels": got["exact"],
        "nothing allocated": got["allocated"] == 0,
        f"a step of {STEP_MS} ms": got["step_ms"] <= STEP_MS,
        f"{RAM[kind]} bytes": got["ram"] <= RAM[kind],
    }
    return [bar for bar, met in bars.items() if not met]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--quick",
        action="store_true",
        help="only the display by itself, only cases that have a bar",
    )
    quick = parser.parse_args().quick
    figures, failed = {}, False
    row = "{:24} {:>8} {:>10} {:>9} {:>7} {:>9}  {}"
    print(
        row.format("panel, SPI", "frames/s", "worst step", "whole", "tables", "allocated", "exact")
    )
    for name in [n for n in CASES if not quick or CASES[n][4]]:
        got = figures[name] = measure(name)
        step, frame = (f"{got[key]} ms" for key in ("step_ms", "whole_frame_ms"))
        rate = got["frames_per_second"]
        print(
            row.format(name, rate, step, frame, got["ram"], got["allocated"], got["exact"]),
            flush=True,
        )
        for bar in missed(name, got):
            print(f"    missed: {bar}")
            failed = True
    for name in [] if quick else perf_spin.CASES:
        spun = figures[f"in the table: {name}"] = perf_spin.measure(name)
        print(perf_spin.shown(name, spun), flush=True)
        for bar in perf_spin.missed(name, spun):
            print(f"    missed: {bar}")
            failed = True
    out = ROOT / "build" / "perf_display.json"
    out.parent.mkdir(exist_ok=True)
    out.write_text(json.dumps(figures, indent=1) + "\n")
    return int(failed)


if __name__ == "__main__":
    sys.exit(stopped.run(main))
