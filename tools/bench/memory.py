"""Looks at a table's critical memory from outside, with the firmware's own reader; never writes.

Cards of a round that is still open are not shown: they may lie face down on the table.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from felt import cards, table
from felt.dealer import recall
from felt.games.settings import SettingsError
from felt.round import events
from felt.round.machine import Machine
from felt.round.meters import CAUSES
from felt.round.state import Refused
from felt.store.area import REASONS, VaultError
from felt.store.upkeep import CLEARED
from felt.store.vault import Vault
from felt.texts import Texts

from tools.games import LANGUAGE

SIZE = 32768
_HIDDEN = ("CARD", "STACK")


class Image:
    """A copy of the memory as the vault wants it."""

    def __init__(self, data: bytes) -> None:
        self.data = bytearray(data.ljust(SIZE, b"\0"))
        self.size = SIZE

    def readinto(self, addr: int, buf: Any) -> None:
        buf[:] = self.data[addr : addr + len(buf)]

    def write(self, addr: int, buf: Any) -> None:
        self.data[addr : addr + len(buf)] = buf


class Opened:
    """Vault and machine as a start would find them now."""

    def __init__(self, state: Path, settings: dict[str, Any]) -> None:
        path = state / "fram.bin"
        self.image = Image(path.read_bytes() if path.exists() else b"")
        self.vault = Vault(self.image)
        self.fault = ""
        self.tail: list[bytes] = []
        self.machine: Machine | None = None
        try:
            self.machine = Machine(settings)
            self.machine.load(self.vault.open())
            for event in self.vault.replay():
                self.tail.append(bytes(event))
                self.machine.step(event)
        except VaultError as error:
            self.fault = "vault_" + REASONS[error.code]
        except (Refused, ValueError, SettingsError) as error:
            self.fault = repr(error)


def event_text(event: bytes, hide: bool) -> str:
    """An event as words."""
    name, args = events.unpack(event)
    if hide and name in _HIDDEN:
        return f"{name} " + " ".join(["##"] * (len(event) - 1))
    if name == "CARD":
        return f"CARD {cards.name(args[0])}" if args[0] < 52 else f"CARD {args[0]}"
    if name == "STACK":
        return "STACK " + cards.names(args[0])
    if name == "BET":
        amounts = [int.from_bytes(args[1][i : i + 4], "big") for i in range(0, len(args[1]), 4)]
        return f"BET seat {args[0]} " + " ".join(f"{a / 100:g}" for a in amounts)
    shown = [a.hex() if isinstance(a, bytes) else str(a) for a in args]
    return " ".join([name, *shown])


def journal(found: Opened) -> dict[str, Any]:
    """Events, newest first; those since the last checkpoint may belong to an open round."""
    rows = []
    open_round = bool(found.machine and found.machine.r)
    for event in reversed(found.tail):
        rows.append({"text": event_text(event, open_round), "open": True})
    if not found.fault:
        for segment in found.vault.segments():
            batch = [
                {"text": event_text(bytes(e), False), "open": False} for e in segment.events()
            ]
            rows.extend(reversed(batch))
            if len(rows) > 250:
                break
    log = []
    if not found.fault:
        for serial, seq, code, a, b, *_ in found.vault.entries():
            name = (
                "cleared"
                if code == CLEARED
                else table.LOG[code]
                if code < len(table.LOG)
                else code
            )
            log.append(f"{serial:5} seq {seq:6} {name} {a} {b}")
            if len(log) >= 60:
                break
    return {"fault": found.fault, "events": rows[:250], "log": log}


def meters(found: Opened) -> dict[str, Any]:
    if not found.machine or found.fault:
        return {"fault": found.fault}
    m = found.machine.meters
    rows = [
        {
            "wager": wager,
            "handle": m.handle[i],
            "win": m.win[i],
            "period_handle": m.period_handle[i],
            "period_win": m.period_win[i],
        }
        for i, wager in enumerate(m.wagers)
    ]
    names = ("rounds", "period_rounds", "commission", "spins", "jackpot", "seed", "contributions")
    totals = {name: getattr(m, name) for name in (*names, "hits", "hit_total", "carried")}
    voids = dict(zip(CAUSES, m.voids))
    hits = [list(hit) for hit in found.vault.hits()]
    return {
        "fault": "", "rows": rows, "totals": totals, "voids": voids, "hits": hits,
        "conserved": m.conserved(),
    }  # fmt: skip


def rounds(found: Opened, settings: dict[str, Any]) -> dict[str, Any]:
    if found.fault:
        return {"fault": found.fault, "rounds": []}
    texts = Texts(str(LANGUAGE))
    out = []
    for kept in found.vault.rounds():
        try:
            cancelled = recall.taken_back(kept.events, settings)
            lines = list(recall.lines(kept.events(), settings, texts, cancelled))
        except (Refused, ValueError, IndexError) as error:
            lines = [repr(error)]
        out.append({"number": kept.number, "lines": lines})
        if len(out) >= 12:
            break
    return {"fault": "", "rounds": out}


def nvram(found: Opened) -> dict[str, Any]:
    room = 0 if found.fault else found.vault.room()
    seq = 0 if found.fault else found.vault.seq
    return {"fault": found.fault, "hex": bytes(found.image.data).hex(), "room": room, "seq": seq}


VIEWS = ("journal", "meters", "rounds", "nvram")


def look(state: Path, settings: dict[str, Any], view: str) -> dict[str, Any]:
    found = Opened(state, settings)
    if view == "rounds":
        return rounds(found, settings)
    return {"journal": journal, "meters": meters, "nvram": nvram}[view](found)
