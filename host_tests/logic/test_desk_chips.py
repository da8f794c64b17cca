"""What chips on the felt mean to the dealer's desk: decisions, amounts, payments made or not."""

from croupier import Chips, Croupier, premium, winners_pot
from felt.dealer import desk as _desk
from felt.dealer import parts, screen
from felt.dealer.desk import Desk
from felt.games.common import Line
from felt.link import terminal as keys
from felt.round.due import due
from felt.round.events import ACCEPT_SENSORS, ATTACHED, JAM, REMOVED, SHOE
from test_desk_keys import booked, press, said

# Of every stage of decisions: what an empty raise spot is, what chips nobody counts are, and what
# chips worth one, two, three and four antes are.
DECISIONS = {
    "premium": ("check play3 - - play3 -", "fold play1 play1 play2 - -"),
    "headsup": (
        "check raise1 raise1 raise2 raise3 -",
        "check raise1 raise1 raise2 - -",
        "fold raise1 raise1 - - -",
    ),
    "colorado": ("fold bet bet - - -",),
    "winners_pot": ("fold bet bet - - -", "fold double - double - -"),
    "ultimate": (
        "check play3 - - play3 play4",
        "check play2 - play2 - -",
        "fold play1 play1 - - -",
    ),
    "three_card": ("fold play play - - -",),
}


def sensing(game, **settings):
    """A table with bet sensors; seats 1 and 2 have chips on what they must bet."""
    if game == "colorado":
        settings["version"] = "required"
    t = Croupier(game, sensors=True, **settings)
    t.open()
    cover(t, 0, 0)
    t.begin(1, 2)
    return t


def cover(t, first, second):
    """Seats 1 and 2 have their mandatory wagers on the felt, and these spots."""
    must = (1 << t.m.game.MANDATORY) - 1
    t.do("SENSORS", bytes([must | first, must | second, 0, 0, 0, 0, 0]))


def meanings(t, seat):
    """What a seat's chips stand for at this stage, as in DECISIONS."""
    chips = Chips()
    desk = Desk(chips)
    at = _desk.raises_among(t.m.game, t.m.game.legal(t.m.r, seat, t.m.r.arg()))[0][1]
    found = [_desk.decision(t.m, desk, seat)]
    cover(t, 1 << at, 1 << at)
    found.append(_desk.decision(t.m, desk, seat))
    for antes in (1, 2, 3, 4):
        chips.lie = {(seat, at): 500 * antes}
        found.append(_desk.decision(t.m, desk, seat))
    cover(t, 0, 0)
    return " ".join([word or "-" for word in found])


def test_what_chips_on_a_raise_spot_stand_for_in_every_game():
    for game in DECISIONS:
        t = sensing(game)
        found = []
        while due(t.m).kind in ("deal", "decide"):
            t.deal()
            if due(t.m).kind != "decide":
                continue
            found.append(meanings(t, 1))
            legal = due(t.m).choices
            word = "check" if "check" in legal else legal[0]
            if word != "check":
                at = t.m.game.SPOTS.index(t.m.game.decision(word).spot)
                cover(t, 1 << at, 1 << at)
            t.all_act(word)
        assert tuple(found) == DECISIONS[game], (game, found)


def test_a_choice_the_stage_does_not_know_is_not_taken():
    t = sensing("headsup")
    t.deal()
    desk = Desk()
    desk.note("chosen", 1, "fold")
    assert _desk.decision(t.m, desk, 1) == "check"
    desk.note("chosen", 1, "raise2")
    assert _desk.decision(t.m, desk, 1) == "raise2"
    assert said(_desk.undecided(t.m, Desk(Chips()), 1)) == "decide 1"


def test_the_size_of_a_raise_stands_after_it_was_taken_back_while_its_chips_lie():
    t = sensing("headsup")
    t.deal()
    for action, covered, empty in (
        ("raise3", "raise3", "check"),
        ("raise1", "raise1", "check"),
        ("check", "raise1", "check"),
    ):
        desk = Desk()
        cover(t, 16, 0)
        _desk.stands(t.m, desk, 1, action)
        for chips, wanted in ((16, covered), (0, empty), (16, covered)):
            cover(t, chips, 0)
            assert _desk.decision(t.m, desk, 1) == wanted, (chips, action)
    desk.moved_on()
    assert _desk.decision(t.m, desk, 1) == "raise1"
    t, desk = Croupier("headsup"), Desk()
    t.begin(1)
    t.deal()
    _desk.stands(t.m, desk, 1, "raise3")
    assert _desk.decision(t.m, desk, 1) is None, "nothing tells where chips lie"


