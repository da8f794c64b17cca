"""What is found late: at the pot, behind seats that were booked, when a loser's chips are gone."""

from at_table import Sitting
from felt import cards
from felt.games.common import VOID
from felt.link import terminal as keys
from felt.round.due import due
from test_app_correct import asked, settling, shown
from test_app_floor import floor
from test_app_naming import name, next_key


def pot(**hands):
    """Winner's Pot, no side wagers: all hands open, the pot is to be awarded; the key is on."""
    at = Sitting("winners_pot")
    at.hw.terminal.view = True
    at.play.begin(1, 2, **hands)
    while due(at.m).kind in ("deal", "decide"):
        at.play.deal()
        at.play.all_act(due(at.m).choices[0]) if due(at.m).kind == "decide" else None
    while due(at.m).kind != "pot":
        at.play.turn()
    at.play.key(1)
    at.told()
    return at


def test_G7b_a_hand_that_contests_a_pot_is_named_until_the_pot_is_awarded():
    """Its seat counted as booked, having nothing else to be paid: another one got the pot."""
    at = pot(s1="KhKdKs2c3c", s2="AhQc7d5s4h", dealer="9h8d7c3s2h")
    row = [text for text in at.hw.terminal.rows if "POT TO seat 1" in text]
    assert row, at.hw.terminal.rows
    assert asked(at, 1) == []
    name(at, "Kh", "Qd", "Js", "2c", "3c")
    assert next_key(at) == ["Cards named: seat 1"]
    assert due(at.m).kind == "pot"
    assert [text for text in at.hw.terminal.rows if "POT TO seat 2" in text], "the ace plays now"


def test_G7b_a_card_said_of_a_booked_hand_is_named_where_it_lies_with_the_key():
    """Seat 1 was booked with a card that seat 2 holds: there was no way but a lie or a void."""
    at = settling()
    at.say("paid 1")
    assert due(at.m).seat == 2
    asked(at, 2)
    name(at, "As", "7d")
    refused = next_key(at)
    assert refused == ["! As lies face up elsewhere: seat 1."]
    at.play.key(1)
    at.told()
    before = list(at.m.r.results)
    assert next_key(at) == ["Cards named: seat 2"]
    assert cards.names(at.m.r.cards[2]) == "As 7d"
    assert list(at.m.r.results)[: len(before)] == before, "what was booked stays booked"
    assert due(at.m).kind == "settle" and at.m.r.booked[1]
    next_key(at)
    assert due(at.m).kind == "collect", "the round goes on"


def test_stakes_that_were_taken_up_go_back_when_the_hand_did_not_lose():
    at = settling()
    at.say("paid 1")
    assert due(at.m).seat == 2
    at.play.key(1)
    at.told()
    asked(at, 2)
    name(at, "Kc", "Kd")
    told = next_key(at)
    assert "! Lost stakes that were taken up go back first: seat 2" in told
    assert asked(at, 2) == []
    name(at, "Kc", "Qd")
    assert not [text for text in next_key(at) if "go back" in text], "now it loses"


def test_stakes_go_back_to_every_seat_whose_loss_was_none():
    """SETTLED takes several seats: only the one in turn was told of."""
    at = Sitting("headsup")
    at.hw.terminal.view = True
    hands = {"s1": "2h5s", "s3": "2c7d", "s4": "KcQc", "dealer": "KhKs", "board": "3c4d9h8sJs"}
    at.play.begin(1, 3, 4, **hands)
    at.play.deal()
    at.play.all_act("raise1")
    while due(at.m).kind != "settle":
        at.play.turn()
    at.play.key(1)
    at.told()
    assert due(at.m).seat == 1
    asked(at, 3)
    name(at, "9c", "9d")
    assert "! Lost stakes that were taken up go back first: seat 3" in next_key(at)
    asked(at, 0)
    name(at, "Ks", "6d")
    told = "! Lost stakes that were taken up go back first: seat %s"
    assert told % "1 4" in next_key(at), "he has no pair now: the ante of the first pushes, too"


