"""The command `felt`: one program for everything a technician does at a table."""

from __future__ import annotations

import argparse
import io
import os
import sys
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Callable, Iterator

from . import console, demo, flash, look, ports, provision, verify
from .look import Found
from .places import PIT, installed, version
from .releases import Release, find
from .report import Report, concluded
from .trouble import CODES, Trouble, told


def _release(given: Path | None) -> Release | None:
    """The release at hand, if there is one: what is connected can be listed without it."""
    try:
        return Release(find(given))
    except Trouble:
        if given is not None:
            raise
        return None


def _targets(args: argparse.Namespace) -> list[Found]:
    """The boards a command is for: one, or all with --all; ports first, then drives."""
    place = getattr(args, "drive", None)
    found = look.everything(args.port or None, place)
    named = [each for each in found if place and each.kind == look.BOOTSEL]
    if named and not args.port and not args.all:
        return named
    if not args.port and len(found) > 1 and not args.all:
        where = ", ".join(each.where for each in found)
        raise Trouble("two_boards", len(found), where, "--port, or --drive for one in BOOTSEL")
    if not found:
        raise Trouble("no_board", f" at {place}" if place else "")
    for option in ("label", "back"):
        if len(found) > 1 and getattr(args, option, None):
            raise Trouble("usage", f"--{option}", len(found))
    return found


def _told_of(found: list[Found], release: Release | None) -> Iterator[str]:
    """What each board is and what comes next; of several, where it is."""
    for each in found or [None]:  # type: ignore[list-item]
        said, then = look.guide(each, release)
        yield f"{each.where + ': ' if len(found) > 1 else ''}{said}\nNext: {then}"


def newcomer(args: argparse.Namespace) -> int:
    """What is there, and what comes next."""
    print("\n".join(_told_of(look.everything(), _release(None))))
    return 0


def boards(args: argparse.Namespace) -> int:
    """A line for each board: where, which, its build, its state."""
    found = look.everything(args.port or None)
    row = "{:20} {:16} {:14} {}"
    print(row.format("where", "board", "build", "state"))
    for each in found:
        name = each.board or each.facts.get("chip", "?")
        print(row.format(each.where, name, each.build[: look.SHORT] or "-", each.state))
    for text in _told_of(found, _release(args.release)):
        print(f"\n{text}")
    there = [each for each in found if each.trouble is None or each.trouble.kind != "no_board"]
    return 0 if there else CODES["no_board"]


def _worst(works: dict[str, Callable[[], int]]) -> int:
    """The worst exit code of what is done at each board. One in trouble keeps no other from its
    turn; Ctrl-C does."""
    codes = []
    for where, work in works.items():
        if len(works) > 1:
            print(f"{where}:", flush=True)
        codes.append(told(work))
        if codes[-1] == CODES["interrupted"]:
            break
    return max(codes, default=CODES["no_board"])


def _none_chosen(error: Trouble, title: str, name: str, args: argparse.Namespace) -> int:
    """What keeps a command from any board is its FAIL, too."""

    def stopped() -> None:
        raise error

    return concluded(stopped, Report(title), name, args.reports)


def _each(work: Callable[[Found, argparse.Namespace, Report], None], title: str,
          name: str) -> Callable[[argparse.Namespace], int]:  # fmt: skip
    """A command that writes: every step is in the report, also when it stops in the middle."""

    def run(args: argparse.Namespace) -> int:
        try:
            chosen = _targets(args)
        except Trouble as error:
            return _none_chosen(error, title, name, args)
        return _worst({found.where: partial(one, found, args) for found in chosen})

    def one(found: Found, args: argparse.Namespace) -> int:
        report = Report(title, {"port": found.where})

        def steps() -> None:
            work(found, args, report)
            print(f"identity {report.facts['build']}")

        return concluded(steps, report, name, args.reports)

    return run


def _ports(args: argparse.Namespace) -> list[str]:
    return args.all and ports.connected() or [ports.find_port(args.port or None)]


def _verify(args: argparse.Namespace) -> int:
    try:
        chosen = _ports(args)
    except Trouble as error:
        return _none_chosen(error, verify.TITLE, "verify", args)
    return _worst({port: partial(verify.run, port, args) for port in chosen})


def _report(args: argparse.Namespace) -> int:
    """Meters, log, hits and rounds as files, a folder for each table."""
    from . import dump

    def one(port: str, folder: Path) -> int:
        return dump.write(console.connect(port), folder)

    numbered = enumerate(_ports(args), 1)
    folders = {port: args.folder / str(n) if args.all else args.folder for n, port in numbered}
    return _worst({port: partial(one, port, folder) for port, folder in folders.items()})


def _of_pit(module: str) -> Callable[[argparse.Namespace], int]:
    """A command of the pit, whose packages a technician's PC does not need."""

    def run(args: argparse.Namespace) -> int:
        try:
            return import_module(f"{PIT}.{module}").command(args)
        except ModuleNotFoundError as error:
            raise Trouble("no_packages", error.name or "", installed()) from None

    return run


def _options_of_pit(name: str) -> Callable[[argparse.ArgumentParser], None]:
    return lambda parser: getattr(import_module(f"{PIT}.options"), name)(parser)


def _options_of_boards(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--port", help="only this serial port")
    parser.add_argument("--release", type=Path, help="a release to compare with")


def _options_of_report(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("folder", type=Path, help="where the files go")
    parser.add_argument("--port", help="serial port; found by itself when there is one board")
    parser.add_argument("--all", action="store_true", help="every table that is connected")


COMMANDS = {
    "boards": ("what is connected, and what to do next", _options_of_boards, boards),
    "flash": ("write a release to a board, check and test it", flash.add,
              _each(flash.flash, "Flashing a table", "flash")),
    "verify": ("compare a table with a release, read-only", verify.add, _verify),
    "provision": ("put a configuration on a table", provision.add, provision.run),
    "console": ("talk to the service console", console.add, console.run),
    "report": ("take meters, log, hits and rounds home", _options_of_report, _report),
    "pit": ("collect the rounds of many tables, and show them", _options_of_pit("pit"),
            _of_pit("command")),
    "audit": ("play every collected round again and compare every cent",
              _options_of_pit("audit"), _of_pit("audit")),
    "demo": ("make a bare board a demonstration table", demo.add,
             _each(demo.demo, "A demonstration table", "demo")),
}  # fmt: skip


class _Version(argparse.Action):
    """Asked for only when it is typed: a checkout has to look it up."""

    def __call__(self, parser: argparse.ArgumentParser, *typed: Any) -> None:
        print(parser.prog, version())
        parser.exit()


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="felt", description="Without a command: what is connected, and what to do next."
    )
    made.set_defaults(run=newcomer)
    made.add_argument("--version", action=_Version, nargs=0, help="which felt this is")
    commands = made.add_subparsers(metavar="COMMAND")
    for name, (text, options, run) in COMMANDS.items():
        one = commands.add_parser(name, help=text, description=text)
        options(one)
        one.set_defaults(run=run)
    return made


def _print_anything() -> None:
    """A table's name may be in letters that a redirected console has not: no reason to stop in the
    middle of a board."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")


def _flush() -> None:
    """What is printed leaves now: at its end the interpreter would fail at it in other words."""
    try:
        if sys.stdout:  # none where it is closed
            sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise


def main() -> int:
    _print_anything()
    args = parser().parse_args()

    def printed() -> int:
        try:
            return args.run(args)
        finally:
            _flush()

    return told(printed)


if __name__ == "__main__":
    sys.exit(main())
