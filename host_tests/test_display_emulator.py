"""The wheel display on the emulated board: fast enough, small enough, and the right pixels."""

from __future__ import annotations

import json

import pytest

from tools.emulator.pico import Pico
from tools.generate.display_views import VIEWS
from tools.measure import perf_display
from tools.paths import ROOT

pytestmark = pytest.mark.emulator

# Paints on both panels' shapes and prints hashes; Thumb and viper paint the same windows.
GUEST = """
import gc
from binascii import hexlify
from hashlib import sha256
from felt.hardware import language
from felt.wheel import motion, shapes
from felt.wheel.screens import Screens, moving
text = language({}).get

def hashes(shape, views):
    total = [None]
    def blit(x, y, w, h, data):
        total[0].update(memoryview(data)[: 2 * w * h])
    screens = Screens(blit, text, shape)
    for name, view in views:
        total[0] = sha256()
        screens.redraw()
        screens.show(view)
        while screens.step():
            pass
        print(name, hexlify(total[0].digest()).decode())

def compare(shape, angles):
    screens = Screens(None, text, shape)
    wheel = screens._wheel
    for _ in wheel.letter(screens._labels("flush5_progressive", text)):
        pass
    wheel.colour(0)
    wheel.name("SEAT", "12")
    win = wheel.window
    bands = moving(shape)
    buf = bytearray(2 * 3840)
    same = 0
    for n, angle in enumerate(angles):
        wheel.turn(angle, motion.kick(angle))
        x, y, w, h = bands[n % len(bands)]
        x += n % 3 * 7  # also windows that cut the wheel off
        w -= n % 3 * 14 + n % 2 * 2
        found = []
        for wheel.fast in (True, False):
            win[0], win[1], win[2], win[3] = x, y, w, h
            for i in range(len(buf)):
                buf[i] = 0x5A
            wheel.paint(buf, win)
            found.append(bytes(buf))
        assert found[0] == found[1], (angle, x, y, w, h)
        same += 1
        wheel.fast = True
    print("same", same)
"""
SHAPES = {"": "shapes.small()", "wide_": "shapes.large()"}


@pytest.mark.parametrize("name", [n for n, case in perf_display.CASES.items() if case[4]])
def test_turning_wheel_on_the_board(name: str) -> None:
    """DMA, as the firmware uses it; the panel's memory must match the PC's."""
    assert perf_display.missed(name, perf_display.measure(name, times=(900, 1500))) == []


@pytest.mark.parametrize("prefix", SHAPES)
def test_every_screen_is_the_pcs(prefix: str) -> None:
    kept = json.loads((ROOT / "host_tests" / "data" / "screens.json").read_text())
    pico = Pico()
    pico.run(GUEST)
    printed = pico.run(f"hashes({SHAPES[prefix]}, {list(VIEWS.items())!r})")
    found = dict(line.split() for line in printed.splitlines())
    assert found == {name: kept[prefix + name] for name in VIEWS}


@pytest.mark.parametrize("prefix", SHAPES)
def test_thumb_and_viper_paint_the_same(prefix: str) -> None:
    """Random angles, bands in turn, some of them cut off at their sides."""
    angles = [(n * 7919 + 1234) * 31 % 49152 for n in range(26)]
    pico = Pico()
    pico.run(GUEST)
    assert pico.run(f"compare({SHAPES[prefix]}, {angles!r})").split() == ["same", "26"]
