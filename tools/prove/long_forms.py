"""make long ARGS="soak|fuzz|cuts|damage|configs [COUNT] [SEED]": the proofs that take their time.

Each runs in one process to its end, says how far it is, and ends with one line of counts or with
the first thing that went wrong and how to see it again.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from typing import Any, Callable

from felt.round import events
from felt.round.machine import Machine
from felt.round.meters import Meters
from felt.round.state import Refused, Round
from felt.store.archive import Archive
from felt.store.area import RamMemory
from felt.store.vault import Vault
from felt.table import Table

from tools import stopped
from tools.counts import count
from tools.prove import long_configs, long_damage
from tools.prove.player import TABLES, Dice, Player
from tools.prove.powercut import Proof
from tools.prove.remembering import Remembering

SETTINGS: list[dict[str, Any]] = [dict(settings) for settings in TABLES]
OWNER = b"longform"
COUNTS = {
    "soak": 1_000_000,
    "fuzz": 1_000_000,
    "cuts": 100_000,
    "damage": 20_000,
    "configs": 2_000,
}
REFOLD = 40  # fuzzed events from one fold of the journal to the next
RESTART = 0.002  # how often one is followed by a restart
STARTS_CUT = 5  # torn cuts of a round whose next start is cut at every byte
STORE = 8  # rounds from one writing of the archive to the next
SAY_S = 30
_said = [0.0]


def say(text: str) -> None:
    """Tell how far it is, now and then."""
    if time.monotonic() - _said[0] > SAY_S:
        _said[0] = time.monotonic()
        print(text, flush=True)


def fresh(settings: dict[str, Any], nv: Any) -> Table:
    table = Table(settings, Vault(nv, owner=OWNER), identity=bytes(range(24)))
    table.start(0, 3)
    table.clear(0)
    return restart(table)


def restart(table: Table) -> Table:
    """The table after a power cut, in the very state it was in."""
    old = table.machine
    again = Table(
        old.cfg_source, Remembering(table.vault.nv, owner=OWNER), identity=table.identity
    )
    again.archive = table.archive
    again.start(0, old.keys)
    assert again.fault is None, (again.fault, again.detail)
    if old.config_id == again.machine.config_id:
        boots, again.machine.boots = again.machine.boots, old.boots
        assert again.machine.snapshot() == old.snapshot(), "another state after a restart"
        again.machine.boots = boots
    return again


def refold(table: Table) -> None:
    """What the journal says is what the table believes, to the last attribute."""
    m = Machine(table.machine.cfg_source)
    vault = Vault(table.vault.nv, owner=OWNER)
    m.load(vault.open())
    for event in vault.replay():
        m.step(event)
    found, believed = attributes(m), attributes(table.machine)
    other = [(k, believed[k], found.get(k)) for k in believed if believed[k] != found.get(k)]
    assert not other, other


# Not compared: the rules, and what may be taken back, which news that is not journalled ends.
RULES = ("game", "cfg", "cfg_source", "wheel", "script", "undo", "stands")


def attributes(value: Any, under: str = "") -> dict[str, Any]:
    """Everything a machine knows but its rules, as plain values by their names."""
    out: dict[str, Any] = {}
    for name, each in vars(value).items():
        if isinstance(each, (Meters, Round)):
            out |= attributes(each, name + ".")
        elif name not in RULES and (under or name != "base"):
            out[under + name] = each
    return out


class Played:
    """A table with its archive and somebody who plays it."""

    def __init__(self, settings: dict[str, Any], seed: int, folder: str) -> None:
        self.table = fresh(settings, RamMemory())
        self.table.archive = Archive(folder)
        self.player = Player(self.table.machine, self.feed, seed)

    def feed(self, event: bytes) -> None:
        self.table.submit(event)
        assert self.table.fault is None, (self.table.fault, self.table.detail)

    def restart(self) -> None:
        self.table = restart(self.table)
        self.player.m = self.table.machine

    def verify(self) -> None:
        assert self.table.vault.verify() == [], self.table.vault.verify()
        _, bad, breaks = self.table.archive.verify()
        assert (bad, breaks) == (0, 0), (bad, breaks)


def soak(count: int, seed: int) -> str:
    """Rounds of every game with irregularities, restarts and an archive that is always full."""
    restarts = done = 0
    for i, settings in enumerate(SETTINGS):
        with tempfile.TemporaryDirectory() as folder:
            played = Played(settings, seed * 100 + i, folder)
            share = count * (i + 1) // len(TABLES) - done
            for n in range(share):
                played.player.round()
                if n % STORE == 0:
                    played.table.store_rounds()
                if n % 41 == 0:
                    played.restart()
                    restarts += 1
                if n % 5000 == 4999:
                    played.verify()
                say(f"{done + n} rounds, {settings['game']}")
            played.verify()
            done += share
    return f"{done} rounds over {len(TABLES)} tables, {restarts} restarts, nothing lost"


def strange(dice: random.Random) -> bytes:
    """Any event, with fields that are often nearly right."""
    if dice.random() < 0.02:  # but no CONFIG: other settings are a fault at the next restart
        return bytes([dice.randrange(4, 256)]) + dice.randbytes(dice.randrange(20))
    name, code, fields = dice.choice([row for row in events.TABLE if row[0] != "CONFIG"])
    out = bytearray([code])
    for letter in fields:
        size = (
            dice.choice((0, 6, 7, 24, 31)) if letter == "*" else {"b": 1, "h": 2, "i": 4}[letter]
        )
        top = 8 if dice.random() < 0.7 else 256
        out += bytes(dice.randrange(top) for _ in range(size))
    return bytes(out)


def fuzz(count: int, seed: int) -> str:
    """Any event at any moment: taken, or refused by name with nothing changed."""
    done = taken = restarts = folds = 0
    for i, settings in enumerate(SETTINGS):
        dice = random.Random(seed * 100 + i)
        with tempfile.TemporaryDirectory() as folder:
            played = Played(settings, seed * 100 + i, folder)
            share = count * (i + 1) // len(TABLES) - done
            for n in range(share):
                if dice.random() < 0.3:
                    played.player.turn()
                    assert played.table.fault is None, (played.table.fault, played.table.detail)
                taken += thrown(played.table, strange(dice))
                if n % REFOLD == 0:
                    refold(played.table)
                    folds += 1
                if dice.random() < RESTART:
                    played.restart()
                    restarts += 1
                    played.table.store_rounds()
                say(f"{done + n} events, {settings['game']}")
            done += share
    return (
        f"{done} fuzzed events, {taken} taken, journal folded {folds} times, "
        f"{restarts} restarts, no law broken"
    )


def thrown(table: Table, event: bytes) -> int:
    before = table.machine.snapshot()
    try:
        table.typed(event) if event[0] & 1 else table.submit(event)
    except Refused as e:
        assert e.code != "program_error", (event, e.about)
        assert table.machine.snapshot() == before, (event, e.code)
        return 0
    assert table.fault is None, (event, table.fault, table.detail)
    return 1


def cuts(count: int, seed: int) -> str:
    """Cuts at every byte, torn bytes, and second cuts in the start after the first."""
    done = [0, 0, 0]
    rounds = 0
    while sum(done) < count:
        dice = Dice(seed * 1000 + rounds)
        proof = Proof(SETTINGS[rounds % len(TABLES)], seed * 1000 + rounds, kind=Remembering)
        proof.roll_on(1500 + 1500 * (rounds % 8))
        proof.play()
        proof.cut_everywhere()
        proof.tear_everywhere(dice)
        proof.cut_starts(dice, STARTS_CUT)
        done = [a + b for a, b in zip(done, (proof.cuts, proof.torn, proof.doubles))]
        rounds += 1
        say(f"{rounds} rounds, {done[0]} cuts, {done[1]} torn bytes, {done[2]} double cuts")
    return (
        f"{rounds} rounds: {done[0]} cuts, {done[1]} torn bytes, {done[2]} double cuts, "
        "nothing lost"
    )


FORMS: dict[str, Callable[[int, int], str]] = {
    "soak": soak,
    "fuzz": fuzz,
    "cuts": cuts,
    "damage": lambda count, seed: long_damage.run(count, seed, say),
    "configs": lambda count, seed: long_configs.run(count, seed, say),
}


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("form", choices=FORMS)
    parser.add_argument("count", type=count, nargs="?", help="how much; without it, up to hours")
    parser.add_argument("seed", type=int, nargs="?", default=1)
    args = parser.parse_args(argv)
    began = time.monotonic()
    line = FORMS[args.form](args.count or COUNTS[args.form], args.seed)
    print(f"{args.form}: {line} ({time.monotonic() - began:.0f} s)")
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
