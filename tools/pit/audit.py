"""`felt audit`: every stored round played again by the firmware's own machine, from the database.

Checked for each table: the chain from segment to segment up to the one the table was told is
stored, what each round paid (every cent against what is stored), the machine's state against the
one the table itself reported, that nothing is stored of which the journal knows nothing, and
that no entry of its log is missing.
"""

from __future__ import annotations

import argparse
from typing import Any, Iterator

from felt.store.area import VaultError

from . import wire
from .fold import Contradiction, Fold, Payment, Sums
from .store import Store, existing

PAGE = 500  # segments read at a time
OF_ROUNDS = ("rounds", "payments")  # what a segment that closes a round gives
KINDS = ("segments", *OF_ROUNDS, "states")
ROUND = ("round", "settings", "build", "game", "handle", "win", "void", "jackpot", "hits")


class Audit:
    """One table's past; `findings` is what is not as it should be."""

    def __init__(self, store: Store, name: str, epoch: int) -> None:
        self.store, self.name, self.epoch = store, name, epoch
        self.findings: list[str] = []
        self.rounds = self.states = self.unknown = 0
        self.cents = 0
        self._chains: dict[int, bytes] = {}  # of every segment that was read
        self._closed: set[int] = set()  # those that close a round
        self._wrong: set[str] = set()  # settings that are not what they were

    def run(self) -> Audit:
        stored = {kind: self._serials(kind) for kind in KINDS[1:]}  # a collector may be at work
        confirmed = self.store.one("SELECT epoch, serial, chain, logged FROM tables"
                                   " WHERE name = ?", self.name)  # fmt: skip
        self._walk()
        if not confirmed:
            self.findings.append(f"{self.name}: what was confirmed to it is gone")
        elif confirmed["epoch"] == self.epoch:
            self._ends(confirmed)
        self._log(confirmed["logged"] if confirmed.get("epoch") == self.epoch else 0)
        for kind, serials in stored.items():
            known = self._closed if kind in OF_ROUNDS else set(self._chains)
            stray = sorted(serials - known)
            if stray:
                self.findings.append(f"{self.name}: {kind} of {len(stray)} segments from"
                                     f" {stray[0]} to {stray[-1]} have no journal")  # fmt: skip
        if self.unknown:
            self.findings.append(f"{self.name}: {self.unknown} rounds could not be compared,"
                                 " their settings are missing")  # fmt: skip
        return self

    def _serials(self, kind: str) -> set[int]:
        rows = self.store.all(
            f"SELECT DISTINCT serial FROM {kind} WHERE name = ? AND epoch = ?",
            self.name, self.epoch,
        )  # fmt: skip
        return {row["serial"] for row in rows}

    def _ends(self, confirmed: dict[str, Any]) -> None:
        """What the table was told is stored, it may have forgotten since: it must be here."""
        serial = confirmed["serial"]
        if serial and self._chains.get(serial) != confirmed["chain"]:
            self._find({"serial": serial}, "is the last one that was confirmed, and not stored")

    def _log(self, confirmed: int) -> None:
        """Entries are numbered without a gap, up to the one the table was told is stored; what it
        had no more when it was heard again is a gap the collector alarmed."""
        alarms = self.store.all("SELECT about FROM alarms WHERE name = ? AND kind = 'gap'",
                                self.name)  # fmt: skip
        known = {row["about"] for row in alarms}
        rows = self.store.all("SELECT serial FROM entries WHERE name = ? AND epoch = ?"
                              " ORDER BY serial", self.name, self.epoch)  # fmt: skip
        here = [row["serial"] for row in rows] or [0]
        for last, following in zip(here, [*here[1:], max(confirmed, here[-1]) + 1]):
            about = f"log {last + 1} to {following - 1}"
            if following != last + 1 and about not in known:
                self.findings.append(f"{self.name}: {about} is not stored")

    def _walk(self) -> None:
        chain: bytes | None = None
        fold: Fold | None = None
        for row in self._segments():
            segment = self._whole(row)
            if segment is None:
                chain = fold = None
                continue
            before = segment.before()
            if chain is not None and before.chain != chain and before.span:
                self._find(row, "does not follow the one before it")
                fold = None
            if fold is None or not before.span:
                fold = Fold(self._document, self._first(row))
                fold.begin(not before.span)
            fold = self._play(row, segment, fold)
            chain = segment.seal.chain

    def _segments(self) -> Iterator[dict[str, Any]]:
        at = -1
        while True:
            rows = self.store.all(
                "SELECT serial, round, closes, data, chain FROM segments WHERE name = ?"
                " AND epoch = ? AND serial > ? ORDER BY serial LIMIT ?",
                self.name, self.epoch, at, PAGE,
            )  # fmt: skip
            if not rows:
                return
            yield from rows
            at = rows[-1]["serial"]

    def _whole(self, row: dict[str, Any]) -> Any:
        self._chains[row["serial"]] = row["chain"]
        try:
            segment = wire.stored(row["data"])
            segment.check()
            seal = segment.seal
            told = seal.serial, seal.number + 1, bool(seal.closes), seal.chain
            if told == (row["serial"], row["round"], bool(row["closes"]), row["chain"]):
                return segment
        except (VaultError, ValueError, IndexError, TypeError):
            pass
        self._find(row, "was changed")
        return None

    def _find(self, row: dict[str, Any], why: str) -> None:
        self.findings.append(f"{self.name} segment {row['serial']}: {why}")

    def _document(self, identity: str) -> bytes | None:
        raw = self.store.one("SELECT raw FROM documents WHERE identity = ?", identity).get("raw")
        if raw is None or isinstance(raw, bytes) and wire.identity(raw) == identity:
            return raw
        if identity not in self._wrong:
            self.findings.append(f"{self.name}: the settings {identity} were changed")
        self._wrong.add(identity)
        return None

    def _first(self, row: dict[str, Any]) -> str:
        """The settings of the first round from here on; a clearing names none."""
        found = self.store.one(
            "SELECT settings FROM rounds WHERE name = ? AND epoch = ? AND serial >= ?"
            " ORDER BY serial LIMIT 1", self.name, self.epoch, row["serial"],
        )  # fmt: skip
        return found.get("settings", "")

    def _play(self, row: dict[str, Any], segment: Any, fold: Fold) -> Fold | None:
        try:
            sums = fold.segment(segment.events(), bool(row["closes"]))
        except Contradiction as error:
            self._find(row, f"the machine refuses it: {error}")
            return None
        if sums:
            self._compare(row, sums)
        state = self.store.one(
            "SELECT state FROM states WHERE name = ? AND epoch = ? AND serial = ?",
            self.name, self.epoch, row["serial"],
        )  # fmt: skip
        if state:
            differs = self._differs(fold, state["state"])
            self.states += 1
            if differs:
                self._find(row, f"the table reported another state: {differs}")
        return fold

    def _differs(self, fold: Fold, state: Any) -> str:
        """A state that the machine cannot even read is none that a table reported."""
        try:
            return fold.compare(bytes(state))
        except Exception as error:
            return f"it cannot be read: {error!r}"

    def _compare(self, row: dict[str, Any], sums: Sums) -> None:
        key = self.name, self.epoch, row["serial"]
        self.rounds += 1
        self._closed.add(row["serial"])
        kept = self.store.one("SELECT * FROM rounds WHERE name = ? AND epoch = ? AND serial = ?",
                              *key)  # fmt: skip
        if sums.handle is None:
            self.unknown += 1
            return
        told = {"round": row["round"], **sums._asdict()}
        for name in ROUND:
            if kept.get(name) != told[name]:
                self._find(row, f"round {row['round']} gives {name} {told[name]!r},"
                           f" stored is {kept.get(name)!r}")  # fmt: skip
        paid = self.store.all("SELECT kind, seat, wager, cents, rule FROM payments WHERE name = ?"
                              " AND epoch = ? AND serial = ? ORDER BY line", *key)  # fmt: skip
        if [Payment(**each) for each in paid] != sums.payments:
            self._find(row, f"round {row['round']} pays otherwise than is stored")
        self.cents += sum(each.cents for each in sums.payments)


