"""A short run of `make link-fuzz`, and proof that it can fail."""

from __future__ import annotations

import random

import pytest
from felt.link import frame, shoe

from tools.prove import link_fuzz


@pytest.mark.parametrize("kind", link_fuzz.LINKS)
def test_noise_and_damaged_frames(kind: type) -> None:
    rng = random.Random(20)
    link_fuzz.random_bytes(kind(), 300_000, rng)
    link_fuzz.mutated_frames(kind(), 30_000, rng)


def test_shoes_with_deaf_periods() -> None:
    link_fuzz.shoes(150, 7)


def test_a_link_without_crc_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frame.Decoder, "_whole", lambda self, n: True)
    with pytest.raises(link_fuzz.Wrong):
        for kind in link_fuzz.LINKS:
            link_fuzz.mutated_frames(kind(), 30_000, random.Random(20))


def test_a_doubled_card_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    accept = shoe.FeltShoe.accept
    calls = []

    def forgetful(self: shoe.FeltShoe) -> None:
        calls.append(1)
        if len(calls) % 40:
            accept(self)

    monkeypatch.setattr(shoe.FeltShoe, "accept", forgetful)
    with pytest.raises(link_fuzz.Wrong):
        link_fuzz.shoes(2, 7)
