"""What a shoe reports, word for word: taken, held, stopped, gone on, or the shoe has failed."""

from croupier import find, headsup, premium, why
from felt.games.common import BOARD, DEALER, DISCARD
from felt.round.due import due

DRAWN, STACK, UP = 0, 1, 2
NONE = 255  # a card nobody read
FIRST = ("note", "first_card")
ASKED = [("phase", "decide"), ("ask", 1, "raise1", "raise2", "raise3", "check")]
EARLY = [("alarm", "drawn_in_error", 0, ""), ("log", "drawn_in_error", 0, 0)]


def down(place, then=None):
    return [("down", place)] + ([("due", then, 1, 0)] if then is not None else [])


def table(*seats, **settings):
    t = headsup(**settings)
    t.begin(*(seats or (1, 2)))
    return t


def report(t, kind, position, *cards):
    return t.do("SHOE", kind, position, bytes(cards))


def lie(t, *where):
    return [list(t.m.r.cards[place]) for place in where]


def test_cards_that_fit_are_taken_in_their_order():
    t = table()
    assert report(t, STACK, 3, 10, 11, 12) == [FIRST] + down(1, 2) + down(2, 0) + down(0, 1)
    assert report(t, DRAWN, 4, 13) == down(1, 2)
    assert report(t, DRAWN, 0, 14) == down(2, 0), "a shoe that does not count"
    assert report(t, DRAWN, 6, 15) == down(0) + ASKED
    assert lie(t, 1, 2, DEALER) == [[10, 13], [11, 14], [12, 15]]
    assert report(t, DRAWN, 7, 16) == EARLY, "the next card, before its time"
    assert t.m.r.held == [16] and due(t.m).kind == "decide"


def test_a_gap_waits_with_all_that_comes_and_goes_on_with_cards_nobody_read():
    t = table()
    report(t, STACK, 3, 10, 11, 12)
    assert report(t, DRAWN, 7, 20) == [("alarm", "stop.gap", 4, "7"), ("log", "stopped", 4, 7)]
    now = due(t.m)
    assert (now.kind, now.choices, now.amounts) == ("stop", ("gap",), (4, 7))
    assert report(t, DRAWN, 8, 21) == [("alarm", "stopped", 0, "")]
    assert t.m.r.dealt == 3
    assert t.do("GO_ON") == down(1, 2) + down(2, 0) + down(0) + ASKED + EARLY * 2
    assert lie(t, 1, 2, DEALER) == [[10, NONE], [11, NONE], [12, NONE]]
    assert list(t.m.r.raw)[6:] == [20, 21] and t.m.r.held[0] == 20
    assert why(t, "GO_ON") == ("not_stopped",)


def test_a_gap_as_large_as_what_is_due_is_the_largest():
    t = table()
    report(t, DRAWN, 7, 20)
    assert find(t.do("GO_ON"), "alarm") == [EARLY[0]] and t.m.r.held[0] == 20
    t = table()
    report(t, DRAWN, 8, 20)
    assert why(t, "GO_ON") == ("gap_too_large", 7)
    now = due(t.m)
    assert (now.kind, now.choices, now.amounts) == ("stop", ("gap",), (1, 8)), "as before"


def test_what_waited_may_stop_the_deal_again():
    t = table()
    report(t, DRAWN, 3, 20)
    report(t, DRAWN, 4, 20)
    report(t, DRAWN, 5, 21)
    assert t.do("GO_ON") == [FIRST] + down(1, 2) + down(2, 0) + down(0, 1) + [
        ("alarm", "stop.double", 4, "0"), ("log", "stopped", 4, 0),
    ]  # fmt: skip
    assert t.do("GO_ON") == down(1, 2) + down(2, 0)
    assert lie(t, 1, 2, DEALER) == [[NONE, NONE], [NONE, 21], [20]]
    assert list(t.m.r.raw) == [NONE, NONE, 20, 20, 21], "as the shoe told it"


def test_no_more_than_eight_wait():
    t = table()
    for n in range(8):
        report(t, DRAWN, 9 + n, n)
    assert why(t, "SHOE", DRAWN, 17, b"\x20") == ("no_card_due",)
    assert len(t.m.r.stopped) == 8
    t = table()
    report(t, DRAWN, 9, 1)
    assert why(t, "SHOE", STACK, 17, bytes(range(10, 18))) == ("no_card_due",)
    assert report(t, STACK, 16, *range(10, 17)) == [("alarm", "stopped", 0, "")]


def test_a_shoe_that_counts_anew_goes_on_from_there():
    t = table()
    report(t, STACK, 2, 10, 11)
    assert report(t, DRAWN, 1, 20) == [("alarm", "stop.back", 3, "1"), ("log", "stopped", 3, 1)]
    assert t.do("GO_ON") == down(0, 1)
    assert report(t, DRAWN, 2, 21) == down(1, 2)
    assert report(t, DRAWN, 2, 21) == [], "told again"
    assert report(t, DRAWN, 4, 22) == [("alarm", "stop.gap", 5, "6"), ("log", "stopped", 5, 6)]
    assert lie(t, 1, 2, DEALER) == [[10, 21], [11], [20]]


