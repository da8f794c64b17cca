"""One sentence and one exit code for each thing a person at the table can put right."""

from __future__ import annotations

import sys
from typing import Any, Callable

from mpremote.transport import TransportExecError

# Exit codes: scripts may rely on them. 0 passed, 1 failed, 2 wrong usage.
CODES = {
    "no_board": 10, "two_boards": 11, "busy": 12, "wrong_board": 13, "micropython": 14, "full": 15,
    "unplugged": 16, "locked": 17, "round_open": 18, "config": 19, "service_key": 20,
    "no_file": 21, "program": 22, "no_drive": 23, "interrupted": 130,
}  # fmt: skip

TEXTS = {
    "no_board": "No board found{0}. Is the USB cable a data cable, and plugged in? A running table"
    " shows no port: turn the service key on, then switch the table off and on.",
    "two_boards": "{0} boards are connected: {1}. Say which one with PORT=, or unplug the others.",
    "busy": "{0} is in use by another program. Close other terminals (mpremote, Thonny, screen),"
    " then repeat.",
    "permission": "{0} may not be opened by this user. Run: sudo usermod -aG dialout $USER, then"
    " log in again.",
    "wrong_board": "This is a {0}, not a {1}. Use BOARD= for the board you have, or connect the"
    " right one.",
    "micropython": "MicroPython {0} or newer is needed{1}. Hold BOOTSEL while plugging in and"
    " copy the release's .uf2 file onto the drive that appears.",
    "full": "The board's flash is full: no room for {0}. The new build is not in force. Copy the"
    " release's .uf2 file onto the board (old rounds are lost with it), or free space and repeat.",
    "unplugged": "The board went away in the middle{0}. Plug it in again and repeat the same"
    " command; a table that was being flashed stays closed until then.",
    "locked": "{0} does not answer. A running table offers no console: turn the service key on,"
    " switch the table off and on, then repeat.",
    "round_open": "A round is in progress on this table. Finish or void it, then repeat.",
    "config": "The configuration is refused: {0}.",
    "service_key": "The service key is off. Turn it on, switch the table off and on, then repeat.",
    "no_file": "{0}",
    "no_drive": "The board's drive did not appear. Mount it and repeat with BOARD= and"
    " ARGS=\"--drive FOLDER\", or copy the .uf2 file onto it by hand, then run make verify.",
    "program": "The program on the board stopped: {0}. Run make flash; if it comes back, send this"
    " sentence to the makers.",
    "interrupted": "Interrupted. Repeat the same command: it goes on where it was; a table that"
    " was being flashed stays closed until then.",
}  # fmt: skip


class Trouble(Exception):
    """Something a person at the table can put right: a sentence and an exit code."""

    def __init__(self, kind: str, *about: Any) -> None:
        super().__init__(TEXTS[kind].format(*about))
        self.kind = kind
        self.code = CODES["busy" if kind == "permission" else kind]


EXPECTED = (Trouble, KeyboardInterrupt, TransportExecError)


def of(error: BaseException) -> Trouble:
    """The trouble an expected error stands for."""
    if isinstance(error, Trouble):
        return error
    if isinstance(error, TransportExecError):
        lines = str(error.error_output).strip().splitlines()
        return Trouble("program", lines[-1] if lines else "no reason given")
    return Trouble("interrupted")


def told(work: Callable[[], int]) -> int:
    """Runs a tool: what was expected to go wrong ends in a sentence, not in a traceback."""
    try:
        return work()
    except EXPECTED as error:
        trouble = of(error)
        print(trouble, file=sys.stderr)
        return trouble.code
