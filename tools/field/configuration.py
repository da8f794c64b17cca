"""A configuration as a file of this PC: judged by the firmware's own validator, refused by place.

What a table itself has, and how a file gets there, is provision.py.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from felt.games.settings import SettingsError, resolve
from felt.store import config

from . import refused
from .places import EXAMPLES, WEIGHTS
from .saved import SavedAsUtf16, plain
from .trouble import Trouble

DEMO = "DEMO: a demonstration, not for live play"
ILLUSTRATIVE = "ILLUSTRATIVE: not approved, not for live play"
STAMPS = ("provisioned_by", "provisioned_on")
WHY = {
    "unknown_setting": "there is no such setting in this game",
    "unknown_game": "there is no such game",
    "missing": "it must be set",
    "illustrative": "these are the illustrative ones, for demonstrations. Take the approved set,"
    " or add --illustrative on a table nobody plays for money",
    "not_replaceable": "this game has no such pay table, or none that a house may replace",
    "pays_less": "it pays less than the rules allow",
    "too_many_seats": "this game has fewer seats",
    "hand_needs_shuffler": "dealing from the hand needs a shuffler",
    "deck_needs_shuffler": "a second deck needs a shuffler",
    "too_long": f"the file is longer than {config.MOST} bytes",
    "not_json": "is where the file stops being JSON",
    "not_object": "the file is not one JSON object",
    "twice": "it stands there twice",
    "too_deep": "stands too deep inside other values",
    "not_text": "is no text in UTF-8",
}
PLACED = ("not_json", "too_deep", "not_text")  # refused with the byte they stand at


def document(raw: bytes, accepted: bool = False) -> dict[str, Any]:
    """A configuration that the firmware would accept; Trouble names what it would not.

    `accepted`: somebody said the word for illustrative weights, so it is written into it.
    """
    try:
        raw = plain(raw)
        doc = config.parse(raw)
        if accepted and illustrative(doc) and not _noted(doc):
            doc["weights_note"] = ILLUSTRATIVE
        resolve(doc)
    except SettingsError as error:
        why = _value_refused(doc, error) or f"{error.name}: {WHY.get(error.why, error.why)}"
        raise Trouble("unfit" if error.why == "illustrative" else "config", why) from None
    except SavedAsUtf16 as error:
        raise Trouble("unfit", error) from None
    except config.ConfigError as error:
        why = refused.number(raw, error.about) if error.code == "number" else ""
        about = _place(raw, error.about) if error.code in PLACED else ""
        about = f"{error.about}: " if error.code == "twice" else about
        raise Trouble("config", why or about + WHY.get(error.code, error.code)) from None
    return doc


def _place(raw: bytes, at: int) -> str:
    """A byte of the file as an editor shows where it is."""
    line, column = raw.count(b"\n", 0, at) + 1, at - raw.rfind(b"\n", 0, at)
    return f"line {line}, column {column}: byte {at} "


def _value_refused(doc: dict[str, Any], error: SettingsError) -> str:
    """What a setting is and what it may be, where the game's own schema says that."""
    if error.why == "unknown_game":
        games = ", ".join(path.stem for path in sorted(EXAMPLES.glob("*.json")))
        told = f"there is no such game as {json.dumps(doc['game'])}" if "game" in doc else ""
        return f"game: {told or WHY['missing']}; the games are {games}"
    if error.why == "contradiction":
        return refused.contradiction(doc, error.name)
    return refused.value(doc, error.name) if error.why == "bad_value" else ""


def read(path: Path) -> bytes:
    """A file as it stands."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise Trouble("no_file", f"{path}: {error.strerror}. Name another.") from None


def checked(path: Path, accepted: bool = False) -> tuple[bytes, dict[str, Any]]:
    """A file's bytes as a table takes them, and its settings."""
    raw = read(path)
    doc = document(raw, accepted)
    return plain(raw), doc


def stamped(doc: dict[str, Any], who: str, when: str) -> bytes:
    """The configuration with who and when, as it goes to the table."""
    raw = json.dumps({**doc, "provisioned_by": who, "provisioned_on": when}).encode()
    document(raw)
    return raw


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """(name, old value, new value) of every setting that differs; None where it is absent."""
    names = sorted((old.keys() | new.keys()) - set(STAMPS))
    return [(n, old.get(n), new.get(n)) for n in names if old.get(n) != new.get(n)]


def illustrative(doc: dict[str, Any]) -> bool:
    """These wheel weights are the project's own, which no regulator has approved."""
    sets = json.loads(WEIGHTS.read_text(encoding="utf-8"))["sets"].values()
    return _noted(doc) or doc.get("weights") in [each["weights"] for each in sets]


def _noted(doc: dict[str, Any]) -> bool:
    return str(doc.get("weights_note", "")).upper().startswith("ILLUSTRATIVE")


def refuse_weights(doc: dict[str, Any], accepted: bool) -> None:
    """Illustrative weights are for demonstrations, or for somebody who says that word."""
    if "weights" in doc and illustrative(doc) and not (doc.get("demonstration") or accepted):
        raise Trouble("unfit", f"weights: {WHY['illustrative']}")
