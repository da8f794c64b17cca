"""Entries in their turn: cards typed or unread, payments, spins, and what is taken back."""

from croupier import Croupier, colorado, find, headsup, premium, winners_pot, why
from felt.games.common import BOARD, DEALER, Line
from felt.round import payout
from felt.round.due import due

RULE = "13:69F-X.11(e)"


def cards(t, *those):
    for card in those:
        t.do("CARD", card)


def test_unread_cards_are_laid_down_until_one_is_due_face_up():
    t = winners_pot(card_reader=False)
    t.begin(1, 2)
    effects = t.do("DEALT")
    assert find(effects, "down") == [("down", p) for p in (1, 2, 0, 1, 2, 0)]
    assert effects[-1] == ("due", 1, 1, 1) and why(t, "DEALT") == ("no_card_due",)
    assert why(t, "CARD", 52) == ("bad_card", 52)
    assert t.do("CARD", 255) == [("down", 1), ("due", 2, 1, 1)], "nobody can say which it is"
    assert t.do("CARD", 5) == [("card", 2, 5), ("due", 0, 1, 1)]
    cards(t, 6)
    assert due(t.m).kind == "decide" and why(t, "DEALT") == ("no_card_due",)
    t = headsup()
    t.begin(1)
    assert why(t, "CARD", 255) == ("bad_card", 255), "a reader reads it"


def test_an_unread_board_is_named_as_far_as_it_is_turned():
    t = headsup(dealing="auto", card_reader=False)
    t.begin(1)
    t.do("DEALT")
    t.act(1, "check")
    for count, cards_there, shown in ((3, b"\1\2\3", 3), (5, b"\1\2\3\4\5", 2)):
        now = due(t.m)
        assert (now.kind, now.places, now.amounts) == ("name", bytes([BOARD]), (count,))
        t.do("NAMED", BOARD, cards_there)
        assert (due(t.m).kind, due(t.m).amounts) == ("show", (shown,))
        effects = find(t.do("REVEAL"), "card")
        assert effects == [("card", BOARD, c) for c in cards_there[count - shown :]]
        assert t.m.r.visible[BOARD] == (1 << count) - 1
        if due(t.m).kind == "decide":
            t.act(1, "raise1")
    assert due(t.m).kind == "name" and due(t.m).amounts == (2,)


def test_a_fold_that_nobody_read_is_named_where_a_wager_of_it_lives():
    t = Croupier("ultimate", card_reader=False)
    t.open()
    t.bet(1, 500, 500, 100)
    t.bet(2, 500, 500)
    t.begin(1, 2)
    t.do("DEALT")
    t.all_act("check")
    cards(t, 50, 51, 49)
    t.all_act("check")
    cards(t, 1, 2)
    t.all_act("fold")
    t.do("NAMED", DEALER, b"\7\x08")
    assert t.do("REVEAL")[-1] == ("name_due", 1)
    now = due(t.m)
    assert (now.kind, now.seat, now.amounts) == ("name", 1, (2,))
    t.do("NAMED", 1, b"\x0a\x0b")
    t.do("PAID", 1)
    assert due(t.m).kind == "collect", "of the other's nothing depends on its cards"


def test_cards_held_for_a_whole_stage_are_dealt_at_once():
    t = headsup()
    t.begin(1)
    t.deal()
    cards(t, 50, 51, 49)
    assert t.act(1, "check") == [
        ("act", 1, "check", 0), ("phase", "deal"), ("card", 8, 50), ("card", 8, 51),
        ("card", 8, 49), ("phase", "decide"), ("ask", 1, "raise1", "raise2", "check"),
    ]  # fmt: skip
    last = len(t.m.game.ACTIONS)
    assert why(t, "ACT", 1, last, 255) == ("illegal_action", 1, last)


def test_a_recut_is_asked_for_again():
    t = headsup()
    t.begin(1)
    t.key(1)
    t.do("OVERRIDE", 0)
    assert t.do("FACEUP", 50)[-1] == ("check", "cut")


