"""While the wheel turns: how often each task comes then, failures, and what a seat's lamp says."""

from at_table import TURNING, Record, Sitting, Spin, Wheel, fails, gaps, watched
from felt.app import seat_pattern
from felt.field import lamps
from felt.round.due import Due, due


class Line:
    """A line of a settlement."""

    def __init__(self, wager, net):
        self.wager, self.net = wager, net


START = 5000  # ms on the clock when the wheel begins to turn


def turning(ms, net=False):
    at = watched(net)
    at.now = START
    at.hw.display = Spin(at, START + ms)
    at.app._busy = True
    record = Record(at)
    at.app._polls = [getattr(at.app, "poll_" + task[0]) for task in at.app.tasks]
    return at, record


def test_while_the_wheel_turns_tasks_come_less_often_and_the_display_between_any_two():
    at, record = turning(1000, net=True)
    tidied = []
    at.app.tidy = lambda: tidied.append(at.now)
    at.app.turn()
    assert tidied == [START] * 2 and not at.app._busy and at.now >= START + 1000
    want = {"input": 5, "shoe": 40, "terminal": 40, "table": 40, "random": 250, "reader": 40,
            "net": 60}  # fmt: skip
    for name in want:
        times = record.calls[name]
        assert want[name] <= times[0] - START <= want[name] + 9, (name, times[0])
        assert gaps(times)[0] == want[name] and gaps(times)[-1] <= want[name] + 6, name
    assert record.calls["view"] == []
    asked = sum([len(times) for times in record.calls.values()])
    assert at.hw.display.count == at.now - START >= asked
    assert at.dog.fed == 4 and sum(at.app.latency.counts) == len(record.calls["input"])


def test_a_wheel_that_comes_to_rest_while_the_screen_is_worked_out_is_seen_to_rest():
    """Rows begun while it turned said so for good: nothing else changed before the next touch."""
    at = Sitting()
    at.hw.display = wheel = Wheel()
    for calls in range(12):
        wheel.spins = wheel.turns = True
        at.app.poll_view(at.now)
        at.app._rows = None
        for _ in range(calls):
            at.app.poll_table(at.now)
        wheel.spins = wheel.turns = False
        at.app._spent = False
        at.app.poll_view(at.now)
        at.work()
        assert TURNING[2:] not in " ".join(at.hw.terminal.rows), calls


def test_a_lap_with_nothing_to_do_sleeps_and_one_with_a_picture_to_paint_does_not():
    at, _ = turning(60)
    at.app.turn()
    slept = at.hw.slept
    assert sorted(slept) == [0, 1] and slept[0] in (11, 12), "what the port does, every 5 ms"
    assert 30 < slept[1] < 50
    at, _ = turning(60)
    at.hw.display.more = True
    at.app.turn()
    assert list(at.hw.slept) == [0]


def test_while_the_wheel_turns_lamps_and_watchdog_go_on():
    at, record = turning(600)
    polled = []
    at.app.dog.poll = lambda now: polled.append(now)
    at.app.changes += 1
    at.app._spent = True
    at.app.turn()
    assert len(at.hw.leds) == 7 and not at.app._spent
    assert gaps(polled)[0] >= 10 and gaps(polled)[-1] <= 16 and len(polled) > 36
    assert sum(at.app.latency.counts) == len(record.calls["input"]) > 90


def test_a_task_that_fails_while_the_wheel_turns_is_told_and_given_up_after_five():
    at, record = turning(600)
    record.work["shoe"] = fails
    at.app.turn()
    assert len(record.calls["shoe"]) == 5 and len(record.calls["terminal"]) > 12
    assert at.hw.terminal.heard[0][0].startswith("Program error in shoe")
    assert len(at.hw.terminal.heard) == 5 and "shoe" in at.app.dog.missing()
    at, record = turning(600)
    failures = [4]

    def now_and_then():
        failures[0] -= 1
        if failures[0] % 5:
            raise KeyError("lost")

    record.work["shoe"] = now_and_then
    at.app.turn()
    assert len(record.calls["shoe"]) > 10, "four in a row, then it works again"


def test_a_display_that_fails_again_and_again_ends_the_turn_and_one_that_recovers_does_not():
    at, record = turning(600)
    at.hw.display.fail = 99
    at.app.turn()
    assert at.hw.display.fail == 94 and at.app._busy
    assert at.hw.terminal.heard[0][0].startswith("Program error in view")
    at, record = turning(300)
    at.hw.display.fail = 4

    def again():
        if len(record.calls["shoe"]) == 2:
            at.hw.display.fail = 4

    record.work["shoe"] = again
    at.app.turn()
    assert not at.app._busy and at.now >= START + 300


def lamp(at, seat):
    return seat_pattern(at.m, seat, at.table.fault, due(at.m))


def test_a_seat_s_lamp_says_how_its_spin_stands():
    at = Sitting("premium", bonus_spin="flush1_fixed", fixed_prize=100000)
    assert lamp(at, 1) == lamps.OFF
    at.play.open()
    at.play.bet(1, 500, 500, 0, 0, 100)
    at.play.bet(2, 500, 500)
    assert [lamp(at, seat) for seat in (1, 2, 3)] == [lamps.OPEN, lamps.OPEN, lamps.OFF]
    at.play.begin(1, 2, s1="2h5h9h", s2="3s4d7c", dealer="3c3dTs", board="KdQs8c7d")
    assert [lamp(at, seat) for seat in (1, 2, 3)] == [lamps.LATCHED, lamps.OFF, lamps.OFF]
    at.m.r.late[1] = 1
    assert lamp(at, 1) == lamps.LATE
    at.m.r.late[1] = 0
    at.play.deal()
    at.play.all_act("check")
    at.play.deal()
    at.play.act(1, "play1")
    at.play.act(2, "play1")
    at.play.turn()
    seen = []
    while due(at.m).kind in ("settle", "tap"):
        now = due(at.m)
        seen.append((now.seat, now.kind, lamp(at, now.seat), lamp(at, 3 - now.seat)))
        at.play.turn()
    assert seen == [
        (1, "tap", lamps.OFF, lamps.OFF),
        (1, "settle", lamps.SPIN_DUE, lamps.OFF),
        (2, "settle", lamps.PAID, lamps.SPIN_DUE),
    ]
    at.table.fault = "journal"
    assert lamp(at, 1) == lamps.FAULT == seat_pattern(None, 1, None, None)
    at.table.fault = None
    assert lamp(at, 1) == lamps.SPIN_DUE
    at.play.do("SPIN", 1, 3)
    assert lamp(at, 1) == lamps.SPINNING and lamp(at, 2) == lamps.OFF


def test_a_lamp_is_lit_for_money_and_not_for_a_push():
    at = Sitting()
    at.play.begin(1, 2)
    for kind, net, want in (
        ("settle", 1, lamps.PAID), ("settle", 0, lamps.OFF), ("settle", -5, lamps.OFF),
        ("tap", 5, lamps.PAID), ("pot", 5, lamps.OFF),
    ):  # fmt: skip
        now = Due(kind, 1, (), b"", (Line("ante", net),))
        assert seat_pattern(at.m, 1, None, now) == want, kind
        assert seat_pattern(at.m, 2, None, now) == lamps.OFF
