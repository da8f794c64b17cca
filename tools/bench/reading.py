"""What the dealer's screen tells about the table, for a board that has no probe on it.

The firmware's own language file says which text stands for which state; nothing is repeated here.
"""

from __future__ import annotations

import re
from typing import Any

from tools.games import LANGUAGE, TITLES

PROMPT = 1  # the row that says what the table waits for
# What is due when the prompt is not named after it.
_KINDS = {
    "card": "deal",
    "card_up": "deal",
    "stack": "deal",
    "turning": "spun",
    "hand_paid": "spun",
}
# The phase a due is of, where it is not its own.
_PHASES = {
    "mend": "deal", "stub": "reveal", "tap": "settle", "discard": "settle", "spun": "spin",
    "hand_pay": "spin",
}  # fmt: skip
_SEAT = ("decide", "tap", "discard", "settle", "spin", "spun", "hand_pay")  # value 0 is a seat


def _texts() -> dict[str, str]:
    lines = LANGUAGE.read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, text.strip().split("%s"))) + r"\s*$")


_WORDS = _texts()
# The wordiest first: what is filled into a short text may look like a longer one.
TEXTS = {key: _pattern(text) for key, text in sorted(_WORDS.items(), key=lambda t: -len(t[1]))}
_REFUSALS = [
    key for key in TEXTS if key.startswith(("refused.", "command.", "notice.busy", "notice.look"))
]
_PROMPTS = [k for k in TEXTS if k.startswith(("step.", "prompt.")) or k == "notice.turning"]


def find(row: str, keys: Any) -> tuple[str, tuple[str, ...]]:
    """Which of the texts a row is, and what was filled in; ("", ()) for none of them."""
    for key in keys:
        found = TEXTS[key].match(row)
        if found:
            return key, found.groups()
    return "", ()


def too_soon(notice: str) -> bool:
    """The notice says that a nod came too soon after the last one."""
    return find(notice, ["notice.repeated"])[0] != ""


def refusal(notice: str) -> bool:
    """The notice says that an entry was not taken."""
    return bool(find(notice, _REFUSALS)[0])


def game(rows: list[str]) -> str:
    """The game the title names, or nothing."""
    found = find(rows[0] if rows else "", ["row.title"])[1]
    return next((name for name in TITLES if found and TITLES[name].upper() == found[0]), "")


_CARD = re.compile(r"(?:[2-9TJQKA][cdhs]|##|\?\?)$")


def next_place(rows: list[str]) -> str:
    """The place the prompt asks one card for, in its words, or nothing."""
    asks = ["prompt.card", "prompt.card_up", "prompt.mend"]
    return (find(rows[PROMPT] if len(rows) > PROMPT else "", asks)[1] or ("",))[0]


def cards_at(rows: list[str], place: str) -> int | None:
    """How many cards the screen shows at a place; None for one that has no row, a burn say, or
    when no place is named: the screen may be behind what is due."""
    if not place:
        return None
    shown = {_WORDS[f"place.{at}"]: row for at, row in ((8, "row.board"), (0, "row.dealer"))}
    first = _WORDS[shown[place]].split()[0] if place in shown else place.split()[-1]
    at = [i for i, row in enumerate(rows) if i > PROMPT and row.split()[:1] == [first]]
    if not at:
        return 0 if place in shown else None
    words = rows[at[0]].split()
    for row in rows[at[0] + 1 :]:
        if not row.startswith("  "):
            break
        words += row.split()
    return sum(1 for word in words if _CARD.match(word))


def cents(amount: str) -> int:
    """Cents of "$12.50" or "$12"."""
    whole, _, rest = amount.lstrip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(rest or 0)


def waits_for(key: str, values: tuple[str, ...]) -> dict[str, Any]:
    """What the table waits for, as the probe tells it, from a prompt's text key and values."""
    group, _, word = key.partition(".")
    kind = "check" if group == "step" else _KINDS.get(word, word.partition(".")[0])
    seat = int(values[0]) if kind in _SEAT and values else 0
    choices = [word] if group == "step" else values[1].split() if kind == "decide" else []
    places = {"card": 1, "card_up": 1, "mend": 1}.get(word, 0)
    if word == "stack":
        places = int(values[0])
    return {"kind": kind, "seat": seat, "choices": choices, "places": [None] * places}


def picture(rows: list[str]) -> dict[str, Any]:
    """Phase, seat, jackpot and fault as a probe would tell them, where the screen says so."""
    key, values = find(rows[PROMPT] if len(rows) > PROMPT else "", _PROMPTS)
    due = waits_for(key, values)
    phase = _PHASES.get(due["kind"], due["kind"])
    out: dict[str, Any] = {"phase": phase, "due": due, "fault": None, "jackpot": None}
    out["turning"] = key == "notice.turning"
    for row in (rows[0], rows[-1]) if rows else ():
        found, values = find(row, [k for k in TEXTS if k.startswith(("fault.", "row.jackpot"))])
        if found == "row.jackpot":
            out["jackpot"] = cents(values[0].split()[0])  # more may stand beside it
        elif found:
            out["fault"] = found.partition(".")[2]
    return out
