"""The table's one door: the wheel is drawn behind it, and money that does not add up closes it."""

from croupier import ONES, Croupier, find
from felt.cards import parse_all
from felt.round import events
from felt.round.state import Refused
from felt.store.journal import OVERHEAD
from felt.store.vault import Vault
from felt.table import COMFORT, CONTEXT, ROUND_ROOM, Table

from host_tests.helpers.fileimage import FileImage, logged

FRESH = True  # each test has a board's whole heap
IMAGE = FileImage("test_table_door")
fresh, again = IMAGE.fresh, IMAGE.again
SETTINGS = {
    "game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES, "sensors": False,
}  # fmt: skip


class Drawer:
    """A generator that draws the ticket it is told and keeps what was asked of it."""

    fault = None

    def __init__(self, ticket):
        self.ticket = ticket
        self.asked = []
        self.gathered = False

    def reseed(self):
        self.asked.append("reseed")

    def gather(self):
        self.asked.append("gather")
        return self.gathered

    def cycle(self):
        self.asked.append("cycle")

    def below(self, n):
        self.asked.append(n)
        return self.ticket


def refusal(call, *args):
    """Return "code about" of what a call is refused for."""
    try:
        call(*args)
    except Refused as e:
        return " ".join([e.code] + [str(a) for a in e.about])
    return None


def at_the_spin(generator):
    """Return a table where seat 1 has a spin, and its dealer."""
    t = fresh(SETTINGS)
    t.generator = generator
    t.turn_key(0, 0)
    t.turn_key(1, 0)
    c = Croupier(**SETTINGS)
    c.m, c.feed = t.machine, t.submit
    c.open()
    c.bet(1, 500, 500, 0, 0, 500)
    c.bet(2, 500, 500, 0, 0, 500)
    t.lock()
    c.hands = {1: list(parse_all("2h5h9h")), 2: list(parse_all("2c6dJs"))}
    c.filler = [c for c in range(52) if c not in parse_all("2h5h9h2c6dJs")]
    c.deal()
    c.all_act("check")
    c.deal()
    c.all_act("play1")
    while t.machine.r.kind() != "spin":
        c.turn()
    return t, c


def test_a_top_prize_is_drawn_journalled_and_kept_among_the_hits():
    drawer = Drawer(0)
    t, c = at_the_spin(drawer)
    assert t.unseeded, "a round owes fresh entropy"
    jackpot = t.machine.meters.jackpot
    assert jackpot == 1000000 + 2 * 35
    effects = t.spin()
    assert drawer.asked == ["reseed", 12] and not t.unseeded
    assert find(effects, "spin") == [("spin", 1, 1)]
    assert [(h[2], h[3], h[4]) for h in t.vault.hits()] == [(1, jackpot, 1)]
    assert "hit" in logged(t.vault.entries())
    assert t.machine.meters.jackpot == 1000000
    assert again(SETTINGS).machine.meters.jackpot == 1000000, "the hit is on the medium"


def test_the_reseed_a_round_owes_is_made_before_the_spin_where_there_was_time():
    drawer = Drawer(11)
    t, c = at_the_spin(drawer)
    t.stir()
    assert drawer.asked == ["gather"] and t.unseeded
    drawer.gathered = True
    t.stir()
    assert drawer.asked == ["gather"] * 2 and not t.unseeded
    t.stir()
    assert drawer.asked[2:] == ["cycle"]
    assert find(t.spin(), "spin") == [("spin", 1, 12)]
    assert drawer.asked[3:] == [12], "no second reseed"
    drawer.fault = "entropy_stuck"
    t.stir()
    assert drawer.asked[4:] == [], "a source at fault is left alone"


def test_spins_are_given_up_only_when_the_wheel_cannot_be_drawn():
    drawer = Drawer(0)
    t, c = at_the_spin(drawer)
    assert refusal(t.end_spins) == "spin_works"
    t.generator = None
    t.stir()
    assert refusal(t.spin) == "entropy_off"
    assert refusal(t.end_spins) == "attendant_key"
    t.turn_key(0, 1)
    effects = t.end_spins()
    assert [e[1:4] for e in find(effects, "return")] == [(1, "bonus_spin", 500)]
    assert not t.machine.typed


