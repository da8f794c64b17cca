"""The dealer's desk by itself: what keys mean, what chips stand for, what NEXT would book."""

from croupier import Chips, Croupier, colorado, headsup, premium, winners_pot
from felt.dealer import desk as _desk
from felt.dealer import proposal, touch
from felt.dealer.desk import Desk
from felt.round import events
from felt.round.due import due
from felt.round.state import Refused


def said(e):
    return " ".join([e.code] + [str(a) for a in e.about])


def press(t, desk, key, value=0):
    """Return what a key asks for, or why it means nothing."""
    try:
        return touch.press(t.m, desk, key, value)
    except Refused as e:
        return said(e)


def booked(t, desk, every=True):
    """Return what NEXT would book, or why it cannot."""
    found = proposal.propose(t.m, desk, every)
    if found.wrong:
        assert found.events == ()
        return said(found.wrong)
    out = []
    for event in found.events:
        if isinstance(event, str):
            out.append(event)
            continue
        name, args = events.unpack(event)
        if name == "BET":
            raw = args[1]
            args = [args[0]] + [
                int.from_bytes(raw[i : i + 4], "big") for i in range(0, len(raw), 4)
            ]
        out.append(" ".join([name] + [str(a) for a in args if a != 255]))
    return "; ".join(out)


def offers(m, line, **plugged):
    """Whether the floor's menu has an entry, at a table with those devices."""
    return touch.offers(m, Desk(**plugged), line)


def test_amounts_by_chips_and_digits():
    t, desk = headsup(), Desk()
    assert press(t, desk, "C", 1) == "no_amount_due"
    t.open()
    assert press(t, desk, "C", 1) == press(t, desk, "D", 5) == "choose_seat"
    assert press(t, desk, "W", 0) == "choose_seat" and press(t, desk, "H", 0) == "no_discard_due"
    assert press(t, desk, "S", 0) == "no_seat 0" and press(t, desk, "S", 7) == "no_seat 7"
    assert press(t, desk, "S", 6) is None and desk.seat == 6
    assert press(t, desk, "S", 6) is None and desk.seat == 0, "touched again: let go"
    press(t, desk, "S", 2)
    for value, dollars in enumerate((1, 5, 25, 100, 500, 1000)):
        press(t, desk, "X")
        press(t, desk, "X")
        assert press(t, desk, "C", value) is None and desk.typed == str(dollars)
        assert desk.said[2, 0] == 100 * dollars == desk.ante
    assert press(t, desk, "C", 6) == "choose_seat"
    press(t, desk, "C", 2)
    assert desk.typed == "1025", "chips add up"
    assert press(t, desk, "W", 4) == "choose_seat" and press(t, desk, "W", 3) is None
    assert (desk.spot, desk.typed) == (3, "")
    for digit in (0, 1, 2, 13):
        press(t, desk, "D", digit)
    assert desk.typed == "123" and desk.said[2, 3] == 12300 and desk.ante == 102500
    for digit in (4, 5, 6, 7):
        assert press(t, desk, "D", digit) is None
    assert press(t, desk, "D", 8) == "too_long" and desk.typed == "1234567"
    press(t, desk, "X")
    assert desk.typed == "" and (2, 3) not in desk.said
    press(t, desk, "X")
    assert desk.said[2, 3] == 0, "erased twice: no wager"
    press(t, desk, "S", 3)
    assert (desk.seat, desk.spot, desk.typed) == (3, 0, "")


def test_what_was_said_is_taken_back_in_order():
    desk = Desk()
    assert desk.take_back() is None
    desk.say(1, 0, 500)
    desk.say(1, 0, 700)
    desk.note("chosen", 3, "fold")
    desk.typed = "7"
    assert desk.take_back() == ("chosen", 3) and desk.typed == "" and not desk.chosen
    assert desk.take_back() == ("said", 1) and desk.said[1, 0] == 500
    assert desk.take_back() == ("said", 1) and not desk.said
    desk.say(1, 0, 500)
    desk.seat, desk.spot, desk.typed = 1, 1, "5"
    desk.note("chosen", 3, "fold")
    desk.moved_on()
    assert (desk.seat, desk.spot, desk.typed, desk.trail) == (0, 0, "", []) and not desk.chosen
    assert desk.said, "amounts of the coming round stay"


