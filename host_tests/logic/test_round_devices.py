"""Shoe, shuffler, stub and supervisor's orders: what each report does, in every case."""

from croupier import Croupier, colorado, find, headsup, premium
from felt.round import decks, events, procedures
from felt.round.due import due
from felt.round.events import pack
from felt.round.state import Refused

SHOE, SHUFFLER = events.SHOE, events.SHUFFLER
JAM, REMOVED, ATTACHED, EMPTY = events.JAM, events.REMOVED, events.ATTACHED, events.EMPTY


def at(dealing, moment):
    """A Heads Up round of one seat, dealt that way, at a moment of it."""
    t = headsup(dealing=dealing, shuffler="plain")
    t.begin(1)
    if moment == "dealing":
        t.deal(1)
        return t
    t.deal()
    t.act(1, "raise1")
    while t.m.r.kind() == "deal":
        t.deal()
    while due(t.m).kind == "show":
        t.turn()
    if moment == "settling":
        t.turn()
        assert t.m.r.settling
    return t


# An event of a device -> the rounds it voids: dealing method and moment.
HAPPENED = (
    (SHOE, JAM, "auto dealing, auto dealt"),
    (SHOE, REMOVED, "auto dealing"),
    (SHOE, EMPTY, "auto dealing"),
    (SHOE, ATTACHED, ""),
    (SHUFFLER, JAM, ""),
    (SHUFFLER, REMOVED, ""),
    (SHUFFLER, EMPTY, ""),
    (SHUFFLER, ATTACHED, ""),
)
EVERY = "shoe dealing, shoe dealt, hand dealing, hand dealt, auto dealing, auto dealt"
DEVICE = (
    (SHOE, JAM, "shoe dealing, shoe dealt, auto dealing, auto dealt"),
    (SHOE, REMOVED, "shoe dealing, auto dealing"),
    (SHOE, EMPTY, "shoe dealing, auto dealing"),
    (SHOE, ATTACHED, ""),
    (SHUFFLER, JAM, EVERY),
    (SHUFFLER, REMOVED, EVERY),
    (SHUFFLER, EMPTY, EVERY),
    (SHUFFLER, ATTACHED, ""),
)


def voided(name, which, what):
    found = []
    for dealing in ("shoe", "hand", "auto"):
        for moment in ("dealing", "dealt", "settling"):
            t = at(dealing, moment)
            effects = t.do(name, which, what)
            log = ("log", "device", which, what)
            assert effects[0] == log
            if find(effects, "void"):
                found.append(dealing + " " + moment)
                assert t.m.r.void == "jam" and find(effects, "log")[1] == ("log", "void", 4, 0)
            else:
                assert effects == [log]
    return ", ".join(found)


def test_only_an_automated_shoe_voids_a_round_today():
    for which, what, rounds in HAPPENED:
        assert voided("HAPPENED", which, what) == rounds, (which, what)


def test_what_older_journals_voided_is_void_still():
    for which, what, rounds in DEVICE:
        assert voided("DEVICE", which, what) == rounds, (which, what)


def test_a_device_is_there_broken_or_gone():
    t = premium(shuffler="plain")
    t.open()
    for which in (SHOE, SHUFFLER):
        bit = 1 << which
        for what, broken, absent in (
            (JAM, bit, 0), (EMPTY, bit, 0), (REMOVED, 0, bit), (EMPTY, 0, bit), (JAM, bit, bit),
            (ATTACHED, 0, 0), (ATTACHED, 0, 0),
        ):  # fmt: skip
            t.do("HAPPENED", which, what)
            assert (t.m.broken, t.m.absent & 3) == (broken, absent), (which, what)
    assert t.m.absent == decks.INSPECT, "a shuffler that was away brings cards"


def test_a_shuffler_that_comes_back_at_its_shuffle_brings_a_deck_to_inspect_and_no_cut():
    t = at("shoe", "settling")
    t.settle()
    t.end()
    t.do("HAPPENED", SHUFFLER, REMOVED)
    assert t.do("HAPPENED", SHUFFLER, ATTACHED) == [
        ("check", "inspect"), ("log", "device", SHUFFLER, ATTACHED),
    ]  # fmt: skip
    assert t.checklist() == ["inspect", "verify", "shuffle"] and t.m.absent == 0


def test_a_shuffler_that_was_never_away_brings_no_deck():
    t = premium(shuffler="plain")
    t.open()
    t.do("HAPPENED", SHUFFLER, JAM)
    t.do("HAPPENED", SHUFFLER, ATTACHED)
    assert t.m.absent == 0 and t.m.broken == 0


