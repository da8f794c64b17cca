"""What a person's hands can do at the table, one method a word of the script language."""

from __future__ import annotations

import random
import struct
from typing import Any, Callable

from bench import deck, wire
from bench.chips import Chips
from bench.uart import Line

from felt import cards
from peers.shoe_peer import ShoePeer
from peers.terminal_peer import TerminalPeer

TERM, SHOE = 0, 1
KEYS = {"attendant": 26, "service": 27}


class ActionError(Exception):
    """What a person asked for cannot be done; the text says why."""


class Hands:
    """The movements; World gives them something to move."""

    chips: Chips
    keys: dict[str, bool]
    lines: dict[int, Line]
    terminal: TerminalPeer
    shoe: ShoePeer
    random: random.Random
    picture: dict[str, Any] | None
    stacked: bytes | None
    wishes: list[tuple[str, str]]
    powered: bool
    speed: int
    pending_draws: int
    dealing_due: bool
    hand_due: bool
    _dealt_at: object

    def send(self, packed: bytes) -> None:
        raise NotImplementedError

    def _reshuffle(self) -> bytes:
        order, self.stacked = self.stacked, None
        return order or deck.shuffled(self.random.randrange(1 << 30))

    def _sense(self) -> None:
        self.send(wire.pack("s", 0, self.chips.bitmap()))

    def _turn(self, name: str) -> None:
        self.send(wire.pack("p", KEYS[name], bytes([0 if self.keys[name] else 1])))

    def place(self, w: list[str]) -> None:
        self.chips.place(int(w[0]), w[1], cents(w[2]))
        self._sense()

    def remove(self, w: list[str]) -> None:
        self.chips.remove(int(w[0]), w[1], cents(w[2]) if len(w) > 2 else None)
        self._sense()

    def sweep(self, w: list[str]) -> None:
        self.chips.clear(int(w[0]) if w else None)
        self._sense()

    def stick(self, w: list[str]) -> None:
        """`stick SEAT SPOT on|off|free`: a sensor that no longer tells the truth."""
        seat = int(w[0])
        self.chips.check(seat, w[1])
        self.chips.forced.pop((seat, w[1]), None)
        if w[2] != "free":
            self.chips.forced[seat, w[1]] = w[2] == "on"
        self._sense()

    def bet(self, w: list[str]) -> None:
        """`bet SEAT WAGER AMOUNT ...`: chips on the spots and the amounts on the terminal."""
        seat = int(w[0])
        self.chips.clear(seat)
        for spot, amount in zip(w[1::2], w[2::2]):
            self.chips.place(seat, spot, cents(amount))
        self._sense()
        self.say(["bet", *w])

    def say(self, w: list[str]) -> None:
        if not self.terminal.command(" ".join(w)):
            raise ActionError("the terminal's queue is full")

    def decide(self, w: list[str]) -> None:
        """`decide SEAT ACTION`: the chips follow the decision, the dealer enters it."""
        self._raise_chips(int(w[0]), w[1])
        self.say(["act", *w])

    def _raise_chips(self, seat: int, action: str) -> None:
        spot = action.rstrip("0123456789")
        ante = self.chips.cents.get((seat, "ante"), 0)
        if spot in self.chips.spots and ante:
            times = action[len(spot) :]
            self.chips.remove(seat, spot)
            self.chips.place(seat, spot, ante * int(times or 1))
            self._sense()

    def tap(self, w: list[str]) -> None:
        self.say(["tap", *w])

    def key(self, w: list[str]) -> None:
        name = w[0]
        self.keys[name] = (w[1] == "on") if len(w) > 1 else not self.keys[name]
        self._turn(name)

    def deal(self, w: list[str]) -> None:
        """`deal [N|due]`: the dealer pulls N cards from the shoe, or all the table asks for."""
        if w and w[0] == "due":
            self.dealing_due = True
        else:
            self.pending_draws += int(w[0]) if w else 1

    def hand(self, w: list[str]) -> None:
        """`hand [N|due]`: the dealer deals from the hand and each card is entered."""
        if w and w[0] == "due":
            self.hand_due = True
            return
        for _ in range(int(w[0]) if w else 1):
            self._hand_one()

    def _hand_one(self) -> None:
        if not self.shoe.inside:
            raise ActionError("the deck is at its end")
        self.say(["card", cards.name(self.shoe._next(1)[0])])

    def _follow(self) -> None:
        """Deal on by itself while `due` was asked for and the table wants another card."""
        due = bool((self.picture or {}).get("due")) and self.powered
        quiet = not self.terminal.port.pending and not self.shoe.port.pending
        settled = quiet and self.picture is not self._dealt_at
        if self.dealing_due and settled:
            self.dealing_due = due and self.shoe.draw() is not None
            self._dealt_at = self.picture
        elif self.hand_due and settled:
            self.hand_due = due and self.shoe.inside > 0
            self._dealt_at = self.picture
            if self.hand_due:
                self._hand_one()

    def stack(self, w: list[str]) -> None:
        """`stack AhKd...`: these cards first, in the deck in the shoe or the next shuffle's."""
        order = deck.stacked("".join(w), self.random.randrange(1 << 30))
        if self.shoe.out == 0:
            self.shoe.load(order)
        else:
            self.stacked = order

    def shuffle(self, w: list[str]) -> None:
        """`shuffle [COUNT]`: the shoe shuffles and reports how many cards it counted."""
        self.shoe.begin_shuffle()
        self.shoe.end_shuffle(self._reshuffle(), 1, int(w[0]) if w else None)

    def shuffle_deck(self, w: list[str]) -> None:
        """The cards are shuffled out of the table's sight: a new order, nothing reported."""
        self.shoe.load(self._reshuffle())

    def faceup(self, w: list[str]) -> None:
        if self.shoe.draw(face_up=True) is None:
            raise ActionError("the shoe lets no card go")

    def jam(self, w: list[str]) -> None:
        self.shoe.jam()

    def unjam(self, w: list[str]) -> None:
        self.shoe.clear_jam()

    def lift(self, w: list[str]) -> None:
        self.shoe.remove()

    def fit(self, w: list[str]) -> None:
        self.shoe.attach(self._reshuffle())

    def unplug_line(self, w: list[str]) -> None:
        self.lines[_device(w[0])].plugged = False

    def plug_line(self, w: list[str]) -> None:
        self.lines[_device(w[0])].plugged = True

    def garbage(self, w: list[str]) -> None:
        """`garbage shoe|terminal [BYTES]`: noise on a line."""
        count = int(w[1]) if len(w) > 1 else 64
        self.lines[_device(w[0])].noise(count, self.random.randrange(1 << 30))

    def type(self, w: list[str]) -> None:
        """`type TEXT`: a line on the USB service console."""
        self.wishes.append(("type", " ".join(w)))

    def power(self, w: list[str]) -> None:
        self.wishes.append(("power", w[0]))

    def cut_power(self, w: list[str]) -> None:
        """`cut-power [now|write|N]`: at once, at the next FRAM byte, or after N of them."""
        when = w[0] if w else "now"
        if when == "now":
            self.wishes.append(("power", "off"))
        else:
            after = 0 if when == "write" else int(when)
            self.send(wire.pack("k", 0, struct.pack("<I", after)))

    def watchdog(self, w: list[str]) -> None:
        self.wishes.append(("watchdog", ""))

    def set_speed(self, w: list[str]) -> None:
        self.speed = int(w[0])
        self.send(wire.pack("v", 0, struct.pack("<H", self.speed)))
        self.wishes.append(("speed", w[0]))

    def rosc(self, w: list[str]) -> None:
        self.send(wire.pack("r", 0, bytes([w[0] == "stuck"])))


