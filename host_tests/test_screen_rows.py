"""What the dealer's screen asks and shows, row by row, in rounds that go well and in others."""

from __future__ import annotations

from typing import Any, Callable

from felt.dealer import screen
from felt.dealer.desk import Desk
from felt.games.bonus_spin import TOP
from felt.games.common import Line
from felt.round import events
from felt.round.due import DEALS, due

from host_tests.logic.croupier import Croupier, colorado, headsup, premium, winners_pot
from host_tests.test_told_words import TEXTS

DEAL = " | faceup CARD | miscount | exposed | void"
DECIDE = " | Seat %s: what does it decide? | SEAT ACTION | undo"
SETTLE = " | ok | hand SEAT CARDS | undo"
SPIN = " | spin | ok | handpaid SEAT"
# What each game asks of its dealer: the prompt, what NEXT would book, what can be typed.
ASKED = {
    "premium": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: 3x CHECK" + DECIDE % 1,
        "Seat 2: 3x CHECK" + DECIDE % 2,
        "Next card: board, FACE UP" + DEAL,
        "Seat 1: 1x 2x FOLDS" + DECIDE % 1,
        "Seat 2: 1x 2x FOLDS" + DECIDE % 2,
        "Reveal the dealer's hand. NEXT",
        "Flush at seat 1: tap it | tap SEAT | undo",
        "Settle seat 1. NEXT" + SETTLE,
        "Seat 1 spins. NEXT: spin" + SPIN,
        "Seat 1 won $100. Pay, then NEXT" + SPIN,
        "Collect the cards. NEXT | ok | stub N",
    ],
    "headsup": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: 1x 2x 3x CHECK" + DECIDE % 1,
        "Seat 2: 1x 2x 3x CHECK" + DECIDE % 2,
        "Seat 4: 1x 2x 3x CHECK" + DECIDE % 4,
        "Next card: board, FACE UP" + DEAL,
        "Reveal the dealer's hand. NEXT",
        "Settle seat 1. NEXT | NEXT settles seats 1 2 4" + SETTLE,
        "Settle seat 2. NEXT | NEXT settles seats 2 4" + SETTLE,
        "Settle seat 4. NEXT" + SETTLE,
        "Collect the cards. NEXT | ok | stub N",
    ],
    "colorado": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: BET FOLDS INSTANT" + DECIDE % 1,
        "Seat 2: BET FOLDS INSTANT" + DECIDE % 2,
        "Seat 3: BET FOLDS INSTANT" + DECIDE % 3,
        "Settle seat 3. NEXT" + SETTLE,
        "Seat 4: BET FOLDS INSTANT" + DECIDE % 4,
        "Turn 3 board cards. NEXT",
        "Turn seat 4: touch its discard | discard SEAT CARD | undo",
        "Settle seat 4. NEXT | Then turn seat 1: touch its discard" + SETTLE,
        "Turn seat 1: touch its discard | discard SEAT CARD | undo",
        "Settle seat 1. NEXT" + SETTLE,
        "Collect the cards. NEXT | ok | stub N",
    ],
    "winners_pot": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: BET FOLDS" + DECIDE % 1,
        "Seat 2: BET FOLDS" + DECIDE % 2,
        "Seat 3: BET FOLDS" + DECIDE % 3,
        "Next card: burn, face down" + DEAL,
        "Seat 1: DOUBLE FOLDS" + DECIDE % 1,
        "Seat 2: DOUBLE FOLDS" + DECIDE % 2,
        "Seat 3: DOUBLE FOLDS" + DECIDE % 3,
        "Next card: seat 1, FACE UP" + DEAL,
        "Reveal the dealer's hand. NEXT",
        "Award the pot. NEXT",
        "Collect the cards. NEXT | ok | stub N",
    ],
    "ultimate": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: 4x 3x CHECK" + DECIDE % 1,
        "Seat 2: 4x 3x CHECK" + DECIDE % 2,
        "Next card: board, FACE UP" + DEAL,
        "Seat 1: 2x CHECK" + DECIDE % 1,
        "Seat 2: 2x CHECK" + DECIDE % 2,
        "Seat 1: 1x FOLDS" + DECIDE % 1,
        "Seat 2: 1x FOLDS" + DECIDE % 2,
        "Reveal the dealer's hand. NEXT",
        "Collect the cards. NEXT | ok | stub N",
    ],
    "three_card": [
        "Next card: seat 1, face down" + DEAL,
        "Seat 1: PLAY FOLDS" + DECIDE % 1,
        "Seat 2: PLAY FOLDS" + DECIDE % 2,
        "Seat 7: PLAY FOLDS" + DECIDE % 7,
        "Reveal the dealer's hand. NEXT",
        "Settle seat 1. NEXT | NEXT settles seats 1 7" + SETTLE,
        "Settle seat 7. NEXT" + SETTLE,
        "Collect the cards. NEXT | ok | stub N",
    ],
}
OPENING = [
    "Closed. open new, or open pre | open new | open pre",
    "Inspect the cards. NEXT | ok | done NUMBER",
    "Floorperson: key on, verify. NEXT | ok | done NUMBER",
    "Spread face up by suit in sequence. NEXT | ok | done NUMBER",
    "First player inspects. NEXT | ok | done NUMBER",
    "Turn down, wash, stack. NEXT | ok | done NUMBER",
    "Shuffle. NEXT, or its count | ok | done NUMBER",
    "Cut at least 10. NEXT, or how many | ok | done NUMBER",
    "Place your bets. NEXT: no more bets | Waiting for bets. Players at least: 1."
    " | bet SEAT ante 5 ... | clear SEAT | nmb",
    "Cards spread. Player comes: NEXT",
]
STOPS = (
    (((5, 51),), "STOP 1 due, 5 came. All dealt? NEXT | ok | void"),
    (((1, 255),), "STOP card 1 unread. Lies there? NEXT | ok | void"),
    (((1, 51), (2, 51)), "STOP card 2 read twice. Go on? NEXT | ok | void"),
    (((1, 51), (2, 50), (1, 49)), "STOP 3 due, shoe says 1. Go on? NEXT | ok | void"),
)