def test_a_card_told_again_is_taken_once():
    t = table()
    report(t, STACK, 3, 10, 11, 12)
    for position, card in ((1, 10), (2, 11), (3, 12)):
        assert report(t, DRAWN, position, card) == []
    assert report(t, STACK, 3, 11, 12) == [] and t.m.r.dealt == 3
    assert find(report(t, DRAWN, 0, 12), "alarm") == [("alarm", "stop.double", 4, "0")]


def test_a_face_up_card_from_the_shoe():
    t = table()
    assert report(t, UP, 1, 10) == [
        ("log", "face_up", 10, 0), ("card", DISCARD, 10), ("note", "face_up_discard"),
        ("due", 1, 1, 0),
    ]  # fmt: skip
    report(t, DRAWN, 2, 11)
    assert report(t, UP, 3, 11) == [("alarm", "stop.double", 3, "0"), ("log", "stopped", 3, 0)]
    assert t.do("GO_ON")[:2] == [("log", "face_up", NONE, 0), ("card", DISCARD, NONE)]
    assert t.m.r.void == "face_up", "it was the second one"


def test_a_card_read_twice_face_up_is_out_of_play_and_nobody_knows_which():
    t = table()
    report(t, DRAWN, 1, 11)
    report(t, UP, 2, 11)
    assert t.do("GO_ON") == [
        ("log", "face_up", NONE, 0), ("card", DISCARD, NONE), ("note", "face_up_discard"),
        ("due", 2, 1, 0),
    ]  # fmt: skip
    assert lie(t, 1, DISCARD) == [[11], [NONE]]


def auto(*seats):
    return table(*seats, dealing="auto")


def test_stacks_of_an_automated_shoe():
    t = auto()
    assert report(t, STACK, 5, 1, 2, 3, 4, 5) == [FIRST] + [("down", BOARD)] * 5 + [
        ("due", 1, 2, 0)
    ]
    for cards, said, read in (
        ((1, 6), ("stop.double", 6), [NONE, 6]),
        ((7, NONE), ("stop.unread", 9), [7, NONE]),
        ((8, 8), ("stop.double", 11), [8, NONE]),
    ):
        seat = due(t.m).places[0]
        stopped = report(t, STACK, t.m.r.dealt + 2, *cards)
        assert stopped == [("alarm",) + said + ("0",), ("log", "stopped", said[1], 0)]
        assert t.do("GO_ON")[:2] == [("down", seat)] * 2 and lie(t, seat) == [read]
        assert list(t.m.r.raw)[-2:] == list(cards)
    assert due(t.m).kind == "decide"


def test_an_automated_shoe_that_miscounts_has_failed():
    for kind, position, cards, said in (
        (STACK, 6, (1, 2, 3, 4, 5), (1, 2)),
        (STACK, 4, (1, 2, 3, 4), (5, 4)),
        (STACK, 6, (1, 2, 3, 4, 5, 6), (5, 6)),
    ):
        t = auto(1)
        effects = report(t, kind, position, *cards)
        assert effects[:3] == [
            ("alarm", "shoe_failed", said[0], str(said[1])), ("log", "stopped") + said,
            ("void", "jam"),
        ]  # fmt: skip
        assert t.m.broken == 1 and t.m.meters.voids[4] == 1
        assert why(t, "SHOE", DRAWN, 1, b"\1") == ("no_card_due",)
    t = auto(1)
    report(t, STACK, 5, 1, 2, 3, 4, 5)
    assert report(t, STACK, 2, 6, 7)[:2] == [
        ("alarm", "shoe_failed", 6, "1"), ("log", "stopped", 6, 1),
    ]  # fmt: skip


def test_cards_too_many_are_counted_in_the_rack():
    t = table(1)
    report(t, STACK, 4, 1, 2, 3, 4)
    t.act(1, "raise1")
    report(t, STACK, 9, *range(5, 10))
    assert due(t.m).kind == "reveal"
    assert report(t, DRAWN, 10, 30) == [("alarm", "too_many", 0, ""), ("log", "too_many", 0, 1)]
    assert report(t, DRAWN, 11, 30) == [("alarm", "too_many", 0, ""), ("log", "too_many", 0, 1)]
    assert report(t, UP, 12, 31) == [("note", "face_up_ignored"), ("log", "too_many", 0, 1)]
    assert lie(t, DISCARD) == [[30, NONE, 31]] and not t.m.r.visible[DISCARD]
    assert t.m.r.dealt == 12
    for n in range(48):
        report(t, DRAWN, 13 + n, (32 + n) % 52)
    assert t.m.r.dealt == 60 and why(t, "SHOE", DRAWN, 61, b"\1") == ("no_card_due",)


