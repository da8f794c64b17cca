"""A table can always end its round and start, whatever floods it."""

from felt.logbook import LOG
from felt.round import events
from felt.round.state import Refused
from felt.store.vault import Vault
from felt.table import MARGIN, Table

from host_tests.helpers.fileimage import FileImage, logged
from host_tests.helpers.repeats import times
from tools.prove.player import TABLES, Player

FRESH = True  # each test has a board's whole heap
IMAGE = FileImage("test_table_room")
fresh, again = IMAGE.fresh, IMAGE.again


def in_a_round(settings, seed=7, seats=2):
    """Return a table whose wagers are locked, and its player."""
    t = fresh(settings)
    player = Player(t.machine, lambda event: t.submit(event), seed, seats)
    while t.machine.between or t.machine.r.dealt < 4:
        player.turn()
    return t, player


def flood(t, make):
    """Submit make(0), make(1), ... until the journal takes no more of it; return how many."""
    count = 0
    try:
        while count < 900:
            t.submit(make(count))
            count += 1
    except Refused as e:
        assert e.code in REFUSALS, e.code
    return count


REFUSALS = ("journal_full", "no_button", "no_seat", "exposed_already", "no_round")
FLOODS = (
    lambda n: events.pack("SENSORS", bytes([n & 1] * 7)),
    lambda n: events.pack("DEVICE", 1, (2, 1)[n & 1]),
    lambda n: events.pack("KEY", n & 1, n >> 1 & 1),
    lambda n: events.pack("BOOT", 0),
    lambda n: events.pack("FAULT", n & 255, n >> 8),
    lambda n: events.pack("BUTTON"),
    lambda n: events.pack("EXPOSED", 1),
)


def test_every_start_finds_room_however_often_it_is_tried():
    settings = TABLES[2]
    t, player = in_a_round(settings)
    starts = times(900, 60, 30)
    if starts < 900:
        flood(t, FLOODS[0])  # as full as the others make it
    for n in range(starts):
        t = again(settings)
        assert t.fault is None, (n, t.fault)
    assert t.starts == starts and (t.machine.boots < starts or starts < 900)
    player.m, player.feed = t.machine, t.submit
    player.round()


def test_a_round_can_be_played_to_its_end_when_reports_are_taken_no_more():
    t, player = in_a_round(TABLES[0], 3, 6)
    flood(t, FLOODS[0])
    assert t.vault.room() <= MARGIN + 14
    number = t.machine.round_no
    player.round()
    assert t.machine.round_no == number + 1


def test_a_key_that_is_turned_is_never_refused_wherever_the_journal_ends():
    """In the last nine bytes above the least room a key was neither taken nor lent."""
    for shift in range(
        times(9, 9, 2)
    ):  # a reading takes 14 bytes, a key nine: every remainder is met
        t, _ = in_a_round(TABLES[2])
        for n in range(shift):
            t.submit(FLOODS[0](n))
        while not t._scarce():
            t.turn_key(0, not t.machine.has_key(0))
        assert t.machine.keys == 0


def test_a_key_is_lent_to_the_event_that_needs_it_when_room_is_scarce():
    t, player = in_a_round(TABLES[2])
    t.turn_key(0, 0)
    t.turn_key(1, 0)
    count = 0
    while not t._scarce():
        count += 1
        t.turn_key(0, count & 1)
    assert t.machine.keys == 0
    t.turn_key(0, 0)
    try:
        t.submit(events.pack("VOID", 0))
        raise AssertionError("void without a key")
    except Refused as e:
        assert e.code == "attendant_key"
    t.turn_key(0, 1)
    assert t.machine.keys == 0 and t.switches & 1
    t.submit(events.pack("VOID", 0))
    assert t.machine.r.kind() == "void" and t.machine.keys == 0
    before = t.machine.snapshot()
    t = again(TABLES[2])
    assert t.machine.snapshot() == before  # no room even to count the start
    t.submit(events.pack("END"))
    t.turn_key(0, 1)
    assert t.machine.keys & 1


def test_a_link_that_babbles_cannot_flush_the_evidence():
    t = fresh(TABLES[2])
    t.note("service", 1, 0)
    for n in range(3000):
        t.note("link", 1, n & 3)
    assert "service" in logged(t.vault.entries())
    for n in range(300):
        t.turn_key(0, n & 1)
        t.note("latency", n)
    kept = logged(t.vault.guards())
    assert "service" in kept and kept.count("key") >= 30
    assert logged(t.vault.entries()).count("link") <= 16


def test_entries_carry_start_and_time_and_real_time_once_it_is_known():
    fresh(TABLES[2])
    t = again(TABLES[2])
    clock = [100]
    t.seconds = lambda: clock[0]
    t.note("service", 1)
    t.set_clock(800000000)
    clock[0] += 5
    t.note("service", 2)
    newest = [e[3:] for e in t.vault.guards()][:3]
    assert newest == [
        (2, 0, t.starts, 105, 800000005),
        (800000000, 0, t.starts, 100, 800000000),
        (1, 0, t.starts, 100, 0),
    ]
    assert again(TABLES[2]).starts == t.starts + 1


def test_keys_are_where_their_switches_are_after_every_start():
    """Attendant on, power off, key off, power on: the table went on believing in the key."""
    settings = TABLES[2]
    t = fresh(settings)
    t.turn_key(1, 0)
    assert t.machine.keys == 1
    t = Table(settings, Vault(IMAGE))
    t.start(1, 0)
    assert t.fault is None and t.machine.keys == 0
    assert again(settings).machine.keys == 0
    t = Table(settings, Vault(IMAGE))
    t.start(1, 3)
    assert t.machine.keys == 3


def test_a_start_never_raises():
    """Memory that stops to answer at any read is a closed table that says why."""
    settings = TABLES[2]
    in_a_round(settings)
    faults = {}

    class Vanishing:
        size = IMAGE.size

        def __init__(self, left):
            self.left = left

        def readinto(self, addr, buf):
            self.left -= 1
            if self.left < 0:
                raise OSError(5)
            IMAGE.readinto(addr, buf)

        def write(self, addr, buf):
            self.left -= 1
            if self.left < 0:
                raise OSError(5)
            IMAGE.write(addr, buf)

    left = 0
    while True:
        t = Table(settings, Vault(Vanishing(left)))
        t.start(1, 0)
        if t.fault is None:
            break
        faults[t.fault] = faults.get(t.fault, 0) + 1
        left += 1 if left < times(60, 60, 6) else times(7, 7, 41)
    assert left > 300 and set(faults) <= {"vault_missing", "start", "journal"}, faults


def test_an_error_in_the_machine_is_a_refusal_and_the_journal_says_what_is_true():
    t, player = in_a_round(TABLES[2])
    before = t.machine.snapshot()
    seq = t.vault.seq

    def broken(event):
        t.machine.r.dealt = 40
        raise IndexError("out of range")

    t.machine.step = broken
    try:
        t.submit(events.pack("VOID", 0))
        raise AssertionError("taken")
    except Refused as e:
        assert e.code == "program_error"
    assert t.machine.snapshot() == before and t.vault.seq == seq and t.fault is None
    noted = [e[3:5] for e in t.vault.guards() if e[2] == LOG.index("error")]
    assert noted == [(255, events.CODES["VOID"])]
    player.m = t.machine
    player.round()
