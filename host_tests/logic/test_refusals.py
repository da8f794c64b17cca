"""What a table answers to an entry at the wrong time: the dealer reads it, and nothing changes.

A row is an event and what is said to it in one state after the other, `x3` in three of them; a
dot is an entry that is taken there.
"""

from croupier import ONES, Croupier, find
from felt.round.events import bet, pack, unpack
from felt.round.machine import Machine
from felt.round.state import Refused

STATES = ("closed", "check", "bet", "deal", "decide", "reveal", "settle", "spin", "top", "over")
ANSWERS = (
    (("KEY", 2, 1), "malformed KEY x10"),
    (("KEY", 0, 2), "malformed KEY x10"),
    (("CONFIG", b"short"), "malformed CONFIG x2 | wagers_stand | round_open x7"),
    (("OPEN", 0), ". | not_closed x9"),
    (("OPEN", 2), "not_idle x10"),
    (("OPEN", 3), "malformed OPEN x10"),
    (("DONE", 3, 0), "no_checklist | step_order inspect | no_checklist x8"),
    (("CLOSE",), ". x2 | wagers_stand | round_open x7"),
    (("IDLE",), "not_open | step_order inspect | wagers_stand | not_open x7"),
    (("SENSORS", b"123456"), "malformed SENSORS x10"),
    (("BET", 1, b""), "not_open | malformed BET x2 | no_more_bets x7"),
    (
        (
            "BET",
            7,
            b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00",
        ),
        "not_open | no_seat 7 x2 | no_more_bets x7",
    ),
    (("COUPON", 1, 5, 1), "not_open | malformed COUPON x2 | no_more_bets x7"),
    (("COUPON", 1, 0, 2), "not_open | malformed COUPON x2 | no_more_bets x7"),
    (("COUPON", 7, 0, 1), "not_open | malformed COUPON x2 | no_more_bets x7"),
    (("COUPON", 2, 0, 1), "not_open | malformed COUPON x2 | no_more_bets x7"),
    (
        ("COUPON", 1, 4, 1),
        "not_open | malformed COUPON | no_coupon 1 bonus_spin | no_more_bets x7",
    ),
    (("LOCK", b""), "not_betting x2 | . | not_betting x7"),
    (("CARD", 52), "no_card_due x3 | bad_card 52 x2 | no_card_due x5"),
    (("STACK", b"\x01\x02"), "no_card_due x3 | card_due x7"),
    (("DEALT",), "no_card_due x3 | . | no_card_due x6"),
    (("ACT", 1, 9, 255), "no_decision_due x4 | illegal_action 1 9 | no_decision_due x5"),
    (("ACT", 2, 0, 255), "no_decision_due x4 | not_your_turn 1 | no_decision_due x5"),
    (("REVEAL",), "nothing_to_reveal x5 | . | nothing_to_reveal x4"),
    (("PAID", 2), "nothing_to_pay x6 | not_your_turn 1 | nothing_to_pay x3"),
    (("TAP", 1), "no_spin x3 | tap_early 1 x3 | . | tapped_already 1 | tap_late 1 x2"),
    (("TAP", 2), "no_spin x3 | no_spin_wager 2 x7"),
    (("SPIN", 1, 0), "no_spin x6 | tap_due 1 | bad_position 0 | no_spin x2"),
    (("SPIN", 1, 13), "no_spin x6 | tap_due 1 | bad_position 13 | no_spin x2"),
    (("SPIN", 2, 1), "no_spin x6 | tap_due 1 | not_your_turn 1 | no_spin x2"),
    (("SPUN", 2), "no_spin x8 | not_your_turn 1 | no_spin"),
    (("HANDPAID", 1), "no_hand_pay x8 | attendant_key | no_hand_pay"),
    (("HANDPAID", 2), "no_hand_pay x8 | not_your_turn 1 | no_hand_pay"),
    (("NO_SPIN",), "no_spin x6 | tap_due 1 | attendant_key | no_spin x2"),
    (("STUB", 40, 0), "no_round x3 | still_dealing x2 | . x5"),
    (("END",), "round_not_over x9 | ."),
    (("TAKE_BACK",), "nothing_to_undo x2 | . | nothing_to_undo x2 | . x3 | nothing_to_undo x2"),
    (("FACEUP", 52), "no_round x3 | bad_card 52 x7"),
    (("DEVICE", 2, 0), "malformed DEVICE x10"),
    (("HAPPENED", 0, 4), "malformed DEVICE x10"),
    (("EXPOSED", 2), "no_round x3 | no_seat 2 x4 | settled_already x3"),
    (("EXPOSED", 8), "no_round x3 | no_seat 8 x4 | settled_already x3"),
    (("MISCOUNT", 2, 4), "no_round x3 | no_seat 2 x4 | settled_already x3"),
    (("MISDEALT", 1, 4, 0), "no_round x3 | no_card_there 1 | no_lap 1 4 x3 | settled_already x3"),
    (("VOID", 0), "no_round x3 | attendant_key x4 | settled_already x3"),
    (("VOID", 8), "malformed VOID x10"),
    (("NO_BURN",), "no_round x3 | no_burn_due x4 | settled_already x3"),
    (("BUTTON",), "no_round x3 | no_button x7"),
    (("OVERRIDE", 0), "attendant_key x10"),
    (("METHOD", 1), "hand_needs_shuffler x3 | round_open x7"),
    (("METHOD", 3), "malformed METHOD x3 | round_open x7"),
    (("PAIRED", 1, 2), "one_position x3 | round_open x7"),
    (("PERIOD",), "attendant_key x3 | round_open x7"),
    (("DISCARD", 1, 0), "no_discard_due x10"),
    (("GO_ON",), "not_stopped x10"),
    (("NAMED", 2, b"\x01"), "no_round x3 | no_seat 2 x4 | settled_already x3"),
    (("NAMED", 1, b"4"), "no_round x3 | count_there 1 0 | bad_card 52 x3 | settled_already x3"),
    (("NAMED", 1, b""), "no_round x3 | count_there 1 0 | count_there 1 3 x3 | settled_already x3"),
    (("CARRY", b"\x00\x00\x00\x01"), "both_keys x3 | round_open x7"),
    (("SHOE", 9, 0, b"\x01"), "malformed SHOE x10"),
    (("SHOE", 0, 0, b""), "malformed SHOE x10"),
    (("COUNTED", 52, 3), "malformed COUNTED x10"),
)

