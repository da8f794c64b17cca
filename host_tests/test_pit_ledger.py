"""What the collector stores and what it refuses, record by record, without any network."""

from __future__ import annotations

import json
import struct
from pathlib import Path
from typing import Any, Iterator

import pytest
from felt.net import records
from felt.net.records import Mac
from felt.service import provision

from host_tests.helpers.pit import KEY, kind, sent
from tools.field import cli
from tools.pit import audit, views
from tools.pit.collector import Keys
from tools.pit.fold import EXACT
from tools.pit.ledger import LATE, Ledger, accept
from tools.pit.store import Store
from tools.pit.tables import VirtualTable, settings_of


class Pit:
    """A table whose records are handed to a ledger, and its confirmations back."""

    def __init__(self, folder: Path, name: str = "one", index: int = 0) -> None:
        self.table = VirtualTable(name, settings_of(index), KEY, folder / name, ("127.0.0.1", 1))
        self.store = Store(f"sqlite:{folder / 'pit.db'}")
        self.ledger = Ledger(self.store, {name: KEY})
        self.name = name

    def take(self, record: bytes, name: str = "") -> bool:
        with self.store.transaction():
            return self.ledger.take(name or self.name, record, 1.0)

    def exchange(self, times: int = 3) -> list[bytes]:
        """Everything that is due goes over and is confirmed."""
        every = []
        for _ in range(times):
            for record in sent(self.table):
                every.append(record)
                assert self.take(record)
            self.table.uplink.box.confirm(self.ledger.confirmation(self.name), 0)
        return every

    def play(self, rounds: int) -> list[bytes]:
        every = []
        for _ in range(rounds):
            self.table.round()
            every += self.exchange()
        return every

    def row(self) -> dict[str, Any]:
        return self.store.one("SELECT * FROM tables WHERE name = ?", self.name)

    def alarms(self) -> list[str]:
        rows = self.store.all("SELECT kind FROM alarms WHERE kind <> 'hit' ORDER BY kind")
        return [row["kind"] for row in rows]

    def count(self, what: str = "segments") -> int:
        return self.store.one(f"SELECT COUNT(*) AS n FROM {what}")["n"]

    def findings(self) -> list[str]:
        return [text for each in audit.run(self.store, []) for text in each.findings]


@pytest.fixture
def pit(tmp_path: Path) -> Iterator[Pit]:
    made = Pit(tmp_path)
    yield made
    made.store.close()


@pytest.mark.parametrize("index", range(12))
def test_every_game_is_stored_folded_and_audited(tmp_path: Path, index: int) -> None:
    pit = Pit(tmp_path, index=index)
    pit.play(6)
    row = pit.row()
    assert row["serial"] == pit.table.uplink.box.limit
    assert row["sure"] == EXACT and pit.alarms() == []
    assert pit.count("rounds") == 6 and pit.count("states") == 6
    done = audit.run(pit.store, [])[0]
    assert (done.rounds, done.states, done.unknown, done.findings) == (6, 6, 0, [])
    told = views.one_round(pit.store, "one", 0, row["serial"])
    assert told["words"] and told["frames"]


def test_the_same_again_is_stored_once(pit: Pit) -> None:
    every = pit.play(3)
    before = pit.count(), pit.count("payments"), pit.count("entries")
    for record in every:
        if kind(record) != records.BEAT:
            pit.take(record)
    assert (pit.count(), pit.count("payments"), pit.count("entries")) == before
    assert pit.alarms() == []


def test_nothing_of_an_open_round_leaves(pit: Pit) -> None:
    pit.play(1)
    while pit.table.table.machine.r is None:
        pit.table.play()
    for _ in range(4):
        pit.table.play()
    seq = pit.table.table.vault.newest.next_seq()
    out = pit.exchange()
    assert {kind(each) for each in out} <= {records.BEAT}
    assert pit.store.one("SELECT MAX(seq) AS n FROM entries")["n"] < seq


