"""Measure the evaluator against published ones and against a call that does nothing.

Each subject runs in a process, or on an emulated board, of its own.  Times include the loop that
makes the calls.  phevaluator's tables do not fit a board.  Emulated figures are exact for their
hands: cycles are counted, and a sample is smaller only where a hand costs tens of thousands.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "host_tests"), str(ROOT / "tools")]

import build  # noqa: E402
import perf_peers  # noqa: E402
import runtimes  # noqa: E402

GUEST = """
import gc, time
def deal(size, count):
    # Two small generators and no rubbish: a heap in splinters would fail the peers.
    x, y = 1, 2
    hands = [None] * count
    hand = bytearray(size)
    for n in range(count):
        k = 0
        while k < size:
            x = (x * 75 + 74) % 65537
            y = (y * 171 + 11213) % 53125
            hand[k] = (x + y) % 52
            i = 0
            while hand[i] != hand[k]:
                i += 1
            k += i == k
        hands[n] = bytes(hand)
    return hands
def one(f, hands):
    for h in hands:
        f(h)
def two(f, hands):
    for a, b in hands:
        f(a, b)
def many(f, hands):
    for h in hands:
        f(*h)
def ticks():
    return time.ticks_us() * 1000
if hasattr(time, "clock"):
    def ticks():
        return int(time.clock() * 1000000000)
