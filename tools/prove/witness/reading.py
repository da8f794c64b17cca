"""What a dealer reads off the screen: the words of the language file, found again in its rows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

LANGUAGE = Path(__file__).parents[3] / "firmware" / "lang" / "en.txt"
COLUMNS = 40
CARD = re.compile(r"(?:[2-9TJQKA][cdhs]|##|\?\?)$")
SIGNS = {"line.pay": 1, "line.take": -1, "line.push": 0}
MONEY = re.compile(r"\$([\d,]+)(?:\.(\d\d))?$")


@lru_cache
def texts() -> dict[str, str]:
    found = {}
    for row in LANGUAGE.read_text().splitlines():
        if row and row[0] != "#":
            key, _, text = row.partition(" ")
            found[key] = text
    return found


@lru_cache
def _patterns(prefixes: tuple[str, ...]) -> list[tuple[str, re.Pattern[str], str]]:
    out = []
    for key, text in texts().items():
        if key.startswith(prefixes):
            pattern = re.escape(text).replace("%s", "(.*?)") + "$"
            out.append((key, re.compile(pattern), text))
    return sorted(out, key=lambda each: -len(each[2]))  # the one that says most comes first


def find(row: str, *prefixes: str) -> tuple[str, list[str]] | None:
    """The key of a text and what was filled in; a row cut at its end is found too."""
    for key, pattern, _ in _patterns(prefixes):
        match = pattern.match(row)
        if match:
            return key, list(match.groups())
    if len(row) >= COLUMNS:
        return _cut(row, prefixes)
    return None


def _cut(row: str, prefixes: tuple[str, ...]) -> tuple[str, list[str]] | None:
    for key, _, text in _patterns(prefixes):
        for end in range(len(text) - 1, 10, -1):
            part = text[:end]
            if part.endswith("%"):
                continue
            match = re.match(re.escape(part).replace("%s", "(.*?)") + "$", row)
            if match:
                return key, list(match.groups())
    return None


def cents(text: str) -> int:
    match = MONEY.match(text)
    if not match:
        raise ValueError(f"no amount: {text!r}")
    return int(match[1].replace(",", "")) * 100 + int(match[2] or 0)


@dataclass
class Screen:
    """One look at the screen."""

    rows: list[str]
    prompt: str = ""
    about: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        prefixes = ("prompt.", "step.", "notice.turning")
        found = find(self.rows[1], *prefixes) if len(self.rows) > 1 else None
        if found:
            self.prompt, self.about = found

    def cards(self, head: str) -> list[str] | None:
        """The cards of a row that begins like this; None when there is no such row."""
        for row in self.rows[2:]:
            if row == head or row.startswith(head + " "):
                return [word for word in row.split() if CARD.match(word)]
        return None

    def seat(self, seat: int) -> list[str] | None:
        """The cards of a seat, whose row is headed when it is settled."""
        headed = self.cards(f"SEAT {seat}")
        return self.cards(str(seat)) if headed is None else headed

    def place(self, key: str) -> list[str] | None:
        return self.cards(texts()["row." + key].replace("%s", "").strip())

    def awards(self) -> dict[int, int]:
        """Chips of the pot that go to each seat."""
        found = [find(row, "pot.to") for row in self.rows[2:]]
        return {int(f[1][0]): cents(f[1][1]) for f in found if f}

    def spins(self) -> dict[int, int]:
        """What a spin pays each seat."""
        return self._amounts("line.spin")

    def returns(self) -> dict[int, int]:
        """What a void round gives back to each seat."""
        return self._amounts("line.return")

    def _amounts(self, key: str) -> dict[int, int]:
        found = [find(row, key) for row in self.rows[2:]]
        return {int(f[1][0]): cents(f[1][1]) for f in found if f}

    def lines(self) -> list[tuple[str, int, int]]:
        """(wager, cents to the player, seat or 0) of the chips the screen tells to move."""
        out = []
        for row in self.rows[2:]:
            found = find(row, "line.")
            if not found or found[0] not in SIGNS:
                continue
            key, words = found[0], row.split()
            at = next(i for i, word in enumerate(words) if MONEY.match(word))
            seat = int(words[-1]) if "seat" in words else 0
            out.append((_wager(" ".join(words[1:at])), SIGNS[key] * cents(words[at]), seat))
        return out


@lru_cache
def _wager(name: str) -> str:
    for key, text in texts().items():
        if key.startswith("wager.") and text == name:
            return key[6:]
    raise ValueError(f"no wager is called {name!r}")