def view(t: Croupier, desk: Desk | None = None, **more: Any) -> screen.View:
    return screen.View(t.m, desk or Desk(), TEXTS, True, **more)


def rows(t: Croupier, desk: Desk | None = None, **more: Any) -> list[str]:
    """The screen without its title and its empty rows."""
    found = list(screen.screen(view(t, desk, **more)))
    assert len(found) == screen.ROWS and max(map(len, found)) <= screen.COLUMNS
    return [row.rstrip() for row in found[1:] if row]


def asks(t: Croupier) -> str:
    """What the table asks now, what NEXT would book, and what can be typed."""
    v = view(t)
    parts = (screen.prompt(v), screen.books(v), screen._hint(v))
    return " | ".join([part for part in parts if part])


def story(t: Croupier, decide: Callable[[Any], str]) -> list[str]:
    """Play a round to its end; everything the table asks, a deal by its first card."""
    told: list[str] = []
    while True:
        now = due(t.m)
        said = asks(t)
        if said not in told and not (now.kind in DEALS and told and "Next" in told[-1]):
            told.append(said)
        if now.kind == "collect":
            return told
        t.act(now.seat, decide(now)) if now.kind == "decide" else t.turn()


def check_or(word: str) -> Callable[[Any], str]:
    return lambda now: "check" if "check" in now.choices else word


def test_what_each_game_asks_of_its_dealer() -> None:
    wheel = premium(bonus_spin="flush5_progressive")
    wheel.open()
    wheel.bet(1, 500, 500, 100, 100, 500)
    wheel.begin(1, 2, s1="2h5h9h", s2="3s4d7c", dealer="3c3dTs", board="KdQs8c7d")
    wheel.spins = [3]
    told = story(wheel, lambda now: check_or("fold" if now.seat == 2 else "play1")(now))
    assert told == ASKED["premium"]
    t = headsup()
    t.begin(1, 2, 4, s1="AhAd", s2="KhKd", s4="2c7d")
    assert story(t, lambda now: now.choices[0]) == ASKED["headsup"]
    t = colorado()
    t.begin(1, 2, 3, 4, s3="8c8d8h")
    words = {1: "bet", 2: "fold", 3: "instant", 4: "bet"}
    assert story(t, lambda now: words[now.seat]) == ASKED["colorado"]
    t = winners_pot()
    t.begin(1, 2, 3)
    folds = lambda now: now.seat == 3 and "double" in now.choices  # noqa: E731
    assert story(t, lambda now: "fold" if folds(now) else now.choices[0]) == ASKED["winners_pot"]
    t = Croupier("ultimate")
    t.begin(1, 2)
    assert story(t, check_or("fold")) == ASKED["ultimate"]
    t = Croupier("three_card")
    t.begin(1, 2, 7)
    words = {1: "play", 2: "fold", 7: "play"}
    assert story(t, lambda now: words[now.seat]) == ASKED["three_card"]


