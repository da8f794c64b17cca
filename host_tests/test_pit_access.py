"""Who may speak to the broker: passwords, access rules, TLS, and keys that provisioning made."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("paho.mqtt.client", reason="requirements-pit.txt is not installed")

from felt.logbook import LOG
from felt.net import start
from felt.net.uplink import LOGIN

from host_tests.helpers.pit import KEY, Mosquitto, until
from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool
from tools.paths import ROOT
from tools.pit import broker as brokers
from tools.pit import command, views
from tools.pit.collector import Collector, Keys
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, chip, settings_of, ticks

RULES = """user pit
topic read felt/+/out
topic read felt/+/line
topic write felt/+/in
pattern write felt/%u/out
pattern write felt/%u/line
pattern read felt/%u/in
"""
USERS = {"pit": "collects", "t1": "one", "t2": "two"}
START_S = 90  # a program that starts on a busy machine
NETWORK = {"table": "t1", "address": "dhcp", "broker": "10.20.0.5", "user": "t1"}


def guarded(folder: Path) -> str:
    """Settings of a broker with users and the rules of docs/pit.md."""
    if not shutil.which("mosquitto_passwd"):
        pytest.skip("mosquitto is not installed")
    (folder / "rules").write_text(RULES)
    passwords = folder / "passwords"
    passwords.write_text("")
    passwords.chmod(0o600)
    for user, password in USERS.items():
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, password], check=True,
                       capture_output=True)  # fmt: skip
    own = f"user {'root' if os.geteuid() == 0 else ''}\n" if os.geteuid() == 0 else ""
    return (f"{own}allow_anonymous false\npassword_file {passwords}\n"
            f"acl_file {folder / 'rules'}\n")  # fmt: skip


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    made = Mosquitto(tmp_path, guarded(tmp_path))
    yield made
    made.kill()


def table_of(folder: Path, broker: Mosquitto, name: str, login: tuple[str, str]) -> VirtualTable:
    return VirtualTable(name, settings_of(0), KEY, folder / name, broker.address,
                        wire=lambda: chip()[0], login=login)  # fmt: skip


def collector_of(folder: Path, broker: Mosquitto, password: str, **more: Any) -> Collector:
    url = f"sqlite:{folder / 'pit.db'}"
    made = Collector(broker.address, lambda: Store(url), {"t1": KEY, "t2": KEY},
                     ("pit", password), **more)  # fmt: skip
    made.start()
    return made


def polled(table: VirtualTable, what: Any) -> Any:
    """A look at `what` after a lap of the table."""

    def look() -> Any:
        table.poll(ticks())
        return what()

    return look


def test_with_its_user_and_password_a_table_delivers(tmp_path: Path, broker: Mosquitto) -> None:
    table = table_of(tmp_path, broker, "t1", ("t1", "one"))
    collector = collector_of(tmp_path, broker, "collects")
    try:
        table.round()
        until(polled(table, lambda: table.delivered))
        assert collector.trouble == ""
    finally:
        collector.stop()


def test_a_wrong_password_is_said_in_the_tables_log(tmp_path: Path, broker: Mosquitto) -> None:
    table = table_of(tmp_path, broker, "t1", ("t1", "two"))
    vault = table.table.vault

    def noted() -> list[tuple]:
        return [entry for entry in vault.entries() if entry[2] == LOG.index("network")]

    until(polled(table, noted))
    _, _, code, a, b, *_ = noted()[0]
    assert (a, b) == (LOGIN, 5)
    words = views.pages.entry_text(views.texts(), code, a, b)
    assert words == "network: the broker refuses user or password"


def test_a_wrong_password_is_said_by_the_collector(tmp_path: Path, broker: Mosquitto) -> None:
    collector = collector_of(tmp_path, broker, "wrong")
    try:
        until(lambda: "refuses" in collector.trouble)
        assert "Not authorized" in collector.trouble
    finally:
        collector.stop()


def test_a_broker_that_is_away_is_said_by_the_collector(tmp_path: Path, broker: Mosquitto) -> None:
    collector = collector_of(tmp_path, broker, "collects")
    try:
        until(lambda: collector.trouble == "")
        broker.kill()
        until(lambda: "lost" in collector.trouble or "reached" in collector.trouble)
        broker.start()
        until(lambda: collector.trouble == "")
    finally:
        collector.stop()


def test_a_table_cannot_speak_for_another(tmp_path: Path, broker: Mosquitto) -> None:
    """By the broker's rules, before any MAC is looked at."""
    thief = table_of(tmp_path, broker, "t2", ("t1", "one"))
    honest = table_of(tmp_path, broker, "t1", ("t1", "one"))
    collector = collector_of(tmp_path, broker, "collects")
    try:
        for table in (thief, honest):
            table.round()
        until(polled(thief, polled(honest, lambda: honest.delivered)))
        store = Store(f"sqlite:{tmp_path / 'pit.db'}")
        heard = store.all("SELECT name FROM tables WHERE seen > 0")
        assert [row["name"] for row in heard] == ["t1"]
    finally:
        collector.stop()