def _device(name: str) -> int:
    return {"terminal": TERM, "shoe": SHOE}[name]


def cents(text: str) -> int:
    """Cents of "5" or "5.50" dollars."""
    whole, _, rest = text.partition(".")
    if len(rest) not in (0, 2):
        raise ValueError(f"no amount: {text!r}")
    return int(whole) * 100 + int(rest or 0)


ACTIONS: dict[str, Callable[[Hands, list[str]], None]] = {
    "place": Hands.place,
    "remove": Hands.remove,
    "sweep": Hands.sweep,
    "stick": Hands.stick,
    "bet": Hands.bet,
    "say": Hands.say,
    "decide": Hands.decide,
    "tap": Hands.tap,
    "key": Hands.key,
    "deal": Hands.deal,
    "hand": Hands.hand,
    "shuffle-deck": Hands.shuffle_deck,
    "stack": Hands.stack,
    "shuffle": Hands.shuffle,
    "faceup": Hands.faceup,
    "jam": Hands.jam,
    "unjam": Hands.unjam,
    "lift": Hands.lift,
    "fit": Hands.fit,
    "unplug": Hands.unplug_line,
    "plug": Hands.plug_line,
    "garbage": Hands.garbage,
    "type": Hands.type,
    "power": Hands.power,
    "cut-power": Hands.cut_power,
    "watchdog": Hands.watchdog,
    "speed": Hands.set_speed,
    "random": Hands.rosc,
}
