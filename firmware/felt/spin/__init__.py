"""Bonus Spin: random generator, its health tests and the weighted wheel.

What the table catches is here, so that a table without Bonus Spin loads none of the others.
"""


class EntropyError(Exception):
    """args[0] says why: `entropy_off`, `_missing`, `_stuck`, `_biased` or `_draw`."""