def test_a_changed_byte_is_refused_by_its_mac(pit: Pit) -> None:
    pit.exchange()
    pit.table.round()
    record = next(each for each in sent(pit.table) if kind(each) == records.SEGMENT)
    for at in (5, 80, len(record) - 1):
        assert not pit.take(record[:at] + bytes([record[at] ^ 1]) + record[at + 1 :])
    assert pit.alarms() == ["mac"] and pit.count() == 0


def test_a_changed_byte_under_the_right_key_is_refused_by_the_chain(pit: Pit) -> None:
    pit.exchange()
    pit.table.round()
    record = next(each for each in sent(pit.table) if kind(each) == records.SEGMENT)
    data = bytearray(record[:-32])
    data[100] ^= 1
    assert pit.take(records.closed(Mac(KEY, "one"), data))
    assert pit.alarms() == ["edited"] and pit.count() == 0


def test_a_stranger_and_anothers_record(pit: Pit) -> None:
    record = sent(pit.table)[0]
    assert not pit.take(record, "two")
    assert pit.alarms() == ["stranger"]
    pit.ledger._macs["two"] = Mac(KEY, "two")
    assert not pit.take(record, "two")
    assert pit.alarms() == ["mac", "stranger"]


def test_an_old_beat_is_a_replay(pit: Pit) -> None:
    beats = []
    for _ in range(LATE + 3):
        pit.table.uplink.box.restart(0)
        beats += [each for each in pit.exchange(1) if kind(each) == records.BEAT]
    pit.take(beats[-2])  # two collectors may be that far apart
    assert pit.alarms() == []
    pit.take(beats[-LATE - 2])
    assert pit.alarms() == ["replay"]


def test_one_out_of_its_order_waits_for_the_one_before(pit: Pit) -> None:
    pit.exchange()
    for _ in range(3):
        pit.table.round()
    out = [each for each in sent(pit.table) if kind(each) == records.SEGMENT]
    pit.take(out[-1])
    assert pit.count() == 0
    for each in out:
        pit.take(each)
    assert pit.count() == len(out) and pit.alarms() == []


def test_a_gap_the_table_declares_is_an_alarm_and_goes_on(pit: Pit) -> None:
    pit.play(2)
    stored = pit.row()["serial"]
    for _ in range(3):
        pit.table.round()
    out = [each for each in sent(pit.table) if kind(each) == records.SEGMENT]
    data = bytearray(out[-1][:-32])
    struct.pack_into("<I", data, 6, stored)  # "there is nothing between"
    pit.take(records.closed(Mac(KEY, "one"), data))
    assert pit.alarms() == ["gap"] and pit.row()["serial"] == stored + 3


def test_a_fork_is_refused(pit: Pit) -> None:
    """Two tables with one identity: the second one's rounds never replace the first one's."""
    pit.play(2)
    other = VirtualTable(
        "one", settings_of(0), KEY, pit.table.folder.parent / "b", ("127.0.0.1", 1), 99
    )
    other.uplink.box.stored, other.uplink.box.logged = 0, 0
    for _ in range(4):
        other.round()
    kept = pit.store.all("SELECT data FROM segments ORDER BY serial")
    for each in sent(other):
        pit.take(each)
    assert {"fork", "replay"} & set(pit.alarms())
    assert pit.store.all("SELECT data FROM segments ORDER BY serial") == kept


def test_a_table_gone_back_in_time_is_told_and_refused(pit: Pit) -> None:
    pit.play(2)
    old = bytes(pit.table.memory.data)
    pit.play(2)
    pit.table.off()
    pit.table.memory.data[:] = old
    for path in sorted((pit.table.folder / "rounds").iterdir()):
        path.unlink()
    pit.table.on()
    pit.exchange()
    assert "back" in pit.alarms() or "replay" in pit.alarms()
    kept = pit.count()
    for _ in range(5):
        pit.table.round()
    pit.exchange()
    assert "fork" in pit.alarms() and pit.count() == kept
    accept(pit.store, "one", 2.0)
    pit.table.uplink.box.restart(0)
    pit.exchange(6)
    assert pit.row()["epoch"] == 1 and pit.count() > kept


