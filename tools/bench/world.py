"""Everything plugged into the virtual board, in one place and without a thread of its own.

`message` takes what the board sends, `tick` lets time pass, `do` is one hand movement of a person.
The same words drive it from the page, from scripts and from tests.
"""

from __future__ import annotations

import json
import random
import struct
from pathlib import Path
from typing import Any, Callable

from bench import deck, games, wire
from bench.chips import Chips
from bench.display import Display
from bench.uart import Line

from felt import cards
from peers.shoe_peer import ShoePeer
from peers.terminal_peer import TerminalPeer

TERM, SHOE = 0, 1
KEYS = {"attendant": 26, "service": 27}
LAMPS = 7
_NOTICES = 200
_FEED = 400


class ActionError(Exception):
    """What a person asked for cannot be done; the text says why."""


class World:
    """Devices of one table. `transmit(bytes)` reaches the board while it has power."""

    def __init__(self, game: str, state: Path, seed: int = 1) -> None:
        self.game = game
        self.state = state
        self.now = 0
        self.random = random.Random(seed)
        self.transmit: Callable[[bytes], None] | None = None
        self.wishes: list[tuple[str, str]] = []  # for whoever owns the firmware process
        self.powered = False
        self.speed = 100
        self.display = Display()
        self.lamps = [(0, 0, 0)] * LAMPS
        self.chips = Chips(games.spots(game))
        self.keys = dict.fromkeys(KEYS, False)
        self.lines = {TERM: Line(TERM, self.send), SHOE: Line(SHOE, self.send)}
        self.terminal = TerminalPeer(self.lines[TERM], self._session())
        self.shoe = ShoePeer(
            self.lines[SHOE], self._session(), deck.shuffled(seed), shuffler=self._reshuffle
        )
        self.picture: dict[str, Any] | None = None  # what the probe on the board tells
        self.health: dict[str, Any] | None = None
        self.feed: list[str] = []  # effects as words, newest last
        self.tidy = True
        self.notices: list[dict[str, object]] = []
        self.console: list[str] = []
        self.overruns = {TERM: 0, SHOE: 0}
        self.fram_writes = 0
        self.fram_bytes = 0
        self.stacked: bytes | None = None  # the deck the next shuffle gives
        self.journal: list[str] = []  # what was done by hand, as script lines
        self.pending_draws = 0
        self.dealing_due = self.hand_due = False
        self._dealt_at: object = None
        self.alive = False  # the table has shown itself since power came on
        self.turning = False  # the wheel is seen to turn
        self.moves: list[dict[str, Any]] = []  # pay, take, push and return of this round
        self.peek: dict[int, list[str]] = {}  # cards by place: what each player may look at
        self._phase = ""
        self._told = 0  # cards of the deck whose place is known

    def _session(self) -> int:
        return self.random.randrange(1, 65536)

    def _reshuffle(self) -> bytes:
        order, self.stacked = self.stacked, None
        return order or deck.shuffled(self.random.randrange(1 << 30))

    # the board's side

    def send(self, packed: bytes) -> None:
        if self.transmit and self.powered:
            self.transmit(packed)

    def plug_in(self) -> None:
        """The board has power: it finds everything as it lies on the table."""
        self.powered = True
        self._sense()
        for name in KEYS:
            self._turn(name)
        self.send(wire.pack("v", 0, struct.pack("<H", self.speed)))

    def unplug(self) -> None:
        self.powered = self.alive = False
        self.display.power_off()
        self.lamps = [(0, 0, 0)] * LAMPS

    def message(self, kind: str, channel: int, data: bytes) -> None:
        """One message of the board."""
        if kind == "u" and channel in self.lines:
            self.lines[channel].arrive(data)
        elif kind == "c":
            self.display.command(data)
        elif kind == "d":
            self.display.data(data)
        elif kind == "l":
            self.lamps = [(data[i + 1], data[i], data[i + 2]) for i in range(0, len(data) - 2, 3)]
        elif kind == "f":
            self.fram_writes += 1
            self.fram_bytes += struct.unpack("<HH", data)[1]
        elif kind == "e":
            self._effect(data.decode())
        elif kind == "n":
            self.picture = json.loads(data)
            self.alive = True
        elif kind == "t":
            self.turning = bool(data[0])
        elif kind == "y":
            self.health = json.loads(data)
        elif kind == "o":
            self.overruns[channel] = int.from_bytes(data, "little")

    def tick(self, now: int) -> None:
        """Let devices do what is due at `now` (milliseconds that wrap like the board's)."""
        self.now = now
        self.shoe.poll(now)
        self.terminal.poll(now)
        if self.pending_draws and self.shoe.draw() is not None:
            self.pending_draws -= 1
        if self.dealing_due or self.hand_due:
            self._follow()
        for text, alarm in self.terminal.notices:
            self.notices.append({"text": text, "alarm": alarm, "at": now})
        self.terminal.notices.clear()
        del self.notices[:-_NOTICES]

    def _effect(self, line: str) -> None:
        """Hear an effect; chips that the dealer takes or pays out leave the felt by themselves."""
        self.feed.append(line)
        del self.feed[:-_FEED]
        words = line.split()
        if words[0] in ("pay", "take", "push", "return"):
            move = {"kind": words[0], "seat": int(words[1]), "wager": words[2]}
            self.moves.append({**move, "cents": int(words[3])})
        elif words[0] == "pot" and words[1] != "0":
            pot = {"kind": "pay", "seat": int(words[1]), "wager": "pot"}
            self.moves.append({**pot, "cents": int(words[2])})
        elif words[0] == "down" or words[0] == "card" and self._phase in ("deal", "locked"):
            self._lie(int(words[1]))
        elif words[0] in ("locked", "over"):
            self.moves, self.peek, self._told = [], {}, self.shoe.out
        if words[0] in ("phase", "locked"):
            self._phase = words[-1] if words[0] == "phase" else "locked"
        if not self.tidy:
            return
        if words[0] == "latched":
            self.chips.remove(int(words[1]), "bonus_spin")
        elif words[0] == "take" and words[2] in self.chips.spots:
            self.chips.remove(int(words[1]), words[2])
        elif words[0] == "paid" and words[1] != "0":
            self.chips.clear(int(words[1]))
        elif words[0] == "over":
            self.chips.clear()
        else:
            return
        self._sense()

    def _lie(self, place: int) -> None:
        """The next card that left the shoe lies at a place: its player may look at it."""
        if self._told < self.shoe.out:
            card = self.shoe.deck[self._told]
            self.peek.setdefault(place, []).append(cards.name(card))
            self._told += 1

    # a person's side

    def do(self, line: str) -> None:
        """One action, e.g. `place 3 ante 5`; ActionError says why it cannot be done."""
        words = line.split()
        action = ACTIONS.get(words[0]) if words else None
        if action is None:
            raise ActionError(f"no such action: {line!r}")
        try:
            action(self, words[1:])
        except (ValueError, IndexError, KeyError) as error:
            raise ActionError(f"{line}: {error}") from error
        self.journal.append(f"{self.now} {line}")

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

    def shoe_left(self) -> str:
        return cards.names(self.shoe.deck[self.shoe.out :])


