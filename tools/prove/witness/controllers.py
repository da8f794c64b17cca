"""The controller with its plugs in: the whole application in this process, stepped in time."""

from __future__ import annotations

import random
from types import SimpleNamespace
from typing import Any

from felt.app import App
from felt.field.keys import Keys
from felt.field.lamps import Lamps
from felt.field.sensors import Sensors
from felt.link.shoe import FeltShoe
from felt.link.terminal import Terminal as TerminalLink
from felt.spin.entropy import EntropySource, Generator
from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table
from felt.texts import Texts

from tools.peers.fittings import Chain, Leds, Switch
from tools.peers.wire import Clock, Wire
from tools.prove.witness.devices import Shoe, Terminal, owes
from tools.prove.witness.reading import LANGUAGE

STEP_MS = 5
REST_MS = 50  # a step while nothing moves: links beat every 250 ms, nobody looks at anything
RATE = 200  # bytes a millisecond: time on the wire is nothing to be proven here
SENSE_MS = 50  # until chips are believed
KEY_MS = 90
PATIENCE_MS = 3000
LISTEN_MS = 50  # links beat every 250 ms and repeat after 100
VIEW_MS, RANDOM_MS = 40, 250
EXCHANGES = 60  # more would be a table that never rests


class InProcess:
    """Table, vault, application and links on CPython; `settle` lets time pass until all is said.

    It builds the firmware and plugs the witness in; nothing of it is known to the dealer.
    """

    def __init__(self, settings: dict[str, Any], seed: int, abilities: int, tells: bool) -> None:
        self.settings = settings
        self.seed = seed
        self.clock = Clock(5000)
        self.random = random.Random(seed)
        self.wires = (Wire(RATE), Wire(RATE))
        self.terminal = Terminal(self.wires[0].b, 300)
        self.shoe = Shoe(self.wires[1].b, 301, abilities, tells)
        self.chain, self.switches = Chain(), (Switch(), Switch())
        self.memory = RamMemory()
        self._start(True)
        self.rest(400)

    def _start(self, blank: bool) -> None:
        bits = self.random.getrandbits
        source = EntropySource(self.random.randbytes, lambda: bits(1), b"board", 1)
        generator = Generator(source)
        if self.settings.get("bonus_spin"):
            generator.start()
        self.table = Table(self.settings, Vault(self.memory), generator)
        if blank:
            self.table.vault.clear(self.table.machine.dump(), 0)
        self.table.start(1)
        hw = SimpleNamespace(
            terminal=TerminalLink(self.wires[0].a, self.random.randrange(1, 65536)),
            shoe=FeltShoe(self.wires[1].a, self.random.randrange(1, 65536)),
            sensors=Sensors(self.chain),
            keys=Keys(self.switches),
            lamps=Lamps(Leds()),
            display=None,
            reader=None,
        )
        self.app = App(self.table, Texts(str(LANGUAGE)), hw, lambda: self.clock.now)
        self.ends = (
            (self.wires[0], self.terminal, hw.terminal.port, self.app.poll_terminal),
            (self.wires[1], self.shoe, hw.shoe.port, self.app.poll_shoe),
        )
        self._age = 0

    def step(self, ms: int = STEP_MS) -> None:
        """Let time pass; whatever that sets going is carried back and forth until it rests."""
        now = self.clock.step(ms)
        app = self.app
        app.poll_input(now)
        before, self._age = self._age, self._age + ms
        if before // LISTEN_MS != self._age // LISTEN_MS:
            self._listen(now)
        for _ in range(EXCHANGES):
            if not self._exchange(now):
                break
        if before // VIEW_MS != self._age // VIEW_MS:
            app.poll_view(now)
        if before // RANDOM_MS != self._age // RANDOM_MS:
            app.poll_random(now)

    def _listen(self, now: int) -> None:
        self.terminal.poll(now)
        self.shoe.poll(now)
        self.app.poll_shoe(now)
        self.app.poll_terminal(now)

    def _exchange(self, now: int) -> bool:
        """One turn of whoever has something to say or to do; False when nobody has."""
        app, moved = self.app, False
        for wire, here, port, there in self.ends:
            if wire.a.out or wire.b.out:
                wire.step(STEP_MS)
            if wire.b.waiting or here.owes:
                here.poll(now)
                moved = True
            if wire.a.waiting or owes(port):
                there(now)
                moved = True
        if app.queue.used or app._dirty or app._batch:
            app.poll_table(now)
            app.poll_shoe(now)
            app.poll_terminal(now)
            moved = True
        return moved

    def run(self, ms: int) -> None:
        for _ in range(ms // STEP_MS):
            self.step()

    def rest(self, ms: int) -> None:
        """Let time pass in which nobody touches anything: long steps while all is quiet."""
        while ms > 0:
            step = REST_MS if self._quiet() else STEP_MS
            self.step(step)
            ms -= step

    def settle(self) -> None:
        """Until nothing waits anywhere."""
        for _ in range(PATIENCE_MS // STEP_MS):
            self.step()
            if self._quiet():
                return

    def _quiet(self) -> bool:
        app, terminal = self.app, self.app.hw.terminal
        busy = (
            app.queue.used
            or app._dirty
            or app._rows is not None
            or terminal._stale
            or terminal._notices
            or terminal.port.pending
            or self.terminal.port.pending
            or not self.shoe.quiet
            or app.hw.shoe.port.pending
            or app.hw.shoe.port.message is not None
        )
        return not busy

    def sense(self, bits: bytes) -> None:
        if bytes(self.chain.bits) != bits:
            self.chain.bits[:] = bits
            self.run(SENSE_MS)

    def key(self, which: int, on: bool) -> None:
        if self.switches[which].on != on:
            self.switches[which].on = on
            self.run(KEY_MS)

    def unplug(self, ms: int) -> None:
        """The shoe's cable is out for a while."""
        self.wires[1].cut = True
        self.rest(ms)
        self.wires[1].cut = False
        self.rest(500)

    def close(self) -> None:
        """Nothing of it outlives the evening."""

    def restart(self) -> None:
        """A power cut: critical memory is kept, everything else starts anew."""
        for wire in self.wires:
            wire.a.out.clear()
            wire.a.waiting.clear()
        self._start(False)
        self.rest(800)
