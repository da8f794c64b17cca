"""Wagers, coupons, pairs and spots, word for word: what the log and the alarms say of them."""

from croupier import Croupier, colorado, find, headsup, premium
from felt.games.common import IN
from felt.round.due import due
from felt.round.events import NOT_PAIRED
from felt.round.state import Refused

OFF = NOT_PAIRED


def seen(**spots):
    """Return what the sensors see: s3=0b101 are the first and third spot of seat 3."""
    bits = bytearray(7)
    for seat in spots:
        bits[int(seat[1:]) - 1] = spots[seat]
    return bytes(bits)


def test_a_coupon_is_told_taken_back_and_gone_with_its_wager():
    t = premium()
    t.open()
    t.bet(6, 500, 500, 100)
    assert t.do("COUPON", 6, 1, 1) == [("coupon", 6, "xtra", 1)]
    assert t.do("COUPON", 6, 0, 1) == [("coupon", 6, "ante", 1)]
    assert list(t.m.coupons) == [0] * 6 + [3, 0]
    assert t.do("COUPON", 6, 0, 0) == [("coupon", 6, "ante", 0)]
    assert list(t.m.coupons) == [0] * 6 + [2, 0]
    assert t.do("COUPON", 6, 1, 0) == [("coupon", 6, "xtra", 0)] and not any(t.m.coupons)
    t.do("COUPON", 6, 1, 1)
    t.bet(6, 500, 500)
    assert not any(t.m.coupons), "the wager is another one"
    t.do("COUPON", 6, 1, 1)
    t.begin(6)
    assert t.m.r.is_coupon(6, "xtra") and not t.m.r.is_coupon(6, "ante")
    t.key(1)
    t.do("VOID", 0)
    t.do("END")
    assert t.m.bets == [None] * 8 and t.m.coupons == bytearray(8), "the felt is empty"


def test_two_positions_are_neighbours_at_the_table_and_told():
    t = colorado(two_positions=True)
    t.open()
    assert t.refused("PAIRED", 0, 1) == "not_adjacent"
    assert t.refused("PAIRED", 2, 2) == "not_adjacent"
    assert t.refused("PAIRED", 1, 3) == "not_adjacent"
    assert t.refused("PAIRED", 2, 1) == "not_adjacent"
    last = t.m.cfg["seats"]
    assert t.refused("PAIRED", last, last + 1) == "not_adjacent"
    assert t.do("PAIRED", last - 1, last) == [("log", "paired", last - 1, last)]
    assert t.do("PAIRED", 1, 2) == [("log", "paired", 1, 2)]
    assert t.do("PAIRED", 1, 2) == [("log", "paired", 1, 2)] and len(t.m.pairs) == 2
    assert t.refused("PAIRED", 2, 3) == "two_at_most"
    assert t.do("PAIRED", OFF | 1, 2) == [("log", "paired", 1, 0)]
    assert t.m.pairs == [(last - 1, last)]
    assert t.refused("PAIRED", OFF | 1, 2) == "not_paired"
    t.do("PAIRED", 2, 3)


def test_a_wager_without_a_seat_is_refused():
    t = premium()
    t.open()
    try:
        t.m.step(b"\x09")
        raise AssertionError("taken")
    except Refused as e:
        assert (e.code, e.about) == ("no_seat", (0,))


def test_chips_and_entries_are_compared_at_the_last_seat_too():
    t = premium(sensors=True)
    t.open()
    t.bet(6, 500, 500)
    t.do("SENSORS", seen(s6=0b111))
    assert t.refused("LOCK", b"") == "sensor_mismatch"
    t.do("SENSORS", seen(s6=0b100011))
    t.do("LOCK", b"")
    assert t.do("SENSORS", seen(s6=0b000111)) == [
        ("alarm", "late_bet", 6, "dealer_bonus"), ("log", "late_bet", 6, 2),
    ]  # fmt: skip


def test_limits_hold_at_both_ends_and_for_wagers_that_are_made():
    t = headsup(limits={"ante": [500, 2000], "odds": [500, 2000], "trips_plus": [100, 100]})
    t.open()
    for cents, why in ((500, None), (2000, None), (400, "limits"), (2100, "limits")):
        said = None
        try:
            t.bet(1, cents, cents)
        except Refused as e:
            said = e.code
            assert e.about == (1, "ante", cents)
        assert said == why, cents
    t.bet(1, 500, 500, 100)
    assert t.m.bets[1] == [500, 500, 100, 0]


def locked():
    """A Premium round of seats 1 and 3, chips on ante and xtra."""
    t = Croupier("premium", sensors=True)
    t.open()
    t.bet(1, 500, 500)
    t.bet(3, 500, 500, 100)
    t.do("SENSORS", seen(s1=3, s3=7))
    t.do("LOCK", b"")
    return t


