"""What becomes of a record: verified, stored once, or refused with an alarm by its name.

Every function here runs inside a transaction that holds the table's row, so that a collector may
be killed at any moment and two may work side by side.
"""

from __future__ import annotations

import time
from typing import Any

from felt.dealer import screen
from felt.net import records
from felt.net.uplink import THERE
from felt.store import config, journal

from . import wire
from .fold import EXACT, UNKNOWN, Contradiction, Fold, Sums
from .store import Store
from .wire import Record, Wrong

EPOCH_2000 = 946684800  # tables count seconds from 2000
STRANGERS = 100  # names kept of tables that nobody knows
LATE = 16  # beats that two collectors may be apart
UNSURE = 65536 // 2  # starts are counted in 16 bits


class Ledger:
    """Takes records of known tables into a store; `keys` is {table: its key}."""

    def __init__(self, store: Store, keys: dict[str, bytes]) -> None:
        self.store = store
        self._macs = {name: records.Mac(key, name) for name, key in keys.items()}
        self._folds: dict[str, tuple[int, int, Fold]] = {}  # epoch and segment they stand at
        self.refused = 0

    def expect(self) -> None:
        """Who has a key is shown from the start: a table that was never heard is seen to be."""
        for name in sorted(self._macs):
            self.store.locked(name)

    def stranger(self, name: str, now: float) -> None:
        """A name that has no key: told once a name, and only so many of them."""
        known = self.store.one("SELECT COUNT(*) AS n FROM alarms WHERE kind = 'stranger'")["n"]
        if known < STRANGERS:
            self.store.alarm(name[: wire.NAME_MAX], "stranger", "", now)

    def line(self, name: str, state: str, now: float) -> None:
        """What the broker says of a table's connection; a heartbeat after it knows better."""
        if name in self._macs:
            self.store.locked(name)
            self.store.run("UPDATE tables SET line = ? WHERE name = ?", state[:16], name)

    def take(self, name: str, message: bytes, now: float) -> bool:
        """Take one record; True when its table is to be answered."""
        mac = self._macs.get(name)
        if mac is None:
            self.stranger(name, now)
            return False
        try:
            record = wire.opened(mac, message)
            row = self.store.locked(name)
            handler = _HANDLERS.get(record.kind)
            if handler is None:
                raise Wrong("version", repr(record.kind))
            handler(self, row, record, now)
            return True
        except Wrong as wrong:
            self.refused += 1
            self.store.alarm(name, wrong.kind, wrong.about, now)
            return wrong.kind != "mac"

    def confirmation(self, name: str) -> bytes:
        """How far this table is committed; call after the commit."""
        row = self.store.one("SELECT * FROM tables WHERE name = ?", name)
        real = int(time.time()) - EPOCH_2000
        answers = max(row["start_no"], 0), row["beat"]
        chain = row["chain"] or b""
        return wire.confirmation(
            self._macs[name], row["serial"], chain, row["logged"], answers, real
        )

    # --- segments

    def segment(self, row: dict[str, Any], record: Record, now: float) -> None:
        found, before = wire.segment(record)
        if record.number <= row["serial"]:
            return self._again(row, record)
        if record.number != row["serial"] + 1 and record.before != row["serial"]:
            return None  # one before it is missing: it comes again, in its order
        self._follows(row, record, before, now)
        seal = found.seal
        self.store.run(
            "INSERT INTO segments VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row["name"], row["epoch"],
            seal.serial, seal.number + 1, seal.closes, now, seal.chain, record.body,
        )  # fmt: skip
        cleared = not before.span
        fold = self._fold(row, cleared, gap=bool(row["chain"]) and before.chain != row["chain"])
        sums = self._folded(row, fold, found, now)
        if sums:
            self._round(row, seal, sums, now)
        self._advance(row, fold, seal)

    def _again(self, row: dict[str, Any], record: Record) -> None:
        """Something stored already: the same bytes are a repetition, others are a fork."""
        known = self.store.one(
            "SELECT data FROM segments WHERE name = ? AND epoch = ? AND serial = ?",
            row["name"], row["epoch"], record.number,
        )  # fmt: skip
        if known and known["data"] != record.body:
            raise Wrong("fork", f"segment {record.number}")

    def _follows(self, row: dict[str, Any], record: Record, before: journal.Seal,
                 now: float) -> None:  # fmt: skip
        """The chain goes on, or the table says why not: set up anew, or too long unheard."""
        if not row["chain"] or before.chain == row["chain"]:
            return
        if not before.span:
            self.store.alarm(row["name"], "cleared", f"segment {record.number}", now)
        elif record.number > row["serial"] + 1:
            lost = f"segments {row['serial'] + 1} to {record.number - 1}"
            self.store.alarm(row["name"], "gap", lost, now)
        else:
            raise Wrong("fork", f"segment {record.number}")

    # --- folding

    def document(self, identity: str) -> bytes | None:
        found = self.store.one("SELECT raw FROM documents WHERE identity = ?", identity)
        return found.get("raw")

    def _fold(self, row: dict[str, Any], cleared: bool, gap: bool) -> Fold:
        """The table's machine where its stored journal ends."""
        epoch, serial, fold = self._folds.get(row["name"], (0, -1, None))
        if fold is None or (epoch, serial) != (row["epoch"], row["serial"]):
            fold = Fold(self.document, row["settings"] or row["config"])
            if row["state"] and row["settings"]:
                fold.load(row["state"], row["sure"])
        if cleared or gap or fold.machine is None:
            if fold.machine is None:
                fold = Fold(self.document, row["config"])
            fold.begin(cleared)
        return fold

    def _folded(self, row: dict[str, Any], fold: Fold, found: journal.Segment,
                now: float) -> Sums | None:  # fmt: skip
        """Fold a segment; a contradiction is an alarm, and the bytes are stored all the same."""
        try:
            return fold.segment(found.events(), bool(found.seal.closes))
        except Contradiction as error:
            self.store.alarm(row["name"], "fold", f"round {found.seal.number + 1}: {error}", now)
            fold.begin(False)
            fold.sure = UNKNOWN
            return None

    def _round(self, row: dict[str, Any], seal: journal.Seal, sums: Sums, now: float) -> None:
        key = row["name"], row["epoch"], seal.serial
        self.store.run(
            "INSERT INTO rounds VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *key,
            seal.number + 1, now, sums.settings, sums.build, sums.game, sums.handle, sums.win,
            sums.void, sums.jackpot, sums.hits,
        )  # fmt: skip
        self.store.many(
            "INSERT INTO payments VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [(*key, i, *each) for i, each in enumerate(sums.payments)],
        )
        if sums.hits:
            prize = screen.money(sums.hits)
            self.store.alarm(row["name"], "hit", f"round {seal.number + 1}: {prize}", now)

    def _advance(self, row: dict[str, Any], fold: Fold, seal: journal.Seal) -> None:
        m = fold.machine
        state = m.dump() if m is not None and m.between else None
        jackpot = m.meters.jackpot if m is not None and m.meters.seed else None
        self.store.run(
            "UPDATE tables SET serial = ?, chain = ?, state = ?, sure = ?, settings = ?, game = ?,"
            " jackpot = ? WHERE name = ?", seal.serial, seal.chain, state, fold.sure,
            fold.settings, m.game.NAME if m else "", jackpot, row["name"],
        )  # fmt: skip
        self._folds[row["name"]] = row["epoch"], seal.serial, fold

    def state(self, row: dict[str, Any], record: Record, now: float) -> None:
        """The table's own state: kept, and compared with what its journal folds to."""
        if record.number != row["serial"]:
            return
        self.store.run("INSERT INTO states VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                       row["name"], row["epoch"], record.number, record.body)  # fmt: skip
        fold = self._fold(row, False, False)
        differs = fold.compare(record.body)
        if differs:
            raise Wrong("state", differs)
        if fold.sure == EXACT and fold.machine is not None:
            self.store.run("UPDATE tables SET state = ?, sure = ?, settings = ? WHERE name = ?",
                           record.body, EXACT, fold.settings, row["name"])  # fmt: skip
        self._folds[row["name"]] = row["epoch"], row["serial"], fold

    # --- the rest

    def log(self, row: dict[str, Any], record: Record, now: float) -> None:
        found = list(wire.log_entries(record))
        last = record.number + len(found) - 1
        if last <= row["logged"]:
            return
        if record.number > row["logged"] + 1:
            if record.before != row["logged"]:
                return
            if row["logged"]:
                lost = f"log {row['logged'] + 1} to {record.number - 1}"
                self.store.alarm(row["name"], "gap", lost, now)
        self.store.many(
            "INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            [(row["name"], row["epoch"], *each, now) for each in found],
        )
        self.store.run("UPDATE tables SET logged = ? WHERE name = ?", last, row["name"])

    def beat(self, row: dict[str, Any], record: Record, now: float) -> None:
        """A sign of life; an old one, or one from elsewhere, is a replay or a second table."""
        said = wire.beat(record)
        ahead = (said.start - row["start_no"]) % (2 * UNSURE)
        late = row["beat"] - record.number if ahead == 0 else LATE + 1
        if row["start_no"] >= 0 and not 0 < ahead < UNSURE and late >= 0:
            if late <= LATE:  # another collector was quicker
                return
            raise Wrong("replay", f"start {said.start}")
        self._whose(row, said, now)
        self.store.run(
            "UPDATE tables SET start_no = ?, beat = ?, board = ?, phase = ?, round = ?, fault = ?,"
            " build = ?, config = ?, seen = ?, line = ? WHERE name = ?", said.start,
            record.number, said.board.hex(), said.phase, said.round, said.fault, said.build.hex(),
            said.config.hex(), now, THERE, row["name"],
        )  # fmt: skip
        if said.fault and said.fault != row["fault"]:
            self.store.alarm(row["name"], "fault", said.fault, now)

    def _whose(self, row: dict[str, Any], said: wire.Beat, now: float) -> None:
        name = row["name"]
        if row["board"] and row["board"] != said.board.hex():
            self.store.alarm(name, "board", said.board.hex(), now)
        if not said.flags & records.READABLE:
            return
        if said.serial < row["serial"]:
            self.store.alarm(name, "back", f"at segment {said.serial}", now)
        elif said.serial == row["serial"] and row["chain"] and said.chain != row["chain"][:8]:
            self.store.alarm(name, "fork", f"segment {said.serial}", now)

    def sheet(self, row: dict[str, Any], record: Record, now: float) -> None:
        """A configuration: its identity is the hash of its bytes, so it cannot be another's."""
        try:
            said = config.parse(record.body)
        except config.ConfigError as error:
            raise Wrong("settings", error.code) from None
        identity = wire.identity(record.body)
        self.store.run("INSERT INTO documents VALUES (?, ?) ON CONFLICT DO NOTHING",
                       identity, record.body)  # fmt: skip
        if identity == row["config"]:
            label, game = str(said.get("table_name", "")), str(said.get("game", ""))
            self.store.run("UPDATE tables SET label = ?, game = ? WHERE name = ?",
                           label, game, row["name"])  # fmt: skip


_HANDLERS = {
    records.SEGMENT: Ledger.segment,
    records.STATE: Ledger.state,
    records.LOG: Ledger.log,
    records.BEAT: Ledger.beat,
    records.DOCUMENT: Ledger.sheet,
}


def accept(store: Store, name: str, now: float) -> None:
    """Let a table begin anew: its memory was replaced, or another board has its name."""
    with store.transaction():
        row = store.locked(name)
        store.run(
            "UPDATE tables SET epoch = epoch + 1, serial = 0, chain = NULL, logged = 0,"
            " state = NULL, sure = 0, settings = '', start_no = -1, beat = 0, board = ''"
            " WHERE name = ?", name,
        )  # fmt: skip
        store.alarm(name, "accepted", f"life {row['epoch'] + 1}", now)
