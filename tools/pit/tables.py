"""Virtual tables for the pit: the firmware's table, memory, archive and network task on CPython.

A scripted dealer plays legal rounds at a pace; the wire is the firmware's W5500 driver over the
virtual board's model of the chip, or a plain socket where hundreds of tables run.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import json
import socket
import time
from pathlib import Path
from typing import Any, Callable

from felt.net.outbox import Outbox
from felt.net.records import Mac
from felt.net.uplink import Uplink
from felt.net.w5500 import W5500
from felt.round import events
from felt.round.state import Refused
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.kept import Kept
from felt.store.vault import Vault
from felt.table import Table

from tools.paths import BOARDS
from tools.prove.player import TABLES, Player

from .sockets import PcSocket

BUILD = hashlib.sha256(b"virtual tables").digest()
STEPS = 4  # polls of the network task in one lap: a board comes round more often than we do
NETWORK = bytes((10, 0, 0, 2)), bytes((255, 255, 255, 0)), bytes((10, 0, 0, 1))


@functools.cache
def _model() -> Any:
    """The virtual board's own module, which lies among a board's files and in no package."""
    spec = importlib.util.spec_from_file_location("vw5500", BOARDS / "VIRTUAL" / "vw5500.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def chip() -> tuple[W5500, Any]:
    """A driver over a new model of the chip, and the model."""
    model = _model().Chip()
    return W5500(model, model.select, bytes(6), *NETWORK), model


class Dealer(Player):
    """Plays what the table waits for; the lock is the table's own, with its identities."""

    def __init__(self, table: Table, seed: int) -> None:
        self.table = table
        super().__init__(table.machine, table.submit, seed)

    def tried(self, event: bytes) -> bool:
        if event[0] != events.CODES["LOCK"]:
            return super().tried(event)
        try:
            self.table.lock()
        except Refused:
            return False
        return True


class VirtualTable:
    """A table that can be switched off and on; `memory` and `folder` outlive that."""

    def __init__(
        self,
        name: str,
        settings: dict[str, Any],
        key: bytes,
        folder: Path,
        broker: tuple[str, int],
        seed: int = 1,
        wire: Callable[[], Any] = PcSocket,
        build: bytes = BUILD,
        owner: bytes | None = None,
        login: tuple[str, str] | None = None,
    ) -> None:
        self.name, self.key, self.seed, self.build = name, key, seed, build
        self.owner, self.login = owner, login
        self.document = json.dumps(settings).encode()
        self.settings = settings
        self.folder = folder
        self.broker = socket.inet_aton(socket.gethostbyname(broker[0])), broker[1]
        self.wire = wire
        self.memory = RamMemory()
        self.starts = 0
        self.lives = False
        folder.mkdir(parents=True, exist_ok=True)
        self.on()

    def on(self) -> None:
        """Power on."""
        digest = hashlib.sha256(self.document).digest()
        identity = self.build[:8] + digest[:8] + bytes(8)
        self.table = Table(self.settings, Vault(self.memory, owner=self.owner), None, identity)
        if not self.starts:
            self.table.machine.keys = 3
            self.table.vault.clear(self.table.machine.dump(), 0)
        self.starts += 1
        self.table.archive = Archive(str(self.folder / "rounds"))
        self.table.kept = Kept(str(self.folder / "settings"))
        self.table.document = self.document
        began = time.monotonic()
        self.table.seconds = lambda: int(time.monotonic() - began)
        self.table.start(1)
        if self.table.fault:
            raise RuntimeError(f"{self.name}: {self.table.fault} {self.table.detail}")
        self.dealer = Dealer(self.table, self.seed + self.starts)
        self.sock = self.wire()
        board = hashlib.sha256(self.name.encode()).digest()[:8]
        box = Outbox(self.table, Mac(self.key, self.name), self.build, board)
        self.uplink = Uplink(self.sock, box, self.name, self.broker, self.login)
        self.lives = True

    def off(self) -> None:
        """The plug: whatever was under way is gone, memory and flash stay."""
        self.sock.close()
        self.lives = False

    def play(self) -> None:
        """One turn of the dealer; rounds go to flash when nothing is on the felt."""
        table = self.table
        if table.machine is not self.dealer.m:  # it was folded anew after an error
            self.dealer.m = table.machine
        self.dealer.turn()
        if table.unstored:
            table.store_rounds()

    def round(self) -> None:
        """A whole round."""
        number = self.table.machine.round_no
        while self.table.machine.round_no == number:
            if self.table.fault:
                raise RuntimeError(f"{self.name}: {self.table.fault} {self.table.detail}")
            self.play()
        self.table.store_rounds()

    def poll(self, now: int) -> None:
        for _ in range(STEPS):
            self.uplink.poll(now)
        self.uplink.box.write_down()

    @property
    def delivered(self) -> bool:
        """True when the collector has confirmed everything that is finished.

        Not before the outbox has looked at the newest segment: it may end a round."""
        box, newest = self.uplink.box, self.table.vault.newest
        if newest is None or box._seen != newest.serial or box.looks():
            return False
        return box.stored is not None and box.stored >= box.limit > 0


@functools.cache
def _in_turn() -> list[dict[str, Any]]:
    """A table of every game first, then the other ways to set one up."""
    first = {table["game"]: table for table in reversed(TABLES)}
    firsts = [table for table in TABLES if first[table["game"]] is table]
    return firsts + [table for table in TABLES if first[table["game"]] is not table]


def settings_of(index: int) -> dict[str, Any]:
    """Settings of the n-th virtual table: every game in turn."""
    every = _in_turn()
    settings = dict(every[index % len(every)])
    settings["table_name"] = f"Table {index + 1}"
    return settings


def ticks() -> int:
    return int(time.monotonic() * 1000) & 0x3FFFFFFF