def test_everybody_s_fold_ends_the_hands_of_a_pot():
    for stage in range(3):
        t = winners_pot()
        t.begin(1, 2)
        for _ in range(stage):
            t.deal()
            if due(t.m).kind == "decide":
                t.all_act(due(t.m).choices[0])
        t.deal()
        if due(t.m).kind != "decide":
            continue
        t.act(1, "fold")
        effects = t.act(2, "fold")
        assert [e[1] for e in find(effects, "phase")] == ["settle", "pot"], stage


def test_what_was_turned_stays_turned_when_a_card_is_named():
    t = headsup()
    t.begin(1, 2, s1="AhAd", s2="QhQd", dealer="KcKd", board="2c3d4h8s9s")
    while due(t.m).kind != "settle":
        t.turn() if due(t.m).kind != "decide" else t.act(due(t.m).seat, due(t.m).choices[0])
    assert (t.m.r.visible[DEALER], t.m.r.visible[1], t.m.r.visible[2]) == (3, 3, 0)
    t.do("PAID", 1)
    t.key(1)
    free = [c for c in range(52) if not t.m.r.seen[c]]
    t.do("NAMED", 2, bytes(free[:1]))
    assert (t.m.r.visible[DEALER], t.m.r.visible[1], t.m.r.visible[2]) == (3, 3, 3)


def test_a_cent_is_paid_taken_or_pushed():
    def told(net):
        return payout.effect(Line(1, "ante", 500, net, (1, 1), "rule", "why"))

    assert told(1) == ("pay", 1, "ante", 1, (1, 1), "rule", "why")
    assert told(-1) == ("take", 1, "ante", 1, "rule", "why")
    assert told(0) == ("push", 1, "ante", 500, "rule", "why")


def wheel(*seats):
    """A Premium round at its settlement; seats 1 and 2 have won a spin."""
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    for seat in seats:
        t.bet(seat, 500, 500, 0, 0, 500)
    t.begin(*seats, s1="2h5h9h", s2="3c6cTc")
    t.deal()
    t.all_act("play3")
    t.deal()
    t.turn()
    return t


def test_spins_one_after_the_other_to_a_hand_pay_and_an_end_without_a_wheel():
    t = wheel(1, 2, 3)
    while due(t.m).kind != "spin":
        t.turn()
    prize = 1000000 + 3 * 35
    assert t.do("SPIN", 1, 1) == [
        ("hit", 1, prize), ("log", "hit", 1, 1), ("spin", 1, 1),
        ("pay", 1, "bonus_spin", prize, None, RULE, "spin"),
    ]  # fmt: skip
    assert (t.m.meters.spins, t.m.meters.hits, t.m.meters.jackpot) == (1, 1, 1000000)
    assert why(t, "SPUN", 1) == ("hand_pay", 1) and why(t, "NO_SPIN") == ("no_spin",)
    t.key(1)
    assert t.do("HANDPAID", 1) == [("log", "hand_paid", 1, 0)]
    assert t.do("SPUN", 1) == [("spin_due", 2)]
    assert t.do("NO_SPIN") == [
        ("return", 2, "bonus_spin", 500, RULE, "no_spin"), ("log", "no_spin", 2, 0),
        ("phase", "collect"),
    ]  # fmt: skip
    nets = t.nets()
    assert [nets[s, "bonus_spin"] for s in (1, 2, 3)] == [prize - 500, 0, -500]


def test_a_hundredth_hit_is_logged_by_its_last_byte():
    t = wheel(1)
    while due(t.m).kind != "spin":
        t.turn()
    t.m.meters.hits = 256
    assert find(t.do("SPIN", 1, 1), "log") == [("log", "hit", 1, 1)]


# --- taken back


def test_what_is_taken_back_is_told_and_logged():
    t = colorado()
    t.begin(1, 2)
    t.deal()
    t.all_act("bet")
    t.turn()
    t.do("DISCARD", 2, t.m.r.cards[2][0])
    assert t.do("TAKE_BACK") == [
        ("undone", "DISCARD", 2), ("discard_due", 2), ("log", "undo", 37, 2),
    ]  # fmt: skip
    assert t.do("TAKE_BACK") == [("undone", "REVEAL", 0), ("log", "undo", 14, 0)]
    assert due(t.m).kind == "show"


