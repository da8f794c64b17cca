"""Certifies the games: plays a file of settlement vectors through the round machine.

    tools/certify.py FILE [--on cpython|micropython|emulator]

Prints a line for each mismatch, with the rule it breaks, and for each refused vector, then
`N passed, M failed`. Exits 1 on any of them, 2 when there was nothing to certify.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import islice
from pathlib import Path
from typing import Any, Callable, Iterator

from tools import stopped
from tools.paths import ROOT
from tools.prove.vector_check import shown

LONGEST = 16384  # bytes of a line
# What a board's heap has room for beside every game; a full table's round takes two thirds.
ROOM = 3072  # characters
VALUES = 200
DEEPEST = 8
DIGITS = 200  # a setting out of all bounds is refused by name, a longer number here
CHUNK = 20  # vectors on an emulated board at a time: about a minute
HEAP = "320k"  # every game and every rare handler in one process, which no table loads


class Stop(Exception):
    """Certification cannot go on; the text says why."""


class BadLine(ValueError):
    """A line that is no vector, with the reason."""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    for name, value in pairs:
        if name not in PERCENTS:
            _whole(value)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        twice = next(n for n in names if names.count(n) > 1)
        raise BadLine(f"key {shown(twice)} twice in one object")
    return found


class Fraction(str):
    """A number with a point: a percentage may have one, an amount may not."""


PERCENTS = ("commission_percent",)


def _whole(value: Any) -> None:
    if isinstance(value, list):
        for each in value:
            _whole(each)
    elif isinstance(value, Fraction):
        _no_number(value)


def _no_number(text: str) -> Any:
    raise BadLine(f"not a whole number: {shown(text)}")


def _number(text: str) -> int:
    """A whole number; CPython turns none of thousands of digits into one, and says so oddly."""
    if len(text) > DIGITS:
        raise BadLine(f"a number of {len(text)} digits")
    return int(text)


# Characters beyond 16 bits: interpreters disagree on how many characters such a pair makes.
_PAIR = re.compile(r"\\ud[89ab][0-9a-f]{2}\\ud[c-f][0-9a-f]{2}")
_READER = json.JSONDecoder(
    object_pairs_hook=_object,
    parse_int=_number,
    parse_float=Fraction,
    parse_constant=_no_number,
)
_LENIENT = json.JSONDecoder(parse_int=str)
# Where a line that is no JSON names itself, if it begins as one does.
_ID = re.compile(r'\s*\{\s*"id"\s*:\s*"([^"\\]+)"')


def parse(raw: bytes) -> Any:
    """One line as strict JSON without fractions or doubled keys; BadLine says what is wrong."""
    if len(raw) > LONGEST:
        raise BadLine(f"line longer than {LONGEST} bytes")
    try:
        found = _READER.decode(raw.decode("utf-8"))
        _whole(found)
        return found
    except BadLine:
        raise
    except UnicodeDecodeError:
        raise BadLine("not UTF-8 text") from None
    except RecursionError:
        raise BadLine("nested too deep") from None
    except ValueError:
        raise BadLine("not JSON") from None


def _values(found: Any, deep: int = 0) -> int:
    """How many values these are, lists and objects counted too."""
    if deep > DEEPEST:
        raise BadLine("nested too deep")
    inside = found.values() if isinstance(found, dict) else found
    if not isinstance(found, (dict, list)):
        return 1
    return 1 + sum(_values(each, deep + 1) for each in inside)


def _id_in(raw: bytes, number: int) -> str:
    """The id of a line that is refused unread, when a lenient reader finds one."""
    text = raw[: LONGEST * 4].decode("utf-8", "replace")
    try:
        v = _LENIENT.decode(text)
    except (ValueError, RecursionError):
        begins = _ID.match(text)
        v = {"id": begins[1]} if begins else None
    name = v.get("id") if isinstance(v, dict) else None
    return shown(name) if isinstance(name, str) and name else f"line {number}"


def player_line(raw: bytes, number: int) -> str:
    """What the player on any runtime is given for a line of the file."""
    try:
        found = parse(raw)
        text = _PAIR.sub(lambda pair: "?", json.dumps(found, separators=(",", ":")))
        if len(text) > ROOM or _values(found) > VALUES:
            raise BadLine("more than a round has")
        return f"{number} {text}"
    except BadLine as error:
        return f"{number} !{_id_in(raw, number)}: {error}"


def read(path: Path) -> Iterator[str]:
    """The file's vectors as player lines; blank lines are none."""
    with path.open("rb") as source:
        for number, raw in enumerate(source, 1):
            if number == 1:
                raw = raw.removeprefix(b"\xef\xbb\xbf")
            if raw.strip():
                yield player_line(raw.strip(), number)


def count(path: Path) -> int:
    """How many vectors the file holds; Stop when it cannot be read or holds none."""
    try:
        with path.open("rb") as source:
            found = sum(1 for raw in source if raw.strip())
    except OSError as error:
        raise Stop(f"{path}: {error.strerror}") from None
    if not found:
        raise Stop(f"{path}: no vectors in it")
    return found