def test_what_is_asked_outside_of_a_round_and_when_the_deal_stops() -> None:
    t = headsup()
    told = [asks(t)]
    t.do("OPEN", 0)
    t.key(1)
    while due(t.m).kind == "check":
        told.append(asks(t))
        t.turn()
    told.append(asks(t))
    t.do("IDLE")
    assert told + [asks(t)] == OPENING
    for reports, text in STOPS:
        t = headsup()
        t.begin(1)
        for position, card in reports:
            t.do("SHOE", 0, position, bytes([card]))
        assert asks(t) == text
    t = headsup(dealing="auto")
    t.begin(1)
    assert asks(t) == "Next: stack of 5 to board" + DEAL
    t.turn()
    assert asks(t) == "Next: stack of 2 to seat 1" + DEAL
    t = headsup(stub_every=1)
    t.begin(1)
    while due(t.m).kind != "stub":
        t.turn()
    assert asks(t) == "Count the stub: number, then NEXT | Type the number first. | stub N"
    desk = Desk()
    desk.typed = "43"
    assert screen.books(view(t, desk)) == ""
    t.m.r.owed.append(0)
    assert asks(t) == "Deal the missing card: dealer"


def wheel_spins(
    upto: str = "spin", seats: int = 3, folds: tuple[int, ...] = (2,), **settings: Any
) -> Croupier:
    """Seats 1 and 3 have won a spin, seat 2 folded."""
    t = premium(**{"bonus_spin": "flush5_progressive", **settings})
    t.open()
    for seat in range(1, seats + 1):
        t.bet(seat, 500, 500, 0, 0, 500)
    hands = {"s1": "2h5h9h", "s2": "3s4d7c", "s3": "AsKsQs", "dealer": "3c3dTs"}
    t.begin(1, 2, 3, board="KdQd8c7d", **hands)
    t.deal()
    t.all_act("check")
    t.deal()
    for seat in range(1, seats + 1):
        t.act(seat, "fold" if seat in folds else "play1")
    while due(t.m).kind != upto:
        t.turn()
    return t


FELT = ["BOARD  Kd Qd 8c 7d", "DEALER 3c 3d Ts"]
SEATS = ["1 settled 2h 5h 9h *", "2 folded", "3 settled As Ks Qs *", "4", "5", "6"]
KEYS = ["spin | ok | handpaid SEAT"]


def test_a_spin_shows_who_is_paid_what_and_a_turning_wheel_nothing() -> None:
    t, desk = wheel_spins(), Desk()
    jackpot = ["JACKPOT $10,001.05"]
    assert rows(t, desk) == ["Seat 1 spins. NEXT: spin", *FELT, *SEATS, *KEYS, *jackpot]
    t.do("SPIN", 1, TOP)
    turning = ["The wheel is still turning.", *FELT, *SEATS, *KEYS, *jackpot]
    assert rows(t, desk, turning=True) == turning, "the meter stands still too"
    jackpot = ["JACKPOT $10,000"]
    paid = ["PAY  seat 1 $10,001.05"]
    by_hand = "HAND PAY seat 1 $10,001.05: turn key"
    assert rows(t, desk) == [by_hand, *FELT, *paid, *SEATS, *KEYS, *jackpot]
    t.key(1)
    t.do("HANDPAID", 1)
    assert rows(t, desk) == ["Seat 1 was paid by hand. NEXT", *FELT, *SEATS, *KEYS, *jackpot]
    t.turn()
    t.do("SPIN", 3, 3)
    won = ["PAY  seat 3 $100", "PAY  seat 1 $50", "PAY  seat 2 $50"]
    said = "Seat 3 won $100. Pay, then NEXT"
    assert rows(t, desk) == [said, *FELT, *won, *SEATS, *KEYS, *jackpot]
    t = wheel_spins(seats=4)
    t.do("SPIN", 1, 3)
    won = [f"PAY  seat {seat} ${cents}" for seat, cents in ((1, 100), (2, 50), (3, 50), (4, 50))]
    said = "Seat 1 won $100. Pay, then NEXT"
    assert rows(t)[:-2] == [said, *FELT, *won], "money first: the seats have no room"
    fixed: dict[str, Any] = {
        "bonus_spin": "flush5_fixed",
        "fixed_prize": 2000000,
        "prize_name": "a car",
    }
    t = wheel_spins(**fixed)
    t.do("SPIN", 1, TOP)
    assert rows(t)[0] == "HAND PAY seat 1 a car: turn key" and rows(t)[3] == "PAY  seat 1 $20,000"


