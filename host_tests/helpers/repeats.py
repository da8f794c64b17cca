"""How often a logic test repeats what it tries.

Inside the image, on the emulated board, a second of the PC's MicroPython takes minutes: the few
tests that try every byte or every start try some of them there.
"""

import sys

ON_BOARD = sys.platform == "rp2"


def times(everywhere, on_board):
    """Return the number for where this runs."""
    return on_board if ON_BOARD else everywhere