class Report:
    """Passes report lines on and shows progress on stderr when the work takes long."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.started = self.last = time.monotonic()
        self.shown = False
        self.passed = self.failed = 0
        self.base = 0  # vectors of earlier chunks

    def say(self, text: str) -> None:
        if text.startswith("# "):
            self._progress(self.base + int(text[2:]))
        else:
            print(text, flush=True)

    def _progress(self, done: int) -> None:
        now = time.monotonic()
        every = 1.0 if sys.stderr.isatty() else 10.0
        if now - self.last < every:
            return
        self.last, self.shown = now, True
        rate = done / (now - self.started)
        end = "\r" if sys.stderr.isatty() else "\n"
        left = (self.total - done) / rate
        text = f"{done} of {self.total} vectors, {rate:.1f} a second, {left:.0f} s left"
        print(text, end=end, file=sys.stderr, flush=True)

    def add(self, passed: int, failed: int) -> None:
        self.passed += passed
        self.failed += failed
        self.base = self.passed + self.failed

    def close(self, runtime: str) -> int:
        took = time.monotonic() - self.started
        done = self.passed + self.failed
        rate = f"{done / max(took, 1e-6):.1f} vectors a second on {runtime}"
        print(f"{rate}, {took:.1f} s", file=sys.stderr)
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        if done != self.total:
            raise Stop(f"{self.total - done} vectors were not played")
        return 1 if self.failed else 0


def on_cpython(path: Path, report: Report) -> None:
    from tools.prove import vector_player

    vector_player.KEPT = 1000  # a PC has the room
    report.add(*vector_player.certify(read(path), report.say))


def on_micropython(path: Path, report: Report) -> None:
    """Streams the lines through one MicroPython with a board-sized heap."""
    beside = Path(sys.executable).with_name("micropython")
    program = os.environ.get("MICROPYTHON") or str(beside)
    search = [str(ROOT / "firmware"), str(ROOT), ".frozen"]
    command = [program, "-X", f"heapsize={HEAP}", str(ROOT / "tools/prove/vector_player.py")]
    try:
        child = subprocess.Popen(
            command,
            env={**os.environ, "MICROPYPATH": ":".join(search)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
    except OSError as error:
        raise Stop(f"{program}: {error.strerror}; MICROPYTHON= names another") from None
    feeder = threading.Thread(target=_feed, args=(child.stdin, path), daemon=True)
    feeder.start()
    totals = None
    for row in child.stdout or ():
        totals = _totals(row.rstrip("\n"), report.say) or totals
    if child.wait() or totals is None:
        raise Stop(f"{program} stopped with status {child.returncode}")
    report.add(*totals)


def _feed(pipe: Any, path: Path) -> None:
    try:
        with pipe:  # closed whatever happens: the player would wait for the rest for ever
            for line in read(path):
                pipe.write(line + "\n")
    except OSError:
        pass  # the player is gone; its exit status tells


def _totals(row: str, say: Callable[[str], None]) -> tuple[int, int] | None:
    """The player's last line, or None after saying any other."""
    words = row.split()
    if len(words) == 4 and words[1] == "passed," and words[3] == "failed":
        return int(words[0]), int(words[2])
    say(row)
    return None


def on_emulator(path: Path, report: Report) -> None:
    """Plays inside emulated RP2040s, one a core, a few vectors on the flash of each at a time."""
    chunks = _chunks(read(path))
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for rows, passed, failed in pool.map(play_chunk, chunks):
            for row in rows:
                report.say(row)
            report.add(passed, failed)
            report.say(f"# {0}")


def _chunks(lines: Iterator[str]) -> Iterator[list[str]]:
    while chunk := list(islice(lines, CHUNK)):
        yield chunk


def play_chunk(chunk: list[str]) -> tuple[list[str], int, int]:
    """Report rows and totals of some player lines, played on a board of their own."""
    from tools.emulator import pico as emulator
    from tools.image import build
    from tools.image.packages import ImageError
    from tools.prove import vector_player

    files = {}
    for path in vector_player.PARTS:
        files[path + ".mpy"] = build.compile_module(ROOT / f"{path}.py", "armv6m")
    files["chunk.jsonl"] = "".join(line + "\n" for line in chunk).encode()
    budget = 20_000.0 + 2_000.0 * len(chunk)
    try:
        pico = emulator.Pico(files)
        code = "from tools.prove import vector_player; vector_player.main('chunk.jsonl')"
        rows = pico.run(code, budget).splitlines()
    except ImageError as error:
        raise Stop(str(error)) from None
    except (emulator.Timeout, emulator.GuestError) as error:
        raise Stop(f"the board did not finish: {error}") from None
    totals = _totals(rows[-1], lambda row: None)
    if totals is None:
        raise Stop(f"the board ended with {rows[-1]}")
    return [row for row in rows[:-1] if not row.startswith("# ")], *totals


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("file", type=Path, metavar="FILE", help="vectors, one JSON object a line")
    parser.add_argument("--on", choices=("cpython", "micropython", "emulator"), default="cpython")
    args = parser.parse_args(argv)
    runners = {"cpython": on_cpython, "micropython": on_micropython, "emulator": on_emulator}
    try:
        report = Report(count(args.file))
        runners[args.on](args.file, report)
        return report.close(args.on)
    except Stop as error:
        print(f"certify: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(stopped.run(main))
