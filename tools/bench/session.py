"""One virtual table from a person's point of view: a game, its state folder, power, scripts."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from bench import ROOT, games, starts
from bench.runner import Runner
from bench.script import parse
from bench.supervisor import Supervisor
from bench.hands import ActionError
from bench.world import World

SCRIPTS = ROOT / "tools" / "bench" / "scripts"
_FEED = 80


class Session:
    """Owns a World and its Supervisor; a change of game gives new ones."""

    def __init__(self, folder: Path, game: str = "premium", **options: Any) -> None:
        self.folder = folder
        self.game = game
        self.dealing: str = options.get("dealing", "shoe")
        self.start_state: str = options.get("start", "open")
        self.live: bool = options.get("live", True)
        self.seed: int = options.get("seed", 1)
        self.spin: str = options.get("spin", "flush5_progressive")
        self.runner: Runner | None = None
        self.supervisor: Supervisor

    @property
    def world(self) -> World:
        return self.supervisor.world

    @property
    def state(self) -> Path:
        return self.folder / self.game

    async def start(self) -> None:
        self.settings = games.settings(self.game, self.dealing, self.spin)
        self.state.mkdir(parents=True, exist_ok=True)
        world = World(self.game, self.state, self.seed)
        environment = starts.prepare(self.start_state, world, self.settings)
        self.supervisor = Supervisor(world, self.live, **environment)
        await self.supervisor.start()

    async def stop(self) -> None:
        await self.supervisor.stop()

    async def switch(self, words: list[str]) -> None:
        """`game NAME [DEALING] [START]`: another table; the old one keeps its memory."""
        await self.stop()
        self.game = words[0]
        self.dealing = words[1] if len(words) > 1 else "shoe"
        self.start_state = words[2] if len(words) > 2 else "open"
        self.runner = None
        await self.start()

    async def do(self, line: str) -> None:
        words = line.split()
        if words[:1] == ["game"]:
            if len(words) < 2 or words[1] not in games.TITLES:
                raise ActionError(f"no such game: {line!r}")
            await self.switch(words[1:])
        elif words[:1] == ["stop-script"]:
            self.runner = None
        else:
            self.world.do(line)

    def run_script(self, text: str) -> None:
        runner = Runner(parse(text), self.supervisor)
        self.runner = runner

        def step(now: int) -> None:
            if self.runner is runner and not runner.done:
                runner.step(now)

        self.supervisor.on_tick.append(step)

    def scripts(self) -> dict[str, str]:
        return {path.stem: path.read_text() for path in sorted(SCRIPTS.glob("*.felt"))}

    def recording(self) -> str:
        from bench.record import script_of

        return script_of(self.world.journal, self.game, self.dealing)

    def hello(self) -> dict[str, Any]:
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
                "rows": list(w.terminal.rows), "up": w.terminal.connected,
                "plugged": w.lines[0].plugged,
            },
            "shoe": {
                "inside": shoe.inside, "out": shoe.out, "up": shoe.port.up, "jammed": shoe.jammed,
                "attached": shoe.attached, "plugged": w.lines[1].plugged,
                "stacked": bool(w.stacked),
            },
            "notices": w.notices[-12:],
            "console": w.console[-60:],
            "fram": {"writes": w.fram_writes, "bytes": w.fram_bytes},
            "links": {"overruns": [w.overruns[0], w.overruns[1]]},
            "display": {"on": w.display.on, "frames": w.display.writes, "turning": w.turning},
            "picture": w.picture,
            "moves": list(w.moves),
            "peek": {str(seat): hand for seat, hand in w.peek.items() if 1 <= seat <= 7},
            "health": w.health,
            "feed": w.feed[-_FEED:],
            "script": self.runner.state() if self.runner else None,
        }  # fmt: skip
