"""A kept round told again: as it was played, under its own settings, whatever happened in it.

A dispute is settled by these lines, so each kind of report and payment stands here in words.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from felt.cards import UNKNOWN
from felt.dealer import recall
from felt.dealer.words import card_text
from felt.games.bonus_spin import TOP
from felt.round import events, shoe
from felt.round.due import due
from felt.store import config
from felt.store.area import RamMemory, VaultError
from felt.store.journal import Finding
from felt.store.kept import Kept
from felt.store.vault import Vault
from felt.table import Table

from host_tests.logic.croupier import Croupier, colorado, headsup, premium
from host_tests.test_told_words import TEXTS, recalled
from tools.games import GAMES
from tools.pit.fold import Fold

REPORTS = (
    (("FACEUP", 30), "9h found face up"),
    (("EXPOSED", 0), "dealer: card exposed"),
    (("MISCOUNT", 3, 4), "cards counted at seat 3: 4"),
    (("MISDEALT", 8, 2, 1), "board dealt wrong in lap 2"),
    (("STUB", 33, 0), "stub of 33 counted"),
    (("DEVICE", 0, 1), "shoe taken off"),
    (("DEVICE", 1, 2), "shuffler attached"),
    (("HAPPENED", 1, 3), "shuffler empty"),
    (("HAPPENED", 0, 0), "shoe jammed"),
    (("NO_BURN",), "burn missed"),
    (("TAP", 7), "seat 7 tapped"),
    (("GO_ON",), "the deal goes on"),
    (("SAID",), "the shoe tells a card that was typed"),
    (("DEALT",), "cards lie there unread"),
    (("NAMED", 8, bytes([51, 255, 0])), "board = As ?? 2c"),
    (("DISCARD", 2, 5), "seat 2: discard 3d"),
    (("SPIN", 3, 12), "seat 3 spins: position 12"),
)
COLORADO = """
seat 2 bets Ante $5, Bonus $1
seat 1 bets Ante $5
seat 3 bets Ante $5
seat 1 Ah
seat 2 Kh
seat 3 8c
board Jc
seat 1 Ad
seat 2 Ks
seat 3 8d
board 5d
seat 1 2c
seat 2 3d
seat 3 8h
board 7h
seat 1: Bet 2c
seat 2: Bet
seat 3: Instant winner
PAY seat 3 Ante $25: instant winner, 5 to 1, Colorado 12(b)
drawn in error: 9c
seat 2: discard 3d
PAY seat 2 Ante $5: pair, 1 to 1, Colorado 12(b)
PAY seat 2 Bet $5: pair, 1 to 1, Colorado 12(b)
PUSH seat 2 Bonus $1: pair, Colorado 12(d)
PAY seat 1 Ante $5: pair, 1 to 1, Colorado 12(b)
PAY seat 1 Bet $5: pair, 1 to 1, Colorado 12(b)
"""
STACKS = """
seat 1 bets Ante $5, Pair Plus $5
seat 2 bets Ante $5
seat 1 Ah
seat 1 Ad
seat 1 2c
seat 2 2d
seat 2 7c
seat 2 9h
dealer Kc
dealer Jd
dealer 4d
seat 1: Play
seat 2: Play
PAY seat 1 Ante $5: beats the dealer, 1 to 1, 19:47-20 T6
PAY seat 1 Play $5: beats the dealer, 1 to 1, 19:47-20 T6
PAY seat 1 Pair Plus $5: pair, 1 to 1, 19:47-20 T8
TAKE seat 2 Ante $5: does not win, 19:47-20 T6
TAKE seat 2 Play $5: does not win, 19:47-20 T6
"""
TAKEN_BACK = """
seat 1 tapped
taken back: tap of seat 1
seat 1 tapped
seat 1 spins: position 3
PAY seat 1 Bonus Spin $100: wheel prize, 13:69F-X.11(e)
PAY seat 2 Bonus Spin $50: community pay, 13:69F-X.11(e)
"""


def test_every_report_in_words() -> None:
    for (name, *args), text in REPORTS:
        event = events.pack(name, *args)
        assert recall._event(None, name, event, (), TEXTS) == [text]
    reported = {name for (name, *_), _ in REPORTS}
    assert {name for name, _ in recall.REPORTS} <= reported
    assert set("".join(forms for _, forms in recall.REPORTS)) == set("cpdhn"), (
        "letters that have a word"
    )
    assert [card_text(c) for c in (0, 51, 52, UNKNOWN)] == ["2c", "As", "??", "??"]


def colorado_round(t: Croupier) -> None:
    t.open()
    t.bet(2, 500, 100)
    t.begin(1, 2, 3, s1="AhAd2c", s2="KhKs3d", s3="8c8d8h", board="Jc5d7h")
    t.deal()
    t.act(1, "bet", "2c")
    t.act(2, "bet")
    t.act(3, "instant")
    t.turn()
    t.do("SHOE", 0, 13, bytes([28]))
    t.turn()
    t.do("DISCARD", 2, 5)
    t.settle()
    t.end()


def stacks_round(t: Croupier) -> None:
    """A shoe that delivers stacks: one is entered, one comes by its line."""
    t.open()
    t.bet(1, 500, 500)
    t.begin(1, 2, s1="AhAd2c", s2="2d7c9h", dealer="KcJd4d")
    t.turn()
    t.do("SHOE", 1, 6, bytes([t.card(2) for _ in range(3)]))
    t.deal()
    t.all_act("play")
    t.settle()
    t.end()


def taken_back(t: Croupier, spots: list[int], *again: str) -> None:
    """Seat 1 is tapped and paid, chips are moved, and the dealer takes the last entry back."""
    t.open()
    t.do("SENSORS", bytes([19, 19, 0, 0, 0, 0, 0]))
    t.bet(1, 500, 500, 0, 0, 500)
    t.bet(2, 500, 500, 0, 0, 500)
    t.begin(1, 2, s1="2h5h9h", s2="3s4d7c", dealer="3c3dTs", board="KdQs8c7d")
    t.deal()
    t.all_act("check")
    t.deal()
    t.all_act("play1")
    t.turn()
    t.do("TAP", 1)
    t.do("PAID", 1)
    t.do("SENSORS", bytes([*spots, 0, 0, 0, 0, 0]))
    t.do("TAKE_BACK")
    for entry in again:
        t.do(entry.split()[0], int(entry[-1]))
    t.do("SPIN", 1, 3)
    t.turn()
    t.end()


def test_rounds_as_they_were_played() -> None:
    assert recalled(colorado(), colorado_round) == COLORADO.strip().split("\n")
    stacks = Croupier("three_card", dealing="auto")
    assert recalled(stacks, stacks_round) == STACKS.strip().split("\n")


def spins(spots: list[int], *again: str) -> list[str]:
    wheel = premium(bonus_spin="flush5_progressive", sensors=True)
    told = recalled(wheel, lambda t: taken_back(t, spots, *again))
    about = ("tapped", "taken back", "spins", "prize", "community")
    return [text for text in told if any([word in text for word in about])]


def test_chips_moved_since_decide_what_was_taken_back() -> None:
    tapped_twice = TAKEN_BACK.strip().split("\n")
    assert spins([19, 50], "PAID 2", "TAP 1") == tapped_twice, "seat 2's chips: the payment stands"
    tapped_once = [tapped_twice[0], "taken back: seat 1 settled", *tapped_twice[3:]]
    assert spins([50, 19], "PAID 1", "PAID 2") == tapped_once, "the payment was taken back"


class Hesitant(Croupier):
    """A croupier who takes back whatever can be taken back, and enters it again."""

    def __init__(self, game: str, **settings: Any) -> None:
        super().__init__(game, **settings)
        self.hesitates = True

    def done(self, event: bytes) -> list:
        super().done(event)
        if self.hesitates and self.m.undo and self.m.undo[-1] == event:
            self.feed(events.pack("TAKE_BACK"))
            super().done(event)
        return self.effects


def whole_round(t: Croupier) -> None:
    """Seat 1 stays in, seat 2 folds as soon as it may, the dealer reveals and pays."""
    t.open()
    for seat in (1, 2):
        t.bet(seat, *[500] * t.m.game.MANDATORY)
    t.begin(1, 2)
    while due(t.m).kind != "collect":
        now = due(t.m)
        if now.kind == "decide":
            rests = [word for word in ("fold", "check") if word in now.choices]
            t.act(now.seat, rests[0] if now.seat == 2 else now.choices[0])
        else:
            t.turn()
    t.end()


@pytest.mark.parametrize("game", GAMES)
def test_lines_that_were_taken_back_are_cancelled_and_the_others_add_up(game: str) -> None:
    settings = {"version": "required"} if game == "colorado" else {}
    t = Hesitant(game, **settings)
    told = recalled(t, whole_round)
    calm = Hesitant(game, **settings)
    calm.hesitates = False
    marks = ("CANCELLED: ", "taken back: ")
    assert [text for text in told if not text.startswith(marks)] == recalled(calm, whole_round)
    backs = [text for text in told if text.startswith("taken back: ")]
    assert "taken back: bets of seat 1" in backs and "taken back: decision of seat 2" in backs
    cancelled = [text[11:] for text in told if text.startswith("CANCELLED: ")]
    moved = [text for text in cancelled if text.startswith(("PAY", "TAKE", "AWARD"))]
    assert "seat 2: Fold" in cancelled and moved


@pytest.mark.parametrize("game", GAMES)
def test_the_pit_adds_up_what_was_not_taken_back(game: str) -> None:
    settings = {"version": "required"} if game == "colorado" else {}

    def payments(hesitates: bool) -> Any:
        t = Hesitant(game, **settings)
        t.hesitates = hesitates
        journal: list[bytes] = []
        feed = t.feed

        def kept(event: bytes) -> Any:
            journal.append(event)
            return feed(event)

        t.feed = kept
        whole_round(t)
        raw = json.dumps(t.m.cfg_source).encode()
        sums = Fold(lambda identity: raw, "these").segment(journal, True)
        assert sums and sums.payments
        return sums.payments

    assert payments(True) == payments(False)


def test_what_the_shoe_said_before_the_lock_is_told_and_does_not_stop_the_story() -> None:
    def early(t: Croupier) -> None:
        t.open()
        t.bet(1, 500, 500)
        t.do("SHOE", 0, 14, bytes([50]))  # a deck that was not shuffled
        t.checklist()
        t.do("SHOE", 0, 1, bytes([51]))
        t.begin(1)
        t.do("SHOE", 0, 2, bytes([49]))

    assert recalled(headsup(), early) == [
        "seat 1 bets Ante $5, Odds $5",
        "drawn in error: Ah",
        "drawn in error: As",
        "dealer Ad",
    ]


def test_a_card_the_shoe_tells_late_or_again_is_dealt_to_nobody() -> None:
    """Whoever reads the round after a cable was out saw six cards dealt to one seat."""

    def unplugged(t: Croupier) -> None:
        t.begin(1, 2)
        t.do("SHOE", 0, 1, bytes([51]))
        t.do("SHOE", 0, 1, bytes([51]))
        t.do("DEALT")
        for position in range(2, 7):
            t.do("SHOE", 0, position, bytes([51 - position]))

    assert recalled(headsup(), unplugged)[2:] == [
        "seat 1 As",
        "cards lie there unread",
        "card 2 is told late: Ad",
        "card 3 is told late: Ac",
        "card 4 is told late: Ks",
        "card 5 is told late: Kh",
        "card 6 is told late: Kd",
    ]


def test_a_card_the_shoe_found_face_up_is_told_to_no_seat() -> None:
    """It was told as one of the seat's cards, which had three then."""

    def face_up(t: Croupier) -> None:
        t.open()
        t.bet(1, 500, 500)
        t.begin(1)
        t.do("SHOE", shoe.UP, 1, bytes([50]))
        t.do("SHOE", shoe.DRAWN, 2, bytes([49]))

    assert recalled(headsup(), face_up)[1:] == ["Ah found face up", "seat 1 Ad"]