def test_a_round_knows_the_button_and_the_meter_it_began_with():
    t, c = at_the_spin(None)
    lock = [e for e in t.vault.tail() if e[0] == events.CODES["LOCK"]]
    assert [len(e) - 1 for e in lock] == [CONTEXT]
    assert int.from_bytes(lock[0][2:], "big") == 1000000 and lock[0][1] == 0


def test_a_meter_that_does_not_add_up_closes_the_table():
    t, c = at_the_spin(None)
    t.machine.meters.jackpot += 1
    t.turn_key(0, 1)
    assert t.fault == "meters"
    assert refusal(t.submit, events.pack("END")) == "table_fault meters"
    t.turn_key(0, 0)
    t.turn_key(1, 1)
    assert t.switches == 2 and t.machine.keys == 2, "a key is known while the journal is shut"


def test_a_journal_that_cannot_be_written_lets_nothing_out():
    t, c = at_the_spin(None)
    seen = []
    t.watch = seen.append

    def broken(event):
        raise OSError("no medium")

    t.vault.append = broken
    assert refusal(t.turn_key, 0, 1) == "table_fault journal"
    assert (t.fault, t.detail, seen) == ("journal", "no medium", [])


def test_an_error_that_cannot_be_replayed_closes_the_table():
    t, c = at_the_spin(None)

    def broken(*args):
        raise KeyError("lost")

    t.machine.step = broken
    t.rebuild = broken
    said = refusal(t.submit, events.pack("END"))
    assert said.split(" ")[0] == "program_error" and "lost" in said
    assert t.fault == "replay" and "lost" in t.detail


def test_a_checkpoint_makes_room_for_a_round_sooner_than_for_a_wager():
    t = fresh(SETTINGS)
    c = Croupier(**SETTINGS)
    c.m, c.feed = t.machine, t.submit
    c.open()
    c.bet(1, 500, 500)
    while t.vault.room() >= ROUND_ROOM:
        t.turn_key(0, not t.machine.has_key(0))
    room = t.vault.room()
    assert COMFORT < room
    c.bet(2, 500, 500)
    assert t.vault.room() < room, "a wager goes into the room there is"
    t.lock()
    assert t.vault.room() > ROUND_ROOM, "a round begins with enough"


def test_a_wager_makes_its_checkpoint_when_little_is_left():
    t = fresh(SETTINGS)
    c = Croupier(**SETTINGS)
    c.m, c.feed = t.machine, t.submit
    c.open()
    while t.vault.room() >= COMFORT:
        t.turn_key(0, not t.machine.has_key(0))
    c.bet(1, 500, 500)
    assert t.vault.room() > ROUND_ROOM
    assert list(t.vault.rounds()) == [], "no round was finished by it"


def test_a_report_that_changes_nothing_is_told_and_not_journalled():
    t, c = at_the_spin(None)
    seen = []
    t.watch = seen.append
    room = t.vault.room()
    t.submit(events.pack("FAULT", 3, 4))
    assert seen == [("log", "fault", 3, 4)] and t.vault.room() == room
    assert logged(t.vault.entries())[0] == "fault", "it stands in the log all the same"
    t.submit(events.pack("KEY", 0, 0))
    assert t.vault.room() < room, "what is no report is always journalled"


def test_a_key_is_known_at_a_table_that_has_no_game():
    t = Table({"game": "none"}, Vault(IMAGE))
    assert t.fault == "settings" and t.detail == "game unknown_game"
    t.turn_key(1, 1)
    assert t.switches == 2
    t.turn_key(1, 0)
    assert t.switches == 0


def test_the_last_room_is_kept_for_what_brings_a_round_to_its_end():
    t, c = at_the_spin(None)
    for event, least in (
        (events.pack("END"), 0),
        (events.pack("SPIN", 1, 1), 0),
        (events.pack("KEY", 0, 0), 0),
        (events.pack("KEY", 0, 1), 1536 + 64),
        (events.pack("BOOT", 1), 1536 + 64),
        (events.pack("NAMED", 1, b"\1"), 768),
        (events.pack("SENSORS", bytes(7)), 1536 + 768),
        (events.pack("HAPPENED", 0, 0), 1536 + 768),
    ):
        room = len(event) + OVERHEAD + least
        t.vault.room = lambda room=room: room - 1
        assert refusal(t._make_room, event) == "journal_full", event
        t.vault.room = lambda room=room: room
        assert refusal(t._make_room, event) is None, event
