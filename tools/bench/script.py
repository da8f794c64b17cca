"""The script language: one statement a line, `#` for comments.

Actions are the words of bench.hands (`bet`, `deal`, `key`, `cut-power` ...). Beside them:

  wait MS                     let time pass
  wait-for WHAT TEXT [MS]     go on when it is so; the script fails after MS (default 10000)
  expect WHAT TEXT            it is so now, or within a second
  expect-not WHAT TEXT        it is not so now
  screenshot FILE             the wheel display as a PNG
  print TEXT                  a line for the reader
  deal-all                    pull cards from the shoe as long as one is due
  checklist                   confirm every step of an open checklist
  settle                      confirm seat after seat, tap where a spin is won
  repeat N ... end            N times

WHAT is screen, prompt (the screen's second row), notice, phase, feed, jackpot, fault, lamp,
power (on, off) or wheel (turning, still).
"""

from __future__ import annotations

import shlex
from dataclasses import dataclass, field

STATEMENTS = (
    "wait", "wait-for", "expect", "expect-not", "screenshot", "print", "deal-all", "checklist",
    "settle", "table",
)  # fmt: skip


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
    from bench.hands import ACTIONS

    stack: list[list[Statement]] = [[]]
    for number, raw in enumerate(text.splitlines(), 1):
        try:
            words = shlex.split(raw, comments=True)
        except ValueError as error:
            raise ScriptError(f"line {number}: {error}") from error
        if not words:
            continue
        verb = words[0]
        if verb == "end":
            if len(stack) == 1:
                raise ScriptError(f"line {number}: end without repeat")
            stack.pop()
            continue
        if verb not in ACTIONS and verb not in STATEMENTS and verb != "repeat":
            raise ScriptError(f"line {number}: no such statement: {verb}")
        statement = Statement(number, verb, words[1:], raw.strip())
        stack[-1].append(statement)
        if verb == "repeat":
            stack.append(statement.body)
    if len(stack) > 1:
        raise ScriptError("repeat without end")
    return stack[0]


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
