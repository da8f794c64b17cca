"""Each deck has its own story: counts, shuffles, inspections, and what a wrong one costs."""

from croupier import Croupier
from felt.dealer import commands
from felt.round import decks, events, procedures
from felt.round.due import due, stub_due

MISDEALT = events.ON_FELT


def table(**settings):
    return Croupier("colorado", version="required", **settings)


def play(t):
    """One round, up to its end."""
    t.begin(1)
    t.deal()
    t.all_act("bet", True)
    t.settle()
    if due(t.m).kind == "stub":
        t.do("STUB", 52 - t.m.r.dealt, 0)


def test_ok_never_makes_a_count_up():
    t = table(shuffler="counting")
    play(t)
    t.do("END")
    assert commands.parse(t.m, "ok") == events.pack("DONE", procedures.SHUFFLE, 0)
    assert commands.parse(t.m, "done 52") == events.pack("DONE", procedures.SHUFFLE, 52)


def test_without_counts_the_stub_is_counted_as_ever():
    t = table(shuffler="counting")
    asked = []
    for _ in range(6):
        if t.m.steps:
            t.do("DONE", procedures.SHUFFLE, 0)
        t.begin(1)
        t.deal()
        asked.append(stub_due(t.m))
        if asked[-1]:
            t.do("STUB", 52 - t.m.r.dealt, 0)
        t.all_act("bet", True)
        t.settle()
        t.do("END")
    assert asked == [False] * 4 + [True, False]


def test_a_wrong_count_between_rounds_sends_the_deck_away_at_once():
    t = table(shuffler="counting")
    t.open()
    t.do("COUNTED", 51, 0)
    assert t.m.why == "deck_removed"


def test_a_wrong_count_in_a_round_sends_the_deck_away_after_it():
    t = table(shuffler="counting", second_deck=True)
    t.begin(1)
    effects = t.do("COUNTED", 51, 2)
    assert ("alarm", "counted_wrong", 2, "51") in effects and t.m.phase_name() == "deal"
    t.deal()
    t.all_act("bet", True)
    t.settle()
    t.do("END")
    assert t.m.why == "deck_removed" and not t.m.broken


def test_a_count_of_a_deck_that_is_not_there_is_refused():
    t = table(shuffler="counting")
    t.open()
    assert t.refused("COUNTED", 52, 2) == "malformed"


def test_misdealt_hands_are_counted_on_the_felt_too():
    for on_felt, why in ((7, "open"), (6, "deck_removed")):
        t = table()
        t.begin(1)
        t.deal()
        t.do("STUB", 45, MISDEALT + on_felt)
        assert t.m.r.void == "stub_misdealt"
        t.do("END")
        assert t.m.why == why


def test_the_terminal_asks_how_many_lie_there():
    t = table()
    assert commands.parse(t.m, "stub 45 misdealt 7") == events.pack("STUB", 45, MISDEALT + 7)
    try:
        commands.parse(t.m, "stub 45 misdealt")
        raise AssertionError("a deck was called whole that nobody counted")
    except commands.CommandError as e:
        assert e.code == "usage"


def test_the_story_of_each_deck_outlives_a_checkpoint():
    t = table(shuffler="counting", second_deck=True)
    play(t)
    t.do("END")
    t.do("DONE", procedures.SHUFFLE, 52)
    again = table(shuffler="counting", second_deck=True)
    again.m.load(t.m.dump())
    for deck in (0, 1):
        assert decks.facts(again.m, deck) == decks.facts(t.m, deck)
        assert decks.facts(t.m, deck)[0] == 1 and decks.facts(t.m, deck)[3] == 52


def test_how_it_was_shuffled_is_known():
    t = table()
    t.open()
    assert decks.facts(t.m, 0)[2] == decks.BY_HAND
    t = table(shuffler="plain")
    t.open()
    assert decks.facts(t.m, 0)[2] == decks.BY_MACHINE and decks.facts(t.m, 0)[3] == 0


def test_a_changed_configuration_changes_the_way_of_dealing():
    t = table(dealing="shoe", shuffler="plain")
    t.do("METHOD", events.METHODS.index("hand"))
    t.do("CONFIG", bytes(8))
    assert t.m.dealing == "shoe"
