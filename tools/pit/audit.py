"""`felt audit`: every stored round played again by the firmware's own machine, from the database.

Checked for each table: the chain from segment to segment, what each round paid (every cent against
what is stored), and the machine's state against the one the table itself reported.
"""

from __future__ import annotations

import argparse
from typing import Any, Iterator

from felt.store.area import VaultError

from . import wire
from .fold import Contradiction, Fold, Payment, Sums
from .store import Store, existing

PAGE = 500  # segments read at a time


class Audit:
    """One table's past; `findings` is what is not as it should be."""

    def __init__(self, store: Store, name: str, epoch: int) -> None:
        self.store, self.name, self.epoch = store, name, epoch
        self.findings: list[str] = []
        self.rounds = self.states = self.unknown = 0
        self.cents = 0

    def run(self) -> Audit:
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
        return self

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
        try:
            segment = wire.stored(row["data"])
            segment.check()
            if segment.seal.serial == row["serial"] and segment.seal.chain == row["chain"]:
                return segment
        except (VaultError, ValueError, IndexError):
            pass
        self._find(row, "was changed")
        return None

    def _find(self, row: dict[str, Any], why: str) -> None:
        self.findings.append(f"{self.name} segment {row['serial']}: {why}")

    def _document(self, identity: str) -> bytes | None:
        found = self.store.one("SELECT raw FROM documents WHERE identity = ?", identity)
        return found.get("raw")

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
            differs = fold.compare(state["state"])
            self.states += 1
            if differs:
                self._find(row, f"the table reported another state: {differs}")
        return fold

    def _compare(self, row: dict[str, Any], sums: Sums) -> None:
        key = self.name, self.epoch, row["serial"]
        self.rounds += 1
        kept = self.store.one("SELECT * FROM rounds WHERE name = ? AND epoch = ? AND serial = ?",
                              *key)  # fmt: skip
        if sums.handle is None:
            self.unknown += 1
            return
        told = (sums.handle, sums.win, sums.void, sums.jackpot, sums.hits)
        if told != tuple(kept.get(n) for n in ("handle", "win", "void", "jackpot", "hits")):
            self._find(row, f"round {row['round']} gives {told}, stored is {kept}")
        paid = self.store.all("SELECT kind, seat, wager, cents, rule FROM payments WHERE name = ?"
                              " AND epoch = ? AND serial = ? ORDER BY line", *key)  # fmt: skip
        if [Payment(**each) for each in paid] != sums.payments:
            self._find(row, f"round {row['round']} pays otherwise than is stored")
        self.cents += sum(each.cents for each in sums.payments)


def run(store: Store, names: list[str]) -> list[Audit]:
    lives = store.all("SELECT DISTINCT name, epoch FROM segments ORDER BY name, epoch")
    wanted = [row for row in lives if not names or row["name"] in names]
    return [Audit(store, row["name"], row["epoch"]).run() for row in wanted]


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
