"""The statistics tool: its twin equals the firmware, its judgement is right and it can fail."""

from __future__ import annotations

import shutil
from fractions import Fraction
from typing import Iterator

import pytest
from felt.spin import wheel
from felt.spin.drbg import Drbg
from felt.spin.entropy import SPINS, Generator

from tools.generate import weights as weights_tool
from tools.prove import rng as tool
from tools.prove import rng_twin as twins

SETS = [chosen for _, chosen in weights_tool.load(weights_tool.ILLUSTRATIVE, None, None)]
SEED = b"fixed seed of the tests"


class Supply:
    """An entropy source whose noise and nonce are known."""

    fault = None

    def __init__(self, noise: Iterator[bytes], nonce: bytes) -> None:
        self._noise, self.nonce = noise, lambda: nonce

    def start(self) -> None:
        pass

    def seed(self) -> bytearray:
        return bytearray(next(self._noise))


def firmware_spins(chosen: weights_tool.WheelSet, shard: int, spins: int) -> list[int]:
    """The same shard through the board's own code."""
    supply = Supply(twins.noise(SEED, f"{chosen.table}/{shard}"), shard.to_bytes(16, "big"))
    generator = Generator(supply, b"")
    generator.start()
    found = []
    for i in range(spins):
        if i % SPINS == 0:
            generator.reseed()
        found.append(wheel.draw(chosen.weights, generator.below))
    return found


@pytest.mark.parametrize("chosen", SETS, ids=lambda s: s.table)
def test_twin_draws_what_the_firmware_draws(chosen: weights_tool.WheelSet) -> None:
    expected = firmware_spins(chosen, 3, 2000)
    for spins in (1, 2, 5, 6, 7, 2000):  # prefixes fix the order, not only the counts
        _, counts = twins.spin_shard((SEED, chosen.table, chosen.weights, 3, spins))
        seen = expected[:spins]
        assert counts[:12] == [seen.count(p) for p in range(1, 13)]
        pairs = list(zip(seen[::2], seen[1::2]))
        assert counts[12:] == [pairs.count((a, b)) for a in range(1, 13) for b in range(1, 13)]


def test_twin_reseeds_as_often_as_a_round_may_spin() -> None:
    assert twins.ROUND == SPINS


def test_twin_generates_what_the_firmware_generates() -> None:
    drbg = Drbg()
    drbg.instantiate(bytes(range(40)), bytes(16), b"who")
    twin = twins.Twin(bytes(range(40)), bytes(16), b"who")
    for size in (1, 30, 32, 33, 1000, 65536):
        out = bytearray(size)
        drbg.generate(out)
        assert twin.generate(size) == out
        drbg.reseed(bytes(32))
        twin.update(bytes(32))


def test_short_chi_square_of_all_four_tables() -> None:
    """Seeded, so the outcome is fixed; `make rng` spins ten million a table on a fresh seed."""
    verdicts = tool.spin_tables(SEED, 60_000, lambda part: None)
    for verdict in verdicts:
        print(verdict.line())
    assert len(verdicts) == 8
    assert [v.word for v in verdicts].count("pass") >= 7
    assert not [v for v in verdicts if v.word == "FAIL"]


def test_chi_square_notices_a_modulo_wheel() -> None:
    """The bias that rejection avoids: two bytes modulo 40,000 favours the low tickets."""
    even = [Fraction(1, 12)] * 12
    tickets = [0] * 12
    for value in range(1 << 16):
        tickets[value % 40000 * 12 // 40000] += 1
    verdict = tool.chi_square(tickets, [float(x) for x in even], "modulo")
    assert verdict.word == "FAIL"


def test_chi_square_notices_a_wrong_weight_and_too_good_a_fit() -> None:
    wrong = [w + 3000 * (i == 4) for i, w in enumerate(SETS[0].weights)]
    counts = twins.spin_shard((SEED, "x", SETS[0].weights, 0, 50_000))[1]
    assert tool.judge_wheel("x", SETS[0].weights, counts)[0].word == "pass"
    assert tool.judge_wheel("x", wrong, counts)[0].word == "FAIL"
    exact = [w * 100 for w in wrong]
    assert tool.chi_square(exact, [w / sum(wrong) for w in wrong], "x").word == "FAIL"


def test_chi_square_notices_dependence() -> None:
    """Right shares, but each spin repeats the one before half of the time."""
    counts = [1000] * 12 + [42] * 144
    for position in range(12):
        counts[12 + position * 13] = 500
    words = [v.word for v in tool.judge_wheel("x", [1] * 12, counts)]
    assert words[1] == "FAIL"


# Critical values from the usual printed tables: (freedom, 5%, 1%).
PRINTED = [(1, 3.841, 6.635), (2, 5.991, 9.210), (11, 19.675, 24.725), (100, 124.342, 135.807)]


@pytest.mark.parametrize("freedom, five, one", PRINTED)
def test_p_values_match_printed_tables(freedom: int, five: float, one: float) -> None:
    assert tool.chi_square_p(five, freedom) == pytest.approx(0.05, rel=1e-3)
    assert tool.chi_square_p(one, freedom) == pytest.approx(0.01, rel=1e-3)
    assert tool.chi_square_p(0, freedom) == 1


def test_small_cells_are_put_together() -> None:
    verdict = tool.chi_square([1, 2, 97], [0.01, 0.02, 0.97], "x")
    assert "on 0" in verdict.note
    verdict = tool.chi_square([10, 20, 970], [0.01, 0.02, 0.97], "x")
    assert "on 2" in verdict.note


@pytest.mark.parametrize("name, run", [("ent", tool.run_ent), ("rngtest", tool.run_rngtest)])
def test_suites_pass_the_stream_and_fail_a_loaded_one(name: str, run) -> None:
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed")
    assert all(v.word != "FAIL" for v in run(twins.stream(SEED, 2 << 20)))
    loaded = (bytes(b & 0xFE if i % 3 == 0 else b for i, b in enumerate(data))
              for data in twins.stream(SEED, 1 << 20))  # fmt: skip
    assert any(v.word == "FAIL" for v in run(loaded))


def test_exit_status_and_report(capsys) -> None:
    assert tool.main(["--spins", "1000", "--no-suites", "--seed", "x"]) == 0
    text = capsys.readouterr().out
    assert text.count("1,000 spins") == 8 and "no evidence" in text
    with pytest.raises(SystemExit):
        tool.main(["--spins", "999"])
