"""The felt wins, on the glass: what was read or touched wrongly is named anew (G7b)."""

from at_table import Sitting
from felt import cards
from felt.dealer import touch as touching
from felt.games.common import BOARD, DEALER, UP
from felt.link import terminal as keys
from felt.round.due import due
from test_app_naming import name, next_key, unread

KEY = "! Turn the attendant key on first."


def asked(at, place):
    """Say on the floor's menu that a card of a place is wrong; return what was told."""
    at.touch(keys.FLOOR)
    at.touch(keys.MENU, touching.FLOOR.index(touching.NAMING))
    return at.touch(keys.SEAT_KEY, place)


def shown(at):
    """The prompt, the row below it and the golden or plain button."""
    parts = at.hw.terminal.parts
    return parts[keys.PROMPT], parts[keys.BOOKS], parts[keys.BUTTON]


def settling():
    """Heads Up, hands open: seat 1 was read as a pair of aces and waits to be paid."""
    at = Sitting("headsup")
    at.hw.terminal.view = True
    hands = {"s1": "AhAs", "s2": "2c7d", "dealer": "KhKs", "board": "3c4d9h8sJs"}
    at.play.begin(1, 2, **hands)
    at.play.deal()
    for seat in (1, 2):
        at.play.act(seat, "raise1")
    while due(at.m).kind != "settle":
        at.play.turn()
    at.told()
    assert due(at.m).seat == 1
    return at


def nets(at):
    return [(ln.wager, ln.net) for ln in due(at.m).amounts]


def test_G7b_a_card_read_wrongly_is_corrected_on_the_glass():
    at = settling()
    before, screen = nets(at), shown(at)
    assert ("raise", 500) in before
    assert asked(at, 1) == []
    ask = "Turn cards of seat 1: touch rank and suit"
    assert shown(at) == (ask, "seat 1: ?? ??", "pN0 NAME CARDS"), "what was read is not told"
    assert next_key(at) == ["! Touch rank, then suit, of every card."]
    assert name(at, "As", "Qh") == []
    assert shown(at) == (ask, "seat 1: As Qh", "gN0 NAME CARDS")
    assert next_key(at) == [KEY] and shown(at)[1] == "seat 1: As Qh", "it is not touched again"
    at.play.key(1)
    at.told()
    assert next_key(at) == ["Cards named: seat 1"]
    assert cards.names(at.m.r.cards[1]) == "Qh As", "the card that was right keeps its place"
    assert ("raise", -500) in nets(at) and shown(at) == screen, "settled again from the felt"
    [entry] = at.logged("named")
    assert [cards.name(c) for c in entry[1:]] == ["Ah", "Qh"], "logged with both versions"
    next_key(at)
    assert due(at.m).kind == "collect", "the round goes on"


def test_the_board_and_the_dealer_are_named_as_far_as_they_were_seen():
    at = settling()
    asked(at, BOARD)
    assert shown(at)[1] == "board: ?? ?? ?? ?? ??"
    asked(at, DEALER)
    assert shown(at)[1] == "dealer: ?? ??", "another place begins anew"
    at = Sitting("headsup", dealing="auto")
    at.hw.terminal.view = True
    at.play.begin(1)
    at.play.deal()
    at.play.act(1, "check")
    at.play.turn()
    assert len(at.m.r.cards[BOARD]) == 5 and at.m.r.visible[BOARD] == 7
    asked(at, BOARD)
    assert shown(at)[1] == "board: ?? ?? ??", "two of them lie face down"
    asked(at, 1)
    assert shown(at)[1] == "seat 1: ?? ??"


def test_the_floor_leaves_it_with_undo_with_its_key_or_when_the_table_goes_on():
    at = settling()
    before, booked = shown(at), at.named()
    asked(at, 1)
    name(at, "As", "Q")
    for left in ("As", "", None):
        assert at.touch(keys.UNDO) == []
        assert left is None or shown(at)[1] == "seat 1: %s" % (left + " ??" if left else "?? ??")
    assert shown(at) == before, "nothing that was booked was taken back"
    asked(at, 1)
    name(at, "As")
    at.touch(keys.FLOOR)
    assert at.app.desk.typed == ""
    at.touch(keys.FLOOR)
    assert shown(at) == before and at.named() == booked
    asked(at, 1)
    name(at, "As")
    at.say("paid 1")
    assert due(at.m).seat == 2 and shown(at)[2] == "gN0 SETTLED 2", "the seat is booked"


