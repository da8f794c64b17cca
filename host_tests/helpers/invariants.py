"""What must hold for the round machine after every event, each law with its name.

A Witness steps a machine and checks every law; a broken one raises Broken with the law's name.
"""

from __future__ import annotations

from typing import Any, Callable

from felt.games.common import BOARD, DEALER, DISCARD
from felt.round import draws, events, undo
from felt.round.machine import Machine
from felt.round.state import ROUND, Refused

STATE_BYTES = 4096
Law = Callable[["Witness", bytes, list], None]
LAWS: list[Law] = []
EFFECTS = {
    "log": 4, "bet": None, "phase": 2, "check": 2, "checkpoint": 2, "alarm": 4, "locked": 2,
    "take": 6, "pay": 7, "push": 6, "return": 6, "to_pot": 4, "pot": 5, "commission": 2, "due": 4,
    "card": 3, "down": 2, "ask": None, "act": 4, "paid": 2, "note": None, "tapped": 2,
    "tap_due": 2, "discard_due": 2, "name_due": 2, "spin_due": 2, "spin": 3, "hit": 3, "over": 2,
    "void": 2,
    "undone": 3, "coupon": 4,
}  # fmt: skip


class Broken(AssertionError):
    """A law that did not hold."""


def law(function: Law) -> Law:
    LAWS.append(function)
    return function


class Witness:
    """A machine, what it was before the last event, and everything accepted since its dump."""

    def __init__(self, settings: dict[str, Any]) -> None:
        self.settings = settings
        self.m = Machine(settings)
        self.saved = self.m.dump()
        self.accepted: list[bytes] = []
        self.before = self.m.snapshot()
        self.jackpot = self.m.meters.jackpot
        self.entries: list[bytes | None] = []  # the table before each entry UNDO reaches
        self.base: Any = None  # what they go back to, and the round as it was then
        self.round: dict[str, Any] = {}
        self.kept: dict[str, Any] = {}
        self._new_round()

    def _new_round(self) -> None:
        self.moved: dict[tuple[int, str], int] = {}
        self.put_in: dict[int, int] = {}
        self.pot_out = self.pot_in = 0
        self.public: set[int] = set()
        self.win = sum(self.m.meters.win)
        self.results: list = []
        self.expected: set[tuple[int, str]] = set()
        self.coupons: set[tuple[int, str]] = set()

    def step(self, event: bytes) -> list | None:
        """Step one event under every law; None when it was refused."""
        m = self.m
        self.before = m.snapshot()
        self.jackpot = m.meters.jackpot
        self.kind = m.r.kind() if m.r else ""
        self.round = _lists(m.r)
        trail = m.undo
        try:
            effects = m.step(event)
        except Refused as refusal:
            if m.snapshot() != self.before or m.undo != trail:
                raise Broken(f"refused_changes_nothing: {refusal.args} {event.hex()}") from None
            return None
        self.accepted.append(event)
        if m.r is not None:
            self.results = m.r.results
        for check in LAWS:
            check(self, event, effects)
        self._note(event, effects)
        return effects

    def _note(self, event: bytes, effects: list) -> None:
        code = event[0]
        if events.NAMES[code] in ("UNDO", "TAKE_BACK"):
            self.entries = self.entries[:-1]
        elif events.NAMES[code] in undo.ENTRIES:
            self.entries.append(self.before)
        elif self.m.snapshot() != self.before:  # a sensor or key between: not comparable
            self.entries = [None] * len(self.entries)
        self.entries = self.entries[max(0, len(self.entries) - len(self.m.undo)) :]
        if any(e[0] == "checkpoint" for e in effects):
            self.saved = self.m.dump()
            self.accepted = []
            self.entries = []
        if self.m.phase != ROUND:
            self._new_round()

    def replayed(self) -> Machine:
        """A fresh machine after the last dump and every event accepted since."""
        twin = Machine(self.settings)
        twin.load(self.saved)
        for event in self.accepted:
            twin.step(event)
        return twin

    def check_replay(self) -> None:
        """replay_gives_the_same: the state is the fold of its events, nothing else."""
        twin = self.replayed()
        if twin.snapshot() != self.m.snapshot() or twin.undo != self.m.undo:
            raise Broken("replay_gives_the_same")
        self.m = twin  # and play goes on from there, as after a power cut


