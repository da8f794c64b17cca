"""Writes docs/screens/money.md: every screen that tells a dealer to move chips, as text.

Each game is played once with six or seven players, antes of $10,000 and the longest words: what
does not fit into a row or onto the screen here is an error, so nothing is ever cut at a table.
"""

from __future__ import annotations

import sys
from typing import Any, Iterable

from felt import cards
from felt.dealer import parts, screen
from felt.dealer.desk import Desk
from felt.games.bonus_spin import TOP
from felt.games.common import BOARD, BURN, DEALER
from felt.link import terminal as t
from felt.round import events, procedures
from felt.round.due import DEALS, SPUN, due
from felt.round.machine import Machine
from felt.round.meters import CAUSES
from felt.texts import Texts

from tools import games
from tools.games import GAMES, LANGUAGE
from tools.generate.written import keep
from tools.paths import ROOT
from tools.rounds import KEY_ON, Rounds

OUT = ROOT / "docs" / "screens" / "money.md"
MOST = 1_000_000  # cents of every wager that has no exact stake
LOOKS = ("bet", "decide", "reveal", "settle", "tap", "pot", "spin", *SPUN, "collect")
STEPS = 300
NAMES = {"dealer": DEALER, "board": BOARD, "burn": BURN}
# What each place is dealt; the rest comes from the deck in its order. Seat 6 folds where it can.
HANDS = {
    "premium": {"s1": "AhKhQh", "s2": "2c3c4c", "s3": "QsQdQc", "dealer": "2d7s9c",
                "board": "JhThKsKd"},
    "headsup": {"s1": "AhKh", "s2": "AsAd", "s3": "2c7d", "dealer": "2d7s",
                "board": "QhJhTh2h2s"},
    "colorado": {"s1": "AhKh2c", "s2": "QsQd3c", "s3": "8c8d8h", "board": "QhJhTh"},
    "winners_pot": {"s1": "AhKhQhJhTh", "s2": "AsKsQsJsTs", "dealer": "2d7s9c3h4d"},
    "ultimate": {"s1": "AhKh", "s2": "AsAd", "s3": "2c7d", "dealer": "2d7s",
                 "board": "QhJhTh2h2s"},
    "three_card": {"s1": "AhKhQh", "s2": "3s3d3c", "s3": "2c7d9h", "dealer": "2d7s9c"},
}  # fmt: skip
JACKPOT = 123_456_789


class Cut(Exception):
    """A row or a screen that is too small for what it has to say."""


