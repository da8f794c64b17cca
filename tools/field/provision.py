"""`felt provision FILE`: puts a configuration on a table, checked by its validator.

Shows what changes, sends it through the service console (service key on, no round open), where it
is checked again, replaced as a whole and journalled. Who did it and when is part of it.
"""

from __future__ import annotations

import argparse
import base64
import getpass
import hashlib
import json
import os
import time
from importlib import import_module
from pathlib import Path
from typing import Any

from felt.games.settings import SettingsError, resolve
from felt.store import config

from . import refused
from .console import Console, Refusal, connect
from .places import EXAMPLES, PIT, WEIGHTS
from .report import TODO, Report, concluded
from .saved import SavedAsUtf16, plain
from .trouble import Trouble

DEMO = "DEMO: a demonstration, not for live play"
ILLUSTRATIVE = "ILLUSTRATIVE: not approved, not for live play"
STAMPS = ("provisioned_by", "provisioned_on")
KEY_SIZE = 32
PIECE = 96  # bytes of a configuration in one line
WHY = {
    "unknown_setting": "there is no such setting in this game",
    "unknown_game": "there is no such game",
    "missing": "it must be set",
    "illustrative": "these are the illustrative ones, for demonstrations. Take the approved set,"
    " or add --illustrative on a table nobody plays for money",
    "contradiction": "it contradicts another setting",
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
        why = _value_refused(doc, error)
        raise Trouble("config", why or f"{error.name}: {WHY.get(error.why, error.why)}") from None
    except SavedAsUtf16 as error:
        raise Trouble("config", error) from None
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
    if error.why != "bad_value":
        return ""
    return refused.value(doc, error.name)


def checked(path: Path, accepted: bool = False) -> tuple[bytes, dict[str, Any]]:
    """A file's bytes as a table takes them, and its settings."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise Trouble("no_file", f"{path}: {error.strerror}.") from None
    doc = document(raw, accepted)
    return plain(raw), doc


def stamped(doc: dict[str, Any], who: str, when: str) -> bytes:
    """The configuration with who and when, as it goes to the table."""
    raw = json.dumps({**doc, "provisioned_by": who, "provisioned_on": when}).encode()
    document(raw)
    return raw


def on_table(console: Console) -> dict[str, Any]:
    """The settings on a table; empty when it has none."""
    try:
        return config.parse("\n".join(console.ask("config")).encode())
    except (Refusal, config.ConfigError):
        return {}


def facts(console: Console) -> dict[str, Any]:
    """What a table says of itself, and whether its settings make it a demonstration."""
    return {**console.facts(), "demonstration": on_table(console).get("demonstration", False)}


def changed(old: dict[str, Any], new: dict[str, Any]) -> list[tuple[str, Any, Any]]:
    """(name, old value, new value) of every setting that differs; None where it is absent."""
    names = sorted((old.keys() | new.keys()) - set(STAMPS))
    return [(n, old.get(n), new.get(n)) for n in names if old.get(n) != new.get(n)]


def _value(value: Any) -> str:
    return "not set" if value is None else json.dumps(value)


def illustrative(doc: dict[str, Any]) -> bool:
    """These wheel weights are the project's own, which no regulator has approved."""
    sets = json.loads(WEIGHTS.read_text(encoding="utf-8"))["sets"].values()
    return _noted(doc) or doc.get("weights") in [each["weights"] for each in sets]


def _noted(doc: dict[str, Any]) -> bool:
    return str(doc.get("weights_note", "")).upper().startswith("ILLUSTRATIVE")


def refuse_weights(doc: dict[str, Any], accepted: bool) -> None:
    """Illustrative weights are for demonstrations, or for somebody who says that word."""
    if "weights" in doc and illustrative(doc) and not (doc.get("demonstration") or accepted):
        raise Trouble("config", f"weights: {WHY['illustrative']}")


def judge_weights(doc: dict[str, Any], accepted: bool, report: Report) -> None:
    """What a report says of the wheel weights that go to a table."""
    refuse_weights(doc, accepted)
    if "weights" in doc and illustrative(doc):
        report.add("wheel weights", TODO, ILLUSTRATIVE)
    elif "weights" in doc:
        report.add("wheel weights", True, "not the illustrative ones")


def send(console: Console, raw: bytes) -> None:
    """Sends a configuration in pieces and has it put in force."""
    console.ask("put")
    for at in range(0, len(raw), PIECE):
        console.ask("put " + base64.b64encode(raw[at : at + PIECE]).decode())
    try:
        console.ask("provision " + hashlib.sha256(raw).hexdigest(), print)
    except Refusal as error:
        text = str(error.args[1])
        if "service_key" in text:
            raise Trouble("service_key") from None
        if "round_open" in text:
            raise Trouble("round_open") from None
        raise Trouble("config", text) from None


def give_key(console: Console, doc: dict[str, Any], path: Path, report: Report) -> None:
    """A table's own key for the pit: made here, kept by the table and by the collector's file."""
    if "network" not in doc:
        raise Trouble("config", "network: --pit-keys needs this section")
    keys = import_module(f"{PIT}.collector").Keys
    name, key = doc["network"]["table"], os.urandom(KEY_SIZE)
    try:
        keys.add(path, name, key)  # first: a key the table alone knows would be of no use
    except (OSError, ValueError) as error:
        raise Trouble(
            "no_file", f"{error}. The table has its configuration, and no key."
        ) from None
    console.ask(f"secret {key.hex()} {os.environ.get('FELT_BROKER_PASSWORD', '')}".strip())
    report.add("key of the pit", True, f"{name} in {path}")


def provision(
    console: Console, doc: dict[str, Any], args: argparse.Namespace, report: Report
) -> None:
    facts = console.facts()
    old = on_table(console)
    report.facts.update(facts, by=args.by)
    rows = changed(old, doc)
    report.add("checked here", True, "by the validator of the firmware")
    judge_weights(doc, args.illustrative, report)
    for name, before, after in rows:
        report.add(name, "PASS", f"{_value(before)} -> {_value(after)}")
    if not rows and facts.get("recorded") == facts.get("config"):
        report.add("differences", True, "none, nothing written")
        return
    if args.dry_run:
        report.add("written", TODO, "no, only shown")
        return
    if facts.get("between") == "0":
        raise Trouble("round_open")
    if not args.by:
        raise Trouble("no_file", "Say who does this, for the table's log: --by NAME.")
    raw = stamped(doc, args.by, time.strftime("%Y-%m-%d %H:%M"))
    send(console, raw)
    report.facts["configuration"] = hashlib.sha256(raw).hexdigest()
    same = config.parse("\n".join(console.ask("config")).encode()) == config.parse(raw)
    report.add("written", same, f"{len(raw)} bytes, read back")
    if args.pit_keys:
        give_key(console, doc, args.pit_keys, report)
    after = "switch the table off and on"
    if facts["fault"].split()[0] != "none" or old.get("game") != doc["game"]:
        after += ", both keys on, then: felt console clear"
    report.add("next", TODO, after)


def _login() -> str:
    """Who is at this PC; empty where the system has no name for them."""
    try:
        return getpass.getuser()
    except (ImportError, KeyError, OSError):
        return ""


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, nargs="?", help="for example premium.json")
    parser.add_argument("--port", help="serial port; found by itself when there is one board")
    parser.add_argument("--by", default=_login(), help="who does this (your login name)")
    parser.add_argument(
        "--check-only", action="store_true", help="check the file, no table needed"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show the differences, write nothing"
    )
    parser.add_argument(
        "--illustrative", action="store_true", help="take the illustrative wheel weights"
    )
    parser.add_argument("--examples", type=Path, metavar="DIR", help="write the examples there")
    parser.add_argument(
        "--pit-keys", type=Path, metavar="FILE", help="make the table's key, and add it there"
    )
    parser.add_argument("--reports", type=Path, help="folder for the report")


def copy_examples(folder: Path) -> int:
    """The examples a release carries, to start a configuration from; one that was is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(EXAMPLES.glob("*.json")):
        target, example = folder / path.name, path.read_bytes()
        changed = target.exists() and target.read_bytes() != example
        if not changed:
            target.write_bytes(example)
        print(f"{target}: kept, it is another than the example" if changed else target)
    return 0


def run(args: argparse.Namespace) -> int:
    if args.examples:
        return copy_examples(args.examples)
    if args.config is None:
        names = ", ".join(path.name for path in sorted(EXAMPLES.glob("*.json")))
        raise Trouble("no_file", f"Say which file; felt provision --examples . gives {names}.")
    if args.check_only:
        doc = checked(args.config, args.illustrative)[1]
        refuse_weights(doc, args.illustrative)
        note = " (ILLUSTRATIVE wheel weights)" if illustrative(doc) else ""
        print(f"{args.config}: {doc['game']}, {len(doc)} settings, accepted{note}")
        return 0
    report = Report("Provisioning a table")

    def steps() -> None:
        doc = checked(args.config, args.illustrative)[1]
        provision(connect(args.port or None), doc, args, report)

    return concluded(steps, report, "provision", args.reports)
