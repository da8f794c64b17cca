"""A table's journal folded with the firmware's own machine: what was paid, and the state after.

`sure` says how much of the past is known: UNKNOWN (collecting began in the middle of a table's
life), BEGUN (from its beginning, but not how its keys stood), EXACT (equal to a state the table
itself reported). An event the machine refuses is a contradiction only when the past is known.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, NamedTuple

from felt.dealer.recall import _begin, identities
from felt.round import events, undo
from felt.round.machine import Machine
from felt.round.state import BET, Refused
from felt.store.config import parse

UNKNOWN, BEGUN, EXACT = 0, 1, 2
BOTH_KEYS = 3
PAYING = ("pay", "take", "push", "return", "pot", "commission", "hit")


class Contradiction(Exception):
    """The journal and the machine disagree."""


class Payment(NamedTuple):
    kind: str
    seat: int
    wager: str
    cents: int
    rule: str


class Sums(NamedTuple):
    """One finished round, by the machine."""

    settings: str
    build: str
    game: str
    handle: int | None
    win: int | None
    void: str
    jackpot: int | None
    hits: int
    payments: list[Payment]


def payment(effect: tuple) -> Payment | None:
    """What an effect moves, in cents."""
    kind = effect[0]
    if kind not in PAYING:
        return None
    if kind == "pay":
        return Payment(kind, effect[1], effect[2], effect[3], str(effect[5]))
    if kind == "pot":
        return Payment(kind, effect[1], "pot", effect[2], str(effect[3]))
    if kind == "commission":
        return Payment(kind, 0, "pot", effect[1], "")
    if kind == "hit":
        return Payment(kind, effect[1], "bonus_spin", effect[2], "")
    return Payment(kind, effect[1], effect[2], effect[3], str(effect[4]))


class Fold:
    """One table's machine; `document(identity)` gives settings by their hex identity, or None."""

    def __init__(self, document: Callable[[str], bytes | None], settings: str) -> None:
        self._document = document
        self.settings = ""
        self.machine: Any = None
        self.sure = UNKNOWN
        self._take(settings)
        self._clear_round()

    def _clear_round(self) -> None:
        self._payments: list[Payment] = []
        self._entries: list[tuple[str, int]] = []  # that can be taken back: payments before each
        self._void, self._hits, self._build = "", 0, ""
        self._before: tuple[int, int] | None = None

    def _take(self, identity: str) -> None:
        """Go on under other settings, as the table does at its next start."""
        raw = self._document(identity) if identity else None
        if raw is None:
            return
        new = Machine(parse(raw))
        if self.machine is not None:
            try:
                new.load(self.machine.dump())
            except (ValueError, Refused):
                self.sure = UNKNOWN
        self.machine, self.settings = new, identity

    def begin(self, cleared: bool) -> None:
        """The table's memory begins here (set up anew, both keys on), or its past is unknown."""
        if self.machine is not None:
            self.machine = Machine(self.machine.cfg_source)
            self.machine.keys = BOTH_KEYS
        self.sure = BEGUN if cleared else UNKNOWN

    def load(self, state: bytes, sure: int) -> None:
        if self.machine is not None:
            self.machine.load(state)
            self.sure = sure

    def _sum(self) -> tuple[int, int]:
        meters = self.machine.meters
        return sum(meters.handle), sum(meters.win)

    def segment(self, found: Iterable[bytes], closes: bool) -> Sums | None:
        """Fold one segment; gives the round it closes."""
        for event in found:
            self._event(event)
        if not closes:
            return None
        handle = win = jackpot = None
        if self.machine is not None and self._before:
            after = self._sum()
            handle, win = after[0] - self._before[0], after[1] - self._before[1]
            if self.machine.meters.seed:
                jackpot = self.machine.meters.jackpot
        game = self.machine.game.NAME if self.machine else ""
        sums = Sums(self.settings, self._build, game, handle, win, self._void, jackpot,
                    self._hits, self._payments)  # fmt: skip
        self._clear_round()
        return sums

    def _event(self, event: bytes) -> None:
        name = events.NAMES[event[0]] if event[0] < len(events.NAMES) else None
        if name == "LOCK":
            self._lock(event)
        m = self.machine
        if m is None:
            return
        if name is None:
            raise Contradiction(f"no event: {event.hex()}")
        if self.sure == UNKNOWN:
            self._guess(name, event)
        try:
            effects = m.step(event)
        except Refused as refused:
            if self.sure != UNKNOWN:
                raise Contradiction(f"{name}: {refused.code}") from None
            return
        except Exception as error:
            raise Contradiction(f"{name}: {error!r}") from None
        if name == "CONFIG" and m.config_id.hex() != self.settings:
            self._take(m.config_id.hex())
        self._take_back(name, effects)
        self._keep(effects)

    def _lock(self, event: bytes) -> None:
        known = identities(event)
        if known:
            self._build = known[0].hex()
            if known[1].hex() != self.settings:
                self._take(known[1].hex())
        if self.machine is not None:
            self._before = self._sum()

    def _guess(self, name: str, event: bytes) -> None:
        """As a table's recall does: bets may be made, and the lock says where the round began."""
        m = self.machine
        if m.between and name in ("BET", "COUPON", "LOCK", "SHOE"):
            m.phase = BET
            m.keys |= 1
        if name == "LOCK":
            _begin(m, event)

    def _take_back(self, name: str, effects: list[tuple]) -> None:
        """What an entry moved that was taken back was never paid."""
        undone = [effect[1] for effect in effects if effect[0] == "undone"]
        if undone and self._entries and self._entries[-1][0] == undone[0]:
            del self._payments[self._entries.pop()[1] :]
        if name in undo.ENTRIES:
            self._entries.append((name, len(self._payments)))
        self._entries = self._entries[len(self._entries) - len(self.machine.undo) :]

    def _keep(self, effects: list[tuple]) -> None:
        for effect in effects:
            found = payment(effect)
            if found:
                self._payments.append(found)
                self._hits += found.cents if found.kind == "hit" else 0
            elif effect[0] == "void":
                self._void = str(effect[1])

    def compare(self, state: bytes) -> str:
        """Compare with the state the table reports at this very place; "" when they agree."""
        if self.machine is None:
            return ""
        own = Machine(self.machine.cfg_source)
        try:
            own.load(state)
        except ValueError as error:
            return f"state: {error}"
        if self.sure == EXACT and self.machine.between and self.machine.dump() != state:
            return "state differs"
        if self.sure == BEGUN and own.meters.values() != self.machine.meters.values():
            return "meters differ"
        self.machine, self.sure = own, EXACT
        return ""
