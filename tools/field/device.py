"""A board on a serial port: finding it, asking it, writing to it.

The real mpremote does the talking (raw REPL, raw paste). Nothing here needs our firmware there.
"""

from __future__ import annotations

import ast
import base64
import errno
import json
import zlib
from pathlib import Path
from typing import Any, Callable, Iterable

import serial
from mpremote.transport import TransportError, TransportExecError
from mpremote.transport_serial import SerialTransport
from serial.tools import list_ports

from tools.field.trouble import Trouble
from tools.image import build
from tools.paths import BOARDS

RASPBERRY = 0x2E8A  # USB vendor of every board with MicroPython for RP2040 and RP2350
PROBES = (0x0004, 0x000C)  # its debug probes have a serial port too, and no table behind it
OLDEST = (1, 25, 0)
CHUNK = 4096
WINDOW = 12  # of the compression: 1 << 12 bytes of the board's heap while writing
SECONDS = 60  # between two bytes of an answer; an emulated board is slow
Progress = Callable[[int, int], None]


def machine_of(board: str) -> str:
    """What MicroPython calls a board: how a wrong one is recognised."""
    return json.loads((BOARDS / board / "board.json").read_text())["machine"]


def board_of(machine: str) -> str | None:
    names = [n for n in build.board_names() if build.board_data(n)["CHIP"] != "host"]
    return next((name for name in names if machine_of(name) == machine), None)


def in_bootsel() -> bool:
    """True when a board waits for a .uf2 file (Linux; elsewhere it is not looked for)."""
    for path in Path("/sys/bus/usb/devices").glob("*/idVendor"):
        try:
            if (path.read_text().strip(), path.with_name("idProduct").read_text().strip()) in (
                ("2e8a", "0003"),
                ("2e8a", "000f"),
            ):
                return True
        except OSError:
            continue
    return False


def find_port(port: str | None = None, ports: Iterable[Any] | None = None) -> str:
    """The serial port to use: the one given, or the only board connected."""
    if port:
        return port
    listed = list_ports.comports() if ports is None else ports
    found = sorted(p.device for p in listed if p.vid == RASPBERRY and p.pid not in PROBES)
    if len(found) > 1:
        raise Trouble("two_boards", len(found), ", ".join(found))
    if not found:
        if in_bootsel():
            raise Trouble("micropython", version_text(OLDEST), ", and this board has none")
        raise Trouble("no_board", "")
    return found[0]


def version_text(version: Iterable[int]) -> str:
    return ".".join(map(str, tuple(version)[:3]))


def open_serial(port: str, **options: Any) -> serial.SerialBase:
    """Opens a port for this program alone, or says why not."""
    try:
        return serial.serial_for_url(port, 115200, exclusive=True, **options)
    except (OSError, ValueError) as error:  # SerialException is an OSError
        number = getattr(error, "errno", None)
        if number == errno.EACCES:
            raise Trouble("permission", port) from None
        if number in (errno.EBUSY, errno.EAGAIN):
            raise Trouble("busy", port) from None
        raise Trouble("no_board", f" at {port}") from None


# What the board runs: small, needs nothing but stock MicroPython. `_free` also drops a firmware
# that was interrupted, so that its heap is there to work with.
HELPERS = """
import os, sys, gc, io, deflate
from hashlib import sha256
from binascii import hexlify, a2b_base64 as _a
def _free():
    for n in list(sys.modules):
        if n.startswith('felt') or n in ('main', 'board'):
            del sys.modules[n]
    gc.collect()
def _put(f, t, n):
    if f.write(deflate.DeflateIO(io.BytesIO(_a(t)), deflate.RAW, 12).read()) != n:
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
_free()
"""


class Board:
    """An open connection to a board's REPL. Use as a context manager."""

    def __init__(self, port: str) -> None:
        self.port = port
        open_serial(port).close()
        try:
            self._link = SerialTransport(port, 115200, timeout=SECONDS)
        except TransportError:
            raise Trouble("busy", port) from None
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

    def __exit__(self, *ignored: Any) -> None:
        try:
            if self._link.in_raw_repl:
                self._link.exit_raw_repl()
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
        """Chip, version, unique id, free flash: from stock MicroPython."""
        text = self.run(
            "import machine\ns=os.statvfs('/')\n"
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
        """The board's name and facts; Trouble for another board or too old a MicroPython."""
        facts = self.facts()
        if facts["interpreter"] != "micropython" or tuple(facts["version"]) < OLDEST:
            found = f", this board has {version_text(facts['version'])}"
            raise Trouble("micropython", version_text(OLDEST), found)
        found_board = board_of(facts["machine"])
        if found_board is None or board not in (None, found_board):
            raise Trouble("wrong_board", facts["machine"], board or "known board")
        return found_board, facts

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
                self.run(f"_put(f,'{_packed(part)}',{len(part)})")
                if progress:
                    progress(min(at + CHUNK, len(data)), len(data))
            self.run(f"f.close()\nos.rename({name + '.new'!r},{name!r})")
        except TransportExecError as error:
            if "ENOSPC" not in error.error_output and "28" not in error.error_output:
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
            self.run("_free()")
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


def _packed(data: bytes) -> str:
    squeeze = zlib.compressobj(9, zlib.DEFLATED, -WINDOW)
    return base64.b64encode(squeeze.compress(data) + squeeze.flush()).decode()


def _folders(name: str) -> str:
    """Code that makes the folders of a file."""
    parents = [p.as_posix() for p in list(Path(name).parents)[:-1]][::-1]
    return "".join(f"try:\n os.mkdir({p!r})\nexcept OSError: pass\n" for p in parents)
