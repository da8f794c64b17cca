"""Many tables, one collector: what share of a core it takes, and whether it keeps up.

`make pit-load ARGS="--tables 500 --database postgresql://..."`. Tables are the firmware's own
table, memory and network task, in this process; broker and collector are processes of their own.
Writes build/pit_load.json.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from felt.net import mqtt
from felt.net.uplink import Uplink

from tools import stopped
from tools.paths import BUILD
from tools.pit.collector import Keys
from tools.pit.sockets import PcSocket
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, settings_of, ticks
from tools.pit.delivery import Servers

LAP_S = 0.02
VISIT_S = 0.5  # from one look at a table's network to the next
IDLE, STEPS = 8, 400  # laps of a visit without anything to do that end it; laps at most
SETTLE_S = 20  # every table connects, says what it is and sends its settings
PACE_S = 1.9  # about 60 rounds an hour
CLOCK = os.sysconf("SC_CLK_TCK")


def cpu_s(pid: int) -> float:
    """Processor time a process has taken so far, by the kernel."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK


class Floor:
    """Tables whose dealers do one thing every `pace` seconds, spread evenly."""

    def __init__(self, count: int, pace: float, folder: Path, address: tuple[str, int]) -> None:
        self.tables = []
        for index in range(count):
            name, key = f"table-{index:03}", os.urandom(32)
            Keys.add(folder / "keys.json", name, key)
            self.tables.append(
                VirtualTable(
                    name, settings_of(index), key, folder / name, address, index, PcSocket
                )
            )
        self.pace = pace
        now = time.monotonic()
        self._due = [now + SETTLE_S + pace * i / count for i in range(count)]
        self._visit = [now + VISIT_S * i / count for i in range(count)]

    def run(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while (now := time.monotonic()) < end:
            for i, table in enumerate(self.tables):
                if now >= self._visit[i]:
                    self._visit[i] = now + VISIT_S
                    visit(table.uplink)
                if now >= self._due[i]:
                    self._due[i] += self.pace
                    table.play()
            time.sleep(max(0.0, now + LAP_S - time.monotonic()))

    def finish(self) -> None:
        """No more play; what is finished is delivered."""
        self._due = [float("inf")] * len(self.tables)
        end = time.monotonic() + SETTLE_S * 3
        while self.behind() and time.monotonic() < end:
            self.run(1)

    def rounds(self) -> int:
        return sum(table.table.machine.round_no for table in self.tables)

    def behind(self) -> int:
        """Segments that are finished and not confirmed."""
        boxes = [table.uplink.box for table in self.tables]
        return sum(box.limit - (box.stored or 0) for box in boxes)


def visit(uplink: Uplink) -> None:
    """So many laps at once as a board makes meanwhile: the records and answers are the same."""
    now = ticks()
    idle = 0
    for _ in range(STEPS):
        uplink.poll(now)
        idle = 0 if uplink.busy else idle + 1
        if idle == IDLE or uplink.client.state != mqtt.UP:
            break
    uplink.box.write_down()


def measure(args: argparse.Namespace, folder: Path) -> dict[str, float]:
    url = args.database or f"sqlite:{folder / 'pit.db'}"
    servers = Servers(folder, url)
    floor = Floor(args.tables, args.pace, folder, ("127.0.0.1", servers.port))
    servers.start("broker")
    servers.start("collector")
    try:
        floor.run(SETTLE_S * 2)
        pid = servers.running["collector"].pid
        start, before, rounds = time.monotonic(), cpu_s(pid), floor.rounds()
        floor.run(args.seconds)
        took = time.monotonic() - start
        share = (cpu_s(pid) - before) / took
        played = floor.rounds() - rounds
        floor.finish()
        stored = Store(url).one("SELECT COUNT(*) AS n FROM rounds")["n"]
        alarms = Store(url).one("SELECT COUNT(*) AS n FROM alarms WHERE kind <> 'hit'")["n"]
    finally:
        servers.stop()
    return {"tables": args.tables, "rounds": played, "seconds": round(took),
            "played_in_all": floor.rounds(), "stored_in_all": stored, "behind": floor.behind(),
            "rounds_an_hour_each": round(played * 3600 / took / args.tables, 1),
            "collector_share_of_a_core": round(share, 3), "alarms": alarms}  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=500)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--pace", type=float, default=PACE_S, help="seconds from event to event")
    parser.add_argument("--database", help="another than a new SQLite file")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        found = measure(args, Path(name))
    for key, value in found.items():
        print(f"{key:28} {value}")
    BUILD.mkdir(exist_ok=True)
    (BUILD / "pit_load.json").write_text(json.dumps(found, indent=1) + "\n")
    whole = found["stored_in_all"] == found["played_in_all"]
    return 0 if found["collector_share_of_a_core"] < 0.5 and whole and not found["alarms"] else 1


if __name__ == "__main__":
    sys.exit(stopped.run(main))
