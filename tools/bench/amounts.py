"""Amounts in scripts are dollars, in the firmware cents: the one place that turns them round."""

from __future__ import annotations

# Which word of an effect is an amount, by its first word; -1: all after the seat.
_AT = {
    "pay": 3, "take": 3, "push": 3, "return": 3, "act": 3, "pot": 2, "to_pot": 2, "hit": 2,
    "commission": 1, "bet": -1,
}  # fmt: skip


def cents(text: str) -> int:
    """Cents of "5", "5.50" or "$5"."""
    whole, _, rest = text.removeprefix("$").partition(".")
    if len(rest) not in (0, 2) or not (whole + rest).isdecimal():
        raise ValueError(f"{text!r} is no amount in dollars")
    return int(whole) * 100 + int(rest or 0)


def dollars(amount: int) -> str:
    """ "12.50" of 1250; whole dollars without cents."""
    whole, rest = divmod(abs(amount), 100)
    sign = "-" if amount < 0 else ""
    return f"{sign}{whole}.{rest:02d}" if rest else f"{sign}{whole}"


def told(effect: str) -> str:
    """An effect's line with its amounts in dollars."""
    words = effect.split(" ")
    at = _AT.get(words[0])
    if at is None:
        return effect
    for i in range(2, len(words)) if at < 0 else (at,):
        if i < len(words) and words[i].lstrip("-").isdecimal():
            words[i] = dollars(int(words[i]))
    return " ".join(words)
