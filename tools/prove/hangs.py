"""Freeze the running firmware again and again in the middle of rounds; the watchdog restarts it.

The process of a virtual table is stopped from outside (SIGSTOP) at random instants while rounds
are played, so a task never returns and the watchdog is no longer fed. After each restart the
table must stand exactly where critical memory says, and the dealer plays on.

    tools/hangs.py [--hangs 100] [--seed 1]
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from felt.dealer.screen import shown
from felt.games.common import PLACES, UP
from felt.round import events
from felt.round.due import DEALS, due
from felt.store.vault import Vault
from felt.table import Table

from tools import stopped
from tools.bench.deck import A_SPIN
from tools.bench.memory import Image
from tools.bench.session import Session
from tools.bench.supervisor import until
from tools.counts import count

SILENCE_S = 0.6  # stepped time stands still with the process; then the watchdog's time is over
WDT_RESET = 3  # what machine.reset_cause() says
# Ticks of 5 ms from a restart to the next hang: mostly soon, now and then after a whole spin.
EVERY = ((5, 120), (5, 120), (100, 600), (600, 2400))


class Broken(Exception):
    """A round was not as critical memory has it."""


def look(session: Session) -> tuple[Any, list[bytes]]:
    """The table and all events kept, as critical memory says."""
    image = Image((session.state / "fram.bin").read_bytes())
    vault = Vault(image)
    table = Table(session.settings, vault)
    vault.open()
    since = list(vault.replay())
    kept = [event for found in reversed(list(vault.rounds())) for event in found.events()]
    table.start(1)
    if table.fault:
        raise Broken(f"memory: {table.fault} {table.detail}")
    return table, kept + since


def follows(before: list[bytes], after: list[bytes]) -> list[bytes]:
    """The events after those of `before`; Broken when one of them is gone."""
    for at in range(len(after) - len(before), -1, -1):
        if after[at : at + len(before)] == before:
            return after[at + len(before) :]
    raise Broken(f"events lost: {before} is not in {after}")


def picture(table: Any) -> dict[str, Any]:
    m = table.machine
    out = {"phase": m.phase_name(), "round_no": m.round_no, "bets": m.bets, "boots": m.boots}
    out["jackpot"] = m.meters.jackpot
    if m.r:
        out["cards"] = [shown(m.r, place).split() for place in range(PLACES)]
        for name in ("raised", "pays", "dealt"):
            out[name] = getattr(m.r, name)
        out["tapped"] = list(m.r.tapped)
        now = due(m)
        places = [place & ~UP for place in now.places]
        out["due"] = {**now._asdict(), "choices": list(now.choices), "places": places}
        del out["due"]["amounts"]
    return out


class Dealer:
    """Plays rounds from what the terminal asks for, one move at a time."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.wait = 0
        self.rounds = self.seen = 0

    def step(self, now: int) -> None:
        """Called every tick; does the next thing when the last one has arrived."""
        w = self.session.world
        if not (w.alive and w.terminal.connected and w.shoe.port.up):
            self.wait = 20
            return
        if self.wait or w.terminal.port.pending or w.shoe.port.pending:
            self.wait = max(0, self.wait - 1)
            return
        self.wait = 12
        self.move(w, w.picture or {})

    def move(self, w: Any, seen: dict[str, Any]) -> None:
        kind, seat, choices = w.due["kind"], w.due["seat"], w.due["choices"]
        if kind == "bet":
            self.bet(w, seen)
        elif kind in DEALS:
            w.do("deal")
        elif kind == "decide":
            w.do(f"decide {seat} {'play1' if 'play1' in choices else choices[-1]}")
        elif kind == "tap":
            w.do(f"tap {seat}")
        elif choices == ["shuffle"]:
            w.do("stack " + A_SPIN)
            w.do("shuffle")
        elif choices == ["verify"]:
            w.do("key attendant on")
            w.do("say ok")
        elif kind == "hand_pay":
            w.do("key attendant on")
            w.do(f"say handpaid {seat}")
        elif kind == "stub":
            w.do(f"say stub {w.shoe.inside}")
        else:
            w.do("say ok")

    def bet(self, w: Any, seen: dict[str, Any]) -> None:
        if not seen["bets"][1]:
            w.do("stack " + A_SPIN)
            w.do("bet 1 ante 5 xtra 5 bonus_spin 5")
        elif not seen["bets"][3]:
            w.do("bet 3 ante 10 xtra 10")
        else:
            w.do("say nmb")


class Hangs:
    """Counts down to the next hang, freezes the process, compares after the restart."""

    def __init__(self, session: Session, seed: int) -> None:
        self.session = session
        self.dice = random.Random(seed)
        self.left = self.soon()
        self.done = 0
        self.still = 0
        self.phases: dict[str, int] = {}

    def soon(self) -> int:
        return self.dice.randint(*self.dice.choice(EVERY))

    def tick(self, now: int) -> None:
        if self.session.world.alive:
            self.left -= 1

    async def hang(self) -> None:
        """One hang: freeze, be bitten, come back as memory says."""
        s, w = self.session.supervisor, self.session.world
        if not await until(lambda: self.left <= 0, 60):
            raise Broken(f"the round stands still: {w.terminal.rows[:2]} {w.console[-3:]}")
        pid, bites, starts = s.pid, s.bites, s.starts
        os.kill(pid, signal.SIGSTOP)
        table, kept = look(self.session)
        w.picture, w.alive = None, False
        if not await until(lambda: s.starts > starts and w.alive, 30):
            raise Broken(f"not restarted: {s.bites - bites} bites, {w.console[-3:]}")
        new = follows(kept[-60:], look(self.session)[1])
        if s.cause != "wdt" or not new or new[0] != events.pack("BOOT", WDT_RESET):
            raise Broken(f"no start by the watchdog: {s.cause} {new}")
        self.compare(picture(table), w.picture or {}, len(new) == 1)
        self.left = self.soon()

    def compare(self, wanted: dict[str, Any], found: dict[str, Any], still: bool) -> None:
        """`still`: nothing came in since the restart, so the table is as it was."""
        if found.get("fault"):
            raise Broken(f"{found['fault']} {found.get('detail')}")
        for name, value in wanted.items():
            if still and found.get(name) != value:
                raise Broken(f"{name}: {found.get(name)} is not {value}")
        self.done += 1
        self.still += still
        self.phases[wanted["phase"]] = self.phases.get(wanted["phase"], 0) + 1


async def run(folder: Path, hangs: int, seed: int, say: Any = print) -> Hangs:
    """So many hangs at one table; raises Broken when a round was not intact."""
    session = Session(folder, live=False, seed=seed)
    await session.start()
    session.supervisor.silence = SILENCE_S
    try:
        if not await until(lambda: session.world.alive, 30):
            raise Broken(f"no table: {session.world.console}")
        dealer, watch = Dealer(session), Hangs(session, seed)
        session.supervisor.on_tick += [dealer.step, watch.tick]
        while watch.done < hangs:
            await watch.hang()
            if watch.done % 10 == 0:
                rounds = (session.world.picture or {})["round_no"]
                say(f"{watch.done} hangs, {rounds} rounds finished")
        return watch
    finally:
        await session.stop()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--hangs", type=count, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    begin = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = asyncio.run(run(Path(folder), args.hangs, args.seed))
        except Broken as error:
            print(f"FAIL {error}")
            return 1
    where = ", ".join(f"{n} in {phase}" for phase, n in sorted(done.phases.items()))
    print(f"PASS {done.done} hangs in {time.monotonic() - begin:.0f} s: {where}")
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