def test_a_hand_that_is_booked_or_has_no_cards_is_not_named():
    at = settling()
    before = shown(at)
    assert asked(at, 3) == ["! No card lies at seat 3."]
    at.touch(keys.FLOOR)
    assert shown(at) == before
    at.say("paid 1")
    assert due(at.m).seat == 2
    before = shown(at)
    [told] = asked(at, 1)
    assert told == "! Settlement has begun."
    assert at.touch(keys.SEAT_KEY, 7) == ["! There is no seat 7 here."]
    at.touch(keys.FLOOR)
    assert shown(at) == before
    while due(at.m).kind != "collect":
        at.play.turn()
    at.touch(keys.FLOOR)
    offered = [text[1:3] for text in at.hw.terminal.parts.values() if "Wrong" in text]
    assert offered == [], "every hand is booked"


def test_a_card_touched_wrongly_is_touched_anew():
    at = unread()
    at.say("1 check")
    name(at, "2c", "7d", "9h")
    next_key(at)
    asked(at, BOARD)
    name(at, "2c", "7d", "9d")
    at.play.key(1)
    at.told()
    assert next_key(at) == ["Cards named: board"]
    assert cards.names(at.m.r.cards[BOARD][:3]) == "2c 7d 9d"
    assert asked(at, BOARD) == []
    name(at, "2c", "7d", "9d")
    assert next_key(at) == ["! Those are the cards of board already."]


def test_a_slip_on_the_board_is_put_right_when_the_hand_that_holds_the_card_is_turned():
    """It left NAME CARDS golden and refused, and only a typed line helped."""
    at = unread()
    at.say("1 check")
    name(at, "2c", "7d", "Ah")
    next_key(at)
    next_key(at)
    at.say("1 raise1")
    name(at, "Js", "Qs")
    next_key(at)
    next_key(at)
    name(at, "Ac", "Kd")
    next_key(at)
    next_key(at)
    name(at, "Ah", "Ad")
    assert next_key(at) == ["! Ah lies face up elsewhere: board."], "it was touched there"
    asked(at, BOARD)
    name(at, "9h", "Js", "2c", "7d", "Qs")
    at.play.key(1)
    at.told()
    assert next_key(at) == ["Cards named: board"]
    assert cards.names(at.m.r.cards[BOARD]) == "2c 7d 9h Js Qs", "only the wrong one was changed"
    name(at, "Ah", "Ad")
    next_key(at)
    assert due(at.m).kind == "settle" and cards.names(at.m.r.cards[1]) == "Ah Ad"
    asked(at, 1)
    name(at, "3h", "3d")
    next_key(at)
    assert cards.names(at.m.r.cards[1]) == "3h 3d", "also a hand that is settled next"
    assert due(at.m).kind == "settle" and at.hw.terminal.parts[keys.BUTTON][0] == "g"


def test_a_typed_ok_does_not_pay_the_hand_that_is_called_wrong():
    at = settling()
    booked = at.named()
    asked(at, 1)
    name(at, "As")
    for word in ("ok", "next"):
        at.now += 1000
        assert at.say(word) == ["! Touch rank, then suit, of every card."], word
    assert at.named() == booked and at.app.desk.names == 1
    at.hw.terminal.view = False
    assert at.say("undo") == [] and at.named() == booked
    assert at.app.desk.names is None, "a line leaves it as a touch does"


def test_a_card_face_up_before_which_others_lie_face_down_is_named_alone():
    """It asked to turn the hole cards, and the line put the card on the first of them."""
    for dealing in ("hand", "shoe"):
        at = Sitting("winners_pot", dealing=dealing, shuffler="plain")
        at.hw.terminal.view = True
        if dealing == "shoe":
            at.play.begin(1, 2, s1="2c3cKh", s2="2d3dKd")
            at.play.deal()
            at.told()
        else:
            at.play.begin(1, 2)
            at.told()
            while due(at.m).kind == "deal":
                if due(at.m).places[0] & UP:
                    name(at, ("9s", "Kh", "Kd")[due(at.m).places[0] & ~UP])
                next_key(at)
        hidden = bytes(at.m.r.cards[1][:2])
        asked(at, 1)
        assert shown(at)[1] == "seat 1: ## ## ??", "nothing of what lies face down is told"
        name(at, "Ks")
        at.play.key(1)
        at.told()
        assert next_key(at) == ["Cards named: seat 1"]
        assert bytes(at.m.r.cards[1][:2]) == hidden and cards.name(at.m.r.cards[1][2]) == "Ks"
        asked(at, 2)
        name(at, "Kh")
        assert next_key(at) == ["Cards named: seat 2"], "it lies there, and nowhere else"
        assert cards.name(at.m.r.cards[2][2]) == "Kh"
        before = [bytes(held) for held in at.m.r.cards]
        at.table.rebuild()
        assert [bytes(held) for held in at.m.r.cards] == before, "and after a power cut"