def test_a_raise_that_was_said_and_never_laid_down_is_no_size_of_chips_that_come_later():
    """It was taken back with no chips there; the next ones on the spot were three antes."""
    t, desk = sensing("headsup"), Desk()
    t.deal()
    _desk.stands(t.m, desk, 1, "raise3")
    cover(t, 16, 0)
    assert _desk.decision(t.m, desk, 1) == "raise1"


def test_chips_that_are_counted_beat_the_size_of_a_raise_that_was_taken_back():
    t = sensing("headsup")
    t.deal()
    chips = Chips()
    desk = Desk(chips)
    at = t.m.game.SPOTS.index("raise")
    cover(t, 1 << at, 0)
    _desk.stands(t.m, desk, 1, "raise1")
    chips.lie = {(1, at): 1000}
    assert _desk.decision(t.m, desk, 1) == "raise2"


def test_a_wrong_ante_that_goes_takes_back_what_it_told_of_the_others():
    t, desk = winners_pot(), Desk()
    t.open()
    desk.remember([None, [500, 0], None, [500, 0], None, [500, 0], None, None])

    def antes():
        return [_desk.wagers(t.m, desk, seat)[0] for seat in (1, 3, 5)]

    desk.say(3, 0, 2500)
    assert antes() == [2500, 2500, 2500]
    assert desk.take_back() == ("said", 3) and antes() == [500, 500, 500]
    desk.say(3, 0, 200)
    desk.say(3, 0, 2500)
    desk.note("said", (3, 0), None)
    assert antes() == [500, 500, 500]
    assert desk.take_back() and antes() == [2500, 2500, 2500], "taking it back is taken back"
    desk.note("said", (3, 0), 0)
    assert antes() == [500, 0, 500]


def test_amounts_are_offered_again_to_every_seat_that_had_some():
    t, desk = Croupier("three_card"), Desk()
    t.open()
    for seat in range(1, 8):
        t.bet(seat, 500 + 100 * seat, 100 * seat)
    desk.seat, desk.spot, desk.typed = 2, 1, "7"
    desk.note("said", (3, 0), 500)
    t.do("LOCK", b"")
    desk.locked(t.m)
    wanted = {seat: [500 + 100 * seat, 100 * seat] for seat in range(1, 8)}
    assert {seat: desk.last[seat] for seat in desk.last} == wanted
    assert desk.ante == 1200, "the last seat's"
    assert (desk.seat, desk.spot, desk.typed, desk.trail) == (0, 0, "", []) and not desk.said


def test_no_more_bets_waits_for_a_shoe_that_is_known_to_be_jammed():
    """The button was golden, and refused."""
    t, desk = Croupier("headsup", sensors=True, dealing="auto"), Desk()
    t.open()
    t.do("SENSORS", bytes([0, 0, 3, 0, 0, 0, 0]))
    desk.say(3, 0, 500)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock"
    t.do("HAPPENED", SHOE, JAM)
    assert booked(t, desk) == "device_blocked 0"
    t.do("HAPPENED", SHOE, ATTACHED)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock"


class Wire:
    """A shoe's line: it answers, or it does not."""

    connected = True


def test_no_more_bets_waits_for_an_automated_shoe_that_does_not_answer():
    """The button was golden, and refused."""
    shoe = Wire()
    t, desk = Croupier("headsup", sensors=True, dealing="auto"), Desk(shoe=shoe)
    t.open()
    t.do("SENSORS", bytes([0, 0, 3, 0, 0, 0, 0]))
    desk.say(3, 0, 500)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock"
    shoe.connected = False
    assert booked(t, desk) == "no_shoe"
    t.do("HAPPENED", SHOE, REMOVED)
    t.do("METHOD", 0)
    t.do("HAPPENED", SHOE, ATTACHED)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock", "a manual one may be silent"


def test_a_raise_that_was_said_over_other_chips_is_not_booked():
    """Three antes were booked for the one that lay there, and taken from a seat that lost."""
    chips = Chips()
    t, desk = Croupier("headsup"), Desk(chips)
    t.begin(1, 2)
    t.deal()
    press(t, desk, "A", 2)
    press(t, desk, "A", 0)
    for cents, wanted in ((500, "lies_there 1 raise 500 $15"), (1500, "ACT 1 4; ACT 2 2")):
        chips.lie = {(1, 4): cents, (2, 4): 500}
        assert booked(t, desk) == wanted
    chips.lie = {(1, 4): None, (2, 4): 500}
    assert booked(t, desk) == "ACT 1 4; ACT 2 2", "nobody tells how many"
    chips.lie = {(1, 4): 500, (2, 4): 500}
    t.key(1)
    t.do("OVERRIDE", ACCEPT_SENSORS)
    assert booked(t, desk) == "ACT 1 4; ACT 2 2", "the supervisor takes what the dealer says"


