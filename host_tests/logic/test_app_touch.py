"""NEXT, UNDO and touches: what they book, take back, or are answered with."""

from at_table import QUICK, TURNING, Sitting, Wheel, betting, decided
from croupier import Chips
from felt.dealer import touch as touching
from felt.dealer.desk import decision
from felt.link import terminal as keys
from felt.round import events
from felt.round.due import due


from tools.rounds import covered

KEY_FIRST = "Turn the attendant key on first."


def test_next_books_what_stood_on_the_screen():
    at = betting()
    glass = at.hw.terminal
    assert at.say("next") == ["! Waiting for bets. Players at least: 1."]
    at.now += 400
    at.play.bet(1, 500, 500)
    glass.whole = False
    assert at.say("next") == ["! The screen has just changed: look, then NEXT."]
    glass.whole = True
    assert at.say("next") == [] and at.m.r, "it was not heeded, so it is no repetition"
    assert at.named()[-1] == "LOCK" and at.app.desk.last[1] == [500, 500, 0, 0]
    assert at.say("next") == [QUICK]
    at.now += 400
    assert at.say("next") == ["! Next card: seat 1, face down"], (
        "nothing to book: it says what is due"
    )


def test_a_touch_of_next_counts_only_when_all_was_seen():
    at = decided()
    at.hw.terminal.view = True
    at.touch(keys.ACTION, 0)
    at.touch(keys.SEAT_KEY, 2)
    at.touch(keys.ACTION, 0)
    at.now += 1000
    assert at.touch(keys.NEXT, 0, False) == ["! The screen has just changed: look, then NEXT."]
    assert due(at.m).kind == "decide"
    assert at.touch(keys.NEXT) == [] and at.named()[-2:] == ["ACT", "ACT"]
    assert at.touch(keys.NEXT) == [QUICK]


def test_what_is_shown_as_a_page_is_never_booked():
    at = betting()
    at.play.bet(1, 500, 500)
    at.hw.terminal.whole = True
    at.now += 1000
    at.say("help bet")
    assert at.app.shown is None
    assert at.say("next") == [] and not at.m.r, "it closes the page"
    at.now += 1000
    assert at.app.shown and at.say("next") == [] and at.m.r


def test_a_typed_ok_on_a_page_books_nothing_either():
    at = betting()
    for seat in (1, 2):
        at.play.bet(seat, 500, 500)
    at.play.begin(1, 2)
    at.play.deal()
    at.play.all_act("raise3")
    at.play.deal()
    while due(at.m).kind != "settle":
        at.play.turn()
    at.app._renew()
    at.work()
    at.now += 1000
    at.say("meters")
    assert at.say("ok") == [] and due(at.m).seat == 1, "it turns the page"
    while at.app.page is not None:
        at.now += 1000
        at.say("ok")
    assert due(at.m).seat == 1 and not at.m.r.booked[1]
    at.now += 1000
    at.say("ok")
    assert due(at.m).seat == 2 and at.m.r.booked[1]


def two_instants(first):
    """Return a table where seats 1 and 3 said so, and seat 1 is to be paid."""
    at = Sitting("colorado", version="required", sensors=True)
    at.play.open()
    at.play.do("SENSORS", bytes([1, 0, 1, 0, 0, 0, 0]))
    at.play.begin(1, 3, s1=first, s3="KcKdKh")
    at.play.deal()
    at.hw.terminal.view = True
    at.app._renew()
    at.work()
    for seat in (3, 1):
        at.touch(keys.SEAT_KEY, seat)
        at.touch(keys.ACTION, due(at.m).choices.index("instant"))
    at.now += 1000
    at.touch(keys.NEXT)
    assert (due(at.m).kind, due(at.m).seat) == ("settle", 1)
    return at


def test_a_second_instant_stays_said_while_the_first_one_is_paid():
    """Its seat had nothing on the bet spot then, and was booked as a fold."""
    at = two_instants("9c9d9h")
    at.now += 1000
    at.touch(keys.NEXT)
    assert (due(at.m).kind, due(at.m).seat) == ("decide", 3)
    assert at.hw.terminal.parts[keys.BOOKS] == "3 INSTANT"
    at.now += 1000
    at.touch(keys.NEXT)
    assert (due(at.m).kind, due(at.m).seat) == ("settle", 3)
    at.play.turn()
    at.app._renew()
    at.work()
    assert not at.app.desk.chosen, "the next stage begins with nothing said"


