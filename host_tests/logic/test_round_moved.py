"""Cards that lie elsewhere than they were dealt: moved, owed, held, named; and what is settled."""

from croupier import Croupier, colorado, find, headsup, premium, winners_pot, why
from felt.cards import parse_all
from felt.games.common import BOARD, BURN, DEALER, DISCARD, UP
from felt.round.due import due
from felt.round.state import Refused

NONE = 255  # a card nobody read


def lie(t, *where):
    return [list(t.m.r.cards[place]) for place in where]


def dealt(table, *seats, **settings):
    t = table(**settings)
    t.begin(*seats)
    t.deal()
    return t


def to_the_turn(t, word):
    """Play on until the last cards are turned, everybody giving that answer where it may."""
    while t.m.r.kind() in ("deal", "decide"):
        if t.m.r.kind() == "deal":
            t.deal()
        else:
            now = due(t.m)
            t.act(now.seat, word if word in now.choices else now.choices[0])
    return t


def test_a_seat_that_is_out_is_owed_nothing():
    t = dealt(premium, 1, 2, 3)
    t.do("MISCOUNT", 3, 4)
    assert t.do("MISDEALT", 1, 1, 2)[-1] == ("due", DEALER, 1, 0)
    assert list(t.m.r.owed) == [DEALER], "neither the seat with too many nor the one that left"
    assert t.do("CARD", 50) == [
        ("down", 0), ("note", "dealer_complete"), ("ask", 2, "play3", "check"),
    ]  # fmt: skip


def test_two_hands_that_lack_a_card_get_it_one_after_the_other():
    t = dealt(premium, 1, 2)
    read = list(t.m.r.read)
    t.do("MISDEALT", 1, 1, 2)
    assert list(t.m.r.owed) == [2, DEALER] and due(t.m).places == bytes([2])
    assert t.do("CARD", 50) == [("down", 2), ("due", 0, 1, 0)]
    assert t.do("CARD", 51)[:2] == [("down", 0), ("note", "dealer_complete")]
    assert lie(t, 1, 2, DEALER) == [read[:3] + [read[5], read[8]], [read[3], read[6], 50],
                                    [read[4], read[7], 51]]  # fmt: skip


def test_three_hands_that_lack_a_card_are_asked_for_one_at_a_time():
    t = dealt(premium, 1, 2, 3)
    assert t.do("MISDEALT", 1, 1, 3)[-1] == ("due", 2, 1, 0)
    assert t.do("CARD", 48) == [("down", 2), ("due", 3, 1, 0)]
    assert t.do("CARD", 50) == [("down", 3), ("due", 0, 1, 0)]
    assert t.do("CARD", 51)[0] == ("down", 0)


def test_cards_that_are_owed_and_nobody_reads_are_laid_down_one_by_one():
    t = premium(card_reader=False)
    t.begin(1, 2)
    t.do("DEALT")
    t.do("MISDEALT", 1, 1, 2)
    assert due(t.m).places == bytes([2])
    assert t.do("DEALT") == [("down", 2), ("due", 0, 1, 0)]
    assert t.do("DEALT")[:2] == [("down", 0), ("note", "dealer_complete")]


def test_a_hand_owed_a_card_face_up_leaves_the_round():
    t = dealt(winners_pot, 1, 2, 3)
    assert t.do("MISDEALT", 3, 1, 3)[-1] == ("due", 2, 1, 1)
    assert list(t.m.r.owed) == [2 | UP, DEALER | UP]
    assert t.do("MISCOUNT", 2, 4)[-1] == ("due", 0, 1, 1)
    assert list(t.m.r.owed) == [DEALER | UP]


def test_a_lap_can_be_corrected_until_a_later_card_lies_there():
    t = dealt(premium, 1, 2)
    t.all_act("check")
    read = list(t.m.r.read)
    other = dealt(premium, 1, 2)
    other.all_act("check")
    other.deal(1)
    assert why(other, "MISDEALT", 1, 1, 0) == ("no_lap", 1, 1)
    t.do("MISDEALT", 1, 1, 0)
    assert lie(t, 1, 2, DEALER) == [read[2:6:3], read[0:7:3], read[1:8:3]]
    assert lie(t, BOARD) == [read[8:]], "the last card was the board's first"
    assert why(dealt(premium, 1, 2, dealing="auto"), "MISDEALT", 1, 1, 0) == ("no_lap", 1, 1)