def broken(name: str, *about: Any) -> None:
    raise Broken(f"{name}: {about}")


@law
def effects_are_known(w: Witness, event: bytes, effects: list) -> None:
    """Every effect is of a known kind and shape, a checkpoint the last of them."""
    if any(e[0] == "checkpoint" for e in effects[:-1]):
        broken("effects_are_known", effects)
    for e in effects:
        if e[0] not in EFFECTS or EFFECTS[e[0]] not in (None, len(e)):
            broken("effects_are_known", e)


@law
def hole_cards_hidden(w: Witness, event: bytes, effects: list) -> None:
    """A card is named only once the rules turn it up: no hand before its time."""
    r = w.m.r
    for e in effects:
        if e[0] != "card" or r is None:
            continue
        place, card = e[1], e[2]
        i = list(r.cards[place]).index(card)
        if not r.visible[place] >> i & 1:
            broken("hole_cards_hidden", "named but not visible", e)
        if place == DEALER and not _dealt_up(w, event) and w.kind != "reveal":
            broken("hole_cards_hidden", "dealer", w.kind, e)
        hand = 1 <= place <= 7
        if hand and not _dealt_up(w, event) and not (r.settling or r.paying == place):
            broken("hole_cards_hidden", "seat", w.kind, e)
        if place == BOARD and w.kind not in ("deal", "show", "decide"):
            broken("hole_cards_hidden", "board", w.kind, e)
        if place > DISCARD:
            broken("hole_cards_hidden", e)


def _dealt_up(w: Witness, event: bytes) -> bool:
    """Some games deal hands face up; ACT can let a held card out."""
    return w.m.game.NAME == "winners_pot" and events.NAMES[event[0]] in (
        "CARD", "STACK", "ACT", "EXPOSED", "MISCOUNT", "SHOE", "GO_ON", "LOCK", "MISDEALT",
    )  # fmt: skip


@law
def cards_are_one_deck(w: Witness, event: bytes, effects: list) -> None:
    """No card twice, none beyond 52, and each one known as seen."""
    r = w.m.r
    if r is None:
        return
    lie = [c for place in r.cards for c in place] + r.held
    known = [c for c in lie if c < 52]
    if len(set(known)) != len(known) or len(lie) != r.dealt or r.dealt > 60:
        broken("cards_are_one_deck", lie, r.dealt)
    if sum(r.seen) != len(known) or not all(r.seen[c] for c in known):
        broken("cards_are_one_deck", "seen", sum(r.seen), r.dealt)


@law
def meters_conserved(w: Witness, event: bytes, effects: list) -> None:
    """Seeds + carried + contributions - hits = meter, to the cent."""
    if not w.m.meters.conserved():
        broken("meters_conserved", w.m.meters.values())


@law
def meter_falls_only_by_a_hit(w: Witness, event: bytes, effects: list) -> None:
    """The progressive never decreases except when it is won."""
    hit = any(e[0] == "hit" for e in effects)
    if w.m.meters.jackpot < w.jackpot and not hit:
        broken("meter_falls_only_by_a_hit", w.jackpot, w.m.meters.jackpot)


@law
def state_is_small(w: Witness, event: bytes, effects: list) -> None:
    """The whole state fits in 4 KiB."""
    if len(w.m.snapshot()) > STATE_BYTES:
        broken("state_is_small", len(w.m.snapshot()))


@law
def undo_restores(w: Witness, event: bytes, effects: list) -> None:
    """Taking back gives exactly the state before an entry, one entry after the other."""
    if event[0] == events.CODES["TAKE_BACK"] and w.entries:
        if w.entries[-1] not in (None, w.m.snapshot()):
            broken("undo_restores", effects)


@law
def places_are_derived(w: Witness, event: bytes, effects: list) -> None:
    """What lies where is what the cards drawn and the order of places say, also card by card."""
    r = w.m.r
    if r is None:
        return
    here = [bytes(c) for c in r.cards], list(r.visible), bytes(r.seen)
    draws.lay(r)
    if here != ([bytes(c) for c in r.cards], list(r.visible), bytes(r.seen)):
        broken("places_are_derived", here, r.cards, r.visible)


