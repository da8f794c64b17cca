"""Bonus Spin pay tables of 13:69F-X.11(e): prizes by wheel position, in cents.

The wheel's odds are not part of the rule text; they are configuration (see felt.spin.wheel).
"""

from binascii import crc32
from collections import namedtuple

POSITIONS = 12
TOP = 1  # the position of the jackpot or fixed prize
RULE = "13:69F-X.11(e)"
TRIGGER = (22, 425)  # three hole cards of one suit: 4 * C(13,3) / C(52,3)
CONTRIBUTION_PERCENT = 7

# name: (stake, seed or None for a fixed prize, player pay by position 1..12, community pay)
# The top prize is 0 here: it is the meter, or the configured fixed prize.
TABLES = {
    "flush5_progressive": (
        500,
        1000000,
        (0, 4000, 10000, 500000, 5000, 25000, 250000, 6000, 4000, 100000, 10000, 50000),
        (0, 0, 5000, 0, 0, 10000, 0, 0, 1500, 0, 0, 0),
    ),
    "flush5_fixed": (
        500,
        None,
        (0, 5000, 10000, 1000000, 6000, 25000, 500000, 6500, 4000, 100000, 10000, 50000),
        (0, 0, 5000, 0, 0, 10000, 0, 0, 1500, 0, 0, 0),
    ),
    "flush1_progressive": (
        100,
        500000,
        (0, 500, 10000, 100000, 1000, 2500, 50000, 4000, 7500, 1500, 5000, 6000),
        (0, 0, 2500, 0, 0, 300, 0, 0, 1500, 0, 0, 0),
    ),
    "flush1_fixed": (
        100,
        None,
        (0, 500, 10000, 100000, 1000, 2000, 50000, 1500, 5000, 20000, 7500, 2500),
        (0, 0, 2500, 0, 0, 300, 0, 0, 1000, 0, 0, 0),
    ),
}
ILLUSTRATIVE = (0xC6329C1E, 0xE562BD79, 0x450B72CD, 0x804C9894)  # CRC-32 of the project's own sets


def illustrative(weights):
    """Return whether these are the project's own weights, which no regulator has seen."""
    return bool(weights) and crc32(" ".join([str(w) for w in weights]).encode()) in ILLUSTRATIVE


def contribution(stake):
    """Return the meter's share of one latched wager."""
    return stake * CONTRIBUTION_PERCENT // 100


# The wheel of one table: its pay table's name, the exact stake, the progressive's seed or None,
# what positions pay the player and every other wager, the meter's share of a stake, the fixed
# prize and its name.
Wheel = namedtuple(
    "Wheel", ("name", "stake", "seed", "pays", "community", "share", "prize", "prize_name")
)


def wheel(name, prize, prize_name):
    """Return the Wheel of a pay table."""
    stake, seed, pays, community = TABLES[name]
    share = contribution(stake) if seed else 0
    return Wheel(name, stake, seed, pays, community, share, prize, prize_name)