def test_next_books_wagers_and_says_what_is_missing():
    t, desk = headsup(), Desk()
    t.open()
    assert booked(t, desk) == "players 1"
    desk.say(2, 0, 500)
    assert booked(t, desk) == "equal_ante 2 odds"
    desk.say(2, 1, 700)
    assert booked(t, desk) == "equal_ante 2 odds"
    desk.take_back()
    desk.say(2, 1, 500)
    assert booked(t, desk) == "BET 2 500 500 0 0; lock"
    t.bet(2, 500, 500)
    assert booked(t, desk) == "lock"
    t.bet(3, 500, 500)
    assert booked(t, desk) == "lock"
    desk.say(3, 0, 0)
    t.do("BET", 2, bytes(16))
    desk.locked(t.m)
    assert desk.last[3] == [500, 500, 0, 0] and not desk.said and desk.ante == 500
    t.bet(3, 0, 0)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock", "what it had last time is offered"


def test_chips_without_an_amount_are_asked_for():
    t, desk = headsup(sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([0, 3, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "touch_amount 2 ante"
    assert booked(t, desk, every=False) == "amount 2 ante"
    press(t, desk, "S", 2)
    assert booked(t, desk) == "amount 2 ante"
    press(t, desk, "C", 1)
    assert booked(t, desk) == "BET 2 500 500 0 0; lock", "odds equal the ante"
    t.do("SENSORS", bytes([0, 1, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "equal_ante 2 odds"
    t.do("SENSORS", bytes([0, 7, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "touch_spot 2 trips_plus", "the next chip would still be the ante's"
    press(t, desk, "W", 2)
    assert booked(t, desk) == "amount 2 trips_plus"
    press(t, desk, "C", 0)
    assert booked(t, desk) == "BET 2 500 500 100 0; lock"


def test_a_seat_that_is_touched_takes_the_amount_that_is_missing():
    t, desk = headsup(sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([0, 3, 0, 0, 0, 0, 0]))
    press(t, desk, "S", 2)
    press(t, desk, "C", 1)
    press(t, desk, "S", 2)
    t.do("SENSORS", bytes([0, 7, 0, 0, 0, 0, 0]))
    press(t, desk, "S", 2)
    assert desk.spot == 2 and booked(t, desk) == "amount 2 trips_plus"
    press(t, desk, "C", 0)
    assert booked(t, desk) == "BET 2 500 500 100 0; lock"
    press(t, desk, "S", 3)
    assert desk.spot == 0


def test_a_reader_tells_amounts_and_every_game_what_binds_them():
    chips = Chips()
    t, desk = premium(bonus_spin="flush5_progressive", sensors=True), Desk(chips)
    t.open()
    t.do("SENSORS", bytes([0b10011, 0, 0, 0, 0, 0, 0]))
    chips.lie = {(1, 0): 700, (1, 1): 700}
    assert booked(t, desk) == "BET 1 700 700 0 0 500; lock", "a spin has its own stake"
    t, desk = winners_pot(sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([1, 1, 0, 0, 0, 0, 0]))
    desk.say(1, 0, 500)
    assert booked(t, desk) == "BET 1 500 0; BET 2 500 0; lock", "all antes are equal"
    desk.say(2, 0, 700)
    assert booked(t, desk) == "equal_antes 2 ante"
    t = headsup()
    t.open()
    assert _desk.antes_equal(winners_pot().m.game) and not _desk.antes_equal(t.m.game)


def deciding(t, *seats):
    t.begin(*seats)
    t.deal()
    return t


def test_chips_on_a_raise_spot_are_the_raise():
    chips = Chips()
    t, desk = deciding(headsup(), 1, 2), Desk()
    assert booked(t, desk) == "decide 1", "nothing can tell"
    press(t, desk, "A", 2)
    assert booked(t, desk) == "decide 2"
    press(t, desk, "S", 2)
    assert press(t, desk, "A", 4) == "no_decision_due"
    press(t, desk, "A", 3)
    assert desk.seat == 0 and booked(t, desk) == "ACT 1 4; ACT 2 0"
    t.act(1, "raise3")
    press(t, desk, "S", 1)
    assert press(t, desk, "A", 0) == "no_decision_due", "it has decided"
    t = headsup(sensors=True)
    t.open()
    t.do("SENSORS", bytes([3, 3, 0, 0, 0, 0, 0]))
    deciding(t, 1, 2)
    desk = Desk()
    t.do("SENSORS", bytes([0x13, 3, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "ACT 1 2; ACT 2 0", "the least raise, and a check"
    desk.reader = chips
    chips.lie = {(1, 4): 1000}
    assert booked(t, desk) == "ACT 1 3; ACT 2 0"
    chips.lie = {(1, 4): 1100}
    assert booked(t, desk) == "wrong_raise 1 raise 1100"
    assert press(t, Desk(), "C", 0) == "no_amount_due"


def test_an_instant_winner_is_paid_before_anybody_else_decides():
    t, desk = colorado(), Desk()
    deciding(t, 1, 2)
    press(t, desk, "A", 2)
    press(t, desk, "S", 2)
    press(t, desk, "A", 0)
    assert booked(t, desk) == "ACT 1 3"


def test_discards_are_touched_when_the_hand_is_turned():
    t, desk = colorado(), Desk()
    t.begin(1, 2, s1="AhAd2c", s2="KhKd3d", board="4c5d7h")
    t.deal()
    t.act(1, "bet")
    t.act(2, "bet")
    assert proposal.turned(t.m) == 0 and press(t, desk, "H", 0) == "no_discard_due"
    t.turn()
    assert proposal.turned(t.m) == 2 and booked(t, desk) == ""
    assert press(t, desk, "H", 3) == "no_discard_due"
    what, found = press(t, desk, "H", 2)
    assert what == "events" and [events.unpack(e) for e in found] == [("DISCARD", [2, 5])]
    t.done(found[0])
    assert proposal.turned(t.m) == 1 and proposal.to_settle(t.m) == [2, 1]
    assert booked(t, desk) == "PAID 2"
    found = press(t, desk, "H", 2)[1]
    assert [events.unpack(e)[0] for e in found] == ["PAID", "DISCARD"], (
        "the seat before is settled"
    )


def test_seats_are_settled_together_when_their_chips_have_moved():
    chips = Chips()
    t, desk = Croupier("three_card"), Desk(chips)
    t.begin(1, 2, 3, s1="AhKd2c", s2="3h4d6c", s3="AsAd5c", dealer="QhTd2d")
    t.deal()
    t.all_act("play")
    t.turn()
    assert [ln.net for ln in proposal.lines_of(t.m, 2)] == [-500, -500]
    assert booked(t, desk) == "PAID 1; PAID 2; PAID 3"
    assert booked(t, desk, every=False) == "PAID 1"
    chips.lie = {(2, 0): 500}
    assert booked(t, desk) == "PAID 1", "what seat 2 lost lies there still"
    chips.lie = {(3, 0): 700}
    assert booked(t, desk) == "PAID 1; PAID 2", "seat 3 was paid short"
    lines = proposal.lines_of(t.m, 3)
    assert said(_desk.paid_wrong(t.m, desk, 3, lines)) == "lies_there 3 ante 700 $10"
    for cents, good in ((500, True), (501, False), (999, False), (1000, True), (1500, True),
                        (1501, False)):  # fmt: skip
        chips.lie = {(3, 0): cents}
        assert _desk.moved(t.m, desk, 3, lines) == good, cents


def test_chips_changed_after_the_lock_are_found():
    chips = Chips()
    t, desk = headsup(), Desk(chips)
    assert list(_desk.moved_late(t.m, desk)) == []
    t.begin(1, 2)
    assert list(_desk.moved_late(t.m, desk)) == []
    chips.lie = {(1, 0): 500, (1, 1): 600, (2, 2): 100}
    assert list(_desk.moved_late(t.m, desk)) == [(1, "odds", 600, "$5")]
    assert list(_desk.moved_late(t.m, Desk())) == []


def test_a_checklist_and_a_stub_take_a_number():
    t, desk = headsup(), Desk()
    t.do("OPEN", 0)
    assert booked(t, desk) == "DONE 1 52"
    t.key(1)
    while due(t.m).choices != ("cut",):
        t.turn()
    assert booked(t, desk) == "DONE 7 26"
    press(t, desk, "D", 3)
    press(t, desk, "D", 0)
    assert booked(t, desk) == "DONE 7 30"
    press(t, desk, "S", 2)
    for digit in (0, 0, 9, 9, 9):
        press(t, desk, "D", digit)
    assert desk.typed == "999" and not desk.said, "no amount of the seat that is touched"
    assert proposal.propose(t.m, desk, True).events == (events.pack("DONE", 7, 255),), "one byte"
    t.do("DONE", 7, 26)
    t = headsup(stub_every=1)
    t.begin(1)
    while due(t.m).kind != "stub":
        t.turn() if due(t.m).kind != "decide" else t.act(1, due(t.m).choices[0])
    desk = Desk()
    assert booked(t, desk) == "number"
    press(t, desk, "D", 4)
    press(t, desk, "D", 3)
    assert booked(t, desk) == "STUB 43 0"
    for _ in range(3):
        press(t, desk, "D", 9)
    assert proposal.propose(t.m, desk, True).events == (events.pack("STUB", 255, 0),), "one byte"


def test_the_floorperson_s_menu():
    t, desk = winners_pot(), Desk()
    at = touch.FLOOR.index
    assert press(t, desk, "M", at("void")) == "no_menu"
    assert press(t, desk, "M", at("open new")) == ("line", "open new"), "a closed table opens"
    assert press(t, desk, "M", at("open pre")) == ("line", "open pre")
    assert press(t, desk, "M", 99) == press(t, desk, "M", len(touch.FLOOR)) == "no_menu"
    t.open()
    assert press(t, desk, "M", at("open new")) == "no_menu"
    assert press(t, desk, "F") == ("page", None) and desk.floor
    assert press(t, desk, "M", at("exposed SEAT")) is None and desk.asks == "exposed SEAT"
    assert press(t, desk, "S", 3) == ("line", "exposed 3")
    assert desk.asks == "" and not desk.floor and desk.seat == 0
    desk.floor = True
    press(t, desk, "M", at("miscount SEAT more"))
    assert press(t, desk, "S", 4) == ("line", "miscount 4 more")
    assert press(t, desk, "S", 0) == "no_seat 0", "nothing waits for the dealer's place now"
    desk.floor = True
    press(t, desk, "M", at("miscount SEAT less"))
    assert press(t, desk, "S", 0) == ("line", "miscount dealer less") and not desk.floor
    desk.floor = True
    press(t, desk, "M", at("exposed SEAT"))
    assert press(t, desk, "S", 0) == "no_seat 0" and desk.asks, "it waits on"
    desk.floor, desk.asks = True, "x SEAT"
    assert press(t, desk, "F") == ("page", None) and (desk.floor, desk.asks) == (False, "")
    desk.floor = True
    assert press(t, desk, "M", at("meters")) == ("line", "meters") and not desk.floor
    assert press(t, desk, "N") == ("next", None) and press(t, desk, "U") == ("undo", None)
    between = [verb for verb in VERBS if offers(t.m, verb)]
    assert between == [
        "clear",
        "recut",
        "accept",
        "idle",
        "close",
        "meters",
        "recall",
        "log",
    ]
    t.begin(1, 2)
    during = [verb for verb in VERBS if offers(t.m, verb)]
    reports = ["void", "exposed", "miscount", "hand"]
    assert during == reports + ["recut", "button", "meters", "recall", "log"]
    t.deal()
    assert offers(t.m, "accept") and not offers(t.m, "recut"), "cards lie there"
    assert not offers(t.m, "noburn"), "nothing of the first three cards is burnt"
    t.all_act("bet")
    assert offers(t.m, "noburn"), "the burn is due"
    wheel = premium(bonus_spin="flush5_progressive").m
    assert offers(wheel, "hits")
    t = headsup()
    t.begin(1)
    assert offers(t.m, "void") and not offers(t.m, "button")
    assert not offers(t.m, "noburn")
    assert touch.GUARDED == ("void", "exposed dealer", "miscount SEAT more", "miscount SEAT less",
                             "close", "accept", "noburn", "device shoe removed",
                             "nospin")  # fmt: skip


def test_the_menu_offers_nothing_that_the_table_refuses_by_its_phase():
    always = ["meters", "recall", "log"]
    t = winners_pot()
    assert [verb for verb in VERBS if offers(t.m, verb)] == [
        "open",
        "idle",
        "close",
    ] + always
    t.begin(1, 2)
    t.deal()
    t.all_act("fold")
    while due(t.m).kind != "collect":
        t.turn()
    assert [verb for verb in VERBS if offers(t.m, verb)] == ["button"] + always


def test_a_wrong_count_is_touched_where_the_game_has_cards():
    wanted = {"colorado": ["board"], "winners_pot": ["dealer"], "headsup": ["board", "dealer"]}
    for game in wanted:
        t = Croupier(game, **({"version": "required"} if game == "colorado" else {}))
        t.begin(1, 2)
        desk = Desk()
        desk.floor = True
        press(t, desk, "M", touch.FLOOR.index("miscount SEAT more"))
        assert [name for name, _ in touch.places(t.m, desk)] == wanted[game]
        for name, value in (("board", 8), ("dealer", 0)):
            desk.asks = "miscount SEAT more"
            found = press(t, desk, "S", value)
            line = "miscount %s more" % name
            assert found == (("line", line) if name in wanted[game] else "no_seat %d" % value)
        assert offers(t.m, "exposed dealer") == (game != "colorado"), "he holds no cards"
        assert offers(t.m, "exposed SEAT")


LINES = ("void", "exposed dealer", "exposed 5", "miscount 5 more", "miscount 5 less", "clear 5",
         "recut", "accept", "button", "noburn", "open new", "open pre", "method shoe",
         "method hand", "method auto", "idle", "close", "meters", "recall", "log", "hits",
         "device shoe removed", "device shoe attached", "entropy", "nospin")  # fmt: skip


def test_every_entry_of_the_menu_is_a_line_as_it_could_be_typed():
    t, desk = headsup(), Desk()
    t.open()
    typed = [value for value, line in enumerate(touch.FLOOR) if line != touch.NAMING]
    for value, line in zip(typed, LINES):
        desk.floor = True
        found = press(t, desk, "M", value) or press(t, desk, "S", 5)
        assert found == ("line", line) and not desk.floor, line
    assert len(LINES) == len(typed)


def test_another_way_of_dealing_is_chosen_between_rounds():
    """A table whose shoe was gone for good had to type it."""
    for settings, wanted in (
        ({}, []), ({"shuffler": "plain"}, ["hand"]), ({"dealing": "auto"}, ["shoe"]),
        ({"dealing": "auto", "shuffler": "counting"}, ["shoe", "hand"]),
        ({"dealing": "hand", "shuffler": "plain"}, ["shoe"]),
    ):  # fmt: skip
        t = headsup(**settings)
        t.open()
        ways = ("shoe", "hand", "auto")
        if t.m.dealing == "auto":
            assert not any([offers(t.m, "method " + way) for way in ways])
            t.do("HAPPENED", events.SHOE, events.REMOVED)
        assert [way for way in ways if offers(t.m, "method " + way)] == wanted
    t.do("METHOD", 0)
    assert [way for way in ways if offers(t.m, "method " + way)] == ["hand"]
    t.begin(1)
    assert not offers(t.m, "method hand"), "a round is dealt as it began"
    t = headsup(dealing="auto")
    t.open()
    t.do("HAPPENED", events.SHOE, events.REMOVED)
    t.do("METHOD", 0)
    assert offers(t.m, "method auto"), "and back"


VERBS = ("void", "exposed", "miscount", "hand", "clear", "recut", "accept", "button", "noburn",
         "open", "idle", "close", "meters", "recall", "log", "hits")  # fmt: skip


def test_where_no_sensor_sees_a_raise_one_touch_a_seat_decides():
    t, desk = headsup(), Desk()
    t.begin(1, 2, 4)
    t.deal()
    assert booked(t, desk) == "decide 1"
    for value, missing in ((0, "decide 2"), (1, "decide 4")):
        assert press(t, desk, "A", value) is None and booked(t, desk) == missing
    press(t, desk, "A", 0)
    legal = due(t.m).choices
    assert desk.chosen == {1: legal[0], 2: legal[1], 4: legal[0]}
    press(t, desk, "S", 2)
    press(t, desk, "A", 0)
    assert desk.chosen[2] == legal[0], "a seat that is touched comes first"


def test_a_folded_flush_is_settled_by_its_tap_and_next_is_never_dead():
    t, desk = premium(bonus_spin="flush5_progressive"), Desk()
    t.open()
    for seat in (1, 3):
        t.bet(seat, 500, 500, 0, 0, 500)
    t.begin(1, 3, s1="2h5h9h", s3="4s8sKs", dealer="3c3dTs", board="KdQs8c7d")
    t.deal()
    t.act(1, "check")
    t.act(3, "check")
    t.deal()
    t.act(1, "fold")
    t.act(3, "fold")
    t.turn()
    assert booked(t, desk) == "TAP 1; PAID 1"
    t.do("TAP", 1)  # typed by itself: nothing is left to move, and yet it is asked
    assert due(t.m).kind == "settle" and booked(t, desk) == "PAID 1; TAP 3; PAID 3"
    t.do("PAID", 1)
    t.do("TAP", 3)
    t.do("PAID", 3)
    assert booked(t, desk) == "spin"
    t.do("TAKE_BACK")
    assert due(t.m).kind == "settle" and booked(t, desk) == "PAID 3"


def test_next_answers_every_other_thing_that_is_due():
    t, desk = premium(bonus_spin="flush5_progressive"), Desk()
    assert booked(t, desk) == "", "a closed table is opened on purpose"
    t.open()
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
    assert booked(t, desk) == ""
    t.deal()
    t.act(1, "check")
    t.deal()
    t.act(1, "play1")
    assert booked(t, desk) == "REVEAL"
    t.turn()
    assert booked(t, desk) == "TAP 1"
    t.do("TAP", 1)
    assert booked(t, desk) == "PAID 1"
    t.turn()
    assert booked(t, desk) == "spin"
    t.do("SPIN", 1, 1)
    assert booked(t, desk) == "HANDPAID 1"
    t.key(1)
    t.do("HANDPAID", 1)
    assert booked(t, desk) == "SPUN 1"
    t.turn()
    assert booked(t, desk) == "END"
    t.end()
    t.checklist()
    t.do("IDLE")
    assert booked(t, desk) == "OPEN 2"


def test_next_turns_cards_goes_on_awards_the_pot_and_returns_stakes():
    t, desk = colorado(), Desk()
    deciding(t, 1, 2)
    t.all_act("bet")
    assert booked(t, desk) == "REVEAL", "the board is turned"
    t = headsup()
    t.begin(1)
    t.do("SHOE", 0, 1, bytes([255]))
    assert booked(t, desk) == "GO_ON"
    t.key(1)
    t.do("VOID", 0)
    assert booked(t, desk) == "END"
    t = winners_pot()
    t.begin(1, 2)
    while due(t.m).kind != "pot":
        t.turn()
    assert booked(t, desk) == "PAID 0"


def test_all_seats_of_every_game_are_booked_and_too_few_are_not():
    for game, seats in GAMES:
        t, desk = Croupier(game, **({"version": "required"} if game == "colorado" else {})), Desk()
        t.open()
        assert press(t, desk, "A", 0) == "no_decision_due"
        least = t.m.game.MIN_PLAYERS
        for seat in range(seats, 0, -1):
            assert booked(t, desk) == "players %d" % least or seats - seat >= least, game
            for spot in range(t.m.game.MANDATORY):
                desk.say(seat, spot, 500)
        bets = [BET % seat for seat in range(1, seats + 1)]
        found = booked(t, desk)
        assert [" ".join(each.split()[:3]) for each in found.split("; ")] == bets + ["lock"], game


GAMES = (("premium", 6), ("headsup", 6), ("colorado", 7), ("winners_pot", 6), ("ultimate", 6),
         ("three_card", 7))  # fmt: skip
BET = "BET %d 500"


def test_who_is_settled_when_hands_are_void_unknown_or_paid_already():
    t, desk = Croupier("three_card"), Desk()
    t.begin(1, 2, 3, 4)
    t.deal(2)
    t.do("SHOE", 0, 3, bytes([255]))
    t.do("GO_ON")
    t.deal()
    t.key(1)
    t.do("MISCOUNT", 2, 2)
    t.all_act("play")
    t.turn()
    assert proposal.to_settle(t.m) == [1, 3, 4] and booked(t, desk) == "PAID 1"
    assert proposal.known(t.m.r, 1) and not proposal.known(t.m.r, 3)
    assert proposal.lines_of(t.m, 3) == proposal.lines_of(t.m, 2) == ()
    t = colorado()
    t.begin(1, 2, 3, s2="8c8d8h")
    t.deal()
    t.act(1, "bet")
    t.act(2, "instant")
    assert proposal.to_settle(t.m) == [2] and booked(t, desk) == "PAID 2"
    assert [ln.net for ln in proposal.lines_of(t.m, 2)] == [2500]
    t.do("PAID", 2)
    t.act(3, "bet")
    t.turn()
    assert proposal.to_settle(t.m) == [3, 1] and proposal.lines_of(t.m, 2) == ()


def test_the_lines_that_are_shown_are_those_the_machine_books():
    for game, seats in GAMES:
        t = Croupier(game, **({"version": "required"} if game == "colorado" else {}))
        t.begin(*range(1, seats + 1))
        while due(t.m).kind != "collect":
            now = due(t.m)
            if now.kind in ("settle", "tap") and now.amounts:
                assert list(proposal.lines_of(t.m, now.seat)) == list(now.amounts), game
            folds = now.kind == "decide" and now.seat == 2 and "fold" in now.choices
            t.act(2, "fold") if folds else t.turn()
