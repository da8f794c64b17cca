"""Rounds through brokers and collectors that are killed, networks that are cut, tables that lose
power: none may be lost, doubled or out of order.

`make pit-delivery ARGS="--rounds 100000"` ends with what was found and exits non-zero when a round
is not in the database exactly once and in its place. Critical memory, archive, outbox and client
are the firmware's; the rounds themselves are short, for only their way is proven here.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from felt.net.outbox import Outbox
from felt.net.records import Mac
from felt.net.uplink import Uplink
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.vault import Vault

from tools import stopped
from tools.counts import count
from tools.paths import ROOT
from tools.pit import wire
from tools.pit.broker import free_port
from tools.pit.collector import Keys
from tools.pit.sockets import PcSocket
from tools.pit.store import Store

TABLES = 10
BACKLOG = 400  # rounds a table plays before it waits to be heard
ARCHIVED = 20  # rounds from one writing of the archive to the next
BURST = 20  # polls of a table's network task in one lap
CUT_S = (0.2, 2.0)
QUIET_S = 180  # without any progress for so long, something is wrong


class Machine:
    phase, round_no, between, early = 1, 0, True, b""


class ShortTable:
    """What the outbox needs of a table, with rounds of three events."""

    fault, detail, document, kept = None, "", b"", None

    def __init__(self, name: str, folder: Path, broker: tuple[str, int]) -> None:
        self.name, self.key = name, random.Random(name).randbytes(32)
        self.memory, self.folder = RamMemory(), folder
        self.broker = socket.inet_aton(broker[0]), broker[1]
        self.identity, self.starts = bytes(24), 0
        self.machine = Machine()
        self.played = 0
        self.cut_until = 0.0
        Vault(self.memory).clear(b"state", 0)
        self.on()

    def on(self) -> None:
        self.starts += 1
        self.vault = Vault(self.memory)
        self.vault.open()
        for _ in self.vault.replay():
            pass
        self.archive = Archive(str(self.folder))
        self.sock = PcSocket()
        box = Outbox(self, Mac(self.key, self.name), bytes(32), self.name.encode()[:8].ljust(8))
        self.uplink = Uplink(self.sock, box, self.name, self.broker)

    def stamp(self) -> tuple[int, int, int]:
        return self.starts, 0, 0

    def set_clock(self, real: int) -> None:
        pass

    def play(self) -> None:
        self.played += 1
        for part in range(3):
            self.vault.append(b"%d %d" % (self.played, part))
        self.vault.checkpoint(b"state", 1)
        if self.played % ARCHIVED == 0:  # critical memory holds more than that
            self.archive.add(self.vault)

    def poll(self, now: float) -> None:
        if now < self.cut_until:
            self.sock.close()
        ticks = int(now * 1000) & 0x3FFFFFFF
        for _ in range(BURST):
            self.uplink.poll(ticks)


class Servers:
    """A broker and a collector, each a process that can be killed."""

    def __init__(self, folder: Path, url: str) -> None:
        found = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        if not os.access(found, os.X_OK):
            raise SystemExit("mosquitto is needed for this: apt-get install mosquitto")
        self.port = free_port()
        config = folder / "mosquitto.conf"
        config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\n")
        self._broker = [found, "-c", str(config)]
        self._collector = [sys.executable, "-m", "tools.field", "pit", "--no-page",
                           "--broker", f"127.0.0.1:{self.port}", "--database", url,
                           "--keys", str(folder / "keys.json")]  # fmt: skip
        self.running: dict[str, Any] = {}

    def start(self, which: str) -> None:
        command = self._broker if which == "broker" else self._collector
        quiet = subprocess.DEVNULL
        self.running[which] = subprocess.Popen(command, cwd=ROOT, stdout=quiet, stderr=quiet)

    def kill(self, which: str) -> None:
        self.running[which].send_signal(signal.SIGKILL)
        self.running[which].wait()
        self.start(which)

    def stop(self) -> None:
        for process in self.running.values():
            process.kill()
            process.wait()


def plan(rounds: int, kills: dict[str, int], chance: random.Random) -> list[tuple[int, str]]:
    """When (in rounds played) what goes wrong, spread over the whole."""
    every = [(chance.randrange(rounds), what) for what, n in kills.items() for _ in range(n)]
    return sorted(every, reverse=True)


def run(rounds: int, kills: dict[str, int], url: str, folder: Path, seed: int, say: Any) -> int:
    """Deliver so many rounds; returns how many are not where they belong."""
    chance = random.Random(seed)
    servers = Servers(folder, url)
    address = "127.0.0.1", servers.port
    tables = [ShortTable(f"t{i}", folder / f"t{i}", address) for i in range(TABLES)]
    for table in tables:
        Keys.add(folder / "keys.json", table.name, table.key)
    ahead = plan(rounds, kills, chance)
    servers.start("broker")
    servers.start("collector")
    try:
        _deliver(tables, rounds, ahead, servers, chance, say)
    finally:
        servers.stop()
    return judge(Store(url), tables, say)


def _deliver(tables: list[ShortTable], rounds: int, ahead: list[tuple[int, str]],
             servers: Servers, chance: random.Random, say: Any) -> None:  # fmt: skip
    each = rounds // len(tables)
    moved, last, told = time.monotonic(), -1, 0
    while True:
        now = time.monotonic()
        for table in tables:
            box = table.uplink.box
            if table.played < each and table.played - (box.stored or 0) < BACKLOG:
                table.play()
            table.poll(now)
        played = sum(table.played for table in tables)
        while ahead and ahead[-1][0] <= played:
            _harm(ahead.pop()[1], tables, servers, chance, now)
        stored = sum(table.uplink.box.stored or 0 for table in tables)
        if stored != last:
            moved, last = now, stored
        if stored >= rounds // 10 * (told + 1):
            told += 1
            say(f"{stored} rounds confirmed")
        if played >= rounds and all((t.uplink.box.stored or 0) >= each for t in tables):
            return
        if now - moved > QUIET_S:
            say("nothing moves any more")
            return


def _harm(what: str, tables: list[ShortTable], servers: Servers, chance: random.Random,
          now: float) -> None:  # fmt: skip
    if what in ("broker", "collector"):
        servers.kill(what)
        return
    table = chance.choice(tables)
    if what == "cut":
        table.cut_until = now + chance.uniform(*CUT_S)
    else:
        table.sock.close()
        table.on()


def judge(store: Store, tables: list[ShortTable], say: Any) -> int:
    """Every round of every table once and in its place, by number, content and chain."""
    lost = doubled = disordered = 0
    for table in tables:
        rows = store.all("SELECT serial, round, data FROM segments WHERE name = ? ORDER BY serial",
                         table.name)  # fmt: skip
        seen: dict[int, int] = {}
        chain = b""
        for row in rows:
            segment = wire.stored(row["data"])
            segment.check()
            number = int(next(iter(segment.events())).split()[0])
            seen[number] = seen.get(number, 0) + 1
            follows = not chain or segment.before().chain == chain
            disordered += not follows or number != row["serial"]
            chain = segment.seal.chain
        lost += table.played - len(seen)
        doubled += sum(n - 1 for n in seen.values())
    alarms = store.all("SELECT * FROM alarms")
    say(f"{lost} lost, {doubled} doubled, {disordered} out of order, {len(alarms)} alarms")
    for alarm in alarms[:10]:
        say(f"  {alarm}")
    return lost + doubled + disordered + len(alarms)


def say(text: str) -> None:
    print(text, flush=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=count, default=100_000)
    parser.add_argument("--brokers", type=int, default=20, help="times the broker is killed")
    parser.add_argument("--collectors", type=int, default=20)
    parser.add_argument("--cuts", type=int, default=200, help="of the network")
    parser.add_argument("--power", type=int, default=50, help="times a table loses power")
    parser.add_argument("--database", help="another than a new SQLite file")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.rounds < TABLES:
        parser.error(f"--rounds: each of {TABLES} tables plays at least one")
    kills = {"broker": args.brokers, "collector": args.collectors, "cut": args.cuts,
             "power": args.power}  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        url = args.database or f"sqlite:{folder / 'pit.db'}"
        start = time.monotonic()
        wrong = run(args.rounds, kills, url, folder, args.seed, say)
        say(f"{args.rounds} rounds, {kills}, {time.monotonic() - start:.0f} s")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