def test_a_dealers_hand_that_lacks_a_card_leaves_the_others_as_they_are():
    t = dealt(premium, 1, 2)
    before = lie(t, 1, 2)
    last = t.m.r.read[-1]
    t.do("MISCOUNT", DEALER, 2)
    assert lie(t, 1, 2) == before and lie(t, DEALER, DISCARD) == [[NONE, NONE], [last]]
    t.do("FACEUP", 50)
    assert lie(t, DISCARD) == [[last, 50]] and t.m.r.visible[DISCARD] == 2
    t = premium()
    t.begin(1, 2)
    t.deal(7)
    t.do("MISCOUNT", DEALER, 1)
    assert [len(t.m.r.cards[p]) for p in (1, 2, DEALER)] == [3, 2, 1]


def test_a_burn_found_face_up_is_burnt_again():
    t = dealt(winners_pot, 1, 2)
    t.all_act("bet")
    t.deal(1)
    burn = t.m.r.read[9]
    assert t.do("FACEUP", burn)[-1] == ("due", BURN, 1, 0)
    assert lie(t, BURN, DISCARD) == [[], [burn]]


def test_a_card_of_an_earlier_stage_found_face_up_was_read_wrongly():
    t = dealt(winners_pot, 1, 2)
    t.all_act("bet")
    t.deal(1)
    hidden = t.m.r.read[5]
    assert t.do("FACEUP", hidden)[-1] == ("due", 1, 1, 1)
    assert lie(t, DISCARD) == [[hidden]] and t.m.r.cards[DEALER][1] == NONE
    assert t.do("EXPOSED", 1) == [("log", "exposed", 1, 0), ("note", "stays_live", 1)]


def test_the_first_card_of_a_round_found_face_up():
    t = headsup()
    t.begin(1)
    t.deal(1)
    card = t.m.r.read[0]
    t.m.typed = True
    assert t.do("FACEUP", card)[-1] == ("due", 1, 1, 0), "no key: it voids nothing"
    assert lie(t, 1, DISCARD) == [[], [card]] and t.m.r.dealt == 1
    t = headsup(dealing="auto")
    t.begin(1)
    t.deal(1)
    card = t.m.r.cards[BOARD][0]
    t.do("FACEUP", card)
    assert t.m.r.cards[BOARD][0] == NONE and t.m.r.dealt == 6, "a stack lies as it came"


def test_a_card_everybody_sees_is_no_other():
    t = headsup()
    t.begin(1)
    for position in range(4):
        t.do("SHOE", 0, 0, bytes([position]))
    t.act(1, "check")
    for position in range(4, 7):
        t.do("SHOE", 0, 0, bytes([position]))
    for card in (4, 5, 6):
        assert why(t, "FACEUP", card) == ("duplicate_card",)
    assert why(t, "CARD", 5) == ("duplicate_card",)


def test_a_card_that_is_held_is_known():
    t = headsup()
    t.begin(1)
    t.do("SHOE", 2, 1, b"\x30")
    for n in range(5):
        t.do("SHOE", 0, n + 2, bytes([n]))
    assert t.m.r.held == [4] and t.m.r.seen[4]
    t.do("SHOE", 0, 7, b"\4")
    assert due(t.m).choices == ("double",)


def test_missed_burns_noticed_while_seats_decide():
    t = dealt(winners_pot, 1, 2)
    t.all_act("bet")
    t.deal()
    read = list(t.m.r.read)
    assert t.do("NO_BURN") == [("log", "no_burn", 0, 0), ("ask", 1, "double", "fold")]
    assert [t.m.r.cards[p][3] for p in (1, 2, DEALER)] == read[9:12]
    assert lie(t, BURN) == [[]] and t.m.r.held == read[12:], "what was the dealer's is next"
    t = dealt(winners_pot, 1, 2)
    t.all_act("bet")
    t.deal(1)
    burn = t.m.r.read[9]
    assert t.do("NO_BURN")[-1] == ("due", 2, 1, 1)
    assert t.m.r.cards[1][3] == burn and lie(t, BURN) == [[]]