def test_a_void_asked_for_by_a_person_needs_the_house_s_key():
    for void_key, why in (("attendant", "attendant_key"), ("none", None)):
        t = Croupier("headsup", dealing="auto", shuffler="plain", void_key=void_key)
        t.begin(1)
        t.deal(1)
        t.m.typed = True
        assert t.refused("HAPPENED", SHUFFLER, JAM) is None, "it voids nothing"
        assert t.refused("HAPPENED", SHOE, JAM) == why
        if why:
            assert t.refused("VOID", 0) == why
            t.key(1)
            assert find(t.do("HAPPENED", SHOE, JAM), "void") == [("void", "jam")]


def stub_at(moment, *counted):
    t = at("shoe", moment)
    return t, t.do("STUB", *counted)


def test_a_stub_that_is_right_wrong_or_misdealt():
    t, effects = stub_at("dealt", 43, 0)
    assert effects == [("log", "stub", 43, 0), ("note", "stub_right")]
    t, effects = stub_at("dealt", 42, 0)
    assert effects[:3] == [
        ("log", "stub", 42, 0), ("alarm", "stub_wrong", 0, ""), ("void", "stub_wrong"),
    ]  # fmt: skip
    assert t.m.r.stub_counted == 2 and t.m.meters.voids == [0] * 7 + [1]
    t, effects = stub_at("dealt", 42, 1)
    assert effects[:3] == [
        ("log", "stub", 42, 1), ("alarm", "stub_wrong", 0, ""), ("void", "stub_misdealt"),
    ]  # fmt: skip
    assert t.m.r.stub_counted == 1 and t.m.meters.voids == [0] * 6 + [1, 0]
    t, effects = stub_at("settling", 42, 0)
    assert effects == [("log", "stub", 42, 0), ("alarm", "stub_again", 0, "")]
    assert t.m.r.stub_counted == 2 and not t.m.r.void
    t.do("STUB", 43, 0)
    assert t.m.r.stub_counted == 1
    t, effects = stub_at("settling", 42, events.ON_FELT + 10)
    assert t.m.r.stub_counted == 1, "42 in the stub and 10 on the felt are all there"
    t, effects = stub_at("settling", 42, events.ON_FELT + 9)
    assert t.m.r.stub_counted == 2
    t, effects = stub_at("settling", 42, events.ON_FELT)
    assert t.m.r.stub_counted == 2, "none on the felt"
    t, effects = stub_at("settling", 52, 0)
    assert t.m.r.stub_counted == 2
    t = at("shoe", "settling")
    try:
        t.do("STUB", 53, 0)
        raise AssertionError("more cards than a deck has")
    except Refused as e:
        assert (e.code, e.about) == ("malformed", ("STUB",))


def test_a_wrong_stub_that_a_person_counts_needs_a_key_while_it_voids():
    t = at("shoe", "dealt")
    t.m.typed = True
    assert t.refused("STUB", 42, 0) == "attendant_key"
    assert t.refused("STUB", 43, 0) is None
    t = at("shoe", "settling")
    t.m.typed = True
    assert t.refused("STUB", 42, 0) is None, "nothing is void any more"


def test_orders_of_the_supervisor():
    t = headsup(sensors=True)
    t.key(1)
    assert t.refused("OVERRIDE", 1) == "not_betting" and t.refused("OVERRIDE", 0) == "no_recut"
    t.key(0)
    t.open()
    t.key(1)
    assert t.do("OVERRIDE", 1) == [("log", "override", 1, 0)] and t.m.accept == 1
    assert t.do("OVERRIDE", 0) == [("check", "cut"), ("log", "override", 0, 0)]
    t.checklist()
    t.m.accept = 0
    t.bet(1, 500, 500)
    t.do("SENSORS", b"\3\0\0\0\0\0\0")
    t.begin(1)
    t.key(1)
    assert t.refused("OVERRIDE", 1) == "not_betting", "cards are dealt"
    assert t.do("OVERRIDE", 0) == [("check", "cut"), ("log", "override", 0, 0)]
    assert due(t.m).choices == ("cut",) and t.m.r.recut
    effects = t.do("DONE", procedures.CUT, 51)
    assert effects == [("due", 1, 1, 0)] and not t.m.r.recut
    t.deal()
    t.do("OVERRIDE", 1)
    assert t.m.accept == 1, "raises may be overruled while seats decide"
    t.do("VOID", 0)
    assert t.refused("OVERRIDE", 0) == "no_recut"


