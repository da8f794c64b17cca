"""A chip reader that falls silent: nothing that it had told is guessed in its place."""

from croupier import Croupier, winners_pot
from felt.dealer import desk as _desk
from felt.dealer.desk import Desk
from felt.link.reader import FeltReader
from test_desk_keys import booked, press


class Reader:
    """A chip reader that can be pulled: what it told last is remembered, as by the real one."""

    def __init__(self, lie=()):
        self.lie = dict(lie)
        self.connected = True

    def cents(self, seat, spot):
        return self.lie.get((seat, spot), 0) if self.connected else None

    def told(self, seat, spot):
        return self.lie.get((seat, spot), 0) != 0


def betting(game="headsup", sensors=True, spots=3):
    """Seats 1 and 2 bet 500 last round and have 2000 and 1000 read on their spots now."""
    t, reader = Croupier(game, sensors=sensors), Reader()
    desk = Desk(reader)
    t.open()
    if sensors:
        t.do("SENSORS", bytes([spots, spots, 0, 0, 0, 0, 0]))
    more = [0] * (len(t.m.game.WAGERS) - t.m.game.MANDATORY)
    desk.remember([None] + [[500] * t.m.game.MANDATORY + more] * 2 + [None] * 5)
    for spot in range(t.m.game.MANDATORY):
        reader.lie[1, spot], reader.lie[2, spot] = 2000, 1000
    return t, desk, reader


def lose(t, desk):
    desk.reader.connected = False
    desk.silenced(t.m)


def test_amounts_a_reader_told_are_asked_for_and_not_taken_from_last_round():
    for sensors in (True, False):
        t, desk, reader = betting(sensors=sensors)
        assert booked(t, desk) == "BET 1 2000 2000 0 0; BET 2 1000 1000 0 0; lock"
        lose(t, desk)
        assert _desk.wagers(t.m, desk, 1) == [None, None, 0, 0]
        assert booked(t, desk) == "touch_amount 1 ante"
        press(t, desk, "S", 1)
        press(t, desk, "C", 3)
        assert _desk.wagers(t.m, desk, 1) == [10000, 10000, 0, 0], "odds follow the ante"
        assert booked(t, desk) == "touch_amount 2 ante"
        reader.connected = True
        assert booked(t, desk) == "BET 1 2000 2000 0 0; BET 2 1000 1000 0 0; lock"


def test_chips_that_were_never_read_are_offered_as_at_a_table_without_a_reader():
    t, desk, reader = betting()
    del reader.lie[2, 0], reader.lie[2, 1]
    lose(t, desk)
    assert _desk.wagers(t.m, desk, 2) == [500, 500, 0, 0]
    assert booked(t, desk) == "touch_amount 1 ante"
    t.do("SENSORS", bytes([0, 3, 0, 0, 0, 0, 0]))
    assert booked(t, desk) == "BET 2 500 500 0 0; lock", "seat 1 took its chips back"


def test_chips_a_reader_cannot_tell_are_asked_for_until_they_are_said_or_told():
    t, desk, reader = betting()
    reader.lie[1, 0] = None
    assert _desk.wagers(t.m, desk, 1)[0] is None and booked(t, desk) == "touch_amount 1 ante"
    press(t, desk, "S", 1)
    press(t, desk, "C", 3)
    assert _desk.wagers(t.m, desk, 1)[0] == 10000
    desk.take_back()
    reader.lie[1, 0] = 2000
    assert booked(t, desk) == "BET 1 2000 2000 0 0; BET 2 1000 1000 0 0; lock"


def test_a_seat_may_be_said_to_have_no_wager_where_only_the_reader_saw_chips():
    t, desk, _ = betting(sensors=False)
    lose(t, desk)
    for spot in (0, 1):
        desk.say(1, spot, 0)
    assert _desk.wagers(t.m, desk, 1) == [0, 0, 0, 0]


def test_where_antes_are_equal_last_rounds_does_not_bind_them_either():
    t, desk, _ = betting("winners_pot", spots=1)
    desk.reader.lie[2, 0] = 2000
    lose(t, desk)
    assert booked(t, desk) == "touch_amount 1 ante"
    desk.say(1, 0, 2000)
    assert booked(t, desk) == "BET 1 2000 0; BET 2 2000 0; lock", "one said is everybody's"


def test_the_round_after_it_is_offered_what_was_booked():
    t, desk, _ = betting()
    lose(t, desk)
    desk.say(1, 0, 2000)
    desk.say(2, 0, 1000)
    t.bet(1, 2000, 2000)
    t.bet(2, 1000, 1000)
    t.do("LOCK", b"")
    desk.locked(t.m)
    t.m.round_no += 1
    assert not _desk.untold(t.m, desk, 1, 0)


def test_bets_read_while_cards_were_collected_are_the_next_rounds():
    t = winners_pot()
    t.begin(1, 2)
    desk = Desk(Reader({(1, 0): 2000}))
    desk.ante = 500
    lose(t, desk)
    assert desk.silent == 1 and desk.ante == 500, "chips of the round that is played"
    t.deal()
    t.all_act("fold")
    t.settle()
    lose(t, desk)
    assert desk.silent == 2 and desk.ante == 0
    t.end()
    assert _desk.untold(t.m, desk, 1, 0)


def raising(game):
    """Seat 1 has 1000 read on its raise spot, seat 2 has nothing there."""
    t, reader = Croupier(game, sensors=True), Reader()
    t.open()
    must = (1 << t.m.game.MANDATORY) - 1
    t.do("SENSORS", bytes([must, must, 0, 0, 0, 0, 0]))
    t.begin(1, 2)
    t.deal()
    spot = _desk.raises_among(t.m.game, t.m.game.legal(t.m.r, 1, t.m.r.arg()))[0][1]
    t.do("SENSORS", bytes([must | 1 << spot, must, 0, 0, 0, 0, 0]))
    reader.lie[1, spot] = 1000
    return t, Desk(reader), spot


def test_of_two_sizes_none_is_guessed_either():
    t, desk, spot = raising("ultimate")
    lose(t, desk)
    assert booked(t, desk) == "decide 1", "three or four times the ante"


def test_the_size_of_a_raise_that_was_read_is_asked_for():
    t, desk, spot = raising("headsup")
    assert booked(t, desk) == "ACT 1 3; ACT 2 0", "twice the ante"
    lose(t, desk)
    assert booked(t, desk) == "decide 1", "not the smallest raise"
    desk.note("chosen", 1, "raise2")
    assert booked(t, desk) == "ACT 1 3; ACT 2 0"
    desk.take_back()
    desk.reader.connected = True
    assert booked(t, desk) == "ACT 1 3; ACT 2 0"
    desk.reader.lie.clear()
    lose(t, desk)
    assert booked(t, desk) == "ACT 1 2; ACT 2 0", "it was never read: as without a reader"


def test_a_raise_of_one_size_needs_no_reader():
    t, desk, spot = raising("three_card")
    desk.reader.lie[1, spot] = 500
    lose(t, desk)
    assert booked(t, desk) == "ACT 1 1; ACT 2 0"


class Line:
    """A line on which nothing comes."""

    def any(self):
        return 0


def test_the_real_reader_remembers_where_chips_lay():
    reader = FeltReader(Line())
    reader._cents[8] = 500
    reader._cents[9] = -1
    assert reader.cents(2, 0) is None and reader.told(2, 0)
    assert reader.told(2, 1) and not reader.told(1, 0), "chips that cannot be told are chips"