def test_an_instant_taken_back_is_proposed_no_more():
    """The hand was no instant winner: the next BOOK would have voided it all the same."""
    at = two_instants("9c9d2h")
    assert at.touch(keys.UNDO) == ["Taken back: decision of seat 1"]
    assert at.hw.terminal.parts[keys.BOOKS] == "1 FOLDS  3 INSTANT", "the other one stays said"


def test_undo_takes_back_what_one_touch_booked_and_says_so_once():
    at = decided()
    at.hw.terminal.view = True
    for seat in (1, 2):
        at.touch(keys.SEAT_KEY, seat)
        at.touch(keys.ACTION, 0)
    at.now += 1000
    at.touch(keys.NEXT)
    assert due(at.m).kind == "deal"
    assert at.touch(keys.UNDO) == ["Taken back: decision of seats 1 2"]
    assert due(at.m).seat == 1
    assert at.touch(keys.UNDO) == ["! Nothing can be undone."]


def test_undo_takes_back_a_typed_entry_and_what_was_only_said():
    at = decided()
    word = due(at.m).choices[0]
    at.say("1 " + word)
    at.touch(keys.SEAT_KEY, 2)
    at.touch(keys.ACTION, 0)
    assert at.app.desk.chosen == {2: due(at.m).choices[0]}
    assert at.say("undo") == ["Taken back: choice of seat 2"] and due(at.m).seat == 2
    assert at.app.desk.chosen == {}
    assert at.say("undo") == ["Taken back: decision of seat 1"] and due(at.m).seat == 1
    at.say("1 " + word)
    at.say("2 " + word)
    assert at.touch(keys.UNDO) == ["Taken back: decision of seat 2"]
    assert at.touch(keys.UNDO) == ["Taken back: decision of seat 1"]


def test_after_a_start_undo_takes_back_one_entry():
    at = decided()
    for _ in range(2):
        at.play.act(due(at.m).seat, due(at.m).choices[0])
    assert at.say("undo") == ["Taken back: decision of seat 2"]
    assert at.say("undo") == ["Taken back: decision of seat 1"]


def test_a_raise_taken_back_stays_said_while_its_chips_lie_there():
    at = Sitting(sensors=True)
    at.play.open()
    for seat in (1, 2):
        at.play.bet(seat, 500, 500)
    felt = bytearray(covered(at.m))
    at.play.do("SENSORS", bytes(felt))
    at.play.begin(1, 2)
    at.play.deal()
    felt[0] |= 1 << at.m.game.SPOTS.index("raise")
    at.play.do("SENSORS", bytes(felt))
    at.told()
    at.say("1 raise2")
    at.say("2 check")
    assert at.say("undo") == ["Taken back: decision of seat 2"] and at.app.desk.chosen == {}
    assert at.say("undo") == ["Taken back: decision of seat 1"]
    assert decision(at.m, at.app.desk, 1) == "raise2", "chips tell a raise, not its size"
    felt[0] &= ~(1 << at.m.game.SPOTS.index("raise"))
    at.play.do("SENSORS", bytes(felt))
    assert decision(at.m, at.app.desk, 1) == "check", "its chips are gone"


def test_undo_after_a_refused_decision_takes_the_booked_ones_back_at_once():
    """The first UNDO said "choice of seat 1", and its raise was booked all the same."""
    at = Sitting(sensors=True)
    at.hw.terminal.view = True
    at.play.open()
    for seat in (1, 2):
        at.play.bet(seat, 500, 500)
    at.play.do("SENSORS", covered(at.m))
    at.play.begin(1, 2)
    at.play.deal()
    at.told()
    at.touch(keys.SEAT_KEY, 1)
    at.touch(keys.ACTION, 1)
    at.now += 1000
    differ = ["! Seat 1: chips and entry differ on Raise."]
    assert at.touch(keys.NEXT) == differ and at.app.shown == ()
    assert due(at.m).seat == 1 and at.m.r.raised[1] == 0, "nothing is booked of it"
    words = ("raise2", "check")
    acts = [
        events.pack("ACT", seat, at.m.game.ACTIONS.index(word), events.NO_CARD)
        for seat, word in zip((1, 2), words)
    ]
    at.app._start(acts)  # as if its chips went while it was booked
    assert at.told() == differ
    assert due(at.m).seat == 2 and at.m.r.raised[1] == 1000
    assert at.touch(keys.UNDO) == ["Taken back: decision of seat 1"]
    assert due(at.m).seat == 1 and at.m.r.raised[1] == 0
    assert decision(at.m, at.app.desk, 1) == "check", "no chips lie there"


