"""Cards from the shoe that do not fit, and reports that change where the others lie."""

from croupier import Croupier, find
from felt import cards
from felt.dealer.proposal import lines_of
from felt.games.common import DEALER, DISCARD
from felt.round.due import due

DRAWN, STACK, UP = 0, 1, 2


def ids(text):
    return [cards.parse(c) for c in text.split()]


def table(game, *seats, **settings):
    t = Croupier(game, **settings)
    t.begin(*seats)
    t.next = 1
    return t


def draw(t, text, kind=DRAWN):
    """Cards leave the shoe one after the other; return the last one's effects."""
    for c in ids(text):
        t.do("SHOE", kind, t.next, bytes([c]))
        t.next += 1
    return t.effects


def lie(t, place):
    return " ".join([cards.name(c) if c < 52 else "??" for c in t.m.r.cards[place]])


def test_a_card_before_the_lock_is_the_next_card():
    t = Croupier("headsup")
    t.open()
    effects = t.do("SHOE", DRAWN, 1, bytes(ids("As")))
    assert find(effects, "alarm") == [("alarm", "drawn_in_error", 0, "")]
    t.begin(1)
    assert lie(t, 1) == "As" and due(t.m).places == bytes([DEALER])


def test_it_outlives_a_checkpoint():
    t = Croupier("headsup")
    t.open()
    t.do("SHOE", DRAWN, 1, bytes(ids("As")))
    again = Croupier("headsup")
    again.m.load(t.m.dump())
    again.begin(1)
    assert lie(again, 1) == "As"


def test_a_deck_that_was_not_shuffled_is_noticed_before_the_lock():
    t = Croupier("headsup")
    t.open()
    t.bet(1, 500, 500)
    effects = t.do("SHOE", DRAWN, 14, bytes(ids("As")))
    assert find(effects, "alarm") == [("alarm", "not_shuffled", 1, "14")]
    assert due(t.m).choices == ("shuffle",) and t.m.bets[1]


def test_a_deck_that_was_not_shuffled_stops_the_deal():
    t = table("headsup", 1)
    t.do("SHOE", DRAWN, 27, bytes(ids("As")))
    now = due(t.m)
    assert (now.kind, now.choices, now.amounts) == ("stop", ("gap",), (1, 27))
    assert t.refused("GO_ON") == "gap_too_large" and t.refused("CARD", 0) == "stopped"
    t.key(1)
    t.do("VOID", 0)
    assert t.void_now()


def test_a_card_that_left_unread_is_named_when_it_is_turned():
    t = table("headsup", 1)
    draw(t, "As")
    t.next += 1  # one card the reader did not see
    draw(t, "Kd")
    assert due(t.m).kind == "stop" and due(t.m).amounts == (2, 3)
    t.do("GO_ON")
    assert lie(t, 1) == "As Kd" and lie(t, DEALER) == "??"


def test_a_card_told_again_is_taken_once():
    t = table("headsup", 1)
    draw(t, "As Kd")
    before = t.m.snapshot()
    t.do("SHOE", DRAWN, 2, bytes(ids("Kd")))
    t.do("SHOE", DRAWN, 1, bytes(ids("As")))
    assert t.m.snapshot() == before


def test_a_shoe_that_counts_from_one_again_stops_the_deal():
    t = table("headsup", 1)
    draw(t, "As Kd")
    t.do("SHOE", DRAWN, 1, bytes(ids("5c")))
    assert due(t.m).choices == ("back",)
    t.do("GO_ON")
    t.do("SHOE", DRAWN, 2, bytes(ids("6c")))
    assert lie(t, 1) == "As 5c" and lie(t, DEALER) == "Kd 6c"


def test_a_card_read_twice_stops_the_deal_and_is_named_later():
    t = table("headsup", 1)
    draw(t, "As As")
    assert due(t.m).choices == ("double",)
    t.do("GO_ON")
    assert lie(t, 1) == "As" and lie(t, DEALER) == "??"


def test_a_card_that_cannot_be_read_stops_the_deal():
    t = table("headsup", 1)
    t.do("SHOE", DRAWN, 1, b"\xff")
    assert due(t.m).choices == ("unread",)
    t.do("SHOE", DRAWN, 2, bytes(ids("Kd")))  # waits
    assert t.m.r.dealt == 0
    t.do("GO_ON")
    assert lie(t, 1) == "??" and lie(t, DEALER) == "Kd"


def test_a_card_too_many_goes_to_the_rack_and_is_counted():
    t = table("colorado", 1, version="required")
    draw(t, "2c 3c 4c 5c 6c 7c")
    effects = draw(t, "8c")
    assert ("alarm", "too_many", 0, "") in effects
    assert lie(t, DISCARD) == "8c" and t.m.r.dealt == 7 and not t.m.r.visible[DISCARD]