def test_provisioning_makes_the_key_both_sides_know(tmp_path: Path, broker: Mosquitto) -> None:
    doc = json.loads((ROOT / "tools" / "configs" / "headsup.json").read_text())
    config, keys = tmp_path / "new.json", tmp_path / "keys.json"
    config.write_text(json.dumps({**doc, "network": NETWORK}))
    with VirtualPort(tmp_path / "state", start="closed") as port:
        os.environ["FELT_BROKER_PASSWORD"] = "one"
        try:
            done = run_tool("field", "provision", str(config), "--port", port.path, "--by", "Ada",
                            "--reports", str(tmp_path / "reports"), "--illustrative",
                            "--pit-keys", str(keys))  # fmt: skip
        finally:
            del os.environ["FELT_BROKER_PASSWORD"]
        assert done.returncode == 0, done.stdout + done.stderr
        kept = start.secret(str(port.session.state / "flash" / "pit.key"))
    assert kept == (Keys.read(keys)["t1"], "one")
    assert keys.stat().st_mode & 0o777 == 0o600
    assert kept[0].hex() not in done.stdout + done.stderr
    table = VirtualTable("t1", {**settings_of(0)}, kept[0], tmp_path / "t1", broker.address,
                         wire=lambda: chip()[0], login=("t1", kept[1]))  # fmt: skip
    url = f"sqlite:{tmp_path / 'pit.db'}"
    collector = Collector(broker.address, lambda: Store(url), Keys.read(keys), ("pit", "collects"))
    collector.start()
    try:
        table.round()
        until(polled(table, lambda: table.delivered))
    finally:
        collector.stop()


# --- TLS, on the collector's side


def certificate(folder: Path, name: str, signed_by: str = "") -> None:
    """A key and a certificate for 127.0.0.1, its own authority unless another signs it."""
    if not shutil.which("openssl"):
        pytest.skip("openssl is not installed")
    ask = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",
           "-nodes", "-days", "2", "-subj", f"/CN={name}", "-addext",
           "subjectAltName=IP:127.0.0.1", "-keyout", str(folder / f"{name}.key"),
           "-out", str(folder / f"{name}.pem")]  # fmt: skip
    subprocess.run(ask, check=True, capture_output=True)


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker with TLS for the collector and a plain listener for tables."""
    for name in ("broker", "other"):
        certificate(tmp_path, name)
    settings = (f"{guarded(tmp_path)}certfile {tmp_path / 'broker.pem'}\n"
                f"keyfile {tmp_path / 'broker.key'}\n")  # fmt: skip
    made = Mosquitto(tmp_path, settings)
    yield made
    made.kill()


def test_the_collector_over_tls(tmp_path: Path, secured: Mosquitto) -> None:
    good = collector_of(tmp_path, secured, "collects", tls=True, authority=tmp_path / "broker.pem")
    try:
        until(lambda: good.trouble == "")
    finally:
        good.stop()
    other = collector_of(tmp_path, secured, "collects", tls=True, authority=tmp_path / "other.pem")
    try:
        until(lambda: "certificate verify failed" in other.trouble)
    finally:
        other.stop()


def test_felt_pit_says_what_is_wrong_and_when_it_is_well(
    tmp_path: Path, secured: Mosquitto
) -> None:
    Keys.add(tmp_path / "keys.json", "t1", KEY)
    base = [sys.executable, "-m", "tools.field", "pit", "--user", "pit", "--no-page",
            "--broker", f"mqtts://127.0.0.1:{secured.port}", "--ca", str(tmp_path / "broker.pem"),
            "--database", f"sqlite:{tmp_path / 'pit.db'}"]  # fmt: skip
    for password, said in (("wrong", "the broker refuses"), ("collects", "all is well")):
        process = subprocess.Popen([*base, "--keys", str(tmp_path / "keys.json")], cwd=ROOT,
                                   env={**os.environ, "FELT_BROKER_PASSWORD": password},
                                   stdout=subprocess.PIPE, text=True)  # fmt: skip
        assert process.stdout
        limit = threading.Timer(START_S, process.kill)
        limit.start()
        try:
            assert any(said in line for line in process.stdout)
        finally:
            limit.cancel()
            process.kill()
            process.wait()
    gone = subprocess.run([*base, "--keys", str(tmp_path / "none.json")], cwd=ROOT,
                          capture_output=True, text=True)  # fmt: skip
    assert gone.returncode == 2 and "none.json" in gone.stdout


def test_brokers_as_people_write_them() -> None:
    assert command.where("mqtt.pit") == (("mqtt.pit", 1883), False)
    assert command.where("mqtt://mqtt.pit:2883/") == (("mqtt.pit", 2883), False)
    assert command.where("mqtts://mqtt.pit") == (("mqtt.pit", 8883), True)
    with pytest.raises(ValueError, match="a broker is"):
        command.where("http://mqtt.pit")


def test_a_broker_s_port_is_free_and_none_the_system_hands_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A broker that was killed comes back to its port: no connection may have been given it."""
    span = Path("/proc/sys/net/ipv4/ip_local_port_range")
    if span.exists():
        assert max(brokers.PORTS) < int(span.read_text().split()[0])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        monkeypatch.setattr(brokers, "PORTS", (taken.getsockname()[1], brokers.free_port()))
        assert {brokers.free_port() for _ in range(20)} == {brokers.PORTS[1]}
