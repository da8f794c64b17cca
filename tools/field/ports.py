"""The serial ports of this PC: which have a board behind them, and opening one."""

from __future__ import annotations

import errno
import sys
from typing import Any, Iterable

import serial
from serial.tools import list_ports

from . import drive
from .trouble import Trouble

RASPBERRY = 0x2E8A  # USB vendor of every board with MicroPython for RP2040 and RP2350
PROBES = (0x0004, 0x000C)  # its debug probes have a serial port too, and no table behind it


def connected(listed: Iterable[Any] | None = None) -> list[str]:
    """Serial ports with a board behind them, in the order of their names."""
    found = list_ports.comports() if listed is None else listed
    return sorted(p.device for p in found if p.vid == RASPBERRY and p.pid not in PROBES)


def find_port(port: str | None = None, listed: Iterable[Any] | None = None) -> str:
    """The serial port to use: the one given, or the only board connected."""
    if port:
        return port
    found = connected(listed)
    if len(found) > 1:
        raise Trouble("two_boards", len(found), ", ".join(found), "--port")
    if not found:
        waits = waiting()
        raise Trouble("no_board", f" with a program{waits}" if waits else "")
    return found[0]


def waiting() -> str:
    """Where boards are that have no port, for a sentence about one that was not found."""
    places = ", ".join(str(each.path) for each in drive.drives())
    return f"; the one at {places} waits in BOOTSEL for felt flash" if places else ""


def open_serial(port: str, **options: Any) -> serial.SerialBase:
    """Opens a port for this program alone, or says why not."""
    try:
        return serial.serial_for_url(port, 115200, exclusive=True, **options)
    except (OSError, ValueError) as error:  # SerialException is an OSError
        kind = closed(error)
        if kind == "no_board":
            waits = waiting()
            raise Trouble(kind, f" at {port}{waits}{' without --port' if waits else ''}") from None
        raise Trouble(kind, port) from None


def closed(error: Exception) -> str:
    """Why a port cannot be opened, as a kind of trouble. On Windows pyserial gives the system's
    answer as words only, and a port that is in use is one to which access is denied."""
    number = getattr(error, "errno", None)
    denied = sys.platform == "win32" and "PermissionError" in str(error)
    if denied or number in (errno.EBUSY, errno.EAGAIN):
        return "busy"
    return "permission" if number == errno.EACCES else "no_board"
