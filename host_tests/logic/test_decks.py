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
    assert commands.parse(t.m, "ok") == events.pack("SHUFFLED", 0)
    assert commands.parse(t.m, "done 52") == events.pack("SHUFFLED", 52)


def test_without_counts_the_stub_is_counted_as_ever():
    t = table(shuffler="counting")
    asked = []
    for _ in range(6):
        if t.m.steps:
            t.do("SHUFFLED", 0)
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


def rounds_with_two_decks(counts, **settings):
    """Rounds in a row; a deck's number in `counts` is what its shuffles count, 0: nothing.

    Return the rounds in which the stub was asked for."""
    t = table(shuffler="counting", second_deck=True, **settings)
    asked = []
    for number in range(1, 11):
        if due(t.m).choices == ("shuffle",):
            t.do("SHUFFLED", counts[t.m.deck])
        t.begin(1)
        t.deal()
        if stub_due(t.m):
            asked.append(number)
            t.do("STUB", 52 - t.m.r.dealt, 0)
        t.all_act("bet", True)
        t.settle()
        t.do("END")
    return asked


def test_a_count_stands_for_the_stub_of_the_deck_that_was_shuffled():
    assert rounds_with_two_decks((52, 52)) == []
    assert rounds_with_two_decks((0, 52)) == [9]  # the first deck's fifth round
    assert rounds_with_two_decks((52, 0)) == [10]


def test_a_count_of_an_older_journal_stood_for_all_decks():
    t = table(shuffler="counting", second_deck=True)
    play(t)
    t.do("END")
    t.do("SHUFFLED", 0)
    play(t)
    t.do("END")
    assert [procedures.rounds_of(t.m, deck) for deck in (0, 1)] == [1, 1]
    other = table(shuffler="counting", second_deck=True)
    other.m.load(t.m.dump())
    t.do("SHUFFLED", 52)
    assert [procedures.rounds_of(t.m, deck) for deck in (0, 1)] == [0, 1]
    other.do("DONE", procedures.SHUFFLE, 52)
    assert [procedures.rounds_of(other.m, deck) for deck in (0, 1)] == [0, 0]


def counted_in_a_round(told):
    """A round with the first deck, in which the shuffler counts 52."""
    t = table(shuffler="counting", second_deck=True)
    t.begin(1)
    t.do("COUNTED", 52, told)
    t.deal()
    t.all_act("bet", True)
    t.settle()
    t.do("END")
    return t


def test_the_deck_shuffled_while_the_other_is_played_keeps_its_count():
    for told in (0, 2):  # not told: it is the one that is not played
        t = counted_in_a_round(told)
        effects = t.do("SHUFFLED", 0)
        assert ("alarm", "not_counted", 0, "") not in effects
        assert decks.facts(t.m, 1)[2:] == (decks.BY_MACHINE, 52)
        play(t)
        t.do("END")
        assert ("alarm", "not_counted", 0, "") in t.do("SHUFFLED", 0)  # the first deck's


def test_a_count_stands_for_no_later_shuffle():
    t = counted_in_a_round(1)  # of the deck that is played, whatever that means
    assert ("alarm", "not_counted", 0, "") in t.do("SHUFFLED", 0)
    play(t)
    t.do("END")
    assert ("alarm", "not_counted", 0, "") in t.do("SHUFFLED", 0)
    t = counted_in_a_round(2)
    t.do("IDLE")  # its cards are spread, washed and shuffled again
    t.do("OPEN", 2)
    while due(t.m).kind == "check":
        step = due(t.m).choices[0]
        number = 0 if step == "shuffle" else 26
        t.done(procedures.said(procedures.STEPS.index(step), number))
    assert decks.facts(t.m, 1)[3] == 0


def test_the_deck_that_leaves_is_named():
    t = table(shuffler="counting", second_deck=True)
    play(t)
    t.do("COUNTED", 51, 2)
    assert ("alarm", "deck_removed", 2, "") in t.do("END")
    t = table(shuffler="counting", second_deck=True)
    t.begin(1)
    t.deal()
    t.do("STUB", 45, 0)
    assert ("alarm", "deck_removed", 1, "") in t.do("END")
    t = table(shuffler="counting", second_deck=True)
    t.open()
    assert ("alarm", "deck_removed", 2, "") in t.do("COUNTED", 51, 2)


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
    t.do("SHUFFLED", 52)
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
