"""Runs the firmware behind a World: power, watchdog, resets, time; leaves no process behind."""

from __future__ import annotations

import asyncio
import os
import signal
import struct
import time
from typing import Callable, Iterable, cast

from tools.bench import process, wire
from tools.bench.world import World

TICK_S = 0.005
BEAT_US = 100_000  # of the table's time: so often it is told, and no more passes in one turn
STEP_US = 5000  # devices look at their lines this often in stepped time
HANG_S = 10.0  # stepped time stands still while the firmware computes; longer than this is a hang
LOOK_S = 0.25  # how often stepped time is looked at
LIMIT_S = 120.0  # what has not come by then never comes; no wait is meant to end by it
PERIOD = 1 << 30


class Line(asyncio.Protocol):
    """The wire to one process of the firmware, which waits for the answer to what it says.

    Any program of this PC may come to the port: a page looks for a bench that had it before. Only
    who says the word that the firmware was given is the board."""

    def __init__(self, supervisor: Supervisor) -> None:
        self._supervisor = supervisor
        self._unpacker = wire.Unpacker()
        self._said: bytes | None = b""  # until the word is whole

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        if self._said is not None:
            self._said += data
            word = self._supervisor.word
            if not word or not word.startswith(self._said[: len(word)]):
                return self._transport.abort()
            if len(self._said) < len(word):
                return
            data, self._said = self._said[len(word) :], None
            self._supervisor.opened(self._transport)
        self._supervisor.heard(self._transport, self._unpacker.feed(data))

    def connection_lost(self, error: Exception | None) -> None:
        self._supervisor.closed(self._transport, error)


