"""The controller with its plugs in: real MicroPython as a board of its own, stepped in time.

It is the bench's virtual board. Nothing of it is seen but lines, switches and bet spots: it has
settled when both lines have been silent for a while.
"""

from __future__ import annotations

import atexit
import select
import shutil
import socket
import struct
import subprocess
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Any

from tools.bench import process, starts, wire
from tools.bench.hands import KEYS, SHOE, TERM
from tools.bench.uart import Line
from tools.prove.witness.devices import Shoe, Terminal
from tools.prove.witness.judge import Differs

STEP_US = 5000
PERIOD = 1 << 30
SILENCE_MS = 60  # the table works a screen out in less, and a message repeats after 100
PATIENCE_MS = 5000
SENSE_MS = 60
KEY_MS = 100
START_MS = 1500
SPIN_MS = 15000  # the wheel stands still by then
HANG_S = 120
LOOK_S = 0.25  # how often a board that does not come up is looked at


@lru_cache
def _folder() -> Path:
    """One state folder for all tables of this run, with the compiled firmware in it."""
    folder = Path(tempfile.mkdtemp(prefix="felt-evening-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    process.deploy(folder)
    return folder


def came_up(server: socket.socket, word: bytes, board: subprocess.Popen[bytes]) -> socket.socket:
    """The firmware's end of the wire: of all that come to the port the one that says the word."""
    said: dict[socket.socket, bytes] = {}
    while True:
        ready = select.select([server, *said], [], [], LOOK_S)[0]
        if not ready and board.poll() is not None:
            raise Differs("the firmware ended: " + _last_words(board))
        for line in ready:
            if line is server:
                said[server.accept()[0]] = b""
                continue
            try:
                heard = line.recv(len(word) - len(said[line]))
            except ConnectionError:
                heard = b""
            said[line] += heard
            if said[line] == word:
                return line
            if not heard or not word.startswith(said[line]):
                line.close()
                del said[line]


def _last_words(board: subprocess.Popen[bytes]) -> str:
    return board.communicate(timeout=HANG_S)[0].decode(errors="replace")[-500:]


class OnMicroPython:
    """The same plugs as `InProcess`, on a board that is a process of its own."""

    def __init__(self, settings: dict[str, Any], seed: int, abilities: int, tells: bool) -> None:
        self.state = _folder()
        self.us = 0
        self._heard = 0
        self._socket: socket.socket | None = None
        self._child: subprocess.Popen[bytes] | None = None
        self.lines = (Line(TERM, self._send), Line(SHOE, self._send))
        self.terminal = Terminal(self.lines[0], 1 + seed % 65535)
        self.shoe = Shoe(self.lines[1], 1 + (seed + 1) % 65535, abilities, tells)
        self.bits = bytes(7)
        self.switches = [False, False]
        flash = self.state / "flash"
        shutil.rmtree(flash)
        flash.mkdir()
        starts.closed(settings, self.state)
        self._power_on()

    # --- power

    def _power_on(self) -> None:
        server = socket.create_server(("127.0.0.1", 0))
        run = process.Process(self.state, server.getsockname()[1], FELT_CLOCK="step")
        self._child = subprocess.Popen(
            run.command, env=run.environment, cwd=self.state, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, preexec_fn=process.die_with_parent,
        )  # fmt: skip
        self._socket = came_up(server, run.word, self._child)
        server.close()
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._socket.settimeout(HANG_S)
        self._unpacker = wire.Unpacker()
        self._inbox: list[tuple[str, int, bytes]] = []
        self._plug_in()
        self.run(START_MS)
        self.settle()

    def _plug_in(self) -> None:
        self._send(wire.pack("s", 0, self.bits))
        for which in range(len(self.switches)):
            self._turn(which)
        self._send(wire.pack("v", 0, struct.pack("<H", 100)))

    def close(self) -> None:
        """Power off, at once."""
        if self._child:
            self._child.kill()
            self._child.communicate()
        if self._socket:
            self._socket.close()
        self._child = self._socket = None

    def restart(self) -> None:
        """A power cut: critical memory is kept, everything else starts anew."""
        self.close()
        self._power_on()

    # --- time

    def _send(self, packed: bytes) -> None:
        if self._socket:
            self._socket.sendall(packed)

    def step(self) -> None:
        """Hear the board until it waits; let devices act, then give it the time it asked for."""
        granted = min(self._until_idle(), STEP_US)
        self.us += granted
        now = self.us // 1000 % PERIOD
        if self.terminal.poll(now) | self.shoe.poll(now):
            self._heard = self.us
        self._send(wire.pack("g", 0, struct.pack("<I", granted)))

    def _until_idle(self) -> int:
        while True:
            while self._inbox:
                kind, channel, data = self._inbox.pop(0)
                if kind == "u" and channel in (TERM, SHOE):
                    self.lines[channel].arrive(data)
                elif kind == "i":
                    return int(struct.unpack("<I", data)[0])
                elif kind in "xq" or data == b"bite":
                    raise Differs(f"the board lost power or was reset: {kind} {data!r}")
            assert self._socket is not None and self._child is not None
            data = self._socket.recv(1 << 16)
            if not data:
                raise Differs("the firmware ended: " + _last_words(self._child))
            self._inbox.extend(self._unpacker.feed(data))

    def run(self, ms: int) -> None:
        end = self.us + ms * 1000
        while self.us < end:
            self.step()

    rest = run

    def settle(self) -> None:
        """Until both lines have been silent for a while."""
        end = self.us + PATIENCE_MS * 1000
        self._heard = self.us
        while self.us < end:
            self.step()
            if self._pending():
                self._heard = self.us
            elif self.us - self._heard >= SILENCE_MS * 1000:
                return

    def _pending(self) -> bool:
        return bool(self.terminal.port.pending or not self.shoe.quiet)

    # --- plugs

    def sense(self, bits: bytes) -> None:
        if self.bits != bits:
            self.bits = bits
            self._send(wire.pack("s", 0, bits))
            self.run(SENSE_MS)

    def key(self, which: int, on: bool) -> None:
        if self.switches[which] != on:
            self.switches[which] = on
            self._turn(which)
            self.run(KEY_MS)

    def _turn(self, which: int) -> None:
        pin = list(KEYS.values())[which]
        self._send(wire.pack("p", pin, bytes([0 if self.switches[which] else 1])))

    def unplug(self, ms: int) -> None:
        """The shoe's cable is out for a while."""
        self.lines[1].plugged = False
        self.run(ms)
        self.lines[1].plugged = True
        self.run(500)