def test_a_key_and_an_override_from_before_the_lock_hold() -> None:
    def overruled(t: Croupier) -> None:
        t.open()
        t.bet(1, 500, 500)
        t.key(1)
        t.do("OVERRIDE", events.ACCEPT_SENSORS)
        t.begin(1, s1="Ad")
        t.deal(1)
        t.do("VOID", 0)

    assert recalled(headsup(sensors=True), overruled)[:3] == [
        "seat 1 bets Ante $5, Odds $5",
        "seat 1 Ad",
        "VOID: by the supervisor",
    ]


def test_wagers_taken_away_and_entries_that_do_not_fit() -> None:
    t = headsup()
    journal = [events.bet(1, [500, 500, 0, 0]), events.bet(1, [0, 0, 0, 0])]
    journal += [events.pack("LOCK", b""), events.pack("REVEAL")]
    assert list(recall.lines(journal, t.m.cfg_source, TEXTS, ())) == [
        "seat 1 bets Ante $5, Odds $5",
        "seat 1 bets -",
        "LOCK: Waiting for bets. Players at least: 1.",
        "REVEAL: No cards are due to be turned.",
    ]


class Played(Croupier):
    """A table with critical memory, played by a croupier; the lock says under what."""

    def __init__(self, identity: bytes, game: str, **settings: Any) -> None:
        super().__init__(game, **settings)
        self.table = Table(self.m.cfg_source, Vault(RamMemory()), identity=identity)
        self.table.start(0, 3)
        self.table.clear(0)
        if identity:
            self.table.submit(events.pack("CONFIG", identity[8:16]))
        self.m, self.feed = self.table.machine, self.table.submit

    def do(self, name: str, *args: Any) -> list:
        if name == "LOCK":
            self.effects = self.table.lock()
            return self.effects
        return super().do(name, *args)

    def round(self, **hands: str) -> None:
        """Two seats play to the end; seat 1's decisions are its first choices."""
        if self.m.between:
            self.begin(1, 2, **hands)
        while due(self.m).kind != "collect":
            self.turn()
        self.end()

    def told(self, back: int = 0) -> list[str]:
        return list(recall.told(self.table, list(self.table.rounds())[back], TEXTS))


