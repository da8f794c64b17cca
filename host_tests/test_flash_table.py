"""From a release's .uf2 to an updated, self-tested table: the whole program, emulated."""

from __future__ import annotations

import json
from pathlib import Path

import build
import pytest
import release
import uf2file
from boards_on_usb import run_tool, table_memory
from emulator import FLASH_SIZE, Fram, Pico
from serial_port import SerialPort

pytestmark = pytest.mark.emulator


def test_release_boots_is_updated_and_tests_itself(tmp_path: Path) -> None:
    memory, settings = table_memory("closed", "headsup")
    old = release.make(["RPI_PICO"], json.dumps(settings).encode())
    identity = json.loads(old["manifest.json"])["builds"]["RPI_PICO"]
    new = build.bundle("RPI_PICO")
    new["lang/en.txt"] += b"page.extra Extra\n"
    del new[build.MANIFEST]
    new[build.MANIFEST] = build.manifest(new)
    build.write({"felt-RPI_PICO.zip": release.zip_of(new)}, tmp_path)

    Pico({})  # skips where there is no official image
    flash = uf2file.flat(old["felt-RPI_PICO.uf2"]).ljust(FLASH_SIZE, b"\xff")
    pico = Pico(flash=flash, fram=Fram(memory))
    pico.drive("KEY_SERVICE", 0)
    pico.run_until(lambda: b"felt service console" in pico.output, 30_000, 5)
    assert identity[:12].encode() in pico.output
    with SerialPort(pico) as port:
        done = run_tool("flash.py", "--port", port.path, "--release", str(tmp_path), "--reports",
                        str(tmp_path / "reports"), seconds=900)  # fmt: skip
    print(done.stdout, done.stderr)
    assert done.returncode == 0
    assert f"identity {build.digest(new)}" in done.stdout
    assert f"console says {build.digest(new)[:12]}" in done.stdout
    assert "self test: fram" in done.stdout and "2 files" in done.stdout
    (report,) = (tmp_path / "reports").glob("flash-*.json")
    assert json.loads(report.read_text())["outcome"] == "PASS"
