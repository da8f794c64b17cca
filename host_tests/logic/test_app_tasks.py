"""The running table's tasks one by one: what each does in a call, how often, when it waits."""

from at_table import Parts, Sitting, Wheel
from felt.loop import Queue
from felt.field import lamps
from felt.spin import EntropyError

READER_LOST = "! Chip reader does not answer: amounts it told must be said."


def taken(app):
    """Return what waits in the queue."""
    found = []
    while app.queue.used:
        found.append(app.queue.get())
    return found


def fill(app):
    while app.queue.put(("line", "idle")):
        pass


def test_a_queue_gives_in_order_and_refuses_the_seventeenth():
    q = Queue()
    assert (q.depth, q.used, q.most, q.get()) == (16, 0, 0, None)
    for n in range(16):
        assert q.put(n) is True and q.used == n + 1 == q.most
    assert q.put(16) is False and q.used == 16
    assert [q.get() for _ in range(10)] == list(range(10))
    for n in range(16, 24):
        assert q.put(n)
    assert q.used == 14 and q.most == 16
    assert [q.get() for _ in range(15)] == list(range(10, 24)) + [None]
    assert q.used == 0 and Queue(3).depth == 3


def test_bet_spots_are_believed_after_twelve_scans_and_told_once():
    at = Sitting(sensors=True)
    at.hw.chain.bits[2] = 1
    for n in range(12):
        at.app.poll_input(n * 5)
        assert at.app.queue.used == 0, n
    at.app.poll_input(60)
    assert taken(at.app) == [("sensors", b"\0\0\1\0\0\0\0")]
    at.app.poll_input(65)
    assert at.app.queue.used == 0
    at.hw.chain.bits[2] = 0
    fill(at.app)
    for n in range(14, 28):
        at.app.poll_input(n * 5)
    taken(at.app)
    at.app.poll_input(140)
    assert taken(at.app) == [("sensors", bytes(7))], "a full queue is tried again"


def test_empty_spots_are_told_after_a_start_too():
    at = Sitting(sensors=True)
    for n in range(13):
        at.app.poll_input(n * 5)
    assert taken(at.app) == [("sensors", bytes(7))]


def test_keys_are_asked_every_twenty_ms_and_none_is_lost_in_a_full_queue():
    at = Sitting()
    keys = at.hw.keys
    for now in range(0, 61, 5):
        at.app.poll_input(now)
    assert keys.asked == [20, 40, 60]
    keys.turned, keys.on = (1, True), [False, True]
    at.app.poll_input(80)
    assert taken(at.app)[-1] == ("key", (1, True)) and keys.on == [False, True]
    fill(at.app)
    keys.turned = (1, False)
    keys.on = [False, False]
    at.app.poll_input(100)
    assert keys.on == [False, True], "seen again at the next poll"


def test_a_key_turned_is_journalled():
    at = Sitting()
    for on in (True, False):
        at.app.queue.put(("key", (0, on)))
        assert at.told() == [] and at.m.has_key(0) == on
    assert at.named()[-2:] == ["KEY", "KEY"]


def test_a_shoe_s_message_waits_once_until_it_is_taken():
    at = Sitting()
    at.app.poll_shoe(0)
    assert at.app.queue.used == 0
    at.hw.shoe.says = [("garbled", b"x"), ("empty",)]
    fill(at.app)
    at.app.poll_shoe(0)
    taken(at.app)
    at.app.poll_shoe(10)
    at.app.poll_shoe(20)
    assert at.app.queue.used == 1
    assert at.told() == ["! Shoe sent something unreadable."]
    assert at.hw.shoe.says == [("empty",)]
    at.app.poll_shoe(30)
    assert taken(at.app) == [("shoe", ("empty",))]


