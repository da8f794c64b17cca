"""A running table in this process: the application, its real parts and peers on two wires.

What a Pico would do, without its time: `step()` is five milliseconds. The machine behind the
table is shadowed by a Witness, so every event that is journalled is checked against all laws.
"""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

from felt.app import App
from felt.field.keys import Keys
from felt.field.lamps import Lamps
from felt.field.sensors import Sensors
from felt.link.reader import FeltReader
from felt.link.shoe import FeltShoe
from felt.link.terminal import Terminal
from felt.round import events
from felt.round.due import due
from felt.spin.entropy import EntropySource, Generator
from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table
from felt.texts import Texts

from host_tests.helpers.invariants import Witness
from tools.paths import ROOT
from tools.peers.fittings import Chain, Leds, Switch
from tools.peers.reader_peer import ReaderPeer
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer
from tools.peers.wire import Clock, Wire

LANGUAGE = str(ROOT / "firmware" / "lang" / "en.txt")
POLLS = ("input", "shoe", "terminal", "table", "view", "reader")
NOD = 410  # a second ok or NEXT within 400 ms is not heeded


class Noise:
    """Both noise sources; `stuck` holds the ring oscillator's bit."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.stuck: int | None = None

    def jitter(self) -> int:
        return self.random.getrandbits(1) if self.stuck is None else self.stuck


class WitnessedTable(Table):
    """Every event the journal takes is stepped by a witness too, with the same effects."""

    witness: Witness | None = None

    def submit(self, event: bytes) -> list:
        effects = super().submit(event)
        assert self.witness is None or self.witness.step(event) == effects
        return effects


class Desk:
    """The application with everything plugged in; `say` types at the terminal."""

    def __init__(
        self, settings: dict[str, Any], seed: int = 1, memory: Any = None, touched: bool = False
    ) -> None:
        self.settings = settings
        self.clock = Clock()
        self.noise = Noise(seed)
        self.wires = (Wire(), Wire(), Wire())  # terminal, shoe, chip reader
        self.terminal = TerminalPeer(self.wires[0].b, 300, touched)
        deck = bytes(random.Random(seed).sample(range(52), 52))
        self.shoe = ShoePeer(self.wires[1].b, 301, deck)
        self.reader = ReaderPeer(self.wires[2].b)
        self.chain, self.keys, self.leds = Chain(), [Switch(), Switch()], Leds()
        self.memory = memory or RamMemory()
        self.reading = bool(settings.get("reader"))  # the reader is plugged in
        self.effects: list[tuple] = []
        self.table = self._table(memory is None)
        self.app = self._app()

    def _table(self, blank: bool) -> WitnessedTable:
        noise = self.noise
        generator = Generator(EntropySource(noise.random.randbytes, noise.jitter, b"board", 1))
        if self.settings.get("bonus_spin"):
            generator.start()
        table = WitnessedTable(self.settings, Vault(self.memory), generator)
        if blank:
            table.witness = Witness(self.settings)
            assert table.machine is not None
            table.vault.clear(table.machine.dump(), 0)
        table.start(1)
        return table

    def _app(self) -> Any:
        hw = SimpleNamespace(
            terminal=Terminal(self.wires[0].a, 11),
            shoe=FeltShoe(self.wires[1].a, 12),
            sensors=Sensors(self.chain),
            keys=Keys(self.keys),
            lamps=Lamps(self.leds),
            display=None,
            reader=FeltReader(self.wires[2].a) if self.settings.get("reader") else None,
        )
        app = App(self.table, Texts(LANGUAGE), hw, lambda: self.clock.now)
        app.feed = self.effects.append
        return app

    @property
    def machine(self) -> Any:
        return self.table.machine

    def step(self, times: int = 1) -> None:
        for _ in range(times):
            now = self.clock.step(5)
            for wire in self.wires:
                wire.step(5)
            self.terminal.poll(now)
            self.shoe.poll(now)
            if self.reading:
                self.reader.poll(now)
            for name in POLLS:
                getattr(self.app, "poll_" + name)(now)
            if now // 5 % 50 == 0:
                self.app.poll_random(now)

    def run(self, ms: int) -> None:
        self.step(ms // 5)

    def say(self, line: str, ms: int = 100) -> None:
        """Type a line; the chips of a decision are put down before it is entered."""
        words = line.split()
        if self.settings.get("sensors", True) and len(words) == 2 and words[0].isdigit():
            game = self.machine.game
            spot = game.decision(words[1]).spot if words[1] in game.ACTIONS else None
            if spot:
                self.cover(int(words[0]), spot)
        self.terminal.command(line)
        self.run(max(ms, NOD) if line.startswith(("ok", "next")) else ms)

    def touch(self, key: str, value: int = 0, ms: int = NOD) -> None:
        """A key of the terminal, and time to see what came of it."""
        self.terminal.key(key, value)
        self.run(ms)

    def told(self) -> list[str]:
        """Everything the terminal was told since the last call."""
        words = [text for text, _ in self.terminal.notices]
        self.terminal.notices.clear()
        return words

    def open(self) -> None:
        """The opening checklist, with the floorperson's key."""
        self.run(400)
        self.keys[0].on = True
        self.run(100)
        self.say("open pre")
        while self.machine.phase_name() == "check":
            self.say("ok")
        self.keys[0].on = False
        self.run(100)

    def cover(self, seat: int, *wagers: str) -> None:
        spots = self.machine.game.WAGERS + self.machine.game.RAISES
        for wager in wagers:
            self.chain.bits[seat - 1] |= 1 << spots.index(wager)
        self.run(60)

    def stack(self, text: str) -> None:
        """Put these cards on top of the deck the shoe holds, without telling anybody."""
        from felt import cards

        first = [cards.parse(card) for card in text.split()]
        rest = [card for card in range(52) if card not in first]
        self.shoe.load(bytes(first + rest))

    def deal(self) -> None:
        """Pull cards as long as one is due."""
        while due(self.machine).kind == "deal":
            assert self.shoe.draw() is not None
            self.run(60)

    def restarted(self) -> Desk:
        """The table after a power cut: critical memory is kept, chips lie where they lay."""
        found = Desk(self.settings, 2, self.memory)
        found.chain.bits[:] = self.chain.bits
        return found


def event_names(table: Table) -> list[str]:
    """The names of the events since the last checkpoint."""
    return [events.unpack(event)[0] for event in table.vault.tail()]