class Supervisor:
    """One table with power. `live` follows the PC's clock; otherwise time is stepped, flat out."""

    def __init__(self, world: World, live: bool = True, **options: str) -> None:
        self.world = world
        self.live = live
        self.options = options
        self.on_tick: list[Callable[[int], None]] = []
        self.on_console: list[Callable[[str], None]] = []
        self.starts = 0
        self.bites = 0
        self.cause = "power"
        self._process: process.Process | None = None
        self._server: asyncio.Server | None = None
        self._tasks: list[asyncio.Task] = []
        self._readers: list[asyncio.Task] = []
        self._line: asyncio.Transport | None = None
        self._virtual_us = self._beat = 0
        self._real = time.monotonic()
        self._watch: float | None = None  # seconds the watchdog gives
        self._quiet = 0.0  # seconds the firmware had since it fed it, or was heard
        self._waited = 0.0
        self._owed = 0.0  # seconds the firmware waited to run, not left out yet
        self._ending: asyncio.Task | None = None
        self.failed: str | None = None
        self.silence = HANG_S

    @property
    def pid(self) -> int:
        """The firmware's process, 0 without power."""
        child = self._process._child if self._process else None
        return child.pid if child else 0

    @property
    def word(self) -> bytes:
        """What the running firmware says first on the wire; empty without power."""
        return self._process.word if self._process else b""

    @property
    def now(self) -> int:
        """Milliseconds of the bench's clock, wrapping like the board's."""
        return self._virtual_us // 1000 % PERIOD

    async def start(self, power: bool = True) -> None:
        await asyncio.to_thread(process.deploy, self.world.state)
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: Line(self), "127.0.0.1", 0)
        self._tasks.append(asyncio.create_task(self._ticker()))
        if power:
            await self.power_on("power")

    async def stop(self) -> None:
        """Power off and leave nothing running."""
        for task in self._tasks:
            task.cancel()
        await self.power_off()
        if self._server:
            self._server.close()
        await asyncio.gather(*self._tasks, *self._readers, return_exceptions=True)

    async def power_on(self, cause: str) -> None:
        if self._process is not None or self._server is None:
            return
        port = self._server.sockets[0].getsockname()[1]
        options = {"FELT_RESET": cause, **self.options}
        if not self.live:
            options["FELT_CLOCK"] = "step"
        run = process.Process(self.world.state, port, **options)
        self._process = run
        self.starts += 1
        self.cause = cause
        self._waited = self._owed = 0.0
        child = await run.start()
        self._readers = [t for t in self._readers if not t.done()]
        self._readers.append(asyncio.create_task(self._listen(child, run)))

    async def power_off(self) -> None:
        running, self._process = self._process, None
        line, self._line = self._line, None  # what the board still sent says nothing now
        self._watch = None
        self.world.transmit = None
        self.world.unplug()
        if running is not None:
            await running.kill()
        if line is not None:
            line.close()

    async def restart(self, cause: str) -> None:
        await self.power_off()
        await self.power_on(cause)

    async def _listen(self, child: asyncio.subprocess.Process, run: process.Process) -> None:
        """The USB console: what the firmware prints."""
        assert child.stdout is not None
        while line := await child.stdout.readline():
            text = line.decode(errors="replace").rstrip()
            self.world.console.append(text)
            del self.world.console[:-500]
            for heard in self.on_console:
                heard(text)
        code = await child.wait()
        if self._process is run:  # it ended by itself: on a board that is a crash
            self.failed = f"the firmware ended with status {code}"
            self.world.console.append(self.failed)
            await self.power_off()

    def type(self, text: str) -> None:
        """Send a line to the service console."""
        child = self._process._child if self._process else None
        if child and child.stdin:
            child.stdin.write(text.encode() + b"\n")

    def opened(self, line: asyncio.Transport) -> None:
        """The firmware has come up at its end of the wire."""
        self._line = line
        self._tell_time()  # first of all: before that the board has only its own
        self.world.transmit = line.write
        self.world.plug_in()

    def closed(self, line: asyncio.Transport, error: Exception | None) -> None:
        """The firmware's end of the wire is gone; whether it ended or not, nothing reaches it."""
        if self._line is not line:
            return  # the power went first
        self._line = self.world.transmit = None
        self.world.unplug()
        self.world.console.append(f"the firmware's wire is closed: {error or 'by its end'}")

    def _tell_time(self) -> None:
        if self.live and self._line:
            self._beat = self._virtual_us
            self._line.write(wire.pack("b", 0, struct.pack("<Q", self._virtual_us)))

    def heard(self, line: asyncio.Transport, messages: Iterable[tuple[str, int, bytes]]) -> None:
        """What the firmware sent; of one without power any more it says nothing."""
        if not self.live:
            self._quiet = 0.0
        for kind, channel, payload in messages:
            if self._line is line:
                self._message(kind, channel, payload)

    def _message(self, kind: str, channel: int, data: bytes) -> None:
        if kind == "i":
            self._idle(struct.unpack("<I", data)[0])
        elif kind == "w":
            self._watchdog(channel, data)
        elif kind == "x":
            self._end(self.power_off())
        elif kind == "q":
            self._end(self.restart("soft"))
        else:
            self.world.message(kind, channel, data)

    def _idle(self, us: int) -> None:
        """Stepped time: devices act, then the firmware gets as much time as it asked for."""
        granted = min(us, STEP_US)
        self._virtual_us += granted
        self._tick()
        self.world.send(wire.pack("g", 0, struct.pack("<I", granted)))

    def _tick(self) -> None:
        self.world.tick(self.now)
        for call in self.on_tick:
            call(self.now)
        self._wishes()

    def _wishes(self) -> None:
        for what, how in self.world.wishes:
            if what == "power" and how == "off":
                self._end(self.power_off())
            elif what == "power":
                self._end(self.power_on("power"))
            elif what == "type":
                self.type(how)
            elif what == "watchdog":
                self._hang()
        self.world.wishes.clear()

    def _hang(self) -> None:
        """The processor stands still; stepped time does too, so there the bite comes at once."""
        if self.live and self.pid and self._watch:
            os.kill(self.pid, signal.SIGSTOP)
        else:
            self._bite()

    def _end(self, coroutine: object) -> None:
        """Power changes happen one after the other, outside the message loop."""
        before = self._ending

        async def run() -> None:
            if before is not None:
                await before
            await coroutine  # type: ignore[misc]

        self._ending = asyncio.create_task(run())

    def _watchdog(self, what: int, data: bytes) -> None:
        if data == b"bite":
            self._bite()
        elif what == 0:
            self._watch = struct.unpack("<H", data)[0] / 1000
        self._quiet = 0.0

    def _bite(self) -> None:
        self.bites += 1
        self._watch, self._quiet = None, 0.0
        self._end(self.restart("wdt"))

    async def _ticker(self) -> None:
        """Real time: devices act every few milliseconds; a hung firmware is bitten."""
        while True:
            pause = TICK_S if self.live or self._process is None else LOOK_S
            await asyncio.sleep(pause)
            real = time.monotonic()
            passed, self._real = self._had(real - self._real), real
            if self.live or self._process is None:
                self._virtual_us += min(int(passed * self.world.speed * 10_000), BEAT_US)
                self._tick()
                if self._virtual_us - self._beat >= BEAT_US:
                    self._tell_time()
            self._wishes()  # also while the firmware waits for its console and time stands still
            self._quiet += min(passed, 2 * pause)
            self._hung()

    def _had(self, seconds: float) -> float:
        """How much of that time was the firmware's: a busy PC gives it to others.

        No other time passes at the table: its watchdog bit in the middle of a self test. The
        system counts a wait when it is over, so one may be longer than the time since the last
        look; what is too much is left out next time."""
        before, self._waited = self._waited, process.waited(self.pid)
        self._owed += max(0.0, self._waited - before)
        left_out = min(seconds, self._owed)
        self._owed -= left_out
        return seconds - left_out

    def _hung(self) -> None:
        if self._process is None or not self._watch:
            return
        limit = self.silence
        if self.live:
            limit = self._watch * max(1.0, 100 / (self.world.speed or 1)) + 0.2
        if self._quiet <= limit or not (self.world.speed or not self.live):
            return
        if process.listens(self.pid):
            self._quiet = 0.0  # at its service console, where a board's timer feeds
        else:
            self._bite()


async def until(condition: Callable[[], bool], seconds: float = LIMIT_S) -> bool:
    """Wait for an event; False when it never came. Nothing may depend on how long it took."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            return False
        await asyncio.sleep(0.01)
    return True