def test_a_seat_that_is_settled_fills_the_screen() -> None:
    t = wheel_spins("tap")
    lines = ["TAKE Ante $5 does not win", "TAKE Play $5 does not win"]
    lines += ["TAKE X-Tra Bonus $5 does not win"]
    seat = ["SEAT 1 2h 5h 9h", *FELT, *lines]
    foot = ["JACKPOT $10,001.05"]
    assert rows(t) == ["Flush at seat 1: tap it", *seat, "tap SEAT | undo", *foot]
    t.turn()
    asked = ["Settle seat 1. NEXT", "NEXT settles seat 1, TAP SEAT 3"]
    assert rows(t) == [*asked, *seat, SETTLE[3:], *foot]
    desk = Desk(Chips({(3, 0): 700}))
    short = "Seat 3 Ante: $7 lies there, $10 is due."
    assert rows(t, desk)[1] == short
    t.turn()
    assert due(t.m).kind == "tap" and rows(t, desk)[1] == short
    t.turn()
    assert rows(t, desk)[1] == short and screen.settled(view(t), 1)
    t.turn()
    assert due(t.m).kind == "spin" and screen.books(view(t, desk)) == ""


def test_a_folded_flush_is_tapped_and_not_named_among_the_settled() -> None:
    t = wheel_spins("settle", folds=(2, 3))
    assert screen.settles(view(t)) == ("1", 3)
    assert view(t).proposal.events[1:] == (events.pack("TAP", 3), events.pack("PAID", 3))


class Chips:
    """A chip reader: cents by seat and spot."""

    def __init__(self, lie: dict[tuple[int, int], int]) -> None:
        self._lie = lie

    def cents(self, seat: int, spot: int) -> int | None:
        return self._lie.get((seat, spot))


def test_a_tap_that_was_taken_back_is_asked_for_before_the_spins() -> None:
    t = wheel_spins("tap")
    t.do("TAP", 1)
    t.do("PAID", 1)
    t.do("SENSORS", bytes([0, 0, 1, 0, 0, 0, 0]))  # seat 3's chips are moved: seat 1 stays paid
    t.do("TAKE_BACK")
    t.do("TAP", 3)
    t.do("PAID", 3)
    assert asks(t) == "Flush at seat 1: tap it | tap SEAT | undo"
    assert view(t).proposal.events == (events.pack("TAP", 1),)
    t.do("TAP", 1)
    assert [row for row in rows(t) if row.endswith("*")] == [SEATS[0], SEATS[2]]


KEPT = "ok, when all stakes are returned"