def test_a_terminal_s_lines_and_touches_and_what_becomes_of_its_link():
    at = Sitting()
    at.work()
    glass, app = at.hw.terminal, at.app
    glass.says = ["idle", ("N", 0, True)]
    app.poll_terminal(0)
    assert taken(app) == [("line", "idle"), ("touch", ("N", 0, True))]
    fill(app)
    glass.says = ["idle"]
    app.poll_terminal(0)
    assert glass.heard == [("Too fast: repeat the last entry.", True)]
    taken(app)
    painted, changes = glass.painted, app.changes
    app.poll_terminal(0)
    at.work()
    assert (glass.painted, app.changes) == (painted, changes)
    for n, change in enumerate(("lost", "back", "fresh", "console", "view")):
        glass.changed = change
        app.poll_terminal(0)
        assert app.changes == changes + n + 1
        at.work()
        assert glass.painted == painted + n + 1, change
    assert at.logged("link") == [("link", 1, n) for n in range(4)]


class Chips:
    """A chip reader: `news` once, `lie` by seat and spot."""

    connected = True

    def __init__(self):
        self.lie = {}
        self.news = False

    def poll(self, now):
        news, self.news = self.news, False
        return news

    def cents(self, seat, spot):
        return self.lie.get((seat, spot)) if self.connected else None

    def told(self, seat, spot):
        return (seat, spot) in self.lie


def read_round():
    """Heads Up with a chip reader: wagers of seats 1 and 2 are locked."""
    hw = Parts()
    hw.reader = Chips()
    at = Sitting(hw=hw)
    at.play.begin(1, 2)
    at.play.deal()
    for seat in (1, 2):
        hw.reader.lie[seat, 0] = hw.reader.lie[seat, 1] = 500
    at.told()
    return at


def move(at, seat, spot, cents):
    at.hw.reader.lie[seat, spot] = cents
    at.hw.reader.news = True
    at.app.poll_reader(0)
    return at.told()


def test_chips_moved_after_the_lock_are_named_and_logged_once():
    at = read_round()
    said = "! Seat 2 Odds: $25 lies there, $5 is due."
    changes, painted = at.app.changes, at.hw.terminal.painted
    at.app.poll_reader(0)
    assert (at.told(), at.app.changes, at.hw.terminal.painted) == ([], changes, painted)
    assert move(at, 2, 1, 2500) == [said]
    assert at.app.changes == changes + 1 and at.hw.terminal.painted == painted + 1
    assert move(at, 1, 0, 500) == []
    assert move(at, 1, 0, 1000) == ["! Seat 1 Ante: $10 lies there, $5 is due."]
    assert move(at, 2, 1, 500) == [] and move(at, 1, 0, 500) == []
    assert move(at, 2, 1, 2500) == [said], "moved again: told again"
    assert at.logged("late_bet") == [("late_bet", 2, 1), ("late_bet", 1, 0), ("late_bet", 2, 1)]
    at.table.fault = "journal"
    assert move(at, 1, 0, 1000) == []
    at.table.machine = None
    assert move(at, 1, 0, 1500) == []


def test_a_table_without_a_reader_or_with_a_silent_one_names_nothing():
    at = Sitting()
    at.app.poll_reader(0)
    at = read_round()
    at.hw.reader.lie[1, 0] = 1000
    at.app.poll_reader(0)
    assert at.told() == []


def plugged(at, on):
    """The reader is pulled or plugged in; return what the dealer is told."""
    at.hw.reader.connected, at.hw.reader.news = on, True
    at.app.poll_reader(0)
    return at.told()


def test_the_dealer_is_told_that_the_reader_is_silent_and_that_it_is_back():
    hw = Parts()
    hw.reader = Chips()
    at = Sitting(hw=hw)
    at.play.open()
    assert move(at, 1, 0, 2000) == [], "that there is one is no news"
    assert plugged(at, False) == [READER_LOST] and at.app.desk.silent == 1
    assert at.touch("N") == ["! Seat 1: how much is the Ante?"]
    assert plugged(at, True) == ["Chip reader answers again."] and plugged(at, True) == []
    assert at.logged("link") == [("link", 2, 1), ("link", 2, 2)]
    at.table.machine = None
    at.hw.reader.connected, at.hw.reader.news = False, True
    at.app.poll_reader(0)
    assert at.hw.terminal.heard == [(READER_LOST[2:], True)], "at a table at fault too"


