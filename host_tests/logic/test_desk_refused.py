"""What keeps NEXT from being golden: all that the table would refuse, and the way on."""

from croupier import Chips, Croupier, headsup, premium
from felt.dealer import desk as _desk
from felt.dealer.desk import Desk
from felt.round import events
from felt.round.due import due
from test_desk_chips import cover, sensing
from test_desk_keys import booked, offers, press


class Wire:
    """A device: it answers or does not, and says what is wrong with it."""

    def __init__(self, connected=True, fault=None):
        self.connected, self.fault = connected, fault


def test_the_menu_says_for_a_shoe_what_it_cannot_say_itself():
    """With its cable out an automated shoe was never off the table, and no other way began."""
    off, back = "device shoe removed", "device shoe attached"
    for dealing, connected, wanted in (
        ("auto", False, [off]), ("auto", True, []), ("shoe", False, []), ("shoe", True, []),
    ):  # fmt: skip
        t, shoe = headsup(dealing=dealing), Wire(connected)
        t.open()
        assert [line for line in (off, back) if offers(t.m, line, shoe=shoe)] == wanted
        assert not any([offers(t.m, line) for line in (off, back)]), "a table without a shoe"
    for what in (events.REMOVED, events.JAM):
        t = headsup(dealing="auto")
        t.open()
        t.do("HAPPENED", events.SHOE, what)
        assert offers(t.m, back, shoe=Wire()) and not offers(t.m, off, shoe=Wire())
        assert not offers(t.m, back, shoe=Wire(False)), "it cannot deal"
        assert offers(t.m, off, shoe=Wire(False)) == (what == events.JAM)
        t.do("HAPPENED", events.SHOE, events.ATTACHED)
        assert not offers(t.m, back, shoe=Wire())
        t.do("HAPPENED", events.SHOE, events.REMOVED)
        t.do("METHOD", 0)
        assert offers(t.m, back, shoe=Wire(False)), "a manual shoe may be silent"
    t = headsup(dealing="auto")
    t.begin(1)
    assert not offers(t.m, off, shoe=Wire(False)), "in a round it voids: that is said as void"


def test_the_menu_helps_a_wheel_that_nothing_can_draw_for():
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    entries = ("entropy", "nospin")
    for generator in (None, Wire()):
        assert not any([offers(t.m, line, generator=generator) for line in entries])
    wrong = Wire(fault="entropy_stuck")
    assert [offers(t.m, line, generator=wrong) for line in entries] == [True, False]
    t.bet(1, 500, 500, 0, 0, 500)
    assert booked(t, Desk(generator=wrong)) == "entropy_stuck"
    assert booked(t, Desk(generator=Wire())) == "lock"
    t.bet(1, 500, 500, 0, 0, 0)
    assert booked(t, Desk(generator=wrong)) == "lock", "nobody asks for the wheel"
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
    t.deal()
    t.act(1, "check")
    t.deal()
    t.act(1, "play1")
    while due(t.m).kind != "spin":
        t.turn()
    assert booked(t, Desk(generator=Wire())) == "spin"
    assert booked(t, Desk(generator=wrong)) == "entropy_stuck", "it was golden, and refused"
    assert all([offers(t.m, line, generator=wrong) for line in entries])


def test_a_check_that_was_said_over_counted_chips_is_not_booked():
    chips = Chips()
    t, desk = Croupier("headsup"), Desk(chips)
    t.begin(1)
    t.deal()
    press(t, desk, "A", due(t.m).choices.index("check"))
    for cents, wanted in ((1500, "lies_there 1 raise 1500 $0"), (0, "ACT 1 0")):
        chips.lie = {(1, 4): cents}
        assert booked(t, desk).startswith(wanted)


def test_an_instant_winner_is_booked_when_the_chips_agree_and_its_cards_are_known():
    """The button was golden: it booked the seats before, and refused that one again and again."""
    t, desk = sensing("colorado"), Desk()
    cover(t, 0, 0)
    t.deal()
    bet, instant = [due(t.m).choices.index(word) for word in ("bet", "instant")]
    for seat, value in ((1, bet), (2, instant)):
        press(t, desk, "S", seat)
        press(t, desk, "A", value)
    assert booked(t, desk) == "sensor_mismatch 1 bet"
    at = 1 << t.m.game.SPOTS.index("bet")
    cover(t, at, 0)
    assert booked(t, desk).count("ACT") == 2
    t, desk = Croupier("colorado", version="required", dealing="hand", shuffler="plain"), Desk()
    t.begin(1, 2)
    while due(t.m).kind == "deal":
        t.do("DEALT")
    press(t, desk, "A", instant)
    assert booked(t, desk) == "name_first 1"


def test_chips_that_come_where_a_raise_was_taken_back_are_asked_for():
    """Three antes were booked for the one that lay there."""
    t = sensing("headsup")
    t.deal()
    cover(t, 16, 0)
    desk = Desk()
    _desk.stands(t.m, desk, 1, "raise3")
    _desk.lifted(t.m, desk)
    assert _desk.decision(t.m, desk, 1) == "raise3", "they were not"
    cover(t, 0, 0)
    _desk.lifted(t.m, desk)
    assert _desk.decision(t.m, desk, 1) == "check"
    cover(t, 16, 0)
    _desk.lifted(t.m, desk)
    assert _desk.decision(t.m, desk, 1) is None, "other chips: three antes were booked for one"
    press(t, desk, "A", 2)
    assert _desk.decision(t.m, desk, 1) == due(t.m).choices[2]
    t = sensing("winners_pot")
    t.deal()
    _desk.stands(t.m, desk, 1, "bet")
    cover(t, 0, 0)
    _desk.lifted(t.m, desk)
    at = 1 << t.m.game.SPOTS.index("bet")
    cover(t, at, at)
    assert _desk.decision(t.m, desk, 1) == "bet", "there is one size only"
