"""What the page and the auditor read from the database; nothing here writes."""

from __future__ import annotations

import csv
import io
import time
from pathlib import Path
from typing import Any, Iterator

from felt import cards
from felt.dealer import pages, recall, screen
from felt.games import SettingsError
from felt.round import events
from felt.round.machine import Machine
from felt.round.state import BET, PHASES, Refused
from felt.store.config import ConfigError, parse
from felt.texts import Texts

from . import wire
from .store import Store

HOUR_S = 3600
SILENT_S = 35  # three heartbeats and a little
LAST = 200  # rows of a list
ROUND_COLUMNS = ("name", "round", "received", "game", "handle", "win", "void", "hits", "jackpot",
                 "settings", "build", "serial")  # fmt: skip
STATES = {
    "closed": "closed",
    "check": "checklist",
    "idle": "open",
    "bet": "bets",
    "round": "in play",
}
ALARMS = {
    "stranger": "records under a name that has no key",
    "mac": "not this table's MAC: changed on the way, or the wrong key",
    "edited": "a segment's own checksums or chain do not fit",
    "fork": "another past under the same numbers: refused",
    "back": "the table knows less than it has delivered",
    "replay": "an old heartbeat came again",
    "board": "the table's memory speaks from another board",
    "gap": "the table has these no more: it was unheard for too long",
    "cleared": "critical memory was set up anew",
    "fold": "the firmware's machine refuses the journal",
    "state": "the journal leads to another state than the table's own",
    "settings": "settings that cannot be read",
    "version": "a record of a kind that is not known here",
    "fault": "the table closed itself",
    "hit": "a jackpot was hit",
    "accepted": "the table was let begin anew",
}
_LANGUAGE = Path(recall.__file__).parents[2] / "lang" / "en.txt"


def texts() -> Texts:
    return Texts(str(_LANGUAGE))


def _titled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Games and causes as people call them; what is stored are the firmware's short names."""
    text = texts()
    for row in rows:
        row["game"] = text.get("game." + row["game"]) if row["game"] else ""
        if row.get("void"):
            row["void"] = screen.reason_text(text, row["void"])
    return rows


def tables(store: Store, now: float | None = None) -> list[dict[str, Any]]:
    """A tile for each table."""
    now = now or time.time()
    rates = store.all("SELECT name, COUNT(*) AS n, MIN(received) AS since FROM rounds"
                      " WHERE received > ? GROUP BY name", now - HOUR_S)  # fmt: skip
    played = {row["name"]: row for row in rates}
    rows = store.all("SELECT name, label, game, phase, round, jackpot, fault, build, line, seen,"
                     " serial, sure, config FROM tables ORDER BY name")  # fmt: skip
    builds = [row["build"] for row in rows if row["build"]]
    usual = max(set(builds), key=builds.count) if builds else ""
    open_ = store.all("SELECT name, COUNT(*) AS n FROM alarms"
                      " WHERE kind NOT IN ('hit', 'accepted') GROUP BY name")  # fmt: skip
    alarmed = {row["name"]: row["n"] for row in open_}
    faulty = store.all("SELECT name, about, last_at FROM alarms WHERE kind = 'fault'"
                       " ORDER BY last_at")  # fmt: skip
    faults = {row["name"]: row for row in faulty}
    for row in rows:
        row["state"] = _state(row, now)
        row["old_build"] = row["build"] not in ("", usual)
        last = faults.get(row["name"], {})
        row["last_fault"] = fault_text(last.get("about", ""))
        row["faulty_at"] = last.get("last_at")
        row["fault"] = fault_text(row["fault"])
        row["per_hour"] = _rate(played.get(row["name"]), now)
        row["alarms"] = alarmed.get(row["name"], 0)
    return _titled(rows)


def fault_text(fault: str) -> str:
    """A fault's code and detail, as a table says them, in words."""
    code, _, detail = fault.partition(" ")
    words = texts().get("fault." + code, default=code).removeprefix("FAULT: ")
    return f"{words} ({detail})" if detail else words if code else ""


def _rate(found: dict[str, Any] | None, now: float) -> int:
    if not found:
        return 0
    return round(found["n"] * HOUR_S / min(HOUR_S, max(60.0, now - found["since"])))


def _state(row: dict[str, Any], now: float) -> str:
    if row["line"] == "gone" or now - row["seen"] > SILENT_S:
        return "silent"
    if row["fault"]:
        return "fault"
    return STATES[PHASES[row["phase"]]] if row["phase"] < len(PHASES) else "closed"


def rounds(store: Store, name: str, before: int = 1 << 60) -> list[dict[str, Any]]:
    """A table's rounds, newest first."""
    return _titled(store.all(
        "SELECT epoch, serial, round, received, game, handle, win, void, hits, jackpot FROM rounds"
        " WHERE name = ? AND serial < ? ORDER BY epoch DESC, serial DESC LIMIT ?",
        name, before, LAST,
    ))  # fmt: skip


def alarms(store: Store) -> list[dict[str, Any]]:
    """Newest first, each with what its kind means."""
    rows = store.all("SELECT * FROM alarms ORDER BY last_at DESC LIMIT ?", LAST)
    for row in rows:
        row["means"] = ALARMS.get(row["kind"], "")
        if row["kind"] == "fault":
            row["about"] = fault_text(row["about"])
    return rows


