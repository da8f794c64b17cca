"""The cutoffs of the health tests are the formulas of the standard; false alarms are rare."""

from __future__ import annotations

import random
from decimal import Decimal, getcontext
from math import ceil, comb

import pytest
from felt.spin.entropy import _BITS, _BYTES, BIT_CUTOFFS, BYTE_CUTOFFS, Health

getcontext().prec = 80
ALPHA_BITS = 30
CLAIM_BIT = Decimal("0.5")  # min-entropy of one ring-oscillator sample
CLAIM_BYTE = Decimal(4)  # min-entropy of one urandom byte


def tail(window: int, claim: Decimal, count: int) -> Decimal:
    """Chance that a source with exactly this min-entropy repeats a value `count` times or more."""
    p = Decimal(2) ** -claim
    terms = (comb(window, k) * p**k * (1 - p) ** (window - k) for k in range(count, window + 1))
    return sum(terms, Decimal(0))


def cutoffs(claim: Decimal, window: int, alpha_bits: int) -> tuple[int, int, int]:
    """SP 800-90B 4.4.1: 1 + ceil(-log2 alpha / H); 4.4.2: 1 + critbinom(W, 2**-H, 1 - alpha)."""
    alpha = Decimal(2) ** -alpha_bits
    low, high = 0, window  # critbinom: the least count that is exceeded with at most alpha
    while low < high:
        middle = (low + high) // 2
        if tail(window, claim, middle + 1) <= alpha:
            high = middle
        else:
            low = middle + 1
    return 1 + ceil(alpha_bits / claim), window, 1 + low


def test_cutoffs_are_the_formulas() -> None:
    assert BIT_CUTOFFS == cutoffs(CLAIM_BIT, 1024, ALPHA_BITS)
    assert BYTE_CUTOFFS == cutoffs(CLAIM_BYTE, 512, ALPHA_BITS)


def test_formulas_give_the_well_known_values() -> None:
    """What implementations of the standard print for alpha 2**-20."""
    assert cutoffs(Decimal(1), 1024, 20) == (21, 1024, 589)
    assert cutoffs(Decimal(8), 512, 20) == (4, 512, 13)


def test_a_seed_claims_enough_from_each_source_alone() -> None:
    assert _BITS * CLAIM_BIT >= 256 and _BYTES * CLAIM_BYTE >= 256


@pytest.mark.parametrize("claim, window", [(CLAIM_BIT, 1024), (CLAIM_BYTE, 512)])
def test_false_alarm_of_the_proportion_test(claim: Decimal, window: int) -> None:
    _, _, most = cutoffs(claim, window, ALPHA_BITS)
    assert tail(window, claim, most) <= Decimal(2) ** -ALPHA_BITS < tail(window, claim, most - 1)


def worst(rng: random.Random, claim: float, window: int) -> bytes:
    """A window from the worst source the claim allows: one value as likely as may be."""
    p, others = 2**-claim, 1 if window == 1024 else 255
    return bytes(0 if rng.random() < p else rng.randint(1, others) for _ in range(window))


@pytest.mark.parametrize("claim, window", [(0.5, 1024), (4.0, 512)])
def test_false_alarms_measured(claim: float, window: int) -> None:
    """At a loose alpha of 2**-6 the alarms of 2,000 windows stay within what alpha allows."""
    rng = random.Random(90)
    repeat, _, most = cutoffs(Decimal(claim), window, 6)
    windows = 2000
    proportion = Health((window + 1, window, most))
    found = [proportion.feed(worst(rng, claim, window)) for _ in range(windows)]
    alarms = found.count("entropy_biased")
    assert 0 < alarms < windows / 64 * 1.6
    runs = sum(Health((repeat, window, window + 1)).feed(worst(rng, claim, repeat)) is not None
               for _ in range(windows))  # fmt: skip
    assert runs < windows / 64 * 1.6


def test_no_alarm_on_good_noise() -> None:
    """A million fair samples of each kind, continuously tested."""
    rng = random.Random(91)
    noise = rng.randbytes(1 << 20)
    assert Health(BYTE_CUTOFFS).feed(noise) is None
    assert Health(BIT_CUTOFFS).feed(bytes(b & 1 for b in noise)) is None


@pytest.mark.parametrize(
    "ones, caught", [(0.5, 0), (0.7, 0), (0.8, 150), (0.85, 200), (0.95, 200)]
)
def test_power_against_bias(ones: float, caught: int) -> None:
    """How many of 200 starts (two windows each) a biased ring oscillator fails."""
    rng = random.Random(92)
    failed = 0
    for _ in range(200):
        bits = bytes(rng.random() < ones for _ in range(2048))
        failed += Health(BIT_CUTOFFS).feed(bits) is not None
    assert failed >= caught and (caught or not failed), failed
