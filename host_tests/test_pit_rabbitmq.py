"""A second real broker, of another make and one that clusters: RabbitMQ with its MQTT plugin.

It is not installed by .ci/run (it brings Erlang): `apt-get install rabbitmq-server` and this runs.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path
from typing import Iterator

import pytest

pytest.importorskip("paho.mqtt.client", reason="requirements-pit.txt is not installed")

from host_tests.helpers.pit import KEY, answers, until
from tools.pit import audit, views
from tools.pit.broker import free_port
from tools.pit.collector import Collector
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, chip, settings_of, ticks

SERVER = Path("/usr/lib/rabbitmq/bin/rabbitmq-server")
USER = "guest", "guest"  # the one RabbitMQ makes, for this machine only
ROUNDS = 2


class RabbitMq:
    """A node of its own in a folder; it can be stopped and started again."""

    def __init__(self, folder: Path) -> None:
        if not SERVER.exists() or not shutil.which("erl"):
            pytest.skip("rabbitmq-server is not installed")
        self.port, other, node = free_port(), free_port(), free_port()
        self.address = "127.0.0.1", self.port
        config, plugins = folder / "rabbitmq.conf", folder / "plugins"
        config.write_text(f"listeners.tcp.default = 127.0.0.1:{other}\n"
                          f"mqtt.listeners.tcp.default = 127.0.0.1:{self.port}\n"
                          "mqtt.allow_anonymous = false\n")  # fmt: skip
        plugins.write_text("[rabbitmq_mqtt].\n")
        self._folder = folder
        self._env = {**os.environ, "HOME": str(folder), "RABBITMQ_CONFIG_FILE": str(config),
                     "RABBITMQ_ENABLED_PLUGINS_FILE": str(plugins),
                     "RABBITMQ_NODENAME": f"felt{node}@localhost", "RABBITMQ_DIST_PORT": str(node),
                     "RABBITMQ_MNESIA_BASE": str(folder / "mnesia"),
                     "RABBITMQ_LOG_BASE": str(folder / "log")}  # fmt: skip
        self.start()

    def start(self) -> None:
        with open(self._folder / "console.txt", "w") as out:
            self._process = subprocess.Popen([str(SERVER)], env=self._env, stdout=out, stderr=out,
                                             start_new_session=True)  # fmt: skip
        until(lambda: answers(self.port))

    def kill(self) -> None:
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()


@pytest.fixture
def rabbitmq(tmp_path: Path) -> Iterator[RabbitMq]:
    made = RabbitMq(tmp_path)
    yield made
    made.kill()


def test_a_table_delivers_through_rabbitmq(tmp_path: Path, rabbitmq: RabbitMq) -> None:
    """Rounds before and after the broker was killed, and by a collector that came later."""
    url = f"sqlite:{tmp_path / 'pit.db'}"
    table = VirtualTable("pit3-12", settings_of(0), KEY, tmp_path / "t", rabbitmq.address,
                         wire=lambda: chip()[0], login=USER)  # fmt: skip

    def delivered() -> bool:
        for _ in range(20):
            table.poll(ticks())
        return table.delivered

    def collector() -> Collector:
        made = Collector(rabbitmq.address, lambda: Store(url), {"pit3-12": KEY}, USER)
        made.start()
        return made

    collects = collector()
    try:
        for _ in range(ROUNDS):
            table.round()
        until(delivered)
        rabbitmq.kill()
        until(lambda: not delivered() and table.uplink.client.state == 0)
        table.round()
        rabbitmq.start()
        until(delivered)
        collects.stop()
        table.round()
        collects = collector()
        until(delivered)
        assert collects.trouble == ""
    finally:
        collects.stop()
    store = Store(url)
    done = audit.run(store, [])[0]
    assert (done.rounds, done.findings) == (ROUNDS + 2, [])
    assert store.one("SELECT COUNT(*) AS n FROM alarms WHERE kind <> 'hit'")["n"] == 0
    assert views.tables(store)[0]["state"] != "silent"
