"""Floods of every kind against a whole table: more tables at once than a board's heap holds."""

from __future__ import annotations

from felt.round import events
from felt.store.journal import OVERHEAD
from felt.table import RESERVE

from host_tests.helpers.fileimage import logged
from host_tests.logic.test_table_room import FLOODS, again, flood, fresh, in_a_round
from tools.prove.player import TABLES, Player


def test_no_flood_takes_the_room_a_round_needs_to_end() -> None:
    """700 of most of these once filled the journal: nothing could be paid, voided or ended."""
    counts = []
    for settings in (TABLES[2], TABLES[7]):
        for make in FLOODS:
            t, player = in_a_round(settings)
            t.switches = 1
            number = t.machine.round_no
            counts.append(flood(t, make))
            again_ = again(settings)
            assert again_.fault is None, again_.fault
            player.m = t.machine
            if t.machine.r and not t.machine.r.void and not t.machine.r.settling:
                t.submit(events.pack("VOID", 0))
                assert t.machine.r.kind() == "void"
            player.round()
            assert t.machine.round_no == number + 1 and t.fault is None
    print(counts)


def test_naming_a_hand_over_and_over_leaves_the_room_a_round_needs_to_end() -> None:
    t, player = in_a_round(TABLES[2])
    t.turn_key(0, 1)
    r = t.machine.r
    seat = r.seats[0]
    lying = {c for place in r.cards for c in place}
    true = r.cards[seat][0]
    other = next(c for c in range(52) if c not in lying)
    flood(t, lambda n: events.pack("NAMED", seat, bytes([(other, true)[n & 1]])))
    lent = 2 * (3 + OVERHEAD)  # the key that the last one needed, on and off
    assert t.vault.room() >= RESERVE // 2 - lent
    number = t.machine.round_no
    t.submit(events.pack("VOID", 0))
    player.round()
    assert t.machine.round_no == number + 1 and t.fault is None


def test_reports_that_change_nothing_are_not_journalled() -> None:
    """4,500 of them once pushed every finished round out of critical memory."""
    t = fresh(TABLES[2])
    player = Player(t.machine, t.submit, 7, 2)
    player.round()
    t.submit(events.pack("DEVICE", 0, 2))
    seq, rounds = t.vault.seq, len(list(t.vault.rounds()))
    for _ in range(500):
        t.submit(events.pack("DEVICE", 0, 2))
        t.turn_key(0, t.machine.has_key(0))
    assert t.vault.seq == seq and len(list(t.vault.rounds())) == rounds
    assert logged(t.vault.entries()).count("device") < 8