def test_void_rounds_hands_and_cards_that_nobody_read() -> None:
    t = headsup()
    t.begin(1, 3)
    t.deal()
    t.act(1, "raise2")
    t.key(1)
    t.do("VOID", 0)
    returned = ["DEALER ## ##", "RETURN seat 1 $20", "RETURN seat 3 $10", KEPT]
    assert rows(t) == ["VOID: by the supervisor. Return all", *returned]
    t = headsup()
    t.begin(1, 2)
    t.deal(2)
    t.do("FACEUP", 30)
    felt = ["DISCARD RACK 9h", "1 AO $5 ##", "2 AO $5 ##", "3", "4", "5", "6"]
    assert rows(t) == ["Next card: dealer, face down", *felt, DEAL[3:]]
    t = Croupier("three_card")
    t.begin(1, 2, 3)
    t.deal(1)
    t.do("SHOE", 0, 2, bytes([255]))
    t.do("GO_ON")
    t.deal()
    t.key(1)
    t.do("MISCOUNT", 3, 2)
    t.all_act("play")
    t.turn()
    t.turn()
    named = "Cards of seat 2: hand PLACE CARDS"
    seats = ["1 settled 2c 7d Ad", "2 A $5 +$5 ## ## ##", "3 A $5 void", "4", "5", "6", "7"]
    there = ["DEALER 5h Qh 6h", "RETURN seat 3 $5"]
    assert rows(t) == [named, *there, *seats, "hand PLACE CARD CARD ..."]
    t.m.r.visible[2] = 3
    assert rows(t)[4] == "2 A $5 +$5 ?? 9c ##"


def covered(game: str, spots: int, *seats: int, **settings: Any) -> Croupier:
    """Bets of $5 lie on some spots of these seats, and a sensor sees them; the deal is over."""
    t = Croupier(game, sensors=True, **settings)
    t.open()
    lie(t, [spots if seat in seats else 0 for seat in range(1, 8)])
    for seat in seats:
        t.bet(seat, *[500 * (spots >> i & 1) for i in range(len(t.m.game.WAGERS))])
    t.begin(*seats)
    t.deal()
    return t


def lie(t: Croupier, spots: list[int]) -> None:
    t.do("SENSORS", bytes([*spots, *[0] * 7])[:7])


def collects(t: Croupier) -> list[str]:
    """The rows of chips that are collected now."""
    return screen.money_rows(view(t))


def test_what_a_fold_loses_is_shown_until_it_is_taken() -> None:
    t = covered("three_card", 3, 1, 2)
    t.act(1, "fold")
    assert collects(t) == ["TAKE seat 1 Ante, Pair Plus $10"] and "1 folded" in rows(t)
    lie(t, [2, 3])
    assert collects(t) == ["TAKE seat 1 Ante, Pair Plus $10"], "one of them lies there"
    lie(t, [0, 3])
    assert collects(t) == []
    t = covered("three_card", 3, 1, 2, pair_plus_after_fold="live")
    t.act(1, "fold")
    assert collects(t) == ["TAKE seat 1 Ante $5"] and "1 P $5 folded" in rows(t)
    lie(t, [2, 3])
    assert collects(t) == []
    t.act(2, "fold")
    while due(t.m).kind != "settle":
        t.turn()
    assert collects(t) == ["TAKE Pair Plus $5 high card"] and len(rows(t)) == 5
    t = covered("colorado", 1, 1, 2, version="required")
    t.act(1, "fold")
    t.act(2, "bet")
    assert due(t.m).kind == "show" and collects(t) == ["TAKE seat 1 Ante $5"]
    t.turn()
    assert due(t.m).kind == "discard" and collects(t) == []
    while due(t.m).kind != "collect":
        t.turn()
    assert collects(t) == []
    t = covered("winners_pot", 3, 1, 2)
    t.act(1, "fold")
    assert "1 J $5 folded" in rows(t)
    t = covered("winners_pot", 1, 1, 2, 3)
    t.act(1, "fold")
    assert collects(t) == ["POT takes seat 1 $5"]
    lie(t, [0, 1, 1])
    assert collects(t) == []
    t.act(2, "bet")
    lie(t, [0, 5, 1])
    t.act(3, "fold")
    assert collects(t) == ["POT takes seat 3 $5"] and "2 A $5 +$5 ## ## 4s" in rows(t)


def test_what_folds_lose_is_told_where_no_sensor_can_see_it() -> None:
    t = Croupier("ultimate", sensors=False)
    t.open()
    for seat, ante in ((1, 500), (3, 1000), (4, 500)):
        t.bet(seat, ante, ante, 500)
    t.begin(1, 3, 4)
    while due(t.m).kind != "reveal":
        now = due(t.m)
        last = "fold" if now.seat != 4 else "play1"
        if now.kind == "decide":
            t.act(now.seat, "check" if "check" in now.choices else last)
        else:
            t.turn()
    assert due(t.m).kind == "reveal" and collects(t) == ["TAKE folded seats 1 3: $30"]
    t.turn()
    assert due(t.m).kind == "settle" and "folded" not in "".join(collects(t))


