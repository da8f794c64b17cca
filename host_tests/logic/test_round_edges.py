"""Corners of a round that money and cards pass seldom: each said out loud, or refused by name."""

from croupier import ONES, colorado, find, headsup, premium, winners_pot
from felt import cards
from felt.cards import UNKNOWN
from felt.games.base import Game
from felt.games.common import BOARD, DEALER
from felt.round import events
from felt.round.due import due
from felt.round.machine import Machine
from felt.round.meters import Meters
from felt.round.numbers import Reader, pack_ints, unpack_ints
from felt.round.state import Refused

DRAWN, STACK, UP = 0, 1, 2


def why(t, name, *args):
    """Return "code about" of a refusal."""
    try:
        t.m.step(events.pack(name, *args))
    except Refused as e:
        return " ".join([e.code] + [str(a) for a in e.about])
    return None


def wrong(call, *args):
    """Return the text of a ValueError."""
    try:
        call(*args)
    except ValueError as e:
        return str(e)
    return None


def test_the_spot_where_chips_and_entry_differ_is_named():
    t = headsup(sensors=True)
    t.open()
    t.bet(3, 500, 500, 0, 100)
    for seen, named in ((0b1010, "ante"), (0b1001, "odds"), (0b1111, "trips_plus"),
                        (0b0011, "pocket_bonus"), (0, "ante")):  # fmt: skip
        t.do("SENSORS", bytes([0, 0, seen, 0, 0, 0, 0]))
        assert why(t, "LOCK", b"") == "sensor_mismatch 3 " + named
    t.do("SENSORS", bytes([0, 1, 0b1011, 0, 0, 0, 0]))
    assert why(t, "LOCK", b"") == "sensor_mismatch 2 ante"
    t.do("SENSORS", bytes([0, 0, 0b11011, 0, 0, 0, 0]))
    assert why(t, "LOCK", b"") is None, "the raise's spot is no wager yet"


def test_a_hand_nobody_read_is_named_before_it_is_paid_at_once():
    t = colorado(card_reader=False)
    t.begin(1)
    t.do("DEALT")
    assert due(t.m).kind == "decide"
    assert why(t, "ACT", 1, 3, 255) == "name_first 1"
    t.do("NAMED", 1, bytes(cards.parse_all("AhAdAc")))
    t.act(1, "instant")
    assert [e[2:4] for e in find(t.effects, "pay")] == [("ante", 2500)]


def test_a_name_that_is_known_already_is_no_news():
    t = headsup()
    t.begin(1, s1="AhAd", dealer="KcKd", board="2c3d4h8s9s")
    while due(t.m).kind != "settle":
        t.turn() if due(t.m).kind != "decide" else t.act(1, due(t.m).choices[0])
    held = bytes(t.m.r.cards[1])
    assert why(t, "NAMED", 1, held) == "named_so 1"
    assert why(t, "NAMED", 1, bytes([held[0], held[0]])) == "named_twice %d" % held[0]
    assert why(t, "NAMED", 1, bytes(t.m.r.cards[BOARD][:1])) == (
        "lies_elsewhere %d 8" % t.m.r.cards[BOARD][0]
    )
    other = bytes(cards.parse_all("7c7d"))
    assert why(t, "NAMED", 1, other) == "attendant_key"
    t.key(1)
    t.do("NAMED", 1, other)
    assert find(t.effects, "log") == [
        ("log", "named", held[0], other[0]), ("log", "named", held[1], other[1]),
    ]  # fmt: skip
    assert find(t.effects, "note") == [("note", "named", 1)]
    assert find(t.effects, "take"), "it is settled again, and loses"


def test_cards_that_come_together_from_a_shoe_are_taken_one_by_one():
    t = headsup()
    t.begin(1, 2)
    t.do("SHOE", STACK, 3, bytes([10, 11, 12]))
    r = t.m.r
    assert [bytes(r.cards[p]) for p in (1, 2, DEALER)] == [b"\x0a", b"\x0b", b"\x0c"]
    t.do("SHOE", STACK, 0, bytes([13, 14]))
    assert [bytes(r.cards[p]) for p in (1, 2)] == [b"\x0a\x0d", b"\x0b\x0e"]
    t.do("SHOE", STACK, 5, bytes([13, 14]))
    assert r.dealt == 5, "told again after a restart"