class Play(Rounds):
    """One table at the edge: everything as large as it gets."""

    def __init__(self, game: str) -> None:
        settings = games.settings(game) | {"reader": False}
        settings["limits"] = {wager: [100, MOST] for wager in settings["limits"]}
        m = Machine(settings)
        super().__init__(m, m.step)
        self.desk = Desk()
        self.texts = Texts(str(LANGUAGE))
        self.spins: list[int] = []
        if self.m.wheel:  # the top prize, then the one that pays everybody most
            self.m.meters.jackpot = JACKPOT
            shares = list(self.m.wheel.community)
            self.spins = [TOP, shares.index(max(shares)) + 1]
        self.pictures: list[tuple[str, list[str]]] = []
        self.parts: dict[str, dict[int, str]] = {}  # of the touch terminal, by title
        hands = HANDS.get(game, {})
        places = {NAMES[k] if k in NAMES else int(k[1:]): v for k, v in hands.items()}
        self.hands = {place: list(cards.parse_all(text)) for place, text in places.items()}
        held = [card for hand in self.hands.values() for card in hand]
        self.deck = [card for card in range(51, -1, -1) if card not in held]

    def say(self, name: str, *args: Any) -> None:
        self.m.step(events.pack(name, *args))

    def look(self, title: str) -> None:
        """Keep the picture; raise Cut when something of it is missing."""
        view = screen.View(self.m, self.desk, self.texts, every=True)
        rows = list(screen._body(view))
        wide = [row for row in rows if len(row) > screen.COLUMNS]
        if wide or len(rows) >= screen.ROWS or len(screen.foot(view)) > screen.COLUMNS:
            raise Cut(f"{self.m.game.NAME}, {title}: {wide or rows}")
        told = [row for row in screen.screen(view) if row]
        found = self.parts[title] = parts.parts(view, False)
        tiles = [_tile(seat, found[t.SEAT + seat]) for seat in range(1, self.m.cfg["seats"] + 1)]
        self.pictures.append((title, told + [""] + [tile for tile in tiles if tile]))

    def open(self) -> None:
        self.feed(KEY_ON)
        while due(self.m).kind != "bet":
            self.turn()

    def bets(self) -> None:
        """Every seat has every wager, at its most."""
        game = self.m.game
        seats = range(1, self.m.cfg["seats"] + 1)
        amounts = [game.exact(self.m.cfg, wager) or MOST for wager in game.WAGERS]
        self.cover([(1 << len(amounts)) - 1] * len(seats))
        for seat in seats:
            for spot, cents in enumerate(amounts):
                self.desk.say(seat, spot, cents)
        self.look("Bets, before they are locked")
        for seat in seats:
            self.m.step(events.bet(seat, amounts))
        self.say("LOCK", b"")
        self.desk.locked(self.m)

    def cover(self, spots: Iterable[int]) -> None:
        self.say("SENSORS", bytes([*spots, *[0] * 7])[:7])

    def cards_come(self) -> int:
        return procedures.PRE_SHUFFLED

    def card(self, place: int) -> int:
        hand = self.hands.get(place)
        return hand.pop(0) if hand else self.deck.pop(0)

    def decision(self, now: Any) -> tuple[str, int]:
        """Seat 6 folds, the others raise as much as they may."""
        if now.seat == 6 and "fold" in now.choices:
            return "fold", events.NO_CARD
        dear = lambda word: self.m.game.price(self.m.r, now.seat, word)  # noqa: E731
        return max(now.choices, key=dear), events.NO_CARD

    def position(self, seat: int) -> int:
        return self.spins.pop(0)

    def laid_down(self, seat: int) -> int:
        return self.m.r.cards[seat][2]

    def raised(self, seat: int, word: str) -> None:
        """Chips of a raise lie on their spot."""
        spot = self.m.game.decision(word).spot
        if spot:
            seen = bytearray(self.m.sensors)
            seen[seat - 1] |= 1 << self.m.game.SPOTS.index(spot)
            self.cover(seen)

    def turn(self) -> None:
        """Do what is due; chips of a raise lie on their spot."""
        now = due(self.m)
        event = self.answer()
        self.feed(event)
        if now.kind == "decide":
            word = self.m.game.ACTIONS[event[2]]
            self.raised(now.seat, word)
            if word == "fold":
                self.look(f"Seat {now.seat} folds")

    def play(self) -> list[tuple[str, list[str]]]:
        """Play the round; return its pictures."""
        self.open()
        self.bets()
        if self.m.game.LATCH:
            self.look("Locked: what is collected at once")
        seen = set()
        for _ in range(STEPS):
            now = due(self.m)
            title = f"{now.kind} {now.seat}" if now.seat else now.kind
            if now.kind in LOOKS and (now.kind not in seen or now.kind not in ("bet", "decide")):
                self.look(title)
            seen.add(now.kind)
            if now.kind == "collect":
                return self.pictures
            self.turn()
        raise Cut(f"{self.m.game.NAME} does not end: {due(self.m)}")

    def void(self, cause: int) -> list[tuple[str, list[str]]]:
        """The round is void after the first decision."""
        self.open()
        self.bets()
        while due(self.m).kind in DEALS:
            self.turn()
        self.pictures.clear()
        self.turn()
        self.say("VOID", cause)
        self.look("Void")
        return self.pictures


def _tile(seat: int, text: str) -> str:
    lines = [line[1:] for line in text.lstrip("*>").split("\n") if line[1:].strip()]
    return f"[{seat}] " + " | ".join(lines) if lines else ""


def page() -> str:
    """The whole file."""
    texts = Texts(str(LANGUAGE))
    out = [
        "# Money on the screen",
        "",
        "Written by `python -m tools.generate.money_screens`; `--check` fails when one changed.",
        "Every wager is $10,000 or its exact stake, every seat is taken. Above the blank line are",
        "the rows of the text screen, below it what the tiles of the touch terminal say.",
    ]
    for game in GAMES:
        out += ["", "## " + texts.get("game." + game)]
        voids = [Play(game).void(cause) for cause in range(len(CAUSES))]
        for title, rows in Play(game).play() + voids[0]:
            out += ["", "### " + title, "", "```", *[row.rstrip() for row in rows], "```"]
    return "\n".join(out) + "\n"


def main(check: bool) -> int:
    try:
        return keep({OUT: page()}, check)
    except Cut as cut:
        print(f"does not fit: {cut}")
        return 1


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
