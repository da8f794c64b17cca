"""The shipped image on the emulated board talks to a real broker through its W5500's model."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("paho.mqtt.client", reason="requirements-pit.txt is not installed")

from host_tests.helpers import dhcp_server
from host_tests.helpers.pit import KEY, Mosquitto, until
from tools.emulator.parts import Fram
from tools.emulator.pico import Pico
from tools.pit import audit
from tools.pit.collector import Collector
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, chip

pytestmark = pytest.mark.emulator

BOARD = b"\xff" * 8  # what the emulated chip calls itself
ROUNDS = 2
LAP_US = 2000
START = (
    """
import time
from felt import hardware
hw, table, texts, name = hardware.build()
print(table.fault, hw.net is not None)
import gc
long = []
def laps(n):
    gc.collect()  # the table does that while nothing is under way
    gc.disable()
    for _ in range(n):
        start = time.ticks_us()
        hw.net.poll(time.ticks_ms())
        took = time.ticks_diff(time.ticks_us(), start)
        if took > %d:
            long.append(took)
        hw.net.box.write_down()  # the application calls that apart
        time.sleep_ms(2)
    gc.enable()
"""
    % LAP_US
)


def test_the_emulated_board_delivers_its_rounds(tmp_path: Path) -> None:
    mosquitto = Mosquitto(tmp_path)
    lends = dhcp_server.Server()
    network = {"table": "emulated", "address": "dhcp", "broker": "127.0.0.1",
               "port": mosquitto.port}  # fmt: skip
    settings = {"game": "headsup", "sensors": False, "network": network}
    past = VirtualTable("emulated", settings, KEY, tmp_path / "t", ("127.0.0.1", 1), owner=BOARD)
    for _ in range(ROUNDS):
        past.round()
    wanted = past.uplink.box
    for _ in range(20):
        wanted._look()
    url = f"sqlite:{tmp_path / 'pit.db'}"
    collector = Collector(mosquitto.address, lambda: Store(url), {"emulated": KEY})
    collector.start()
    try:
        files = {"config.json": past.document, "pit.key": KEY.hex().encode()}
        fram = Fram(past.memory.data)
        model = chip()[1]
        model.datagrams.server = lends.port
        pico = Pico(files, fram=fram, net=model, board="W5500_EVB_PICO")
        assert pico.run(START) == "None True\n"
        fram.true_timing = True
        for _ in range(20):
            pico.run("laps(60)")
            lends.serve()
            until(lambda: collector._inbox.empty())
            if _stored(url) == wanted.limit:
                break
        long = [int(took) for took in pico.run("print(*long)").split()]
        error = pico.run("print(hw.net.errors, hw.net.error, hw.net.client.why)")
    finally:
        collector.stop()
        mosquitto.kill()
    assert _stored(url) == wanted.limit, error
    done = audit.run(Store(url), [])[0]
    assert (done.rounds, done.findings) == (ROUNDS, [])
    assert bytes(model.common[0x0F:0x13]) == lends.address
    assert long == []


def _stored(url: str) -> int:
    return Store(url).one("SELECT MAX(serial) AS n FROM segments")["n"] or 0