def test_what_folds_put_in_the_pot_is_told_at_once_where_no_sensor_can_see_it() -> None:
    t = winners_pot(sensors=False)
    t.begin(1, 2, 3)
    t.deal()
    t.act(1, "fold")
    assert collects(t) == ["POT takes folded seat 1: $5"]
    t.act(2, "bet")
    t.act(3, "bet")
    t.deal()
    t.act(2, "fold")
    assert collects(t) == ["POT takes folded seats 1 2: $15"]
    t.act(3, "double")
    t.deal()
    assert due(t.m).kind == "reveal" and collects(t) == ["POT takes every stake: $35 in it"]


def test_the_latched_wager_is_collected_at_the_lock_and_the_pot_at_the_end() -> None:
    t = premium(bonus_spin="flush5_progressive")
    t.begin(1)
    assert collects(t) == []
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    for seat in (1, 3):
        t.bet(seat, 500, 500, 0, 0, 500)
    t.begin(1, 2, 3)
    assert collects(t) == ["TAKE Bonus Spin: seats 1 3"]
    t.deal(1)
    assert collects(t) == []
    t = winners_pot()
    t.open()
    t.bet(2, 500, 100)
    t.begin(1, 2, 3, s1="AhAdKc9d8h", s2="JcJd2d5s6h", s3="2c4d7sJhQs", dealer="8c8d2h5dTd")
    while due(t.m).kind != "reveal":
        t.turn()
    assert collects(t) == ["POT takes every stake: $60 in it"]
    t.turn()
    assert collects(t) == ["PAY  Jacks Plus $1 1 to 1 pair"]
    assert any(t.m.r.booked) and not any([screen.settled(view(t), seat) for seat in (1, 2, 3)])
    t.turn()
    assert rows(t)[1:6] == [
        "DEALER 8c 8d 2h 5d Td",
        "POT TO seat 1 $54  beats the dealer",
        "COMMISSION $6",
        "HOUSE $0",
        "1 A $5 +$15 Ah Ad Kc 9d 8h",
    ]


def test_a_dead_dealer_is_neither_revealed_nor_beaten() -> None:
    """W8a: the players contest the pot among themselves."""
    t = winners_pot()
    t.begin(1, 2, s1="2c3d4h5s7c", s2="AcAdAhKsQc", dealer="KcKd")
    t.deal(6)
    t.do("EXPOSED", 0)
    t.do("EXPOSED", 0)
    t.deal()
    for word in ("bet", "double"):
        t.all_act(word)
        t.deal()
    shown = rows(t)
    assert shown[0] == "Dealer's hand is dead. Go on: NEXT"
    assert [row for row in shown if row.startswith("DEALER")] == ["DEALER ## ## dead"]
    t.turn()
    while due(t.m).kind != "pot":
        t.turn()
    assert "POT TO seat 2 $36  best hand" in rows(t)


def test_a_fold_s_bonus_that_is_settled_lies_there_no_more() -> None:
    """It stood on the felt again while the pot was awarded."""
    t = winners_pot()
    t.open()
    t.bet(1, 500, 100)
    t.bet(2, 500)
    t.begin(1, 2)
    t.deal()
    t.act(1, "fold")
    t.act(2, "bet")
    assert any(row.startswith("1 J $1") for row in rows(t))
    while due(t.m).kind != "pot":
        t.turn()
    assert not any("J $1" in row for row in rows(t))


def test_a_pot_the_dealer_wins_is_said_to_be_his() -> None:
    t = winners_pot()
    t.begin(1, 2, s1="2c4d7sJhQs", s2="3c5d6h9sTc", dealer="8c8d2h5sTd")
    while due(t.m).kind != "pot":
        t.turn()
    assert collects(t) == ["POT TO the dealer", "COMMISSION $0", "HOUSE $40"]


