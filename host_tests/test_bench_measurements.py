"""`make bench-test`: the hardware engineers' suite measures the emulated board and reports."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tools.emulator.pico import Pico
from tools.emulator.serial_port import SerialPort
from tools.paths import ROOT

SUITE = ROOT / "tools" / "benchtest"


def bench(*words: str) -> subprocess.CompletedProcess:
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-c",
        str(SUITE / "pytest.ini"),
    ]
    return subprocess.run([*command, str(SUITE), *words], cwd=ROOT, capture_output=True,
                          text=True, timeout=300)  # fmt: skip


@pytest.mark.emulator
def test_measurements_are_judged_and_kept(tmp_path: Path) -> None:
    Pico({})  # skips where there is no image
    done = bench("--virtual", "--reports", str(tmp_path), "-k", "scan or one_event or lost")
    assert done.returncode == 0, done.stdout + done.stderr
    (report,) = tmp_path.glob("bench-*.json")
    found = json.loads(report.read_text())
    assert found["outcome"] == "PASS"
    names = {row["name"] for row in found["rows"]}
    assert names == {
        "sensor scan",
        "FRAM write, 16 bytes",
        "link errors per 256 bytes",
        "link speed",
    }
    assert found["wiring, serial links"].startswith("unplug the card shoe")
    page = report.with_suffix(".html").read_text()
    assert page.count("<svg") == 4 and "http" not in page


@pytest.mark.emulator
def test_a_board_at_a_port_is_measured_alike(tmp_path: Path) -> None:
    pico = Pico()
    with SerialPort(pico) as port:
        done = bench("--port", port.path, "--reports", str(tmp_path), "-k", "scan")
    assert done.returncode == 0, done.stdout + done.stderr
    (report,) = tmp_path.glob("bench-*.json")
    found = json.loads(report.read_text())
    assert found["board"].startswith("RPI_PICO ") and port.path in found["board"]
    assert [row["name"] for row in found["rows"]] == ["sensor scan"]


def test_no_board_is_one_sentence() -> None:
    done = bench("--port", "/dev/ttyACM99", "-k", "scan")
    assert done.returncode == 10 and "No board found" in done.stdout + done.stderr
