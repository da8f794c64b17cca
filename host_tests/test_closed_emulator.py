"""What must never lead to a prompt: each leaves the table closed, with a fault people can read."""

from __future__ import annotations

import json
import os
import traceback
from functools import partial
from pathlib import Path
from typing import Any, Callable

import pytest
from felt.round.machine import Machine
from felt.store import header
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table

from tools.emulator.boards_on_usb import UNIQUE_ID, table_memory
from tools.emulator.field_table import FieldTable
from tools.emulator.pico import Fram, Pico
from tools.image import fsimage, image
from tools.prove.player import Player

pytestmark = pytest.mark.emulator
RED = (120, 0, 0)
OLD = b"import sys\nprint('old code runs')\nsys.exit()\n"


class Vanishing(Fram):
    """Answers the first reads of a start and then nothing any more."""

    reads = 900

    def _read(self, _ack: bool) -> None:
        self.reads -= 1
        self.present = self.reads > 0
        super()._read(_ack)


class Patient(Fram):
    """Answers the first look of a start when it is told to: what will be found can be chosen."""

    asked: Callable[[], None] | None = None

    def _connect(self, address: int, mode: Any) -> None:
        if self.asked:
            super()._connect(address, mode)
        else:
            self.asked = partial(super()._connect, address, mode)


class Worn(Fram):
    """Answers, and holds nothing that is written any more."""

    def _store(self, value: int) -> None:
        self._pointer = (self._pointer + 1) & (self.SIZE - 1)


def flash_of(
    files: dict[str, bytes] | None, old: bytes = b"", new: bytes = b"", board: str = "RPI_PICO"
) -> bytes:
    """A flash with `old` in the image made `new`; no files is a file system never made."""
    program = image.of_tests(board).flash.read_bytes()
    assert program.count(old) >= 1 and len(old) == len(new)
    held = b"\xff" * fsimage.BLOCK * fsimage.BLOCKS if files is None else fsimage.make(files)
    return program.replace(old, new) + held if old else program + held


def no_prompt(pico: Pico) -> None:
    """Ctrl-C and Enter at whatever there is on USB."""
    pico.type(b"\r\x03\r\x03print(1)\r")
    pico.run_for(60)
    assert b">>>" not in pico.output and b"old code" not in pico.output


def closed(flash: bytes, memory: bytes | Fram, *told: str) -> None:
    """The table comes up closed and tells these words at the terminal and by its lamps."""
    fram = memory if isinstance(memory, Fram) else Fram(memory)
    comes_up_closed(Pico(flash=flash, fram=fram, service=False), *told)


def comes_up_closed(pico: Pico, *told: str) -> None:
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


# --- one table after the other, each with something else wrong in its critical memory


def vault_of(memory: bytes) -> Vault:
    image_of = RamMemory()
    image_of.data[:] = memory
    vault = Vault(image_of, owner=UNIQUE_ID)
    vault.open()
    return vault


def struck(vault: Vault, *places: int) -> bytes:
    """The memory with a bit changed in each of these bytes."""
    for at in places:
        vault.nv.data[at] ^= 0x10
    return bytes(vault.nv.data)


def sealed(vault: Vault) -> int:
    """Where an event of the newest finished round lies."""
    newest = next(iter(vault.segments()))
    return vault.ring.base + (newest.start + 70) % vault.ring.size


def unknown_event(vault: Vault) -> bytes:
    list(vault.replay())
    vault.append(bytes([250]))
    return bytes(vault.nv.data)


def meters_awry(vault: Vault) -> bytes:
    """A checkpoint, sound by its checksum, whose meters do not add up."""
    m = Machine(table_memory("open", GAME)[1])
    m.load(vault.open())
    m.meters.contributions += 7
    list(vault.replay())
    vault.checkpoint(m.dump(), 0)
    return bytes(vault.nv.data)


def clearing(vault: Vault) -> bytes:
    vault._header.wipe()
    return bytes(vault.nv.data)


GAME = "premium"
SPIN = {"game": "premium", "bonus_spin": "flush5_progressive"}
MEMORIES: dict[str, Any] = {
    "memory never set up": lambda vault: bytes(vault.nv.size),
    "memory header damaged": lambda vault: struck(vault, 9, 9 + header.SLOT),
    "memory of another version": lambda vault: struck(vault, 5, 5 + header.SLOT),
    "clearing was interrupted": clearing,
    "no valid checkpoint": lambda vault: struck(vault, *[c.base + 30 for c in vault._copies]),
    "journal damaged": lambda vault: struck(vault, *range(header.SIZE, header.SIZE + 16)),
    "round history altered": lambda vault: struck(vault, sealed(vault)),
    "an entry of a log is damaged": lambda vault: struck(vault, vault._log._area.base + 9),
    "journal does not replay": unknown_event,
    "meters do not add up": meters_awry,
}


