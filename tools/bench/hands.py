"""What a person's hands can do at the table, one method a word of the script language."""

from __future__ import annotations

import struct
from typing import Callable

from tools.bench import wire
from tools.bench.amounts import cents
from tools.bench.chips import Chips
from tools.bench.shoe_hands import ActionError, ShoeHands
from tools.bench.uart import Line
from tools.image.build import board_data
from tools.peers.reader_peer import ReaderPeer

TERM, SHOE, READER = 0, 1, 2
ENTRIES = ("say", "touch", "bet", "decide", "tap", "deal", "hand")  # words the table answers
_PINS = board_data("VIRTUAL")["PINS"]
KEYS = {"attendant": _PINS["KEY_ATTENDANT"], "service": _PINS["KEY_SERVICE"]}


class Hands(ShoeHands):
    """The movements; World gives them something to move."""

    chips: Chips
    reader: ReaderPeer
    keys: dict[str, bool]
    lines: dict[int, Line]
    later: list[list[str]]
    wishes: list[tuple[str, str]]
    speed: int

    def send(self, packed: bytes) -> None:
        raise NotImplementedError

    def _sense(self) -> None:
        self.send(wire.pack("s", 0, self.chips.bitmap()))
        self.reader.cents = self.chips.amounts()

    def touch(self, w: list[str]) -> None:
        """`touch KEY [VALUE]`: a key of the dealer's terminal, as docs/links.md names them."""
        if not self.terminal.connected or not self.terminal.key(w[0], int(w[1]) if w[1:] else 0):
            raise ActionError("the terminal has no link: the touch was not sent")

    def sensors(self, w: list[str]) -> None:
        """`sensors presence|amounts`: what the table sees of the chips."""
        self.lines[READER].plugged = {"presence": False, "amounts": True}[w[0]]

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
        self.later.append(["act", *w])  # once the spots have felt the chips

    def _raise_chips(self, seat: int, action: str) -> None:
        """What a decision that was taken back had put down goes; an earlier stage's chips stay."""
        for word in (action, *self.due["choices"]):
            found = self.chips.raised(seat, word)
            if found:
                self.chips.remove(seat, found[0])
        found = self.chips.raised(seat, action)
        if found:
            self.chips.place(seat, *found)
        self._sense()

    def tap(self, w: list[str]) -> None:
        self.say(["tap", *w])

    def key(self, w: list[str]) -> None:
        name = w[0]
        self.keys[name] = (w[1] == "on") if len(w) > 1 else not self.keys[name]
        self._turn(name)

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
    return {"terminal": TERM, "shoe": SHOE, "reader": READER}[name]


ACTIONS: dict[str, Callable[[Hands, list[str]], None]] = {
    "place": Hands.place,
    "remove": Hands.remove,
    "sweep": Hands.sweep,
    "stick": Hands.stick,
    "bet": Hands.bet,
    "say": Hands.say,
    "touch": Hands.touch,
    "sensors": Hands.sensors,
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