def test_a_place_that_is_no_seat_is_not_watched():
    t = locked()
    assert t.do("SENSORS", seen(s1=3, s3=7, s7=255)) == []


def test_antes_that_differ_are_named_by_their_seat():
    t = Croupier("winners_pot")
    t.open()
    t.bet(1, 500)
    t.bet(4, 600)
    try:
        t.do("LOCK", b"")
        raise AssertionError("locked")
    except Refused as e:
        assert (e.code, e.about) == ("equal_antes", (4, "ante"))


def test_a_lock_asks_for_the_shoe_only_where_it_deals():
    for dealing, why in (("hand", None), ("shoe", "device_blocked")):
        t = headsup(dealing=dealing, shuffler="plain")
        t.open()
        t.do("HAPPENED", 0, 0)
        t.bet(1, 500, 500)
        assert t.refused("LOCK", b"") == why


def test_chips_that_are_lost_may_go_and_those_that_are_not_may_not():
    t = headsup(sensors=True)
    t.open()
    for seat in (1, 2):
        t.bet(seat, 500, 500, 100)
    t.do("SENSORS", seen(s1=7, s2=7))
    t.begin(1, 2, s2="AhAd", dealer="KcKd", board="2c3d7h8s9s")
    while t.m.r.kind() in ("deal", "decide"):
        t.deal() if t.m.r.kind() == "deal" else t.all_act("raise1")
    there = 7 | 1 << t.m.game.SPOTS.index("raise")
    t.do("SENSORS", seen(s1=there, s2=there))
    t.turn()
    nets = {ln.wager: ln.net for ln in t.m.game.settle(t.m.r, 2)}
    assert nets["ante"] >= 0 and nets["trips_plus"] < 0
    assert find(t.do("SENSORS", seen(s1=there, s2=there & ~4)), "alarm") == []
    assert find(t.do("SENSORS", seen(s1=there, s2=there & ~5)), "alarm") == [
        ("alarm", "withdrawn", 2, "ante")
    ]


def test_a_spot_is_alarmed_once_a_change_and_logged_by_its_number():
    t = locked()
    assert t.do("SENSORS", seen(s1=3, s3=3)) == [
        ("alarm", "withdrawn", 3, "dealer_bonus"), ("log", "withdrawn", 3, 2),
    ]  # fmt: skip
    assert t.do("SENSORS", seen(s1=1, s3=3)) == [
        ("alarm", "withdrawn", 1, "xtra"), ("log", "withdrawn", 1, 1),
    ]  # fmt: skip
    assert t.do("SENSORS", seen(s1=3, s3=7)) == [], "they lie there again"
    assert t.do("SENSORS", seen(s1=3, s3=3)) == [
        ("alarm", "withdrawn", 3, "dealer_bonus"), ("log", "withdrawn", 3, 2),
    ]  # fmt: skip


def test_while_seats_decide_only_the_spot_of_a_raise_may_be_covered():
    t = locked()
    for c in range(9):
        t.do("CARD", c)
    play = 1 << t.m.game.SPOTS.index("play")
    assert t.do("SENSORS", seen(s1=3 | play, s3=7)) == []
    late = find(t.do("SENSORS", seen(s1=3 | play | 4, s3=7)), "alarm")
    assert late == [("alarm", "late_bet", 1, "dealer_bonus")]
    assert find(t.do("SENSORS", seen(s1=3, s2=play, s3=7)), "alarm") == [
        ("alarm", "late_bet", 2, "play")
    ], "nobody sits there"
    t.act(1, "play3")
    t.do("SENSORS", seen(s1=3 | play, s3=7))
    t.act(3, "check")
    assert find(t.do("SENSORS", seen(s1=3 | play, s3=7 | play)), "alarm") == [
        ("alarm", "late_bet", 3, "play")
    ], "the decision is over"
    assert find(t.do("SENSORS", seen(s1=3, s3=7)), "alarm") == [("alarm", "withdrawn", 1, "play")]


def test_a_fold_s_chips_are_the_dealers_and_a_booked_seat_s_its_own():
    t = locked()
    for c in range(9):
        t.do("CARD", 51 - c)
    t.all_act("check")
    for c in range(4):
        t.do("CARD", 5 * c)
    t.act(1, "fold")
    assert t.do("SENSORS", seen(s3=7)) == []
    assert find(t.do("SENSORS", seen(s1=8, s3=7)), "alarm") == [
        ("alarm", "late_bet", 1, "player_bonus")
    ]
    play = 1 << t.m.game.SPOTS.index("play")
    t.do("SENSORS", seen(s3=7 | play))
    t.act(3, "play1")
    t.turn()
    t.do("PAID", 3)
    assert t.do("SENSORS", seen()) == [] and t.do("SENSORS", seen(s3=255)) == []