def test_the_method_of_dealing_is_changed_between_rounds_and_told():
    t = headsup(dealing="auto", shuffler="plain")
    assert t.do("METHOD", 2) == [("log", "method", 2, 0), ("checkpoint", 0)], "as it is"
    assert t.refused("METHOD", 0) == "remove_device"
    t.do("HAPPENED", SHOE, REMOVED)
    assert t.do("METHOD", 0) == [("log", "method", 0, 0), ("checkpoint", 0)]
    assert t.m.dealing == "shoe"
    t.do("HAPPENED", SHOE, ATTACHED)
    assert t.do("METHOD", 1) == [("log", "method", 1, 0), ("checkpoint", 0)]
    t.do("HAPPENED", SHUFFLER, REMOVED)
    assert t.refused("METHOD", 1) == "hand_needs_shuffler"
    t.open()
    t.bet(1, 500, 500)
    assert t.refused("LOCK", b"") == "hand_needs_shuffler"
    t.do("METHOD", 0)
    t.do("HAPPENED", SHOE, JAM)
    assert t.refused("LOCK", b"") == "device_blocked"
    t.do("HAPPENED", SHOE, REMOVED)
    assert t.refused("LOCK", b"") == "device_blocked"
    t.do("HAPPENED", SHOE, ATTACHED)
    t.do("LOCK", b"")


def test_a_shuffle_that_fails_or_is_made_by_hand():
    t = headsup(shuffler="plain")
    t.do("OPEN", 0)
    t.key(1)
    while due(t.m).choices != ("shuffle",):
        t.turn()
    t.do("HAPPENED", SHUFFLER, JAM)
    assert t.refused("SHUFFLED", 52) == "device_blocked"
    t.do("HAPPENED", SHUFFLER, REMOVED)
    assert t.do("SHUFFLED", 0) == [("check", "cut")], "by hand, so it is cut"
    assert t.do("DONE", procedures.CUT, 26) == [("phase", "bet")]
    assert list(t.m.steps)[-2:] == [procedures.SHUFFLE, procedures.CUT]
    t.do("CLOSE")
    t.do("OPEN", 0)
    assert list(t.m.steps).count(procedures.CUT) == 1, "and cut once"


def test_a_counting_shuffler_says_52_or_the_deck_leaves():
    for count, said in (
        (0, [("alarm", "not_counted", 0, ""), ("phase", "bet")]),
        (52, [("phase", "bet")]),
        (53, [("alarm", "deck_removed", 1, ""), ("log", "deck_removed", 0, 0), ("checkpoint", 0)]),
    ):
        t = headsup(shuffler="counting")
        t.do("OPEN", 0)
        t.key(1)
        while due(t.m).choices != ("shuffle",):
            t.turn()
        assert t.do("SHUFFLED", count) == said, count
        assert decks.facts(t.m, 0)[2:] == (decks.BY_MACHINE, count)


def test_the_count_of_a_machine_is_logged_with_its_deck():
    t = colorado(shuffler="counting", second_deck=True)
    t.open()
    assert t.do("COUNTED", 52, 1) == [("log", "counted", 52, 0)]
    assert t.do("COUNTED", 52, 2) == [("log", "counted", 52, 1)]
    assert t.do("COUNTED", 52, 0) == [("log", "counted", 52, 0)], "the deck that comes next"
    t.begin(1)
    assert t.do("COUNTED", 52, 0) == [("log", "counted", 52, 1)], "the one that is shuffled"
    assert t.do("COUNTED", 50, 1) == [
        ("log", "counted", 50, 0), ("alarm", "counted_wrong", 1, "50"),
    ]  # fmt: skip
    assert t.m.broken == decks.WRONG
    assert t.refused("COUNTED", 52, 3) == "malformed"
    t.key(1)
    t.do("VOID", 0)
    assert find(t.do("END"), "alarm") == [("alarm", "deck_removed", 1, "")]


def test_a_configuration_needs_eight_bytes_and_no_wagers():
    t = premium()
    effects = t.do("CONFIG", bytes(range(1, 33)))
    assert effects == [("log", "config", 1, 2), ("checkpoint", 0)]
    assert t.m.config_id == bytes(range(1, 9))
    t.do("CONFIG", bytes(8))
    assert t.refused("CONFIG", b"1234567") == "malformed"
    assert t.refused("CARRY", b"\1\2\3") == "both_keys"
    t.key(1)
    t.key(1, events.SERVICE)
    for wrong in (b"\1\2\3", b"\1\2\3\4\5"):
        assert t.refused("CARRY", wrong) == "malformed"
    assert t.refused("CARRY", b"\0\1\2\3") == "carry_amount", "there is no progressive"


