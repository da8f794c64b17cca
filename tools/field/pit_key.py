"""A table's own key for the pit: made here, kept by the table and by the collector's file.

Everything that can be known to keep it from either is found before the table's configuration is
written: a table that has the one and not the other is of no use to the pit.
"""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Any

from .console import Console, Refusal
from .places import PIT
from .report import Report
from .trouble import Trouble

KEY_SIZE = 32
PASSWORD = "FELT_BROKER_PASSWORD"


def _keys() -> Any:
    return import_module(f"{PIT}.collector").Keys


def _password() -> str:
    """The broker's, a word of a line to the table: what ends a word or a line is none of it."""
    found = os.environ.get(PASSWORD, "")
    if " " in found or not found.isprintable():
        raise Trouble("password", PASSWORD)
    return found


def check(path: Path) -> None:
    """Trouble when the key could not be kept in this file, or the password not be sent."""
    _password()
    try:
        _keys().held(path)
    except OSError as error:
        raise Trouble("no_file", f"{path}: {error.strerror}. Name another.") from None
    except ValueError as error:
        raise Trouble("no_file", f"{error}. Name another.") from None
    if not os.access(path.parent, os.W_OK):
        why = "may not be written to" if path.parent.is_dir() else "is no folder"
        raise Trouble("no_file", f"{path}: {path.parent} {why}. Name another.")


def give(console: Console, doc: dict[str, Any], path: Path, report: Report) -> None:
    """Makes the key and gives it to both; a table that refuses it keeps the one it has."""
    keys, name, key = _keys(), doc["network"]["table"], os.urandom(KEY_SIZE)
    there = path.exists()
    try:
        old = keys.held(path).get(name)
        keys.add(path, name, key)  # first: a key the table alone knows would be of no use
    except (OSError, ValueError) as error:
        why = f"{path}: {error.strerror}" if isinstance(error, OSError) else error
        after = "The table has its configuration, and no new key: put that right, then repeat."
        raise Trouble("no_file", f"{why}. {after}") from None
    try:
        console.ask(f"secret {key.hex()} {_password()}".strip())
    except Refusal as error:
        if there:
            keys.add(path, name, old)
        else:
            path.unlink()
        if "service_key" in error.args[1]:
            raise Trouble("service_key") from None
        raise
    report.add("key of the pit", True, f"{name} in {path}")
