"""Wheel weights: what a valid set is, its identity, and turning a random number into a position.

The odds of the wheel are not in the rule text: without a valid set Bonus Spin stays closed.
No I/O here; the random number is handed in.
"""

from binascii import hexlify
from hashlib import sha256

from felt.games.bonus_spin import POSITIONS, TABLES

SUM_LIMIT = 1 << 24  # what felt.spin.entropy draws below
ORDER = bytes(range(1, POSITIONS + 1))  # clockwise on the wheel: the table's own position numbers


class WeightsError(Exception):
    """args: a code and what is wrong: `weights_table` name, `weights_count` how many,

    `weights_value` position and value, `weights_sum` total.
    """


def check(table, weights):
    """Return the sum of a valid set; refuse anything else by name."""
    if table not in TABLES:
        raise WeightsError("weights_table", table)
    if not isinstance(weights, (list, tuple)) or len(weights) != POSITIONS:
        count = len(weights) if isinstance(weights, (list, tuple)) else 0
        raise WeightsError("weights_count", count)
    for i in range(POSITIONS):
        weight = weights[i]
        if type(weight) is not int or not 0 < weight < SUM_LIMIT:
            raise WeightsError("weights_value", i + 1, weight)
    total = sum(weights)
    if total > SUM_LIMIT:
        raise WeightsError("weights_sum", total)
    return total


def canonical(table, weights):
    """Return the bytes that stand for a set: the pay table's name and the twelve weights."""
    check(table, weights)
    return ("felt wheel 1 " + table + " " + " ".join([str(w) for w in weights])).encode()


def identity(table, weights):
    """Return the set's SHA-256 in hex, as shown, logged and printed."""
    return hexlify(sha256(canonical(table, weights)).digest()).decode()


def draw(weights, below):
    """Return a position 1..12 with probability weight / sum; `below(n)` gives an unbiased 0..n-1.

    The set was checked when it was configured.
    """
    ticket = below(sum(weights))
    for position in ORDER:
        ticket -= weights[position - 1]
        if ticket < 0:
            return position
    raise ValueError("draw")
