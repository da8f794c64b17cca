"""Everything at once against a running table: keys and touches, chip reader, clock, full flash.

What test_app_fuzz.py does with lines and shoe, with the other ways in: no exception escapes, no
law of the game is broken, and what was journalled is what the table believes.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from felt.dealer import recall
from felt.link import terminal as keys
from felt.link.reader import SEATS, SPOTS
from felt.service.console import COMMANDS, Service
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.config import MOST
from felt.store.kept import Kept
from felt.store.vault import Vault
from felt.table import Table
from felt.texts import Texts

from host_tests.helpers.desk import LANGUAGE, Desk
from host_tests.test_app_fuzz import ARGUMENTS, Dealer, again
from tools.prove.player import TABLES, Player

STEPS = 1000
JUMPS = (1, 400, 2001, 60_000, 86_400_000, (1 << 29) - 7)  # milliseconds
SHORT = (b"", b"K", b"KN", b"KN\x00", b"KZ\x00\x00", b"K\xff\xff\xff", b"V", b"V\x02", b"L\xff")


class FullFlash(Archive):
    """Flash that fails now and then, when something is written or read."""

    dice = random.Random(1)

    def _append(self, ring: Any, segment: Any) -> None:
        if self.dice.random() < 0.3:
            raise OSError(28)
        super()._append(ring, segment)

    def _names(self) -> list:
        if self.dice.random() < 0.02:
            raise OSError(5)
        return super()._names()


class Attacker(Dealer):
    def act(self) -> None:
        dice, desk = self.dice, self.desk
        chance = dice.random()
        if chance < 0.5:
            super().act()
        elif chance < 0.75:
            value = dice.choice((0, 1, 2, 3, dice.randrange(256)))
            desk.terminal.key(dice.choice(keys.KEYS), value)
        elif chance < 0.8:
            desk.terminal.port.send(dice.choice(SHORT) + dice.randbytes(dice.randrange(3)))
        elif chance < 0.9:
            self.read_chips()
        elif chance < 0.903:
            desk.clock.now += dice.choice(JUMPS)
        elif chance < 0.94:
            desk.wires[2].b.write(dice.randbytes(60))
        else:
            desk.table.unstored = True
            desk.table.store_rounds()
            desk.terminal.command(dice.choice(("recall 2", "recall 40", "security 2", "log 9")))

    def read_chips(self) -> None:
        reader, dice = self.desk.reader, self.dice
        reader.spots = dice.choice((SPOTS, SPOTS, 1, 5))
        where = dice.randint(1, SEATS), dice.randrange(SPOTS)
        reader.cents[where] = dice.choice((None, 0, 500, 500, 1, 1 << 29, (1 << 30) + 5))
        reader.hung = dice.random() < 0.1


@pytest.mark.parametrize("index", range(len(TABLES)))
def test_no_way_in_breaks_a_law(index: int, tmp_path: Path) -> None:
    settings = {**TABLES[index], "reader": True}
    desk = Desk(settings, index, touched=True)
    desk.table.archive = FullFlash(str(tmp_path))
    attacker = Attacker(desk, index + 100)
    desk.open()
    opened = desk.table.vault.seq
    for _ in range(STEPS):
        attacker.act()
        desk.step(attacker.dice.choice((1, 4, 8, 20)))
        assert desk.table.fault is None, desk.table.detail
    found = again(desk)
    found.machine.boots = desk.machine.boots
    assert found.machine.snapshot() == desk.machine.snapshot()
    assert desk.table.vault.seq - opened > 20


def test_the_console_answers_whatever_it_is_asked(tmp_path: Path, monkeypatch: Any) -> None:
    """Each request ends in OK or ERROR, with a round open, with none, and with damaged memory."""
    monkeypatch.chdir(tmp_path)
    dice = random.Random(5)
    words = [*COMMANDS, *ARGUMENTS, "zzzz", "====", "-1", "99999999999999999999", "\xe9", "%s"]
    unsafe = ("format", "hands", "selftest")
    for struck in (False, True):
        desk = Desk({"game": "premium", "sensors": False})
        desk.open()
        if struck:
            desk.memory.data[64:80] = b"\x01" * 16  # both witnesses
            desk = desk.restarted()
            assert desk.table.fault
        hw = type("Hw", (), {})()
        hw.fram, hw.keys, hw.board, hw.unique_id = desk.memory, desk.app.hw.keys, "x", "y"
        said: list[str] = []
        service = Service(hw, desk.table, desk.app.texts, "0" * 64, said.append)
        for _ in range(400):
            line = " ".join(dice.choice(words) for _ in range(dice.randint(1, 4)))
            if line.split()[0] in unsafe:
                continue
            said.clear()
            service.answer(line)
            assert said and said[-1].split()[0] in ("OK", "ERROR"), line


def test_an_upload_that_never_ends_is_refused_and_forgotten() -> None:
    desk = Desk({"game": "premium", "sensors": False})
    said: list[str] = []
    service = Service(None, desk.table, desk.app.texts, "", said.append)
    for _ in range(120):
        service.answer("put " + "QUFB" * 20)
    assert any(text.startswith("ERROR") for text in said) and len(service.upload) <= MOST


def test_whatever_is_done_to_the_archive_the_table_starts_and_tells_its_rounds(
    tmp_path: Path,
) -> None:
    """Files changed, cut, swapped, doubled, renamed, made up: told, or a fault by its name."""
    dice = random.Random(9)
    folder = tmp_path / "rounds"
    table = played(folder)
    memory, files = bytes(table.vault.nv.data), read(folder)
    for _ in range(60):
        for path in folder.iterdir():
            path.unlink()
        for name, data in struck(files, dice).items():
            (folder / name).write_bytes(data)
        started = Table(TABLES[3], Vault(RamMemory()))
        started.vault.nv.data[:] = memory
        started.archive, started.kept = Archive(str(folder)), Kept(str(folder))
        started.start(0, 3)
        assert started.fault in (None, "vault_older"), started.fault
        texts = Texts(LANGUAGE)
        assert all(" ".join(recall.told(started, found, texts)) for found in started.rounds())
        started.archive.verify()
        started.document = b"{}"
        started.unstored = True
        started.store_rounds()
        assert started.fault in (None, "vault_older"), started.fault


def played(folder: Path) -> Table:
    table = Table(TABLES[3], Vault(RamMemory()))
    table.start(0, 3)
    table.clear(0)
    table.archive = Archive(str(folder), 6, 2048)
    player = Player(table.machine, table.submit, 4)
    for _ in range(12):
        player.round()
        table.store_rounds()
    return table


def read(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def struck(files: dict[str, bytes], dice: random.Random) -> dict[str, bytes]:
    out = dict(files)
    for _ in range(dice.randint(1, 4)):
        name = dice.choice(sorted(out))
        data = bytearray(out[name])
        at = dice.randrange(len(data)) if data else 0
        kind = dice.randrange(6)
        if kind == 0 and data:
            data[at] ^= 1 << dice.randrange(8)
        elif kind == 1:
            del data[at:]
        elif kind == 2:
            data[at:at] = dice.randbytes(dice.randrange(1, 90))
        elif kind == 3:
            data = bytearray(out[dice.choice(sorted(out))])
        else:
            names = ("zzzzzzzz.seg", ".seg", "ffffffff.seg", "0.seg", "+0000000.seg", "x.json")
            name = dice.choice(names)
        out[name] = bytes(data)
    return out
