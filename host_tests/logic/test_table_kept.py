"""What a table keeps of what happens, what it lets out, what it takes in its last room."""

from croupier import ONES, Croupier, find
from felt.evaluator import Disagreement
from felt.logbook import LOG
from felt.round import events
from felt.round.events import pack
from felt.round.state import Refused
from felt.spin import EntropyError
from felt.store.journal import OVERHEAD
from felt.table import Table

from host_tests.helpers.fileimage import FileImage

FRESH = True  # each test has a board's whole heap
IMAGE = FileImage("test_table_kept")
fresh, again = IMAGE.fresh, IMAGE.again
SETTINGS = {
    "game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES, "sensors": False,
}  # fmt: skip


def refusal(call, *args):
    """Return "code about" of what a call is refused for."""
    try:
        call(*args)
    except Refused as e:
        return " ".join([e.code] + [str(a) for a in e.about])
    return None


def open_table():
    """Return a table that takes wagers, what it lets out from here on, and its dealer."""
    seen = []
    t = fresh(SETTINGS, seen.append)
    t.turn_key(0, 0)
    t.turn_key(1, 0)
    c = Croupier(**SETTINGS)
    c.m, c.feed = t.machine, t.submit
    c.open()
    c.filler = list(range(52))
    del seen[:]
    return t, seen, c


def in_a_round():
    """Return a table whose seat 1 waits for its cards, and what it lets out."""
    t, seen, c = open_table()
    c.bet(1, 500, 500, 0, 0, 500)
    t.lock()
    del seen[:]
    return t, seen, c


def newest(t, name):
    """Return the details of the newest log entry of that name."""
    for entry in t.vault.entries():
        if entry[2] == LOG.index(name):
            return entry[3:5]
    return None


def count(t, name):
    return len([1 for entry in t.vault.entries() if entry[2] == LOG.index(name)])


def journalled(t, event):
    """True when an event takes room in the journal."""
    room = t.vault.room()
    t.submit(event)
    return t.vault.room() < room


def test_each_effect_is_let_out_once_and_in_order():
    t, seen, c = open_table()
    effects = c.bet(1, 500, 500)
    assert effects == [("bet", 1, 500, 500, 0, 0, 0)] and seen == effects
    del seen[:]
    effects = t.lock()
    assert effects[0] == ("locked", 1) and seen == effects and len(effects) == 3
    t.watch = None
    c.deal(1)
    assert seen == effects, "nobody looks"


def test_a_log_entry_says_what_its_effect_says():
    t, seen, c = open_table()
    t.submit(pack("KEY", 1, 0))
    assert newest(t, "key") == (1, 0)
    t.submit(pack("KEY", 0, 1))
    assert newest(t, "key") == (0, 1)
    told = t.submit(pack("FAULT", 3, 4))
    assert told == [("log", "fault", 3, 4)] and newest(t, "fault") == (3, 4)


def test_only_reports_that_say_what_is_known_are_counted_instead_of_journalled():
    t, seen, c = open_table()
    attached = pack("HAPPENED", events.SHOE, events.ATTACHED)
    for _ in range(3):
        assert not journalled(t, attached)
    assert count(t, "device") == 1 and len(find(seen, "log")) == 3
    assert journalled(t, pack("HAPPENED", events.SHOE, events.JAM))
    assert again(SETTINGS).machine.broken == 1, "what changes the table is on the medium"
    assert journalled(t, pack("KEY", 0, 0)), "what is no report always is"


def test_a_card_that_goes_astray_outside_of_a_round_is_not_journalled():
    t, seen, c = open_table()
    assert journalled(t, pack("SHOE", 0, 1, b"\x0a")), "the next round's first card"
    assert not journalled(t, pack("SHOE", 0, 1, b"\x0a")), "told again"
    c.bet(1, 500, 500)
    t.lock()
    assert t.machine.r.dealt == 1
    assert journalled(t, pack("SHOE", 0, 2, b"\x0b"))
    assert journalled(t, pack("SHOE", 0, 2, b"\x0b")), "in a round every one is"


def test_a_checkpoint_follows_what_asks_for_one_and_closes_only_a_round():
    t, seen, c = open_table()
    closes = []
    make = t.vault.checkpoint
    t.vault.checkpoint = lambda state, what: closes.append(what) or make(state, what)
    t.unstored = False
    t.submit(pack("CLOSE"))
    assert closes == [0] and not t.unstored
    c.begin(1)
    t.turn_key(0, 1)
    t.submit(pack("VOID", 0))
    assert closes == [0] and list(t.vault.rounds()) == []
    t.submit(pack("END"))
    assert closes == [0, 1] and t.unstored and len(list(t.vault.rounds())) == 1
    t.submit(pack("CLOSE"))
    assert closes == [0, 1, 0] and t.unstored, "the round still waits for the archive"


class Archive:
    """Counts what it is given."""

    def __init__(self):
        self.added = 0

    def follows(self, vault):
        return True

    def add(self, vault):
        self.added += 1
        return 1


