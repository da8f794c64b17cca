"""Measures the round machine on the emulated RP2040: the slowest step and six seats' settlement.

Full tables of every game, dealt by each method, are played event by event; each step is timed by
the board's own microsecond counter, the heap being swept between steps only, as the application
does while it waits. Writes the figures into build/perf.json beside the others.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from felt.games.settings import game_module

from tools import stopped
from tools.emulator import pico as emulator
from tools.image import build
from tools.paths import BUILD, ROOT
from tools.prove import vector_maker, vector_player

STEP_MS = 4.0  # the bars
SETTLE_MS = 20.0
GUEST = """
import gc, json, time
from tools.prove import vector_player
gc.disable()
from felt.round import events

worst = {}
total = [0]

def step(self, event):
    if gc.mem_free() < 60000:
        gc.collect()
    t = time.ticks_us()
    effects = self.m.step(event)
    us = time.ticks_diff(time.ticks_us(), t)
    name = events.NAMES[event[0]]
    if us > worst.get(name, 0):
        worst[name] = us
    r = self.m.r
    if name == "REVEAL" and r.settling and not total[0]:
        settle(self.m)
    if self.log:
        self.log(event, effects)

def settle(m):
    gc.collect()
    t = time.ticks_us()
    for seat in m.r.seats:
        m.game.settle(m.r, seat)
    if m.game.POT:
        m.game.finish(m.r)
    total[0] = time.ticks_diff(time.ticks_us(), t)

vector_player.Player.step = step

def measure(text):
    worst.clear()
    total[0] = 0
    vector_player._tables.clear()
    gc.collect()
    v = json.loads(text)
    got = vector_player.play(v)
    print(json.dumps([got == v["expect"], total[0], worst]))
"""


def full_table(game: str, dealing: str) -> dict[str, Any]:
    """A made round with every seat taken and all its wagers placed, nobody void."""
    most = 6
    rules = game_module(game)
    for n in range(20000):
        v = vector_maker.make(game, n, seed=41)
        sides = sum(len(s["wagers"]) for s in v["seats"])
        playing = sum("fold" not in s["actions"] for s in v["seats"])
        wanted = most * len(rules.WAGERS) * 3 // 4
        spins = len(v.get("spins", [])) if rules.LATCH else 2
        if len(v["seats"]) == most and sides >= wanted and playing >= 4 and spins >= 2:
            if not v.get("void"):
                v["table"]["dealing"] = dealing
                return v
    raise SystemExit(f"no full table of {game}")


def measure() -> dict[str, Any]:
    """{game dealing: {step: slowest ms}} and the six seats' settlement of each game."""
    files = {}
    for path in vector_player.PARTS:
        files[path + ".mpy"] = build.compile_module(ROOT / f"{path}.py", "armv6m")
    figures: dict[str, Any] = {}
    pico = emulator.Pico(files)
    pico.run(GUEST)
    for game in vector_maker.GAMES:
        for dealing in ("shoe", "auto"):
            text = json.dumps(full_table(game, dealing))
            answer = pico.run(f"measure({text!r})")
            same, settle, worst = json.loads(answer.splitlines()[-1])
            if not same:
                raise SystemExit(f"{game}: the board settled otherwise")
            name = max(worst, key=lambda key: worst[key])
            figures[f"{game} {dealing}"] = {
                "slowest_step": name,
                "step_ms": worst[name] / 1000,
                "settle_six_ms": settle / 1000,
                "steps_ms": {key: worst[key] / 1000 for key in sorted(worst)},
            }
            row = figures[f"{game} {dealing}"]
            print(
                f"{game:12} {dealing:5} slowest step {row['step_ms']:6.2f} ms ({name}), "
                f"six seats settled in {row['settle_six_ms']:6.2f} ms",
                flush=True,
            )
    return figures


def save(figures: dict[str, Any], path: Path) -> None:
    known = json.loads(path.read_text()) if path.exists() else {}
    known["machine"] = figures
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(known, indent=1, sort_keys=True) + "\n")


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=BUILD / "perf.json")
    args = parser.parse_args()
    figures = measure()
    save(figures, args.out)
    step = max(row["step_ms"] for row in figures.values())
    settle = max(row["settle_six_ms"] for row in figures.values())
    print(
        f"slowest step {step:.2f} ms (bar {STEP_MS}), settlement {settle:.2f} ms (bar {SETTLE_MS})"
    )
    return int(step >= STEP_MS or settle >= SETTLE_MS)


if __name__ == "__main__":
    sys.exit(stopped.run(main))
