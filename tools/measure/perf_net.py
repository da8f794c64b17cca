"""The network task in the running table, on the emulated board with the W5500's model.

A round is played up to its settlement while the network works, is dead or comes and goes: how
long the task's laps take, and how late the loop comes round. Broker and collector are real.

    python -m tools.measure.perf_net [working|dead|flapping ...]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from tools.emulator.boards_on_usb import table_memory
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import Fram, Pico
from tools.paths import BUILD
from tools.pit.collector import Keys
from tools.pit.delivery import Servers
from tools.pit.store import Store
from tools.pit.tables import chip

CASES = ("working", "dead", "flapping")
LAP_US = 2000
PER_MILLE_MS, WORST_MS = 20, 40  # the loop's bars, as without a network
FLAP_MS = 700
SETTLE_MS = 3000  # at the settlement
KEY = bytes(range(32))
NAME = "emulated"

GUEST = """
import asyncio, gc, machine, main, time
from felt.app import Latency
app = main.start()
for _ in range(main.FIRST_STEPS):
    app.poll_view(time.ticks_ms())
class Timed:
    def __init__(self, net):
        self.net, self.box = net, net.box
        self.laps = self.worst = self.over = 0
    def poll(self, now):
        start = time.ticks_us()
        self.net.poll(now)
        took = time.ticks_diff(time.ticks_us(), start)
        self.laps += 1
        self.over += took > {limit}
        self.worst = max(self.worst, took)
app._net = timed = Timed(app._net)
gc.collect()
app.tidy = main.tidy
app.watch(machine.WDT(timeout=8300))
async def look():
    await asyncio.sleep_ms(1000)
    app.latency = Latency()
    while True:
        await asyncio.sleep_ms(500)
        box = timed.box
        print("figures", timed.laps, timed.worst, timed.over, app.latency.quantile(999),
              app.latency.worst, box.stored or 0, box.limit, timed.net.errors)
async def all_of_it():
    asyncio.create_task(look())
    await app.run(asyncio.sleep_ms)
asyncio.run(all_of_it())
"""
FIGURES = ("laps", "worst_us", "over", "late_ms", "worst_ms", "stored", "finished", "errors")


class Floor:
    """One emulated table, its chip's model, a broker and a collector."""

    def __init__(self, case: str, folder: Path) -> None:
        url = f"sqlite:{folder / 'pit.db'}"
        self.store = Store(url)
        self.servers = Servers(folder, url)
        Keys.add(folder / "keys.json", NAME, KEY)
        self.servers.start("broker")
        self.servers.start("collector")
        memory, settings = table_memory("open")
        settings["network"] = {"table": NAME, "address": "10.0.0.9", "subnet": "255.255.255.0",
                               "gateway": "10.0.0.1", "broker": "127.0.0.1",
                               "port": self.servers.port}  # fmt: skip
        self.model = chip()[1]
        self.model.cable = case != "dead"
        files = {"config.json": json.dumps(settings).encode(), "pit.key": KEY.hex().encode()}
        self.pico = Pico(files, fram=Fram(memory), net=self.model)
        self.pico.boot()
        self.table = FieldTable(self.pico)
        if case == "flapping":
            self._alarm = self.pico.mcu.clock.create_alarm(self._flap)
            self._alarm.schedule(FLAP_MS * 1e6)
        self.pico.type(b"\x01" + GUEST.format(limit=LAP_US).encode() + b"\x04")

    def _flap(self) -> None:
        self.model.cable = not self.model.cable
        if self.model.cable:
            self.model.cut()
        self._alarm.schedule(FLAP_MS * 1e6)

    def figures(self) -> dict[str, int]:
        lines = bytes(self.pico.output).decode(errors="replace").splitlines()
        found = [line.split()[1:] for line in lines if line.startswith("figures ")]
        whole = [row for row in found if len(row) == len(FIGURES)]
        return dict(zip(FIGURES, map(int, whole[-1]))) if whole else {}


def measure(case: str, folder: Path) -> dict[str, Any]:
    """Play a round up to its settlement."""
    floor = Floor(case, folder)
    table = floor.table
    try:
        table.start()
        floor.pico.fram.true_timing = True
        table.bets()
        table.to_settlement()
        floor.pico.run_for(SETTLE_MS)
        return floor.figures()
    finally:
        floor.servers.stop()
        floor.store.close()


def missed(got: dict[str, Any]) -> list[str]:
    bars = {
        f"no lap of the network longer than {LAP_US} us": not got["over"],
        f"99.9 % of the loop within {PER_MILLE_MS} ms": got["late_ms"] <= PER_MILLE_MS,
        f"the loop never later than {WORST_MS} ms": got["worst_ms"] <= WORST_MS,
    }
    return [bar for bar, met in bars.items() if not met]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help=", ".join(CASES))
    every: dict[str, Any] = {}
    below = []
    for case in parser.parse_args().case or CASES:
        with tempfile.TemporaryDirectory() as name:
            every[case] = measure(case, Path(name))
        print(f"{case:10} {every[case]}", flush=True)
        below += [f"{case}: {bar}" for bar in missed(every[case])]
    BUILD.mkdir(exist_ok=True)
    (BUILD / "perf_net.json").write_text(json.dumps(every, indent=1) + "\n")
    print("\n".join(below) or "every bar is met")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(main())