def test_a_start_looks_for_rounds_that_were_not_stored():
    t, seen, c = open_table()
    t.archive = Archive()
    assert t.store_rounds() and t.archive.added == 1
    assert not t.store_rounds() and t.archive.added == 1


def broken(*args):
    raise OSError("no medium")


def test_memory_that_fails_after_the_event_closes_the_table():
    for part, event in (("checkpoint", pack("CLOSE")), ("log", pack("KEY", 0, 1))):
        t, seen, c = open_table()
        setattr(t.vault, part, broken)
        t.submit(event)
        assert (t.fault, t.detail) == ("journal", "no medium"), part
        assert refusal(t.submit, event) == "table_fault journal"


def test_hands_ranked_two_ways_close_the_table_and_are_noted():
    t, seen, c = in_a_round()

    def step(event):
        raise Disagreement("hand")

    t.machine.step = step
    assert refusal(t.submit, pack("CARD", 1)) == "table_fault evaluator"
    assert newest(t, "evaluator") == (0, events.CODES["CARD"]) and not seen


class Stuck:
    """A source of randomness that gives none."""

    fault = None

    def cycle(self):
        raise EntropyError("entropy_cycled")

    def below(self, n):
        raise EntropyError("entropy_stuck", "more")


def test_a_spin_that_cannot_be_drawn_says_why_and_a_table_owes_no_seed_before_its_first_round():
    t, seen, c = open_table()
    t.generator = Stuck()
    try:
        t.stir()
        raise AssertionError("nothing was asked of the source")
    except EntropyError as e:
        assert e.args[0] == "entropy_cycled"
    c.bet(1, 500, 500, 0, 0, 500)
    c.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
    c.deal()
    c.all_act("play3")
    while t.machine.r.kind() != "spin":
        c.turn()
    assert refusal(t.spin) == "entropy_stuck" and not t.machine.r.spun


def test_what_a_person_typed_needs_the_key_that_a_device_does_not():
    t, seen, c = in_a_round()
    c.deal()
    t.turn_key(0, 0)
    report = pack("MISCOUNT", 1, 4)
    assert refusal(t.typed, report) == "attendant_key" and not t.machine.typed
    t.submit(report)
    assert find(seen, "return")


# --- the last room of the journal


def with_room(t, room):
    t.vault.room = lambda: room


def test_a_checkpoint_is_made_below_3072_bytes_and_below_4608_before_a_round():
    t, seen, c = open_table()
    c.bet(1, 500, 500)
    made = []
    t.vault.checkpoint = lambda state, closes: made.append(closes)
    for event, least in ((events.bet(2, [500] * 2 + [0] * 3), 3072), (pack("LOCK", b""), 4608)):
        with_room(t, least)
        t._make_room(event)
        assert made == [], event
        with_room(t, least - 1)
        t._make_room(event)
        assert made.pop() == 0, "no round was finished by it"


def test_a_key_is_journalled_by_need_just_where_it_would_be_refused():
    t, seen, c = in_a_round()
    turned = pack("KEY", 0, 1)
    least = 1536 + 64 + len(turned) + OVERHEAD
    for room, refused, scarce in ((least, None, False), (least - 1, "journal_full", True)):
        with_room(t, room)
        assert refusal(t._make_room, turned) == refused
        assert t._scarce() == scarce
    t.machine.phase = 3
    assert not t._scarce(), "between rounds a checkpoint makes room"


def test_a_key_is_lent_only_when_it_is_on_and_room_is_scarce():
    t, seen, c = in_a_round()
    void = pack("VOID", 0)
    for switches, room, event, why in (
        (0, 1500, void, "attendant_key"),
        (2, 1500, void, "attendant_key"),
        (1, 9999, void, "attendant_key"),
        (3, 1500, pack("END"), "round_not_over"),
    ):
        with_room(t, room)
        t.switches = switches
        before = t.vault.seq
        assert refusal(t.submit, event) == why
        assert t.vault.seq == before and t.machine.keys == 0
    with_room(t, 1500)
    t.submit(void)
    journal = [bytes(e) for e in t.vault.tail()]
    assert journal[-3:] == [pack("KEY", 0, 1), void, pack("KEY", 0, 0)]
    assert t.machine.keys == 0 and t.machine.r.kind() == "void"


def test_keys_are_let_go_as_soon_as_room_is_scarce():
    t, seen, c = in_a_round()
    t.turn_key(0, 1)
    t.turn_key(1, 1)
    with_room(t, 1500)
    c.deal(1)
    assert t.machine.keys == 0
    journal = [bytes(e) for e in t.vault.tail()]
    assert journal[-2:] == [pack("KEY", 0, 0), pack("KEY", 1, 0)]


def test_memory_that_was_never_read_is_not_called_whole():
    assert not Table({"game": "none"}, None).verified
    open_table()
    assert again(SETTINGS).verified
