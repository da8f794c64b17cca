"""NEXT books what stood on the screen and nothing else; no row of money is ever cut."""

from __future__ import annotations

import random
from typing import Any

import pytest
from felt.dealer import screen
from felt.dealer.words import action_text, money
from felt.link import terminal as t
from felt.round import events
from felt.round.due import DEALS, due

from host_tests.helpers.desk import Desk
from tools import games
from tools.games import GAMES

REPORTS = ("SENSORS", "SHOE", "KEY", "HAPPENED", "FAULT", "BOOT")  # no person enters these
KEY_OF = {"DISCARD": t.CARD, "TAKE_BACK": t.UNDO}  # everything else is booked by NEXT
KEPT = 6  # glasses: so many touches fit into the time a booking takes


class Dealer:
    """A touched table; every booking is compared with what the glass showed when NEXT was sent."""

    def __init__(self, game: str, seed: int, most: int = 50000) -> None:
        settings = games.settings(game) | {"reader": False}
        settings["limits"] = {wager: [100, most] for wager in settings["limits"]}
        self.desk = Desk(settings, seed, touched=True)
        self.dice = random.Random(seed)
        self.seen: list[list[str]] = []  # the glass when NEXT was pressed, newest last
        self.pressed: list[str] = []
        self.booked: list[bytes] = []
        submit = self.desk.table.submit

        def spy(event: bytes) -> list:
            if events.NAMES[event[0]] not in REPORTS and self.watching:
                self.check(event)
                self.booked.append(event)
            return submit(event)

        self.watching = False

        self.desk.table.submit = spy  # type: ignore[method-assign]
        self.desk.open()
        self.watching = True

    @property
    def m(self) -> Any:
        return self.desk.machine

    def check(self, event: bytes) -> None:
        """What is booked now stood on the glass when the key was pressed."""
        name, args = events.unpack(event)
        if name in KEY_OF:
            assert KEY_OF[name] in self.pressed, name
        else:
            wrong = [self.missing(name, args, event, glass) for glass in self.seen]
            assert wrong and not all(wrong), (name, args, wrong)

    def missing(self, name: str, args: Any, event: bytes, glass: list[str]) -> str:
        """Say what of an event did not stand on a glass."""
        if not glass[t.BUTTON].startswith("g"):
            return "NEXT was not golden"
        tile = glass[t.SEAT + args[0]] if args and isinstance(args[0], int) and args[0] < 8 else ""
        if name == "BET":
            raw = event[2:]
            amounts = [int.from_bytes(raw[i : i + 4], "big") for i in range(0, len(raw), 4)]
            return "".join(tile for cents in amounts if cents and money(cents) not in tile)
        if name == "ACT":
            word = action_text(self.desk.app.texts, self.m.game.ACTIONS[args[1]])
            return "" if "d" + word in tile.split("\n") else tile
        if name == "PAID" and args[0]:
            lines = tile.lstrip("*>").split("\n")
            return "" if any(line[:1] in "ptu" for line in lines) else tile
        label = {"LOCK": "NO MORE BETS", "REVEAL": "", "TAP": f"TAP SEAT {args[0] if args else 0}"}
        return "" if label.get(name, "") in glass[t.BUTTON] else glass[t.BUTTON]

    def touch(self, key: str, value: int = 0, ms: int = 420) -> None:
        if key == t.NEXT:
            self.seen = [*self.seen[1 - KEPT :], list(self.desk.terminal.parts)]
        self.pressed = [*self.pressed[1 - KEPT :], key]
        self.desk.touch(key, value, ms)

    def chips(self) -> None:
        """Somebody puts chips down or takes them off, anywhere."""
        spots = range(len(self.m.game.SPOTS))
        raises = spots[len(self.m.game.WAGERS) :]
        seat = self.dice.randrange(7)
        spot = self.dice.choice(raises if self.dice.random() < 0.9 else spots)
        self.desk.chain.bits[seat] ^= 1 << spot
        self.desk.run(self.dice.choice((5, 20, 60, 200)))

    def deal(self) -> None:
        """Draw every card that is due."""
        while due(self.m).kind in DEALS:
            self.desk.shoe.draw()
            self.desk.run(60)

    def bets(self, dollars: int) -> None:
        """Every seat covers every wager; the dealer says the amounts."""
        self.desk.run(200)
        for seat in range(1, self.m.cfg["seats"] + 1):
            self.desk.chain.bits[seat - 1] = (1 << len(self.m.game.WAGERS)) - 1
        self.desk.run(100)
        for seat in range(1, self.m.cfg["seats"] + 1):
            self.touch(t.SEAT_KEY, seat, 60)
            for spot, wager in enumerate(self.m.game.WAGERS):
                if self.m.game.exact(self.m.cfg, wager) is None:
                    self.touch(t.SPOT, spot, 60)
                    for digit in str(dollars):
                        self.touch(t.DIGIT, int(digit), 60)
        self.desk.run(400)  # a look at the glass

    def fits(self) -> None:
        """Every row of the screen is there as it was written."""
        app = self.desk.app
        rows = list(screen._body(screen.View(self.m, app.desk, app.texts, every=True)))
        assert max(map(len, rows)) <= screen.COLUMNS, rows
        assert len(rows) < screen.ROWS, rows


