"""Start states: what a table's memory and devices look like at the moment the power comes on.

Memory is set up by the firmware's own table on an image, never by hand-made bytes.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from felt import cards as names
from felt.round import events
from felt.round.due import due
from felt.round.machine import Machine
from felt.round.procedures import PRE_SHUFFLED
from felt.store.config import identity
from felt.store.vault import Vault
from felt.table import Table

from tools.bench import deck
from tools.bench.memory import Image
from tools.bench.world import World
from tools.rounds import KEY_OFF, KEY_ON, Rounds, covered

STATES = {
    "open": "table open for bets",
    "keep": "as the last run left it",
    "factory": "factory-new: memory never set up",
    "closed": "memory set up, table closed",
    "midround": "in the middle of a round after a power loss",
    "corrupt": "critical memory damaged",
    "nofram": "no FRAM fitted",
    "stuckrandom": "ring oscillator stuck",
    "noshoe": "shoe missing",
}
CONFIG = "config.json"
BOARD_ID = b"virtual0"  # what the virtual board's unique_id() gives


def document(settings: dict[str, Any]) -> bytes:
    """The configuration as it lies on the table's flash."""
    return json.dumps(settings).encode()


def prepare(name: str, world: World, settings: dict[str, Any]) -> dict[str, str]:
    """Make the state folder ready; return the environment the virtual board starts with."""
    if name not in STATES:
        raise ValueError(f"no start state {name!r}: {', '.join(STATES)}")
    flash = world.state / "flash"
    flash.mkdir(parents=True, exist_ok=True)
    (flash / CONFIG).write_bytes(document(settings))
    path = world.state / "fram.bin"
    if name == "factory":
        _new(path, bytes(32768))
    elif name != "keep" or not path.exists():
        _image(name, world, settings, path)
    if name == "noshoe":
        world.lines[1].plugged = False
    if name == "nofram":
        return {"FELT_FRAM": "none"}
    return {"FELT_ROSC": "stuck"} if name == "stuckrandom" else {}


def closed(settings: dict[str, Any], state: Path) -> None:
    """A table that was set up and not opened yet, whoever plays at it."""
    (state / "flash" / CONFIG).write_bytes(document(settings))
    _image("closed", None, settings, state / "fram.bin")


def _image(name: str, world: World | None, settings: dict[str, Any], path: Path) -> None:
    image = Image(b"")
    vault = Vault(image, owner=BOARD_ID)
    table = Table(settings, vault, identity=bytes(8) + identity(document(settings))[:8] + bytes(8))
    if table.machine is None:
        raise ValueError(f"settings refused: {table.detail}")
    vault.clear(Machine(settings).dump(), 0)
    table.start(1)
    player = _Starter(table, world)
    if name != "closed":
        _open(player)
    if name == "midround" and world:
        _play(table, player, world)
    if name == "corrupt":
        for at in range(64, 32768, 97):
            image.data[at] ^= 0x20
    _new(path, bytes(image.data))


def _new(path: Path, memory: bytes) -> None:
    """Put new critical memory in place: an archive of rounds before it would be newer than it."""
    path.write_bytes(memory)
    shutil.rmtree(path.parent / "flash" / "rounds", ignore_errors=True)


class _Starter(Rounds):
    """Opens a table and deals from the shoe in the world."""

    def __init__(self, table: Table, world: World | None) -> None:
        super().__init__(table.machine, table.submit)
        self.world = world

    def cards_come(self) -> int:
        return PRE_SHUFFLED

    def card(self, place: int) -> int:
        assert self.world
        return self.world.shoe._next(1)[0]

    def until(self, *kinds: str) -> None:
        while due(self.m).kind not in kinds:
            self.turn()


def _open(player: _Starter) -> None:
    """Take the opening checklist to its end, with the floorperson's key where it is needed."""
    player.feed(KEY_ON)
    player.until("bet")
    player.feed(KEY_OFF)


def _play(table: Table, player: _Starter, world: World) -> None:
    """Two seats bet, cards are dealt up to the first decision; chips and shoe follow."""
    m = table.machine
    for seat in (2, 5):
        amounts = _stakes(table)
        table.submit(events.bet(seat, amounts))
        for wager, cents in zip(m.game.WAGERS, amounts):
            if cents:
                world.chips.place(seat, wager, cents)
    table.submit(events.pack("SENSORS", covered(m)))
    table.lock()
    world.shoe.load(deck.shuffled(world.random.randrange(1 << 30)))
    player.until("decide")
    world._told = world.shoe.out
    for seat in (2, 5):
        world.peek[seat] = [names.name(card) for card in m.r.cards[seat]]
        if m.game.LATCH:
            world.chips.remove(seat, m.game.LATCH)


def _stakes(table: Table) -> list[int]:
    """The mandatory wagers at $5, and the wheel's where the table has one."""
    m = table.machine
    amounts = [500 if i < m.game.MANDATORY else 0 for i in range(len(m.game.WAGERS))]
    if m.wheel:
        amounts[m.game.WAGERS.index(m.game.LATCH)] = m.wheel.stake
    return amounts
