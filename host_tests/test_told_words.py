"""What a round, a meter and a refusal say to people, word for word.

A dispute is settled by these lines: who got what, by which section, and what lay where.
"""

from __future__ import annotations

import re
from typing import Any, Callable

import pytest
from felt.dealer import pages, recall, words
from felt.dealer.commands import CommandError
from felt.logbook import LOG
from felt.round import events
from felt.round.due import due
from felt.round.state import Refused
from felt.texts import Texts

from host_tests.logic.croupier import Croupier, headsup, premium, premium_round, winners_pot
from tools.games import LANGUAGE

TEXTS = Texts(str(LANGUAGE))
PREMIUM = """
seat 1 bets Ante $5, X-Tra Bonus $5, Dealer Bonus $1, Player Bonus $1, Bonus Spin $5
seat 2 bets Ante $5, X-Tra Bonus $5, Bonus Spin $5
TAKE seat 1 Bonus Spin $5: collected at the lock, 13:69F-X.10(a)3
TAKE seat 2 Bonus Spin $5: collected at the lock, 13:69F-X.10(a)3
seat 1 2h
seat 2 3s
dealer 3c
seat 1 5h
seat 2 4d
dealer 3d
seat 1 9h
seat 2 7c
dealer Ts
seat 1: Check
seat 2: Check
board Kd
board Qs
board 8c
board 7d
seat 1: Play 1x
seat 2: Fold
TAKE seat 2 Ante $5: folded, 13:69F-X.10(d)2
TAKE seat 2 X-Tra Bonus $5: folded, 13:69F-X.10(d)2
TAKE seat 1 Dealer Bonus $1: pair, 13:69F-X.11(c)
TAKE seat 1 Player Bonus $1: high card, 13:69F-X.11(c)
TAKE seat 1 Ante $5: does not win, 13:69F-X.10(g)3i
TAKE seat 1 Play $5: does not win, 13:69F-X.10(g)4i
TAKE seat 1 X-Tra Bonus $5: does not win, 13:69F-X.11(d)
seat 1 tapped
seat 1 spins: position 3
PAY seat 1 Bonus Spin $100: wheel prize, 13:69F-X.11(e)
PAY seat 2 Bonus Spin $50: community pay, 13:69F-X.11(e)
"""
POT = """
seat 1 bets Ante $5, Jacks Plus $1
seat 2 bets Ante $5
seat 3 bets Ante $5
seat 1 Ah
seat 2 2c
seat 3 3c
dealer 8c
seat 1 Ad
seat 2 4d
seat 3 5d
dealer 8d
seat 1 Kc
seat 2 7s
seat 3 6h
dealer 2h
seat 1: Bet
seat 2: Bet
seat 3: Bet
burn 3s
seat 1 9d
seat 2 Jh
seat 3 9s
dealer 5s
seat 1: Double
seat 2: Double
seat 3: Fold
burn 5h
seat 1 8h
seat 2 Qs
dealer Td
PAY seat 1 Jacks Plus $1: pair, 1 to 1, 19:47-33.11(b)
AWARD seat 1 Pot $45: beats the dealer, 19:47-33.10(h)
AWARD dealer Pot $0: house, 19:47-33.10(h)
COMMISSION $5
"""
ODD = """
seat 1 bets Ante $5, Odds $5
seat 2 bets Ante $5, Odds $5
seat 1: Ante is a coupon
seat 1: Odds is a coupon
seat 1: Odds is chips
seat 1 Ah
9h found face up
seat 1: card exposed
seat 2 ??
the deal goes on
dealer Kc
seat 1 Ad
seat 2 2c
dealer Kd
seat 1: Raise 3x
CANCELLED: seat 2: Check
taken back: decision of seat 2
seat 2: Raise 1x
shoe jammed
board 2h
board 3d
board 4h
seat 2 = Qc
VOID: by the supervisor
RETURN seat 1 Ante $5: by the supervisor, 13:69F-39.12
RETURN seat 1 Odds $5: by the supervisor, 13:69F-39.12
RETURN seat 1 Raise $15: by the supervisor, 13:69F-39.12
RETURN seat 2 Ante $5: by the supervisor, 13:69F-39.12
RETURN seat 2 Odds $5: by the supervisor, 13:69F-39.12
RETURN seat 2 Raise $5: by the supervisor, 13:69F-39.12
"""
METERS = """
rounds 1, this period 1
Ante handle $10 win $10
period Ante handle $10 win $10
X-Tra Bonus handle $10 win $10
period X-Tra Bonus handle $10 win $10
Dealer Bonus handle $1 win $1
period Dealer Bonus handle $1 win $1
Player Bonus handle $1 win $1
period Player Bonus handle $1 win $1
Bonus Spin handle $10 win -$140
period Bonus Spin handle $10 win -$140
Play handle $5 win $5
period Play handle $5 win $5
jackpot $10,000.70, seed $10,000
contributions $0.70
hits 0, paid $0
carried over $0
"""
POT_METERS = """
rounds 1, this period 1
Pot handle $50 win $5
period Pot handle $50 win $5
Jacks Plus handle $1 win -$1
period Jacks Plus handle $1 win -$1
commission $5
"""
REFUSALS: tuple[tuple[tuple[Any, ...], str], ...] = (
    (("limits", 2, "ante", 100), "Seat 2: Ante $1 is below the table's $5."),
    (("limits", 2, "ante", 20000), "Seat 2: Ante $200 is above the table's $100."),
    (("chip_unit", 1, "ante", 150), "Seat 1: Ante $1.50 is no whole number of chips."),
    (("not_held", 1, 51), "Seat 1 does not hold As."),
    (("illegal_action", 3, "play2"), "Seat 3: 2x is not possible now."),
    (("illegal_action", 3, 9), "Seat 3: 9 is not possible now."),
    (("device_blocked", 0), "The shoe is jammed or missing: clear, remove or attach it."),
    (("device_blocked", 1), "The shuffler is jammed or missing: clear, remove or attach it."),
    (("no_card_there", 0), "No card lies at dealer."),
    (("no_card_there", 8), "No card lies at board."),
    (("no_card_there", 3), "No card lies at seat 3."),
    (("step_order", "verify"), "First: Floorperson: key on, verify. NEXT."),
    (("bad_card", 51), "Card As cannot be read."),
    (("bad_card", 52), "Card ? cannot be read."),
    (("lies_elsewhere", 51, 8), "As lies face up elsewhere: board."),
    (("table_fault", "meters"), "FAULT: meters do not add up. Nothing is accepted: call service."),
    (
        ("no_table", "config"),
        "FAULT: no valid configuration. Settings first (felt provision), then power off and on.",
    ),
    (("lies_there", 1, "ante", 700, "$10"), "Seat 1 Ante: $7 lies there, $10 is due."),
    (("named_twice", 3), "2s is named twice."),
    (("count_there", 0, 3), "Cards at dealer: 3. Name them all, or miscount."),
    (("no_lap", 2, 4), "seat 2 has no card of lap 4 that can be told apart: use miscount."),
    (("equal_ante", 2, "odds"), "Seat 2: Odds must equal the ante."),
    (("no_ante", 4), "Seat 4: an ante comes first."),
    (("least_ante", 1, "ante"), "Seat 1: the Ante is at least $1."),
    (("exact_stake", 1, "bonus_spin"), "Seat 1: Bonus Spin takes its exact stake only."),
    (("malformed", "STUB"), "That is no possible number: a stub has 0 to 52 cards."),
    (("malformed", "OPEN"), "Entry OPEN is malformed."),
    (("no_seat", 7), "There is no seat 7 here."),
    (("stub_key",), "The stub does not fit: count again, or attendant key on to void the round."),
    (("spin_closed", 1, "bonus_spin"), "Seat 1: Bonus Spin is closed, no wheel weights."),
    (("sensor_mismatch", 3, "odds"), "Seat 3: chips and entry differ on Odds."),
    (("amount", 2, "ante"), "Seat 2: how much is the Ante?"),
    (("exposed_already", 2), "seat 2: counted already."),
    (("count_right", 0, 2), "dealer: the table counts 2 too."),
    (("named_so", 8), "Those are the cards of board already."),
    (("wrong_raise", 1, "raise", 1100), "Seat 1: Raise $11 is no raise allowed here."),
    (("equal_antes", 2, "ante"), "Seat 2: all antes must be equal."),
)
# A value of each letter of words.ABOUT, and how it is said.
LETTERS: dict[str, tuple[Any, str]] = {
    "s": (7, "7"), "w": ("xtra", "X-Tra Bonus"), "m": (123456, "$1,234.56"), "c": (50, "Ah"),
    "p": (7, "seat 7"), "d": (1, "shuffler"), "a": ("fold", "FOLDS"),
    "t": ("wash", "Turn down, wash, stack. NEXT"), "f": ("journal", "FAULT: journal not writable"),
}  # fmt: skip
WORDED: tuple[tuple[str, Any, Any], ...] = (
    ("d", 0, "shoe"), ("d", 2, 2), ("h", 0, "jammed"), ("h", 3, "empty"), ("a", 7, 7),
    ("a", "play3", "3x"), ("a", "bet", "BET"), ("t", "other", "other"), ("c", 52, "?"),
    ("p", 0, "dealer"), ("p", 1, "seat 1"), ("p", 7, "seat 7"), ("p", 8, "board"),
    ("p", 9, "burn"), ("p", 10, "face-up cards"), ("n", 5, 5), ("", "x", "x"),
)  # fmt: skip
COMMANDS: tuple[tuple[tuple[Any, ...], str], ...] = (
    (("usage", "bet"), "Use: bet SEAT WAGER AMOUNT ...: all wagers of a seat"),
    (("amount", "x"), "x is no amount."),
    (("unknown", "deal"), "Unknown command deal: type help."),
    (("word", "x", "a b"), "x is none of: a b"),
    (("amount_most", "9", 1000000), "9 is more than any wager may be: $1000000."),
)