def test_a_short_stack_is_a_shoe_that_fails():
    t = table("premium", 1, 2, dealing="auto")
    t.do("SHOE", STACK, 2, bytes(ids("As Kd")))
    assert t.void_now() and t.m.broken


def test_an_extra_card_in_an_early_lap_moves_all_later_ones():
    t = table("premium", 1, 2)
    draw(t, "2c 3c 4c  5c 6c 7c  8c 9c Tc")  # the second card went to seat 1 as well
    assert t.m.phase_name() == "decide"
    t.do("MISDEALT", 1, 1, 1)
    assert lie(t, 2) == "4c 7c Tc" and lie(t, DEALER) == "5c 8c"
    assert due(t.m).kind == "mend" and due(t.m).places == bytes([DEALER])
    draw(t, "Jc")
    assert lie(t, DEALER) == "5c 8c Jc" and due(t.m).seat == 2


def test_a_seat_passed_over_moves_all_later_ones():
    t = table("premium", 1, 2)
    draw(t, "2c 3c  4c 5c 6c  7c 8c 9c")  # seat 1 got no first card
    t.do("MISDEALT", 1, 1, 0)
    assert lie(t, 2) == "2c 5c 8c" and lie(t, DEALER) == "3c 6c 9c"
    assert due(t.m).kind == "decide" and due(t.m).seat == 2


def test_the_dealers_hand_loses_the_card_that_went_astray():
    t = table("premium", 1, 2)
    draw(t, "2c 3c  5c 6c 7c  8c 9c Tc")  # the dealer passed himself over in the first lap
    t.do("MISDEALT", DEALER, 1, 0)
    assert lie(t, DEALER) == "7c Tc" and lie(t, 1) == "2c 5c 8c" and lie(t, 2) == "3c 6c 9c"
    assert due(t.m).kind == "mend"
    draw(t, "Jc")
    assert lie(t, DEALER) == "7c Tc Jc" and due(t.m).kind == "decide"


def test_a_dealers_hand_mended_without_a_lap_is_named_when_it_is_turned():
    t = table("premium", 1)
    draw(t, "2c 3c  4c 5c  6c 7c")
    t.do("MISCOUNT", DEALER, 2)
    draw(t, "8c")
    assert "??" in lie(t, DEALER)
    t.act(1, "check")
    draw(t, "Ah Kh Qh 2d")
    t.act(1, "play1")
    assert due(t.m).kind == "name" and t.refused("REVEAL") == "nothing_to_reveal"
    t.do("NAMED", DEALER, bytes(ids("3c 5c 8c")))
    t.do("REVEAL")
    assert t.m.phase_name() == "settle"


def test_a_missed_burn_noticed_one_card_later():
    t = table("winners_pot", 1, 2)
    draw(t, "2c 3c 4c  5c 6c 7c  8c 9c Tc")
    t.all_act("bet")
    draw(t, "Jc Qc")  # the first one lies at seat 1: nobody burnt it
    t.do("NO_BURN")
    assert lie(t, 1) == "2c 5c 8c Jc" and lie(t, 2) == "3c 6c 9c Qc" and not lie(t, 9)
    draw(t, "Kc")
    assert lie(t, DEALER) == "4c 7c Tc Kc"
    t.all_act("double")
    assert [d[0] & 127 for d in t.m.r.plan] == [9, 9, 1, 2, 0]


def test_a_card_found_face_up_after_it_was_read():
    t = table("headsup", 1, 2)
    draw(t, "2c 3c 4c")
    t.do("FACEUP", ids("3c")[0])
    assert lie(t, 1) == "2c" and lie(t, 2) == "4c" and lie(t, DISCARD) == "3c"
    assert due(t.m).places == bytes([DEALER])


def test_the_felt_wins_until_the_seat_is_booked():
    t = table("headsup", 1, 2)
    draw(t, "2c Ac Kc 3d Ad Kd")
    t.all_act("raise1")
    draw(t, "7h 8h 9s Th Qs")
    t.do("REVEAL")
    assert due(t.m).seat == 1
    assert t.refused("NAMED", 1, bytes(ids("5c 3d"))) == "attendant_key"
    t.key(1)
    assert t.refused("NAMED", 1, bytes(ids("5c 7h"))) == "lies_elsewhere"
    assert t.refused("NAMED", 1, bytes(ids("5c 5c"))) == "named_twice"
    assert t.refused("NAMED", 1, bytes(ids("5c 5d 5h"))) == "count_there"
    effects = t.do("NAMED", 1, bytes(ids("2c Ac")))  # swapped with seat 2's
    assert find(effects, "log") == [("log", "named", ids("3d")[0], ids("Ac")[0])]
    assert lie(t, 1) == "2c Ac" and lie(t, 2) == "?? Ad"
    t.do("PAID", 1)
    assert due(t.m).kind == "name" and t.refused("PAID", 2) == "name_due"
    assert t.refused("NAMED", 1, bytes(ids("2c 5c"))) == "settled_already"
    t.do("NAMED", 2, bytes(ids("3d Ad")))
    assert due(t.m).kind == "settle"
    t.do("PAID", 2)


