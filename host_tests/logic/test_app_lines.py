"""What the dealer types: booked, answered by a sentence, or a page to read."""

from at_table import QUICK, TURNING, Sitting, Wheel, betting, decided
from felt.dealer.commands import CommandError, moment
from felt.link import terminal as keys
from felt.round.due import due
from felt.round.state import Refused
from felt.spin import EntropyError

FAULT = "! FAULT: journal not writable. Nothing is accepted: call service."
KEY = "! Turn the attendant key on first."


def rows(at):
    return " ".join(at.hw.terminal.rows)


def raising(error):
    def book(event):
        raise error

    return book


def test_a_line_is_booked_or_answered():
    at = betting()
    changes = at.app.changes
    assert at.say("bet 1 ante 5 odds 5") == [] and at.m.bets[1] == [500, 500, 0, 0]
    assert at.app.changes == changes + 1, "a picture may have changed"
    assert at.say("BET 2 ANTE 5 odds 5") == [] and at.m.bets[2]
    assert at.say("bet 9 ante 5 odds 5") == ["! 9 is no seat."]
    assert at.say("frobnicate")[0].startswith("! ") and len(at.say("")) == 1
    assert at.say("bet 1 ante 5") == ["! Seat 1: Odds must equal the ante."]
    assert at.logged("probe") == []


def test_a_table_at_fault_answers_every_entry_with_its_fault():
    at = betting()
    at.table.fault = "journal"
    for line in ("bet 1 ante 5", "ok", "next", "undo", "clock", "entropy"):
        assert at.say(line) == [FAULT], line
    assert at.touch(keys.NEXT) == [FAULT] == at.touch(keys.SEAT_KEY, 1)
    at.table.machine = None
    assert at.say("ok") == [FAULT] == at.touch(keys.UNDO)
    at.say("log")
    assert "EVENT LOG" in rows(at), "pages can be read all the same"


def test_each_page_opens_by_its_word_and_the_next_entry_closes_it():
    at = betting()
    titles = {
        "meters": "METERS", "log": "EVENT LOG", "security": "SECURITY LOG", "hits": "JACKPOT HITS",
        "recall": "RECALL", "help": "COMMANDS", "decks": "DECKS", "selftest": "SELF TEST",
    }  # fmt: skip
    for word in titles:
        at.say(word)
        assert at.hw.terminal.rows[0].startswith(titles[word]), word
    at.say("help 2")
    assert at.hw.terminal.rows[0] == "COMMANDS (2)"
    at.say("bet 1 ante 5 odds 5")
    assert "COMMANDS" not in rows(at)
    at.say("help")
    at.touch(keys.SEAT_KEY, 1)
    assert "COMMANDS" not in rows(at)


def test_a_page_counts_as_long_work_and_the_table_moving_on_closes_it():
    at = Sitting()
    at.app.poll_random(0)
    at.app._lap(0)
    at.say("help")
    at.app._lap(300)
    assert (at.app.resting_worst, at.app.latency.worst) == (300, 0)
    at.play.do("OPEN", 0)
    at.app.changes += 1
    at.app._dirty = True
    at.work()
    assert "COMMANDS" not in rows(at)


def test_no_page_tells_a_result_while_the_wheel_turns():
    at = betting()
    at.hw.display = Wheel()
    for spins in (True, False):
        at.hw.display.spins = spins
        for word in ("meters", "log", "security", "hits", "recall"):
            assert at.say(word) == [TURNING] * spins, word
            assert (at.app.page is None) == spins
        for word in ("help", "decks", "selftest"):
            assert at.say(word) == [] and at.app.page is not None


def test_an_ok_within_400_ms_of_the_last_one_is_not_heeded():
    at = Sitting()
    at.play.do("OPEN", 0)
    at.play.key(1)
    at.now = 50
    step = at.m.step_at
    assert at.say("ok") == [] and at.m.step_at == step + 1
    at.now = 449
    assert at.say("ok") == [QUICK] and at.m.step_at == step + 1
    assert at.say("done 52") == []
    step = at.m.step_at
    at.now = 450
    assert at.say("ok") == [] and at.m.step_at == step + 1
    at.now = 400
    assert at.say("ok") == [] and at.m.step_at == step + 2, "the clock was set back"
    assert at.say("ok") == [QUICK]
    at.now += 400
    assert at.app._repeated() is False and at.say("ok now") == [QUICK]