def test_as_many_entries_as_are_kept_can_be_taken_back():
    for made, back in ((24, 24), (25, 1)):
        t = headsup()
        t.open()
        for n in range(made):
            t.bet(1, 500 + 100 * n, 500 + 100 * n)
        for _ in range(back):
            t.do("TAKE_BACK")
        assert why(t, "TAKE_BACK") == ("nothing_to_undo",)


def test_an_older_table_took_a_tap_back_over_payments_and_then_nothing():
    t = wheel(1, 2)
    t.do("TAP", 1)
    t.do("PAID", 1)
    assert t.do("UNDO") == [("undone", "TAP", 1), ("log", "undo", 16, 1)]
    assert not any(t.m.r.tapped) and why(t, "TAKE_BACK") == ("nothing_to_undo",)


def seen(*spots):
    return bytes(spots) + bytes(7 - len(spots))


def test_chips_of_the_seat_being_settled_make_what_was_booked_stand():
    t = wheel(1, 2)
    t.m.sensors = seen(1, 1)
    t.do("SENSORS", seen(0, 1))
    assert why(t, "TAKE_BACK") == ("nothing_to_undo",), "seat 1's chips moved: it is turned"
    t.do("TAP", 1)
    assert find(t.do("TAKE_BACK"), "undone") == [("undone", "TAP", 1)], "what came since is not"
    assert why(t, "TAKE_BACK") == ("nothing_to_undo",)


def test_other_chips_and_chips_of_a_decision_make_nothing_stand():
    t = wheel(1, 2)
    t.do("SENSORS", seen(0, 1))
    assert find(t.do("TAKE_BACK"), "undone") == [("undone", "REVEAL", 0)]
    t = headsup(dealing="auto")
    t.begin(1)
    t.deal()
    t.act(1, "check")
    t.do("REVEAL")
    t.do("SENSORS", seen(16))
    assert find(t.do("TAKE_BACK"), "undone") == [("undone", "REVEAL", 0)]


def test_a_discard_is_taken_back_although_chips_have_moved():
    for first in ("SENSORS", "NAMED"):
        t = colorado()
        t.begin(1)
        t.deal()
        t.all_act("bet")
        t.turn()
        if first == "SENSORS":
            t.do("SENSORS", seen(1))
        else:
            t.key(1)
            t.do("NAMED", 1, b"\x32")  # nothing before it is taken back
        t.do("DISCARD", 1, t.m.r.cards[1][1])
        if first == "NAMED":
            t.do("SENSORS", seen(1))
        assert find(t.do("TAKE_BACK"), "undone") == [("undone", "DISCARD", 1)]
        assert why(t, "TAKE_BACK") == ("nothing_to_undo",)


def test_what_was_checked_when_it_was_entered_is_not_checked_again():
    t = colorado(sensors=True)
    t.open()
    t.bet(1, 500)
    t.bet(2, 500)
    t.do("SENSORS", seen(1, 1))
    t.begin(1, 2, s2="7c7d7h")
    t.deal()
    t.m.typed = True
    bet = 1 << t.m.game.SPOTS.index("bet")
    t.do("SENSORS", seen(1 | bet, 1))
    t.act(1, "bet")
    t.act(2, "instant")
    t.do("PAID", 2)
    t.do("SENSORS", seen(1, 1))
    assert find(t.do("TAKE_BACK"), "undone") == [("undone", "PAID", 2)] and t.m.typed
    assert (due(t.m).kind, due(t.m).seat) == ("settle", 2)


def test_nothing_is_taken_back_over_a_checkpoint():
    t = headsup()
    t.open()
    t.bet(1, 500, 500)
    saved = t.m.dump()
    assert why(t, "TAKE_BACK") == ("nothing_to_undo",)
    t.bet(1, 600, 600)
    t.m.load(saved)
    assert why(t, "TAKE_BACK") == ("nothing_to_undo",) and t.m.bets[1] == [500, 500, 0, 0]