def test_an_entry_without_chips_is_not_booked_where_sensors_look():
    t, desk = Croupier("headsup", sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([0, 0, 3, 0, 0, 0, 0]))
    desk.say(3, 0, 500)
    assert booked(t, desk) == "BET 3 500 500 0 0; lock"
    desk.say(3, 3, 100)
    assert booked(t, desk) == "sensor_mismatch 3 pocket_bonus"
    desk.take_back()
    desk.say(2, 0, 500)
    desk.say(2, 1, 500)
    assert booked(t, desk) == "sensor_mismatch 2 ante"
    t.do("SENSORS", bytes([0, 1, 3, 0, 0, 0, 0]))
    assert booked(t, desk) == "sensor_mismatch 2 odds"


def test_the_first_ante_of_a_table_is_asked_for_also_where_all_are_equal():
    t, desk = winners_pot(sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([1, 1, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "touch_amount 1 ante"
    assert _desk.wagers(t.m, desk, 1) == [None, 0]
    press(t, desk, "S", 1)
    press(t, desk, "C", 1)
    assert booked(t, desk) == "BET 1 500 0; BET 2 500 0; lock"


def line(wager, stake, net):
    return Line(1, wager, stake, net, None, "", "")


# Lines of a seat of Three Card Poker, cents that lie on its ante, and whether that can be.
PAYMENTS = (
    ((line("ante", 500, 1),), ((500, True), (501, True), (502, False))),
    ((line("ante", 500, 2),), ((500, True), (501, False), (502, True), (503, False))),
    ((line("ante", 500, 500), line("play", 500, -500)), ((1000, True), (1001, False))),
    ((line("ante", 500, 500), line("play", 500, 1)), ((1001, True), (1002, False))),
    ((line("ante", 500, 500), line("ante_bonus", 500, 100)), ((1100, True), (1101, False))),
    ((line("ante", 500, 0),), ((None, True), (0, True), (499, True), (500, True), (900, True))),
)


def test_a_payment_is_too_small_or_too_large_to_the_cent():
    chips = Chips()
    t, desk = Croupier("three_card"), Desk(chips)
    for lines, lying in PAYMENTS:
        for cents, right in lying:
            chips.lie = {(1, 0): cents}
            wrong = _desk.paid_wrong(t.m, desk, 1, lines)
            assert (wrong is None) is right, (lines, cents)
            assert _desk.moved(t.m, desk, 1, lines) is right, (lines, cents)
            assert _desk.moved(t.m, Desk(), 1, lines) is True, "nobody reads chips"
    chips.lie = {(1, 0): 500}
    lost = [line("ante", 500, -500)]
    assert _desk.paid_wrong(t.m, desk, 1, lost) is None
    assert _desk.moved(t.m, desk, 1, lost) is False, "it lies there still"
    chips.lie = {}
    assert _desk.moved(t.m, desk, 1, lost) is True
    assert _desk.moved(t.m, desk, 1, [line("ante_bonus", 500, -500)]) is True, "it has no spot"


class Words:
    """Texts that show their key and values."""

    def get(self, key, *values, default=None):
        return " ".join([key] + [str(value) for value in values])


def test_the_jackpot_stands_still_while_the_wheel_turns():
    t, desk = premium(bonus_spin="flush5_progressive"), Desk()
    t.open()
    turning = screen.View(t.m, desk, Words(), every=True, turning=True)
    assert "jackpot" not in screen.foot(turning), "a table that just started has shown none"
    assert "row.jackpot $10,000" in screen.foot(screen.View(t.m, desk, Words(), every=True))
    t.m.meters.jackpot = 5
    assert "row.jackpot $10,000" in screen.foot(turning)


def test_chips_changed_after_the_lock_stand_on_the_tile_for_as_long_as_they_lie_there():
    """The alarm passed, and a wager that had grown looked like the one that was booked."""
    chips = Chips()
    t, desk = Croupier("headsup"), Desk(chips)
    t.begin(1, 2)
    t.deal()
    t.act(1, "raise1")

    def tile(seat):
        return parts.parts(screen.View(t.m, desk, Words(), every=True), False)[keys.SEAT + seat]

    for cents, shown in ((500, "wtile.odds $5"), (600, "!tile.odds $6"), (500, "wtile.odds $5")):
        chips.lie = {(1, 0): 500, (1, 1): cents, (1, 4): 500}
        assert shown in tile(1) and "wtile.ante $5" in tile(1)
        assert "!tile" not in tile(2)
    chips.lie = {(1, 4): 1500}
    assert "!tile.raise $15" in tile(1) and "+" not in tile(1)
