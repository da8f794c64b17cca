"""Whatever is typed, the answer is the same for any hidden cards.

Two tables show the same cards on the felt and hold other ones face down. Every entry must leave
both terminals, lamps and pages alike: what tells the tables apart would tell hidden cards.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from felt import cards
from felt.games.common import BOARD, DEALER
from felt.round import events
from felt.round.due import DEALS, due

from host_tests.helpers.desk import Desk
from tools.prove.player import TABLES, stakes

READ = {
    f"{t['game']}-{t.get('dealing', 'shoe')}": {**t, "sensors": False}
    for t in TABLES
    if t.get("dealing") != "hand"
}
PAGES = ("log", "security", "meters", "hits")
SEATS = (1, 2, 4)
FOLDS = 2


def staked(settings: dict[str, Any], deck: bytes) -> Desk:
    """A table with wagers; the shoe holds `deck`."""
    desk = Desk(settings, touched=True)
    desk.shoe.load(deck)
    desk.open()
    for seat in SEATS:
        side = 500 * (seat != FOLDS)  # so that no wager needs the cards of a hand that folded
        desk.app._book(events.bet(seat, stakes(desk.machine, 500, lambda: side)))
    return desk


def begun(settings: dict[str, Any], deck: bytes) -> Desk:
    desk = staked(settings, deck)
    desk.say("nmb")
    return desk


def dealing(desk: Desk) -> bool:
    """Half of the first cards lie there."""
    r = desk.machine.r
    return r.dealt >= 5 and r.kind() == "deal"


def deciding(desk: Desk) -> bool:
    return due(desk.machine).kind == "decide"


def later(desk: Desk) -> bool:
    """Board cards are seen, or the second decision is due."""
    m = desk.machine
    return due(m).kind == "decide" and (m.r.visible[BOARD] > 0 or m.r.stage > 1)


def dealt(desk: Desk) -> bool:
    """No card is due any more, and some are hidden."""
    return bool(desk.machine.r.all_dealt())


def settling(desk: Desk) -> bool:
    return due(desk.machine).kind in ("settle", "discard", "tap")


def play_until(desk: Desk, stop: Any) -> bool:
    """Play the round on; False when it is over without ever being there."""
    for _ in range(120):
        m = desk.machine
        if stop(desk):
            return True
        if m.r is None or settling(desk):
            return False
        now = due(m)
        if now.kind in DEALS:
            desk.shoe.draw() if m.r.dealing != "auto" else None
            desk.run(100)
        elif now.kind == "decide":
            words = [w for w in now.choices if w not in ("fold", "instant")]
            word = "fold" if now.seat == FOLDS and "fold" in now.choices else words[0]
            desk.say(f"{now.seat} {word}")
        else:
            desk.say("ok")
    raise AssertionError(f"stands still at {due(desk.machine)}")


def others(desk: Desk, deck: bytes, dice: random.Random) -> bytes:
    """The deck with everything changed that nobody has seen; once hands are settled all turn."""
    r = desk.machine.r
    turned = (DEALER, BOARD, *r.live()) if settling(desk) else ()
    shown = {
        c
        for place, lie in enumerate(r.cards)
        for i, c in enumerate(lie)
        if r.visible[place] >> i & 1 or place in turned
    }
    free = [c for c in deck if c not in shown]
    dice.shuffle(free)
    return bytes(c if c in shown else free.pop() for c in deck)


def probes(pair: list[Desk], dice: random.Random, faceup: bool) -> list[str]:
    """Entries that ask for cards: hidden in one of the tables, in both, in none."""
    some = [c for desk in pair for c in desk.machine.r.read if c < 52]
    some += [dice.randrange(52) for _ in range(8)]
    lines = []
    for _ in range(14):
        card = cards.name(dice.choice(some))
        places = (*SEATS, "dealer", "board")
        asks = [f"card {card}", f"stack {card}", f"hand {dice.choice(places)} {card}"]
        asks += [f"discard {dice.choice(SEATS)} {card}", f"{SEATS[0]} bet:{card}", "undo"]
        asks += ["stub 20", "goon", "dealt", f"miscount {SEATS[0]} 2", "ok"]
        lines.append(dice.choice(asks + [f"faceup {card}"] * faceup))
    return lines


def seen(desk: Desk) -> Any:
    """All that people see, and what they were told since the last call."""
    desk.run(150)
    return desk.told(), desk.terminal.rows, desk.terminal.parts, desk.leds.shown


@pytest.mark.parametrize("stop", [dealing, deciding, later, settling])
@pytest.mark.parametrize("name", READ)
def test_no_answer_depends_on_hidden_cards(name: str, stop: Any) -> None:
    for seed in range(3):
        dice = random.Random(f"{name} {stop.__name__} {seed}")
        deck = bytes(dice.sample(range(52), 52))
        one = begun(READ[name], deck)
        if not play_until(one, stop):
            continue
        two = begun(READ[name], others(one, deck, dice))
        assert play_until(two, stop)
        pair = [one, two]
        assert seen(one) == seen(two), "they look the same before anything is asked"
        for line in (*probes(pair, dice, stop is not dealing), *PAGES):
            for desk in pair:
                desk.say(line)
            assert seen(one) == seen(two), line


def test_neither_a_card_drawn_early_nor_one_read_twice_is_named_anywhere() -> None:
    tables = []
    for deck in (bytes(range(52)), bytes(range(51, -1, -1))):
        desk = staked(READ["premium-shoe"], deck[:1] + deck[:1] + deck[2:])
        desk.shoe.draw()
        desk.run(100)
        desk.say("nmb")
        desk.shoe.draw()
        desk.run(100)
        assert due(desk.machine).choices == ("double",)
        tables.append(desk)
    assert seen(tables[0]) == seen(tables[1])
    for page in PAGES:
        for desk in tables:
            desk.say(page)
            assert desk.app.page, "the page is there to be compared"
        assert seen(tables[0]) == seen(tables[1]), page


@pytest.mark.parametrize("name", [name for name in READ if name.endswith("-shoe")])
def test_a_card_that_was_not_due_stays_hidden_in_the_rack(name: str) -> None:
    """Its face would tell players who have still to decide which card they need not fear."""
    dice = random.Random(name)
    deck = bytes(dice.sample(range(52), 52))
    one = begun(READ[name], deck)
    assert play_until(one, dealt)
    two = begun(READ[name], others(one, deck, dice))
    assert play_until(two, dealt)
    drawn = [desk.shoe.draw() for desk in (one, two)]
    assert drawn[0] != drawn[1]
    told = seen(one)
    assert told == seen(two)
    assert any("DISCARD RACK ##" in row for row in told[1]), told[1]
    for page in PAGES:
        for desk in (one, two):
            desk.say(page)
        assert seen(one) == seen(two), page