def test_bets_as_they_are_known_so_far() -> None:
    t, desk = headsup(sensors=True), Desk()
    t.open()
    t.do("SENSORS", bytes([3, 7, 0, 0, 0, 0, 0]))
    desk.say(1, 0, 2500)
    assert rows(t, desk)[1:4] == ["Touch seat 2: how much is the Ante?", "1~AO $25", "2~AOT ?"]
    desk.say(2, 0, 500)
    desk.say(2, 2, 100)
    known = ["Players: 2, total $61", "1~AO $25", "2~AO $5 T $1", "3"]
    assert rows(t, desk)[1:5] == known
    t.bet(2, 500, 500, 100)
    known[2] = "2 AO $5 T $1"
    assert rows(t, desk)[1:5] == known, "entered"
    t.do("SENSORS", bytes([3, 7, 0, 0, 0, 0, 7]))
    assert rows(t, desk)[1] == "Players: 2, total $61", "there is no seat 7"
    full = Croupier("three_card", sensors=True)
    full.open()
    lie(full, [3] * 7)
    for seat in range(1, 8):
        full.bet(seat, 500, 100)
    seats = [f"{seat} A $5 P $1" for seat in range(1, 8)]
    assert rows(full)[1:9] == ["Players: 7, total $42", *seats]
    t.m.phase = 0
    assert rows(t, desk)[1:3] == ["1", "2 AO $5 T $1"], "a closed table shows what was entered"


def test_a_row_is_broken_only_where_forty_columns_are_too_few() -> None:
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(1, 10000, 10000, 2500, 500, 500)
    t.bet(2, 10000, 10000, 25000, 500, 500)
    t.begin(1, 2)
    t.deal()
    t.all_act("play3")
    v = view(t)
    assert screen.seat_rows(v, 1) == ["1 AX $100 D $25 PS $5 +$300 ## ## ##"]
    t.m.r.bets[1] = [10000, 10000, 2500, 100, 500]
    assert screen.seat_rows(v, 1) == ["1 AX $100 D $25 P $1 S $5 +$300 ## ## ##"]
    t.m.r.bets[1] = [10000, 10000, 25000, 100, 500]
    assert screen.seat_rows(v, 1) == ["1 AX $100 D $250 P $1 S $5", "  +$300 ## ## ##"]
    assert screen.seat_rows(v, 3) == ["3"]


LINES = (
    (("ante", 500, 500, (1, 1), "win"), "PAY  Ante $5 1 to 1 beats the dealer"),
    (("ante", 500, -500, None, "lose"), "TAKE Ante $5 does not win"),
    (("ante", 500, 0, None, "tie"), "PUSH Ante $5 tie"),
    (("ante", 500, 1, None, 1), "PAY  Ante $0.01 pair"),
    (("pocket_bonus", 500, 1000, (2, 1), 4), "PAY  Pocket Bonus $10 2 to 1 straight"),
    (("xtra", 500, 100000, (10, 1), 8), "PAY  X-Tra Bonus $1,000 10 to 1"),
    (("xtra", 500, 5000, (10, 1), 8), "PAY  X-Tra Bonus $50 10 to 1"),
    (("ante", 500, 50000, (100, 1), 8), "PAY  Ante $500 100 to 1 straight flush"),
    (("ante", 500, 5000000, (10, 1), 8), "PAY  Ante $50,000 10 to 1 straight flush"),
    (("ante", 500, 5000000, (100, 1), 8), "PAY  Ante $50,000 100 to 1"),
    (("jacks_plus", 12500, 5000000, (400, 1), 9), "PAY  Jacks Plus $50,000 400 to 1"),
    (("jacks_plus", 20000, 5000000, (400, 1), 9), "PAY  Jacks Plus $50,000 payout limit"),
    (("bet", 20000, 0, (500, 1), 9), "PUSH Bet $200 payout limit royal flush"),
    (("xtra", 500, 1234567890000, (1000, 1), 1), "PAY  X-Tra Bonus $12,345,678,900 pair"),
)


def test_odds_and_reason_stand_in_the_row_where_they_fit() -> None:
    for (wager, stake, net, odds, reason), row in LINES:
        assert screen.line_row(TEXTS, Line(1, wager, stake, net, odds, "", reason)) == row
    widths = [len(row) for _, row in LINES]
    assert max(widths) == screen.COLUMNS


def deciding(game: str, seats: int, **settings: Any) -> Croupier:
    t = Croupier(game, **settings)
    t.begin(*range(1, seats + 1))
    t.deal()
    return t