def pot_round(t: Croupier) -> None:
    t.open()
    t.bet(1, 500, 100)
    hands = {"s1": "AhAdKc9d8h", "s2": "2c4d7sJhQs", "s3": "3c5d6h9sTc", "dealer": "8c8d2h5sTd"}
    t.begin(1, 2, 3, **hands)
    while t.m.r.kind() in ("deal", "decide"):
        t.deal()
        now = due(t.m)
        if now.kind == "decide":
            folds = now.seat == 3 and t.m.r.arg()
            t.act(now.seat, "fold" if folds else now.choices[0])
    t.settle()
    t.end()


def odd_round(t: Croupier) -> None:
    t.open()
    t.bet(1, 500, 500)
    t.bet(2, 500, 500)
    t.do("COUPON", 1, 0, 1)
    t.do("COUPON", 1, 1, 1)
    t.do("COUPON", 1, 1, 0)
    t.begin(1, 2, s1="AhAd", s2="2c7d", dealer="KcKd", board="2h3d4h8s9s")
    t.deal(1)
    t.do("FACEUP", 30)
    t.do("EXPOSED", 1)
    t.do("SHOE", 0, 3, bytes([255]))
    t.do("GO_ON")
    t.deal()
    t.act(1, "raise3")
    t.act(2, "check")
    t.do("TAKE_BACK")
    t.act(2, "raise1")
    t.do("HAPPENED", 0, 0)
    t.do("SENSORS", bytes(7))
    t.deal()
    t.key(1)
    t.do("NAMED", 2, bytes([40]))
    t.do("VOID", 0)
    t.key(0)
    t.end()


