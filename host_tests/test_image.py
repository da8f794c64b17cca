"""What is changed in MicroPython for the image: found, and does on a board what it should."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.emulator.pico import Pico
from tools.image import changes
from tools.image.packages import ImageError

IN_FLASH = """
import gc, sys
from felt import cards
from felt.app import Latency
from felt.dealer import screen
FLASH = range(0x10000000, 0x11000000)
print([id(f) in FLASH for f in (cards.name, screen.screen, Latency.add)])
print(cards.name(51), type(screen.screen).__name__, hasattr(cards, "__file__"))
name = cards.name
del sys.modules["felt.cards"], cards
gc.collect()
filled = [bytearray(100) for _ in range(200)]
print(name(50))
"""


def test_another_tree_than_the_changes_are_for_is_refused(tmp_path: Path) -> None:
    name, old, _ = changes.CHANGES[0]
    (tmp_path / name).parent.mkdir(parents=True)
    for text in ("nothing of it", old + old):
        (tmp_path / name).write_text(text)
        with pytest.raises(ImageError, match=name):
            changes.apply(tmp_path)


@pytest.mark.emulator
def test_frozen_functions_lie_in_flash_and_keep_their_module() -> None:
    first, second, third = Pico().run(IN_FLASH).splitlines()
    assert first == "[True, True, True]"
    assert second == "As generator False"
    assert third == "Ah"