@pytest.mark.parametrize("seed", [7, 8])
@pytest.mark.parametrize("game", GAMES)
def test_random_chips_touches_and_repeats_book_only_what_was_seen(game: str, seed: int) -> None:
    dealer = Dealer(game, seed)
    dealer.bets(5)
    dealer.touch(t.NEXT)
    wagers = len(dealer.booked)
    dealer.deal()
    keys = [t.NEXT, t.NEXT, t.NEXT, t.SEAT_KEY, t.CHIP, t.DIGIT, t.ACTION, t.ERASE, t.SPOT]
    keys += [t.CARD, t.CARD, t.UNDO]
    for _ in range(220):
        move = dealer.dice.random()
        if move < 0.25:
            dealer.chips()
        elif due(dealer.m).kind in DEALS and move < 0.6:
            dealer.desk.shoe.draw()
            dealer.desk.run(60)
        else:
            key = dealer.dice.choice(keys)
            dealer.touch(key, dealer.dice.randrange(7), dealer.dice.choice((10, 60, 150, 420)))
    assert len(dealer.booked) > wagers > 0


def test_a_second_next_within_400_ms_books_nothing() -> None:
    dealer = Dealer("headsup", 3)
    dealer.bets(5)
    dealer.touch(t.NEXT)
    dealer.deal()
    dealer.desk.run(300)
    dealer.touch(t.NEXT, ms=60)
    stage, booked = dealer.m.r.stage, len(dealer.booked)
    assert booked == 13
    dealer.touch(t.NEXT, ms=60)
    dealer.touch(t.NEXT, ms=60)
    assert dealer.m.r.stage == stage and len(dealer.booked) == booked


@pytest.mark.parametrize("game", GAMES)
def test_ten_thousand_dollar_antes_fit_every_row(game: str) -> None:
    dealer = Dealer(game, 5, most=1_000_000)
    dealer.bets(10000)
    dealer.fits()
    for _ in range(120):
        kind = due(dealer.m).kind
        if kind in DEALS:
            dealer.desk.shoe.draw()
            dealer.desk.run(60)
        elif kind == "decide":
            spots = len(dealer.m.game.WAGERS)
            for seat in range(7):
                dealer.desk.chain.bits[seat] |= 1 << spots | (dealer.m.game.BUTTON << spots + 1)
            dealer.desk.run(250)
            dealer.touch(t.NEXT)
        elif kind == "discard":
            dealer.touch(t.CARD, 0)
        elif kind == "check":
            return
        else:
            dealer.desk.run(200)
            dealer.touch(t.NEXT)
        dealer.fits()
    raise AssertionError("the round did not end: " + kind)


def headsup_decided(seed: int = 3) -> Dealer:
    """Six seats of Heads Up, their first decisions booked by one NEXT."""
    dealer = Dealer("headsup", seed)
    dealer.bets(5)
    dealer.touch(t.NEXT)
    dealer.deal()
    dealer.desk.run(400)
    dealer.touch(t.NEXT)
    return dealer


def test_a_closed_table_is_opened_by_touch() -> None:
    desk = Desk(games.settings("headsup") | {"reader": False}, 5, touched=True)
    desk.run(400)
    offered = [part for part in desk.terminal.parts[t.BUTTON + 3 :] if part]
    assert [part.split(" ", 1)[1] for part in offered] == ["Open: new cards", "Open: pre-shuffled"]
    desk.keys[0].on = True
    desk.run(100)
    desk.touch(offered[1][1], int(offered[1][2:].split()[0]))
    assert due(desk.machine).kind == "check"


def test_undo_takes_back_all_that_one_next_booked_and_says_so() -> None:
    dealer = headsup_decided()
    assert due(dealer.m).kind in DEALS and len(dealer.booked) == 13
    dealer.desk.told()
    dealer.touch(t.UNDO)
    assert due(dealer.m).kind == "decide" and due(dealer.m).seat == 1
    assert dealer.desk.told() == ["Taken back: decision of seats 1 2 3 4 5 6"]
    dealer.touch(t.UNDO)
    assert dealer.desk.told() == ["Nothing can be undone."]
    dealer.touch(t.NEXT)
    dealer.desk.say("undo")
    assert due(dealer.m).seat == 1


