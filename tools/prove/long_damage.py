"""Damaged critical memory: every start finds it, or has exactly the state it had before.

Bytes changed, cleared and set, alone and in bursts, anywhere in a memory that was used for long.
"""

from __future__ import annotations

import random
from typing import Any, Callable

from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table

from tools.prove.player import TABLES, Player
from tools.prove.remembering import Remembering

SETTINGS: list[dict[str, Any]] = [dict(settings) for settings in TABLES]


def used(settings: dict[str, Any], seed: int) -> bytes:
    """A memory whose journal has wrapped more than once, in the middle of a round."""
    table = Table(settings, Vault(RamMemory()))
    table.start(0, 3)
    table.clear(0)
    player = Player(table.machine, lambda event: table.submit(event), seed)
    for _ in range(60):
        player.round()
    while table.machine.between or table.machine.r.dealt < 5:
        player.turn()
    return bytes(table.vault.nv.data)


def damaged(image: bytes, dice: random.Random) -> tuple[bytearray, str]:
    """The image with a byte or a burst changed, and a word for how."""
    out = bytearray(image)
    length = dice.choice((1, 1, 1, 2, 4, 16, 64))
    at = dice.randrange(len(image) - length + 1)
    how = dice.choice(("bit", "zero", "one", "random"))
    for i in range(at, at + length):
        fill = {"bit": out[i] ^ 1 << dice.randrange(8), "zero": 0, "one": 255}
        out[i] = fill.get(how, dice.randrange(256))
    return out, f"{how} {length} at {at}"


def view(settings: dict[str, Any], image: bytes | bytearray) -> tuple | None:
    """All that a start finds, or None when it stays closed by a fault."""
    nv = RamMemory()
    nv.data[:] = image
    table = Table(settings, Remembering(nv))
    table.start(0, 3)
    if table.fault:
        return None
    rounds = [list(found.events()) for found in table.vault.rounds()]
    entries = [list(source) for source in (table.vault.entries(), table.vault.hits())]
    return table.machine.snapshot(), table.vault.seq, rounds, entries


def run(count: int, seed: int, say: Callable[[str], None]) -> str:
    dice = random.Random(seed)
    found = harmless = done = 0
    for i, settings in enumerate(SETTINGS):
        image = used(settings, seed * 100 + i)
        whole = view(settings, image)
        assert whole is not None
        share = count * (i + 1) // len(TABLES) - done
        for _ in range(share):
            changed, how = damaged(image, dice)
            seen = whole if changed == image else view(settings, changed)
            assert seen is None or seen == whole, f"{settings['game']}: silently other, {how}"
            found += seen is None
            harmless += seen is not None
            done += 1
            say(f"{done} damages, {found} found")
    return f"{done} damaged memories: {found} found, {harmless} harmless, none silently older"
