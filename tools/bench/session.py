"""One virtual table from a person's point of view: a game, its state folder, power, scripts."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from tools import games
from tools.bench import starts
from tools.bench.hands import ActionError
from tools.bench.runner import Runner
from tools.bench.script import ScriptError, parse, table_of
from tools.bench.supervisor import Supervisor, until
from tools.bench.world import World
from tools.paths import ROOT

SCRIPTS = ROOT / "tools" / "bench" / "scripts"
_FEED = 80


class Session:
    """Owns a World and its Supervisor; a change of game gives new ones."""

    def __init__(self, folder: Path, game: str = games.FIRST, **options: Any) -> None:
        self.folder = folder
        self.game = game
        self.dealing: str = options.get("dealing", "shoe")
        self.start_state: str = options.get("start", "open")
        self.live: bool = options.get("live", True)
        self.seed: int = options.get("seed", 1)
        self.spin: str = options.get("spin", "flush5_progressive")
        self.changes: dict[str, Any] = options.get("changes", {})  # settings other than usual
        self.runner: Runner | None = None
        self._table = asyncio.Lock()  # one change of it at a time, whoever asks
        self.speed = 100
        self.supervisor: Supervisor

    @property
    def world(self) -> World:
        return self.supervisor.world

    @property
    def state(self) -> Path:
        return self.folder / self.game

    async def start(self) -> None:
        self.settings = games.settings(self.game, self.dealing, self.spin) | self.changes
        self.state.mkdir(parents=True, exist_ok=True)
        world = World(self.game, self.state, self.seed)
        world.speed = self.speed
        environment = starts.prepare(self.start_state, world, self.settings)
        self.supervisor = Supervisor(world, self.live, **environment)
        self._hello = self._introduction()  # changes together with the world it speaks of
        self.supervisor.on_tick.append(self._step)
        await self.supervisor.start()

    async def stop(self) -> None:
        await self.supervisor.stop()

    def _step(self, now: int) -> None:
        if self.runner and not self.runner.done:
            self.runner.step(now)

    async def switch(self, words: list[str]) -> None:
        """Another table, by game, dealing, start and seed; the old one keeps its memory."""
        self.runner = None
        self.speed = self.world.speed
        await self.stop()
        self.game, self.dealing, self.start_state, seed = words
        self.seed = int(seed)
        await self.start()

    async def do(self, line: str) -> None:
        words = line.split()
        if words[:1] == ["game"]:
            try:
                async with self._table:
                    await self.switch(table_of(parse("table " + " ".join(words[1:]))))
            except ScriptError as error:
                raise ActionError(str(error)) from error
        elif words[:1] == ["stop-script"]:
            self.runner = None
        else:
            self.world.do(line)

    async def run_script(self, text: str) -> None:
        """Play a script; one with a `table` line gets such a table first."""
        statements = parse(text)
        async with self._table:
            if any(statement.verb == "table" for statement in statements):
                await self.switch(table_of(statements))
                await until(lambda: self.world.alive)
            self.runner = Runner(statements, self.supervisor)

    def scripts(self) -> dict[str, str]:
        return {path.stem: path.read_text() for path in sorted(SCRIPTS.glob("*.felt"))}

    def recording(self) -> str:
        from tools.bench.record import script_of

        table = f"{self.game} {self.dealing} {self.start_state} {self.seed}"
        return script_of(self.world.journal, table)

    def hello(self) -> dict[str, Any]:
        return self._hello

    def _introduction(self) -> dict[str, Any]:
        return {
            **games.describe(self.game),
            "dealing": self.dealing,
            "start": self.start_state,
            "starts": list(starts.STATES),
            "settings": self.settings,
        }

    def state_message(self) -> dict[str, Any]:
        """Everything the page shows, as JSON-ready values; keys are compared one by one."""
        w, s = self.world, self.supervisor
        shoe = w.shoe
        return {
            "power": {
                "on": w.powered, "alive": w.alive, "speed": w.speed, "starts": s.starts,
                "bites": s.bites, "cause": s.cause, "failed": s.failed,
            },
            "keys": dict(w.keys),
            "chips": [[*spot, cents] for spot, cents in sorted(w.chips.cents.items())],
            "lamps": [list(lamp) for lamp in w.lamps],
            "terminal": {
                "rows": list(w.terminal.rows), "parts": list(w.terminal.parts),
                "up": w.terminal.connected and w.lines[0].plugged, "plugged": w.lines[0].plugged,
                "sent": w.terminal.sent, "taken": w.terminal.taken,
                "dropped": w.terminal.dropped,
            },
            "sensors": "amounts" if w.lines[2].plugged else "presence",
            "shoe": {
                "inside": shoe.inside, "out": shoe.out, "up": shoe.port.up, "jammed": shoe.jammed,
                "attached": shoe.attached, "plugged": w.lines[1].plugged,
                "stacked": bool(w.stacked),
            },
            "notices": w.notices[-12:],
            "console": w.console[-60:],
            "fram": {"writes": w.fram_writes, "bytes": w.fram_bytes},
            "links": {"overruns": [w.overruns[0], w.overruns[1]]},
            "display": {
                "on": w.display.on, "turning": w.turning,
                "size": [w.display.width, w.display.height],
            },
            "picture": w.picture,
            "seen": w.caught_up(),
            "moves": list(w.moves),
            "peek": {str(place): hand for place, hand in w.peek.items() if w.in_sight(place)},
            "health": w.health,
            "feed": w.feed[-_FEED:],
            "script": self.runner.state() if self.runner else None,
        }  # fmt: skip
