"""`felt console`: the service console at a terminal, with history; or a dump to files.

The table offers it when the service key is on at power-on. Requests are lines; an answer is
lines, closed by `OK` or `ERROR code text`.
"""

from __future__ import annotations

import argparse
import os
import re
import secrets
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Callable, Iterator

from . import device, ports
from .device import INTERRUPT
from .report import Bar
from .trouble import Refusal, Trouble

BANNER = b"# felt service console"
REPL = b">>> "
PROGRESS = "PROGRESS "  # begins a line of how far a long answer is: two numbers
LEAVES = ("exit", "quit")  # what ends input is another key on every system
ANSWER_S = float(os.environ.get("FELT_WAIT", 10))  # a board that was just plugged in is starting


class Console:
    """The service console behind an open serial port."""

    def __init__(self, link: Any, seconds: float = 120.0) -> None:
        self.link = link
        self.seconds = seconds
        self._pending = b""
        self.heard: list[str] = []  # the last answer, also when it ended in ERROR

    def _read(self) -> bytes:
        try:
            self.link.timeout = 0.1
            return self.link.read(max(1, self.link.in_waiting))
        except OSError as error:
            raise Trouble("unplugged", "") from error

    def _write(self, data: bytes) -> None:
        try:
            self.link.write(data)
        except OSError as error:
            raise Trouble("unplugged", "") from error

    def _lines(self) -> Iterator[str]:
        """Lines as they arrive, until nothing came for `seconds`."""
        quiet = time.monotonic()
        while time.monotonic() - quiet < self.seconds:
            data = self._read()
            if data:
                quiet = time.monotonic()
            *whole, self._pending = (self._pending + data).split(b"\n")
            for line in whole:
                yield line.decode(errors="replace").rstrip("\r")

    def restart(self) -> None:
        """From the REPL to the console: a soft restart."""
        self._write(b"\x04")
        self.wait()

    def wait(self) -> None:
        """Waits for a starting table to offer its console."""
        restarted = False
        for line in self._lines():
            restarted = restarted or "soft reboot" in line
            if line.encode().startswith(BANNER):
                return
            if "Error" in line:
                raise Trouble("program", line)
            if restarted and line.startswith('Type "help()"'):
                raise Trouble("program", "it offers no service console")
        raise Trouble("locked", self.link.port)

    def found(self) -> str:
        """What answers at the port: "console", "repl" or nothing.

        A board left in the middle of a program (Ctrl-C, a closed laptop) hears nothing but Ctrl-C;
        it is the second thing said, because a console ends at it.
        """
        return self._answers(b"", ANSWER_S) or self._answers(INTERRUPT, ANSWER_S / 3)

    def _answers(self, first: bytes, seconds: float) -> str:
        """Asks for a word that nobody knows and nobody asked before: what a starting table answers
        to an earlier program, which did not wait for it, ends where that word is refused."""
        word = b"felt_" + secrets.token_hex(4).encode()
        self._write(first + b"\x02\r\n")
        self._write(word + b"\r\n")
        quiet = time.monotonic()
        heard = b""
        while time.monotonic() - quiet < min(self.seconds, seconds):
            data = self._read()
            quiet = time.monotonic() if data else quiet
            heard += data
            if re.search(b"ERROR E1 [^\n]*" + word + b"[^\n]*\n", heard):
                return "console"
            if re.search(b"NameError[^\n]*" + word + b"[^\n]*\n" + REPL, heard):
                return "repl"
        return ""

    def ask(self, request: str, on_line: Callable[[str], None] | None = None) -> list[str]:
        """The lines of an answer; Refusal when it ends in ERROR."""
        self._write(request.encode() + b"\r\n")
        self.heard = lines = []
        for line in self._lines():
            if line == "OK":
                return lines
            if line.encode().startswith(BANNER):
                raise Trouble("restarted", request)
            if line.startswith("ERROR E"):
                _, code, text = line.split(" ", 2)
                raise Refusal(code, text)
            if line and line != request:
                lines.append(line)
                if on_line:
                    on_line(line)
        raise Trouble("locked", self.link.port)

    def facts(self) -> dict[str, str]:
        """The answer to `version` as a dict."""
        pairs = [line.split(" ", 1) for line in self.ask("version")]
        return {pair[0]: (pair[1] if len(pair) > 1 else "").strip() for pair in pairs}


def connect(port: str | None, seconds: float = 120.0) -> Console:
    """The console of the table at `port`, or of the only one connected."""
    name = ports.find_port(port)
    console = Console(ports.open_serial(name, timeout=0.1), seconds)
    found = console.found()
    if found == "repl":  # verify and mpremote leave a board there: start it again
        console.restart()
    elif not found:
        console.link.close()
        raise Trouble("locked", name)
    return console


def restarted(board: device.Board, seconds: float = 300.0) -> Console:
    """The console of a table after a soft restart from its REPL."""
    console = Console(board.restart(), seconds)
    console.wait()
    return console


def talk(console: Console) -> int:
    """Requests from a person until end of input."""
    try:
        import readline

        history = Path.home() / ".felt_history"
        if history.exists():
            readline.read_history_file(history)
        readline.set_history_length(500)
    except (ImportError, OSError, RuntimeError):  # the last where nobody has a home
        history = None
    failed = 0
    for line in map(str.strip, _typed()):
        if line in LEAVES:
            break
        if line:
            failed = _one(console, line)
    if history and sys.stdin and sys.stdin.isatty():
        with suppress(OSError):  # a home nobody may write to loses what was typed, and no more
            readline.write_history_file(history)
    return failed


def _typed() -> Iterator[str]:
    """What a person types, or a file that was handed over says; nothing where that is closed."""
    if not (sys.stdin and sys.stdin.isatty()):
        for line in sys.stdin or ():  # not handed on as a whole: that would close it
            yield line
        return
    try:
        while True:
            yield input("felt> ")
    except (EOFError, KeyboardInterrupt):
        return


def _one(console: Console, line: str) -> int:
    bar = Bar("counting")

    def told(said: str) -> None:
        if said.startswith(PROGRESS):
            bar(*map(int, said.split()[1:3]))
        else:
            print(said)

    try:
        lines = console.ask(line, told)
    except Refusal as error:
        print("ERROR", *error.args)
        return 1
    if all(said.startswith(PROGRESS) for said in lines):
        print("OK")  # nothing else tells that it was done
    return 0


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="serial port; found by itself when there is one board")
    parser.add_argument(
        "--dump", type=Path, metavar="DIR", help="write recall, meters and log to DIR"
    )
    parser.add_argument(
        "requests", nargs="*", help="ask these and end, for example: version selftest"
    )


def run(args: argparse.Namespace) -> int:
    console = connect(args.port)
    if args.dump:
        from . import dump

        return dump.write(console, args.dump)
    if args.requests:
        return max(_one(console, line) for line in args.requests)
    print(f"# {LEAVES[0]} leaves; help lists the requests")
    return talk(console)
