"""What a table believes at its start: its memory, its settings."""

from felt.round import events
from felt.round.state import BET, Refused
from felt.store.vault import Vault
from felt.table import Table

from host_tests.helpers.fileimage import FileImage, logged
from tools.prove.player import TABLES, Player

FRESH = True  # each test has a board's whole heap
IMAGE = FileImage("test_table_trust")
fresh, again = IMAGE.fresh, IMAGE.again


IDENTITY = bytes(range(24))
OTHER = bytes(8) + b"settings" + bytes(8)


def configured(identity):
    """Return the same memory started under a configuration."""
    t = Table(TABLES[2], Vault(IMAGE), None, identity)
    t.start(1)
    return t


def test_a_configuration_that_took_force_unrecorded_is_recorded_at_start():
    """A cut between its rename and its event once left it in force and in no record."""
    fresh(TABLES[2])
    t = configured(IDENTITY)
    assert t.fault is None and t.machine.config_id == IDENTITY[8:16]
    t = configured(OTHER)
    assert t.fault is None and t.machine.config_id == b"settings"
    assert "config_found" in logged(t.vault.guards())
    assert configured(OTHER).vault.seq == t.vault.seq + 1  # the start alone


def test_a_configuration_does_not_change_under_wagers():
    t = fresh(TABLES[2])
    t = configured(IDENTITY)
    player = Player(t.machine, lambda event: t.submit(event), 7, 2)
    while t.machine.phase != BET:
        player.turn()
    t.submit(events.bet(1, [500, 0]))
    assert not t.may_configure()
    assert configured(OTHER).fault == "config_changed"
    t = configured(IDENTITY)
    assert t.fault is None
    t.identity = OTHER
    try:
        t.lock()
        raise AssertionError("locked under settings nobody recorded")
    except Refused as e:
        assert e.code == "config_changed"
    t.identity = IDENTITY
    t.turn_key(0, 1)
    t.submit(events.pack("OVERRIDE", 1))
    t.lock()
    assert configured(OTHER).fault == "config_changed"
    assert configured(IDENTITY).fault is None


def test_damage_in_a_log_is_found_before_the_start_writes_and_accepted_on_purpose():
    t = fresh(TABLES[2])
    vault = t.vault
    t.turn_key(0, 0)
    at = vault._log._area.base + (vault._log._serial - 1) % vault._log.slots * 33 + 12
    byte = bytearray(1)
    IMAGE.readinto(at, byte)
    IMAGE.write(at, bytes([byte[0] ^ 1]))
    t = again(TABLES[2])
    assert (t.fault, t.detail) == ("vault_entries", "log")
    after = bytearray(1)
    IMAGE.readinto(at, after)
    assert after[0] == byte[0] ^ 1  # nothing was written over it
    t.turn_key(0, 1)
    try:
        t.accept(1)
        raise AssertionError("accepted with one key")
    except Refused as e:
        assert e.code == "both_keys"
    t.turn_key(1, 1)
    t.accept(1)
    assert t.fault is None
    assert "accepted" in logged(t.vault.guards())
    assert again(TABLES[2]).fault is None


def test_another_boards_memory_keeps_the_table_closed_until_it_is_accepted():
    t = fresh(TABLES[2])
    Vault(IMAGE, owner=b"this one").adopt()
    t = Table(TABLES[2], Vault(IMAGE, owner=b"another"))
    t.start(1, 0)
    assert t.fault == "vault_foreign"
    t.turn_key(0, 1)
    t.turn_key(1, 1)
    t.accept(1)
    assert t.fault is None, t.fault
    t = Table(TABLES[2], Vault(IMAGE, owner=b"another"))
    t.start(1, 0)
    assert t.fault is None
    try:
        t.turn_key(0, 1)
        t.turn_key(1, 1)
        t.accept(1)
        raise AssertionError("nothing to accept")
    except Refused as e:
        assert e.code == "not_acceptable"