def recalled(t: Croupier, play: Callable[[Croupier], None]) -> list[str]:
    """Play, and read the journal of it as the recall page does."""
    journal, step = [], t.feed

    def feed(event: bytes) -> list:
        journal.append(event)
        return step(event)

    t.feed = feed
    play(t)
    cancelled = recall.taken_back(lambda: journal, t.m.cfg_source)
    return list(recall.lines(journal, t.m.cfg_source, TEXTS, cancelled))


def test_a_round_of_each_kind_in_words() -> None:
    wheel = premium(bonus_spin="flush5_progressive")
    assert recalled(wheel, premium_round) == PREMIUM.strip().split("\n")
    assert recalled(winners_pot(), pot_round) == POT.strip().split("\n")
    assert recalled(headsup(), odd_round) == ODD.strip().split("\n")


def test_meters_in_words() -> None:
    t = premium(bonus_spin="flush5_progressive")
    premium_round(t)
    assert list(pages.meter_lines(t.m, TEXTS)) == METERS.strip().split("\n")
    t = winners_pot()
    pot_round(t)
    assert list(pages.meter_lines(t.m, TEXTS)) == POT_METERS.strip().split("\n")
    t = headsup()
    odd_round(t)
    said = list(pages.meter_lines(t.m, TEXTS))
    assert said[0] == "rounds 0, this period 0" and said[-1].endswith("supervisor: 1"), said[-1]


