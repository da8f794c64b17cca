"""The evaluator against an independent judge, as bytecode, and within its memory."""

from __future__ import annotations

import builtins
import os
import random
import subprocess

import pytest
from felt import evaluator
from felt.evaluator import check as evaluator_check
from felt.evaluator import tables as evaluator_tables

from tools.emulator import runtimes
from tools.paths import FIRMWARE
from tools.prove import evaluator_full

HEAP = 32 * 1024  # bytes, with the tables in the heap


@pytest.fixture(scope="module")
def judge() -> evaluator_full.Judge:
    return evaluator_full.Judge()


def test_every_five_card_hand_agrees(judge: evaluator_full.Judge) -> None:
    assert evaluator_full.check_fives(judge) == 7462


@pytest.mark.parametrize("size", [6, 7])
def test_random_pairs_are_ordered_alike(judge: evaluator_full.Judge, size: int) -> None:
    assert evaluator_full.check_pairs(size, 25_000, 99, judge.best) > 0


def test_a_wrong_judge_is_noticed(judge: evaluator_full.Judge) -> None:
    with pytest.raises(AssertionError):
        evaluator_full.check_pairs(7, 200, 99, lambda hand: judge.best(hand[:6]))


def test_counts_are_the_known_ones(judge: evaluator_full.Judge) -> None:
    assert sum(evaluator_check.COUNTS) == evaluator_check.TOTAL == 2598960


@pytest.mark.parametrize("kernel", ["rank5", "rank6", "rank7"])
def test_wrong_kernel_fails_the_self_test(monkeypatch: pytest.MonkeyPatch, kernel: str) -> None:
    assert evaluator.self_test()
    right = getattr(evaluator, kernel)
    for category in range(10):
        wrong = lambda hand, c=category: right(hand) ^ (right(hand) >> 26 == c)  # noqa: E731
        monkeypatch.setattr(evaluator, kernel, wrong)
        assert not evaluator.self_test(), category


def test_full_self_test_counts_and_reports(monkeypatch: pytest.MonkeyPatch) -> None:
    """On the board it counts all hands; here those whose cards are all in the last nineteen."""
    seen: list[int] = []
    monkeypatch.setattr(evaluator_check, "FIRST", 33)
    assert not evaluator.self_test_full(lambda done, total: seen.append(done))
    assert seen[-1] == 11628 and seen == sorted(seen)  # 19 choose 5


@pytest.mark.parametrize("offset", range(4))
def test_tables_lie_at_any_address(monkeypatch: pytest.MonkeyPatch, offset: int) -> None:
    """A Cortex-M0+ faults on a word that is not aligned; so does the pointer used here."""
    data = bytes(offset) + evaluator_tables.TABLES
    to_number = builtins.uint  # type: ignore[attr-defined]

    def address(value: object) -> object:
        if value is evaluator_tables.TABLES:
            return offset + to_number(data)
        return to_number(value)

    monkeypatch.setattr(builtins, "uint", address)
    for turn in range(500):
        hand = bytes(random.Random(turn).sample(range(52 if turn & 1 else 12), 7))
        assert evaluator.both5(hand) and evaluator.both6(hand) <= evaluator.both7(hand)


BYTECODE = """
source = open({kernels!r}).read().replace("@micropython.viper", "{decorator}")
space = {{"__name__": "kernels"}}
exec(source, space)
from felt import evaluator
import random
random.seed(4)
for turn in range(3000):
    hand = []
    while len(hand) < 7:
        card = random.getrandbits(6)
        if card < (52, 12)[turn & 1] and card not in hand:
            hand.append(card)
    hand = bytes(hand)
    for count in (5, 6, 7):
        assert space["rank%d" % count](hand) == getattr(evaluator, "both%d" % count)(hand), hand
print("agree")
"""


@pytest.mark.parametrize("decorator", ["", "@micropython.native"])
def test_the_same_source_as_bytecode_and_native(decorator: str) -> None:
    script = BYTECODE.format(
        kernels=str(FIRMWARE / "felt" / "evaluator" / "kernels.py"),
        decorator=decorator,
    )
    command = [*runtimes.micropython_command("4m"), "-c", script]
    env = {**os.environ, "MICROPYPATH": f"{FIRMWARE}:.frozen"}
    done = subprocess.run(command, capture_output=True, text=True, env=env)
    assert done.stdout == "agree\n", done.stderr


@pytest.mark.emulator
def test_memory_and_power_on_time_of_the_board() -> None:
    from tools.emulator.pico import Pico

    board = Pico()
    printed = board.run(
        "import gc, time\n"
        "gc.collect(); before = gc.mem_free()\n"
        "import felt.evaluator\n"
        "gc.collect(); print(before - gc.mem_free())\n"
        "t = time.ticks_us(); ok = felt.evaluator.self_test()\n"
        "print(time.ticks_diff(time.ticks_us(), t)); print(ok)\n"
    )
    heap, took, passed = printed.split()
    assert int(heap) <= HEAP
    assert int(took) < 300_000
    assert passed == "True"
