"""A board on a serial port: asking it, writing small files to it.

The real mpremote does the talking (raw REPL, raw paste). Nothing here needs our firmware there; a
table of ours answers like this only with its service key on at power-on.
"""

from __future__ import annotations

import ast
import base64
import re
from pathlib import Path
from typing import Any, Callable, Iterable

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport

from . import boards
from .ports import open_serial
from .trouble import Trouble

CHUNK = 512
NO_SPACE = re.compile(r"^OSError: (\[Errno )?28\b", re.M)  # with the name, or where it has none
INTERRUPT = b"\r\x03\x03"  # ends a program, and a program that is half sent
SECONDS = 60  # between two bytes of an answer; an emulated board is slow
Progress = Callable[[int, int], None]


def version_text(version: Iterable[int]) -> str:
    return ".".join(map(str, tuple(version)[:3]))


# What the board runs: small, needs nothing but stock MicroPython.
HELPERS = """
import os, sys, gc
from hashlib import sha256
from binascii import hexlify, a2b_base64 as _a
def _put(f, t, n):
    if f.write(_a(t)) != n:
        raise OSError(28)
def _tree(p):
    for e in os.ilistdir(p or '/'):
        n = p + '/' + e[0] if p else e[0]
        if e[1] & 0x4000:
            _tree(n)
        else:
            print(repr((n, e[3])) + ',')
def _hash(n, b=bytearray(1024)):
    h = sha256()
    try:
        with open(n, 'rb') as f:
            while True:
                k = f.readinto(b)
                if not k:
                    break
                h.update(memoryview(b)[:k])
        print(hexlify(h.digest()).decode())
    except OSError:
        print('-')
"""


class Taken:
    """A port whose bytes are taken as they come: mpremote asks for them one by one, and to ask the
    system for each takes longer than the cable does."""

    def __init__(self, port: Any) -> None:
        self.port = port
        self._held = b""
        self._at = 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.port, name)

    def inWaiting(self) -> int:
        return len(self._held) - self._at or self.port.in_waiting

    def read(self, size: int = 1) -> bytes:
        missing = size - (len(self._held) - self._at)
        if missing > 0:
            come = self.port.read(max(missing, self.port.in_waiting))
            self._held, self._at = self._held[self._at :] + come, 0
        out = self._held[self._at : self._at + size]
        self._at += len(out)
        return out


