"""What people see and hear of the running table: effects, rows, parts, faults."""

from at_table import Sitting
from felt.cards import UNKNOWN
from felt.games.common import BOARD
from felt.link import terminal as keys
from felt.round import events
from felt.round.due import due
from felt.round.state import Refused

FULL = "! Event memory is nearly full: settle or void the round."


def betting(**settings):
    at = Sitting(**settings)
    at.play.open()
    at.told()
    return at


def rows(at):
    return " ".join(at.hw.terminal.rows)


def refusing(error):
    def turn(key, on):
        raise error

    return turn


def test_sensors_are_booked_when_they_differ_and_not_at_fault():
    at = betting(sensors=True)
    seen = bytes([1, 0, 0, 0, 0, 0, 0])
    at.app.queue.put(("sensors", seen))
    at.work()
    assert bytes(at.m.sensors) == seen and at.named()[-1] == "SENSORS"
    count = len(at.named())
    at.app.queue.put(("sensors", seen))
    at.work()
    assert len(at.named()) == count
    at.table.fault = "journal"
    at.app.queue.put(("sensors", bytes(7)))
    assert at.told() == []
    at.table.machine = None
    at.app.queue.put(("sensors", bytes(7)))
    assert at.told() == []


def test_a_key_that_is_refused_is_told():
    at = betting()
    at.table.turn_key = refusing(Refused("journal_full"))
    at.app.queue.put(("key", (0, True)))
    assert at.told() == [FULL]


def test_effects_are_told_by_their_kind():
    at = betting()
    told = (
        (("alarm", "late_bet", 3, "ante"), ["! LATE BET seat 3 Ante"]),
        (("alarm", "stop.size", 3, "5"), ["! STOP: 3 cards are due, 5 came"]),
        (("note", "dead", 2), ["Hand is dead: seat 2"]),
        (("note", "stub_right"), ["Stub count is right"]),
        (("card", 1, 2), []),
    )
    for effect, words in told:
        at.effects.clear()
        at.app._effect(effect)
        assert at.told() == words and at.effects[-1] == effect
    at.app._effect(("undone", "ACT", 4))
    assert at.say("help") == ["Taken back: decision of seat 4"]
    at.app.feed = None
    at.app._effect(("alarm", "late_bet", 3, "ante"))
    assert at.told() == ["! LATE BET seat 3 Ante"]


def test_what_must_be_heard_reaches_the_bench_too():
    at = betting()
    at.app.alarm("fire")
    assert at.effects[-1] == ("told", "fire") and at.told() == ["! fire"]
    assert at.app.submit(events.pack("REVEAL")) is False
    assert at.app.submit(events.pack("KEY", 0, 1)) is True


def test_a_screen_is_worked_out_four_rows_a_call():
    at = betting()
    at.app.changes += 1
    glass = at.hw.terminal
    at.app._dirty = True
    glass.rows = None
    at.app.poll_table(0)
    assert at.app._rows == [], "the first call only looks at the table"
    at.app.poll_table(0)
    assert len(at.app._rows) == 4
    calls = 2
    while glass.rows is None:
        at.app.poll_table(0)
        calls += 1
    assert calls == len(glass.rows) // 4 + 2, (calls, len(glass.rows))
    before = glass.painted
    at.work(5)
    assert glass.painted == before


def test_a_change_while_a_screen_is_worked_out_begins_it_anew():
    at = betting()
    at.app._dirty = True
    at.app.poll_table(0)
    at.app.queue.put(("line", "bet 1 ante 5 odds 5"))
    at.work()
    seen = at.hw.terminal.rows
    at.say("help")
    at.say("nothing")
    assert "$5" in rows(at) and at.hw.terminal.rows == seen


def test_a_table_without_a_machine_shows_its_fault():
    at = betting()
    at.table.machine, at.table.fault, at.table.detail = None, "config", "no file"
    at.app._dirty = True
    at.work()
    fault = ["FAULT: no valid configuration", "Nothing is accepted. Call service.", "no file"]
    assert at.hw.terminal.rows == fault and at.hw.terminal.parts is None
    at.hw.terminal.view = True
    at.app._dirty = True
    at.work()
    assert at.hw.terminal.parts == {keys.PROMPT: fault[0], keys.BOOKS: fault[1], keys.SEAT: ""}
    at.say("help")
    assert at.hw.terminal.rows[0] == "COMMANDS" and at.hw.terminal.parts[keys.SEAT] == "page"


def test_parts_go_to_a_terminal_that_is_touched():
    at = betting()
    at.say("help")
    assert at.hw.terminal.parts is None
    at.hw.terminal.view = True
    at.say("help")
    assert at.hw.terminal.parts[keys.SEAT] == "page"
    assert at.hw.terminal.parts[keys.BUTTON] == "gN0 NEXT PAGE"
    at.play.bet(3, 500, 500)
    at.say("help")
    assert at.hw.terminal.parts[keys.BUTTON] == "gN0 NEXT PAGE", "it books nothing behind a page"
    assert "$5" in at.hw.terminal.parts[keys.SEAT + 3], "behind a page too the tiles are today's"
    at.say("bet 1 ante 5 odds 5")
    assert keys.SEAT not in at.hw.terminal.parts and at.app.shown


def test_half_an_entry_gives_way_when_the_table_waits_for_something_else():
    at = betting()
    at.touch(keys.SEAT_KEY, 2)
    at.say("bet 1 ante 5 odds 5")
    assert at.app.desk.seat == 2
    at.play.begin(1)
    at.app._dirty = True
    at.work()
    assert at.app.desk.seat == 0
    at = Sitting()
    at.app.desk.seat = 3
    at.work()
    assert at.app.desk.seat == 3, "the first look is no change"


def unread(game):
    """A table whose third board card nobody has read, when the hands would be settled."""
    at = Sitting(game)
    at.hw.terminal.view = True
    at.play.begin(1, 2)
    while due(at.m).kind not in ("name", "settle"):
        now = due(at.m)
        if now.kind == "deal" and now.places[0] & 15 == BOARD and len(at.m.r.cards[BOARD]) == 2:
            at.play.do("SHOE", 0, at.m.r.dealt + 1, bytes([UNKNOWN]))
            at.play.do("GO_ON")
        else:
            at.play.turn()
    return at


def test_a_board_card_that_nobody_has_read_is_asked_for():
    for game in ("premium", "headsup", "ultimate"):
        at = unread(game)
        assert due(at.m).kind == "name"
        told = at.told()
        assert not any(["error" in each for each in told]), told
        assert at.hw.terminal.rows[1] == "Cards of board: hand PLACE CARDS", at.hw.terminal.rows
        at.play.do("SENSORS", bytes([255, 0, 0, 0, 0, 0, 0]))


def test_what_cannot_be_painted_is_said_and_the_table_goes_on():
    at = betting()

    def paint(rows):
        raise OSError("no glass")

    at.hw.terminal.paint = paint
    for seat in range(1, 7):
        told = at.say("bet %d ante 5 odds 5" % seat)
        assert len(told) == 1 and told[0].startswith("! Program error in table: OSError"), told
    assert at.m.bets[6] and at.app._failures == [0] * len(at.app.tasks)
    assert at.logged("error")
