"""What outlives a round: a new table, meters, decks, pairs, and the bytes they are kept in."""

from croupier import ONES, Croupier, colorado, headsup, premium
from felt.dealer import commands
from felt.round import decks, events, procedures
from felt.round.due import KINDS, SPUN, due
from felt.round.machine import KEPT, Machine
from felt.round.meters import LISTS, SINGLE, Meters
from felt.round.numbers import Reader, pack_ints, unpack_ints

from tools.rounds import ANSWERS


def text(kind, call, *args):
    """Return the words of an error."""
    try:
        call(*args)
    except kind as e:
        return str(e)
    return None


def test_a_new_table_is_closed_and_knows_nothing():
    m = Machine({"game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES})
    kept = {name: getattr(m, name) for name in KEPT}
    assert (kept.pop("why"), kept.pop("dealing")) == ("new", "shoe")
    assert set(kept.values()) == {0}
    assert (m.early, m.steps, m.pairs, m.r, m.typed) == (b"", b"", [], None, False)
    assert m.history == bytearray(8) and m.config_id == bytes(8) and m.sensors == bytes(7)
    meters = {name: getattr(m.meters, name) for name in SINGLE}
    assert meters.pop("jackpot") == 1000000 and set(meters.values()) == {0}
    assert [set(getattr(m.meters, name)) for name in LISTS] == [{0}] * 5
    assert m.meters.coupons == 0 and m.meters.conserved()


def test_each_key_is_known_by_itself():
    t = headsup()
    for keys, has in (
        (0, (False, False)),
        (1, (True, False)),
        (2, (False, True)),
        (3, (True,) * 2),
    ):
        t.m.keys = keys
        assert (t.m.has_key(events.ATTENDANT), t.m.has_key(events.SERVICE)) == has


def test_meters_of_a_table_without_a_progressive():
    bare = Meters(("ante",), None)
    assert (bare.seed, bare.share, bare.jackpot) == (0, 0, 0) and bare.conserved()
    fixed = Croupier("premium", bonus_spin="flush5_fixed", fixed_prize=2000000).m.meters
    assert (fixed.seed, fixed.jackpot) == (0, 0) and fixed.conserved()


def test_a_period_counts_as_a_lifetime_does_until_it_is_restarted():
    m = Meters(("ante", "odds"), None)
    for _ in range(2):
        m.settled("ante", 500, -500)
        m.settled("odds", 700, 300)
        m.round_over()
    assert (m.handle, m.win) == ([1000, 1400], [1000, -600])
    assert (m.period_handle, m.period_win, m.period_rounds) == ([1000, 1400], [1000, -600], 2)
    m.restart_period()
    m.settled("odds", 100, -100)
    m.round_over()
    assert (m.period_handle, m.period_win, m.period_rounds) == ([0, 100], [0, 100], 1)
    assert (m.handle, m.win, m.rounds) == ([1000, 1500], [1000, -500], 3)


def test_what_is_wrong_with_a_meter_or_a_state_is_said():
    meters = Machine(
        {"game": "premium", "bonus_spin": "flush5_progressive", "weights": ONES}
    ).meters
    assert text(ValueError, meters.carry, 999999) == "meter 999999 is below its seed 1000000"
    said = text(ValueError, meters.carry, 1 << 31)
    assert said == "meter 2147483648 is more than can be recorded"
    said = text(ValueError, meters.restore, [0] * 99)
    assert said == "meters of another game: 99 values"
    t = headsup()
    said = text(ValueError, t.m.load, pack_ints([1, 0, -1]))
    assert said == "state is another table's: [1, 0, -1], not [1, %d, -1]" % t.m.game.NUMBER
    whole = t.m.dump()
    assert text(ValueError, t.m.load, whole[:20]) == "state bytes are incomplete"
    assert text(ValueError, t.m.load, b"\xff") == "state bytes end inside a number"
    assert text(IndexError, Reader([1, 2]).some, 3) == "numbers are missing"


def test_numbers_take_as_few_bytes_as_they_can():
    for value, packed in (
        (0, b"\0"), (-1, b"\1"), (1, b"\2"), (63, b"\x7e"), (-64, b"\x7f"), (64, b"\x80\1"),
        (-65, b"\x81\1"), (8191, b"\xfe\x7f"), (-8192, b"\xff\x7f"), (8192, b"\x80\x80\1"),
    ):  # fmt: skip
        assert pack_ints([value]) == packed and unpack_ints(packed) == [value]


def test_pairs_coupons_and_early_cards_outlive_a_checkpoint():
    def table():
        return colorado(two_positions=True)

    t = table()
    t.do("PAIRED", 1, 2)
    t.do("PAIRED", 4, 5)
    again = table()
    again.m.load(t.m.dump())
    assert again.m.pairs == [(1, 2), (4, 5)] and again.m.history == bytearray(8)
    t.open()
    t.bet(3, 500)
    for wanted in ((), (3,), (3, 9)):
        if wanted == (3,):
            t.do("COUPON", 3, 0, 1)
        if wanted == (3, 9):
            t.do("SHOE", 0, 1, b"\x09")
        again = table()
        again.m.load(t.m.dump())
        assert again.m.snapshot() == t.m.snapshot()
        assert (again.m.coupons, again.m.early) == (t.m.coupons, t.m.early)
    older = table()  # as tables were whose decks had no history
    older.m.coupons[3] = 1
    older.m.early = b"\x09"
    again = table()
    again.m.load(older.m.dump())
    assert again.m.coupons[3] == 1 and again.m.early == b"\x09"
    assert again.m.history == bytearray(8)


# --- decks


def two_decks():
    return colorado(shuffler="counting", second_deck=True)


def finish(t):
    t.key(1)
    t.do("VOID", 0)
    t.do("END")
    t.key(0)


def test_the_deck_in_hand_is_the_one_the_checklist_is_about():
    t = two_decks()
    t.do("OPEN", 0)
    t.key(1)
    passes = []
    while due(t.m).kind == "check":
        passes.append(decks.in_hand(t.m))
        t.turn()
    assert passes == [0] * 6 + [1] * 6 and decks.in_hand(t.m) == 0
    t.begin(1)
    finish(t)
    assert decks.in_hand(t.m) == 1 and decks.of_pass(t.m, procedures.SHUFFLE) == 1
    t.do("SHUFFLED", 52)
    assert decks.in_hand(t.m) == 1 and decks.facts(t.m, 1)[2:] == (decks.BY_MACHINE, 52)


def test_an_inspection_is_known_by_its_round():
    t = two_decks()
    t.m.round_no = 0x1233
    t.m.history[:] = b"\1" * 8
    t.do("OPEN", 0)
    t.key(1)
    t.turn()
    t.turn()
    assert t.m.history == b"\x12\x34\0\0" + b"\1" * 4
    assert decks.facts(t.m, 0) == (0x1234, 0, 0, 0)
    while due(t.m).kind == "check":
        t.turn()
    assert decks.facts(t.m, 1)[0] == 0x1234 and len(t.m.history) == 8
    t.do("CLOSE")
    t.m.round_no = 0xFFFF
    t.open()
    assert decks.facts(t.m, 0)[0] == 0, "two bytes are kept of it"


def test_a_count_that_is_said_wins_over_one_that_came_before():
    t = two_decks()
    t.begin(1)
    t.do("COUNTED", 52, 2)
    finish(t)
    assert ("alarm", "deck_removed", 2, "") in t.do("SHUFFLED", 50)
    t = two_decks()
    t.begin(1)
    finish(t)
    t.do("SHUFFLED", 52)
    t.begin(1)
    t.do("COUNTED", 52, 1)  # the first deck's, while the second is played
    finish(t)
    assert t.do("SHUFFLED", 0) == [("phase", "bet")]
    assert decks.facts(t.m, 0)[2:] == (decks.BY_MACHINE, 52)


def test_cards_that_are_spread_are_counted_anew():
    t = two_decks()
    t.begin(1)
    t.do("COUNTED", 52, 2)
    assert t.m.history[7] == 52 and t.m.history[6] == decks.BY_MACHINE | decks.CAME
    finish(t)
    t.do("IDLE")
    assert t.m.history[6] == decks.BY_MACHINE and t.m.history[2] == decks.BY_MACHINE


def test_a_count_corrected_in_the_round_sends_the_deck_that_was_played_away():
    t = two_decks()
    t.begin(1)
    t.do("COUNTED", 51, 2)
    t.do("COUNTED", 52, 2)
    t.key(1)
    t.do("VOID", 0)
    assert ("alarm", "deck_removed", 1, "") in t.do("END")
    assert (t.m.steps, t.m.step_at, t.m.early, t.m.why) == (b"", 0, b"", "deck_removed")
    assert t.m.bets == [None] * 8 and t.m.coupons == bytearray(8)


def test_a_deck_that_left_sends_no_other_away():
    t = two_decks()
    t.open()
    t.bet(1, 500)
    t.do("COUNTED", 51, 2)
    assert not any(t.m.bets), "no card is dealt from it"
    t.do("HAPPENED", events.SHUFFLER, events.REMOVED)
    t.begin(1)
    finish(t)
    assert t.m.why == "open" and due(t.m).choices == ("shuffle",)


def test_a_step_that_nobody_numbers():
    for shuffler, shuffled in (("none", 52), ("plain", 52), ("counting", 0)):
        t = premium(shuffler=shuffler)
        t.do("OPEN", 0)
        t.key(1)
        while due(t.m).kind == "check":
            step = due(t.m).choices[0]
            said = commands.parse(t.m, "ok")
            assert said[-1] == {"shuffle": shuffled, "cut": 26}.get(step, 52), (shuffler, step)
            t.m.step(said)


def test_old_counts_stand_for_both_decks_and_new_ones_for_one():
    for event, rounds in ((events.pack("DONE", procedures.SHUFFLE, 52), [0, 0]),
                          (events.pack("SHUFFLED", 52), [3, 0])):  # fmt: skip
        t = two_decks()
        t.begin(1)
        finish(t)
        procedures.count_round(t.m, 0, 3)
        procedures.count_round(t.m, 1, 300)
        assert [procedures.rounds_of(t.m, deck) for deck in (0, 1)] == [3, 255]
        t.done(event)
        assert [procedures.rounds_of(t.m, deck) for deck in (0, 1)] == rounds


# Journals keep these bytes for ever: a code, its name and its fields.
CODES = """
1BOOT:b 2KEY:bb 3CONFIG:* 4OPEN:b 5DONE:bb 6CLOSE 7IDLE 8SENSORS:* 9BET:b* 10LOCK:*
11CARD:b 12STACK:* 13ACT:bbb 14REVEAL 15PAID:b 16TAP:b 18SPIN:bb 19SPUN:b 20HANDPAID:b
21STUB:bb 22END 23UNDO 24FACEUP:b 25DEVICE:bb 26EXPOSED:b 27MISCOUNT:bb 28VOID:b
29NO_BURN 30BUTTON 31OVERRIDE:b 33METHOD:b 34PAIRED:bb 35PERIOD 36FAULT:bb 37DISCARD:bb
38SHOE:bb* 39GO_ON 40NAMED:b* 41MISDEALT:bbb 42DEALT 43HAPPENED:bb 44COUPON:bbb
45TAKE_BACK 46COUNTED:bb 47CARRY:* 48NO_SPIN 49SHUFFLED:b
50SAID
"""


def test_a_code_never_changes_its_meaning():
    rows = []
    for code, (name, fields) in enumerate(zip(events.NAMES, events.FIELDS)):
        if name:
            assert events.CODES[name] == code
            rows.append("%d%s%s" % (code, name, ":" + fields if fields else ""))
    assert rows == CODES.split() and len(events.NAMES) == len(events.FIELDS) == 51
    assert (events.NO_CARD, events.NOT_PAIRED, events.ON_FELT) == (255, 128, 128)
    assert (events.SHOE, events.SHUFFLER, events.ATTENDANT, events.SERVICE) == (0, 1, 0, 1)
    assert (events.JAM, events.REMOVED, events.ATTACHED, events.EMPTY) == (0, 1, 2, 3)
    assert (events.RECUT, events.ACCEPT_SENSORS) == (0, 1)
    assert events.METHODS == ("shoe", "hand", "auto")


def test_voids_are_counted_and_told_by_their_cause():
    t = headsup()
    told = []
    for cause in range(8):
        t.begin(1)
        t.key(1)
        told.append(t.do("VOID", cause)[0][1])
        t.do("END")
        t.key(0)
    assert " ".join(told) == (
        "supervisor dealer_exposed face_up miscount jam misdeal stub_misdealt stub_wrong"
    )
    assert t.m.meters.voids == [1] * 8 and t.m.meters.rounds == 0


def test_everything_a_table_waits_for_has_its_answer():
    assert sorted(KINDS) == sorted(ANSWERS) and SPUN == ("spun", "hand_pay")