def test_a_refusal_names_seats_wagers_money_cards_and_devices() -> None:
    limits = {"ante": [500, 10000], "odds": [500, 10000]}
    m = headsup(limits=limits).m
    for about, text in REFUSALS:
        assert words.refusal(TEXTS, Refused(*about), m) == text
    for about, text in COMMANDS:
        assert words.command_text(TEXTS, CommandError(*about)) == text


def test_a_refusal_names_what_only_the_table_knows() -> None:
    t = premium(bonus_spin="flush5_progressive")
    stake = Refused("exact_stake", 1, "bonus_spin")
    assert words.refusal(TEXTS, stake, t.m) == "Seat 1: Bonus Spin takes exactly $5."
    t.begin(1, 2)
    t.deal()
    t.do("MISCOUNT", 2, 2)
    for seat, text in (
        (2, "Seat 2 is out of this round already."),
        (3, "There is no seat 3 here."),
    ):
        with pytest.raises(Refused) as refused:
            t.do("MISCOUNT", seat, 4)
        assert words.refusal(TEXTS, refused.value, t.m) == text


# These numbers are never one: cards of a deck, of a stack, of the board that is turned.
NEVER_ONE = {
    "prompt.stop.size", "prompt.show", "refused.stack_size",
    "alarm.counted_wrong", "alarm.stop.size", "log.counted",
}  # fmt: skip


def test_no_text_has_a_plural_of_one() -> None:
    rows = [row.split(" ", 1) for row in LANGUAGE.read_text(encoding="utf-8").splitlines()]
    many = r"%s (\w+ )?(cards|players|rounds|seats)\b|\bseats %s"
    counted = {key for key, text in rows if re.search(many, text)}
    assert counted - {"place.seats"} == NEVER_ONE
    assert words.seats_text(TEXTS, "3") == "seat 3"
    assert words.seats_text(TEXTS, "1 3") == "seats 1 3"


def test_what_was_taken_back_is_a_seat_or_the_pot() -> None:
    assert words.undone_text(TEXTS, "PAID", "1 2") == "seats 1 2 settled"
    assert words.undone_text(TEXTS, "PAID", "0") == "pot awarded"
    assert words.undone_text(TEXTS, "REVEAL", "0") == "cards turned"
    undo, paid = LOG.index("undo"), events.CODES["PAID"]
    assert pages.entry_text(TEXTS, undo, paid, 0) == "taken back: pot awarded"
    assert pages.entry_text(TEXTS, undo, paid, 2) == "taken back: seat 2 settled"


def test_each_refusal_says_every_value_as_what_it_is() -> None:
    for code, letters in words.ABOUT:
        values, said = zip(*[LETTERS[letter] for letter in letters])
        text = words.refusal(TEXTS, Refused(code, *values))
        assert text == TEXTS.get("refused." + code, *said), code
        assert said[0] in text and "refused." not in text
    for letter, value, wanted in WORDED:
        assert words.worded(TEXTS, letter, value) == wanted


def test_money_and_odds_as_they_are_printed() -> None:
    for cents, text in ((0, "$0"), (5, "$0.05"), (100, "$1"), (150, "$1.50"), (99900, "$999"),
                        (100000, "$1,000"), (123456789, "$1,234,567.89"), (-14000, "-$140"),
                        (-5, "-$0.05")):  # fmt: skip
        assert words.money(cents) == text
    assert words.odds_text((3, 2)) == "3 to 2"


def test_a_long_line_is_broken_at_blanks() -> None:
    assert list(pages.wrapped("a" * 40)) == ["a" * 40]
    assert list(pages.wrapped("a" * 41)) == ["a" * 40, " a"]
    assert list(pages.wrapped("word " * 9)) == ["word word word word word word word word", " word"]