def run(store: Store, names: list[str]) -> list[Audit]:
    found = [store.all(f"SELECT DISTINCT name, epoch FROM {kind}") for kind in KINDS]
    found.append(store.all("SELECT name, epoch FROM tables WHERE serial > 0"))
    lives = sorted({(row["name"], row["epoch"]) for rows in found for row in rows})
    return [Audit(store, *life).run() for life in lives if not names or life[0] in names]


def counted(findings: int) -> str:
    return "1 finding" if findings == 1 else f"{findings} findings"


def command(args: argparse.Namespace) -> int:
    """Print a line for each table and each finding; 1 when there is one, 2 without a round."""
    try:
        audits = run(existing(args.database), args.tables)
    except OSError as error:
        print(f"felt audit: {error}")
        return 2
    unheard = sorted(set(args.tables) - {each.name for each in audits})
    for each in audits:
        for finding in each.findings:
            print(finding)
        print(f"{each.name}: {each.rounds} rounds, {each.states} states compared,"
              f" {each.cents / 100:,.2f} moved, {each.unknown} without settings,"
              f" {counted(len(each.findings))}")  # fmt: skip
    rounds = sum(each.rounds for each in audits)
    wrong = sum(len(each.findings) for each in audits)
    print(f"{rounds} rounds audited, {counted(wrong)}")
    if unheard:
        print(f"felt audit: no round of {', '.join(unheard)} in this database")
    return 1 if wrong else 2 if unheard or not rounds else 0
