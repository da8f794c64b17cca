"""What the touch terminal shows of a table, part by part, in pictures a person can read.

A tile's line begins with a letter for its colour: w wager, d proposed, ! asked for, c cards, s a
word, p pay, t take, u push; before them * for the chosen seat and > for the one that is due. A
button is its style (g NEXT is ready, p plain, r asks again, o on), its key, value and label.
The pictures are in data/glass.txt.
"""

from __future__ import annotations

import textwrap
from typing import Any

from felt.dealer import parts, screen, touch
from felt.dealer.commands import PLACES
from felt.dealer.desk import Desk
from felt.dealer.screen import View
from felt.link import terminal as t
from felt.round.due import due
from felt.texts import Texts

from host_tests.logic.croupier import Croupier, colorado, headsup, premium, winners_pot
from tools.games import LANGUAGE
from tools.paths import ROOT

TEXTS = Texts(str(LANGUAGE))
NAMES = {t.FELT: "felt", t.ENTRY: "entry", t.MONEY: "money", t.SEAT: "instead of the felt"}
ALWAYS = "pU0 UNDO / pF0 FLOOR"
KEPT = (ROOT / "host_tests" / "data" / "glass.txt").read_text().split("== ")[1:]
PICTURES = {name: told.strip() for name, _, told in (each.partition("\n") for each in KEPT)}


class Glass:
    """A table, its desk, and the pictures seen so far."""

    def __init__(self, table: Croupier) -> None:
        self.table = table
        self.desk = Desk()
        self.seen: list[str] = []

    def look(self, title: str, page: bool = False, **view: Any) -> None:
        """Keep felt, entry, money, tiles with something on them, and buttons."""
        found = parts.parts(View(self.table.m, self.desk, TEXTS, every=True, **view), page)
        lines = []
        for part in sorted(found):
            if part in NAMES and found[part]:
                lines.append(f"{NAMES[part]}: {found[part]}")
            elif t.SEAT < part < t.BUTTON and found[part] != "s ":
                lines.append(f"{part - t.SEAT}: {found[part]}")
        buttons = " / ".join(found[part] for part in sorted(found) if part >= t.BUTTON)
        lines.append(buttons.removesuffix(" / " + ALWAYS))
        self.seen.append("# " + title)
        for line in lines:
            self.seen += textwrap.wrap(line.replace("\n", " | "), 95, subsequent_indent="   ")

    def tiles(self) -> list[str]:
        """The lines of every seat."""
        found = parts.parts(View(self.table.m, self.desk, TEXTS, every=True), False)
        return "\n".join(found[part] for part in range(t.SEAT + 1, t.SEAT + 7)).split("\n")

    def until(self, *kinds: str) -> None:
        while due(self.table.m).kind not in kinds:
            self.table.turn()

    def chips(self, *spots: int) -> None:
        self.table.do("SENSORS", bytes([*spots, 0, 0, 0, 0, 0, 0, 0])[:7])

    @property
    def told(self) -> str:
        return "\n".join(self.seen)


def test_an_evening_of_heads_up_from_the_closed_table_to_the_first_bets() -> None:
    g = Glass(headsup(sensors=True))
    table, desk = g.table, g.desk
    g.look("a closed table")
    table.do("OPEN", 0)
    g.look("the checklist")
    table.key(1)
    while due(table.m).choices != ("shuffle",):
        table.turn()
    desk.typed = "4"
    g.look("a step that takes a number")
    desk.typed = ""
    while due(table.m).choices != ("cut",):
        table.turn()
    g.look("another one")
    table.checklist()
    g.look("no bets yet")
    g.chips(0, 3, 7)
    g.look("chips nobody knows the worth of")
    desk.seat, desk.spot = 2, 2
    g.look("seat 2 is chosen, and its trips plus")
    desk.say(2, 0, 500)
    desk.seat, desk.spot, desk.typed = 3, 0, "7"
    desk.say(3, 0, 700)
    g.look("seat 3 is chosen, and its ante")
    desk.say(3, 2, 100)
    table.bet(2, 500, 500)
    desk.seat = 0
    g.look("seat 2 is booked, seat 3 is not")
    desk.floor = True
    g.look("the floorperson's menu", page=True)
    desk.asks = "clear SEAT"
    g.look("an entry of it waits for a seat")
    desk.floor = False
    g.look("a fault", fault="journal")
    assert g.told == PICTURES["bets of heads up"]