def test_a_memory_set_up_anew_goes_on(pit: Pit) -> None:
    pit.play(2)
    table = pit.table.table
    table.machine.keys = 3
    table.clear(1)
    provision.record(table, table.identity[8:16])
    pit.table.dealer.m = table.machine
    pit.play(2)
    assert pit.alarms() == ["cleared"] and pit.findings() == []
    assert pit.row()["serial"] == pit.table.uplink.box.limit


def test_a_restart_keeps_everything_in_order(pit: Pit) -> None:
    for _ in range(4):
        pit.play(2)
        pit.table.round()
        pit.table.off()
        pit.table.on()
    pit.exchange(4)
    assert pit.count("rounds") == 12 and pit.alarms() == [] and pit.findings() == []


def test_other_settings_from_one_round_to_the_next(pit: Pit) -> None:
    pit.play(2)
    pit.table.off()
    pit.table.settings = dict(pit.table.settings, table_name="Renamed", stub_every=2)
    pit.table.document = json.dumps(pit.table.settings).encode()
    for _ in range(200):  # settings change while nothing is on the felt
        if pit.table.table.may_configure():
            break
        pit.table.play()
    pit.table.on()
    pit.play(3)
    assert pit.alarms() == [] and pit.findings() == []
    assert pit.store.one("SELECT COUNT(DISTINCT settings) AS n FROM rounds")["n"] == 2
    assert pit.row()["label"] == "Renamed"


def test_a_state_that_is_not_the_journals_is_told(pit: Pit) -> None:
    pit.play(2)
    m = pit.table.table.machine
    while not m.between:
        pit.table.play()
    m.meters.handle[0] += 1
    state = m.dump()
    head = records.head(records.STATE, pit.row()["serial"], 0)
    pit.take(records.closed(Mac(KEY, "one"), head + state))
    assert pit.alarms() == ["state"]


def test_the_audit_finds_what_was_changed_in_the_database(pit: Pit) -> None:
    pit.play(4)
    assert pit.findings() == []
    pit.store.run("UPDATE payments SET cents = cents + 1 WHERE serial = 3 AND line = 0")
    assert len(pit.findings()) == 1
    pit.store.run("UPDATE payments SET cents = cents - 1 WHERE serial = 3 AND line = 0")
    pit.store.run("UPDATE rounds SET win = win + 1 WHERE serial = 4")
    assert len(pit.findings()) == 1
    pit.store.run("UPDATE rounds SET win = win - 1 WHERE serial = 4")
    data = bytearray(pit.store.one("SELECT data FROM segments WHERE serial = 2")["data"])
    data[90] ^= 1
    pit.store.run("UPDATE segments SET data = ? WHERE serial = 2", bytes(data))
    assert any("was changed" in each for each in pit.findings())
    pit.store.run("DELETE FROM segments WHERE serial = 2")
    assert any("does not follow" in each for each in pit.findings())


FORGED = {
    "a round that never was": (
        "INSERT INTO rounds SELECT name, epoch, serial + 900, round + 900, received, settings,"
        " build, game, 100000, -5000000, void, jackpot, hits FROM rounds WHERE serial = 3"
    ),
    "its payment": (
        "INSERT INTO payments SELECT name, epoch, serial + 900, line, 'hit', seat, wager,"
        " 99999999, rule FROM payments WHERE serial = 3 AND line = 0"
    ),
    "a state": "INSERT INTO states SELECT name, epoch, serial + 900, state FROM states",
    "the last segments": "DELETE FROM segments WHERE serial > 4",
    "the first segments": "DELETE FROM segments WHERE serial < 4",
    "every segment": "DELETE FROM segments",
    "all but what the table was told": (
        "DELETE FROM segments; DELETE FROM rounds; DELETE FROM payments; DELETE FROM states"
    ),
    "other settings": "UPDATE documents SET raw = x'7b7d'",
    "settings that are none": "UPDATE documents SET raw = 'text'",
    "no settings": "DELETE FROM documents",
    "another number": "UPDATE rounds SET round = round + 1 WHERE serial = 3",
    "another game": "UPDATE rounds SET game = 'colorado' WHERE serial = 3",
    "another build": "UPDATE rounds SET build = '00' WHERE serial = 3",
    "a journal of letters": "UPDATE segments SET data = 'text' WHERE serial = 3",
    "a state of letters": "UPDATE states SET state = 'text' WHERE serial = 3",
    "half a state": "UPDATE states SET state = x'00' WHERE serial = 3",
    "the last round, its segment called an open one": (
        "DELETE FROM rounds WHERE serial = (SELECT MAX(serial) FROM segments);"
        " DELETE FROM payments WHERE serial = (SELECT MAX(serial) FROM segments);"
        " DELETE FROM states WHERE serial = (SELECT MAX(serial) FROM segments);"
        " UPDATE segments SET closes = 0 WHERE serial = (SELECT MAX(serial) FROM segments)"
    ),
    "another number of the journal too": (
        "UPDATE rounds SET round = 77 WHERE serial = 3;"
        " UPDATE segments SET round = 77 WHERE serial = 3"
    ),
    "what the table was told": "DELETE FROM tables",
    "an entry of the log": "DELETE FROM entries WHERE serial = 3",
    "the newest entries": "DELETE FROM entries WHERE serial > 2",
    "the log": "DELETE FROM entries",
}


