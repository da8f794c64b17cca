"""What must never lead to a prompt: each leaves the table closed, with a fault people can read."""

from __future__ import annotations

import json

import pytest
from felt.store.area import RamMemory
from felt.store.vault import Vault

from tools.emulator.boards_on_usb import table_memory
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import Fram, Pico
from tools.image import fsimage, image

pytestmark = pytest.mark.emulator
RED = (120, 0, 0)
OLD = b"import sys\nprint('old code runs')\nsys.exit()\n"


def flash_of(files: dict[str, bytes] | None, old: bytes = b"", new: bytes = b"") -> bytes:
    """A flash with `old` in the image made `new`; no files is a file system never made."""
    program = image.of_tests().flash.read_bytes()
    assert program.count(old) >= 1 and len(old) == len(new)
    held = b"\xff" * fsimage.BLOCK * fsimage.BLOCKS if files is None else fsimage.make(files)
    return program.replace(old, new) + held if old else program + held


def no_prompt(pico: Pico) -> None:
    """Ctrl-C and Enter at whatever there is on USB."""
    pico.type(b"\r\x03\r\x03print(1)\r")
    pico.run_for(60)
    assert b">>>" not in pico.output and b"old code" not in pico.output


def closed(flash: bytes, memory: bytes, *told: str) -> None:
    """The table comes up closed and tells these words at the terminal and by its lamps."""
    pico = Pico(flash=flash, fram=Fram(memory), service=False)
    table = FieldTable(pico)
    table.until(lambda: "FAULT" in "".join(table.terminal.rows), 15_000)
    rows = "\n".join(table.terminal.rows)
    assert all(word in rows for word in told), rows
    assert pico.lamps.pixels and pico.lamps.pixels[0] in (RED, (0, 0, 40))
    assert pico.resets == 0
    no_prompt(pico)


def config(game: str) -> tuple[bytes, dict[str, bytes]]:
    memory, settings = table_memory("open", game)
    return memory, {"config.json": json.dumps(settings).encode()}


def test_a_flipped_bit_closes_the_table() -> None:
    memory, files = config("headsup")
    text = b"fault.vault_blank FAULT"
    closed(flash_of(files, text, text[:-1] + b"U"), memory, "self test failed")


def test_a_file_system_full_of_old_code_closes_the_table() -> None:
    memory, files = config("headsup")
    for name in ("boot.py", "main.py", "felt/app.py", "machine.py", "board.py"):
        files[name] = OLD
    closed(flash_of(files), memory, "self test failed")


def test_no_file_system_closes_the_table_and_is_not_made() -> None:
    memory, _ = config("headsup")
    closed(flash_of(None), memory, "no file system")


def test_no_configuration_closes_the_table() -> None:
    memory, _ = config("headsup")
    closed(flash_of({}), memory, "no valid configuration")


def test_a_start_that_fails_is_shown_and_tried_again() -> None:
    """A module of the program is gone: nothing is left but lamps, display and the watchdog."""
    memory, files = config("headsup")
    flash = flash_of(files, b"felt/app.py", b"felt/apq.py")
    pico = Pico(flash=flash, fram=Fram(memory), service=False)
    painted: list[int] = []
    pico.on_display = lambda byte, is_data: painted.append(byte)
    pico.run_until(lambda: pico.lamps.pixels and len(painted) > 240 * 240, 5000, 10)
    assert pico.lamps.pixels[0] == RED
    no_prompt(pico)
    pico.run_until(lambda: pico.resets, 9000, 50)
    no_prompt(pico)


def test_memory_of_another_board_closes_the_table() -> None:
    memory, files = config("headsup")
    image_of = RamMemory()
    image_of.data[:] = memory
    Vault(image_of, owner=b"another1").adopt()
    closed(flash_of(files), bytes(image_of.data), "memory of another board")


def test_settings_changed_under_an_open_round_close_the_table() -> None:
    memory, settings = table_memory("midround", "headsup")
    changed = json.dumps({**settings, "chip_unit": 500}).encode()
    closed(flash_of({"config.json": changed}), memory, "settings changed under wagers")
