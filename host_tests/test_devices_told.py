"""What devices say reaches the table through the application: a count, a gap, a silence."""

from __future__ import annotations

from felt.round.due import due

from host_tests.helpers.desk import Desk
from tools.prove.player import TABLES

HEADSUP = {"game": "headsup", "dealing": "shoe", "shuffler": "counting"}


def betting(settings: dict, *wagers: str) -> Desk:
    desk = Desk(settings)
    desk.open()
    desk.cover(1, *wagers)
    desk.say("bet 1 " + " ".join(f"{wager} 5" for wager in wagers))
    desk.told()
    return desk


def test_a_count_that_comes_in_a_round_is_not_dropped() -> None:
    desk = betting(HEADSUP, "ante", "odds")
    desk.say("nmb")
    assert desk.shoe._say("shuffled", 51, 0)
    desk.run(200)
    assert any("51" in text for text in desk.told())
    desk.keys[0].on = True
    desk.run(100)
    desk.say("void")
    desk.say("ok")
    assert desk.machine.why == "deck_removed"


def test_a_gap_in_the_shoe_s_count_is_not_dropped() -> None:
    desk = betting(HEADSUP, "ante", "odds")
    desk.say("nmb")
    desk.shoe.out += 1
    desk.shoe.draw()
    desk.run(200)
    assert desk.machine.r.stopped and "STOP" in desk.terminal.rows[1]


def before_the_second_deck() -> Desk:
    """A table with two decks whose first round was voided: the other deck is to be shuffled."""
    desk = Desk(dict(HEADSUP, second_deck=True))
    desk.open()
    desk.cover(1, "ante", "odds")
    desk.say("bet 1 ante 5 odds 5")
    desk.say("nmb")
    desk.keys[0].on = True
    desk.run(100)
    desk.say("void")
    desk.say("ok")
    return desk


def test_the_shuffler_s_deck_is_compared() -> None:
    desk = before_the_second_deck()
    desk.told()
    assert desk.machine.deck == 1
    desk.shoe._say("shuffled", 52, 1)
    desk.run(200)
    assert any("Deck 2 is due" in text for text in desk.told())
    assert desk.machine.phase_name() == "check"
    desk.shoe._say("shuffled", 52, 2)
    desk.run(200)
    assert desk.machine.phase_name() == "bet"


def test_each_deck_of_an_opening_is_shuffled_under_its_own_number() -> None:
    desk = Desk(dict(HEADSUP, second_deck=True))
    desk.run(400)
    desk.keys[0].on = True
    while not desk.machine.keys:
        desk.run(50)
    desk.say("open new")
    for deck in (1, 2):
        for _ in range(5):  # inspect, verify, spread, view, wash
            desk.say("ok")
        assert due(desk.machine).choices == ("shuffle",)
        assert f"deck {deck}" in " ".join(desk.terminal.rows)
        desk.told()
        desk.shoe._say("shuffled", 52, deck)
        desk.run(200)
        assert not any("is due" in text for text in desk.told())
    assert desk.machine.phase_name() == "bet"


def test_the_checklist_says_how_cards_are_spread_washed_and_cut() -> None:
    desk = Desk(dict(HEADSUP, shuffler="none"))
    desk.run(400)
    desk.keys[0].on = True
    while not desk.machine.keys:
        desk.run(50)
    desk.say("open new")
    said = {}
    while desk.machine.phase_name() == "check":
        said[due(desk.machine).choices[0]] = desk.terminal.rows[1]
        desk.say("ok")
    assert "face up by suit in sequence. NEXT" in said["spread"]
    assert "Turn down, wash, stack" in said["wash"]
    assert "at least 10" in said["cut"]


def test_a_shuffle_that_the_device_reports_needs_nobody_to_confirm_it() -> None:
    for shuffler in ("plain", "counting"):
        desk = betting(dict(HEADSUP, shuffler=shuffler), "ante", "odds")
        desk.say("nmb")
        desk.keys[0].on = True
        desk.run(100)
        desk.say("void")
        desk.say("ok")
        assert due(desk.machine).choices == ("shuffle",)
        desk.shoe.end_shuffle(bytes(range(52)))  # it went straight into the shoe
        desk.run(200)
        assert due(desk.machine).kind == "bet"


def test_an_automated_shoe_is_asked_for_nothing_before_no_more_bets() -> None:
    desk = betting({"game": "colorado", "version": "required", "dealing": "auto"}, "ante")
    desk.run(3000)
    assert desk.shoe.out == 0
    desk.say("nmb")
    desk.run(200)
    assert desk.shoe.out >= 3 and len(desk.machine.r.cards[1]) == 3


def test_a_wrong_count_of_the_other_deck_is_not_dropped() -> None:
    desk = before_the_second_deck()
    assert desk.machine.deck == 1
    desk.shoe._say("shuffled", 51, 1)
    desk.run(200)
    assert desk.machine.why == "deck_removed"
    assert any("Deck 1 must leave" in text for text in desk.told())


def test_the_story_of_a_deck_can_be_read() -> None:
    desk = betting(HEADSUP, "ante", "odds")
    desk.say("decks")
    text = " ".join(desk.terminal.rows)
    assert "Deck 1: seen whole before round 1" in text and "machine: " in text


def test_no_spin_is_sold_without_a_random_source() -> None:
    desk = betting(TABLES[0], "ante", "xtra", "bonus_spin")
    desk.table.generator._source.fault = "entropy_stuck"
    desk.say("nmb")
    assert desk.machine.phase_name() == "bet"
    assert any("random source is stuck" in text for text in desk.told())


def test_a_missing_shoe_is_named_at_once() -> None:
    desk = Desk(HEADSUP)
    desk.wires[1].cut = True
    desk.run(5000)
    assert any(text.startswith("No shoe on its line") for text in desk.told())


def test_spins_are_given_up_only_while_they_cannot_be_drawn() -> None:
    desk = betting(TABLES[0], "ante", "xtra", "bonus_spin")
    desk.say("nospin")
    assert desk.told() == ["The random source works: spin."]