@pytest.mark.parametrize("what", FORGED)
def test_the_audit_finds_what_was_put_in_or_taken_away(
    what: str, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Only what the journal knew of was looked at; a database without one was called sound."""
    pit = Pit(tmp_path)
    pit.play(5)
    database = f"sqlite:{tmp_path / 'pit.db'}"
    assert felt("audit", "--database", database) == 0
    assert capsys.readouterr().out.endswith("5 rounds audited, 0 findings\n")
    for statement in FORGED[what].split(";"):
        pit.store.run(statement)
    assert felt("audit", "--database", database) == 1
    assert "0 findings" not in capsys.readouterr().out
    pit.store.close()


def test_a_log_that_the_table_had_no_more_is_no_finding(pit: Pit) -> None:
    """The collector said so when it heard the table again."""
    pit.play(3)
    assert pit.count("entries") > 3
    pit.store.run("DELETE FROM entries WHERE serial = 2")
    assert pit.findings() == ["one: log 2 to 2 is not stored"]
    pit.store.alarm("one", "gap", "log 2 to 2", 1.0)
    assert pit.findings() == []


def test_a_shift_as_csv(pit: Pit) -> None:
    pit.play(3)
    rows = views.shift(pit.store, 0, 2).splitlines()
    assert len(rows) == 4 and rows[0].startswith("name,round,received")
    assert views.shift(pit.store, 2, 3).count("\n") == 1


def test_tiles_say_what_differs(pit: Pit) -> None:
    pit.play(1)
    tile = views.tables(pit.store, now=2.0)[0]
    assert (tile["game"], tile["fault"], tile["old_build"]) == ("Premium Hold 'Em", "", False)
    assert tile["state"] != "silent"
    assert views.tables(pit.store, now=100.0)[0]["state"] == "silent"


def test_a_collector_that_starts_in_the_middle_of_a_life(tmp_path: Path) -> None:
    pit = Pit(tmp_path)
    for _ in range(60):
        pit.table.round()
    for path in (pit.table.folder / "rounds").iterdir():
        path.unlink()
    pit.exchange(12)
    assert pit.alarms() == [] and pit.row()["sure"] == EXACT
    pit.play(2)
    assert pit.alarms() == [] and pit.findings() == []


def test_a_heartbeat_knows_better_than_an_old_last_will(pit: Pit) -> None:
    """A broker may not tell a new collector that the table came back meanwhile."""
    pit.exchange()
    with pit.store.transaction():
        pit.ledger.line(pit.name, "gone", 1.0)
    assert views.tables(pit.store, 2.0)[0]["state"] == "silent"
    pit.table.uplink.box.restart(0)
    pit.exchange()
    assert views.tables(pit.store, 2.0)[0]["state"] != "silent"


def test_a_table_that_was_never_heard_is_shown(pit: Pit) -> None:
    with pit.store.transaction():
        pit.ledger.expect()
    (tile,) = views.tables(pit.store, 100.0)
    assert (tile["state"], tile["seen"], tile["old_build"]) == ("silent", 0, False)
    pit.exchange()
    (tile,) = views.tables(pit.store, 2.0)
    assert (tile["state"], tile["game"]) == ("closed", "Premium Hold 'Em")


def test_faults_are_said_in_words(pit: Pit) -> None:
    pit.table.table.fault, pit.table.table.detail = "vault_journal", "7"
    pit.exchange()
    (tile,) = views.tables(pit.store, 2.0)
    assert tile["fault"] == tile["last_fault"] == "journal damaged (7)"
    assert views.alarms(pit.store)[0]["about"] == "journal damaged (7)"
    pit.table.table.fault = None
    pit.exchange()
    (tile,) = views.tables(pit.store, 2.0)
    assert (tile["fault"], tile["last_fault"]) == ("", "journal damaged (7)")


def felt(*words: str) -> int:
    args = cli.parser().parse_args(words)
    return args.run(args)


def test_an_auditor_who_mistypes_a_database_or_a_table_is_told(
    pit: Pit, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """A wrong file was made, empty, and audited with 0 findings; a wrong table was left out."""
    url = f"sqlite:{tmp_path / 'pit.db'}"
    pit.play(1)
    (tmp_path / "notes.txt").write_text("no database " * 100)
    for wrong in ("pti.db", "notes.txt"):
        assert felt("audit", "--database", f"sqlite:{tmp_path / wrong}") == 2
        assert "database" in capsys.readouterr().out
    assert not (tmp_path / "pti.db").exists()
    assert felt("audit", "--database", "postgresql://127.0.0.1:1/x") == 2
    assert "felt audit: the database cannot be read" in capsys.readouterr().out
    assert felt("audit", "--database", url, "one", "tow") == 2
    assert "1 rounds audited, 0 findings\nfelt audit: no round of tow" in capsys.readouterr().out
    assert felt("audit", "--database", url, "one") == 0


def test_only_a_known_table_begins_anew(
    pit: Pit, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    url = f"sqlite:{tmp_path / 'pit.db'}"
    pit.play(1)
    assert felt("pit", "--accept", "tow", "--database", url) == 2
    assert "there is no table tow" in capsys.readouterr().out
    assert pit.count("tables") == 1 and pit.row()["epoch"] == 0
    assert felt("pit", "--accept", "one", "--database", url) == 0 and pit.row()["epoch"] == 1


@pytest.mark.parametrize("text", ["{", "[]", '{"one": 1}', '{"one": "no digits"}', "\xe9"])
def test_a_file_of_keys_that_is_none_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "keys.json"
    path.write_text(text, encoding="latin-1")
    for use in (lambda: Keys.read(path), lambda: Keys.add(path, "two", KEY)):
        with pytest.raises(ValueError, match=r"keys.json is no file of keys, which is ..TABLE"):
            use()
    assert path.read_text(encoding="latin-1") == text


@pytest.mark.parametrize("where", ["127.0.0.1:x", "127.0.0.1:99999", "127.0.0.1:-1"])
def test_a_port_that_is_none_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture, where: str
) -> None:
    keys = tmp_path / "keys.json"
    Keys.add(keys, "one", KEY)
    words = ["pit", "--keys", str(keys), "--database", f"sqlite:{tmp_path / 'pit.db'}"]
    assert felt(*words, "--broker", where) == 2
    assert felt(*words, "--broker", "127.0.0.1:1", "--page", where) == 2
    said = capsys.readouterr().out
    assert said.count(f"felt pit: {where}: a port is a number up to 65535") == 2


@pytest.mark.parametrize("index", range(6))
def test_the_felt_shows_every_wager_of_a_round_with_its_raises(tmp_path: Path, index: int) -> None:
    pit = Pit(tmp_path, index=index)
    pit.play(4)
    rounds = pit.store.all("SELECT epoch, serial, handle FROM rounds WHERE void = ''")
    assert rounds
    for row in rounds:
        shown = views.one_round(pit.store, "one", row["epoch"], row["serial"])["frames"][-1]
        assert sum(shown["bets"].values()) == row["handle"]
    pit.store.close()
