"""The table behind its one door: journalled before effects, recovered to the same state."""

from felt.round import events
from felt.round.state import Refused
from felt.store.vault import Vault
from felt.table import Table

from host_tests.helpers.fileimage import FileImage, PowerCut
from tools.prove.player import TABLES, Dice, Player

IMAGE = FileImage("test_table")


def fresh(settings, watch=None):
    """Return a table on cleared memory."""
    IMAGE.wipe()
    t = Table(settings, Vault(IMAGE), watch=watch)
    t.start(1)
    assert t.fault == "vault_blank", t.fault
    t.turn_key(0, 1)
    t.turn_key(1, 1)
    t.clear(1)
    assert t.fault is None
    return t


def again(settings):
    """Return the table after power came back."""
    IMAGE.cut_after(None)
    t = Table(settings, Vault(IMAGE))
    t.start(1)
    return t


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
