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
from pathlib import Path
from typing import Any

from felt.games.settings import SettingsError
from felt.round.machine import Machine
from felt.store import config

from . import pit_key, refused
from .configuration import ILLUSTRATIVE, changed, checked, illustrative, refuse_weights, stamped
from .console import Console, Refusal, connect
from .faults import BACK, CLEAR, EMPTY
from .places import EXAMPLES
from .recorded import put_back
from .report import TODO, Report, concluded
from .saved import typed
from .trouble import Trouble

PIECE = 96  # bytes of a configuration in one line


def on_table(console: Console) -> dict[str, Any]:
    """The settings on a table; empty when it has none."""
    try:
        return config.parse("\n".join(console.ask("config")).encode())
    except (Refusal, config.ConfigError):
        return {}


def facts(console: Console) -> dict[str, Any]:
    """What a table says of itself, and whether its settings make it a demonstration."""
    return {**console.facts(), "demonstration": on_table(console).get("demonstration", False)}


def _value(value: Any) -> str:
    return "not set" if value is None else json.dumps(value)


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


def provision(
    console: Console, doc: dict[str, Any], args: argparse.Namespace, report: Report
) -> None:
    if args.pit_keys and "network" not in doc:
        raise Trouble("config", "network: --pit-keys needs this section")
    if args.pit_keys:
        pit_key.check(args.pit_keys)
    facts = console.facts()
    old = on_table(console)
    report.facts.update(facts, by=args.by)
    rows = changed(old, doc)
    report.add("checked here", True, "by the validator of the firmware")
    judge_weights(doc, args.illustrative, report)
    for name, before, after in rows:
        report.add(name, "PASS", f"{_value(before)} -> {_value(after)}")
    written = bool(rows) or facts.get("recorded") != facts.get("config")
    if not written:
        report.add("differences", True, "none, nothing written")
    elif args.dry_run:
        report.add("written", TODO, "no, only shown")
    else:
        put(console, doc, args.by, facts, report)
    if args.dry_run or not (written or args.pit_keys):
        return
    if args.pit_keys:
        pit_key.give(console, doc, args.pit_keys, report)
    report.add("next", TODO, following(facts, other_memory(old, doc)))


def other_memory(old: dict[str, Any], new: dict[str, Any]) -> bool:
    """Whether the memory of the old settings is another table's under the new ones: a game, or the
    wheel of one. The firmware is asked."""
    try:
        Machine(new).load(Machine(old).dump())
    except (SettingsError, ValueError):
        return True
    return False


def following(facts: dict[str, Any], foreign: bool) -> str:
    """What comes after a configuration was put on a table that told `facts` before."""
    after, fault = "switch the table off and on", facts["fault"].split()[0]
    if fault in EMPTY:
        return f"{after}, {CLEAR}"
    # What lies on the table is what its memory was played under only while nothing was put there
    # since power-on.
    in_force = fault == "none" and facts["config"] == facts["recorded"]
    if foreign and in_force:
        return f"felt report FOLDER first; then {after}, {CLEAR}"
    return f"{after}, then: felt boards" if foreign or fault != "none" else after


def put(
    console: Console, doc: dict[str, Any], who: str, facts: dict[str, Any], report: Report
) -> None:
    """Sends a configuration with who and when, and reads it back."""
    if facts["fault"].split()[0] in BACK:
        raise Trouble("changed")
    if facts.get("between") == "0":
        raise Trouble("round_open")
    if not who:
        raise Trouble("no_file", "Say who does this, for the table's log: --by NAME.")
    raw = stamped(doc, who, time.strftime("%Y-%m-%d %H:%M"))
    report.extra["sent.txt"] = raw.decode()  # a round may need it back, to the byte
    send(console, raw)
    report.facts["configuration"] = hashlib.sha256(raw).hexdigest()
    same = config.parse("\n".join(console.ask("config")).encode()) == config.parse(raw)
    report.add("written", same, f"{len(raw)} bytes, read back")


def _login() -> str:
    """Who is at this PC, also under sudo; empty where the system has no name for them, or one
    that no table takes."""
    try:
        return person(os.environ.get("SUDO_USER") or getpass.getuser())
    except (ImportError, KeyError, OSError, argparse.ArgumentTypeError):
        return ""


def person(text: str) -> str:
    """A name as a table takes it into its configuration."""
    most = refused.most("text")
    if len(typed(text)) > most:
        raise argparse.ArgumentTypeError(f"{len(text)} letters: a table takes {most} at most")
    return text


def add(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("config", type=Path, nargs="?", help="for example premium.json")
    parser.add_argument("--port", help="serial port; found by itself when there is one board")
    parser.add_argument(
        "--by", default=_login(), type=person, help="who does this (your login name)"
    )
    parser.add_argument(
        "--check-only", action="store_true", help="check the file, no table needed"
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="show the differences, write nothing"
    )
    parser.add_argument(
        "--illustrative", action="store_true", help="take the illustrative wheel weights"
    )
    only = parser.add_mutually_exclusive_group()  # a table in a round takes no new key
    only.add_argument(
        "--recorded", action="store_true", help="put back the one an open round is played under"
    )
    only.add_argument(
        "--pit-keys", type=Path, metavar="FILE", help="make the table's key, and add it there"
    )
    parser.add_argument("--examples", type=Path, metavar="DIR", help="write the examples there")
    parser.add_argument("--reports", type=Path, help="folder for the report")


def copy_examples(folder: Path) -> int:
    """The examples a release carries, to start a configuration from; one that was is kept."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in sorted(EXAMPLES.glob("*.json")):
        target, example = folder / path.name, path.read_bytes()
        changed = target.exists() and target.read_bytes() != example
        if not changed:
            _write_whole(target, example)
        print(f"{target}: kept, it is another than the example" if changed else target)
    return 0


def _write_whole(target: Path, raw: bytes) -> None:
    """Under its name when it is whole: half of it would be kept as if it were the house's own."""
    new = target.with_name(target.name + ".new")
    try:
        new.write_bytes(raw)
        new.replace(target)
    finally:
        new.unlink(missing_ok=True)


def run(args: argparse.Namespace) -> int:
    if args.examples:
        return copy_examples(args.examples)
    if args.config is None and (args.check_only or not args.recorded):
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
        if args.recorded:
            put_back(args, report)
            return
        doc = checked(args.config, args.illustrative)[1]
        provision(connect(args.port or None), doc, args, report)

    return concluded(steps, report, "provision", args.reports)