def proposed(dealer: Dealer, seat: int) -> str:
    """The decision NEXT would book for a seat."""
    for event in dealer.desk.app.shown or ():
        name, args = events.unpack(event)
        if name == "ACT" and args[0] == seat:
            return str(dealer.m.game.ACTIONS[args[1]])
    return ""


def test_the_size_of_a_raise_that_was_said_stands_after_undo_as_long_as_its_chips_lie() -> None:
    """A sensor tells chips, not how many: the smallest raise would be booked for a larger one."""
    dealer = Dealer("headsup", 3)
    dealer.bets(5)
    dealer.touch(t.NEXT)
    dealer.deal()
    spot = 1 << dealer.m.game.SPOTS.index("raise")
    for seat in (2, 4):
        dealer.desk.chain.bits[seat - 1] |= spot
    dealer.desk.run(400)
    for seat in (2, 4):
        assert proposed(dealer, seat) == "raise1"
        dealer.touch(t.SEAT_KEY, seat)
        dealer.touch(t.ACTION, 2)
        assert proposed(dealer, seat) == "raise3"
    dealer.touch(t.NEXT)
    assert due(dealer.m).kind in DEALS
    dealer.desk.chain.bits[3] &= ~spot  # seat 4's chips are taken back
    dealer.desk.run(400)
    dealer.touch(t.UNDO)
    assert due(dealer.m).kind == "decide"
    assert [proposed(dealer, seat) for seat in (1, 2, 4)] == ["check", "raise3", "check"]
    dealer.touch(t.NEXT)
    assert dealer.m.r.raise_on(2, "raise") == 1500 and not dealer.m.r.raise_on(4, "raise")


def test_undo_takes_back_one_entry_that_was_typed() -> None:
    dealer = headsup_decided()
    dealer.touch(t.UNDO)
    dealer.watching = False  # what is typed need not be on the glass
    dealer.desk.say("1 check")
    dealer.desk.say("2 check")
    dealer.desk.told()
    dealer.desk.say("undo")
    assert due(dealer.m).seat == 2 and dealer.desk.told() == ["Taken back: decision of seat 2"]


@pytest.mark.parametrize("when", ["in the round", "between rounds"])
def test_last_amounts_are_known_again_after_a_power_cut(when: str) -> None:
    dealer = headsup_decided()
    if when == "between rounds":
        table = dealer.desk.table
        table.submit(events.pack("KEY", 0, 1))
        table.submit(events.pack("VOID", 0))
        table.submit(events.pack("END"))
    desk = dealer.desk.restarted()
    desk.run(600)
    wanted = [500, 500, 500, 500]
    assert [desk.app.desk.last[seat] for seat in range(1, 7)] == [wanted] * 6
    assert desk.app.desk.ante == 500


def read_table() -> Desk:
    """Heads Up with a chip reader; seats 1 and 2 bet, cards are dealt."""
    desk = Desk(games.settings("headsup") | {"reader": True}, 8, touched=True)
    desk.open()
    for seat in (1, 2):
        lay(desk, seat, ante=1000, odds=1000)
    desk.run(900)
    desk.touch(t.NEXT)
    desk.deal()
    desk.run(300)
    return desk


def lay(desk: Desk, seat: int, **cents: int) -> None:
    """Chips lie on a seat's spots, seen by sensor and reader."""
    for wager, amount in cents.items():
        spot = desk.machine.game.SPOTS.index(wager)
        desk.reader.cents[seat, spot] = amount
        bit = 1 << spot
        desk.chain.bits[seat - 1] = desk.chain.bits[seat - 1] & ~bit | (bit if amount else 0)


def test_a_reader_names_a_wager_past_the_limit_while_bets_are_open() -> None:
    desk = Desk(games.settings("headsup") | {"reader": True}, 8, touched=True)
    desk.open()
    lay(desk, 2, ante=60000, odds=60000)
    desk.run(900)
    assert desk.terminal.parts[t.BOOKS] == "Seat 2: Ante $600 is above the table's $500."
    assert not desk.terminal.parts[t.BUTTON].startswith("g")


def test_a_reader_names_a_raise_of_no_allowed_size() -> None:
    desk = read_table()
    lay(desk, 2, **{"raise": 1500})
    desk.run(500)
    assert desk.terminal.parts[t.BOOKS] == "Seat 2: Raise $15 is no raise allowed here."
    lay(desk, 2, **{"raise": 2000})
    desk.run(500)
    assert desk.terminal.parts[t.BOOKS] == "1 CHECK  2 2x"


