"""Plays a script against a table, one small step per tick, and writes the transcript.

The same runner drives the virtual table in real or stepped time and a real board over serial: it
only uses a World's actions and what the terminal shows.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, Callable, Iterator

from tools.bench import amounts, reading
from tools.bench.hands import ENTRIES, ActionError
from tools.bench.routines import Failed, NoTable, Routines
from tools.bench.script import Statement, flatten
from tools.bench.world import World

PATIENCE = 10_000
GRACE = 2_000
SILENT = 1_000  # a table that works is heard four times in this
ON_TERMINAL = ("screen", "prompt", "notice")
NOD = 420  # a second nod within 400 ms is not heeded
NODS = ("say ok", "say next", "touch N")
PACE = 60  # a dealer's hands are not infinitely fast; milliseconds between confirmations
CHIPS = ("place", "remove", "sweep", "bet", "decide")
CHIPS_PACE = 200  # chips that moved are seen by then, at a board that does not tell what it sees


class Runner(Routines):
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
        self.refused = ""  # why the table did not take the last entry

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
            self._fail(str(error))
        except (ValueError, IndexError, KeyError):
            self._fail("not understood")
        except NoTable:
            raise
        except Exception as error:  # the bench's own fault: nothing after it was played
            self._fail(f"the bench stumbled: {error!r}")

    def _fail(self, why: str) -> None:
        self.done = True
        self.error = f"{self.current}: {why}"
        self.say("FAILED " + self.error)

    def _run(self) -> Iterator[None]:
        for at, statement in enumerate(self._statements):
            self.refused = ""
            self.current = f"line {statement.number} ({statement.text})"
            special = getattr(self, "_" + statement.verb.replace("-", "_"), None)
            if special:
                yield from special(statement.words)
            else:
                self.say(f"> {statement.text}")
                yield from self._linked()
                yield from self._act(statement.text.partition("#")[0])
                self._judge(self._statements[at + 1 : at + 2])

    def _pause(self, ms: int) -> Iterator[None]:
        start = self.now
        while (self.now - start) % (1 << 30) < ms:
            yield

    def _linked(self) -> Iterator[None]:
        """Nothing is done while a plugged-in terminal is still finding the table."""
        start = self.now
        while (self.now - start) % (1 << 30) < PATIENCE and self.world.powered:
            if self.world.linked or not self.world.lines[0].plugged:
                return
            yield

    def _act(self, line: str) -> Iterator[None]:
        """Do something at the table; an entry is over when the terminal has answered it.

        The PC's pace is not the table's: a nod that came too soon for it is given again."""
        start = self.now
        while True:
            last = self.world.notices[-1:]
            yield from self._once(line)
            again = line.startswith(NODS) and any(map(reading.too_soon, self._fresh(last)))
            if not again or (self.now - start) % (1 << 30) >= self._real(PATIENCE):
                break

    def _once(self, line: str) -> Iterator[None]:
        before = self._heard()
        last = self.world.notices[-1:]
        self.world.do(line)
        yield from self._delivered()
        if line.split()[0] in ENTRIES and self.world.terminal.connected:
            start = self.now
            while self._heard() == before and (self.now - start) % (1 << 30) < self._real(GRACE):
                yield
        yield from self._seen()
        blind = "sensors" not in (self.world.picture or {})
        pace = CHIPS_PACE if blind and line.split()[0] in CHIPS else PACE
        if line.startswith(NODS):
            pace = NOD
        while True:  # the answer may come in parts
            before = self._heard()
            yield from self._pause(self._real(pace))
            if self._heard() == before:
                break
        if line.split()[0] in ENTRIES:
            self.refused = self._refusal(last)

    def _fresh(self, last: list[dict[str, object]]) -> list[str]:
        """What was told after `last`."""
        told = self.world.notices
        at = [i + 1 for i, note in enumerate(told) if any(note is one for one in last)]
        return [str(note["text"]) for note in (told[at[-1] :] if at else told)]

    def _refusal(self, last: list[dict[str, object]]) -> str:
        """A refusal among the notices after `last`, or nothing."""
        return next((text for text in self._fresh(last) if reading.refusal(text)), "")

    def _enter(self, line: str) -> Iterator[None]:
        """An entry no script can foresee: it must be taken."""
        yield from self._act(line)
        self._judge([])

    def _judge(self, after: list[Statement]) -> None:
        """Fail when the last entry was refused and the next statement does not expect that."""
        awaited = after and after[0].verb in ("expect", "wait-for")
        if self.refused and not (awaited and after[0].words[0] == "notice"):
            raise Failed(f"refused: {self.refused}")

    def _seen(self) -> Iterator[None]:
        """Wait until the table has seen how chips lie and keys stand now."""
        start = self.now
        while (self.now - start) % (1 << 30) < PATIENCE and not self.world.caught_up():
            yield

    def _landed(self, place: str, count: int, asked: str) -> Iterator[None]:
        """Wait until a table that tells only by its screen shows a card there: before that the
        screen asks for one that lies there already."""
        if "cards" in (self.world.picture or {}):
            return
        start = self.now
        while (self.now - start) % (1 << 30) < PATIENCE:
            rows = self.world.terminal.rows
            found = reading.cards_at(rows, place)
            if self._look("prompt") != asked if found is None else found >= count:
                return
            yield

    def _real(self, ms: int) -> int:
        """As much time of a table that runs faster as is so long for the PC."""
        return ms * max(100, self.world.speed) // 100

    def _heard(self) -> tuple[int, Any]:
        w = self.world
        return w.terminal.received, w.notices[-1] if w.notices else None

    def _delivered(self) -> Iterator[None]:
        """Wait until what is under way has reached the table."""
        yield
        start = self.now  # a person may have taken long over what was asked
        while (self.now - start) % (1 << 30) < PATIENCE and self.world.powered:
            w = self.world
            busy = w.terminal.port.pending if w.terminal.connected else 0
            busy += w.shoe.port.pending if w.shoe.port.up else 0
            if not busy and not (w.pending_draws and w.shoe.port.up):
                return
            yield

    # statements of the language

    def _wait(self, words: list[str]) -> Iterator[None]:
        yield from self._pause(int(words[0]))

    def _wait_for(self, words: list[str]) -> Iterator[None]:
        patience = PATIENCE
        if words[-2:-1] == ["within"]:
            patience = int(words[-1])
            words = words[:-2]
        what, wanted = words[0], " ".join(words[1:])
        if what in ON_TERMINAL:
            yield from self._linked()
        start = self.now
        while not self._holds(what, wanted):
            if (self.now - start) % (1 << 30) >= patience:
                raise Failed(self._instead(what))
            yield
        self.say(f"  {what}: {wanted}")

    def _expect(self, words: list[str]) -> Iterator[None]:
        yield from self._wait_for([*words, "within", str(self._real(GRACE))])

    def _expect_not(self, words: list[str]) -> Iterator[None]:
        what, wanted = words[0], " ".join(words[1:])
        if what in ON_TERMINAL:
            yield from self._linked()
        if self._holds(what, wanted):
            raise Failed(self._instead(what))
        self.say(f"  {what} is not: {wanted}")
        yield

    def _instead(self, what: str) -> str:
        notices = self.world.notices
        if what in ON_TERMINAL and self.world.terminal.silence(self.now) > SILENT:
            return "the table does not answer any more"
        told = f"; the terminal said last: {notices[-1]['text']}" if notices else ""
        return f"{what} is {self._look(what)!r}" + told

    def _holds(self, what: str, wanted: str) -> bool:
        seen = self.world.judge(what, wanted)
        if what in ("jackpot", "feed"):
            wanted = wanted.replace("$", "")
        return wanted.lower() in self._look(what).lower() if seen is None else seen

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
        if what == "jackpot":
            cents = (w.picture or {}).get("jackpot")
            return "" if cents is None else amounts.dollars(cents)
        if what in ("phase", "fault"):
            return str((w.picture or {}).get(what, ""))
        raise Failed(f"cannot look at {what!r}")

    def _screenshot(self, words: list[str]) -> Iterator[None]:
        self.say(f"  screenshot {words[0]}")
        picture = self.world.photograph()
        if picture:
            path = self._out / words[0]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(picture)
        yield

    def _print(self, words: list[str]) -> Iterator[None]:
        self.say(" ".join(words))
        yield

    def _table(self, words: list[str]) -> Iterator[None]:
        """`table GAME [DEALING]` is for whoever starts the table; here it only says so."""
        self.say("table " + " ".join(words))
        yield
