"""Cards shown, counted or dealt wrongly: what each report says, takes back and asks for next."""

from croupier import Croupier, find, headsup, premium, winners_pot, why
from felt.games.common import BOARD, BURN, DEAD, DEALER, DISCARD, UP
from felt.round.due import due


def places(t):
    """Return the deliveries that are left of this stage, a place each."""
    return [list(d) for d in t.m.r.plan[t.m.r.at :]]


def lie(t, *where):
    return [list(t.m.r.cards[place]) for place in where]


def pot(*seats, **settings):
    """Winner's Pot; seat 1 has the bonus wager too."""
    t = winners_pot(**settings)
    t.open()
    t.bet(1, 500, 100)
    t.begin(*(seats or (1, 2)))
    return t


def test_one_down_card_shown_brings_the_third_face_down_and_a_second_kills_the_hand():
    t = pot()
    t.deal(1)
    assert t.do("EXPOSED", 1) == [
        ("log", "exposed", 1, 1), ("note", "third_down", 1), ("due", 2, 1, 0),
    ]  # fmt: skip
    assert places(t) == [[2], [0], [1], [2], [0], [1], [2 | UP], [0 | UP]]
    assert why(t, "EXPOSED", 1) == ("exposed_already", 1), "it has one card"
    t.deal(3)
    t.m.typed = True
    assert why(t, "EXPOSED", 1) == ("attendant_key",)
    t.m.typed = False
    assert t.do("EXPOSED", 1) == [
        ("log", "exposed", 1, 2), ("return", 1, "pot", 500, "19:47-33.12", "dead"),
        ("note", "dead", 1), ("due", 2, 1, 0),
    ]  # fmt: skip
    assert places(t) == [[2], [0], [2 | UP], [0 | UP]]
    assert t.m.r.status[1] == DEAD and t.m.r.results == [(1, "pot", 0)], "its bonus stays"
    assert why(t, "EXPOSED", 1) == ("exposed_already", 1)
    t.m.typed = True
    assert why(t, "EXPOSED", 2) is None, "the first one voids nothing"


def test_a_third_card_that_lies_there_stays_as_it_is():
    t = pot()
    t.deal(7)
    assert t.do("EXPOSED", 1) == [
        ("log", "exposed", 1, 1), ("note", "stays_live", 1), ("due", 2, 1, 1),
    ]  # fmt: skip
    assert places(t) == [[2 | UP], [0 | UP]]
    t.do("EXPOSED", 1)
    assert why(t, "EXPOSED", 1) == ("exposed_already", 1), "two are all that matter"


def test_the_dealers_two_cards_shown_void_or_kill_his_hand_as_the_house_says():
    for choice in ("void", "play_on"):
        t = pot(dealer_dead=choice)
        assert why(t, "EXPOSED", DEALER) == ("no_card_there", DEALER)
        t.deal(3)
        assert t.do("EXPOSED", DEALER) == [
            ("log", "exposed", 0, 1), ("note", "third_down", 0), ("due", 1, 1, 0),
        ]  # fmt: skip
        t.deal(3)
        effects = t.do("EXPOSED", DEALER)
        if choice == "void":
            assert effects[:2] == [("log", "exposed", 0, 2), ("void", "dealer_exposed")]
            assert effects[-1] == ("log", "void", 1, 0)
        else:
            assert effects == [("log", "exposed", 0, 2), ("note", "dead", 0), ("due", 1, 1, 1)]
            assert t.m.r.status[DEALER] == DEAD and places(t) == [[1 | UP], [2 | UP]]


def test_when_the_last_hand_dies_the_deal_is_over():
    t = pot()
    t.deal(6)
    for seat in (1, 1, 2):
        t.do("EXPOSED", seat)
    assert t.do("EXPOSED", 2) == [
        ("log", "exposed", 2, 2), ("return", 2, "pot", 500, "19:47-33.12", "dead"),
        ("note", "dead", 2), ("phase", "settle"), ("card", 1, 0), ("card", 1, 21),
        ("take", 1, "jacks_plus", 100, "19:47-33.11(b)", 0),
    ]  # fmt: skip
    assert t.m.r.live() == []


def test_a_card_shown_elsewhere_leaves_the_hand_alive():
    t = headsup()
    t.begin(1, 2)
    assert why(t, "EXPOSED", 1) == ("no_card_there", 1)
    t.deal(2)
    assert why(t, "EXPOSED", DEALER) == ("no_card_there", 0)
    assert why(t, "EXPOSED", 3) == ("no_seat", 3) and why(t, "EXPOSED", BOARD) == ("no_seat", 8)
    assert t.do("EXPOSED", 2) == [("log", "exposed", 2, 0), ("note", "stays_live", 2)]
    assert list(t.m.r.exposed)[:3] == [0, 0, 1]
    t = pot()
    t.deal()
    assert t.do("EXPOSED", 1) == [("log", "exposed", 1, 0), ("note", "stays_live", 1)]