def test_chips_that_differ_from_what_is_booked_are_named_every_time_it_is_booked():
    at = decided()
    chips = at.app.desk.reader = Chips()
    chips.lie = {(1, at.m.game.SPOTS.index("raise")): 1000}
    wrong = ["! Seat 1 Raise: $10 lies there, $5 is due."]
    assert at.say("1 raise1") == wrong
    assert at.say("undo") == ["Taken back: decision of seat 1"]
    assert decision(at.m, at.app.desk, 1) == "raise2"
    assert at.say("1 raise1") == wrong
    at.say("undo")
    assert at.say("1 raise2") == []


def test_several_things_taken_back_are_one_sentence_in_order():
    at = Sitting()
    at.app._back = [("said", 3), ("ACT", 5), ("ACT", 2), ("said", 1)]
    at.app.queue.put(("line", "help"))
    assert at.told() == ["Taken back: decision of seats 2 5, amount of seats 1 3"]
    at.app.queue.put(("line", "help"))
    assert at.told() == []


def test_a_batch_ends_at_what_is_refused_and_undo_takes_back_what_was_booked():
    at = decided()
    act = events.pack("ACT", 1, at.m.game.ACTIONS.index(due(at.m).choices[0]), events.NO_CARD)
    at.app._start([act, events.pack("REVEAL"), act])
    assert at.told() == ["! No cards are due to be turned."] and at.app._batch == []
    assert due(at.m).seat == 2 and at.app._sizes == [1]
    at.app._start([])
    assert at.say("undo") == ["Taken back: decision of seat 1"]
    assert at.app._sizes == [] and at.say("undo") == ["! Nothing can be undone."]


def test_what_a_batch_books_comes_before_what_waits():
    at = decided()
    done = []
    at.app._take_batch = lambda event: done.append(event)
    at.app._take_line = lambda line: done.append(line)
    at.app.queue.put(("line", "first"))
    at.app._start(["a", "b"])
    at.app.poll_table(0)
    assert done == ["a"]
    at.work(3)
    assert done == ["a", "b", "first"]


def test_sizes_of_touches_begin_anew_where_nothing_can_be_undone():
    at = decided()
    at.app._sizes = [4, 4]
    at.app._booked(2)
    assert at.app._sizes == [2]
    at.say("1 " + due(at.m).choices[0])
    assert at.app._sizes == [2, 1]


def test_a_spin_is_confirmed_only_when_the_wheel_stands():
    at = Sitting("premium", bonus_spin="flush1_fixed", fixed_prize=100000)
    at.hw.display = Wheel()
    at.hw.display.spins = True
    booked = []
    at.table.typed = booked.append
    for name in ("SPUN", "HANDPAID"):
        assert at.app._book(events.pack(name, 1)) is None and booked == []
        assert at.told() == [TURNING]
    at.app._book(events.pack("REVEAL"))
    at.hw.display.spins = False
    at.app._book(events.pack("SPUN", 1))
    assert booked == [events.pack("REVEAL"), events.pack("SPUN", 1)] and at.told() == []
    at.hw.display.spins = True
    at.table.fault = "journal"
    assert at.app.turning() is False
    at.table.fault = at.hw.display = None
    assert at.app.turning() is False


def spinning(**settings):
    at = Sitting("premium", bonus_spin="flush1_fixed", fixed_prize=100000, **settings)
    at.play.open()
    at.told()
    return at


def test_no_spin_is_sold_while_the_generator_is_known_to_fail():
    said = "! No spin: random source is stuck. Attendant key on, then: entropy"
    at = spinning()
    at.say("bet 1 ante 5 xtra 5 bonus_spin 1")
    at.say("bet 2 ante 5 xtra 5")
    at.noise.fault = "entropy_stuck"
    assert at.say("nmb") == [said] and at.m.r is None
    at.table.generator = None
    assert at.say("nmb") == [said.replace("is stuck", "not started")] and at.m.r is None
    at.say("bet 1 ante 5 xtra 5")
    assert at.say("nmb") == [] and at.m.r, "without a wager on the spin nothing needs it"
    assert at.app.desk.last[1] == [500, 500, 0, 0, 0]
    at = spinning()
    at.say("bet 1 ante 5 xtra 5 bonus_spin 1")
    at.say("bet 2 ante 5 xtra 5")
    assert at.say("nmb") == [] and at.m.r


def test_an_automated_shoe_must_be_there_before_money_is_taken():
    for dealing, connected in (("auto", False), ("auto", True), ("shoe", False)):
        at = betting(dealing=dealing)
        at.hw.shoe.connected = connected
        at.say("bet 1 ante 5 odds 5")
        told = at.say("nmb")
        locked = dealing == "shoe" or connected
        assert bool(at.m.r) == locked
        assert told == (
            [] if locked else ["! No shoe on its line: plug it in, or change the method."]
        )


