"""Plays a script against a table, one small step per tick, and writes the transcript.

The same runner drives the virtual table in real or stepped time and a real board over serial: it
only uses a World's actions and what the terminal shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator

from bench.script import Statement, flatten
from bench.hands import ActionError
from bench.world import World

PATIENCE = 10_000
GRACE = 1_000
PACE = 60  # a dealer's hands are not infinitely fast; milliseconds between confirmations


class Failed(Exception):
    """The table did not do what the script expects."""


class Runner:
    """`step(now)` moves on; `done`, `error` and `transcript` tell what became of it."""

    def __init__(
        self, statements: list[Statement], supervisor: Any, out: Path | None = None
    ) -> None:
        self._supervisor = supervisor
        self._out = out or Path("build")
        self._statements = flatten(statements)
        self._play = self._run()
        self.done = False
        self.error = ""
        self.current = ""
        self.transcript: list[str] = []
        self.listen: Callable[[str], None] | None = None
        self.now = 0
        self._seen_notices = 0
        self._marks = {"feed": 0, "notice": 0}

    @property
    def world(self) -> World:
        return self._supervisor.world

    def state(self) -> dict[str, Any]:
        return {
            "done": self.done, "error": self.error, "line": self.current,
            "transcript": self.transcript[-200:],
        }  # fmt: skip

    def say(self, text: str) -> None:
        self.transcript.append(text)
        if self.listen:
            self.listen(text)

    def step(self, now: int) -> None:
        """Called with the time; does as much as is possible without waiting."""
        self.now = now
        if self.done:
            return
        try:
            next(self._play)
        except StopIteration:
            self.done = True
        except (Failed, ActionError) as error:
            self.done = True
            self.error = f"{self.current}: {error}"
            self.say("FAILED " + self.error)

    def _run(self) -> Iterator[None]:
        for statement in self._statements:
            self.current = f"line {statement.number} ({statement.text})"
            special = getattr(self, "_" + statement.verb.replace("-", "_"), None)
            if special:
                yield from special(statement.words)
            else:
                self.say(f"> {statement.text}")
                yield from self._linked()
                self.world.do(statement.text.partition("#")[0])
                yield from self._settled()

    def _pause(self, ms: int) -> Iterator[None]:
        start = self.now
        while (self.now - start) % (1 << 30) < ms:
            yield

    def _linked(self) -> Iterator[None]:
        """Nothing is done while a plugged-in terminal is still finding the table."""
        start = self.now
        while (self.now - start) % (1 << 30) < PATIENCE and self.world.powered:
            if self.world.terminal.connected or not self.world.lines[0].plugged:
                return
            yield

    def _settled(self) -> Iterator[None]:
        """Wait until what is under way has reached the table and its answer is here."""
        start = self.now
        yield
        while (self.now - start) % (1 << 30) < PATIENCE and self.world.powered:
            w = self.world
            busy = w.terminal.port.pending if w.terminal.connected else 0
            busy += w.shoe.port.pending if w.shoe.port.up else 0
            if not busy and not (w.pending_draws and w.shoe.port.up):
                break
            yield
        yield from self._pause(PACE * max(100, self.world.speed) // 100)  # real time at least

    # statements of the language

    def _wait(self, words: list[str]) -> Iterator[None]:
        yield from self._pause(int(words[0]))

    def _wait_for(self, words: list[str]) -> Iterator[None]:
        patience = PATIENCE
        if len(words) > 2 and words[-1].isdigit():
            patience = int(words.pop())
        what, wanted = words[0], " ".join(words[1:])
        start = self.now
        while not self._holds(what, wanted):
            if (self.now - start) % (1 << 30) >= patience:
                raise Failed(f"{what} is {self._look(what)!r}")
            yield
        self.say(f"  {what}: {wanted}")

    def _expect(self, words: list[str]) -> Iterator[None]:
        yield from self._wait_for([*words, str(GRACE)])

    def _expect_not(self, words: list[str]) -> Iterator[None]:
        what, wanted = words[0], " ".join(words[1:])
        if self._holds(what, wanted):
            raise Failed(f"{what} is {self._look(what)!r}")
        self.say(f"  {what} is not: {wanted}")
        yield

    def _holds(self, what: str, wanted: str) -> bool:
        return wanted.lower() in self._look(what).lower()

    def _look(self, what: str) -> str:
        w = self.world
        if what == "screen":
            return "\n".join(w.terminal.rows)
        if what == "prompt":
            return w.terminal.rows[1] if len(w.terminal.rows) > 1 else ""
        if what == "notice":
            return "\n".join(str(n["text"]) for n in w.notices[-8:])
        if what == "feed":
            return "\n".join(w.feed[-40:])
        if what == "wheel":
            return "turning" if w.turning else "still"
        if what == "power":
            return "on" if w.powered else "off"
        if what == "lamp":
            return " ".join(f"{i + 1}={r},{g},{b}" for i, (r, g, b) in enumerate(w.lamps))
        if what in ("phase", "fault", "jackpot"):
            return str((w.picture or {}).get(what, ""))
        raise Failed(f"cannot look at {what!r}")

    def _screenshot(self, words: list[str]) -> Iterator[None]:
        path = Path(words[0]) if words[0].startswith("/") else self._out / words[0]
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(self.world.display.png())
        self.say(f"  screenshot {words[0]}")
        yield

    def _print(self, words: list[str]) -> Iterator[None]:
        self.say(" ".join(words))
        yield

    def _table(self, words: list[str]) -> Iterator[None]:
        """`table GAME [DEALING]` is for whoever starts the table; here it only says so."""
        self.say("table " + " ".join(words))
        yield

    def _deal_all(self, words: list[str]) -> Iterator[None]:
        """Pull one card after the other as long as the prompt asks for one."""
        self.say("> deal-all")
        dealt = 0
        while "Next card" in self._look("prompt"):
            before = self.world.shoe.out
            self.world.do("deal")
            yield from self._settled()
            dealt += self.world.shoe.out - before
            if self.world.shoe.out == before:
                raise Failed("the shoe lets no card go")
        self.say(f"  {dealt} cards")

    def _checklist(self, words: list[str]) -> Iterator[None]:
        """Confirm step after step; the floorperson's key is turned where it is needed."""
        self.say("> checklist")
        for _ in range(20):
            if (self.world.picture or {}).get("phase") != "check":
                return
            prompt = self._look("prompt")
            self.say("  " + prompt)
            verify = "key on" in prompt.lower()
            if verify:
                self.world.do("key attendant on")
                yield from self._pause(200)
            self.world.do("say ok")
            yield from self._settled()
            if verify:
                self.world.do("key attendant off")
                yield from self._pause(200)
        raise Failed("the checklist does not end")

    def _settle(self, words: list[str]) -> Iterator[None]:
        """Confirm what the table asks for until the hands are settled."""
        self.say("> settle")
        for _ in range(40):
            picture = self.world.picture or {}
            phase = picture.get("phase")
            if phase not in ("settle", "pot", "show", "reveal"):
                return
            prompt = self._look("prompt")
            for row in self.world.terminal.rows[1:15]:
                if row.strip() and row[:1] not in ("o", "|"):
                    self.say("  | " + row)
            if "tap it" in prompt:
                self.world.do(f"tap {picture['turn']}")
            else:
                self.world.do("say ok")
            yield from self._settled()
        raise Failed("settlement does not end")