def test_the_dealers_card_shown_voids_while_it_is_a_secret():
    t = headsup()
    t.begin(1)
    t.deal()
    t.m.typed = True
    assert why(t, "EXPOSED", DEALER) == ("attendant_key",)
    t.m.typed = False
    assert t.do("EXPOSED", DEALER) == [
        ("log", "exposed", 0, 0), ("void", "dealer_exposed"),
        ("return", 1, "ante", 500, "13:69F-39.12", "dealer_exposed"),
        ("return", 1, "odds", 500, "13:69F-39.12", "dealer_exposed"), ("log", "void", 1, 0),
    ]  # fmt: skip
    assert why(t, "EXPOSED", 1) == ("no_round",)
    t = headsup()
    t.begin(1)
    t.deal()
    t.act(1, "raise1")
    t.deal()
    t.deal()
    assert t.m.r.kind() == "reveal"
    t.m.typed = True
    assert t.do("EXPOSED", DEALER) == [("log", "exposed", 0, 0), ("note", "stays_live", 0)]
    assert t.m.r.exposed[DEALER] == 1


def test_a_card_found_face_up():
    t = headsup()
    t.begin(1, 2)
    t.deal(3)
    first, second, third = lie(t, 1, 2, DEALER)
    assert t.do("FACEUP", second[0]) == [
        ("log", "face_up", second[0], 0), ("card", DISCARD, second[0]),
        ("note", "face_up_discard"), ("due", 0, 1, 0),
    ]  # fmt: skip
    assert lie(t, 1, 2, DEALER, DISCARD) == [first, third, [], second]
    assert t.m.r.visible[DISCARD] == 1 and t.m.r.face_up == 1
    assert why(t, "FACEUP", second[0]) == ("duplicate_card",)
    t.m.typed = True
    assert why(t, "FACEUP", 50) == ("attendant_key",), "the second one voids"
    t.m.typed = False
    assert t.do("FACEUP", 50)[:3] == [
        ("log", "face_up", 50, 0), ("card", DISCARD, 50), ("void", "face_up"),
    ]  # fmt: skip


def test_a_face_up_card_that_was_read_in_an_earlier_stage_lies_hidden_as_another():
    t = headsup()
    t.begin(1)
    t.deal()
    t.act(1, "check")
    t.deal(1)
    hidden = t.m.r.cards[1][0]
    t.do("FACEUP", hidden)
    assert lie(t, DISCARD) == [[hidden]] and t.m.r.cards[1][0] == 255
    assert t.m.r.dealt == 6, "one more card left the deck"


def test_after_the_last_card_a_face_up_card_is_only_told():
    t = headsup()
    t.begin(1)
    t.deal()
    t.act(1, "raise1")
    t.deal()
    t.deal()
    t.m.typed = True
    for card in (50, 51):
        assert t.do("FACEUP", card) == [("log", "face_up", card, 0), ("note", "face_up_ignored")]
    assert not t.m.r.face_up


def test_a_seat_with_a_wrong_number_of_cards_is_out_of_the_round():
    t = premium()
    t.begin(1, 2)
    assert why(t, "MISCOUNT", 1, 0) == ("no_card_there", 1)
    t.deal()
    assert why(t, "MISCOUNT", 1, 3) == ("count_right", 1, 3)
    assert why(t, "MISCOUNT", 3, 1) == ("no_seat", 3)
    t.m.typed = True
    assert why(t, "MISCOUNT", 1, 2) == ("attendant_key",)
    t.m.typed = False
    assert t.do("MISCOUNT", 1, 2) == [
        ("log", "miscount", 1, 2), ("return", 1, "ante", 500, "13:69F-X.12", "miscount"),
        ("return", 1, "xtra", 500, "13:69F-X.12", "miscount"),
        ("alarm", "compare_hands", 0, ""), ("ask", 2, "play3", "check"),
    ]  # fmt: skip
    assert why(t, "MISCOUNT", 1, 2) == ("no_seat", 1), "it is void"
    t.m.typed = True
    assert t.do("MISCOUNT", DEALER, 2) == [
        ("log", "miscount", 0, 2), ("alarm", "compare_hands", 0, ""), ("due", 0, 1, 0),
    ], "nothing is void"  # fmt: skip
    assert lie(t, DEALER) == [[255, 255]] and due(t.m).kind == "mend"
    t.m.typed = False
    assert t.do("CARD", 50) == [
        ("down", 0), ("note", "dealer_complete"), ("ask", 2, "play3", "check"),
    ]  # fmt: skip
    t.key(1)
    assert t.do("MISCOUNT", DEALER, 4)[:2] == [("log", "miscount", 0, 4), ("void", "miscount")]


