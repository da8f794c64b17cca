"""A whole program on an emulated board: an interrupted flash is completed and tests itself."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.emulator.boards_on_usb import run_tool, table_memory
from tools.emulator.pico import Fram, Pico
from tools.emulator.serial_port import SerialPort
from tools.image import build, release

pytestmark = pytest.mark.emulator


def test_an_interrupted_flash_is_completed_and_the_table_tests_itself(tmp_path: Path) -> None:
    memory, settings = table_memory("closed", "headsup")
    new = build.bundle("RPI_PICO")
    build.write({"felt-RPI_PICO.zip": release.zip_of(new)}, tmp_path)
    held = {**new, "config.json": json.dumps(settings).encode(), "main.py.new": b"import"}
    for name in (build.MANIFEST, "boot.py", "main.py"):  # not reached before the cable was out
        del held[name]
    pico = Pico(held, fram=Fram(memory))
    pico.drive("KEY_SERVICE", 0)
    with SerialPort(pico) as port:
        words = ["--release", str(tmp_path), "--reports", str(tmp_path / "reports")]
        done = run_tool("field.flash", "--port", port.path, *words, seconds=1500)
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert f"identity {build.digest(new)}" in done.stdout
    assert f"console says {build.digest(new)[:12]}" in done.stdout
    assert "self test: fram" in done.stdout and "3 files" in done.stdout
    (report,) = (tmp_path / "reports").glob("flash-*.json")
    assert json.loads(report.read_text())["outcome"] == "PASS"
