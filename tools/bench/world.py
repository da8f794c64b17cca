"""Everything plugged into the virtual board, in one place and without a thread of its own.

`message` takes what the board sends, `tick` lets time pass, `do` is one hand movement of a person.
The same words drive it from the page, from scripts and from tests.
"""

from __future__ import annotations

import json
import random
import shlex
import struct
from pathlib import Path
from typing import Any, Callable

from felt import cards
from felt.games.settings import game_module

from tools.bench import amounts, deck, reading, wire
from tools.bench.chips import Chips
from tools.bench.display import Display
from tools.bench.hands import ACTIONS, ENTRIES, KEYS, READER, SHOE, TERM, ActionError, Hands
from tools.bench.uart import Line
from tools.peers.reader_peer import ReaderPeer
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer

LAMPS = 7
_NOTICES = 200
_FEED = 400
NOTHING: dict[str, Any] = {"kind": "", "seat": 0, "choices": [], "places": []}


class World(Hands):
    """Devices of one table. `transmit(bytes)` reaches the board while it has power."""

    def __init__(self, game: str, state: Path, seed: int = 1) -> None:
        self.game = game
        self.state = state
        self.now = 0
        self.random = random.Random(seed)
        self.transmit: Callable[[bytes], None] | None = None
        self.wishes: list[tuple[str, str]] = []  # for whoever owns the firmware process
        self.later: list[list[str]] = []  # entries that wait until the chips are felt
        self.powered = False
        self.speed = 100
        self.display = Display()
        self.lamps = [(0, 0, 0)] * LAMPS
        self.chips = Chips(game)
        self.keys = dict.fromkeys(KEYS, False)
        self.lines = {number: Line(number, self.send) for number in (TERM, SHOE, READER)}
        self.terminal = TerminalPeer(self.lines[TERM], self._session(), touched=True)
        self.reader = ReaderPeer(self.lines[READER])
        self.lines[READER].plugged = False
        self.shoe = ShoePeer(
            self.lines[SHOE], self._session(), deck.shuffled(seed), shuffler=self._reshuffle
        )
        self.picture: dict[str, Any] | None = None  # what the probe on the board tells
        self.health: dict[str, Any] | None = None
        self.feed: list[str] = []  # effects as words, newest last
        self.tidy = True
        self.notices: list[dict[str, object]] = []
        self.console: list[str] = []
        self.overruns = {TERM: 0, SHOE: 0, READER: 0}
        self.fram_writes = 0
        self.fram_bytes = 0
        self.stacked: bytes | None = None  # the deck the next shuffle gives
        self.journal: list[str] = []  # what was done by hand, as script lines
        self.pending_draws = 0
        self.dealing_due = self.hand_due = False
        self._dealt_at: object = None
        self.alive = False  # the table has shown itself since power came on
        self._gone = 0  # the terminal's link that ended with the power
        self.turning = False  # the wheel is seen to turn
        self.moves: list[dict[str, Any]] = []  # pay, take, push and return of this round
        self._swept: dict[tuple[int, str], int] = {}  # cents the dealer took up in this round
        self.peek: dict[int, list[str]] = {}  # cards by place: what each player may look at
        self._phase = ""
        self._told = 0  # cards of the deck whose place is known

    def _session(self) -> int:
        return self.random.randrange(1, 65536)

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
        self.link_ends()
        self.terminal.rows = [""] * len(self.terminal.rows)  # what it shows next is news
        self.display.power_off()
        self.lamps = [(0, 0, 0)] * LAMPS

    def link_ends(self) -> None:
        """The table that the terminal talked to is gone; it takes seconds to notice."""
        self._gone = self.terminal.port.peer

    @property
    def linked(self) -> bool:
        """The terminal talks to the table that runs now."""
        return self.terminal.connected and self.terminal.port.peer != self._gone

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
            self._move_chips(self.picture)
        elif kind == "t":
            self.turning = bool(data[0])
        elif kind == "y":
            self.health = {**json.loads(data), "writes": self.display.writes}
        elif kind == "o":
            self.overruns[channel] = int.from_bytes(data, "little")

    def caught_up(self) -> bool:
        """The table has seen chips, keys and entries; a dark or faulty one need not."""
        if self.later:
            return False
        seen = self.picture or {}
        if not self.alive or seen.get("fault") or "sensors" not in seen:
            return True
        if self.terminal.connected and self.terminal.port.pending:
            return False
        turned = sum(on << bit for bit, on in enumerate(self.keys.values()))
        return self._felt() and seen["keys"] == turned

    def _felt(self) -> bool:
        """The table has seen the chips as they lie, as far as it can."""
        seen = self.picture or {}
        if not self.alive or seen.get("fault") or "sensors" not in seen:
            return True
        if self.lines[READER].plugged and not self.reader.hung:
            lie = sorted([*place, cents] for place, cents in self.chips.amounts().items())
            if seen["amounts"] != lie:
                return False
        return bytes(seen["sensors"]) == self.chips.bitmap()

    def attend(self, request: str) -> None:
        """What the dealer's hands do beside the entries: here chips move by themselves."""

    def judge(self, what: str, wanted: str) -> bool | None:
        """Whether something is so that only a person can see; None: the bench can look."""
        return None

    def photograph(self) -> bytes | None:
        """The wheel display as a PNG, where its pixels can be seen."""
        return self.display.png()

    def tick(self, now: int) -> None:
        """Let devices do what is due at `now` (milliseconds that wrap like the board's)."""
        self.now = now
        self.shoe.poll(now)
        self.terminal.poll(now)
        self.reader.poll(now)
        if self.pending_draws and self.shoe.draw() is not None:
            self.pending_draws -= 1
        if self.dealing_due or self.hand_due:
            self._follow()
        if self.later and self._felt():
            try:
                self.say(self.later.pop(0))
            except ActionError as error:
                self.notices.append({"text": str(error), "alarm": True, "at": now})
        for text, alarm in self.terminal.notices:
            self.notices.append({"text": text, "alarm": alarm, "at": now})
            if reading.refusal(text):
                self._recorded(text)
        self.terminal.notices.clear()
        del self.notices[:-_NOTICES]

    def _recorded(self, refusal: str) -> None:
        """A recording says behind an entry that it was refused: so it plays again."""
        at = [i for i, line in enumerate(self.journal) if line.split()[1] in ENTRIES]
        if at:
            when = self.journal[at[-1]].split()[0]
            self.journal.insert(at[-1] + 1, f"{when} expect notice {shlex.quote(refusal)}")

    def _effect(self, line: str) -> None:
        """Hear an effect; chips that the dealer takes or pays out leave the felt by themselves."""
        self.feed.append(amounts.told(line))
        del self.feed[:-_FEED]
        words = line.split()
        if words[0] in ("pay", "take", "push", "return"):
            self._move(words[0], int(words[1]), words[2], int(words[3]))
        elif words[0] == "pot" and words[1] != "0":
            self._move("pay", int(words[1]), "pot", int(words[2]))
        elif words[0] == "down" or words[0] == "card" and self._phase in ("deal", "locked"):
            self._lie(int(words[1]))
        elif words[0] in ("locked", "over"):
            if words[0] == "over" and self.tidy:  # the cards are collected and shuffled
                self.shoe.load(self._reshuffle())
            self.moves, self.peek, self._told = [], {}, self.shoe.out
            self._swept = {}
        elif words[0] == "undone" and words[1] == "ACT":
            self._put_back(int(words[2]))
        if words[0] in ("phase", "locked"):
            self._phase = words[-1] if words[0] == "phase" else "locked"
        if not self.tidy:
            return
        if words[0] == "take" and words[2] in self.chips.spots:
            self._take_up(int(words[1]), words[2])
        elif words[0] == "paid":
            self._paid(int(words[1]))
        elif words[0] == "over":
            self.chips.clear()
        else:
            return
        self._sense()

    def _take_up(self, seat: int, wager: str) -> None:
        """Chips leave the felt; what is collected at the lock is no decision's cost."""
        if wager != game_module(self.game).LATCH:
            self._swept[seat, wager] = self.chips.cents.get((seat, wager), 0)
        self.chips.remove(seat, wager)

    def _put_back(self, seat: int) -> None:
        """A decision was taken back: chips that it cost lie there again."""
        latch = game_module(self.game).LATCH
        self.moves = [m for m in self.moves if m["seat"] != seat or m["wager"] == latch]
        for spot in [spot for spot in self._swept if spot[0] == seat]:
            cents = self._swept.pop(spot)
            if cents and self.tidy:
                self.chips.place(*spot, cents)
        self._sense()

    def _move(self, kind: str, seat: int, wager: str, cents: int) -> None:
        """Show money once, however often the table comes back to it."""
        move = {"kind": kind, "seat": seat, "wager": wager, "cents": cents}
        if move not in self.moves:
            self.moves.append(move)

    def _move_chips(self, picture: dict[str, Any]) -> None:
        """The dealer's hands: what the terminal asks to take at any seat is taken."""
        taken = [
            (seat, wager)
            for seat, kind, wager, _ in picture.get("asked", ())
            if kind == "take" and (seat, wager) in self.chips.cents
        ]
        for seat, wager in taken if self.tidy else ():
            self.chips.remove(seat, wager)
        if taken and self.tidy:
            self._sense()

    def _paid(self, seat: int) -> None:
        """A settled seat takes its chips up; what belongs to a pot stays until that is awarded."""
        rules = game_module(self.game)
        if not (seat and rules.POT):
            return self.chips.clear(seat or None)
        for spot in self.chips.spots:
            if spot in rules.METERS:
                self.chips.remove(seat, spot)

    def _lie(self, place: int) -> None:
        """The next card that left the shoe lies at a place: its player may look at it."""
        if self._told < self.shoe.out:
            card = self.shoe.deck[self._told]
            self.peek.setdefault(place, []).append(cards.name(card))
            self._told += 1

    def in_sight(self, place: int) -> bool:
        """A player's own cards, for that player; others' when they were turned to be named."""
        named = self.due["places"] if self.due["kind"] == "name" else ()
        return 1 <= place <= LAMPS or place in named

    @property
    def due(self) -> dict[str, Any]:
        """What the table waits for, as the probe told it last."""
        return (self.picture or {}).get("due") or NOTHING

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