def test_a_seat_passed_over_while_cards_are_dealt():
    t = premium()
    t.begin(1, 2)
    t.deal(4)
    a, b, c, d = [cards[0] for cards in lie(t, 1, 2, DEALER)] + [t.m.r.cards[1][1]]
    assert why(t, "MISDEALT", 2, 2, 0) == ("no_lap", 2, 2)
    assert t.do("MISDEALT", 2, 1, 0) == [
        ("log", "miscount", 2, 0), ("return", 2, "ante", 500, "13:69F-X.12", "miscount"),
        ("return", 2, "xtra", 500, "13:69F-X.12", "miscount"), ("due", 0, 1, 0),
    ]  # fmt: skip
    assert lie(t, 1, 2, DEALER) == [[a, c], [d], [b]]
    assert places(t) == [[0], [1], [0]], "nothing more for the seat that is out"


def test_cards_too_many_while_cards_are_dealt():
    t = premium()
    t.begin(1, 2)
    t.deal(6)
    drawn = list(t.m.r.read)
    assert find(t.do("MISDEALT", 1, 1, 2), "log") == [("log", "miscount", 1, 4)]
    assert lie(t, 1, 2, DEALER) == [[drawn[0], drawn[1], drawn[2], drawn[5]], [drawn[3]],
                                    [drawn[4]]]  # fmt: skip
    assert places(t) == [[2], [0], [2], [0]]


def test_the_last_seat_that_decides_is_out():
    t = premium()
    t.begin(1)
    t.deal()
    effects = t.do("MISCOUNT", 1, 4)
    assert effects[-3:] == [
        ("alarm", "compare_hands", 0, ""), ("phase", "deal"), ("due", BOARD, 1, 1),
    ]  # fmt: skip
    assert t.m.r.live() == []
    t = winners_pot()
    t.begin(1, 2)
    t.deal()
    t.act(1, "fold")
    assert t.do("MISCOUNT", 2, 2)[:2] == [("log", "miscount", 2, 2), ("void", "misdeal")]


def test_burns_that_were_missed():
    t = winners_pot()
    t.begin(1, 2)
    assert why(t, "NO_BURN") == ("no_burn_due",)
    t.deal()
    assert why(t, "NO_BURN") == ("no_burn_due",), "nothing of this stage is burnt"
    t.all_act("bet")
    assert due(t.m).places == bytes([BURN])
    assert t.do("NO_BURN") == [("log", "no_burn", 0, 0), ("due", 1, 1, 1)]
    assert places(t) == [[1 | UP], [2 | UP], [0 | UP]] and t.m.r.owed_burns == 1
    t.deal()
    t.all_act("double")
    assert places(t)[:2] == [[BURN], [BURN]]
    t.deal(1)
    assert t.m.r.owed_burns == 0
    card = t.m.r.read[-1]
    t.deal(2)
    moved = list(t.m.r.read)[-2:]
    assert lie(t, BURN) == [[card, moved[0]]]
    t.do("NO_BURN")
    assert lie(t, BURN) == [[]] and t.m.r.owed_burns == 1
    assert [t.m.r.cards[s][-1] for s in (1, 2, DEALER)] == [card] + moved
    assert due(t.m).kind != "deal", "the cards that were drawn are all there"


def test_a_burn_that_a_shoe_made_is_no_misdeal():
    t = winners_pot(dealing="auto", shuffler="plain")
    t.begin(1, 2)
    t.deal()
    t.all_act("bet")
    while t.m.r.kind() == "deal":
        t.deal(1)
        if t.m.r.kind() == "decide":
            break
    assert why(t, "NO_BURN") == ("no_burn_due",)


def test_the_button_that_was_not_moved_is_noted():
    t = Croupier("winners_pot")
    t.begin(2, 3)
    assert t.do("BUTTON") == [("log", "button", 0, 0), ("note", "button_as_moved", 0)]
    t.key(1)
    t.do("VOID", 0)
    t.do("END")
    t.begin(2, 3)
    assert t.do("BUTTON") == [("log", "button", 2, 0), ("note", "button_as_moved", 2)]


def test_a_void_round_gives_back_what_was_not_settled():
    t = premium()
    t.begin(1, 2)
    t.deal()
    t.m.r.recut = t.m.r.paying = 1
    t.key(1)
    assert t.do("VOID", 5) == [
        ("void", "misdeal"), ("return", 1, "ante", 500, "13:69F-X.12", "misdeal"),
        ("return", 1, "xtra", 500, "13:69F-X.12", "misdeal"),
        ("return", 2, "ante", 500, "13:69F-X.12", "misdeal"),
        ("return", 2, "xtra", 500, "13:69F-X.12", "misdeal"), ("log", "void", 5, 0),
    ]  # fmt: skip
    assert t.m.r.returned[1:3] == [1000, 1000] and t.m.meters.voids == [0] * 5 + [1, 0, 0]
    r = t.m.r
    assert (r.settling, r.paying, r.recut, r.lines) == (True, 0, 0, ()), "nothing else is due"
    assert why(t, "VOID", 0) == ("no_round",)
    assert t.do("END") == [("over", 1), ("check", "shuffle"), ("checkpoint", 1)]
