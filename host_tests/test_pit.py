"""The pit as a whole: tables over their W5500, real brokers, real databases, a real browser."""

from __future__ import annotations

import asyncio
import shutil
import socket
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Iterator

import pytest

pytest.importorskip("paho.mqtt.client", reason="requirements-pit.txt is not installed")

from host_tests.helpers.bench_table import at_table, script
from host_tests.helpers.browser import CHROMIUM, FLAGS, NEEDED, PATIENCE_MS
from host_tests.helpers.pit import KEY, Mosquitto, postgres, until
from tools.bench.session import SCRIPTS, Session
from tools.bench.supervisor import until as bench_until
from tools.emulator.boards_on_usb import run_tool
from tools.paths import ROOT
from tools.pit import __main__ as pit
from tools.pit import audit, broker, page
from tools.pit.collector import Collector
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, chip, settings_of, ticks
from tools.pit import delivery

EVENING = 60  # rounds


class Floor:
    """Tables that play and talk in a thread of their own until the test ends."""

    def __init__(
        self, folder: Path, address: tuple[str, int], count: int, wire: Any = None
    ) -> None:
        self.keys = {f"t{i}": bytes([i]) * 32 for i in range(count)}
        self.tables = [
            VirtualTable(
                name,
                settings_of(i),
                key,
                folder / name,
                address,
                i + 1,
                wire or (lambda: chip()[0]),
            )  # fmt: skip
            for i, (name, key) in enumerate(self.keys.items())
        ]
        self.rounds = 0
        self.confirmed = -1  # rounds of every table, all of them
        self.trouble: list[BaseException] = []
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                for table in self.tables:
                    if table.table.machine.round_no < self.rounds:
                        table.play()
                    table.poll(ticks())
                self._count(self.rounds)
                self._over.wait(0.001)
        except BaseException as error:
            self.trouble.append(error)

    def _count(self, rounds: int) -> None:
        """In the thread that plays: another may look while a round ends."""
        if all(t.table.machine.round_no >= rounds and t.delivered for t in self.tables):
            self.confirmed = rounds

    def play(self, rounds: int) -> None:
        """So many rounds more at every table, all of them confirmed."""
        self.rounds += rounds
        until(self.delivered)

    def delivered(self) -> bool:
        if self.trouble:
            raise self.trouble[0]
        return self.confirmed >= self.rounds

    def end(self) -> None:
        self._over.set()
        self._thread.join()


def audited(store: Store, rounds: int) -> None:
    every = audit.run(store, [])
    assert [each.findings for each in every if each.findings] == []
    assert sum(each.rounds for each in every) == rounds


@pytest.fixture
def mosquitto(tmp_path: Path) -> Iterator[Mosquitto]:
    made = Mosquitto(tmp_path)
    yield made
    made.kill()