def test_a_round_begins_where_the_one_before_it_left_the_button() -> None:
    t = Played(b"", "winners_pot")
    for _ in range(2):
        t.round()
        t.checklist()
    for back, cards in ((1, ["seat 1 2c", "seat 2 3s"]), (0, ["seat 2 2c", "seat 1 5h"])):
        assert [text for text in t.told(back) if text.startswith("seat")][2:4] == cards
    assert t.told()[-3:] == [
        "AWARD seat 1 Pot $36: beats the dealer, 19:47-33.10(h)",
        "AWARD dealer Pot $0: house, 19:47-33.10(h)",
        "COMMISSION $4",
    ]


@pytest.mark.parametrize("identity", [b"", bytes(range(24))])
def test_a_jackpot_is_told_as_it_was_paid(identity: bytes) -> None:
    t = Played(identity, "premium", bonus_spin="flush5_progressive")
    t.open()
    for position in (2, TOP):
        t.spins = [position]
        t.bet(1, 500, 500, 0, 0, 500)
        t.round(s1="2h5h9h", s2="3s4d7c", dealer="3c3dTs", board="KdQs8c7d")
        t.checklist()
    prize = "PAY seat 1 Bonus Spin $10,000.70: wheel prize, 13:69F-X.11(e)"
    assert t.told()[-2:] == ["seat 1 spins: position 1", prize]
    assert recall.last_bets(t.table)[1:3] == [[500, 500, 0, 0, 500], [500, 500, 0, 0, 0]]