def show(name, f, hands, times, loop=one):
    ns = None
    for _ in range({rounds}):
        gc.collect()
        t = ticks()
        for _ in range(times):
            loop(f, hands)
        t = ticks() - t
        ns = t // times if ns is None or t // times < ns else ns
    few = hands[:20]
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    loop(f, few)
    after = gc.mem_alloc()
    gc.enable()
    print(name, ns // len(hands), (after - before) // len(few), times * len(hands))
"""

# What any kernel costs before it looks at a card, and what the first look into a table adds.
FLOOR = """
import micropython
from micropython import const
_TABLE = const(b"12345678")
@micropython.viper
def floor(b: ptr8) -> int:
    return b[0] + b[1] + b[2] + b[3] + b[4] + b[5] + b[6]
@micropython.viper
def table(b: ptr8) -> int:
    t = ptr32(_TABLE)
    return b[0] + b[1] + b[2] + b[3] + b[4] + b[5] + b[6] + t[0]
"""

SUBJECTS = {
    "floor": """
import perf_floor
show('7', perf_floor.floor, deal(7, 500), {long})
show('7 and a table', perf_floor.table, deal(7, 500), {long})
""",
    "ours, viper": """
gc.collect(); before = gc.mem_alloc()
from felt import evaluator
gc.collect(); print('import', gc.mem_alloc() - before, 0, 0)
show('5', evaluator.rank5, deal(5, 500), {long})
show('6', evaluator.rank6, deal(6, 500), {long})
show('7', evaluator.rank7, deal(7, 500), {long})
show('checked 7', evaluator.rank, deal(7, 500), {short})
from felt import evaluator_plain
show('plain 5', evaluator_plain.rank5, deal(5, 100), {plainly})
show('plain 7', evaluator_plain.rank7, deal(7, 100), {plainly})
tables = []
for hand in deal(17, 100):
    tables.append(evaluator.new_seats(hand[:5], [hand[5+2*i:7+2*i] for i in range(6)]))
show('seats', evaluator.rank_seats, tables, {long})
""",
    "ours, native": "{plain}",
    "ours, bytecode": "{plain}",
    "treys": """
from treys_card import Card
from treys_evaluator import Evaluator
gc.threshold(20000)  # its tables fit only into a tidy heap
f = Evaluator().evaluate
gc.threshold(-1)
def cards(hand):
    return [Card.new('23456789TJQKA'[c >> 2] + 'cdhs'[c & 3]) for c in hand]
def split(size, count):
    return [(cards(h[:2]), cards(h[2:])) for h in deal(size, count)]
show('5', f, split(5, 50), {five}, two)
show('7', f, split(7, 10), {seven}, two)
""",
    "phevaluator": """
from phe_evaluator import _evaluate_cards
for size in (5, 6, 7):
    show(str(size), _evaluate_cards, [tuple(h) for h in deal(size, 500)], 20, many)
""",
}
PLAIN = """
import perf_ours
for size in (5, 7):
    show(str(size), getattr(perf_ours, 'rank%d' % size), deal(size, 100), {short})
"""
# On a PC, where other programs run too, processor time counts and the best of the rounds.
HOST = {"long": 800, "short": 200, "plainly": 100, "five": 1000, "seven": 1000, "rounds": 5}
BOARD = {"long": 20, "short": 10, "plainly": 2, "five": 20, "seven": 20, "rounds": 1}
# 480k: as many objects as a board holds, each twice as wide. phevaluator compiles its tables.
HEAP = {"phevaluator": "64m"}

BARS = (
    ("seven cards / floor", "at most", 1.75, 1.9),
    ("seven cards against treys", "at least", 750, 600),
    ("five cards against treys", "at least", 15, 15),
    ("seven cards against phevaluator", "at least", 100, None),
    ("six seats and a board, us a hand", "at most", None, 3.5),
    ("bytes allocated a hand", "at most", 0, 0),
    ("bytes of heap after import", "at most", None, 14 * 1024),
)


def sources(subject: str) -> dict[str, str]:
    """Modules a subject needs besides the firmware."""
    if subject == "floor":
        return {"perf_floor": FLOOR}
    if subject == "treys":
        return perf_peers.treys()
    if subject == "phevaluator":
        return perf_peers.phevaluator()
    if subject in ("ours, native", "ours, bytecode"):
        text = (build.FIRMWARE / "felt" / "evaluator_kernels.py").read_text()
        mode = "@micropython.native" if subject == "ours, native" else ""
        return {"perf_ours": text.replace("@micropython.viper", mode)}
    return {}


def script(subject: str, sizes: dict[str, Any]) -> str:
    text = SUBJECTS[subject].replace("{plain}", PLAIN)
    return GUEST.format(**sizes) + text.format(**sizes)


def parse(text: str) -> dict[str, dict[str, int]]:
    found = {}
    for line in text.splitlines():
        name, ns, allocated, sample = line.rsplit(None, 3)
        found[name] = {"ns": int(ns), "allocated": int(allocated), "sample": int(sample)}
    return found


def on_host(subject: str) -> dict[str, dict[str, int]]:
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources(subject).items():
            (Path(folder) / f"{name}.py").write_text(text)
        command = [
            *runtimes.micropython_command(HEAP.get(subject, "480k")),
            "-c",
            script(subject, HOST),
        ]
        env = runtimes._environment("micropython", [folder, str(build.FIRMWARE)])
        done = subprocess.run(command, env=env, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{subject} on the host:\n{done.stderr}{done.stdout}")
    return parse(done.stdout)


def on_board(subject: str) -> dict[str, dict[str, int]]:
    import emulator

    files = {name: data for name, data in build.library().items() if name.startswith("felt/")}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in sources(subject).items():
            path = Path(folder) / f"{name}.py"
            path.write_text(text)
            files[f"{name}.mpy"] = build.compile_module(path, "armv6m")
    board = emulator.Pico(files)
    return parse(board.run(script(subject, BOARD), max_ms=3_600_000))


def mpy_bytes() -> int:
    names = ("evaluator", "evaluator_kernels")
    return sum(len(build.library()[f"felt/{name}.mpy"]) for name in names)


def bars(host: dict, board: dict) -> list[dict[str, Any]]:
    """The promised figures beside what was measured."""
    both = (host, board)
    ours = [where.get("ours, viper", {}) for where in both]

    def ratio(subject: str, cards: str, mine: str, up: bool) -> list[float | None]:
        found: list[float | None] = []
        for where, own in zip(both, ours):
            other = where.get(subject, {}).get(cards)
            if not other or mine not in own:
                found.append(None)
            else:
                a, b = other["ns"], own[mine]["ns"]
                found.append(a / b if up else b / a)
        return found

    heap = board.get("ours, viper", {}).get("import", {}).get("ns")
    seats = board.get("ours, viper", {}).get("seats", {}).get("ns")
    spent = [
        max((own[k]["allocated"] for k in "567"), default=None) if own else None for own in ours
    ]
    values: tuple[list[Any], ...] = (
        ratio("floor", "7", "7", False),
        ratio("treys", "7", "7", True),
        ratio("treys", "5", "5", True),
        ratio("phevaluator", "7", "7", True),
        [None, seats / 6000 if seats else None],
        spent,
        [None, heap],
    )
    rows = []
    for (name, kind, *limits), measured in zip(BARS, values):
        for where, limit, value in zip(("host", "board"), limits, measured):
            if limit is not None and value is not None:
                met = value <= limit if kind == "at most" else value >= limit
                rows.append(
                    {"figure": name, "where": where, "bar": f"{kind} {limit}",
                     "measured": round(value, 2), "met": met}
                )  # fmt: skip
    return rows


def measure(quick: bool) -> dict[str, Any]:
    """All figures of this section; quick leaves the emulated board out."""
    host = {subject: on_host(subject) for subject in SUBJECTS}
    board = {} if quick else {s: on_board(s) for s in SUBJECTS if s != "phevaluator"}
    rows = []
    for where, found in (("host", host), ("board", board)):
        for subject, figures in found.items():
            for cards, figure in figures.items():
                if cards != "import":
                    rows.append({"where": where, "subject": subject, "cards": cards, **figure})
    return {"times": rows, "bars": bars(host, board), "mpy": [{"bytes of .mpy": mpy_bytes()}]}