def test_a_round_of_heads_up() -> None:
    g = Glass(headsup(sensors=True))
    table, desk = g.table, g.desk
    table.open()
    g.chips(0, 3, 7)
    table.bet(2, 500, 500)
    table.bet(3, 700, 700, 100)
    table.begin(2, 3, s2="AhAd", s3="2c7d", dealer="KcKd", board="2h3d4h8s9s")
    g.look("locked")
    table.deal()
    desk.seat = 3
    g.look("seat 3 is chosen")
    g.chips(0, 3, 0x17)
    desk.seat = 2
    desk.note("chosen", 2, "raise2")
    g.look("the dealer said what seat 2 does")
    g.chips(0, 0x13, 0x17)
    table.act(2, "raise2")
    g.look("seat 2 has decided")
    desk.floor, desk.asks = True, "exposed SEAT"
    g.look("the floorperson's menu in a round")
    desk.floor, desk.asks, desk.seat = False, "", 0
    table.act(3, "raise1")
    g.until("settle")
    g.look("what seat 3 lost lies there still")
    g.chips(0, 0x13, 0)
    g.look("it was taken up")
    table.turn()
    g.look("seat 2 is settled")
    g.until("collect")
    g.look("the end")
    table.end()
    table.checklist()
    table.do("IDLE")
    g.look("no player")
    assert g.told == PICTURES["a round of heads up"]


def test_a_tile_says_which_chips_do_not_lie_as_they_were_locked() -> None:
    """The alarm was gone after six seconds, and a raise that was not there was paid."""
    g = Glass(headsup(sensors=True))
    g.chips(3, 3)
    g.table.begin(1, 2)
    g.table.deal()
    g.chips(19, 3)
    g.table.act(1, "raise3")
    g.chips(3, 7)
    assert [line for line in g.tiles() if "!" in line] == ["!Raise gone", "!Trips late"]
    g.chips(19, 3)
    assert not [line for line in g.tiles() if line.startswith("!") and line != "!?"]
    g.chips(19, 3, 0, 1)
    assert "!Ante late" in g.tiles(), "also where nobody plays"
    assert screen.seat_rows(View(g.table.m, g.desk, TEXTS, every=True), 4) == ["4 !"]


def test_chips_that_lay_on_the_raise_spot_too_early_are_the_raise_once_it_may_come() -> None:
    """The tile said to the end of the round that they came late, and never what they were."""
    g = Glass(headsup(sensors=True))
    g.chips(3, 3)
    g.table.begin(1, 2)
    g.chips(19, 3)
    assert "!Raise late" in g.tiles()
    g.table.deal()
    assert "!Raise late" not in g.tiles()
    g.table.act(1, "raise3")
    assert "wRaise +$15" in g.tiles()
    g.chips(3, 3)
    assert "!Raise gone" in g.tiles()


def test_a_round_of_premium_with_a_spin() -> None:
    g = Glass(premium(bonus_spin="flush5_progressive"))
    table, desk = g.table, g.desk
    table.open()
    table.bet(1, 500, 500, 100, 100, 500)
    table.bet(2, 500, 500, 0, 0, 500)
    table.bet(3, 500, 500)
    hands = {"s1": "2h5h9h", "s2": "3s4s7s", "s3": "AhAdAc", "dealer": "3c3dTs"}
    table.begin(1, 2, 3, **hands, board="KdQs8c7d")
    g.look("locked")
    table.deal()
    g.look("nothing sees what they decide")
    table.all_act("check")
    table.deal()
    table.act(1, "play1")
    table.act(2, "fold")
    g.look("seat 2 folds")
    table.act(3, "play2")
    table.turn()
    g.look("a flush")
    table.do("TAP", 1)
    g.look("tapped")
    table.turn()
    g.look("another flush")
    g.until("spin")
    g.look("spins")
    table.do("SPIN", 1, 3)
    g.look("the wheel turns", turning=True)
    g.look("it stands")
    table.turn()
    desk.floor = True
    g.look("the floorperson's menu")
    assert g.told == PICTURES["a round of premium"]


