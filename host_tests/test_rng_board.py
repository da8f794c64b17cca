"""The generator on the emulated board: wiring of the ring oscillator, time per call, refusal.

The emulator is no evidence for randomness: its urandom repeats at every start and its ring
oscillator is a model with a fixed seed.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from tools.emulator.pico import Pico
from tools.image import build

pytestmark = pytest.mark.emulator

HERE = Path(__file__).parent
VECTORS = HERE / "data" / "hmac_drbg_sha256.txt"
SET_UP = """
import gc, os, time
from machine import mem32, unique_id
from felt.spin import wheel
from felt.spin.entropy import EntropyError, EntropySource, Generator
g = Generator(EntropySource(os.urandom, lambda: mem32[0x4006001C], unique_id(), 7))
def took(call, *args):
    gc.collect()
    free, begin = gc.mem_free(), time.ticks_us()
    try:
        got = call(*args)
    except EntropyError as e:
        got = e.args[0]
    us = time.ticks_diff(time.ticks_us(), begin)
    return got, us, free - gc.mem_free()
"""
PLAY = """
W = [10, 18700, 1000, 20, 32000, 800, 50, 29500, 5000, 320, 12000, 600]
print([took(g.start), took(g.reseed), took(g.cycle), took(wheel.draw, W, g.below), took(g.wipe)])
"""
# Most milliseconds a call may take in the emulator, whose cycles are a lower bound.
LIMITS_MS = {"start": 200, "reseed": 60, "cycle": 12, "draw": 5, "wipe": 1}


def board() -> tuple[Pico, Any]:
    """A board with the generator built but not started, and its ring oscillator."""
    pico = Pico()
    pico.run(SET_UP)
    return pico, pico.mcu.peripherals[0x40060]


def outcome(pico: Pico, call: str) -> Any:
    return ast.literal_eval(pico.run(f"print(took({call}))"))[0]


def test_nist_cases_on_the_board() -> None:
    """A case of each kind with every input present, through the image's own SHA-256."""
    rows = [r.split() for r in VECTORS.read_text().splitlines() if r[0] != "#"]
    full = {row[0]: row for row in rows if "-" not in row}
    module = HERE / "logic" / "test_drbg.py"
    pico = Pico({"test_drbg.mpy": build.compile_module(module, "armv6m")})
    pico.run("from test_drbg import agrees")
    assert len(full) == 3
    for row in full.values():
        assert pico.run(f"print(agrees({row!r}))") == "True\n", row[:2]


WHERE = """
from uctypes import addressof
d = g._drbg
g.below(12)
print([addressof(x) for x in (d._v, d._inner, d._outer, g._out)])
"""


def secrets_are_gone(pico: Pico) -> None:
    """Look for V and K in all of the chip's RAM, as it is after a draw and after wipe()."""
    at = [address - 0x20000000 for address in ast.literal_eval(pico.run(WHERE))]
    ram = bytes(pico.mcu.sram)
    v, inner, outer = (ram[a : a + 32] for a in at[:3])
    secrets = [v, inner, outer, bytes(x ^ 0x36 for x in inner)]
    assert all(any(s) for s in secrets)
    assert [ram.count(s) for s in secrets] == [1, 1, 1, 0]
    assert not any(ram[at[3] : at[3] + 30])
    pico.run("g.wipe()")
    ram = bytes(pico.mcu.sram)
    assert [ram.count(s) for s in secrets] == [0, 0, 0, 0]


def test_time_of_each_call_and_a_source_that_sticks() -> None:
    pico, ring = board()
    rows = ast.literal_eval(pico.run(PLAY))
    for (name, limit), (got, us, used) in zip(LIMITS_MS.items(), rows, strict=True):
        print(f"{name:<8} {us / 1000:8.2f} ms {used:7} bytes  {got}")
        assert us <= limit * 1000, name
    assert rows[3][0] in range(1, 13)
    pico.run("g.start()")
    ring.stuck = 1
    assert outcome(pico, "g.reseed") == "entropy_stuck"
    assert outcome(pico, "g.below, 12") == "entropy_stuck"
    assert pico.run("print(any(g._drbg._v), any(g._source._raw))") == "False False\n"
    ring.stuck = None
    assert outcome(pico, "g.below, 12") == "entropy_stuck"
    assert outcome(pico, "g.start") is None
    secrets_are_gone(pico)