class Net:
    """The way to the pit: counts its steps."""

    def __init__(self):
        self.steps = []
        self.box = self
        self.written = 0

    def poll(self, now):
        self.steps.append(now)

    def write_down(self):
        self.written += 1


def networked():
    hw = Parts()
    hw.net = Net()
    return Sitting(hw=hw)


def test_the_network_gives_way_to_a_table_that_used_the_lap():
    at = networked()
    assert [task[0] for task in at.app.tasks][-2:] == ["reader", "net"]
    assert len(Sitting().app.tasks) == 7
    at.app.poll_net(3)
    assert at.hw.net.steps == [3]
    at.app.poll_random(0)
    assert at.hw.net.written == 1
    at.app.queue.put(("line", "help"))
    at.app.poll_table(5)
    at.app.poll_net(6)
    at.app.poll_random(7)
    assert at.hw.net.steps == [3] and at.hw.net.written == 1
    at.app.poll_view(8)
    at.app.poll_net(9)
    at.app.poll_random(10)
    assert at.hw.net.steps == [3, 9] and at.hw.net.written == 2


def test_lamps_follow_a_change_at_once_and_blink_every_32_ms_at_most():
    at = Sitting()
    asked = []
    poll = at.hw.lamps.poll
    at.hw.lamps.poll = lambda now: (asked.append(now), poll(now))
    for now in range(1000, 1100, 8):
        at.app.poll_view(now)
    assert asked == [1000, 1032, 1064, 1096]
    at.app.changes += 1
    at.app.poll_view(1104)
    assert asked[-1] == 1104
    at.app.poll_view(1135)
    at.app.poll_view(1136)
    assert asked[-2:] == [1104, 1136]
    at.table.fault = "journal"
    at.app.changes += 1
    at.app.poll_view(1140)
    assert [at.hw.leds[n] for n in range(7)] == [lamps.colour(lamps.FAULT, 1140)] * 7


def test_seven_lamps_show_their_own_seats():
    at = Sitting()
    at.play.open()
    at.play.bet(1, 500, 500)
    at.play.bet(6, 500, 500)
    at.app.poll_view(0)
    lit = lamps.colour(lamps.OPEN, 0)
    assert [n for n in range(7) if at.hw.leds[n] == lit] == [0, 5] and len(at.hw.leds) == 7


def test_a_display_is_painted_unless_the_table_used_the_lap():
    at = Sitting()
    at.hw.display = wheel = Wheel()
    at.work()
    at.app.poll_view(0)
    assert wheel.steps == []
    at.app.poll_view(8)
    assert wheel.steps == [8]
    painted = at.hw.terminal.painted
    at.work()
    assert at.hw.terminal.painted == painted
    for turns in (True, False):
        wheel.turns = turns
        at.app.poll_view(16)
        at.app.poll_view(24)
        at.work()
        painted += 1
        assert at.hw.terminal.painted == painted, "a wheel that begins or ends is told"


def random_calls(at, count):
    for _ in range(count):
        at.app.poll_random(0)


def test_the_generator_is_stirred_every_fourth_call_or_at_once_when_it_owes_a_seed():
    at = Sitting()
    tidied = []
    at.app.tidy = lambda: tidied.append(len(at.noise.done))
    for n in range(9):
        at.app.poll_random(0)
        assert len(at.noise.done) == (n + 1) // 4, n
        assert len(tidied) == n // 4 + 1, n
    at.noise.done.clear()
    at.table.unseeded = True
    random_calls(at, 2)
    assert at.noise.done == ["gather"] and not at.table.unseeded
    at.app._spent = True
    random_calls(at, 8)
    assert at.noise.done == ["gather"] and len(tidied) == 3
    at.app._spent = False
    at.hw.display = Wheel()
    at.hw.display.spins = True
    random_calls(at, 8)
    assert at.noise.done == ["gather"] and len(tidied) == 5
    at.hw.display.spins, at.hw.display.turns = False, True
    at.app.poll_view(0)
    random_calls(at, 8)
    assert at.noise.done == ["gather"] and len(tidied) == 5