def test_before_the_lock_the_next_round_s_first_cards_are_held():
    t = headsup()
    t.open()
    assert report(t, DRAWN, 1, 10) == [
        ("log", "astray", 1, 1), ("alarm", "drawn_in_error", 0, ""),
    ]  # fmt: skip
    assert report(t, STACK, 3, 11, 12)[1:] == [("alarm", "drawn_in_error", 0, "")]
    assert report(t, DRAWN, 3, 12) == [("log", "astray", 1, 3)], "told again"
    assert report(t, DRAWN, 0, 13)[1:] == [("alarm", "drawn_in_error", 0, "")]
    assert list(t.m.early) == [10, 11, 12, 13]
    assert report(t, DRAWN, 4, 14) == [
        ("log", "astray", 1, 4), ("alarm", "not_shuffled", 5, "4"), ("check", "shuffle"),
    ]  # fmt: skip
    assert t.m.early == b"" and due(t.m).kind == "check"
    assert report(t, DRAWN, 1, 10) == [("log", "astray", 1, 1), ("alarm", "astray", 0, "")]
    t.checklist()
    assert report(t, UP, 1, 10)[1] == ("alarm", "not_shuffled", 1, "1")
    t.checklist()
    report(t, STACK, 8, *range(8))
    t.begin(1, 2)
    assert t.effects[-7:] == down(0) + ASKED + EARLY * 2
    assert lie(t, 1, 2, DEALER) == [[0, 3], [1, 4], [2, 5]] and t.m.early == b""
    assert report(t, DRAWN, 9, 9) == EARLY, "and the shoe counts on"


def test_a_cut_that_is_ordered_stops_the_shoe():
    t = table()
    t.key(1)
    t.do("OVERRIDE", 0)
    assert report(t, DRAWN, 1, 10) == [("alarm", "stop.cut", 0, "0"), ("log", "stopped", 0, 0)]
    assert why(t, "GO_ON") == ("cut_due", 0) and due(t.m).kind == "check"
    assert why(t, "CARD", 1) == ("cut_due",)


def test_what_is_no_report_is_refused():
    t = table()
    for kind, position, cards in (
        (3, 1, b"\1"), (DRAWN, 1, b""), (DRAWN, 1, b"\x34"), (DRAWN, 1, b"\xfe"),
        (DRAWN, 2, b"\1\2"), (UP, 2, b"\1\2"), (STACK, 1, b"\1\2"),
    ):  # fmt: skip
        assert why(t, "SHOE", kind, position, cards) == ("malformed", "SHOE")
    assert report(t, STACK, 0, 1, 2) == [FIRST] + down(1, 2) + down(2, 0)


def test_a_hand_that_lacks_a_card_is_given_it_by_the_shoe():
    t = premium()
    t.begin(1)
    report(t, STACK, 5, *range(5))  # the dealer passed himself over in the first lap
    assert t.do("MISDEALT", DEALER, 1, 0) == [("log", "miscount", 0, 1), ("due", 0, 1, 0)]
    assert due(t.m).kind == "mend" and lie(t, 1, DEALER) == [[0, 1, 3], [2, 4]]
    assert report(t, DRAWN, 6, 5) == [
        ("down", 0), ("note", "dealer_complete"), ("phase", "decide"),
        ("ask", 1, "play3", "check"),
    ]  # fmt: skip
    assert lie(t, DEALER) == [[2, 4, 5]]


def test_a_gap_is_as_large_as_what_is_owed_once_the_cards_lie_there():
    t = table(1)
    report(t, STACK, 4, 1, 2, 3, 4)
    report(t, DRAWN, 6, 6)
    assert why(t, "GO_ON") == ("gap_too_large", 1), "nothing is due while seats decide"
    t = premium()
    t.begin(1)
    report(t, STACK, 6, *range(6))
    t.do("MISCOUNT", DEALER, 2)
    report(t, DRAWN, 8, 7)
    assert find(t.do("GO_ON"), "note") == [("note", "dealer_complete")]
    assert t.m.r.held == [7]


def test_an_unread_card_face_up_is_laid_aside():
    t = table()
    assert report(t, UP, 1, NONE) == [("alarm", "stop.unread", 1, "0"), ("log", "stopped", 1, 0)]
    assert t.do("GO_ON")[:2] == [("log", "face_up", NONE, 0), ("card", DISCARD, NONE)]
    assert t.m.r.face_up == 1 and lie(t, DISCARD) == [[NONE]]


def test_eight_stacks_wait():
    t = auto()
    report(t, STACK, 5, 1, 2, 3, 4, NONE)
    for n in range(7):
        report(t, STACK, 7 + 2 * n, 10 + n, 20 + n)
    assert why(t, "SHOE", STACK, 21, b"01") == ("no_card_due",)
    assert len(t.m.r.stopped) == 8


def test_a_table_without_a_reader_takes_cards_nobody_read():
    t = table(1, card_reader=False)
    assert report(t, DRAWN, 1, NONE) == [FIRST] + down(1, 0)
