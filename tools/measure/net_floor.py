"""An emulated table with a clock on every task, its W5500's model, and a network of some kind.

The table runs as `main.table` runs it, started through the prompt so that its calls can be timed;
broker and collector are real programs, or somebody who means harm.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from felt.round.due import due

from tools import games
from tools.emulator.boards_on_usb import UNIQUE_ID
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import Fram, Pico
from tools.measure.hostile import Hostile
from tools.pit.collector import Keys
from tools.pit.delivery import Servers
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, chip

# what the network does: ms it lets everything through, ms it does not, the connection dies then
STANDS = {"slow": (5, 400, False), "flapping": (700, 700, True)}
KEY = bytes(range(32))
NAME = "emulated"
LAP_US = 2000
ROUNDS = 70  # played before: critical memory holds some fifty of them, the archive the others
LATE_MS = 15  # rounds of the loop later than this are told one by one
ASK = b"?"  # typed at the table: print what was measured

GUEST = """
import asyncio, gc, machine, main, select, sys, time
from array import array
from felt.loop import Latency
from felt.net import mqtt
mqtt.KEEP_S = 3600  # this board's seconds last longer than its broker's
app = main.start()
for _ in range(main.FIRST_STEPS):
    app.poll_view(time.ticks_ms())
names = [task[0] for task in app.tasks]
calls, called = array("i", [0] * 64), 0  # since the last look at the loop: task, us
laps, late, lates = {{}}, array("i", [0] * 120), 0  # rounds that came late: ms, longest task, us
class Timed:
    def __init__(self, index, call):
        self.index, self.call = index, call
    def __call__(self, now):
        start = time.ticks_us()
        self.call(now)
        note(self.index, time.ticks_diff(time.ticks_us(), start))
def note(index, took):
    global called
    if called < 32:
        calls[2 * called], calls[2 * called + 1] = index, took
        called += 1
def kind(net):
    client, box = net.client, net.box
    if not client.state:
        return "open"
    if net._heard is not None:
        return "mac"
    if net._said:
        return "take"
    if not (net._turn and client.free()):
        return "send" if client._held else "look"
    if net._record:
        return "piece"
    if not net._there:
        return "there"
    if net._parcel:
        return "begin"
    return "shelf" if box._asked is not None else "entry" if box._wanted else "next"
class Net:
    def __init__(self, net):
        self.net, self.box = net, net.box
    def poll(self, now):
        what = kind(self.net)
        start = time.ticks_us()
        self.net.poll(now)
        took = time.ticks_diff(time.ticks_us(), start)
        seen = laps.get(what)
        if seen is None:
            seen = laps[what] = array("i", (0, 0, 0))
        seen[0] += 1
        seen[1] = max(seen[1], took)
        seen[2] += took > {limit}
lap = app._lap
def looked(ms):
    global called, lates
    excused = app._excused
    lap(ms)
    if ms > {late} and lates < 40 and not excused:
        n = 0
        for i in range(called):
            if calls[2 * i + 1] > calls[2 * n + 1]:
                n = i
        late[3 * lates], late[3 * lates + 1] = ms, calls[2 * n]
        late[3 * lates + 2] = calls[2 * n + 1]
        lates += 1
    called = 0
app._lap = looked
for i, name in enumerate(names):
    setattr(app, "poll_" + name, Timed(i, getattr(app, "poll_" + name)))
if app._net:
    app._net = Net(app._net)
gc.collect()
app.tidy = main.tidy
app.watch(machine.WDT(timeout=8300))
async def look():
    global lates
    await asyncio.sleep_ms(1000)
    app.latency = Latency()
    app.resting_worst = 0
    laps.clear()
    lates = 0
    keys = select.poll()
    keys.register(sys.stdin, select.POLLIN)
    while True:
        await asyncio.sleep_ms(200)
        if keys.poll(0):
            sys.stdin.read(1)
            tell()
def tell():
    print("late_ms", app.latency.quantile(999))
    print("worst_ms", app.latency.worst)
    print("resting_ms", app.resting_worst)
    print("rounds", sum(app.latency.counts))
    for i in range(0, 3 * lates, 3):
        print("late", late[i], names[late[i + 1]], late[i + 2])
    for what in laps:
        print("lap", what, *laps[what])
    if app._net:
        box, net = app._net.box, app._net.net
        print("stored", box.stored or 0)
        print("finished", box.limit)
        print("errors", net.errors)
        print("error", net.error)
    print("told")
async def all_of_it():
    asyncio.create_task(look())
    await app.run(asyncio.sleep_ms)
asyncio.run(all_of_it())
"""


def past(settings: dict[str, Any], folder: Path) -> tuple[bytes, dict[str, bytes]]:
    """Critical memory and files of a table that has played and is open for bets again."""
    table = VirtualTable(NAME, settings, KEY, folder, ("127.0.0.1", 1), owner=UNIQUE_ID)
    for _ in range(ROUNDS):
        table.round()
    while due(table.table.machine).kind != "bet":
        table.play()
    files = {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}
    return bytes(table.memory.data), files


class Floor:
    """One emulated table on the network of `case`; "none" has no network."""

    def __init__(self, case: str, folder: Path) -> None:
        url = f"sqlite:{folder / 'pit.db'}"
        self.store = Store(url)
        self.servers: Any = Hostile() if case == "hostile" else Servers(folder, url)
        Keys.add(folder / "keys.json", NAME, KEY)
        for which in ("broker", "collector"):
            self.servers.start(which)
        settings = games.settings(games.FIRST)
        if case != "none":
            settings["network"] = {"table": NAME, "address": "10.0.0.9",
                                   "subnet": "255.255.255.0", "gateway": "10.0.0.1",
                                   "broker": "127.0.0.1", "port": self.servers.port}  # fmt: skip
        self.model = chip()[1]
        self.model.cable = case != "dead"
        memory, files = past(settings, folder / NAME)
        files |= {"config.json": json.dumps(settings).encode(), "pit.key": KEY.hex().encode()}
        self.pico = Pico(files, fram=Fram(memory), net=self.model)
        self.pico.boot()
        self.table = FieldTable(self.pico)
        if case in STANDS:
            self._stands = STANDS[case]
            self._alarm = self.pico.mcu.clock.create_alarm(self._change)
            self._change()
        self.pico.type(b"\x01" + GUEST.format(limit=LAP_US, late=LATE_MS).encode() + b"\x04")

    def _change(self) -> None:
        self.model.cable = not self.model.cable
        passes, stands, dies = self._stands
        if self.model.cable and dies:
            self.model.cut()
        self._alarm.schedule((passes if self.model.cable else stands) * 1e6)

    def figures(self) -> dict[str, Any]:
        """Ask the table what it measured."""
        said = len(self.pico.output)
        self.pico.type(ASK)
        self.pico.run_until(lambda: b"told\r\n" in self.pico.output[said:], 3000, 20)
        found: dict[str, Any] = {"laps": {}, "late": []}
        for line in bytes(self.pico.output[said:]).decode(errors="replace").splitlines():
            key, _, rest = line.partition(" ")
            if key == "lap":
                kind, count, worst, over = rest.split()
                found["laps"][kind] = int(count), int(worst), int(over)
            elif key == "late":
                found["late"].append(rest)
            elif rest:
                found[key] = int(rest) if rest.isdigit() else rest
        return found

    def end(self) -> None:
        self.servers.stop()
        self.store.close()