def test_touches_change_the_desk_or_are_answered():
    at = betting()
    assert at.touch(keys.CHIP, 1) == ["! Touch a seat first."]
    assert at.touch(keys.SEAT_KEY, 2) == [] and at.app.desk.seat == 2
    assert at.touch(keys.CHIP, 1) == [] and at.app.desk.said == {(2, 0): 500}
    assert at.touch(keys.UNDO) == ["Taken back: amount of seat 2"]
    assert at.touch(keys.FLOOR) == [] and at.app.desk.floor
    assert at.touch(keys.MENU, touching.FLOOR.index("meters")) == []
    assert at.hw.terminal.rows[0] == "METERS"


def test_a_discard_is_booked_by_touching_its_card():
    at = betting()
    booked = []
    press = touching.press
    touching.press = lambda m, desk, key, value: ("events", ["x", "y"])
    try:
        at.app._take_batch = booked.append
        at.touch(keys.CARD, 1)
    finally:
        touching.press = press
    assert booked == ["x", "y"]


def test_a_stub_that_does_not_fit_is_said_before_the_key():
    at = Sitting(stub_every=1)
    at.play.begin(1, 2)
    while due(at.m).kind != "stub":
        at.play.turn()
    at.told()
    at.hw.terminal.view = True
    wrong = "! The stub does not fit: count again, or attendant key on to void the round."
    for number, said in (
        ("40", wrong),
        ("63", "! That is no possible number: a stub has 0 to 52 cards."),
    ):
        at.now += 1000
        for digit in number:
            at.touch(keys.DIGIT, int(digit))
        assert at.touch(keys.NEXT) == [said] and at.app.desk.typed == "", "typed anew"
    at.now += 1000
    assert at.say("stub 40") == [wrong] and at.say("void") == ["! " + KEY_FIRST]
    assert due(at.m).kind == "stub"


def test_a_stub_found_wrong_after_all_was_settled_is_counted_again_on_the_glass():
    """A slip of the finger cost the deck: the alarm asked for a count and nothing took one."""
    at = Sitting("winners_pot", stub_every=1)
    at.play.begin(1, 2)
    at.play.deal()
    at.play.all_act("fold")
    at.play.turn()
    at.told()
    at.hw.terminal.view = True
    again = "Stub count is wrong: count again, or the deck leaves"
    for number, told in (("42", "! " + again), ("43", "Stub count is right")):
        at.now += 1000
        for digit in number:
            assert at.touch(keys.DIGIT, int(digit)) == []
        assert at.hw.terminal.parts[keys.ENTRY] == "k" + number
        assert at.hw.terminal.parts[keys.BUTTON] == "gN0 STUB COUNTED"
        assert at.touch(keys.NEXT) == [told]
        if number == "42":
            assert at.hw.terminal.parts[keys.BOOKS] == again
            assert at.hw.terminal.parts[keys.BUTTON] == "gN0 CARDS COLLECTED"
    assert keys.ENTRY not in at.hw.terminal.parts
    at.now += 1000
    at.touch(keys.NEXT)
    assert due(at.m).kind == "check", "the deck stays"


def test_undo_after_a_wrong_count_forgets_the_number_then_all_that_the_last_touch_booked():
    at = Sitting(stub_every=1)
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    while due(at.m).kind != "reveal" and due(at.m).choices != ("raise1", "fold"):
        now = due(at.m)
        at.play.act(now.seat, "check") if now.kind == "decide" else at.play.turn()
    at.told()
    for seat in (1, 2):
        at.touch(keys.SEAT_KEY, seat)
        at.touch(keys.ACTION, 0)
    at.now += 1000
    at.touch(keys.NEXT)
    assert due(at.m).kind == "stub"
    at.now += 1000
    at.touch(keys.DIGIT, 4)
    assert len(at.touch(keys.NEXT)) == 1, "refused"
    at.touch(keys.DIGIT, 4)
    at.touch(keys.SEAT_KEY, 2)
    at.touch(keys.DIGIT, 1)
    assert at.touch(keys.UNDO) == [] and at.app.desk.typed == ""
    assert at.touch(keys.ERASE) == [] and not at.app.desk.said, "no amount of that seat"
    assert at.touch(keys.UNDO) == ["Taken back: decision of seats 1 2"]


def test_a_pot_taken_back_is_called_the_pot():
    at = Sitting("winners_pot")
    at.play.begin(1, 2)
    while due(at.m).kind != "pot":
        at.play.turn()
    at.told()
    at.say("ok")
    assert at.say("undo") == ["Taken back: pot awarded"]
