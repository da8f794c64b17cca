"""Compare the firmware's evaluator, running on MicroPython, with independent ones.

All 2,598,960 five-card hands, and millions of random pairs of six- and seven-card hands, whose
order must agree, each hand looked up and calculated.  The judge is written here from the rules of
poker; with --peer a published evaluator (phevaluator, see published.py) judges as well.

    tools/prove/evaluator_full.py [--pairs 2000000] [--seed 1] [--peer]
"""

from __future__ import annotations

import argparse
import array
import itertools
import math
import random
import site
import subprocess
import tempfile
from collections import Counter
from pathlib import Path
from typing import Callable, Iterable

from tools.emulator import runtimes
from tools.paths import ROOT
from tools.prove import published

PRIMES = (2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41)

FIVES = """
from felt.evaluator import both5
from array import array
hand = bytearray(5)
out = open({out!r}, "wb")
row = array("i", (0 for _ in range(52)))
for a in range(48):
    hand[0] = a
    for b in range(a + 1, 49):
        hand[1] = b
        for c in range(b + 1, 50):
            hand[2] = c
            for d in range(c + 1, 51):
                hand[3] = d
                for e in range(d + 1, 52):
                    hand[4] = e
                    row[e] = both5(hand)
                out.write(memoryview(row)[d + 1:])
out.close()
"""

HANDS = """
from felt.evaluator import both{size} as rank
from array import array
hands = open({hands!r}, "rb")
out = open({out!r}, "wb")
block = bytearray({size} * 1000)
view = memoryview(block)
row = array("i", (0 for _ in range(1000)))
while True:
    count = hands.readinto(block) // {size}
    if not count:
        break
    for i in range(count):
        row[i] = rank(view[i * {size}:i * {size} + {size}])
    out.write(memoryview(row)[:count])
out.close()
"""


def naive(ranks: Iterable[int], suited: bool) -> tuple:
    """The strength of five cards as poker's rules tell it: a tuple that sorts."""
    groups = sorted(((n, r) for r, n in Counter(ranks).items()), reverse=True)
    shape = tuple(n for n, _ in groups)
    order = tuple(r for _, r in groups)
    if order == (12, 3, 2, 1, 0):
        order = (3, 2, 1, 0, -1)
    straight = shape == (1, 1, 1, 1, 1) and order[0] - order[4] == 4
    if straight and suited:
        return (9 if order[0] == 12 else 8, order)
    kinds = {(4, 1): 7, (3, 2): 6, (3, 1, 1): 3, (2, 2, 1): 2, (2, 1, 1, 1): 1}
    if shape in kinds:
        return (kinds[shape], order)
    return (5 if suited else 4 if straight else 0, order)


class Judge:
    """Strength 0..7461 of the best five of any cards, by trying all fives."""

    def __init__(self) -> None:
        hands = {}
        for ranks in itertools.combinations_with_replacement(range(13), 5):
            if max(Counter(ranks).values()) < 5:
                hands[math.prod(PRIMES[r] for r in ranks), False] = naive(ranks, False)
        for ranks in itertools.combinations(range(13), 5):
            hands[math.prod(PRIMES[r] for r in ranks), True] = naive(ranks, True)
        order = {value: i for i, value in enumerate(sorted(set(hands.values())))}
        self.categories = [value[0] for value in order]
        self.plain = {key[0]: order[value] for key, value in hands.items() if not key[1]}
        self.suited = {key[0]: order[value] for key, value in hands.items() if key[1]}
        self.primes = [PRIMES[card >> 2] for card in range(52)]

    def five(self, hand: tuple[int, ...]) -> int:
        a, b, c, d, e = hand
        primes = self.primes
        key = primes[a] * primes[b] * primes[c] * primes[d] * primes[e]
        if a & 3 == b & 3 == c & 3 == d & 3 == e & 3:
            return self.suited[key]
        return self.plain[key]

    def best(self, hand: bytes) -> int:
        return max(map(self.five, itertools.combinations(hand, 5)))


def scores(script: str, out: Path) -> array.array:
    """Run a script on MicroPython, with the firmware's evaluator, and read what it wrote."""
    command = [*runtimes.micropython_command("1m"), "-c", script]
    env = runtimes._environment("micropython", [str(ROOT / "firmware")])
    subprocess.run(command, check=True, env=env, cwd=ROOT)
    return array.array("i", out.read_bytes())


def check_fives(judge: Judge) -> int:
    """Every five-card hand; returns how many strengths there are, raises at a difference."""
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "scores"
        ours = scores(FIVES.format(out=str(out)), out)
    assert len(ours) == math.comb(52, 5)
    seen: dict[int, int] = {}
    for score, strength in zip(ours, map(judge.five, itertools.combinations(range(52), 5))):
        if seen.setdefault(score, strength) != strength:
            raise AssertionError(f"score {score} is two strengths")
    by_strength = sorted((strength, score) for score, strength in seen.items())
    assert [strength for strength, _ in by_strength] == list(range(len(judge.categories)))
    assert [score for _, score in by_strength] == sorted(seen), "order differs"
    for strength, score in by_strength:
        assert score >> 26 == judge.categories[strength], score
    return len(seen)


def deal(count: int, size: int, seed: int) -> bytes:
    source = random.Random(seed * 10 + size)
    deck = range(52)
    return b"".join(bytes(source.sample(deck, size)) for _ in range(count))


def check_pairs(size: int, pairs: int, seed: int, strength: Callable[[bytes], int]) -> int:
    """Random pairs: ours and `strength` must order each the same way; returns ties."""
    hands = deal(2 * pairs, size, seed)
    with tempfile.TemporaryDirectory() as folder:
        source, out = Path(folder) / "hands", Path(folder) / "scores"
        source.write_bytes(hands)
        ours = scores(HANDS.format(size=size, hands=str(source), out=str(out)), out)
    ties = 0
    for i in range(0, 2 * pairs, 2):
        one, two = (hands[k * size : k * size + size] for k in (i, i + 1))
        first, second = strength(one), strength(two)
        if (ours[i] > ours[i + 1]) - (ours[i] < ours[i + 1]) != (first > second) - (
            first < second
        ):
            raise AssertionError(f"{list(one)} and {list(two)} are ordered otherwise")
        ties += first == second
    return ties


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    options.add_argument("--pairs", type=int, default=2_000_000)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--peer", action="store_true")
    given = options.parse_args()
    judge = Judge()
    judges: dict[str, Callable[[bytes], int]] = {"rules of poker": judge.best}
    if given.peer:
        site.addsitedir(str(published.install()))
        from phevaluator.evaluator import _evaluate_cards

        judges["phevaluator"] = lambda hand: -_evaluate_cards(*hand)
    found = check_fives(judge)
    print(f"five cards: all {math.comb(52, 5):,} hands agree, {found:,} strengths in order")
    for name, strength in judges.items():
        for size in (6, 7):
            ties = check_pairs(size, given.pairs, given.seed, strength)
            print(f"{size} cards: {given.pairs:,} random pairs agree with {name} ({ties:,} ties)")


if __name__ == "__main__":
    main()