@law
def kept_stays_kept(w: Witness, event: bytes, effects: list) -> None:
    """What an entry goes back to is what was there before it, whatever came since."""
    base = w.m.base
    if base is not w.base:
        first = len(w.m.undo) == 1 and events.NAMES[event[0]] in undo.ENTRIES
        w.base, w.kept = base, w.round if first else {}
    if base and any(base[0][name] != value for name, value in w.kept.items()):
        broken("kept_stays_kept", w.kept)


def _own(value: Any) -> Any:
    return value[:] if isinstance(value, (list, bytearray)) else value


def _lists(r: Any) -> dict[str, Any]:
    """A copy of everything a round changes in place."""
    found = {}
    for name, value in vars(r).items() if r else ():
        if isinstance(value, (list, bytearray)):
            flat = isinstance(value, bytearray)
            found[name] = value[:] if flat else [_own(each) for each in value]
    return found


@law
def something_is_due(w: Witness, event: bytes, effects: list) -> None:
    """An open round always waits for something definite."""
    r = w.m.r
    if r is None or r.void:
        return
    kind = r.kind()
    if kind == "deal" and r.at >= len(r.plan):
        broken("something_is_due", kind, r.at)
    if kind in ("decide", "settle", "spin") and not 0 <= r.turn < len(r.order):
        broken("something_is_due", kind, r.turn, r.order)


@law
def dump_comes_back(w: Witness, event: bytes, effects: list) -> None:
    """Between rounds, load(dump()) is the same table."""
    if w.m.between and any(e[0] in ("checkpoint", "phase") for e in effects):
        twin = Machine(w.settings)
        twin.load(w.m.dump())
        if twin.snapshot() != w.m.snapshot():
            broken("dump_comes_back")


@law
def chips_move_once(w: Witness, event: bytes, effects: list) -> None:
    """Every stake is settled exactly once, and instructions, results and meters agree."""
    for e in effects:
        _follow(w, e)
    if any(e[0] == "over" for e in effects):
        _audit(w)


def _follow(w: Witness, e: tuple) -> None:
    """Keep what the instructions so far make of each wager."""
    if e[0] == "undone" and e[1] in ("ACT", "DISCARD"):
        for key in [k for k in w.moved if k[0] == e[2] and k[1] != "bonus_spin"]:
            del w.moved[key]
    if e[0] not in ("take", "pay", "push", "return", "pot"):
        return
    seat = e[1]
    if e[0] == "pot":
        w.pot_out += e[2]
        if seat:
            w.moved[seat, "pot"] = e[2]
        return
    key = seat, e[2]
    if e[2] == "bonus_spin":
        gain = {"take": -e[3], "pay": e[3], "return": e[3], "push": 0}[e[0]]
        w.moved[key] = w.moved.get(key, 0) + gain
    else:
        w.moved[key] = {"take": -e[3], "pay": e[3]}.get(e[0], 0)


def _audit(w: Witness) -> None:
    settled = [(seat, wager) for seat, wager, _ in w.results]
    if len(set(settled)) != len(settled):
        broken("chips_move_once", "twice", settled)
    nets = {(seat, wager): net for seat, wager, net in w.results}
    staked = {key for key in nets if key[1] not in w.m.game.ADDS}
    if staked != w.expected:
        broken("chips_move_once", "missing or surplus", staked ^ w.expected)
    for key, net in nets.items():
        if key[1] != "pot" and w.moved.get(key, 0) != net:
            broken("chips_move_once", key, net, w.moved.get(key))
    won = -sum(0 if key in w.coupons and net < 0 else net for key, net in nets.items())
    if won != sum(w.m.meters.win) - w.win:
        broken("chips_conserved", nets, sum(w.m.meters.win) - w.win)


@law
def pot_pays_what_it_holds(w: Witness, event: bytes, effects: list) -> None:
    """Awards, house and commission together are the pot, no more and no less."""
    r = w.m.r
    if r is not None:
        w.expected = {(s, wager) for s in r.seats for wager, _ in w.m.game.stakes(r, s)}
        w.coupons = {key for key in w.expected if r.is_coupon(*key)}
    shares = [e[2] for e in effects if e[0] == "pot"] + [
        e[1] for e in effects if e[0] == "commission"
    ]
    if shares:
        assert r is not None
        pot = sum(ln.stake for ln in r.lines)
        if sum(shares) != pot or min(shares) < 0:
            broken("pot_pays_what_it_holds", shares, pot)


LAWS.remove(chips_move_once)
LAWS.append(chips_move_once)  # it reads what the others noted
