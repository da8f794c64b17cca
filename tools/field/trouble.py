"""One sentence and one exit code for each thing a person at the table can put right."""

from __future__ import annotations

import errno
import sys
from typing import Any, Callable

from mpremote.transport import TransportExecError

from .faults import next_step

# Exit codes: scripts may rely on them. 0 passed, 1 failed, 2 wrong usage.
CODES = {
    "usage": 2,
    "no_board": 10, "two_boards": 11, "busy": 12, "wrong_board": 13, "bootsel": 14, "full": 15,
    "unplugged": 16, "locked": 17, "round_open": 18, "config": 19, "service_key": 20,
    "no_file": 21, "program": 22, "no_drive": 23, "not_back": 24, "in_use": 25,
    "signature": 26,
    "no_packages": 27, "restarted": 28, "closed": 29,
    "interrupted": 130,
}  # fmt: skip
# Several sentences, one code.
SAME = {
    "permission": "busy", "two_drives": "two_boards", "taken": "two_boards", "refused": "closed",
    "odd": "locked", "unfit": "config", "unchecked": "signature", "no_room": "no_file",
    "unread": "interrupted", "changed": "round_open", "recorded": "config", "another": "config",
    "password": "usage", "none_kept": "config",
}  # fmt: skip

TEXTS = {
    "no_board": "No board found{0}. Is the USB cable a data cable, and plugged in? A running table"
    " shows no port: turn the service key on, then switch the table off and on.",
    "usage": "{0} is for one board, and --all takes {1}. Flash each by itself: --port, or --drive"
    " for one in BOOTSEL.",
    "password": "{0} holds a blank or a control character, and no table takes such a password:"
    " nothing was written. Give the table's user another at the broker, then repeat.",
    "two_boards": "{0} boards are connected: {1}. Say which with {2}, or unplug the others.",
    "two_drives": "More than one board waits in BOOTSEL: {0}. Say which one with --drive.",
    "taken": "Another board is at {0} already, nothing was written. Name another place, or unplug"
    " that board.",
    "busy": "{0} is in use by another program. Close other terminals (mpremote, Thonny, screen),"
    " then repeat.",
    "permission": "{0} may not be opened by this user. Run: sudo usermod -aG dialout $USER, then"
    " log in again.",
    "wrong_board": "This is a {0}, not a {1}. Connect the right board, or leave --board out.",
    "bootsel": "A board waits in BOOTSEL at {0} and cannot say which one it is. Say it: --board"
    " {1}.",
    "full": "The board's file system is full: no room for {0}. Take old rounds off it (felt"
    " report), then repeat.",
    "unplugged": "The board went away in the middle{0}. Plug it in again and repeat the same"
    " command; hold BOOTSEL while plugging in when it does not start.",
    "locked": "{0} does not answer. A running table offers no console: turn the service key on,"
    " switch the table off and on, then repeat.",
    "odd": "{0} answers, and not as a table does ({1!r}). Unplug it, plug it in again, then"
    " repeat.",
    "round_open": "A round is in progress on this table. Finish or void it, then repeat.",
    "changed": "A round is in progress, and it is played under another configuration than this"
    " table has now. Put that back: felt provision --recorded. Finish or void it, then repeat.",
    "recorded": "Nothing is to be put back: the table has the configuration its round is played"
    " under, or none is in progress (fault {0}). A new one: felt provision FILE.json.",
    "another": "{0} is not the configuration that the table recorded, {1}. Name the file that was"
    " sent to it: provision-*-sent.txt, beside the report of that day.",
    "none_kept": "The table kept no copy of the configuration that it recorded, {0}. Name the file"
    " that was sent to it: provision-*-sent.txt, beside the report of that day.",
    "config": "The configuration is refused: {0}. Correct that in the file, then repeat.",
    "unfit": "The configuration is refused: {0}.",  # what comes next is said by who refuses
    "service_key": "The service key is off. Turn it on, switch the table off and on, then repeat.",
    "no_file": "{0}",
    "no_room": "No room is left on this PC ({0}). Make room, or name another folder, then repeat.",
    "unread": "Stopped: nobody takes what felt prints any more ({0}). Repeat the same command.",
    "program": "The program on the board stopped: {0}. Run felt flash; if it comes back, send this"
    " sentence to the makers.",
    "no_drive": "The board's drive (RPI-RP2 or RP2350) did not appear. Open it in the file manager"
    " once, or say where it is with --drive, then repeat.",
    "not_back": "The image is written, and the table does not answer yet. Turn the service key on,"
    " switch the table off and on, then: felt verify.",
    "in_use": "{0} is a table with a configuration of its own: a demonstration would erase it."
    " Take its meters home first (felt report); add --erase when that is meant.",
    "signature": "The release is refused, nothing was written: {0}. Get it from its makers again;"
    " which keys this PC believes is for the house to say.",
    "unchecked": "The release cannot be checked, nothing was written: {0}. Put that right on this"
    " PC, then repeat; the key is the house's public one.",
    "no_packages": "The pit's packages are not installed ({0} is missing). In the release's folder"
    ' run: pipx install --force "./{1}[pit]", or pip install "./{1}[pit]" where pip installed'
    " felt; in a checkout: make pit does it.",
    "restarted": "The table restarted while it answered {0}. Repeat the command; if it restarts"
    " again, run felt flash and send this sentence to the makers.",
    "closed": "The table is closed by the fault {0} and has nothing to tell. Next: {1}.",
    "refused": "The table refuses: {0}. Put that right, then repeat.",
    "interrupted": "Interrupted. Repeat the same command; a board whose program is half written"
    " waits in BOOTSEL for it, with --drive instead of --port.",
}  # fmt: skip