def test_a_meter_that_is_brought_is_told_to_the_cent_and_kept():
    t = premium(bonus_spin="flush5_progressive")
    t.key(1)
    t.key(1, events.SERVICE)
    cents = 20000001
    assert t.do("CARRY", cents.to_bytes(4, "big")) == [
        ("log", "carried", 0, cents), ("checkpoint", 0),
    ]  # fmt: skip
    assert t.m.meters.jackpot == cents
    for name, args, about in (("CARRY", (b"1",), "CARRY"), ("OVERRIDE", (2,), "OVERRIDE")):
        try:
            t.do(name, *args)
            raise AssertionError(name)
        except Refused as e:
            assert (e.code, e.about) == ("malformed", (about,))


def test_new_cards_have_no_past_and_spread_ones_keep_theirs():
    t = colorado(shuffler="plain", second_deck=True)
    t.open()
    t.m.deck, t.m.since_stub = 1, 0x0203
    t.do("IDLE")
    t.do("OPEN", 2)
    assert (t.m.deck, t.m.since_stub) == (1, 0x0203)
    t.do("CLOSE")
    t.do("OPEN", 1)
    assert (t.m.deck, t.m.since_stub) == (0, 0)


def test_a_table_without_a_shuffler_minds_no_report_of_one():
    t = headsup()
    t.do("OPEN", 0)
    t.key(1)
    while due(t.m).choices != ("shuffle",):
        t.turn()
    t.do("HAPPENED", SHUFFLER, JAM)
    assert t.do("SHUFFLED", 0) == [("check", "cut")]


def test_a_day_around_the_rounds():
    t = headsup()
    assert t.do("BOOT", 7) == [("log", "boot", 7, 0)] and t.m.boots == 1
    assert t.do("KEY", 1, 1) == [("log", "key", 1, 1)] and t.m.keys == 2
    assert t.do("KEY", 0, 1) == [("log", "key", 0, 1)] and t.m.keys == 3
    assert t.do("KEY", 1, 0) == [("log", "key", 1, 0)] and t.m.keys == 1
    assert t.refused("KEY", 0, 2) == t.refused("KEY", 2, 0) == "malformed"
    assert t.refused("IDLE") == "not_open" and t.refused("OPEN", 2) == "not_idle"
    t.do("OPEN", 0)
    assert t.refused("IDLE") == "step_order"
    t.checklist()
    t.do("SHOE", 0, 1, b"\5")
    t.m.accept = 1
    assert t.do("IDLE") == [("phase", "idle"), ("checkpoint", 0)]
    assert (t.m.early, t.m.accept, t.m.steps, t.m.step_at) == (b"", 0, b"", 0)
    assert t.refused("OPEN", 0) == "not_closed" and t.refused("CARD", 1) == "no_card_due"
    t.do("OPEN", 2)
    assert due(t.m).choices == ("turn_up",)
    assert t.do("IDLE")[0] == ("phase", "idle"), "spread again: these cards were verified"
    t.do("OPEN", 2)
    t.checklist()
    t.do("SHOE", 0, 1, b"\5")
    t.m.accept = 1
    assert t.do("CLOSE") == [("phase", "closed"), ("checkpoint", 0)]
    assert (t.m.early, t.m.accept, t.m.steps, t.m.step_at) == (b"", 0, b"", 0)
    assert due(t.m).choices == ("closed",)
    t.key(1)
    t.m.meters.period_rounds = 5
    assert t.do("PERIOD") == [("log", "period", 0, 0), ("checkpoint", 0)]
    assert t.m.meters.period_rounds == 0


def test_an_event_of_the_wrong_length_is_named():
    t = premium()
    for raw, about in ((b"\x04", "OPEN"), (pack("PAID", 1) + b"\0", "PAID")):
        try:
            t.m.step(raw)
            raise AssertionError(raw)
        except Refused as e:
            assert (e.code, e.about) == ("malformed", (about,))
    for raw, code in ((b"", 0), (b"\x11", 17), (b"\xff", 255)):
        try:
            t.m.step(raw)
            raise AssertionError(raw)
        except Refused as e:
            assert (e.code, e.about) == ("unknown_event", (code,))