def test_a_shoe_s_cards_that_do_not_fit_are_told_with_what_was_expected():
    for report, alarm in (
        ((DRAWN, 2, bytes([UNKNOWN])), ("stop.unread", 2, "0")),
        ((DRAWN, 2, bytes([10])), ("stop.double", 2, "0")),
        ((DRAWN, 4, bytes([11])), ("stop.gap", 2, "4")),
        ((DRAWN, 1, bytes([11])), ("stop.back", 2, "1")),
    ):
        t = headsup()
        t.begin(1)
        t.do("SHOE", DRAWN, 1, bytes([10]))
        t.do("SHOE", *report)
        assert find(t.effects, "alarm") == [("alarm",) + alarm]
        log = ("log", "stopped", alarm[1], int(alarm[2]))
        assert find(t.effects, "log") == [log]
        t.do("SHOE", DRAWN, 3, bytes([20]))
        assert find(t.effects, "alarm") == [("alarm", "stopped", 0, "")], "the deal waits"
    t = headsup()
    t.begin(1)
    t.key(1)
    t.do("OVERRIDE", 0)
    assert find(t.effects, "check") == [("check", "cut")]
    t.do("SHOE", DRAWN, 1, bytes([10]))
    assert find(t.effects, "alarm") == [("alarm", "stop.cut", 0, "0")]
    assert why(t, "GO_ON") == "cut_due 0"


def test_a_stack_of_the_wrong_size_is_a_shoe_that_failed():
    t = headsup(dealing="auto")
    t.begin(1)
    t.do("SHOE", STACK, 4, bytes([1, 2, 3, 4]))
    assert find(t.effects, "alarm") == [("alarm", "shoe_failed", 5, "4")]
    assert find(t.effects, "void") == [("void", "jam")] and t.m.broken & 1
    assert why(t, "SHOE", DRAWN, 5, b"\x05") == "no_card_due", "the shoe keeps it"


def test_face_up_by_the_shoe():
    t = headsup()
    t.begin(1)
    t.do("SHOE", UP, 1, bytes([10]))
    assert find(t.effects, "log") == [("log", "face_up", 10, 0)]
    assert find(t.effects, "card") == [("card", 10, 10)]
    assert find(t.effects, "note") == [("note", "face_up_discard")]
    t.deal()
    t.act(1, "raise3")
    t.deal()
    t.deal()
    t.do("SHOE", UP, 0, bytes([51]))
    assert find(t.effects, "note") == [("note", "face_up_ignored")]
    assert find(t.effects, "log") == [("log", "too_many", 0, 1)]


def test_cards_before_the_lock_are_told():
    t = headsup()
    t.do("SHOE", DRAWN, 1, bytes([10]))
    assert find(t.effects, "alarm") == [("alarm", "astray", 0, "")]
    assert find(t.effects, "log") == [("log", "astray", 1, 1)]
    t.open()
    for n in range(8):
        t.do("SHOE", DRAWN, n + 1, bytes([n]))
        assert find(t.effects, "alarm") == [("alarm", "drawn_in_error", 0, "")]
    t.do("SHOE", DRAWN, 8, bytes([7]))
    assert not find(t.effects, "alarm"), "told again after a restart"
    t.do("SHOE", DRAWN, 9, bytes([8]))
    assert find(t.effects, "alarm") == [("alarm", "not_shuffled", 9, "9")]


def test_a_shuffler_that_comes_back_brings_a_deck_to_inspect():
    t = headsup(shuffler="plain")
    t.begin(1)
    t.do("HAPPENED", events.SHUFFLER, events.REMOVED)
    while due(t.m).kind not in ("collect", "stub"):
        t.turn() if due(t.m).kind != "decide" else t.act(1, due(t.m).choices[0])
    t.end()
    assert due(t.m).choices == ("shuffle",)
    t.do("HAPPENED", events.SHUFFLER, events.ATTACHED)
    assert find(t.effects, "log") == [("log", "device", 1, 2)]
    assert due(t.m).choices == ("inspect",)