def test_while_the_wheel_turns_nothing_is_settled_and_nothing_offered() -> None:
    g = Glass(premium(bonus_spin="flush5_progressive"))
    g.table.begin(1, 2, s1="AhAd9c", s2="3s4s7c", dealer="3c3dTs", board="KdQs8c7d")
    g.table.deal()
    g.desk.seat = 2
    g.look("a choice")
    g.look("none while it turns", turning=True)
    g.look("none in a fault", fault="journal")
    g.table.all_act("check")
    g.table.deal()
    g.table.all_act("play1")
    g.table.turn()
    g.look("chips to move")
    g.look("not while it turns", turning=True)
    assert g.told == PICTURES["a turning wheel"]


def test_a_round_of_colorado_with_discards() -> None:
    g = Glass(colorado())
    g.table.begin(1, 2, 3, s1="AhAd2c", s2="KhKd3d", s3="QhQd9d", board="4c5d7h")
    g.table.deal()
    g.desk.seat = 1
    g.look("decisions")
    g.desk.seat = 0
    g.table.act(1, "bet")
    g.table.act(2, "bet")
    g.table.act(3, "fold")
    g.table.turn()
    g.look("seat 2 is turned")
    g.table.do("DISCARD", 2, 5)
    g.look("its discard was touched")
    g.table.turn()
    g.look("it is settled")
    assert g.told == PICTURES["a round of colorado"]


def test_a_round_of_winners_pot() -> None:
    g = Glass(winners_pot(sensors=True))
    table = g.table
    table.open()
    g.chips(3, 1, 1)
    table.bet(1, 500, 100)
    hands = {"s1": "AhAdKc9d8h", "s2": "2c4d7sJhQs", "s3": "3c5d6h9sTc", "dealer": "8c8d2h5sTd"}
    table.begin(1, 2, 3, **hands)
    table.deal()
    g.chips(7, 1, 5)
    g.look("chips on two bet spots")
    table.act(1, "bet")
    table.act(2, "fold")
    table.act(3, "bet")
    g.look("seat 2 folds")
    g.chips(7, 0, 5)
    table.deal()
    g.chips(15, 0, 13)
    table.all_act("double")
    table.deal()
    g.look("before the dealer's hand")
    g.until("settle")
    g.look("jacks plus")
    g.until("pot")
    g.look("the pot")
    g.until("collect")
    g.look("the end")
    assert g.told == PICTURES["a round of winner's pot"]


def test_a_folded_hand_lies_open_while_its_bonus_is_paid() -> None:
    """The dealer compares the hand with the screen, which said only that it had folded."""
    g = Glass(winners_pot())
    g.table.open()
    g.table.bet(1, 500)
    g.table.bet(2, 500, 100)
    g.table.begin(1, 2, s1="2c4d7s", s2="AhAdKc", dealer="8c8d2h")
    g.table.deal()
    g.table.act(1, "bet")
    g.table.act(2, "fold")
    assert not [line for line in g.tiles() if line == "c## ## Kc"], "its cards were taken"
    g.until("settle")
    assert g.tiles()[3:6] == [">cAh Ad Kc", "sfolded", "pPAY Jacks $1"]
    g.until("pot")
    assert not [line for line in g.tiles() if line.endswith("cAh Ad Kc")]


def test_void_and_dead_hands() -> None:
    g = Glass(Croupier("three_card"))
    g.table.open()
    for seat in range(1, 8):
        g.table.bet(seat, 500, 100)
    g.table.begin()
    g.table.deal()
    g.table.act(1, "play")
    g.table.act(2, "fold")
    g.table.key(1)
    g.look("a full table")
    g.table.do("VOID", 0)
    g.look("the round is void")
    g.table, g.desk = winners_pot(), Desk()
    g.table.begin(1, 2, 3)
    g.table.deal()
    g.table.key(1)
    g.table.do("MISCOUNT", 2, 4)
    g.look("a hand is void")
    g.table = winners_pot()
    g.table.begin(1, 2, 3)
    g.table.deal(8)
    g.table.key(1)
    g.table.do("EXPOSED", 2)
    g.table.do("EXPOSED", 2)
    g.look("a hand is dead")
    assert g.told == PICTURES["void and dead hands"]