SETTINGS = {
    "game": "premium",
    "bonus_spin": "flush5_progressive",
    "weights": ONES,
    "sensors": False,
}


def tables():
    """Yield (state, journal) of one Premium table from its opening to its last payment."""
    t = Croupier(**SETTINGS)
    journal = []
    step = t.feed

    def feed(event):
        journal.append(event)
        return step(event)

    t.feed = feed
    yield "closed", journal
    t.do("OPEN", 0)
    yield "check", journal
    t.checklist()
    t.bet(1, 500, 500, 0, 0, 500)
    yield "bet", journal
    t.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
    yield "deal", journal
    t.deal()
    yield "decide", journal
    t.act(1, "check")
    t.deal()
    t.act(1, "play1")
    yield "reveal", journal
    t.turn()
    yield "settle", journal
    t.do("TAP", 1)
    t.turn()
    yield "spin", journal
    t.do("SPIN", 1, 1)
    yield "top", journal
    t.key(1)
    t.do("HANDPAID", 1)
    t.key(0)
    t.turn()
    yield "over", journal


def replayed(journal):
    m = Machine(SETTINGS)
    for event in journal:
        m.step(event)
    return m


def answers(journal):
    """Return what a table in this state says to every event."""
    found, m = [], None
    for event, _ in ANSWERS:
        m = m or replayed(journal)
        before = m.snapshot()
        try:
            m.step(pack(*event))
            found.append(".")
            m = None
        except Refused as e:
            assert m.snapshot() == before, "a refused event left a trace"
            found.append(" ".join([e.code] + [str(a) for a in e.about]))
    return found


def spread(text):
    """Return one answer a state."""
    found = []
    for part in text.split(" | "):
        words = part.split(" ")
        times = 1
        if words[-1][0] == "x":
            times = int(words.pop()[1:])
        found += [" ".join(words)] * times
    return found


def test_an_entry_at_the_wrong_time_is_refused_by_name_and_changes_nothing():
    wanted = [spread(text) for _, text in ANSWERS]
    for at, (state, journal) in enumerate(tables()):
        assert state == STATES[at]
        for (event, _), said, row in zip(ANSWERS, answers(journal), wanted):
            assert said == row[at], (state, event, said)


def test_only_a_pot_has_a_button_and_only_its_down_cards_matter_while_dealing():
    t = Croupier("headsup")
    t.begin(1)
    t.deal(1)
    t.do("EXPOSED", 1)
    assert find(t.effects, "note") == [("note", "stays_live", 1)]
    t.do("EXPOSED", 1)
    assert find(t.effects, "note") == [("note", "stays_live", 1)], "as often as it is told"
    t = Croupier("winners_pot")
    t.begin(1, 2)
    assert t.refused("EXPOSED", 0) == "no_card_there"
    t.deal(1)
    t.do("EXPOSED", 1)
    assert find(t.effects, "note") == [("note", "third_down", 1)]
    assert t.refused("EXPOSED", 1) == "exposed_already"


def test_a_refusal_that_nobody_expects_still_says_why():
    assert repr(Refused("no_flush", 3)) == "Refused('no_flush', 3)"


def test_events_that_are_none():
    for wrong in (b"", b"\0", b"\x11", b"\x31", b"\xff", pack("PAID", 1) + b"\0", b"\x0f"):
        try:
            unpack(wrong)
        except ValueError:
            continue
        raise AssertionError(wrong)
    for name, args in (("PAID", ()), ("PAID", (1, 2)), ("PAID", (256,)), ("PAID", (-1,))):
        try:
            pack(name, *args)
        except ValueError as e:
            assert name in str(e)
            continue
        raise AssertionError(args)
    assert unpack(pack("PAID", 255)) == ("PAID", [255])
    assert unpack(pack("BET", 1, b"ab")) == ("BET", [1, b"ab"])
    assert bet(1, [(1 << 32) - 1]) == b"\x09\1\xff\xff\xff\xff"
    for cents in (1 << 32, -1):
        try:
            bet(1, [cents])
        except ValueError:
            continue
        raise AssertionError(cents)
