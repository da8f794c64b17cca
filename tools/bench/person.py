"""The person at a real table, who is asked for what only hands and eyes can do."""

from __future__ import annotations

import os
import select
import sys
from typing import Callable

from felt.dealer.screen import money

from tools import games
from tools.bench.amounts import cents
from tools.bench.chips import Chips
from tools.bench.hands import ActionError

WAIT_S = 0.005
MARK = "AT THE TABLE: "


class Person:
    """`ask` prints a request and waits for Enter; `meanwhile` keeps the links alive."""

    def __init__(self, meanwhile: Callable[[], None], source: int = 0) -> None:
        self._meanwhile = meanwhile
        self._source = source
        self._typed = b""

    def ask(self, request: str) -> None:
        """Go on at Enter; a no stops the script here."""
        if not self._yes(f"{request}   [Enter: done, n: cannot] "):
            raise ActionError(f"the person at the table could not: {request}")

    def sees(self, question: str) -> bool:
        return self._yes(f"{question}   [Enter: yes, n: no] ")

    def _yes(self, text: str) -> bool:
        print(MARK + text, end="", flush=True)
        answer = self._line()
        if not sys.stdin.isatty():
            print(flush=True)
        return not answer.strip().lower().startswith("n")

    def _line(self) -> str:
        while b"\n" not in self._typed:
            self._meanwhile()
            if select.select([self._source], [], [], WAIT_S)[0]:
                data = os.read(self._source, 4096)
                if not data:
                    raise ActionError("this needs a person at the table, and nobody answers here")
                self._typed += data
        line, _, self._typed = self._typed.partition(b"\n")
        return line.decode(errors="replace")


def _spot(name: str) -> str:
    return games.LABELS.get(name, name)


def _place(w: list[str], chips: Chips) -> str:
    return f"seat {w[0]}: put {money(cents(w[2]))} on {_spot(w[1])}"


def _remove(w: list[str], chips: Chips) -> str:
    what = money(cents(w[2])) if len(w) > 2 else "all chips"
    return f"seat {w[0]}: take {what} off {_spot(w[1])}"


def _sweep(w: list[str], chips: Chips) -> str:
    return f"seat {w[0]}: take all chips off" if w else "take all chips off the felt"


def _bet(w: list[str], chips: Chips) -> str:
    wagers = [f"{money(cents(a))} on {_spot(s)}" for s, a in zip(w[1::2], w[2::2])]
    return f"seat {w[0]}: put " + ", ".join(wagers) + ", nothing else"


def _decide(w: list[str], chips: Chips) -> str:
    found = chips.raised(int(w[0]), w[1])
    return f"seat {w[0]}: put {money(found[1])} on {_spot(found[0])}" if found else ""


def _power(w: list[str], chips: Chips) -> str:
    return f"switch the table's power {w[0]}"


def _cut(w: list[str], chips: Chips) -> str:
    return "pull the plug of the table now"


REQUESTS: dict[str, Callable[[list[str], Chips], str]] = {
    "place": _place, "remove": _remove, "sweep": _sweep, "bet": _bet, "decide": _decide,
    "power": _power, "cut-power": _cut,
}  # fmt: skip


def request(words: list[str], chips: Chips, keys: dict[str, bool]) -> str:
    """What to ask for a line of a script; nothing when the PC does all of it."""
    if words[0] == "key":
        on = words[2] == "on" if len(words) > 2 else not keys[words[1]]
        return f"turn the {words[1]} key {'on' if on else 'off'}"
    make = REQUESTS.get(words[0])
    return make(words[1:], chips) if make else ""