def _device(name: str) -> int:
    return {"terminal": TERM, "shoe": SHOE}[name]


def cents(text: str) -> int:
    """Cents of "5" or "5.50" dollars."""
    whole, _, rest = text.partition(".")
    if len(rest) not in (0, 2):
        raise ValueError(f"no amount: {text!r}")
    return int(whole) * 100 + int(rest or 0)


ACTIONS: dict[str, Callable[[World, list[str]], None]] = {
    "place": World.place,
    "remove": World.remove,
    "sweep": World.sweep,
    "stick": World.stick,
    "bet": World.bet,
    "say": World.say,
    "decide": World.decide,
    "tap": World.tap,
    "key": World.key,
    "deal": World.deal,
    "hand": World.hand,
    "shuffle-deck": World.shuffle_deck,
    "stack": World.stack,
    "shuffle": World.shuffle,
    "faceup": World.faceup,
    "jam": World.jam,
    "unjam": World.unjam,
    "lift": World.lift,
    "fit": World.fit,
    "unplug": World.unplug_line,
    "plug": World.plug_line,
    "garbage": World.garbage,
    "type": World.type,
    "power": World.power,
    "cut-power": World.cut_power,
    "watchdog": World.watchdog,
    "speed": World.set_speed,
    "random": World.rosc,
}