def test_a_stub_that_does_not_fit_voids_nothing_with_one_touch():
    """With the key left on one golden touch voided the round and sent the deck away."""
    at = Sitting(stub_every=1)
    at.hw.terminal.view = True
    at.play.begin(1)
    while due(at.m).kind != "stub":
        if due(at.m).kind == "deal":
            at.play.deal()
        elif due(at.m).kind == "decide":
            at.play.act(1, "raise1")
        else:
            at.play.turn()
    left = str(52 - at.m.r.dealt)
    for typed, key, wanted in (
        (left, 0, ("", "gN0 STUB COUNTED")),
        ("7", 0, ("", "gN0 STUB COUNTED")),  # refused: the stub is counted again
        ("7", 1, ("7 does not fit: NEXT voids the round", "rN0 VOID THE ROUND")),
        (left, 1, ("", "gN0 STUB COUNTED")),
    ):
        at.play.key(key)
        at.app.desk.typed = ""
        for digit in typed:
            at.touch(keys.DIGIT, int(digit))
        assert shown(at)[1:] == wanted, (typed, key)


def test_a_raise_that_goes_back_is_told_while_its_chips_lie_there():
    """The row was gone with the ante, and ten dollars of the seat lay on the raise spot."""
    at = Sitting("winners_pot", sensors=True)
    at.hw.terminal.view = True
    must, bet = 1, 1 << at.m.game.SPOTS.index("bet")
    at.play.open()
    at.play.do("SENSORS", bytes([must] * 3 + [0] * 4))
    at.play.begin(1, 2, 3)
    at.play.deal()
    at.play.key(1)
    at.play.do("SENSORS", bytes([must | bet] * 3 + [0] * 4))
    at.play.all_act("bet")
    floor(at, "miscount SEAT more")
    at.touch(keys.SEAT_KEY, 1)
    assert at.m.r.status[1] == VOID
    for lie, told in ((must | bet, True), (bet, True), (0, False)):
        at.play.do("SENSORS", bytes([lie] + [must | bet] * 2 + [0] * 4))
        at.app._renew()
        at.told()
        assert any(["RETURN seat 1" in row for row in at.hw.terminal.rows]) == told, lie
        assert ("+$" in at.hw.terminal.parts[keys.SEAT + 1]) == told, lie


def jammed(typed):
    """Heads Up by a manual shoe that jams at the flop: one card of it was touched, as another."""
    at = Sitting("headsup")
    at.hw.terminal.view = True
    at.play.begin(1, s1="AhAs", dealer="KhKs")
    while due(at.m).kind == "deal":
        at.play.deal()
    at.play.act(1, "check")
    at.play.do("HAPPENED", 0, 0)
    at.told()
    at.say("card " + typed)
    at.play.do("HAPPENED", 0, 2)
    return at


def test_a_card_that_was_entered_otherwise_than_the_shoe_tells_is_no_card_more():
    """NEXT took it for the next card of the board, one that was never dealt."""
    for named in (False, True):
        at = jammed("5d")
        position = at.m.r.dealt
        if named:
            at.play.key(1)
            at.say("hand board 5h")
        at.play.do("SHOE", 0, position, cards.parse_all("5h"))
        at.app._renew()
        at.told()
        assert due(at.m).choices == ("said",)
        assert shown(at)[0] == "STOP shoe tells card %d: it was typed. NEXT" % position
        told = next_key(at)
        wrong = "! Card %d was typed as another: compare it. FLOOR, Wrong card" % position
        assert told == ([] if named else [wrong])
        assert due(at.m).kind == "deal" and at.m.r.dealt == position
        at.play.do("SHOE", 0, position + 1, cards.parse_all("9c"))
        assert at.m.r.dealt == position + 1 and not at.m.r.stopped, "the next one fits"
        assert at.say("said") == ["! The deal is not stopped."]


def test_chips_that_come_after_those_of_an_undone_raise_were_lifted_are_asked_for():
    """Sensors see that chips lie there, not how many: three antes were booked for the one."""
    at = Sitting("headsup", sensors=True)
    at.hw.terminal.view = True
    must, lies = 3, 3 | 1 << at.m.game.SPOTS.index("raise")
    at.play.open()
    at.play.do("SENSORS", bytes([must] + [0] * 6))
    at.play.begin(1)
    at.play.deal()

    def chips(bits):
        at.app.queue.put(("sensors", bytes([bits] + [0] * 6)))
        at.told()

    chips(lies)
    at.touch(keys.ACTION, due(at.m).choices.index("raise3"))
    next_key(at)
    assert at.m.r.raised[1] == 1500
    at.touch(keys.UNDO)
    assert shown(at)[1:] == ("1 3x", "gN0 BOOK"), "they lie there still"
    chips(must)
    chips(lies)
    assert shown(at)[2] == "pN0 BOOK" and next_key(at)[0].startswith("! ")
    at.touch(keys.ACTION, due(at.m).choices.index("raise1"))
    next_key(at)
    assert at.m.r.raised[1] == 500
