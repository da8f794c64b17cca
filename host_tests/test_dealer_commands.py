"""Every word a dealer may type and the event it becomes; every line that is none, and why."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from felt.dealer import commands, pages
from felt.dealer.commands import CommandError
from felt.games.settings import resolve
from felt.round import events
from felt.round.due import due
from felt.round.machine import Machine
from felt.round.state import Refused

from host_tests.logic.croupier import Croupier, colorado, headsup, premium, winners_pot

EVENTS: dict[str, tuple[Any, ...]] = {
    "close": ("CLOSE",), "idle": ("IDLE",), "reveal": ("REVEAL",), "end": ("END",),
    "undo": ("TAKE_BACK",), "noburn": ("NO_BURN",), "dealt": ("DEALT",), "goon": ("GO_ON",),
    "said": ("SAID",),
    "button": ("BUTTON",), "period": ("PERIOD",), "paid 0": ("PAID", 0), "paid 7": ("PAID", 7),
    "tap 3": ("TAP", 3), "handpaid 2": ("HANDPAID", 2), "spun 5": ("SPUN", 5),
    "clear 4": ("BET", 4, bytes(20)), "coupon 1 ante": ("COUPON", 1, 0, 1),
    "coupon 7 xtra off": ("COUPON", 7, 1, 0), "act 3 play2": ("ACT", 3, 3, 255),
    "3 play2": ("ACT", 3, 3, 255), "1 3x": ("ACT", 1, 4, 255), "1 1x": ("ACT", 1, 2, 255),
    "2 folds": ("ACT", 2, 1, 255), "2 FOLD": ("ACT", 2, 1, 255), "2 check": ("ACT", 2, 0, 255),
    "discard 2 as": ("DISCARD", 2, 51), "open": ("OPEN", 0), "open new": ("OPEN", 0),
    "open pre": ("OPEN", 1), "open again": ("OPEN", 2), "card 2c": ("CARD", 0),
    "card AS": ("CARD", 51), "stack 2c 2d th": ("STACK", bytes([0, 1, 34])),
    "faceup th": ("FACEUP", 34), "hand dealer 2c": ("NAMED", 0, b"\0"),
    "hand board 2c 2d": ("NAMED", 8, b"\0\1"), "hand 7 2d": ("NAMED", 7, b"\1"),
    "skipped 2 1": ("MISDEALT", 2, 1, 0), "skipped 2 7": ("MISDEALT", 2, 7, 0),
    "extra 2 3": ("MISDEALT", 2, 3, 1), "extra 2 7 1": ("MISDEALT", 2, 7, 1),
    "extra dealer 1 7": ("MISDEALT", 0, 1, 7), "stub 40": ("STUB", 40, 0),
    "stub 0": ("STUB", 0, 0), "stub 52": ("STUB", 52, 0),
    "stub 40 misdealt 12": ("STUB", 40, 140), "stub 40 misdealt 0": ("STUB", 40, 128),
    "stub 0 misdealt 52": ("STUB", 0, 180), "tap 000000003": ("TAP", 3),
    "exposed dealer": ("EXPOSED", 0), "exposed 7": ("EXPOSED", 7),
    "miscount board 5": ("MISCOUNT", 8, 5), "miscount 1 0": ("MISCOUNT", 1, 0),
    "miscount 1 52": ("MISCOUNT", 1, 52),
    "miscount 1 more": ("MISCOUNT", 1, 1), "miscount dealer less": ("MISCOUNT", 0, 0),
    "void": ("VOID", 0), "void supervisor": ("VOID", 0), "void stub_wrong": ("VOID", 7),
    "method shoe": ("METHOD", 0), "method hand": ("METHOD", 1), "method auto": ("METHOD", 2),
    "device shoe jam": ("HAPPENED", 0, 0), "device shuffler removed": ("HAPPENED", 1, 1),
    "device shoe attached": ("HAPPENED", 0, 2), "device shoe empty": ("HAPPENED", 0, 3),
    "pair 2 3": ("PAIRED", 2, 3), "pair 6 7 off": ("PAIRED", 134, 7),
    "carry 10000": ("CARRY", b"\x00\x0f\x42\x40"), "recut": ("OVERRIDE", 0),
    "accept": ("OVERRIDE", 1),
}  # fmt: skip
BETS = {
    "bet 1 ante 5": [500, 0, 0, 0, 0],
    "bet 7 ante $5 xtra 5.50": [500, 550, 0, 0, 0],
    "bet 2 bonus_spin 5 player_bonus 0.05": [0, 0, 0, 5, 500],
    "bet 2 ante 1000000": [100000000, 0, 0, 0, 0],
    "bet 2 ante 000000005": [500, 0, 0, 0, 0],
}
WORDS = {"nmb": "lock", "spin": "spin", "nospin": "end_spins"}
WRONG = {
    "": "empty", "   ": "empty", "deal": "unknown deal", "3": "unknown 3",
    "close now": "usage close", "paid": "usage paid", "paid 1 2": "usage paid",
    "paid 8": "number 8", "tap x": "number x", "tap -1": "number -1",
    "bet 1 ante": "usage bet", "bet 1": "usage bet", "bet 1 ante 5 xtra": "usage bet",
    "bet 0 ante 5": "seat 0", "bet 8 ante 5": "seat 8",
    "bet 1 odds 5": "word odds ante xtra dealer_bonus player_bonus bonus_spin",
    "bet 1 ante 5.5": "amount 5.5", "bet 1 ante x": "amount x", "bet 1 ante 5.": None,
    "bet 1 ante 5.505": "amount 5.505", "bet 1 ante 5.x5": "amount 5.x5",
    "bet 1 ante -5": "amount -5", "bet 1 ante ~5": "amount ~5",
    "bet 1 ante 0000000005": "amount_most 0000000005 1000000",
    "bet 1 ante 1000001": "amount_most 1000001 1000000",
    "bet 1 ante 1000000000": "amount_most 1000000000 1000000",
    "coupon 1": "usage coupon", "coupon 1 ante off x": "usage coupon",
    "coupon 1 ante on": "word on off", "clear": "usage clear", "act 1": "usage act",
    "act 1 fold as x": "usage act", "1 fold as": "name_later", "1 fold:as": "name_later",
    "1 9x": "word 9x check fold play1 play2 play3",
    "1 1z": "word 1z check fold play1 play2 play3", "1 x": "word x check fold play1 play2 play3",
    "0 fold": "seat 0", "8 fold": "seat 8",
    "discard 1": "usage discard", "discard 1 xx": "card xx", "card": "usage card",
    "card 1c": "card 1c", "stack 2c zz": "card zz",
    "faceup": "usage faceup", "hand 1": "usage hand", "hand 0 2c": "seat 0",
    "hand shoe 2c": "seat shoe", "skipped 1": "usage skipped", "skipped 1 0": "number 0",
    "skipped 1 8": "number 8", "extra 1": "usage extra", "extra 1 2 3 4": "usage extra",
    "extra 1 8": "number 8", "extra 1 0": "number 0", "extra 1 1 8": "number 8",
    "extra 1 1 0": "number 0", "stub": "usage stub",
    "stub 1 2": "usage stub", "stub 53": "number 53", "stub 40 dealt 3": "word dealt misdealt",
    "stub 40 misdealt 53": "number 53", "exposed": "usage exposed", "exposed board": "seat board",
    "miscount 1": "usage miscount", "miscount 1 53": "number 53",
    "void x": "word x supervisor dealer_exposed face_up miscount jam misdeal stub_misdealt"
    " stub_wrong",
    "method": "usage method", "method x": "word x shoe hand auto", "device shoe": "usage device",
    "device reader jam": "word reader shoe shuffler",
    "device shoe on": "word on jam removed attached empty", "pair 1": "usage pair",
    "pair 1 2 on": "word on off", "pair 1 2 off 3": "usage pair", "pair 0 1": "seat 0",
    "carry": "usage carry", "carry x": "amount x", "open old": "word old new pre again",
    "done": "no_checklist", "tap 1000000000": "number 1000000000",
    "tap 0000000003": "number 0000000003",
}  # fmt: skip


def told(m: Machine, line: str) -> str | None:
    try:
        commands.parse(m, line)
    except CommandError as e:
        return " ".join([e.code, *(str(a) for a in e.about)])
    return None


def test_a_word_that_is_no_decision_is_told_those_of_now() -> None:
    t = premium()
    t.open()
    t.bet(1, 500, 500)
    t.begin(1)
    t.deal()
    assert told(t.m, "1 raise") == "word raise play3 check"
    t.act(1, "check")
    t.deal()
    assert told(t.m, "1 raise") == "word raise play1 play2 fold"


def test_every_word_becomes_its_event() -> None:
    machine = Machine({"game": "premium"})
    for line, event in EVENTS.items():
        assert commands.parse(machine, line) == events.pack(*event), line
    for line, amounts in BETS.items():
        seat = int(line.split()[1])
        assert commands.parse(machine, line) == events.bet(seat, amounts), line
    for line, word in WORDS.items():
        assert commands.parse(machine, line) == word
    typed = {line.split()[0] for line in (*EVENTS, *BETS, *WORDS)} | {"done", "ok"}
    known = {*dict(commands.PLAIN), *dict(commands.SEAT), *commands.VERBS}
    assert known <= typed, "a word without an example here"


def test_what_is_no_command_is_refused_by_its_reason() -> None:
    machine = Machine({"game": "premium"})
    assert {line: told(machine, line) for line in WRONG} == WRONG


def ok(t: Croupier) -> Any:
    """What `ok` becomes now: an event by its name, a word, or why it is not enough."""
    try:
        found = commands.parse(t.m, "ok")
    except CommandError as e:
        return e.code
    except Refused as e:
        return (e.code, *e.about)
    if isinstance(found, str):
        return found
    name, args = events.unpack(found)
    return (name, *args)


def test_ok_answers_what_is_due_and_more_than_a_nod_is_asked_for() -> None:
    t = premium(bonus_spin="flush5_progressive")
    assert ok(t) == "nothing_to_confirm"
    t.do("OPEN", 0)
    assert ok(t) == ("DONE", 1, 52)
    for count in (0, 40, 255):
        assert commands.parse(t.m, f"done {count}") == events.pack("DONE", 1, count)
    assert told(t.m, "done 256") == "number 256"
    t.checklist()
    assert ok(t) == "lock_by_word"
    t.bet(1, 500, 500, 0, 0, 500)
    t.begin(1, s1="2h5h9h", dealer="3c3dTs", board="KdQs8c7d")
    assert ok(t) == "nothing_to_confirm", "a shoe reads the cards"
    t.deal()
    assert ok(t) == "nothing_to_confirm"
    t.act(1, "check")
    t.deal()
    t.act(1, "play1")
    assert ok(t) == ("REVEAL",)
    t.turn()
    assert ok(t) == ("tap_due", 1)
    t.do("TAP", 1)
    assert ok(t) == ("PAID", 1)
    t.turn()
    assert ok(t) == "spin"
    t.do("SPIN", 1, 1)
    assert ok(t) == ("SPUN", 1)
    t.key(1)
    t.do("HANDPAID", 1)
    assert ok(t) == ("SPUN", 1)
    t.turn()
    assert ok(t) == ("END",)


def test_ok_in_the_other_games() -> None:
    t = headsup(dealing="auto", card_reader=False)
    t.begin(1)
    assert ok(t) == ("DEALT",)
    t.do("DEALT")
    t.act(1, "raise3")
    assert ok(t) == ("name_due", 0), "nobody has read the board"
    t = headsup(dealing="auto")
    t.begin(1)
    t.deal()
    t.act(1, "raise3")
    assert ok(t) == ("REVEAL",), "the board is shown"
    t = colorado()
    t.begin(1, s1="AhAd2c", board="3c4d7h")
    t.deal()
    t.act(1, "bet")
    t.turn()
    assert ok(t) == ("discard_due", 1)
    t.key(1)
    t.do("VOID", 0)
    assert ok(t) == ("END",)
    t = winners_pot()
    t.begin(1, 2)
    t.do("SHOE", 0, 1, bytes([10]))
    t.do("SHOE", 0, 3, bytes([11]))
    assert ok(t) == ("GO_ON",)
    t = winners_pot()
    t.begin(1, 2)
    while due(t.m).kind != "pot":
        t.turn()
    assert ok(t) == ("PAID", due(t.m).seat)
    t = headsup(stub_every=1)
    t.begin(1)
    while due(t.m).kind != "stub":
        t.turn()
    assert ok(t) == ("stub_due", 0)


def test_a_raise_by_its_number_in_a_game_that_has_it() -> None:
    m = Machine({"game": "headsup"})
    assert commands.parse(m, "4 2x") == events.pack("ACT", 4, 3, 255)
    assert told(Machine({"game": "three_card"}), "4 2x") == "word 2x fold play"
    assert resolve({"game": "headsup"})[0].ACTIONS[3] == "raise2"


EPOCH = datetime.datetime(2000, 1, 1)
MOMENTS = (
    "2024-01-01 00:00", "2024-02-29 23:59", "2024-03-01 00:00", "2025-02-28 12:30",
    "2025-03-01 01:01", "2026-12-31 23:59", "2027-01-01 00:00", "2028-12-31 06:07",
    "2099-12-31 23:59", "2050-07-09 08:09", "2031-05-06 23:00",
)  # fmt: skip
NO_MOMENTS = (
    "2023-12-31 00:00", "2100-01-01 00:00", "2024-00-01 00:00", "2024-13-01 00:00",
    "2024-01-00 00:00", "2024-01-32 00:00", "2024-01-01 24:00", "2024-01-01 00:60",
    "2024-01-01", "2024-01-01 00:00:00", "2024-01-xx 00:00", "20240-01-01 00:00",
    "02024-01-01 00:00", "",
)  # fmt: skip


def test_a_moment_is_the_calendar_s_and_is_shown_as_it_was_typed() -> None:
    for text in MOMENTS:
        moment = datetime.datetime.strptime(text, "%Y-%m-%d %H:%M")
        seconds = int((moment - EPOCH).total_seconds())
        assert commands.moment(text) == seconds
        assert [pages.moment(seconds + s) for s in (0, 42)] == [f"{text}:00", f"{text}:42"]


def test_what_is_no_moment() -> None:
    for text in NO_MOMENTS:
        with pytest.raises(CommandError) as e:
            commands.moment(text)
        assert (e.value.code, e.value.about) == ("moment", (text,))