def test_cards_typed_where_a_shoe_reads_them_are_noted():
    at = Sitting()
    at.play.begin(1, 2)
    at.say("card Ah")
    assert at.m.r.dealt == 1 and at.logged("probe") == [("probe", 2, 0)]
    at = Sitting(dealing="hand", shuffler="plain", card_reader=False)
    at.play.begin(1, 2)
    at.say("card Ah")
    assert at.logged("probe") == []
    at.app._typed_card(at.m, "card")
    assert at.logged("probe") == []
    at = decided()
    at.say("1 " + due(at.m).choices[0])
    assert at.logged("probe") == [], "a decision is no card"
    at = Sitting(dealing="auto")
    at.play.begin(1)
    places = len(due(at.m).places)
    at.say("stack " + " ".join(["2h", "3h", "4h", "5h", "6h", "7h", "8h"][:places]))
    assert at.logged("probe") == [("probe", 2, 0)]
    at.app._typed_card(at.play.m, "ok")
    at = betting()
    at.app._typed_card(at.m, "card")
    assert at.logged("probe") == [], "no round is open"


def test_answers_that_may_tell_of_a_card_are_noted():
    at = decided()
    at.app._book = raising(CommandError("name_later", "Ah"))
    at.say("3 bet:Ah")
    assert at.logged("probe") == [("probe", 0, 0)]
    for code in ("duplicate_card", "no_flush", "not_held", "no_card_due"):
        at = decided()
        at.app._book = raising(Refused(code, 1, 2))
        assert len(at.say("1 " + due(at.m).choices[0])) == 1
        assert at.logged("probe") == [("probe", 1, 0)] * (code != "no_card_due"), code
    at = decided()
    at.app._book = raising(Refused("count_right", 1, 2))
    at.say("hand 1 Ah Kh")
    assert at.logged("probe") == [("probe", 1, 0)]
    at = decided()
    at.app._book = raising(CommandError("usage", "bet"))
    at.say("bet")
    assert at.logged("probe") == []


def test_the_clock_is_set_by_the_attendant_in_the_words_of_a_calendar():
    at = betting()
    assert at.say("clock 2026-11-17 07:30") == [KEY] and at.table.real == 0
    at.play.key(1)
    assert at.say("clock 2026-11-17 07:30") == ["Clock set."]
    assert at.table.real == moment("2026-11-17 07:30")
    assert at.logged("clock")[0][0] == "clock"
    assert len(at.say("clock 2026")) == 1 and at.table.real == moment("2026-11-17 07:30")


def test_the_generator_is_tested_anew_by_the_attendant_only():
    works = "Random source tested: the wheel may be spun."
    at = betting()
    assert at.say("entropy") == [KEY] and at.noise.done == []
    at.play.key(1)
    at.table.unseeded = True
    at.app.poll_random(0)
    at.app._lap(0)
    at.noise.done.clear()
    at.table.unseeded = True
    assert at.say("entropy") == [works] and at.noise.done == ["start"]
    assert not at.table.unseeded and at.logged("entropy") == [("entropy", 1, 0)]
    at.app._lap(400)
    assert (at.app.resting_worst, at.app.latency.worst) == (400, 0), "it takes its time"
    at.noise.wrong = EntropyError("entropy_biased")
    assert at.say("entropy") == [
        "! No spin: random source is biased. Attendant key on, then: entropy"
    ]
    at.table.generator = None
    assert at.say("entropy") == [
        "! No spin: random source not started. Attendant key on, then: entropy"
    ]
    assert len(at.say("entropy now")) == 1 and at.logged("entropy") == [("entropy", 1, 0)]
