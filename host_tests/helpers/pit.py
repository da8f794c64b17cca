"""A pit for tests: records as a table sends them, and the real servers where there are any."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from felt.net import records
from felt.net.records import Mac

from tools.pit.broker import free_port
from tools.pit.tables import VirtualTable

KEY = bytes(range(32))
SERVER_S = 120


def message(parcel: tuple[bytes, Any], mac: Mac) -> bytes:
    """A whole record of what the outbox gives out."""
    head, body = parcel
    data = bytearray(body.size)
    while not body.ready():
        pass
    body.read(0, memoryview(data))
    return records.closed(mac, head + bytes(data))


def sent(table: VirtualTable, laps: int = 400) -> list[bytes]:
    """What a table would send now, without a network."""
    box = table.uplink.box
    found = [box.next(0) for _ in range(laps)]
    return [message(each, Mac(table.key, table.name)) for each in found if each]


def kind(record: bytes) -> bytes:
    return record[1:2]


def until(what: Any, seconds: float = SERVER_S) -> None:
    """Wait for an event; the time is only the limit after which the test has failed."""
    end = time.monotonic() + seconds
    while not what():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.01)


def answers(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


class Mosquitto:
    """The real broker, to be killed and started again on its port."""

    def __init__(self, folder: Path, settings: str = "allow_anonymous true\n") -> None:
        self.command = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        if not os.access(self.command, os.X_OK):
            pytest.skip("mosquitto is not installed")
        self.port = free_port()
        self.config = folder / "mosquitto.conf"
        self.config.write_text(f"listener {self.port} 127.0.0.1\n{settings}")
        self.address = "127.0.0.1", self.port
        self.start()

    def start(self) -> None:
        quiet = subprocess.DEVNULL
        self.process = subprocess.Popen(
            [self.command, "-c", str(self.config)], stdout=quiet, stderr=quiet
        )
        until(lambda: answers(self.port))

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """A real server with a folder of its own; gives its URL.

    Not below pytest's folder: every pytest that starts closes that one to other users."""
    with tempfile.TemporaryDirectory(prefix="felt-pg-") as name, _server(Path(name)) as url:
        yield url


@contextlib.contextmanager
def _server(folder: Path) -> Iterator[str]:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    if not found:
        pytest.skip("postgresql is not installed")
    programs, data = found[-1].parent, folder / "data"
    user: dict[str, Any] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        import pwd

        try:
            who = pwd.getpwnam("postgres")
        except KeyError:
            pytest.skip("postgresql is installed without its user")
        os.chown(folder, who.pw_uid, who.pw_gid)
        user = {"user": who.pw_uid, "group": who.pw_gid, "extra_groups": []}
    quiet = subprocess.DEVNULL
    subprocess.run(
        [str(programs / "initdb"), "-D", str(data), "-A", "trust", "-U", "felt"],
        check=True, stdout=quiet, cwd=folder, **user,
    )  # fmt: skip
    port = free_port()
    options = ["-k", str(folder), "-p", str(port), "-h", "127.0.0.1"]
    command = [str(programs / "postgres"), "-D", str(data), *options]
    server = subprocess.Popen(command, stdout=quiet, stderr=quiet, cwd=folder, **user)
    try:
        ready = [str(programs / "pg_isready"), "-h", "127.0.0.1", "-p", str(port), "-q"]
        until(lambda: subprocess.run(ready).returncode == 0)
        yield f"postgresql://felt@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait()
