"""The pages a floorperson reads: log, meters, hits, decks, recall, help; word for word."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Iterator

from felt.dealer import pages
from felt.logbook import LOG
from felt.round.events import NAMES
from felt.store.area import VaultError
from felt.texts import Texts

from host_tests.helpers.desk import Desk
from host_tests.logic.croupier import Croupier
from tools.games import LANGUAGE

TEXTS = Texts(str(LANGUAGE))
END = "-- end: Enter or any touch goes on --"
# Every entry a table writes, with its two numbers.
ENTRIES = """
boot 3 0: start 3 0
key 0 1: attendant key on
key 1 0: service key off
config 1 2: configuration 1 2
deck_removed 0 5: deck 1 removed
deck_removed 1 0: deck 2 removed
paired 3 4: two positions: seat 3
late_bet 7 1: late bet: seat 7
withdrawn 1 2: wager withdrawn: seat 1
override 1 0: supervisor override
method 1 0: dealing method 1 0
period 1 0: period restarted
undo 9 3: taken back: bets of seat 3
undo 13 2: taken back: decision of seat 2
undo 51 3: taken back: 51 3
fault 2 1: fault 2 1
drawn_in_error 1 2: card drawn in error
tap 4 0: spin tapped: seat 4
hit 2 9: jackpot hit: seat 2
hand_paid 5 1: hand pay: seat 5
void 0 4: round void: by the supervisor
void 7 0: round void: stub count wrong
void 8 0: round void: 8
face_up 51 0: card face up: As
face_up 255 0: card face up: ?
exposed 0 1: card exposed: dealer
exposed 6 1: card exposed: seat 6
miscount 8 4: wrong card count: board, 4
stub 40 1: stub counted: 40
device 0 1: shoe taken off
device 1 0: shuffler jammed
no_burn 0 0: burn missed
button 1 0: button not moved 1 0
watchdog 0 0: watchdog restart 0 0
service 1 0: service entry 1 0
cleared 0 0: memory cleared 0 0
link 1 2: link 1 2
latency 40 0: loop late 40 0
spot 1 2: bet spot fault 1 2
entropy 1 0: random source 1 0
accepted 0 0: memory accepted as it is 0 0
config_found 4 4: configuration found in force
clock 9 0: clock set 9 0
error 1 0: program error 1 0
archive 1 0: archive not written 1 0
probe 1 0: card asked for or typed 1 0
astray 1 0: card out of turn 1 0
stopped 1 0: deal stopped 1 0
too_many 1 0: card too many 1 0
named 0 51: card 2c is As
evaluator 1 0: hand ranked two ways 1 0
counted 52 0: 52 cards counted by machine, deck 1
counted 51 1: 51 cards counted by machine, deck 2
network 0 0: network: no key, nothing is sent
network 4 0: network: the broker refuses the table
carried 1 0: meter carried over 1 0
no_spin 3 0: spin not drawn, stake returned: seat 3
"""
DAY = 86400


def table(settings: dict[str, Any]) -> tuple[Desk, Croupier]:
    """A table with its memory, and who plays at it."""
    desk = Desk(settings | {"sensors": False})
    dealer = Croupier(**settings)
    dealer.m, dealer.feed = desk.machine, desk.table.submit
    return desk, dealer


def page(app: Any, line: str) -> list[str]:
    """What a command line shows; without the row that says it is all."""
    name, *words = line.split()
    rows = pages.PAGES[name](app, words)
    return rows[:-1] if rows[-1] == END else rows


def test_every_log_entry_in_words() -> None:
    told = [line.partition(": ") for line in ENTRIES.strip().split("\n")]
    assert list(dict.fromkeys(key.split()[0] for key, _, _ in told)) == list(LOG)
    for key, _, text in told:
        name, a, b = key.split()
        assert pages.entry_text(TEXTS, LOG.index(name), int(a), int(b)) == text
    assert pages.entry_text(TEXTS, LOG.index("undo"), len(NAMES), 3) == "taken back: 51 3"
    assert pages.entry_text(TEXTS, len(LOG), 1, 2) == "memory cleared 1 2"
    assert pages.entry_text(TEXTS, 253, 1, 2) == pages.entry_text(TEXTS, 255, 1, 2)
    assert pages.entry_text(TEXTS, 254, 1, 2) == "entry lost 1 2"


def test_an_entry_has_its_number_its_event_its_start_and_the_time() -> None:
    key = LOG.index("key")
    rows = [(9, 40, key, 0, 1, 3, 25, 0), (8, 39, key, 0, 0, 3, 20, 366 * DAY + 3661)]
    assert list(pages.entry_lines(rows, TEXTS)) == [
        "9 #40 attendant key on  3+25s",
        "8 #39 attendant key off  3+20s 2001-01-01 01:01:01",
    ]


def counted(most: int, used: list[int]) -> Iterator[str]:
    for i in range(1, most + 1):
        used.append(i)
        yield f"line {i}"


def test_a_page_is_a_screenful_and_says_whether_there_are_more() -> None:
    app = SimpleNamespace(texts=TEXTS)
    rows = [f"line {i}" for i in range(1, 31)]
    used: list[int] = []
    assert pages.paged(app, "T", counted(14, used), []) == ["T", *rows[:14], END]
    more = "-- more: NEXT or same command page 2 --"
    used.clear()
    assert pages.paged(app, "T", counted(10**6, used), []) == ["T", *rows[:14], more]
    assert len(used) == 15, "no more is read than is shown"
    assert pages.paged(app, "T", counted(15, []), ["1"]) == ["T", *rows[:14], more]
    assert pages.paged(app, "T", counted(15, []), ["2"]) == ["T (2)", rows[14], END]
    assert pages.paged(app, "T", counted(28, []), ["x", "2"]) == ["T (2)", *rows[14:28], END]
    third = "-- more: NEXT or same command page 3 --"
    assert pages.paged(app, "T", counted(29, []), ["2"]) == ["T (2)", *rows[14:28], third]
    assert pages.paged(app, "T", counted(30, []), ["3"]) == ["T (3)", *rows[28:], END]
    assert pages.paged(app, "T", iter(["a" * 40 + " b", "c"]), ["x"]) == [
        "T", "a" * 40, " b", "c", END,
    ]  # fmt: skip


def test_a_line_is_broken_also_where_only_its_first_word_is_short() -> None:
    assert list(pages.wrapped("a " + "b" * 45)) == ["a", " " + "b" * 39, " " + "b" * 6]
    assert list(pages.wrapped(" " + "b" * 45)) == [" " + "b" * 39, " " + "b" * 6]
    assert list(pages.wrapped("b" * 39 + " c")) == ["b" * 39, " c"]
    assert list(pages.wrapped("b" * 40 + " c")) == ["b" * 40, " c"]


METERS = """
METERS
rounds 1, this period 1
Ante handle $0 win -$5
period Ante handle $0 win -$5
Pair Plus handle $0 win $0
period Pair Plus handle $0 win $0
Play handle $5 win -$5
period Play handle $5 win -$5
Ante Bonus handle $0 win $0
period Ante Bonus handle $0 win $0
coupons $5
void, by the supervisor: 1
Loop late: 99.9% 7 ms, worst 12 ms
Flash writes at rest: worst 34 ms
Queue: most 3 of 16
"""


def test_meters_then_how_the_loop_is_doing() -> None:
    desk, dealer = table({"game": "three_card"})
    dealer.open()
    dealer.bet(1, 500)
    dealer.do("COUPON", 1, 0, 1)
    dealer.begin(1, s1="AhKd2c", dealer="QhTd2d")
    dealer.deal()
    dealer.act(1, "play")
    dealer.settle()
    dealer.end()
    dealer.begin(1)
    dealer.key(1)
    dealer.do("VOID", 0)
    dealer.end()
    desk.app.latency = SimpleNamespace(quantile={999: 7}.get, worst=12)
    desk.app.resting_worst, desk.app.queue.most = 34, 3
    told = METERS.strip().split("\n")
    assert page(desk.app, "meters") == told
    desk.table.machine = None
    assert page(desk.app, "meters") == ["METERS", *told[-3:]], "a table without its settings"


def test_log_hits_and_what_the_start_found() -> None:
    desk, dealer = table({"game": "headsup"})
    dealer.open()
    keys = ["#11 attendant key off  1+0s", "#3 attendant key on  1+0s", "#1 start 1 0  1+0s"]
    first = "1 #0 memory cleared 0 0  0+0s"
    wanted = [f"{4 - i} {text}" for i, text in enumerate(keys)]
    assert page(desk.app, "log") == ["EVENT LOG, newest first", *wanted, first]
    wanted = [f"{3 - i} {text}" for i, text in enumerate(keys)]
    assert page(desk.app, "security") == ["SECURITY LOG, newest first", *wanted, first]
    assert page(desk.app, "hits") == ["JACKPOT HITS, newest first"]
    desk.table.vault.hit(1, 3, 1234500, 17)
    desk.table.vault.hit(2, 4, 999, 18)
    hits = ["2 round 18 seat 4 $9.99", "1 round 17 seat 3 $12,345"]
    assert page(desk.app, "hits") == ["JACKPOT HITS, newest first", *hits]
    desk.app.tests = ("memory ok", "clock ok")
    assert page(desk.app, "selftest") == ["SELF TEST AT POWER-ON", "memory ok", "clock ok"]
    assert sorted(pages.PAGES) == [
        "decks", "help", "hits", "log", "meters", "recall", "security", "selftest",
    ]  # fmt: skip


def test_help_has_every_command_and_of_one_its_usage() -> None:
    app = SimpleNamespace(texts=TEXTS)
    usage = ["bet SEAT WAGER AMOUNT ...: all wagers", " of a seat"]
    assert page(app, "help bet") == page(app, "help bet 7") == ["bet", *usage]
    told = [page(app, f"help {number}") for number in range(1, 6)]
    assert told[0] == page(app, "help") and told[0][3:5] == usage
    assert [rows[0] for rows in told] == ["COMMANDS", *[f"COMMANDS ({n})" for n in (2, 3, 4, 5)]]
    assert [len(rows) for rows in told] == [16, 16, 16, 16, 8]
    assert told[4][-2:] == ["selftest: what the power-on self test", " found"]


ROUND = """
seat 1 bets Ante $5, Odds $5
seat 1 Ah
dealer Kc
seat 1 Ad
dealer Kd
seat 1: Raise 3x
board 2h
board 3d
board 4h
board 8s
board 9s
PAY seat 1 Ante $5: beats the dealer, 1
 to 1, 13:69F-39.11(b)(2)