def log(store: Store, name: str) -> list[dict[str, Any]]:
    text = texts()
    rows = store.all("SELECT * FROM entries WHERE name = ?"
                     " ORDER BY epoch DESC, serial DESC LIMIT ?", name, LAST)  # fmt: skip
    for row in rows:
        said = pages.entry_text(text, row["code"], row["a"], row["b"])
        row["what"] = said.removesuffix(" 0 0")  # numbers that stand for nothing
    return rows


def hits(store: Store) -> list[dict[str, Any]]:
    """Jackpot hits of every table, newest first."""
    return store.all(
        "SELECT p.name, r.round, r.received, p.seat, p.cents FROM payments p JOIN rounds r ON"
        " r.name = p.name AND r.epoch = p.epoch AND r.serial = p.serial WHERE p.kind = 'hit'"
        " ORDER BY r.received DESC LIMIT ?", LAST,
    )  # fmt: skip


def round_events(store: Store, name: str, epoch: int, serial: int) -> list[bytes]:
    """The events of the round that ends with this segment."""
    last = store.one("SELECT MAX(serial) AS n FROM segments WHERE name = ? AND epoch = ?"
                     " AND closes = 1 AND serial < ?", name, epoch, serial)["n"]  # fmt: skip
    rows = store.all("SELECT data FROM segments WHERE name = ? AND epoch = ? AND"
                     " serial > ? AND serial <= ? ORDER BY serial",
                     name, epoch, last or 0, serial)  # fmt: skip
    return [event for row in rows for event in wire.stored(row["data"]).events()]


def one_round(store: Store, name: str, epoch: int, serial: int) -> dict[str, Any]:
    """A round in words, its payments, and a picture of the felt after each event."""
    row = store.one("SELECT * FROM rounds WHERE name = ? AND epoch = ? AND serial = ?",
                    name, epoch, serial)  # fmt: skip
    if not row:
        return {}
    found = store.one("SELECT raw FROM documents WHERE identity = ?", row["settings"])
    row["payments"] = store.all(
        "SELECT kind, seat, wager, cents, rule FROM payments WHERE name = ? AND epoch = ?"
        " AND serial = ? ORDER BY line", name, epoch, serial,
    )  # fmt: skip
    text = texts()
    for each in row["payments"]:
        each["wager"] = text.get("wager." + each["wager"])
    row["words"], row["frames"] = [], []
    if found:
        happened = round_events(store, name, epoch, serial)
        try:
            settings = parse(found["raw"])
            said = _said(happened, settings, text)
            row["words"] = [line for lines in said for line in lines]
            row["frames"] = list(_frames(happened, settings, said))
        except (SettingsError, ConfigError):
            row["words"] = ["the settings of this round are not those of any game"]
    return _titled([row])[0]


def _said(happened: list[bytes], settings: dict[str, Any], text: Texts) -> list[list[str]]:
    """The words of each event: the teller takes the next event when it is done with the last."""
    said: list[list[str]] = [[]]

    def one_by_one() -> Iterator[bytes]:
        for event in happened:
            said.append([])
            yield event

    cancelled = recall.taken_back(lambda: happened, settings)
    for line in recall.lines(one_by_one(), settings, text, cancelled):
        said[-1].append(line)
    return said[1:]


def _frames(happened: list[bytes], settings: dict[str, Any], said: list[list[str]]) -> Any:
    """What lies on the felt after each event of a round that has words."""
    m = Machine(settings)
    m.phase, m.keys = BET, 3
    shown: dict[str, Any] = {}
    for event, words in zip(happened, said):
        name = events.NAMES[event[0]]
        if name in ("SENSORS", "KEY", "BOOT"):
            continue
        if name == "LOCK":
            recall._begin(m, event)
        try:
            m.step(event)
        except Refused:
            continue
        raised = m.r.raised if m.r is not None else bytes(8)
        bets = {seat: sum(m.bets[seat]) + raised[seat] for seat in range(1, 8) if m.bets[seat]}
        if not words:
            continue
        if m.r is not None:
            lie = {place: [cards.name(c) if c < 52 else "??" for c in m.r.cards[place]]
                   for place in range(len(m.r.cards)) if len(m.r.cards[place])}  # fmt: skip
            shown = {
                "event": "; ".join(words),
                "bets": bets or shown.get("bets", {}),
                "cards": lie,
            }
            yield shown
        elif bets:
            shown = {"event": "; ".join(words), "bets": bets, "cards": {}}
            yield shown


def shift(store: Store, since: float, until: float) -> str:
    """The rounds of a shift as CSV; times are when the collector stored them."""
    rows = _titled(store.all("SELECT * FROM rounds WHERE received >= ? AND received < ?"
                             " ORDER BY name, epoch, serial", since, until))  # fmt: skip
    out = io.StringIO()
    made = csv.writer(out)
    made.writerow(ROUND_COLUMNS)
    for row in rows:
        row["received"] = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(row["received"]))
        made.writerow([row[name] for name in ROUND_COLUMNS])
    return out.getvalue()
