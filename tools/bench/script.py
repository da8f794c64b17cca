"""The script language: one statement a line, `#` for comments.

Actions are the words of bench.hands (`bet`, `deal`, `key`, `cut-power` ...). Beside them:

  wait MS                     let time pass
  wait-for WHAT TEXT [within MS]   go on when it is so; the script fails after MS (10000)
  expect WHAT TEXT            it is so now, or within two seconds
  expect-not WHAT TEXT        it is not so now
  screenshot FILE             the wheel display as a PNG
  print TEXT                  a line for the reader
  deal-all                    pull cards from the shoe as long as one is due
  checklist                   confirm every step of an open checklist, shuffle where it says so
  settle                      confirm seat after seat, tap where a spin is won
  repeat N ... end            N times
  table GAME [DEALING [START [SEED]]]   first of all: which table the script is for

An entry that is refused fails the script, unless the next line expects that notice. Amounts are
dollars, in what is looked at too. WHAT is screen, prompt (the screen's second row), notice, phase,
feed, jackpot, fault, lamp, power (on, off) or wheel (turning, still).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field
from pathlib import Path

from tools import games
from tools.bench import grammar
from tools.field.saved import SavedAsUtf16, plain


class ScriptError(Exception):
    """A line that is no statement."""


@dataclass
class Statement:
    """One line: its number, its verb and words, and the text as written."""

    number: int
    verb: str
    words: list[str]
    text: str
    body: list["Statement"] = field(default_factory=list)


def parse(text: str) -> list[Statement]:
    """Parse a whole script; ScriptError names the line."""
    stack: list[list[Statement]] = [[]]
    begun: list[int] = []  # lines of repeats without their end yet
    game: str | None = None  # of a script without a `table` line: any
    for number, raw in enumerate(text.splitlines(), 1):
        words = _words(number, raw, game)
        if words[:1] == ["table"]:
            game = words[1]
        if words == ["end"]:
            if not begun:
                raise ScriptError(f"line {number}: end without repeat")
            begun.pop()
            stack.pop()
        elif words:
            statement = Statement(number, words[0], words[1:], raw.strip())
            stack[-1].append(statement)
            if statement.verb == "repeat":
                stack.append(statement.body)
                begun.append(number)
    if begun:
        raise ScriptError(f"line {begun[-1]}: repeat without end")
    return stack[0]


def load(path: Path) -> list[Statement]:
    """Parse a script's file as an editor saved it; ScriptError names the line."""
    raw = path.read_bytes()
    try:
        return parse(plain(raw).decode())
    except UnicodeDecodeError as error:
        number = error.object.count(b"\n", 0, error.start) + 1
        what = f"byte {error.object[error.start]:#x} is no text in UTF-8: save the file so"
        raise ScriptError(f"{path.name}: line {number}: {what}") from None
    except SavedAsUtf16 as error:
        raise ScriptError(f"{path.name}: {error}") from None


def _words(number: int, raw: str, game: str | None) -> list[str]:
    """The words of a line, known to be a statement."""
    try:
        words = shlex.split(raw, comments=True)
        if words:
            grammar.check(words, game)
    except ValueError as error:
        raise ScriptError(f"line {number}: {error}") from error
    if words[:1] == ["table"]:
        _check_table(number, words[1:])
    return words


def _check_table(number: int, words: list[str]) -> None:
    from tools.bench import starts

    known = (games.TITLES, games.DEALINGS, starts.STATES)
    for word, names in zip(words, known):
        if word not in names:
            raise ScriptError(f"line {number}: {word!r} is none of {', '.join(names)}")
    if len(words) not in (1, 2, 3, 4) or not all(word.isdigit() for word in words[3:]):
        raise ScriptError(f"line {number}: table GAME [DEALING [START [SEED]]]")


def table_of(statements: list[Statement]) -> list[str]:
    """The words of the script's `table` line: game, dealing, start state, seed."""
    words = next((s.words for s in statements if s.verb == "table"), [])
    return words + [games.FIRST, "shoe", "open", "1"][len(words) :]


def flatten(statements: list[Statement]) -> list[Statement]:
    """Unroll the repeats."""
    out = []
    for statement in statements:
        if statement.verb == "repeat":
            for _ in range(int(statement.words[0])):
                out.extend(flatten(statement.body))
        else:
            out.append(statement)
    return out
