"""The table behind its one door: journalled before effects, recovered to the same state."""

import gc

from felt import cards, evaluator
from felt.logbook import LOG
from felt.round import events
from felt.round.state import Refused

from host_tests.helpers.fileimage import FileImage, PowerCut
from tools.prove.player import TABLES, Dice, Player

IMAGE = FileImage("test_table")
fresh, again = IMAGE.fresh, IMAGE.again


def test_clear_needs_both_keys():
    t = fresh(TABLES[2])
    t.turn_key(1, 0)
    before = t.machine.snapshot()
    try:
        t.clear(1)
    except Refused as e:
        assert e.code == "both_keys"
    else:
        raise AssertionError("cleared without both keys")
    assert t.machine.snapshot() == before


def test_a_round_survives_a_restart_at_every_event():
    settings = TABLES[2]
    t = fresh(settings)
    count = 0

    def feed(event):
        nonlocal t, count
        t.submit(event)
        count += 1
        before = t.machine.snapshot()
        boots = t.machine.boots
        t = again(settings)
        assert t.fault is None, (t.fault, t.detail)
        assert t.machine.boots == boots + 1
        t.machine.boots = boots
        assert t.machine.snapshot() == before
        t.machine.boots = boots + 1
        player.m = t.machine

    player = Player(t.machine, feed, 3, 2)
    player.round()
    assert count > 20
    print(count)


class Closed(Exception):
    """The table refused an event for good."""


def play_into_a_fault(settings):
    """Play with tables that are wrong in one bit; return the table, its state and the event."""
    t = fresh(settings)
    right = evaluator.rank5, evaluator.rank7
    evaluator.rank5 = lambda hand: right[0](hand) ^ 1
    evaluator.rank7 = lambda hand: right[1](hand) ^ 1
    seen = []

    def feed(event):
        before = t.machine.snapshot()
        meters = t.machine.meters.values()
        try:
            t.submit(event)
        except Refused:
            if t.fault is None:
                raise
            seen.extend((before, meters, event))
            raise Closed

    try:
        player = Player(t.machine, feed, 3, 2)
        while not seen:
            player.round()
    except Closed:
        pass
    finally:
        evaluator.rank5, evaluator.rank7 = right
    return t, seen


def test_a_hand_ranked_two_ways_pays_nothing():
    for settings in TABLES[:4]:  # every game
        gc.collect()
        t, (before, meters, event) = play_into_a_fault(settings)
        assert t.fault == "evaluator", t.fault
        try:
            t.submit(event)
        except Refused as e:
            assert e.code == "table_fault"
        else:
            raise AssertionError("a closed table took an event")
        t = again(settings)
        assert t.fault is None and t.machine.meters.values() == meters
        t.machine.boots -= 1
        assert t.machine.snapshot() == before
        t.machine.boots += 1
        t.submit(event)  # ranked alike again: the round goes on where it was
        code = LOG.index("evaluator")
        logged = [entry[3:5] for entry in t.vault.entries() if entry[2] == code]
        assert logged == [(0, event[0])], logged


def test_a_journal_is_not_replayed_by_evaluators_that_disagree():
    settings = TABLES[0]
    t = fresh(settings)
    settled = []

    def feed(event):
        t.submit(event)
        if t.machine.r and t.machine.r.settling:
            settled.append(event)
            raise Closed

    try:
        Player(t.machine, feed, 3, 2).round()
    except Closed:
        pass
    assert settled
    right = evaluator.rank7
    evaluator.rank7 = lambda hand: right(hand) ^ 1
    try:
        assert again(settings).fault == "evaluator"
    finally:
        evaluator.rank7 = right
    assert again(settings).fault is None


def test_a_disagreement_is_no_score():
    hand = cards.parse_all("AcKdQhJs9c8d7h")
    for count, both in ((5, evaluator.both5), (6, evaluator.both6), (7, evaluator.both7)):
        assert both(hand) == evaluator.rank(hand[:count])
        name = "calculated%d" % count
        right = getattr(evaluator, name)
        setattr(evaluator, name, lambda held: right(held) + 1)
        try:
            for ask in (both, evaluator.rank):
                try:
                    ask(hand[:count])
                except evaluator.Disagreement:
                    continue
                raise AssertionError("ranked two ways")
        finally:
            setattr(evaluator, name, right)


def test_effects_are_let_out_after_the_journal_only():
    seen = []
    t = fresh(TABLES[2], seen.append)
    IMAGE.cut_after(0)
    try:
        t.submit(events.pack("KEY", 0, 0))
    except (Refused, PowerCut):
        pass
    assert not [e for e in seen if e[0] == "log" and e[1] == "key" and e[3] == 0]


def test_random_cuts_lose_nothing_that_was_answered():
    settings = TABLES[2]
    t = fresh(settings)
    dice = Dice(11)
    answered = 0
    cuts = 0
    player = Player(t.machine, None, 5, 3)
    while t.machine.round_no < 2:
        IMAGE.cut_after(dice.below(400))
        done = None

        def feed(event):
            nonlocal done, answered
            t.submit(event)
            answered += 1
            done = t.machine.snapshot()

        player.feed = feed
        try:
            while True:
                player.turn()
        except PowerCut:
            cuts += 1
        last = t.machine
        t = again(settings)
        assert t.fault is None, (t.fault, t.detail)
        t.machine.boots = last.boots
        now = t.machine.snapshot()
        # the event under way when the power went is there whole, or not at all
        assert done is None or now == done or now == last.snapshot()
        assert t.machine.meters.conserved()
        player.m = t.machine
    print(cuts, answered)