def test_without_a_reader_cards_are_named_when_they_are_turned():
    t = table("headsup", 1, 2, card_reader=False)
    t.do("DEALT")
    t.all_act("raise1")
    for c in ids("7h 8h 9s Th Qs"):
        t.do("CARD", c)
    assert due(t.m).kind == "name" and due(t.m).places == bytes([DEALER])
    t.do("NAMED", DEALER, bytes(ids("2c 3d")))
    t.do("REVEAL")
    t.do("NAMED", 1, bytes(ids("Jc 3h")))
    assert due(t.m).kind == "settle" and due(t.m).seat == 1
    t.do("PAID", 1)
    t.do("NAMED", 2, bytes(ids("4c 5h")))
    t.do("PAID", 2)
    assert t.nets()[1, "raise"] == 500 and t.nets()[2, "raise"] == 0


def test_a_hand_to_be_named_has_no_lines_yet():
    t = table("headsup", 1, card_reader=False)
    t.do("DEALT")
    t.all_act("raise1")
    for c in ids("7h 8h 9s Th Qs"):
        t.do("CARD", c)
    t.do("NAMED", DEALER, bytes(ids("2c 3d")))
    t.do("REVEAL")
    assert due(t.m).kind == "name" and lines_of(t.m, 1) == ()


def test_what_an_unread_fold_loses_by_the_house_s_choice_is_booked():
    t = table("ultimate", 1, 2, card_reader=False, trips_after_fold="lose")
    t.m.bets[1][2] = t.m.r.bets[1][2] = 300
    t.do("DEALT")
    t.act(1, "check")
    t.act(2, "play4")
    for c in ids("7h 8h 9s"):
        t.do("CARD", c)
    t.act(1, "check")
    for c in ids("Th Qs"):
        t.do("CARD", c)
    t.act(1, "fold")
    t.do("NAMED", DEALER, bytes(ids("2c 3d")))
    t.do("REVEAL")
    t.do("NAMED", 2, bytes(ids("4c 5h")))
    t.do("PAID", 2)
    assert t.nets()[1, "trips"] == -300 and t.nets()[1, "ante"] < 0


def test_a_void_round_gives_back_what_was_not_given_back_yet():
    t = table("premium", 1, 2)
    draw(t, "2c 3c 4c  5c 6c 7c")
    t.do("MISDEALT", 1, 1, 1)
    t.key(1)
    t.do("VOID", 0)
    assert t.m.r.returned[1] == 0 and t.m.r.returned[2] == sum(t.m.r.bets[2])


def test_a_fourth_card_found_at_settlement_voids_that_hand_only():
    t = table("premium", 1, 2)
    draw(t, "2c 3c 4c  5c 6c 7c  8c 9c Tc")
    t.all_act("play3")
    draw(t, "Jd Qd Kd Ad")
    t.do("REVEAL")
    t.do("PAID", 1)
    effects = t.do("MISCOUNT", 2, 4)
    assert ("alarm", "compare_hands", 0, "") in effects
    assert t.m.phase_name() == "collect" and t.nets()[2, "ante"] == 0 and t.nets()[1, "ante"]


def test_the_fold_of_the_last_live_seat_can_be_undone():
    t = table("winners_pot", 1, 2)
    draw(t, "2c 3c 4c  5c 6c 7c  8c 9c Tc")
    t.act(1, "fold")
    before = t.m.snapshot()
    t.act(2, "fold")
    assert t.m.phase_name() == "pot"
    t.do("UNDO")
    assert t.m.snapshot() == before and due(t.m).seat == 2


def test_what_is_no_card_is_no_report():
    t = table("headsup", 1)
    assert t.refused("SHOE", DRAWN, 0, bytes([1, 2])) == "malformed"
    for wrong in (52, 97, 254):
        assert t.refused("SHOE", DRAWN, 1, bytes([wrong])) == "malformed"
    assert lie(t, 1) == ""


def test_a_card_typed_over_one_read_face_down_is_believed():
    t = table("headsup", 1)
    draw(t, "As Kd")
    t.do("CARD", *ids("As"))
    assert lie(t, 1) == "?? As" and lie(t, DEALER) == "Kd"
    assert t.refused("CARD", *ids("As")) == "duplicate_card"  # whoever types it knows it