class Board:
    """An open connection to a board's REPL. Use as a context manager."""

    def __init__(self, port: str) -> None:
        self.port = port
        try:
            # Opened once: a system may not have let go of a port that was closed a moment ago.
            self._link = SerialTransport(port, 115200, timeout=SECONDS)
        except TransportError:
            open_serial(port).close()  # says why; mpremote does not
            raise Trouble("busy", port) from None
        self._link.serial = Taken(self._link.serial)
        self._where = ""

    def __enter__(self) -> Board:
        try:
            self._link.enter_raw_repl(soft_reset=False)
        except TransportError:
            raise Trouble("locked", self.port) from None
        except OSError:
            raise Trouble("unplugged", "") from None
        self.run(HELPERS)
        return self

    def __exit__(self, kind: type[BaseException] | None, *ignored: Any) -> None:
        """A command that ends here leaves a table that answers, not one at a prompt."""
        try:
            if self._link.in_raw_repl and kind in (KeyboardInterrupt, Trouble):
                self._link.serial.write(INTERRUPT)
                self.restart()
            elif self._link.in_raw_repl:
                self._link.exit_raw_repl()
            self._link.serial = self._link.serial.port
            self._link.close()
        except OSError:
            pass  # the cable is out already

    def run(self, code: str, on_byte: Callable[[bytes], None] | None = None) -> str:
        """Runs code on the board and returns what it printed."""
        try:
            out, failed = self._link.exec_raw(code, timeout=SECONDS, data_consumer=on_byte)
        except (OSError, TransportError, IndexError, TypeError) as error:
            if isinstance(error, TransportExecError):
                raise
            raise Trouble("unplugged", self._where) from error
        if failed:
            raise TransportExecError(out, failed.decode(errors="replace"))
        return out.decode(errors="replace").replace("\r\n", "\n")

    def facts(self) -> dict[str, Any]:
        """Interpreter, board, unique id, free bytes of the file system."""
        text = self.run(
            "import machine\ntry:\n s=os.statvfs('/')\nexcept OSError: s=(0,0,0,0)\n"
            "print(repr((sys.implementation.name, tuple(sys.implementation.version)[:3],"
            " getattr(sys.implementation, '_machine', '?'), hexlify(machine.unique_id()).decode(),"
            " s[0]*s[3])))"
        )
        name, version, machine, unique, free = ast.literal_eval(text)
        return {
            "interpreter": name, "version": list(version), "machine": machine, "id": unique,
            "free": free,
        }  # fmt: skip

    def check(self, board: str | None) -> tuple[str, dict[str, Any]]:
        """The board's name and facts; Trouble for a board we know nothing of, or another one."""
        facts = self.facts()
        found = boards.of_machine(facts["machine"])
        if found is None or board not in (None, found):
            raise Trouble("wrong_board", facts["machine"], board or "board Felt runs on")
        return found, facts

    def bootsel(self) -> None:
        """Send the board to BOOTSEL: its port goes away, its drive appears."""
        try:
            self._link.exec_raw_no_follow("import machine\nmachine.bootloader()")
        except (OSError, TransportError):
            pass  # it is gone already
        self._link.in_raw_repl = False

    def tree(self) -> dict[str, int]:
        """Every file on the board and its size."""
        return dict(ast.literal_eval("[" + self.run("_tree('')") + "]"))

    def hashes(self, names: Iterable[str], progress: Progress | None = None) -> dict[str, str]:
        """SHA-256 of files, computed on the board; files that are not there are left out."""
        wanted = list(names)
        found: dict[str, str] = {}
        for at in range(0, len(wanted), 8):
            batch = wanted[at : at + 8]
            lines = self.run(f"for n in {batch!r}:\n _hash(n)").split()
            found.update((n, h) for n, h in zip(batch, lines) if h != "-")
            if progress:
                progress(min(at + 8, len(wanted)), len(wanted))
        return found

    def read(self, name: str) -> bytes:
        """A whole file."""
        code = f"from binascii import b2a_base64 as _b\nf=open({name!r},'rb')\nb=f.read(384)\n"
        code += "while b:\n print(_b(b).decode(),end='')\n b=f.read(384)\nf.close()"
        return b"".join(base64.b64decode(line) for line in self.run(code).split())

    def write(self, name: str, data: bytes, progress: Progress | None = None) -> None:
        """Writes to a temporary name and renames: a cut leaves the old file or the new one."""
        self._where = f" while writing {name}"
        try:
            self.run(f"{_folders(name)}f=open({name + '.new'!r},'wb')")
            for at in range(0, len(data), CHUNK):
                part = data[at : at + CHUNK]
                self.run(f"_put(f,'{base64.b64encode(part).decode()}',{len(part)})")
                if progress:
                    progress(min(at + CHUNK, len(data)), len(data))
            self.run(f"f.close()\nos.rename({name + '.new'!r},{name!r})")
        except TransportExecError as error:
            if not NO_SPACE.search(error.error_output):
                raise
            self.run(f"try:\n f.close()\nexcept OSError: pass\nos.remove({name + '.new'!r})")
            raise Trouble("full", name) from None
        self._where = ""

    def remove(self, names: Iterable[str]) -> None:
        """Removes files that may be there, and folders this leaves empty."""
        for name in names:
            self.run(f"try:\n os.remove({name!r})\nexcept OSError: pass")
            for folder in list(Path(name).parents)[:-1]:
                self.run(f"try:\n os.rmdir({folder.as_posix()!r})\nexcept OSError: pass")

    def key_on(self, name: str) -> bool:
        """Whether a key switch is on, by the board's own pins."""
        code = "import board\nfrom machine import Pin\n"
        code += f"print(Pin(board.PINS[{name!r}],Pin.IN,Pin.PULL_UP).value())"
        try:
            return self.run(code).strip() == "0"
        except TransportExecError:
            return False

    def fresh(self) -> None:
        """An empty heap: a soft restart where boot.py will not start the table."""
        if not self.key_on("KEY_SERVICE"):
            self.run("gc.collect()")
            return
        try:
            self._link.enter_raw_repl(soft_reset=True)
        except (OSError, TransportError):
            raise Trouble("unplugged", "") from None
        self.run(HELPERS)

    def restart(self) -> serial.SerialBase:
        """Soft restart into boot.py and main.py; returns the open port, for the console."""
        self._link.exit_raw_repl()
        self._link.serial.write(b"\r\x04")
        return self._link.serial


def _folders(name: str) -> str:
    """Code that makes the folders of a file."""
    parents = [p.as_posix() for p in list(Path(name).parents)[:-1]][::-1]
    return "".join(f"try:\n os.mkdir({p!r})\nexcept OSError: pass\n" for p in parents)
