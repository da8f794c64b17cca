"""`make pit`: a pit on one PC. Broker, collector, SQLite, page and tables that play by themselves.

Nothing has to be installed and nothing stays but build/pit.
"""

from __future__ import annotations

import argparse
import asyncio
import functools
import hashlib
import secrets
import shutil
import socket
import sys
import time
from pathlib import Path
from typing import IO, Any

from tools.own_folder import claim
from tools.paths import BUILD

from . import broker, page
from .collector import Collector, Keys
from .store import Store
from .tables import BUILD as NEWEST
from .tables import VirtualTable, chip, settings_of, ticks

LAP_S = 0.02
MANY = 8  # from so many tables on, the last one runs a build of its own: what that looks like
OLDER = hashlib.sha256(b"an older build").digest()
OWN = ("keys.json*", "pit.db*", "table-*")  # of an earlier run; nothing else there is removed


def begin(folder: Path) -> IO[str]:
    """The folder for this process while the file is open."""
    return claim(folder, "pit")


def clear(folder: Path) -> None:
    """Remove what an earlier pit left there."""
    for path in (path for pattern in OWN for path in folder.glob(pattern)):
        shutil.rmtree(path) if path.is_dir() else path.unlink()


def make_tables(count: int, folder: Path, address: tuple[str, int]) -> tuple[list, list]:
    """Tables of every game in turn, each with a key of its own, and their W5500s."""
    made, chips = [], []
    for index in range(count):
        name, key = f"table-{index + 1:02}", secrets.token_bytes(32)
        Keys.add(folder / "keys.json", name, key)
        driver, model = chip()
        chips.append(model)
        build = OLDER if count >= MANY and index == count - 1 else NEWEST
        made.append(VirtualTable(name, settings_of(index), key, folder / name, address, index + 1,
                                 wire=functools.partial(_same, driver), build=build))  # fmt: skip
    return made, chips


def _same(driver: Any) -> Any:
    return driver


async def unplug(model: Any, seconds: float) -> None:
    """A cable that is out for the first while: its table plays on and catches up."""
    model.cable = not seconds
    await asyncio.sleep(seconds)
    model.cable = True


async def play(tables: list[VirtualTable], pace: float) -> None:
    """Every table's network task each lap; its dealer does something every `pace` seconds."""
    due = [time.monotonic() + pace * i / len(tables) for i in range(len(tables))]
    while True:
        now = time.monotonic()
        for i, table in enumerate(tables):
            table.poll(ticks())
            if now >= due[i]:
                due[i] += pace
                table.play()
        await asyncio.sleep(LAP_S)


async def run(args: argparse.Namespace) -> None:
    folder: Path = args.state
    url = args.database or f"sqlite:{folder / 'pit.db'}"
    with socket.create_server(("127.0.0.1", args.port)):
        pass  # a pit that cannot start takes nothing away from the last one
    with broker.running(args.broker_port or broker.free_port()) as address:
        clear(folder)
        tables, chips = make_tables(args.tables, folder, address)
        plug = asyncio.create_task(unplug(chips[0], args.unplug))
        collector = Collector(address, lambda: Store(url), Keys.read(folder / "keys.json"))
        collector.start()
        try:
            app = page.make_app(lambda: Store(url), "127.0.0.1", "", collector)
            runner, port = await page.serve(app, "127.0.0.1", args.port)
            print(f"{args.tables} tables, broker on port {address[1]}, database {url}")
            print(f"http://127.0.0.1:{port}/", flush=True)
            try:
                await play(tables, args.pace)
            finally:
                await runner.cleanup()
        finally:
            plug.cancel()
            collector.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=8)
    parser.add_argument("--port", type=int, default=8090, help="of the page; 0 takes a free one")
    parser.add_argument("--broker-port", type=int, default=0)
    parser.add_argument("--pace", type=float, default=0.4, help="seconds between two events")
    parser.add_argument("--unplug", type=float, default=0, help="seconds without a network for"
                        " the first table")  # fmt: skip
    parser.add_argument("--database", help="another database than build/pit/pit.db")
    parser.add_argument("--state", type=Path, default=BUILD / "pit")
    args = parser.parse_args()
    if args.tables < 1:
        parser.error("--tables: a pit has at least one table")
    try:
        with begin(args.state):
            asyncio.run(run(args))
    except (OSError, OverflowError) as error:  # a port in use, or none that can be
        print(f"the pit cannot start: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        pass
    return 0


if __name__ == "__main__":
    sys.exit(main())
