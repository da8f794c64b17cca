"""Where an attack got in: amounts, tasks, stored rounds, hidden cards, keys, old settings."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from felt.tasks import TASKS
from felt.dealer import pages, recall
from felt.field import lamps
from felt.games import SettingsError
from felt.games.settings import resolve
from felt.logbook import LOG
from felt.round import events
from felt.round.state import Refused
from felt.store import config
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.kept import Kept
from felt.store.vault import Vault
from felt.table import Table
from felt.texts import Texts

from host_tests.helpers.desk import LANGUAGE, Desk
from tools.prove.player import TABLES, WEIGHTS, Player

COLORADO = {"game": "colorado", "version": "permissible", "sensors": False}


def opened(settings: dict[str, Any], *bets: str) -> Desk:
    """A table with these wagers locked and its first cards dealt."""
    desk = Desk({**settings, "sensors": False})
    desk.open()
    for line in bets:
        desk.say(line)
    desk.say("nmb")
    desk.deal()
    desk.told()
    return desk


def logged(desk: Desk) -> list[str]:
    return [LOG[entry[2]] for entry in desk.table.vault.guards() if entry[2] < len(LOG)]


@pytest.mark.parametrize(
    "amount", ["42949672.96", "99999999999999999999", "1000001", "4294967296"]
)
def test_an_amount_beyond_every_table_is_refused_and_the_table_lives(amount: str) -> None:
    desk = Desk(COLORADO)
    desk.open()
    desk.say(f"bet 1 ante {amount}")
    assert any("more than any wager" in text for text in desk.told())
    desk.say("bet 1 ante 5")
    assert desk.machine.bets[1]


def test_a_task_survives_what_it_raises_says_it_and_goes_on() -> None:
    desk = Desk(COLORADO)
    desk.open()
    app = desk.app
    app.watch(type("Dog", (), {"feed": lambda self: None})())

    def broken(now: int) -> None:
        raise KeyError("lettering")

    for n in range(4):
        assert app.attempt(0, broken)
    assert app.attempt(0, app.poll_input)  # it works again: the count starts anew
    desk.run(200)
    assert any("Program error in input" in text for text in desk.told())
    assert logged(desk).count("error") == 1
    for index in range(len(TASKS)):
        app.dog.check_in(index)
    assert app.dog.poll(0)
    for n in range(4):
        assert app.attempt(0, broken)
    assert not app.attempt(0, broken)
    assert set(desk.leds.shown.values()) <= set(lamps.PATTERNS[lamps.FAULT][:2])
    assert "input" in app.dog.missing()


def test_a_key_turned_when_nothing_can_be_written_ends_no_task() -> None:
    desk = Desk(COLORADO)
    desk.open()

    def full(event: bytes) -> int:
        raise OSError(5)

    desk.table.vault.append = full
    desk.app._take_key((0, True))
    assert desk.table.fault == "journal"


class FullFlash(Archive):
    """A flash with no room left."""

    def _append(self, ring: Any, segment: Any) -> None:
        raise OSError(28)


def test_a_full_flash_is_told_and_the_table_plays_on(tmp_path: Path) -> None:
    desk = Desk(COLORADO)
    desk.table.archive = FullFlash(str(tmp_path))
    desk.open()
    player = Player(desk.machine, desk.table.submit, 3, 2)
    player.round()
    desk.run(600)
    assert any("cannot be stored" in text for text in desk.told())
    player.round()
    assert desk.table.fault is None


def stored(tmp_path: Path, rounds: int = 120) -> Desk:
    """A table whose older rounds are on flash only."""
    desk = Desk(COLORADO)
    desk.table.archive = Archive(str(tmp_path / "rounds"))
    player = Player(desk.machine, desk.table.submit, 3, 3)
    for _ in range(rounds):
        player.round()
        desk.table.store_rounds()
    return desk


def test_a_damaged_stored_round_is_shown_as_such_wherever_rounds_are_read(tmp_path: Path) -> None:
    desk = stored(tmp_path)
    kept = len(list(desk.table.vault.rounds()))
    first = sorted((tmp_path / "rounds").glob("*.seg"))[0]
    data = bytearray(first.read_bytes())
    data[200] ^= 0x40
    first.write_bytes(bytes(data))
    told = []
    for found in desk.table.rounds():
        told.append(" ".join(recall.told(desk.table, found, desk.app.texts)))
    assert kept < 110 and len([text for text in told if "DAMAGED" in text]) == 1
    back = 1 + [n for n, text in enumerate(told) if "DAMAGED" in text][0]
    assert back > kept
    desk.run(400)
    desk.say(f"recall {back}", 400)
    assert desk.table.fault is None and any("DAMAGED" in row for row in desk.terminal.rows)


def test_memory_older_than_the_archive_is_a_fault_until_it_is_accepted(tmp_path: Path) -> None:
    def started(image: bytes) -> Table:
        nv = RamMemory()
        nv.data[:] = image
        table = Table(TABLES[0], Vault(nv))
        table.archive = Archive(str(tmp_path))
        table.start(0, 3)
        return table

    table = Table(TABLES[0], Vault(RamMemory()))
    table.start(0, 3)
    table.clear(0)
    table.archive = Archive(str(tmp_path))
    player = Player(table.machine, table.submit, 1)
    player.round()
    table.store_rounds()
    older = bytes(table.vault.nv.data)
    player.round()
    table.store_rounds()
    assert started(bytes(table.vault.nv.data)).fault is None
    back = started(older)
    assert back.fault == "vault_older" and bytes(back.vault.nv.data) == older
    back.accept(0)
    assert back.fault is None
    assert LOG.index("accepted") in [entry[2] for entry in back.vault.guards()]
    assert started(bytes(back.vault.nv.data)).fault is None


def answers(card: str, lines: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """What a table says to a report about one card, and what its screen shows of cards."""
    desk = opened(TABLES[0], "bet 1 ante 5 xtra 5", "bet 2 ante 5 xtra 5")
    for line in lines:
        desk.say(line.replace("CARD", card))
    return desk.told(), [row for row in desk.terminal.rows if "RACK" not in row]


def test_the_answer_to_a_face_up_card_does_not_tell_which_cards_are_hidden() -> None:
    """Nine of 52 once answered "dealt already": the hidden ones."""
    from felt import cards

    desk = opened(TABLES[0], "bet 1 ante 5 xtra 5", "bet 2 ante 5 xtra 5")
    hidden = [c for place in desk.machine.r.cards for c in place]
    free = [c for c in range(52) if c not in hidden]
    assert len(hidden) == 9 and not any(desk.machine.r.visible)
    script = ("faceup CARD", "faceup CARD")
    seen = {str(answers(cards.name(c), script)) for c in (*hidden[::4], *free[::20])}
    assert len(seen) == 1, seen


def test_naming_a_card_with_a_decision_tells_nothing_and_is_logged() -> None:
    desk = opened(COLORADO, "bet 3 ante 5")
    held = desk.machine.r.cards[3][0]
    from felt import cards

    told = []
    for c in (held, next(c for c in range(52) if c not in desk.machine.r.cards[3])):
        desk.say(f"3 bet:{cards.name(c)}")
        told.append(desk.told())
    assert told[0] == told[1] and "named when the hand is turned" in told[0][0]
    assert "probe" in logged(desk)


@pytest.mark.parametrize(
    "game, line",
    [
        ("headsup", "miscount 1 4"),
        ("headsup", "exposed dealer"),
        ("headsup", "void"),
        ("three_card", "stub 3"),  # all its cards are dealt before the first decision
    ],
)
def test_reports_that_void_need_the_key_when_a_person_types_them(game: str, line: str) -> None:
    settings = {"game": game, "sensors": False, "dealing": "auto"}
    bets = [f"bet {seat} ante 5" + " odds 5" * (game == "headsup") for seat in (1, 2)]
    desk = opened(settings, *bets)
    desk.say(line)
    assert "attendant key on" in desk.told()[-1]
    assert not desk.machine.r.void and not desk.machine.r.stub_counted
    desk.keys[0].on = True
    desk.run(150)
    desk.say(line)
    assert desk.machine.r.void
    free = opened({**settings, "void_key": "none"}, *bets)
    free.say(line)
    assert free.machine.r.void


def test_what_a_device_reports_itself_needs_no_key() -> None:
    desk = opened({"game": "headsup", "dealing": "auto"}, "bet 1 ante 5 odds 5")
    desk.table.submit(events.pack("DEVICE", events.SHOE, events.JAM))
    assert desk.machine.r.void


@pytest.mark.parametrize(
    "change",
    [{"fixed_prize": 1 << 32}, {"limits": {"ante": [1, 1 << 32]}}],
)
def test_amounts_that_cannot_be_recorded_are_refused_in_the_settings(change: dict) -> None:
    good = {"game": "premium", "bonus_spin": "flush1_fixed", "weights": WEIGHTS}
    resolve({**good, "fixed_prize": (1 << 32) - 1})
    with pytest.raises(SettingsError) as caught:
        resolve({**good, "fixed_prize": 500, **change})
    assert caught.value.name == next(iter(change))


def table_of(doc: dict[str, Any], nv: RamMemory, folder: Path) -> Table:
    raw = json.dumps(doc).encode()
    ident = bytes(8) + config.identity(raw)[:8] + bytes(8)
    table = Table(doc, Vault(nv), identity=ident)
    table.archive, table.kept = Archive(str(folder / "rounds")), Kept(str(folder / "settings"))
    table.document = raw
    table.start(0, 3)
    if table.fault == "vault_blank":
        table.clear(0)
        table.start(0, 3)
    assert table.fault is None, table.fault
    return table


def test_a_round_is_recalled_under_the_settings_it_was_played_under(tmp_path: Path) -> None:
    """Seven of forty once read otherwise than they were paid."""
    nv, texts = RamMemory(), Texts(LANGUAGE)
    table = table_of({"game": "headsup", "trips_plus": 1, "sensors": False}, nv, tmp_path)
    player = Player(table.machine, None, 5, 6)

    def feed(event: bytes) -> None:
        table.lock() if event[0] == events.CODES["LOCK"] else table.submit(event)

    player.feed = feed
    for _ in range(8):
        player.round()
        table.store_rounds()
    before = [list(pages.recalled(table, texts, back)) for back in range(1, 9)]
    for _ in range(2):
        try:
            table.submit(events.pack("CLOSE"))
        except Refused:
            pass
    changed = {"game": "headsup", "trips_plus": 4, "sensors": False}
    table = table_of(changed, nv, tmp_path)
    assert [list(pages.recalled(table, texts, back)) for back in range(1, 9)] == before
    for name in os.listdir(tmp_path / "settings"):
        os.remove(tmp_path / "settings" / name)
    told = [list(pages.recalled(table, texts, back)) for back in range(1, 9)]
    assert all(len(lines) == 1 and "not kept here" in lines[0] for lines in told)
