"""What of a script a real table can do; the rest is refused before anything is played."""

from __future__ import annotations

from tools import games
from tools.bench.script import ScriptError, Statement, flatten

LOOKS = ("wait-for", "expect", "expect-not")
SHOE_VERBS = (
    "deal", "deal-all", "stack", "shuffle", "shuffle-deck", "faceup", "jam", "unjam", "lift",
    "fit",
)  # fmt: skip
STARTS = {"open": "bet", "closed": "closed", "keep": None}  # the phase such a table is in
NEVER = {
    "speed": "a real board's clock cannot be changed",
    "random": "a real board's random source cannot be disturbed from here",
    "watchdog": "a real board cannot be hung from here",
    "stick": "a real sensor cannot be made to lie",
    "type": "the service console is on USB: use make console",
}


def refusal(statement: Statement, with_shoe: bool) -> str:
    """Why a statement cannot be played at a real table; nothing when it can."""
    verb, words = statement.verb, statement.words
    if verb in NEVER:
        return NEVER[verb]
    if verb == "cut-power" and words and words[0] != "now":
        return "nobody can cut the power at a given byte; cut-power now asks a person"
    if verb in LOOKS and words[:1] == ["feed"]:
        return "a real board does not tell its effects; look at screen, prompt or notice"
    if verb == "table" and len(words) > 2 and words[2] not in STARTS:
        return f"a real table cannot be put into the state {words[2]!r} from here"
    uses_shoe = verb in SHOE_VERBS or words[:1] == ["shoe"]
    if uses_shoe and not with_shoe:
        return "this needs the shoe's line: --shoe PORT"
    return ""


def check(statements: list[Statement], with_shoe: bool) -> None:
    """ScriptError names every line that cannot be played."""
    found = [(s, refusal(s, with_shoe)) for s in flatten(statements)]
    lines = {f"line {s.number} ({s.text}): {why}": None for s, why in found if why}
    if lines:
        raise ScriptError("not at a real table:\n  " + "\n  ".join(lines))


def mismatch(words: list[str], game: str, phase: str, prompt: str) -> str:
    """Why a script's `table` line does not fit the table that is there; nothing when it does."""
    if words[0] != game:
        return f"this table plays {games.TITLES[game]}, the script {games.TITLES[words[0]]}"
    if STARTS[words[2]] not in (None, phase):
        return f"the script wants the table {words[2]}; the terminal says: {prompt.strip()}"
    return ""