def test_a_seat_that_has_decided_leaves_and_the_next_is_asked_again():
    t = dealt(premium, 1, 2, 3)
    t.act(1, "play3")
    t.act(2, "check")
    t.act(3, "check")
    t.deal()
    assert t.do("MISCOUNT", 1, 2)[-1] == ("ask", 2, "play1", "play2", "fold")
    assert t.do("MISCOUNT", 2, 2)[-1] == ("ask", 3, "play1", "play2", "fold")


def test_a_seat_leaves_while_the_last_cards_are_turned_or_hands_are_settled():
    t = to_the_turn(dealt(premium, 1, 2, 3), "play3")
    assert t.do("MISCOUNT", 1, 2)[-1] == ("alarm", "compare_hands", 0, "")
    assert due(t.m).kind == "reveal"
    t.do("REVEAL")
    t.do("MISCOUNT", 3, 2)
    assert (due(t.m).kind, due(t.m).seat) == ("settle", 2)
    assert t.do("MISCOUNT", 2, 2)[-1] == ("phase", "collect")


def test_cards_that_moved_are_settled_anew():
    """A hand was paid on the cards it had before a report moved them."""
    t = Croupier("three_card")
    t.begin(1, 2)
    t.deal()
    t.all_act("play")
    t.do("REVEAL")
    read = list(t.m.r.read)
    assert [ln.net for ln in due(t.m).amounts] == [500, 0]
    effects = t.do("MISDEALT", 2, 1, 0)
    assert lie(t, 1, DEALER) == [[read[0], read[2], read[5]], [read[1], read[4], read[7]]]
    assert [ln.net for ln in due(t.m).amounts] == [-500, -500]
    assert [e[2] for e in find(effects, "take")] == ["ante", "play"]
    t.do("PAID", 1)
    assert t.nets()[1, "play"] == -500


def test_a_card_that_is_missing_is_not_seen():
    t = Croupier("three_card")
    t.begin(1, 2)
    t.deal()
    t.all_act("play")
    t.do("REVEAL")
    assert t.m.r.visible[DEALER] == 7
    assert t.do("MISDEALT", 2, 1, 1)[-1] == ("due", DEALER, 1, 0)
    assert due(t.m).kind == "mend" and len(t.m.r.cards[DEALER]) == 2
    assert t.m.r.visible[DEALER] == 3 and why(t, "PAID", 1) == ("nothing_to_pay",)


def test_hands_are_settled_when_the_dealers_is_whole_again():
    """A report at settlement that left the dealer a card short was a program error."""
    for seat, settled in ((1, 2), (2, 1)):
        t = Croupier("three_card")
        t.begin(1, 2)
        t.deal()
        t.all_act("play")
        t.do("REVEAL")
        t.do("MISDEALT", seat, 1, 1)
        t.key(1)
        t.do("NAMED", settled, bytes([51]))
        assert find(t.effects, "due") == [("due", DEALER, 1, 0)]
        effects = t.do("CARD", 50)
        assert effects[:2] == [("down", DEALER), ("note", "dealer_complete")]
        now = due(t.m)
        assert (now.kind, now.seat) == ("settle", settled)
        assert now.amounts == t.m.game.settle(t.m.r, settled)
        moved = [e[2] for e in effects if e[0] in ("pay", "take", "push")]
        assert moved == ["ante", "play"]
        t.do("PAID", settled)
        assert due(t.m).kind == "collect" and t.nets()[seat, "play"] == 0


# --- named over what was read


def test_a_card_that_is_named_here_does_not_lie_there():
    t = headsup(card_reader=False)
    t.begin(1, 2)
    t.do("DEALT")
    asked = ("ask", 1, "raise1", "raise2", "raise3", "check")
    assert t.do("NAMED", 1, b"\1\2") == [("note", "named", 1), asked]
    assert t.do("NAMED", 2, b"\2\3") == [("note", "named", 2), asked]
    assert lie(t, 1, 2) == [[1, NONE], [2, 3]]
    assert why(t, "NAMED", 1, b"\1") == ("named_so", 1)
    t.do("NAMED", 1, b"\1\4")
    assert why(t, "NAMED", 1, b"\5") == ("attendant_key",), "what is known is corrected by key"


