"""Ways back for what people or devices got wrong: nothing hangs, nothing is lost."""

from croupier import Croupier, find
from felt import cards
from felt.dealer import commands
from felt.round import events
from felt.round.due import due

CARRY = (1234567).to_bytes(4, "big")


def test_a_declared_instant_winner_is_undone_until_it_is_paid():
    t = Croupier("colorado", version="required")
    t.begin(1, 2, s1="7c7d7h")
    t.deal()
    before = t.m.r.visible[1]
    t.act(1, "instant")
    assert due(t.m).kind == "settle" and due(t.m).seat == 1
    t.do("TAKE_BACK")
    assert due(t.m).kind == "decide" and due(t.m).seat == 1 and t.m.r.visible[1] == before
    t.act(1, "bet")
    assert due(t.m).seat == 2


def test_a_pair_of_positions_is_taken_back():
    t = Croupier("colorado", version="required", two_positions=True)
    t.open()
    t.m.step(commands.parse(t.m, "pair 2 3"))
    assert t.m.pairs == [(2, 3)]
    t.m.step(commands.parse(t.m, "pair 2 3 off"))
    assert t.m.pairs == []
    assert t.refused("PAIRED", events.NOT_PAIRED | 2, 3) == "not_paired"


def wheel_table():
    return Croupier("premium", bonus_spin="flush5_progressive")


def test_a_meter_is_carried_into_new_memory_with_both_keys_and_once():
    t = wheel_table()
    assert t.refused("CARRY", CARRY) == "both_keys"
    t.key(1)
    t.key(1, events.SERVICE)
    assert t.refused("CARRY", bytes(4)) == "carry_amount"
    assert ("log", "carried", 0, 1234567) in t.do("CARRY", CARRY)
    assert t.m.meters.jackpot == 1234567 and t.m.meters.conserved()
    assert t.refused("CARRY", CARRY) == "meter_runs"


def test_a_meter_that_has_run_takes_nothing():
    t = wheel_table()
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.do("LOCK", b"")
    t.key(1)
    t.key(1, events.SERVICE)
    assert t.refused("CARRY", CARRY) == "round_open"
    t.do("VOID", 0)
    t.do("END")
    assert t.refused("CARRY", CARRY) == "meter_runs"


def test_spins_that_cannot_be_drawn_are_ended_by_the_attendant():
    t = wheel_table()
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.bet(2, 500, 500, 0, 0, 500)
    t.do("LOCK", b"")
    for c in cards.parse_all("2h3d4cAhKcQc9hTcJc"):
        t.do("CARD", c)
    t.all_act("play3")
    for c in cards.parse_all("2d7d4d5s"):
        t.do("CARD", c)
    t.do("REVEAL")
    while due(t.m).kind in ("settle", "tap"):
        now = due(t.m)
        t.do("TAP" if now.kind == "tap" else "PAID", now.seat)
    assert due(t.m).kind == "spin"
    meter = t.m.meters.jackpot
    assert t.refused("NO_SPIN") == "attendant_key"
    t.key(1)
    results = t.m.r.results
    effects = t.do("NO_SPIN")
    assert find(effects, "return") == [
        ("return", 1, "bonus_spin", 500, "13:69F-X.11(e)", "no_spin")
    ]
    assert due(t.m).kind == "collect" and (1, "bonus_spin", 0) in results
    assert (2, "bonus_spin", -500) in results and t.m.meters.jackpot == meter