def test_rounds_through_the_chip_a_real_broker_and_every_kill(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    url = f"sqlite:{tmp_path / 'pit.db'}"
    floor = Floor(tmp_path, mosquitto.address, 3)
    collector = Collector(mosquitto.address, lambda: Store(url), floor.keys)
    collector.start()
    try:
        floor.play(2)
        mosquitto.kill()
        floor.rounds += 2
        mosquitto.start()
        floor.play(0)
        collector.stop()
        floor.rounds += 2
        collector = Collector(mosquitto.address, lambda: Store(url), floor.keys)
        collector.start()
        floor.play(0)
    finally:
        floor.end()
        collector.stop()
    audited(Store(url), 18)
    assert Store(url).one("SELECT COUNT(*) AS n FROM alarms WHERE kind <> 'hit'")["n"] == 0


def test_two_collectors_on_postgresql(tmp_path: Path, mosquitto: Mosquitto) -> None:
    with postgres() as url:
        floor = Floor(tmp_path, mosquitto.address, 3)
        both = [Collector(mosquitto.address, lambda: Store(url), floor.keys) for _ in range(2)]
        for each in both:
            each.start()
        try:
            floor.play(4)
            both[0].stop()
            floor.play(2)
        finally:
            floor.end()
            both[1].stop()
        store = Store(url)
        audited(store, 18)
        assert store.one("SELECT COUNT(*) AS n FROM alarms WHERE kind <> 'hit'")["n"] == 0
        assert [each.trouble for each in both] == ["", ""]
        store.close()


def test_a_share_of_the_delivery_proof(tmp_path: Path) -> None:
    if not (shutil.which("mosquitto") or Path("/usr/sbin/mosquitto").exists()):
        pytest.skip("mosquitto is not installed")
    said: list[str] = []
    kills = {"broker": 1, "collector": 1, "cut": 4, "power": 4}
    url = f"sqlite:{tmp_path / 'pit.db'}"
    assert not delivery.run(400, kills, url, tmp_path, 1, said.append), said


def test_a_cut_cable_changes_nothing_at_the_table(tmp_path: Path) -> None:
    """The same evening with a dead network and without one leaves the same bytes in memory."""
    states = []
    for wired in (True, False):
        driver, model = chip()
        model.cable = False
        table = VirtualTable("t", settings_of(0), KEY, tmp_path / str(wired), ("127.0.0.1", 9), 5,
                             wire=lambda: driver)  # fmt: skip
        table.table.seconds = lambda: 0
        now = 0
        while table.table.machine.round_no < 8:
            table.play()
            now += 50
            if wired:
                table.poll(now)
        states.append(bytes(table.memory.data))
    assert states[0] == states[1]


def test_an_evening_without_a_network_is_caught_up(tmp_path: Path, mosquitto: Mosquitto) -> None:
    """More rounds than critical memory holds: they come from the archive, in their order."""
    driver, model = chip()
    model.cable = False
    table = VirtualTable("t", settings_of(1), KEY, tmp_path / "t", mosquitto.address,
                         wire=lambda: driver)  # fmt: skip
    url = f"sqlite:{tmp_path / 'pit.db'}"
    collector = Collector(mosquitto.address, lambda: Store(url), {"t": KEY})
    collector.start()
    try:
        for _ in range(EVENING):
            table.round()
            table.poll(ticks())
        kept = sum(1 for found in table.table.vault.rounds())
        assert kept < EVENING and table.uplink.box.stored is None
        model.cable = True
        model.cut()

        def caught_up() -> bool:
            for _ in range(100):
                table.poll(ticks())
            return table.delivered

        until(caught_up, 60)
    finally:
        collector.stop()
    table.round()
    assert not table.delivered, "a round nobody has looked at yet is not delivered"
    audited(Store(url), EVENING)
    assert Store(url).one("SELECT COUNT(*) AS n FROM alarms WHERE kind <> 'hit'")["n"] == 0


def test_the_virtual_board_delivers_what_its_script_plays(
    tmp_path: Path, mosquitto: Mosquitto
) -> None:
    """MicroPython, the whole firmware, driver and model of the chip: a round to the database."""
    network = {"table": "virtual", "address": "10.0.0.9", "subnet": "255.255.255.0",
               "gateway": "10.0.0.1", "broker": "127.0.0.1", "port": mosquitto.port}  # fmt: skip
    url = f"sqlite:{tmp_path / 'pit.db'}"
    collector = Collector(mosquitto.address, lambda: Store(url), {"virtual": KEY})
    collector.start()
    secret = tmp_path / "bench" / "headsup" / "flash" / "pit.key"
    secret.parent.mkdir(parents=True)
    secret.write_text(KEY.hex())
    text = (SCRIPTS / "headsup.felt").read_text()
    lines = [line for line in text.splitlines() if not line.startswith("table ")]

    async def play(session: Session) -> None:
        await script(session, "\n".join(lines))
        assert await bench_until(lambda: rounds_in(url) > 0), session.world.console

    try:
        at_table(tmp_path / "bench", play, "headsup", changes={"network": network})
    finally:
        collector.stop()
    done = audit.run(Store(url), [])[0]
    assert done.rounds >= 1 and done.findings == []
    assert Store(url).one("SELECT game, fault, phase FROM tables")["fault"] == ""


def rounds_in(url: str) -> int:
    return Store(url).one("SELECT COUNT(*) AS n FROM rounds")["n"]


def page_of(store: Store, host: str = "127.0.0.1", password: str = "") -> Any:
    return page.make_app(lambda: Store(store.url), host, password)


def test_a_page_for_others_needs_a_password(tmp_path: Path) -> None:
    store = Store(f"sqlite:{tmp_path / 'pit.db'}")
    with pytest.raises(page.NoPassword):
        page_of(store, "0.0.0.0")
    page_of(store, "0.0.0.0", "secret")


class Served:
    """The page in a thread with its own loop."""

    def __init__(self, app: Any) -> None:
        import asyncio

        self.loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self._thread.start()
        started = asyncio.run_coroutine_threadsafe(page.serve(app, "127.0.0.1", 0), self.loop)
        self.runner, self.port = started.result(20)

    def end(self) -> None:
        import asyncio

        asyncio.run_coroutine_threadsafe(self.runner.cleanup(), self.loop).result(20)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join()


def answer(port: int, path: str, **headers: str) -> tuple[int, str]:
    import http.client

    link = http.client.HTTPConnection("127.0.0.1", port)
    link.request(headers.pop("method", "GET"), path, headers=headers)
    said = link.getresponse()
    return said.status, said.read().decode()


def test_the_page_only_reads_and_only_for_those_who_may(tmp_path: Path) -> None:
    store = Store(f"sqlite:{tmp_path / 'pit.db'}")
    served = Served(page_of(store, "0.0.0.0", "secret"))
    local = Served(page_of(store))
    try:
        assert answer(served.port, "/api/tables")[0] == 401
        right = "Basic cGl0OnNlY3JldA=="  # pit:secret
        assert answer(served.port, "/api/tables", Authorization=right)[0] == 200
        assert answer(local.port, "/api/tables")[0] == 200
        assert answer(local.port, "/api/tables", method="POST")[0] == 405
        assert answer(local.port, "/api/tables", Host="elsewhere.example")[0] == 403
        assert answer(local.port, "/api/nothing")[0] == 404
        assert answer(local.port, "/api/rounds?table=x&before=y")[0] == 400
    finally:
        served.end()
        local.end()


@pytest.mark.browser
@NEEDED
def test_live_tiles_a_round_in_words_and_its_felt(tmp_path: Path) -> None:
    playwright = pytest.importorskip("playwright.sync_api")
    playwright.expect.set_options(timeout=PATIENCE_MS)
    url = f"sqlite:{tmp_path / 'pit.db'}"
    with broker.running(broker.free_port()) as address:
        floor = Floor(tmp_path, address, 2)
        collector = Collector(address, lambda: Store(url), floor.keys)
        collector.start()
        served = Served(page.make_app(lambda: Store(url), "127.0.0.1", "", collector))
        try:
            floor.play(2)
            with playwright.sync_playwright() as started:
                browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
                seen = browser.new_page()
                seen.set_default_timeout(PATIENCE_MS)
                errors: list[str] = []
                seen.on("pageerror", lambda error: errors.append(str(error)))
                seen.goto(f"http://127.0.0.1:{served.port}/")
                tile = seen.locator("[data-table=t0] .round")
                playwright.expect(tile).to_have_text("2")
                assert seen.locator(".tile").count() == 2
                floor.play(1)
                playwright.expect(tile).to_have_text("3")  # by itself
                seen.locator("[data-table=t1]").click()
                playwright.expect(seen.locator("tr.go")).to_have_count(3)
                seen.locator("tr.go").first.click()
                playwright.expect(seen.locator("ol.words li").first).to_be_visible()
                playwright.expect(seen.locator("svg.felt rect").first).to_be_visible()
                with seen.expect_download() as file:
                    seen.get_by_text("Shift as CSV").click()
                assert len(Path(file.value.path()).read_text().splitlines()) == 7
                assert errors == []
                browser.close()
        finally:
            floor.end()
            served.end()
            collector.stop()


def test_a_second_pit_takes_nothing_from_the_first_and_removes_nothing_of_others(
    tmp_path: Path,
) -> None:
    """It emptied the folder of the one that ran, and any folder it was told."""
    (tmp_path / "table-01").mkdir()
    (tmp_path / "mine.txt").write_text("mine")
    with pit.begin(tmp_path):
        pit.clear(tmp_path)
        assert {path.name for path in tmp_path.iterdir()} == {"lock", "mine.txt"}
        (tmp_path / "pit.db").write_text("rounds")
        with pytest.raises(OSError, match="another pit runs in .*--state"):
            pit.begin(tmp_path)
        assert (tmp_path / "pit.db").read_text() == "rounds"


def test_a_client_that_was_being_let_in_does_not_hide_why_the_pit_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seen once on a busy machine: amqtt cancelled a task before it had begun and waited for it
    ten seconds, and all the person was told was "the pit cannot start: "."""
    from amqtt.mqtt.protocol.broker_handler import BrokerProtocolHandler

    calls: list[int] = []
    stop = BrokerProtocolHandler.stop

    async def never(handler: Any) -> None:
        calls.append(len(calls))
        await (asyncio.Event().wait() if calls == [0] else stop(handler))

    monkeypatch.setattr(BrokerProtocolHandler, "stop", never)
    with pytest.raises(OSError, match="already in use"):
        with broker.running(broker.free_port()) as address:
            collector = Collector(
                address, lambda: Store(f"sqlite:{tmp_path / 'pit.db'}"), {"t": KEY}
            )
            collector.start()
            until(lambda: not collector.trouble)
            raise OSError("already in use")
    assert calls
    with socket.create_server(address):
        pass  # nobody listens there any more
    collector.stop()


LET_IN = """
import gc, socket
from tools.pit import broker
HELLO = b"\\x10\\x0d\\0\\4MQTT\\4\\2\\0\\x3c\\0\\1c\\x82\\x06\\0\\1\\0\\1#\\1"
RESET = (1).to_bytes(4, "little") + bytes(4)  # a socket closed with that is reset
for _ in range(3):
    with broker.running(broker.free_port()) as address:
        clients = [socket.create_connection(address) for _ in range(20)]
        for sent, client in enumerate(clients):
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
            client.sendall(HELLO[:2 * sent])
        for client in clients[::3]:
            client.close()
gc.collect()
"""


def test_a_broker_that_ends_while_clients_are_let_in_prints_nothing() -> None:
    """Tracebacks of amqtt's tasks stood under the sentence that says why a pit does not start."""
    command = [sys.executable, "-c", LET_IN]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_pit_that_cannot_start_says_why_in_a_sentence(tmp_path: Path) -> None:
    """And what the last pit left is there still."""
    (tmp_path / "pit.db").write_text("rounds")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        busy = run_tool("pit", "--tables", "1", "--port", port, "--state", str(tmp_path))
    assert busy.returncode == 1 and busy.stderr.startswith("the pit cannot start: "), busy.stderr
    assert "already in use" in busy.stderr and busy.stderr.count("\n") == 1, busy.stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        busy = run_tool(
            "pit", "--tables", "1", "--port", "0", "--broker-port", port, "--state", str(tmp_path)
        )
    assert busy.returncode == 1 and f"its broker on port {port}: " in busy.stderr
    assert busy.stderr.count("\n") == 1, busy.stderr
    assert (tmp_path / "pit.db").read_text() == "rounds"
    none = run_tool("pit", "--tables", "0", "--state", str(tmp_path))
    assert none.returncode == 2 and "at least one table" in none.stderr
