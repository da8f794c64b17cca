"""A minute of play on the emulated board: how late the loop comes round, and what made it so.

Premium rounds as hands play them: chips on sensors, cards from the shoe, decisions, settlement,
a spin in the first one; the journal goes to the memory at its bus's speed, finished rounds to a
flash that takes its time to erase and program. The table runs as `main.table` runs it, on the
image that is shipped; it is started through the prompt so that every lap can be kept.

Writing flash stops a board: the table does it only while no wager lies on the felt, and its meter
keeps those laps apart ("resting"). They are shown and have no bar.

    make perf-play [ARGS=--touched]       build/perf_play.json holds the figures
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import Any

from felt.wheel import motion

from tools import stopped
from tools.bench.deck import A_SPIN
from tools.emulator.boards_on_usb import table_memory
from tools.emulator.field_table import FieldTable, shuffled
from tools.emulator.pico import Fram, Pico
from tools.paths import BUILD

PLAY_MS = 60_000
PER_MILLE_MS, WORST_MS = 20, 40  # the loop's bars
ERASE_MS, PROGRAM_MS = 45, 0.7  # a flash sector, a page: typical of the chips on the boards
BETWEEN_MS = 2000  # from a round's end to the next bets
FIGURES = ("laps", "late_ms", "worst_ms", "resting", "resting_ms", "free")

GUEST = """
import asyncio, gc, machine, main, time
from felt.loop import Latency
app = main.start()
for _ in range(main.FIRST_STEPS):
    app.poll_view(time.ticks_ms())
gc.collect()
app.tidy = main.tidy
app.watch(machine.WDT(timeout=8300))
play, resting = Latency(), Latency()
slow = []
took = [0, ""]
def timed(name, poll):
    def call(now):
        start = time.ticks_us()
        poll(now)
        us = time.ticks_diff(time.ticks_us(), start)
        if us > took[0]:
            took[0], took[1] = us, name
    return call
def lap(late, counted=app._lap):
    (resting if app._excused else play).add(late)
    if late > {slow} and len(slow) < 60:
        slow.append((late, "resting" if app._excused else "", took[1], took[0]))
    took[0] = 0
    counted(late)
app._lap = lap
for task in app.tasks if {why} else ():
    name = "poll_" + task[0]
    setattr(app, name, timed(task[0], getattr(app, name)))
async def minute():
    global play, resting
    play, resting = Latency(), Latency()
    await asyncio.sleep_ms({play_ms})
    for each in slow:
        print("slow", *each)
    print("figures", sum(play.counts), play.quantile(999), play.worst,
          sum(resting.counts), resting.worst, gc.mem_free())
async def all_of_it():
    asyncio.create_task(minute())
    await app.run(asyncio.sleep_ms)
asyncio.run(all_of_it())
"""


def started(touched: bool, why: bool) -> FieldTable:
    """The table at the moment its program was started by hand."""
    memory, settings = table_memory("open")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    pico.boot()
    table = FieldTable(pico, log=lambda text: print(text, flush=True))
    table.terminal.touched = touched
    code = GUEST.format(slow=PER_MILLE_MS // 2, play_ms=PLAY_MS, why=why)
    pico.type(b"\x01" + code.encode() + b"\x04")
    return table


def lines(table: FieldTable, word: str) -> list[list[str]]:
    text = bytes(table.pico.output).decode(errors="replace")
    return [row.split()[1:] for row in text.splitlines() if row.startswith(word + " ")]


def play_round(table: FieldTable, spins: bool) -> None:
    """One round from the bets to the collected cards."""
    table.bets(spins)
    table.to_settlement(spins)
    table.say("ok", "Settle seat 3")
    if spins:
        table.say("ok", "Seat 1 spins")
        table.say("spin", "turning")
        table.until(lambda: "turning" not in table.prompt, 2 * motion.DURATION)
    table.say("ok", "Collect")
    table.say("ok")


def between(table: FieldTable) -> None:
    """Chips off the felt, the deck through the shuffler, a rest."""
    for seat in (1, 3):
        table.cover(seat, "ante", "xtra", "play", chips=False)
    table.shoe.end_shuffle(shuffled(A_SPIN))
    while "Place your bets" not in table.prompt:
        before = table.prompt
        table.pico.run_for(BETWEEN_MS)
        if table.prompt == before:
            table.say("ok")
    table.pico.run_for(BETWEEN_MS)


def measure(touched: bool, why: bool) -> dict[str, Any]:
    """Play until the minute is over."""
    table = started(touched, why)
    table.start()
    table.pico.fram.true_timing = True
    table.pico.flash.erase_ms, table.pico.flash.program_ms = ERASE_MS, PROGRAM_MS
    rounds = 0
    while not lines(table, "figures"):
        play_round(table, spins=not rounds)
        rounds += 1
        between(table)
    found = dict(zip(FIGURES, map(int, lines(table, "figures")[0])))
    return {**found, "rounds": rounds, "slow": lines(table, "slow")}


def missed(got: dict[str, Any]) -> list[str]:
    bars = {
        f"99.9 % of the loop within {PER_MILLE_MS} ms": got["late_ms"] <= PER_MILLE_MS,
        f"the loop never later than {WORST_MS} ms": got["worst_ms"] <= WORST_MS,
    }
    return [bar for bar, met in bars.items() if not met]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--touched", action="store_true", help="with a touch terminal's parts")
    parser.add_argument("--why", action="store_true", help="which task was longest in a late lap")
    args = parser.parse_args()
    got = measure(args.touched, args.why)
    for late, *why in got["slow"]:
        print("    " + " ".join([f"{late} ms late", *why]))
    print({key: value for key, value in got.items() if key != "slow"})
    BUILD.mkdir(exist_ok=True)
    (BUILD / "perf_play.json").write_text(json.dumps(got, indent=1) + "\n")
    below = missed(got)
    print("\n".join(f"missed: {bar}" for bar in below) or "every bar is met")
    return int(bool(below))


if __name__ == "__main__":
    sys.exit(stopped.run(main))