def test_decisions_stand_by_seat_and_by_word_where_that_is_too_long() -> None:
    t, desk = deciding("headsup", 5), Desk()
    for seat in range(1, 6):
        desk.note("chosen", seat, "check")
    desk.note("chosen", 2, "raise3")
    row = "1 CHECK  2 3x  3 CHECK  4 CHECK  5 CHECK"
    assert screen.books(view(t, desk)) == row and len(row) == screen.COLUMNS
    desk.note("chosen", 2, "check")
    assert screen.books(view(t, desk)) == "CHECK: 1 2 3 4 5"
    t, desk = deciding("colorado", 7, version="required"), Desk()
    words = ("bet", "fold", "instant", None, "bet", "fold", "bet")
    for i, word in enumerate(words):
        desk.note("chosen", i + 1, word)
    row = "BET: 1 5 7  FOLDS: 2 6  INSTANT: 3  ?: 4"
    assert screen.decisions_row(view(t, desk)) == row and len(row) == screen.COLUMNS


def test_the_last_row_and_the_fault() -> None:
    t = premium(bonus_spin="flush5_progressive", second_deck=True, shuffler="counting")
    assert screen.foot(view(t)) == "JACKPOT $10,000  deck 1"
    t = winners_pot(second_deck=True, shuffler="counting")
    assert screen.foot(view(t)) == "button dealer  deck 1"
    t.m.button = 3
    assert screen.foot(view(t)) == "button seat 3  deck 1"
    assert screen.foot(view(headsup())) == ""
    t = premium(bonus_spin="flush5_progressive", demonstration=True)
    assert screen.foot(view(t)) == "DEMONSTRATION - NO MEMORY"
    t.m.cfg["demonstration"], t.m.cfg["illustrative"] = False, True
    assert screen.foot(view(t)) == "JACKPOT $10,000  ILLUSTRATIVE"
    t = headsup()
    t.open()
    seats = ["1", "2", "3", "4", "5", "6"]
    fault = ["FAULT: journal not writable", "Nothing is accepted. Call service."]
    assert rows(t, fault="journal") == [*fault, *seats, "bet SEAT ante 5 ... | clear SEAT | nmb"]
    found = list(screen.screen(view(t)))
    assert found[0] == "HEADS UP HOLD'EM   round 1" and found[-1] == "" and len(found) == 16
    t.m.round_no = 41
    assert screen.title(view(t)) == "HEADS UP HOLD'EM   round 42"


def test_a_hand_that_is_out_is_given_back_and_no_part_of_the_pot() -> None:
    t = winners_pot(sensors=True)
    t.open()
    lie(t, [1, 3, 1])
    t.bet(2, 500, 100)
    t.begin(1, 2, 3)
    t.deal(8)
    t.do("EXPOSED", 2)
    t.do("EXPOSED", 2)
    assert collects(t) == ["RETURN seat 2 $5"], "Jacks Plus stays for settlement"
    lie(t, [1, 2, 1])
    assert collects(t) == []
    while due(t.m).kind != "reveal":
        t.turn()
    assert collects(t) == ["POT takes every stake: $40 in it"]
    t = premium(bonus_spin="flush5_progressive")
    t.open()
    t.bet(2, 1000, 1000, 500, 0, 500)
    t.begin(1, 2)
    t.deal(2)
    t.do("MISCOUNT", 2, 2)
    assert collects(t) == ["RETURN seat 2 $30"], "also what was taken at the lock"
    while due(t.m).kind != "settle":
        t.turn()
    assert collects(t)[-1] == "RETURN seat 2 $30", "nothing tells that it was given back"
    while due(t.m).kind != "collect":
        t.turn()
    assert collects(t) == []


def test_what_a_void_hand_gets_back_stands_beside_the_pot() -> None:
    t = winners_pot()
    t.open()
    t.begin(1, 2, 3)
    t.deal()
    t.act(1, "bet")
    t.act(2, "fold")
    t.act(3, "fold")
    t.do("MISCOUNT", 1, 4)
    assert due(t.m).kind == "pot", "nobody else is left"
    assert collects(t)[-1] == "RETURN seat 1 $10", "no screen before it could say so"