def test_what_lies_face_down_is_named_with_a_key_and_its_answer_tells_nothing():
    t = dealt(headsup, 1, 2)
    held = bytes(t.m.r.cards[1])
    for guess in (held, held[:1], b"\x32\x33"):
        assert why(t, "NAMED", 1, guess) == ("attendant_key",)
    t.key(1)
    assert why(t, "NAMED", 1, held) == ("named_so", 1)
    theirs = t.m.r.cards[2][0]
    assert t.do("NAMED", 1, bytes([theirs]))[0] == ("log", "named", held[0], theirs)
    assert lie(t, 1, 2) == [[theirs, held[1]], [NONE, t.m.r.cards[2][1]]]
    t.do("SHOE", 0, 0, b"\x32")
    t.do("NAMED", 2, b"\x31")
    assert t.m.r.held == [0x32]
    t.do("NAMED", 1, b"\x32")
    assert t.m.r.held == [NONE] and lie(t, 1) == [[0x32, held[1]]], "it was not the next card"


def test_what_everybody_sees_or_the_dealer_typed_is_no_secret():
    t = dealt(headsup, 1)
    t.act(1, "check")
    t.deal()
    board = bytes(t.m.r.cards[BOARD])
    assert len(board) == 3 and why(t, "NAMED", BOARD, board) == ("named_so", BOARD)
    assert why(t, "NAMED", BOARD, board[:2]) == ("named_so", BOARD)
    t = dealt(headsup, 1, dealing="hand", shuffler="plain")
    assert why(t, "NAMED", 1, bytes(t.m.r.cards[1])) == ("named_so", 1)
    t = dealt(winners_pot, 1, 2)
    three = bytes(t.m.r.cards[1])
    assert why(t, "NAMED", 1, three) == ("attendant_key",), "only the third lies face up"


def test_a_name_without_a_place_is_refused():
    t = dealt(headsup, 1)
    try:
        t.m.step(b"\x28")
        raise AssertionError("taken")
    except Refused as e:
        assert (e.code, e.about) == ("no_seat", (99,))
    assert why(t, "NAMED", 7, b"\1") == ("no_seat", 7)
    assert why(t, "NAMED", BURN, b"\1") == ("no_seat", BURN)


def test_a_tap_and_a_discard_go_with_the_cards_they_were_made_for():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    for seat in (1, 2):
        t.bet(seat, 500, 500, 0, 0, 500)
    t.begin(1, 2, s1="2h5h9h", s2="3h6hTh")
    t.deal()
    to_the_turn(t, "play3").turn()
    t.do("TAP", 1)
    t.key(1)
    effects = t.do("NAMED", 1, bytes(parse_all("2h5hAh")))
    assert effects[:2] == [("log", "named", 30, 50), ("note", "named", 1)] and t.m.r.tapped[1]
    free = [c for c in range(52) if c & 3 != 2 and not t.m.r.seen[c]]
    t.do("NAMED", 1, bytes(parse_all("2h5h")) + bytes(free[:1]))
    assert not t.m.r.tapped[1] and due(t.m).kind == "settle"
    t = dealt(colorado, 1)
    to_the_turn(t, "bet").turn()
    t.do("DISCARD", 1, t.m.r.cards[1][1])
    t.key(1)
    t.do("NAMED", 1, b"\x32")
    assert t.m.r.discarded[1] == t.m.r.cards[1][1] and due(t.m).kind == "settle"
    assert t.do("NAMED", 1, b"\x32\x33")[-1] == ("discard_due", 1)
    assert t.m.r.discarded[1] is None and due(t.m).kind == "discard"


def test_the_pot_is_awarded_again_by_the_dealers_true_cards():
    t = winners_pot()
    t.open()
    t.bet(1, 500, 100)
    t.begin(1, 2)
    t.deal()
    to_the_turn(t, "bet").turn()
    t.do("PAID", 1)
    before = due(t.m)
    assert before.kind == "pot" and why(t, "NAMED", 2, b"\1") == ("attendant_key",)
    t.key(1)
    cards = bytes(parse_all("2c3d")) if not t.m.r.seen[0] else bytes([50])
    effects = t.do("NAMED", DEALER, cards[:1])
    assert find(effects, "phase") == [("phase", "pot")] and find(effects, "commission")