def test_stakes_that_went_back_stand_on_the_tile_no_more() -> None:
    """A dead hand's ante stood there to the end of the round, as if it were in the pot."""
    g = Glass(winners_pot(sensors=True))
    g.table.open()
    g.chips(1, 3, 1)
    g.table.bet(1, 500)
    g.table.bet(2, 500, 100)
    g.table.bet(3, 500)
    g.table.begin(1, 2, 3)
    g.table.deal(8)
    g.table.key(1)
    g.table.do("EXPOSED", 2)
    g.table.do("EXPOSED", 2)
    tile = ["c## ##", "wAnte $5", "wJacks $1", "sdead"]
    assert "\n".join(tile) in "\n".join(g.tiles()), "its chips lie there"
    g.chips(1, 2, 1)
    tile.remove("wAnte $5")
    assert "\n".join(tile) in "\n".join(g.tiles())
    g.chips(1, 0, 1)
    assert "!Jacks gone" in g.tiles(), "that one is still to be settled"


def test_a_win_and_a_loss_of_one_cent() -> None:
    g = Glass(Croupier("three_card", chip_unit=1, limits={"ante": [1, 100]}))
    g.table.open()
    for seat in (1, 2):
        g.table.bet(seat, 1)
    g.table.begin(s1="AhKd3c", s2="4h5s7d", dealer="QhTd2d")
    g.table.deal()
    g.table.all_act("play")
    g.table.turn()
    g.look("one cent")
    assert g.told == PICTURES["one cent"]


def test_a_stub_is_counted_and_typed() -> None:
    g = Glass(headsup(stub_every=1))
    g.table.begin(1, 2)
    g.until("stub")
    g.desk.typed = "40"
    g.look("forty cards are left")
    g.desk.floor = True
    assert t.ENTRY not in parts.parts(View(g.table.m, g.desk, TEXTS, every=True), False)
    assert g.told == PICTURES["a stub"]


def test_every_part_has_its_own_words() -> None:
    table = winners_pot()
    table.begin(1, 2, dealer="8c8d2h")
    table.deal()
    found = parts.parts(View(table.m, Desk(), TEXTS, every=True), False)
    assert [found[part] for part in (t.TITLE, t.PROMPT, t.BOOKS, t.FELT, t.MONEY, t.FOOT)] == [
        "WINNER'S POT POKER   round 1",
        "Seat 1: BET FOLDS",
        "Seat 1: what does it decide?",
        "DEALER ## ## 2h",
        "",
        "button dealer",
    ]
    assert t.SEAT not in found and t.ENTRY not in found
    found = parts.parts(View(table.m, Desk(), TEXTS, every=True, fault="journal"), True)
    assert found[t.PROMPT] == "FAULT: journal not writable"
    assert found[t.BOOKS] == "Nothing is accepted. Call service." and found[t.SEAT] == "page"
    assert parts.broken(["a", "b", "c"], True) == {t.PROMPT: "a", t.BOOKS: "b", t.SEAT: "page"}
    assert parts.broken(["a", "b"], False) == {t.PROMPT: "a", t.BOOKS: "b", t.SEAT: ""}
    closed = parts.parts(View(headsup().m, Desk(), TEXTS, every=True), False)
    assert [part - t.BUTTON for part in sorted(closed) if part >= t.BUTTON] == [0, 1, 2, 3, 4]
    verbs = [line.split()[0] for line in touch.FLOOR]
    for never in (touch.IN_ROUND, touch.BETWEEN):
        most = sum(verb not in never for verb in verbs) + len(PLACES)
        assert parts.FIRST_CHOICE + most <= t.PARTS, "the whole menu has a place"