def under(t: Played, build: bytes, settings: bytes) -> list[str]:
    """The last round as a table tells it whose firmware and configuration are these."""
    t.table.identity = build + settings + bytes(8)
    return t.told()


def test_a_round_is_told_under_the_settings_it_was_played_under(tmp_path: Path) -> None:
    raw = b'{"game": "headsup", "sensors": false}'
    build, settings = b"build..1", config.identity(raw)[:8]
    t = Played(build + settings + b"weights.", "headsup")
    t.open()
    t.round()
    story = t.told()
    assert story[:2] == [f"seat {seat} bets Ante $5, Odds $5" for seat in (1, 2)]
    assert len(story) > 20 and recall.last_bets(t.table)[2] == [500, 500, 0, 0]
    other = "Played under another build: " + build.hex()
    assert under(t, b"build..2", settings) == [other, *story]
    unkept = f"Cannot be told: its settings {settings.hex()} are not kept here."
    assert under(t, build, b"settings") == [unkept]
    assert recall.last_bets(t.table) is None, "other settings: other wagers"
    t.table.kept = Kept(str(tmp_path))
    t.table.kept.put(raw)
    t.table.machine.cfg_source = {"game": "premium"}
    assert under(t, build, b"settings") == story
    t.table.identity = b""
    t.table.machine.cfg_source = {"game": "headsup", "sensors": False}
    assert t.told() == story and recall.last_bets(t.table)[1] == [500, 500, 0, 0]


def test_the_last_bets_are_those_that_were_locked() -> None:
    t = Played(b"", "headsup")
    t.open()
    assert recall.last_bets(t.table) is None
    t.bet(1, 500, 500)
    t.bet(1, 1000, 1000)
    for word in ("TAKE_BACK", "UNDO"):  # UNDO: as older tables wrote it
        t.bet(3, 700, 700)
        t.do(word)
    t.do("COUPON", 1, 0, 1)
    t.begin(1, 2)
    t.deal()
    t.act(1, "check")
    t.do("TAKE_BACK")
    t.round()
    assert recall.last_bets(t.table) == [None, [1000, 1000, 0, 0], [500, 500, 0, 0], *[None] * 5]


class Stored:
    """A kept round that cannot be read, or has no lock."""

    finding = ""

    def __init__(self, error: Exception | None = None) -> None:
        self._error = error

    def events(self) -> list[bytes]:
        return []

    def check(self) -> None:
        if self._error:
            raise self._error


def test_a_stored_round_that_is_damaged_or_missing_is_told_as_that() -> None:
    t = Played(b"", "headsup")
    damaged = "DAMAGED: this stored round cannot be read"
    for error in (VaultError(1), OSError(5)):
        assert list(recall.told(t.table, Stored(error), TEXTS)) == [damaged]
    assert list(recall.told(t.table, Stored(), TEXTS)) == []
    found = Finding("damaged", "00000012.seg")
    assert list(recall.told(t.table, found, TEXTS)) == [damaged + " 00000012.seg"]
    gap = "MISSING: rounds between these were never stored 13"
    assert list(recall.told(t.table, Finding("gap", 13), TEXTS)) == [gap]
    t.table.rounds = lambda: iter([found])
    assert recall.last_bets(t.table) is None