def code(kind: str) -> int:
    """The exit code of a kind of trouble."""
    return CODES[SAME.get(kind, kind)]


class Trouble(Exception):
    """Something a person at the table can put right: a sentence and an exit code."""

    def __init__(self, kind: str, *about: Any) -> None:
        super().__init__(TEXTS[kind].format(*about))
        self.kind = kind
        self.code = code(kind)


class Refusal(Exception):
    """The table's console answered ERROR: a code and a text."""


BY_FAULT = "E4"  # a table without a round machine refuses so; the text names the fault
NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
EXPECTED = (Trouble, Refusal, KeyboardInterrupt, TransportExecError, OSError)


def of(error: BaseException) -> Trouble:
    """The trouble an expected error stands for."""
    if isinstance(error, Trouble):
        return error
    if isinstance(error, Refusal):
        return _refused(*error.args)
    if isinstance(error, TransportExecError):
        lines = str(error.error_output).strip().splitlines()
        return Trouble("program", lines[-1] if lines else "no reason given")
    return _of_pc(error) if isinstance(error, OSError) else Trouble("interrupted")


def _of_pc(error: OSError) -> Trouble:
    """A file of this PC has a name when it is opened; of what has none, a port never says this."""
    if error.errno in NO_ROOM:
        return Trouble("no_room", error.strerror)
    if isinstance(error, BrokenPipeError) or _closed_on_windows(error):
        return Trouble("unread", error.strerror)
    named = Trouble("no_file", f"{error.filename}: {error.strerror}. Name another.")
    return named if error.filename else Trouble("unplugged", f" ({error})")


def _closed_on_windows(error: OSError) -> bool:
    """There a pipe whose reader ended is an invalid argument; pyserial's errors have no number."""
    return sys.platform == "win32" and error.errno == errno.EINVAL and not error.filename


def _refused(number: str, text: str) -> Trouble:
    said = text.strip()
    if number == BY_FAULT:
        return Trouble("closed", said, next_step(said))
    return Trouble("refused", f"{said} ({number})")


def told(work: Callable[[], int]) -> int:
    """Runs a tool: what was expected to go wrong ends in a sentence, not in a traceback."""
    try:
        return work()
    except EXPECTED as error:
        trouble = of(error)
        print(trouble, file=sys.stderr)
        return trouble.code