def test_a_generator_that_fails_is_told_and_logged():
    at = Sitting()
    at.noise.wrong = EntropyError("entropy_stuck")
    random_calls(at, 4)
    assert at.told() == [
        "! No spin: random source is stuck. Attendant key on, then: entropy"
    ] and at.logged("entropy") == [("entropy", 0, 0)]


def test_a_missing_shoe_is_named_once_at_its_twelfth_call():
    said = "! No shoe on its line: plug it in, or change the method."
    for dealing, tells in (("shoe", True), ("auto", True), ("hand", False)):
        at = Sitting(dealing=dealing, shuffler="plain")
        at.hw.shoe.connected = False
        random_calls(at, 11)
        assert at.told() == []
        random_calls(at, 1)
        assert at.told() == [said] * tells, dealing
        random_calls(at, 30)
        assert at.told() == []
        at.hw.shoe.connected = True
        random_calls(at, 1)
        at.hw.shoe.connected = False
        random_calls(at, 11)
        assert at.told() == []
        random_calls(at, 1)
        assert at.told() == [said] * tells
    at.table.machine = None
    random_calls(at, 20)
    assert at.told() == []


def test_a_bet_spot_that_flutters_is_named_as_people_call_it():
    at = Sitting(sensors=True)
    at.hw.sensors.faults = lambda: [("flapping", 8), ("stuck", 16 + 1), ("stuck", 55)]
    random_calls(at, 1)
    assert at.told() == [
        "! Bet spot flutters: seat 2 Ante",
        "! Bet spot stuck: seat 3 Odds",
        "! Bet spot stuck: seat 7 8",
    ]
    assert at.logged("spot") == [("spot", 8, 0), ("spot", 17, 0), ("spot", 55, 0)]
    at.table.machine = None
    random_calls(at, 1)
    assert at.told()[0] == "! Bet spot flutters: seat 2 1"


def test_what_seats_bet_is_remembered_after_a_start_when_there_is_time():
    at = Sitting()
    at.play.begin(1, 2)
    at.work()
    painted = at.hw.terminal.painted
    at.app._spent = True
    random_calls(at, 2)
    assert not at.app.desk.last
    at.app._spent = False
    random_calls(at, 1)
    at.work()
    assert [at.app.desk.last.get(seat) for seat in (1, 2, 3)] == [[500, 500, 0, 0]] * 2 + [None]
    assert at.hw.terminal.painted == painted + 1
    at.app.desk.last.clear()
    random_calls(at, 4)
    assert not at.app.desk.last, "once"
    for wrong in ("fault", "machine"):
        at = Sitting()
        at.play.begin(1, 2)
        if wrong == "fault":
            at.table.fault = "journal"
        else:
            at.table.machine = None
        random_calls(at, 2)
        assert not at.app.desk.last


def test_time_for_flash_is_kept_apart_from_how_late_the_loop_is():
    at = Sitting()
    at.app._lap(70)
    assert (at.app.latency.worst, at.app.resting_worst) == (70, 0)
    assert at.logged("latency") == [("latency", 70, 0)]
    random_calls(at, 1)  # it read what seats bet before
    at.app._lap(900)
    at.app._lap(60)
    assert (at.app.latency.worst, at.app.resting_worst) == (70, 900)
    random_calls(at, 1)
    at.app._lap(80)
    assert (at.app.latency.worst, at.app.resting_worst) == (80, 900)
    at.table.store_rounds = lambda: True
    random_calls(at, 1)
    at.app._lap(500)
    assert (at.app.latency.worst, at.app.resting_worst) == (80, 900)
    assert sum(at.app.latency.counts) == 3 and len(at.logged("latency")) == 2


def test_a_round_that_ends_is_told_to_the_sensors():
    at = Sitting(sensors=True)
    closed = []
    at.hw.sensors.round_closed = lambda: closed.append(1)
    at.play.open()
    at.app._effect(("card", 1))
    assert closed == []
    at.app._effect(("over", 1))
    assert closed == [1] and at.effects[-2:] == [("card", 1), ("over", 1)]