PAY seat 1 Raise $15: beats the dealer,
"""
REST = [" 1 to 1, 13:69F-39.11(c)", "PUSH seat 1 Odds $5: pair,", " 13:69F-39.11(c)"]


def test_finished_rounds_are_recalled_page_by_page() -> None:
    desk, dealer = table({"game": "headsup"})
    for word in ("raise1", "raise3"):
        dealer.begin(1, s1="AhAd", dealer="KcKd", board="2h3d4h8s9s")
        dealer.deal()
        dealer.act(1, word)
        dealer.settle()
        dealer.end()
    last = ROUND.strip().split("\n")
    more = "-- more: NEXT or same command page 2 --"
    for line in ("recall", "recall 1", "recall x", "recall 1 1", "recall x 1"):
        assert page(desk.app, line) == ["RECALL, round 1 back", *last, more], line
    assert page(desk.app, "recall 1 2") == ["RECALL, round 1 back (2)", *REST]
    before = [text.replace("3x", "1x").replace("$15", "$5") for text in last]
    assert page(desk.app, "recall 2") == ["RECALL, round 2 back", *before, more]
    none = "That round is not kept here."
    assert page(desk.app, "recall 3") == ["RECALL, round 3 back", none]
    desk.table.machine = None
    assert page(desk.app, "recall") == ["RECALL, round 1 back", none]


def test_a_round_that_cannot_be_read_says_so() -> None:
    for error in (VaultError("torn"), OSError(5)):

        def rounds(error: Exception = error) -> Iterator[Any]:
            raise error
            yield

        found = pages.recalled(SimpleNamespace(machine=1, rounds=rounds), TEXTS, 1)
        assert list(found) == ["DAMAGED: this stored round cannot be read"]


def test_what_is_known_of_each_deck() -> None:
    desk, dealer = table({"game": "headsup", "second_deck": True, "shuffler": "counting"})
    seen = "Deck %d: seen whole before round %d,"
    never = ["not shuffled yet, counted by machine: -"]
    stub = " rounds since its stub was counted: 0"
    one, two = [[seen % (deck, 0), stub, *never] for deck in (1, 2)]
    assert page(desk.app, "decks") == ["DECKS", *one, *two]
    dealer.begin(1)
    dealer.deal()
    dealer.act(1, "raise3")
    dealer.settle()
    dealer.end()
    how = ["shuffled by machine, counted by", " machine: 52"]
    one = [seen % (1, 1), " rounds since its stub was counted: 1", *how]
    assert page(desk.app, "decks") == ["DECKS", *one, seen % (2, 1), stub, *how]
    desk.table.machine = None
    assert page(desk.app, "decks") == ["DECKS"]