def test_a_reader_that_falls_silent_leaves_no_amount_to_a_guess() -> None:
    """Its line is cut while bets are made, mended, and cut again while seats decide."""
    lost = "Chip reader does not answer: amounts it told must be said."
    desk = Desk(games.settings("headsup") | {"reader": True}, 8, touched=True)
    desk.open()
    desk.app.desk.remember([None, [1000, 1000, 0, 0], *[None] * 6])
    lay(desk, 1, ante=10000, odds=10000)
    desk.run(900)
    assert "$100" in desk.terminal.parts[t.SEAT + 1]
    desk.reading = False
    desk.run(1500)
    assert desk.told()[-1] == lost and desk.terminal.parts[t.SEAT + 1] == "!Ante ?\n!Odds ?"
    assert desk.terminal.parts[t.BOOKS] == "Touch seat 1: how much is the Ante?"
    desk.touch(t.NEXT)
    desk.run(500)
    assert desk.machine.between and not desk.machine.bets[1]
    desk.reading = True
    desk.run(500)
    assert desk.terminal.notices[-1][0] == "Chip reader answers again."
    desk.touch(t.NEXT)
    desk.deal()
    lay(desk, 1, **{"raise": 20000})
    desk.run(500)
    assert desk.terminal.parts[t.BOOKS] == "1 2x"
    desk.reading = False
    desk.run(1500)
    assert desk.terminal.parts[t.BOOKS] == "Seat 1: what does it decide?"


def test_a_reader_names_chips_changed_after_the_lock_once() -> None:
    desk = read_table()
    desk.told()
    lay(desk, 1, ante=2500)
    desk.run(500)
    said = "Seat 1 Ante: $25 lies there, $10 is due."
    assert [each for each in desk.told() if "lies there" in each] == [said]
    desk.run(500)
    assert not desk.told()
    lay(desk, 1, ante=1000)
    desk.run(500)
    lay(desk, 1, ante=500)
    desk.run(500)
    assert desk.told() == ["Seat 1 Ante: $5 lies there, $10 is due."]


def test_a_reader_names_a_payment_that_came_out_short() -> None:
    desk = read_table()
    for _ in range(40):
        kind = due(desk.machine).kind
        if kind in ("settle", "collect"):
            break
        if kind == "decide" and "fold" in due(desk.machine).choices:
            lay(desk, 1, **{"raise": 1000})
            lay(desk, 2, **{"raise": 1000})
            desk.run(500)
        desk.deal() if kind in DEALS else desk.touch(t.NEXT)
        desk.run(500)
    pays = [ln for ln in due(desk.machine).amounts if ln.net > 0 and ln.wager in ("ante", "raise")]
    assert pays, due(desk.machine)
    ln = pays[0]
    lay(desk, ln.seat, **{ln.wager: ln.stake + ln.net - 500})
    desk.run(500)
    lies, owed = money(ln.stake + ln.net - 500), money(ln.stake + ln.net)
    assert desk.terminal.parts[t.BOOKS].endswith(f": {lies} lies there, {owed} is due.")


class Wheel:
    """A display whose wheel turns until it is told to stand."""

    turns = False

    def __init__(self) -> None:
        self.still = False

    def step(self, app: Any, now: int) -> bool:
        return False

    def turning(self, m: Any) -> bool:
        return bool(m and m.r and m.r.spun) and not self.still


def spun_to(position: int) -> Desk:
    """Premium, seat 1 with three hearts has spun; the wheel still turns."""
    desk = Desk(games.settings("premium") | {"reader": False, "sensors": False}, 3, touched=True)
    desk.app.hw.display = Wheel()
    desk.open()
    desk.stack("Ah 9c 2c Kh 9d 7d Qh Jc 8s 2d 9h Kc Ts")
    for seat in (1, 2):
        desk.say(f"bet {seat} ante 5 xtra 5 bonus_spin 5")
    desk.say("nmb")
    for _ in range(40):
        now = due(desk.machine)
        if now.kind == "spin":
            break
        if now.kind in DEALS:
            desk.deal()
        elif now.kind == "decide":
            desk.say(f"{now.seat} {now.choices[0]}")
        elif now.kind == "tap":
            desk.say(f"tap {now.seat}")
        else:
            desk.say("ok")
    desk.table.submit(events.pack("SPIN", 1, position))
    desk.app.changes += 1
    desk.app._dirty = True
    desk.run(300)
    desk.told()
    return desk