def test_a_dump_is_of_this_table_between_rounds_and_whole():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(2, 500, 500)
    t.do("COUPON", 2, 0, 1)
    t.do("SHOE", DRAWN, 1, bytes([10]))
    saved = t.m.dump()
    again = Machine({"game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES})
    again.load(saved)
    assert bytes(again.coupons) == bytes(t.m.coupons) and any(again.coupons)
    assert again.early == b"\x0a" and again.bets[2] == [500, 500, 0, 0, 0]
    assert again.dump() == saved
    assert "another table" in wrong(Machine({"game": "premium"}).load, saved)
    assert "another table" in wrong(headsup().m.load, saved)
    assert "incomplete" in wrong(again.load, saved[:20])
    t.begin(2)
    assert t.refused("CLOSE") == "round_open"
    try:
        t.m.dump()
        raise AssertionError("a round is open")
    except Refused as e:
        assert e.code == "round_open"


def test_numbers_of_any_size_and_a_torn_tail():
    values = [0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 40, -(1 << 40)]
    packed = pack_ints(values)
    assert unpack_ints(packed) == values
    assert packed[:4] == b"\0\2\1\x7e", "one byte each"
    assert "inside a number" in wrong(unpack_ints, packed[:-1])
    take = Reader([2, 7, 8, 9])
    assert take.group() == [7, 8] and take.rest() == [9]
    try:
        take.one()
        raise AssertionError("there is no more")
    except IndexError:
        pass


def test_a_meter_is_brought_between_its_seed_and_what_can_be_recorded():
    def carried(cents):
        m = Machine({"game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES})
        return wrong(m.meters.carry, cents), m.meters

    assert "below its seed" in carried(999999)[0]
    assert "more than can be recorded" in carried(1 << 31)[0]
    for cents in (1000000, (1 << 31) - 1):
        said, meters = carried(cents)
        assert said is None and meters.jackpot == cents and meters.conserved()
        assert meters.carried == cents - 1000000
    assert "below its seed" in wrong(Meters(("ante",), None).carry, 5)
    assert "another game" in wrong(Meters(("ante",), None).restore, [0] * 99)
    meters = Meters(("ante", "odds"), None)
    meters.settled("odds", 500, -500)
    meters.settled("ante", 500, 300, coupon=True)
    meters.round_over()
    other = Meters(("ante", "odds"), None)
    other.restore(meters.values())
    assert other.values() == meters.values() and other.coupons == 500
    assert (other.handle, other.win) == ([0, 500], [-300, 500])
    other.restart_period()
    assert (other.period_handle, other.period_win, other.period_rounds) == ([0, 0], [0, 0], 0)
    assert (other.handle, other.rounds) == ([0, 500], 1), "a lifetime never goes back"


def test_a_tie_with_a_dealer_who_does_not_qualify_names_the_qualification():
    t = headsup(ante_unqualified="compare")
    t.begin(1, s1="2h3d", dealer="2c3s", board="5c7d9hJsAc")
    while due(t.m).kind != "settle":
        t.turn() if due(t.m).kind != "decide" else t.act(1, due(t.m).choices[0])
    push = [e for e in find(t.effects, "push") if e[2] == "ante"]
    assert [e[4:] for e in push] == [("13:69F-39.11(b)(1)", "unqualified")]


def test_a_game_says_what_it_must_say_itself():
    bare = Game()
    for hook, args in (("script", 1), ("plan", 2), ("legal", 3), ("settle", 2), ("finish", 1)):
        try:
            getattr(bare, hook)(*([None] * args))
        except NotImplementedError:
            continue
        raise AssertionError(hook)


def test_a_seat_that_leaves_while_others_decide():
    """Its turn or an earlier one: whoever is next is asked, and nobody twice."""
    for gone, asked in ((1, 2), (2, 3), (3, 2)):
        t = premium()
        t.begin(1, 2, 3)
        t.deal()
        t.act(1, "check")
        assert due(t.m).seat == 2
        t.key(1)
        t.do("MISCOUNT", gone, 4)
        assert due(t.m).seat == asked, gone
        assert find(t.effects, "alarm") == [("alarm", "compare_hands", 0, "")]
        assert find(t.effects, "log") == [("log", "miscount", gone, 4)]
        kept = [s for s in (1, 2, 3) if s != gone]
        assert list(t.m.r.order) == kept
    t = premium()
    t.begin(1, 2)
    t.deal()
    t.act(1, "check")
    t.key(1)
    t.do("MISCOUNT", 2, 2)
    assert due(t.m).kind == "deal" and due(t.m).places[0] & 15 == BOARD


def test_a_burn_that_was_missed_is_made_good_before_the_next_card():
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.all_act("bet")
    t.do("NO_BURN")
    assert find(t.effects, "log") == [("log", "no_burn", 0, 0)]
    t.deal()
    t.all_act("double")
    assert [bytes(p)[0] & 127 for p in t.m.r.plan[:2]] == [9, 9], "two before the next card"


def test_a_deck_that_leaves_is_told_logged_and_kept():
    t = headsup(shuffler="counting")
    t.do("OPEN", 0)
    t.key(1)
    while due(t.m).choices != ("shuffle",):
        t.turn()
    t.do("SHUFFLED", 51)
    assert find(t.effects, "alarm") == [("alarm", "deck_removed", 1, "")]
    assert find(t.effects, "log") == [("log", "deck_removed", 0, 0)]
    assert find(t.effects, "checkpoint") == [("checkpoint", 0)]
    assert due(t.m).kind == "closed"
