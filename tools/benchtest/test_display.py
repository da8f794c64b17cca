"""Wheel display: time of a frame while the wheel turns.

Wiring: ST7789 240x240 on the TFT pins (12, 14 to 17, 19). The display cannot answer: look at it
while this runs, the wheel must turn without tearing.
"""

from __future__ import annotations

from typing import Any

FRAMES = """
from felt import hardware
from felt.wheel.screens import Screens
from felt.wheel.panel import KINDS, PHASE, POLARITY, Panel
from felt.texts import Texts
pin = hardware.pin
spi = machine.SPI(board.BUSES["TFT"], baudrate=board.SPEEDS["TFT"], polarity=POLARITY,
                  phase=PHASE, sck=pin("TFT_SCK"), mosi=pin("TFT_MOSI"), miso=None)
pins = [pin("TFT_" + n, machine.Pin.OUT) for n in ("CS", "DC", "RST", "BL")]
panel = Panel(KINDS[board.FEATURES["panel"]], spi, *pins, dma=hardware.sender())
panel.start(time.sleep_ms)
panel.light(True)
screens = Screens(panel.blit, Texts(__import__("lang_en").TEXT).get)
view = {{"mode": "spin", "table": "flush5_progressive", "jackpot": 1284735, "seat": 4, "start": 1,
        "position": 4}}
for elapsed in {times}:
    view = dict(view)
    view["elapsed"] = elapsed
    t = time.ticks_us()
    screens.show(view)
    while screens.step():
        pass
    print(time.ticks_diff(time.ticks_us(), t))
"""


def test_frames(target: Any, measure: Any) -> None:
    """At least 25 frames a second while it turns; the first frame paints everything."""
    found = target.numbers(FRAMES.format(times=(0, 900, 1000, 1100)))
    measure("display frames a second", [1e6 / us for us in found[1:]], "1/s", least=25)