@pytest.fixture(scope="module")
def at_its_memory() -> Pico:
    """A table that starts, up to its first look at critical memory."""
    _, files = config(GAME)
    fram = Patient()
    pico = Pico(flash=flash_of(files), fram=fram, service=False)
    pico.run_until(lambda: fram.asked, 3000, 1)
    return pico


def in_a_copy(work: Callable[[], None]) -> None:
    """Do it in a copy of this process: for everybody else nothing has happened."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            work()
        except BaseException:
            os.write(write, traceback.format_exc().encode()[-4000:])
        os._exit(0)
    os.close(write)
    with os.fdopen(read) as pipe:
        failed = pipe.read()
    _, status = os.waitpid(child, 0)
    assert not failed and status == 0, failed or status


@pytest.mark.parametrize("told", MEMORIES)
def test_whatever_is_wrong_in_memory_closes_the_table_by_its_name(
    told: str, at_its_memory: Pico
) -> None:
    fram: Any = at_its_memory.fram

    def go_on() -> None:
        fram.memory[:] = MEMORIES[told](vault_of(config(GAME)[0]))
        fram.asked()
        comes_up_closed(at_its_memory, told)

    in_a_copy(go_on)


def test_memory_older_than_the_archive_closes_the_table(tmp_path: Path) -> None:
    memory, settings = table_memory("open", GAME)
    table = Table(settings, vault_of(memory))
    table.archive = Archive(str(tmp_path))
    table.start(0, 0)
    player = Player(table.machine, table.submit, 1)
    for _ in range(3):
        player.round()
    assert table.store_rounds()
    files = {f"rounds/{path.name}": path.read_bytes() for path in tmp_path.iterdir()}
    files["config.json"] = json.dumps(settings).encode()
    closed(flash_of(files), memory, "memory older than the archive")


def test_memory_of_another_game_closes_the_table() -> None:
    closed(flash_of(config("headsup")[1]), config("premium")[0], "memory is of another table")


def test_no_memory_closes_the_table() -> None:
    absent = Fram()
    absent.present = False
    closed(flash_of(config("headsup")[1]), absent, "no critical memory")


def test_memory_that_holds_nothing_more_closes_the_table() -> None:
    memory, files = config("headsup")
    closed(flash_of(files), Worn(memory), "journal not writable")


def test_memory_that_vanishes_in_the_start_closes_the_table() -> None:
    memory, files = config("headsup")
    closed(flash_of(files), Vanishing(memory), "FAULT")


@pytest.mark.parametrize(
    "document, told",
    [
        (b'{"game": "headsup", 7: 1}', "no valid configuration"),
        (b'{"game": "headsup", "seats": 99}', "settings refused"),
        (json.dumps({**SPIN, "weights": [1 << 31] * 12}).encode(), "a wheel weight is impossible"),
        (json.dumps({**SPIN, "weights": [1] * 11}).encode(), "twelve wheel weights needed"),
        (json.dumps({**SPIN, "weights": [1 << 23] * 12}).encode(), "wheel weights add up"),
        (
            json.dumps({**SPIN, "bonus_spin": "flush9", "weights": [1] * 12}).encode(),
            "wheel weights without pay table",
        ),
        (b"\xff" * 4000, "no valid configuration"),
    ],
)
def test_settings_that_are_none_close_the_table(document: bytes, told: str) -> None:
    closed(flash_of({"config.json": document}), config("headsup")[0], told)


# --- a table that runs, and one that fails while it runs


def test_a_running_table_of_the_other_rp2040_knows_itself_and_offers_no_prompt() -> None:
    board = "W5500_EVB_PICO"
    memory, files = config("headsup")
    pico = Pico(flash=flash_of(files, board=board), fram=Fram(memory), service=False, board=board)
    table = FieldTable(pico)
    table.until(lambda: "Place your bets" in "".join(table.terminal.rows), 15_000)
    table.say("selftest")
    rows = "\n".join(table.terminal.rows)
    assert image.of_tests(board).identity[:12] in rows and "FAIL" not in rows, rows
    no_prompt(pico)
    assert pico.resets == 0


def test_memory_that_fails_while_the_table_plays_closes_it_without_a_prompt() -> None:
    memory, files = config("headsup")
    pico = Pico(flash=flash_of(files), fram=Fram(memory), service=False)
    table = FieldTable(pico)
    table.until(lambda: "Place your bets" in "".join(table.terminal.rows), 15_000)
    pico.fram.present = False
    table.terminal.command("bet 1 ante 5 odds 5")
    table.until(lambda: "FAULT: journal not writable" in "".join(table.terminal.rows), 5_000)
    no_prompt(pico)
