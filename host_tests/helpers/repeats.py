"""How often a logic test repeats what it tries.

CPython tries every byte, bit or start. MicroPython on a PC takes twice as long for the same and
tries a share; inside the image, on the emulated board, it takes minutes, and few are tried.
"""

import sys

ON_BOARD = sys.platform == "rp2"


def times(cpython, micropython, on_board):
    """Return the number for where this runs."""
    if ON_BOARD:
        return on_board
    return micropython if sys.implementation.name == "micropython" else cpython