def test_a_latched_wager_is_taken_up_at_the_lock():
    t = Croupier("premium", sensors=True, bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.do("SENSORS", seen(s1=0b10011))
    effects = t.do("LOCK", b"")
    assert (
        find(effects, "take") == [("take", 1, "bonus_spin", 500, "13:69F-X.10(a)3", "latched")]
        and t.m.meters.contributions == 35
    )
    assert t.do("SENSORS", seen(s1=0b00011)) == []


def test_the_pot_s_chips_are_the_dealers_from_the_last_card_on():
    t = Croupier("winners_pot", sensors=True)
    t.open()
    t.bet(1, 500, 100)
    t.bet(2, 500)
    t.do("SENSORS", seen(s1=3, s2=1))
    t.begin(1, 2)
    assert find(t.do("SENSORS", seen(s1=2, s2=1)), "alarm") == [("alarm", "withdrawn", 1, "ante")]
    t.do("SENSORS", seen(s1=3, s2=1))
    while t.m.r.kind() in ("deal", "decide"):
        if t.m.r.kind() == "deal":
            t.deal()
        else:
            t.all_act("bet" if not t.m.r.arg() else "double")
    assert t.m.r.kind() == "reveal"
    t.do("SENSORS", seen(s1=2))
    assert find(t.effects, "alarm") == []
    assert find(t.do("SENSORS", seen()), "alarm") == [("alarm", "withdrawn", 1, "jacks_plus")]


def folded(game, *stakes, **settings):
    """Seat 1 has every wager and folds as soon as it may: return what is alarmed when all goes."""
    t = Croupier(game, sensors=True, **settings)
    t.open()
    for seat in (1, 2):
        t.bet(seat, *stakes)
    all_spots = (1 << len(stakes)) - 1
    t.do("SENSORS", seen(s1=all_spots, s2=all_spots))
    t.begin(1, 2)
    while t.m.r.status[1] == IN:
        r = t.m.r
        if r.kind() == "deal":
            t.deal()
            continue
        seat = due(t.m).seat
        legal = t.m.game.legal(r, seat, r.arg())
        t.act(seat, "fold" if seat == 1 and "fold" in legal else legal[-1])
    return [e[3] for e in find(t.do("SENSORS", seen(s2=all_spots)), "alarm")]


def test_a_fold_s_live_side_wagers_are_not_taken_up_unnoticed():
    assert folded("premium", 500, 500, 100, 100) == ["dealer_bonus", "player_bonus"]
    assert folded("headsup", 500, 500, 100, 100) == ["trips_plus", "pocket_bonus"]
    assert folded("colorado", 500, 100, version="required") == []
    assert folded("winners_pot", 500, 100) == ["jacks_plus"]
    assert folded("ultimate", 500, 500, 100) == ["trips"]
    assert folded("ultimate", 500, 500, 100, trips_after_fold="lose") == []
    assert folded("three_card", 500, 100) == []
    assert folded("three_card", 500, 100, pair_plus_after_fold="live") == ["pair_plus"]


def test_a_dead_hand_s_jacks_plus_is_not_taken_up_unnoticed():
    t = Croupier("winners_pot", sensors=True)
    t.open()
    for seat in (1, 2, 3):
        t.bet(seat, 500, 100)
    t.do("SENSORS", seen(s1=3, s2=3, s3=3))
    t.begin(1, 2, 3)
    t.deal(8)
    t.do("EXPOSED", 1)
    t.do("EXPOSED", 1)
    assert find(t.do("SENSORS", seen(s1=2, s2=3, s3=3)), "alarm") == [], "its ante goes back"
    assert find(t.do("SENSORS", seen(s2=3, s3=3)), "alarm") == [
        ("alarm", "withdrawn", 1, "jacks_plus")
    ]


def test_the_chips_of_a_fold_taken_back_are_the_dealers_to_put_back():
    t = locked()
    for c in range(9):
        t.do("CARD", c)
    t.all_act("check")
    for c in range(9, 13):
        t.do("CARD", c)
    t.act(1, "fold")
    t.act(3, "fold")
    t.do("SENSORS", seen(s3=4))
    t.do("TAKE_BACK")
    t.do("TAKE_BACK")
    assert t.do("SENSORS", seen(s1=3, s3=4)) == [], "seat 1 first: seat 3 withdrew nothing"
    assert t.do("SENSORS", seen(s1=3, s3=5)) == []
    assert t.do("SENSORS", seen(s1=3, s3=7)) == []
    late = find(t.do("SENSORS", seen(s1=1, s3=7)), "alarm")
    assert late == [("alarm", "withdrawn", 1, "xtra")]
    assert t.do("SENSORS", seen(s1=1, s3=7 | 32)) == [] and t.m.r.late[1] == 2, "it stays alarmed"
