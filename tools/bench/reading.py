"""What the dealer's screen tells about the table, for a board that has no probe on it.

The firmware's own language file says which text stands for which state; nothing is repeated here.
"""

from __future__ import annotations

import re
from typing import Any

from tools.bench.memory import LANGUAGE

PROMPT = 1  # the row that says what the table waits for
# Texts of the prompt row, and the phase they are shown in.
_PHASES = {
    "step.": "check", "prompt.closed.": "closed", "prompt.idle": "idle", "prompt.bet": "bet",
    "prompt.card": "deal", "prompt.stack": "deal", "prompt.mend": "deal",
    "prompt.decide": "decide", "prompt.show": "show", "prompt.reveal": "reveal",
    "prompt.stub": "reveal",
    "prompt.tap": "settle", "prompt.settle": "settle", "prompt.pot": "pot",
    "prompt.spin": "spin", "prompt.spun": "spin", "prompt.hand_pay": "spin",
    "notice.turning": "spin", "prompt.collect": "collect", "prompt.void": "void",
}  # fmt: skip
_SEAT = ("decide", "tap", "settle", "spin", "spun", "hand_pay")  # the first value is a seat


def _texts() -> dict[str, str]:
    lines = LANGUAGE.read_text().splitlines()
    return dict(line.split(" ", 1) for line in lines if line and not line.startswith("#"))


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile("(.*?)".join(map(re.escape, text.strip().split("%s"))) + r"\s*$")


# The wordiest first: what is filled into a short text may look like a longer one.
TEXTS = {key: _pattern(text) for key, text in sorted(_texts().items(), key=lambda t: -len(t[1]))}
_PROMPTS = [key for key in TEXTS if key.startswith(tuple(_PHASES))]


def find(row: str, keys: Any) -> tuple[str, tuple[str, ...]]:
    """Which of the texts a row is, and what was filled in; ("", ()) for none of them."""
    for key in keys:
        found = TEXTS[key].match(row)
        if found:
            return key, found.groups()
    return "", ()


def game(rows: list[str]) -> str:
    """The game the title names, or nothing."""
    titles = [key for key in TEXTS if key.startswith("title.")]
    return find(rows[0] if rows else "", titles)[0].partition(".")[2]


def cents(amount: str) -> int:
    """Cents of "$12.50" or "$12"."""
    whole, _, rest = amount.lstrip("$").replace(",", "").partition(".")
    return int(whole) * 100 + int(rest or 0)


def picture(rows: list[str]) -> dict[str, Any]:
    """Phase, seat, jackpot and fault as a probe would tell them, where the screen says so."""
    key, values = find(rows[PROMPT] if len(rows) > PROMPT else "", _PROMPTS)
    phase = next((_PHASES[start] for start in _PHASES if key.startswith(start)), "")
    out: dict[str, Any] = {"phase": phase, "fault": None, "jackpot": None}
    out["turning"] = key == "notice.turning"
    if key.startswith("prompt.card"):
        out["due"] = values
    if key.partition(".")[2] in _SEAT:
        out["turn"] = int(values[0])
    for row in (rows[0], rows[-1]) if rows else ():
        found, values = find(row, [k for k in TEXTS if k.startswith(("fault.", "row.jackpot"))])
        if found == "row.jackpot":
            out["jackpot"] = cents(values[0])
        elif found:
            out["fault"] = found.partition(".")[2]
    return out
