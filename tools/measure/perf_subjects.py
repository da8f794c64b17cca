"""What the evaluator's measurements run on MicroPython: a dealer, a clock and the subjects."""

from __future__ import annotations

from typing import Any

from tools.paths import FIRMWARE
from tools.prove import published

GUEST = """
import gc, time
def deal(size, count, x=1, y=2):
    # Two small generators and no rubbish: a heap in splinters would fail the peers.
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
def clock(f, hands, times, loop):
    ns = None
    for _ in range({rounds}):
        gc.collect()
        t = ticks()
        for _ in range(times):
            loop(f, hands)
        t = ticks() - t
        ns = t // times if ns is None or t // times < ns else ns
    return ns
def spent(f, few, loop):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    loop(f, few)
    after = gc.mem_alloc()
    gc.enable()
    return (after - before) // len(few)
def show(name, f, hands, times, loop=one):
    ns = clock(f, hands, times, loop)
    print(name, ns // len(hands), spent(f, hands[:20], loop), times * len(hands))
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
show('calculated 5', evaluator.calculated5, deal(5, 500), {short})
show('calculated 7', evaluator.calculated7, deal(7, 500), {short})
show('both 5', evaluator.both5, deal(5, 500), {short})
show('both 7', evaluator.both7, deal(7, 500), {short})
show('checked 7', evaluator.rank, deal(7, 500), {short})
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
def split(size, deals, times):  # its heap holds no more than some fifty hands at a time
    ns = 0
    for n in range(deals):
        hands = None
        gc.collect()
        hands = [(cards(h[:2]), cards(h[2:])) for h in deal(size, 50, 100 * n + 1, 31 * n + 2)]
        ns += clock(f, hands, times, two)
    print(size, ns // (50 * deals), spent(f, hands[:20], two), times * 50 * deals)
split(5, 10, {five})
split(7, 10, {seven})
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
# On a PC, where other programs run too, processor time counts and the best of the rounds; its
# clock counts milliseconds, so a round takes some dozens of them.
HOST = {"long": 2000, "short": 400, "five": 1000, "seven": 20, "rounds": 20}
BOARD = {"long": 20, "short": 10, "five": 20, "seven": 1, "rounds": 1}
# 480k: as many objects as a board holds, each twice as wide. phevaluator compiles its tables.
HEAP = {"phevaluator": "64m"}


def sources(subject: str) -> dict[str, str]:
    """Modules a subject needs besides the firmware."""
    if subject == "floor":
        return {"perf_floor": FLOOR}
    if subject == "treys":
        return published.treys()
    if subject == "phevaluator":
        return published.phevaluator()
    if subject in ("ours, native", "ours, bytecode"):
        text = (FIRMWARE / "felt" / "evaluator" / "kernels.py").read_text()
        mode = "@micropython.native" if subject == "ours, native" else ""
        return {"perf_ours": text.replace("@micropython.viper", mode)}
    return {}


def script(subject: str, sizes: dict[str, Any]) -> str:
    text = SUBJECTS[subject].replace("{plain}", PLAIN)
    if subject == "phevaluator":
        sizes = {**sizes, "rounds": 3}  # half a minute a round
    return GUEST.format(**sizes) + text.format(**sizes)