def test_a_turning_wheel_tells_nothing_of_where_it_will_stand() -> None:
    """Screen, tiles, pages and refusals are the same for all twelve positions until it stands."""
    seen = set()
    stand = set()
    for position in range(1, 13):
        desk = spun_to(position)
        looks = [tuple(desk.terminal.rows), tuple(desk.terminal.parts)]
        for word in (
            "meters",
            "log",
            "hits",
            "recall",
            "security",
            "ok",
            "spun 1",
            "handpaid 1",
            "undo",
        ):
            desk.say(word, 500)
            looks += [tuple(desk.terminal.rows), tuple(desk.told())]
        seen.add(tuple(looks))
        desk.app.hw.display.still = True
        desk.app._dirty = True
        desk.run(300)
        stand.add(tuple(desk.terminal.rows))
    assert len(seen) == 1
    assert len(stand) > 5


def test_a_fault_stands_on_the_glass_also_without_a_machine() -> None:
    desk = Desk(games.settings("headsup") | {"reader": False}, 5, touched=True)
    desk.run(400)
    desk.table.machine, desk.table.fault = None, "config"
    desk.app._dirty = True
    desk.run(200)
    assert desk.terminal.parts[t.PROMPT] == "FAULT: no valid configuration"
    assert desk.terminal.parts[t.BOOKS] == "Nothing is accepted. Call service."
    assert not any(desk.terminal.parts[t.BUTTON :])
    desk.touch(t.NEXT)
    assert "FAULT: no valid configuration. Nothing is accepted: call service." in desk.told()


def test_an_unknown_amount_is_asked_for_in_words_a_newcomer_can_follow() -> None:
    desk = Desk(games.settings("headsup") | {"reader": False}, 5, touched=True)
    desk.open()
    desk.cover(1, "ante", "odds")
    desk.run(300)
    assert desk.terminal.parts[t.BOOKS] == "Touch seat 1: how much is the Ante?"
    desk.touch(t.SEAT_KEY, 1)
    assert desk.terminal.parts[t.BOOKS] == "Seat 1: how much is the Ante?"
    desk.touch(t.CHIP, 1)
    assert desk.terminal.parts[t.BOOKS] == "Players: 1, total $10"


def test_a_fault_is_not_followed_by_what_bets_lack() -> None:
    desk = Desk(games.settings("headsup") | {"reader": False}, 5)
    desk.open()
    desk.table.fault = "journal"
    desk.app._dirty = True
    desk.run(300)
    assert desk.terminal.rows[1] == "FAULT: journal not writable"
    assert not any("wagers" in row for row in desk.terminal.rows)


def test_the_last_row_says_what_can_be_typed_now() -> None:
    desk = Desk({"game": "colorado", "version": "required"}, 5)
    desk.open()
    desk.cover(1, "ante")
    desk.say("bet 1 ante 5")
    desk.say("nmb")
    desk.shoe.out += 1  # a card leaves the shoe unread
    desk.shoe.draw()
    desk.run(200)
    assert "ok | void" in desk.terminal.rows
    desk.say("ok")
    desk.deal()
    desk.say("1 bet")
    desk.say("ok")
    assert due(desk.machine).kind == "name" and "hand PLACE CARD CARD ..." in desk.terminal.rows


def test_what_cannot_be_typed_is_answered_by_its_name() -> None:
    desk = Desk({"game": "headsup"}, 5)
    desk.open()
    desk.told()
    desk.say("bet 9 ante 5 odds 5")
    assert desk.told() == ["9 is no seat."]
    desk.say("bet x ante 5 odds 5")
    assert desk.told() == ["x is no seat."]
    desk.say("bet 7 ante 5 odds 5")
    assert desk.told() == ["There is no seat 7 here."]
    desk.cover(1, "ante", "odds")
    desk.say("bet 1 ante 5 odds 5")
    desk.say("nmb")
    desk.deal()
    desk.told()
    desk.say("ok")
    assert desk.told() == ["ok confirms nothing here: see the last row."]
    assert "SEAT ACTION | undo" in desk.terminal.rows


def test_notes_speak_of_seats_and_the_dealer() -> None:
    desk = Desk({"game": "winners_pot", "sensors": False}, 5)
    desk.open()
    for seat in (1, 2):
        desk.say(f"bet {seat} ante 5")
    desk.say("nmb")
    for _ in range(3):
        desk.shoe.draw()
        desk.run(60)
    desk.told()
    desk.say("exposed 1")
    desk.say("exposed dealer")
    desk.say("button")
    assert desk.told() == [
        "Third card comes face down: seat 1",
        "Third card comes face down: dealer",
        "Go on as if the button had moved: dealer",
    ]
