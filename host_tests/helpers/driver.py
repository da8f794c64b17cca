"""Drives a round machine the way a table would: the event that is due, or one that is not.

`due(m, n)` is the legal next event of a machine in any state; `n` picks among legal choices.
`odd(m, n)` is some other event: mostly an irregularity or a wrong entry, with plausible fields.
"""

from __future__ import annotations

import random
from typing import Any

from felt.round import events, procedures
from felt.round.due import due as waits_for
from felt.round.due import stub_due
from felt.round.events import bet, pack
from felt.round.state import BET, CHECK, CLOSED, IDLE

from tools.prove import player
from tools.prove.player import stakes

WEIGHTS = [1] * 12
TABLES: list[dict[str, Any]] = [
    {"game": "premium", "bonus_spin": "flush5_progressive", "weights": WEIGHTS},
    {"game": "premium", "bonus_spin": "flush1_fixed", "fixed_prize": 99900, "weights": WEIGHTS,
     "dealing": "auto", "shuffler": "counting", "second_deck": True},
    {"game": "premium", "dealing": "hand", "shuffler": "plain", "ante_unqualified": "push"},
    {"game": "headsup"},
    {"game": "headsup", "dealing": "auto", "shuffler": "counting", "second_deck": True},
    {"game": "colorado", "version": "required"},
    {"game": "colorado", "version": "permissible", "dealing": "auto", "shuffler": "plain",
     "two_positions": True},
    {"game": "winners_pot"},
    {"game": "winners_pot", "dealing": "auto", "shuffler": "plain", "second_deck": True},
    {"game": "winners_pot", "dealing": "hand", "shuffler": "counting", "commission_cap": 500,
     "stub_every": 2},
]  # fmt: skip
TABLES += [table for table in player.TABLES if table["game"] not in {t["game"] for t in TABLES}]
KEY_ON = pack("KEY", events.ATTENDANT, 1)


def wagers(m: Any, seat: int, rng: random.Random) -> bytes:
    """A legal BET of a seat."""
    ante = 500 if m.game.MIN_PLAYERS > 1 else rng.choice((100, 500, 2500))
    return bet(seat, stakes(m, ante, lambda: rng.choice((0, 100, 700))))


def spots(m: Any) -> bytes:
    """The SENSORS event that agrees with the wagers entered."""
    seen = bytearray(7)
    for seat in range(1, 8):
        for i, cents in enumerate(m.bets[seat] or ()):
            seen[seat - 1] |= bool(cents) << i
    return pack("SENSORS", seen)


def fresh(m: Any, rng: random.Random, count: int) -> bytes:
    """Cards not yet seen this round; hands of one suit are made likelier."""
    unseen = [c for c in range(52) if not m.r.seen[c]]
    if rng.random() < 0.5:
        unseen = [c for c in unseen if c & 3 == 1] * (rng.random() < 0.9) or unseen
    unseen += [c for c in range(52) if not m.r.seen[c] and c not in unseen]
    head = unseen[: max(count, 8)]
    rng.shuffle(head)
    return bytes(head[:count])


def due(m: Any, n: int) -> bytes:
    """The next legal event; a key that is needed comes first."""
    rng = random.Random(n)
    if m.phase == CLOSED:
        return pack("OPEN", n % 2)
    if m.phase == IDLE:
        return pack("OPEN", 2)
    if m.phase == CHECK:
        return _step(m)
    if m.phase == BET:
        return _betting(m, rng)
    return _round(m, rng)


def _step(m: Any) -> bytes:
    step = m.steps[m.step_at]
    if procedures.needs_supervisor(step) and not m.has_key(events.ATTENDANT):
        return KEY_ON
    if step == procedures.SHUFFLE and m.broken >> events.SHUFFLER & 1:
        return pack("DEVICE", events.SHUFFLER, events.ATTACHED)
    return pack("DONE", step, 26 if step == procedures.CUT else 52)


def _betting(m: Any, rng: random.Random) -> bytes:
    empty = [s for s in range(1, m.cfg["seats"] + 1) if not m.bets[s]]
    seated = m.cfg["seats"] - len(empty)
    if empty and (seated < m.game.MIN_PLAYERS or rng.random() < 0.3):
        return wagers(m, rng.choice(empty), rng)
    wrong = m.game.check_table(m.bets)
    if wrong:
        return bet(wrong[0], [0] * len(m.game.WAGERS))
    if (m.absent | m.broken) >> events.SHOE & 1 and m.dealing != "hand":
        return pack("DEVICE", events.SHOE, events.ATTACHED)
    if m.dealing == "hand" and procedures.shuffler(m) == "none":
        return pack("DEVICE", events.SHUFFLER, events.ATTACHED)
    seen = spots(m)
    if m.cfg["sensors"] and m.sensors != seen[1:]:
        return seen
    return pack("LOCK", b"")


def _round(m: Any, rng: random.Random) -> bytes:
    r = m.r
    kind = r.kind()
    if r.recut:
        return pack("DONE", procedures.CUT, 20)
    if r.stopped or waits_for(m).kind == "name":
        return _odd_cards(m, rng)
    if r.short:
        card = fresh(m, rng, 1)
        return pack("STACK", card) if r.dealing == "auto" else pack("CARD", card[0])
    if kind == "deal":
        cards = fresh(m, rng, len(r.plan[r.at]))
        return pack("STACK", cards) if r.dealing == "auto" else pack("CARD", cards[0])
    if r.paying:
        return pack("PAID", r.paying)
    if kind == "decide":
        return _decision(m, rng)
    if kind in ("show", "reveal", "collect") and stub_due(m):
        last = kind == "collect" or r.script[r.stage + 1][0] == "settle"
        if last:
            return pack("STUB", 52 - r.dealt, 0)
    return _settling(m, kind, rng)


def _odd_cards(m: Any, rng: random.Random) -> bytes:
    """The answer to a deal that is stopped, or to cards nobody has read."""
    now = waits_for(m)
    if now.kind == "stop":
        if now.choices[0] in ("unread", "double", "back"):
            return pack("GO_ON")
        return pack("VOID", 0) if m.has_key(events.ATTENDANT) else KEY_ON
    place = now.places[0]
    lie = list(m.r.cards[place])[: now.amounts[0]]
    new = list(fresh(m, rng, len(lie)))
    return pack("NAMED", place, [c if c < 52 else new.pop() for c in lie])


def _decision(m: Any, rng: random.Random) -> bytes:
    seat = m.r.order[m.r.turn]
    action = rng.choice(m.game.legal(m.r, seat, m.r.arg()))
    named = m.game.decision(action).discards and rng.random() < 0.5
    card = rng.choice(list(m.r.cards[seat])) if named else events.NO_CARD
    return pack("ACT", seat, m.game.ACTIONS.index(action), card)


def _settling(m: Any, kind: str, rng: random.Random) -> bytes:
    r = m.r
    if kind in ("show", "reveal"):
        return pack("REVEAL")
    if kind == "pot":
        return pack("PAID", 0)
    if kind == "settle":
        seat = r.order[r.turn]
        if m.game.discard_due(r, seat):
            return pack("DISCARD", seat, rng.choice(list(r.cards[seat])))
        tap = m.game.triggers(r, seat) and not r.tapped[seat]
        return pack("TAP" if tap else "PAID", seat)
    if kind == "spin":
        return _spin(m, rng)
    return pack("END")


def _spin(m: Any, rng: random.Random) -> bytes:
    r = m.r
    seat = r.order[r.turn]
    for s in r.order:
        if not r.tapped[s]:
            return pack("TAP", s)
    if r.prize:
        return pack("HANDPAID", seat) if m.has_key(events.ATTENDANT) else KEY_ON
    if r.spun:
        return pack("SPUN", seat)
    return pack("SPIN", seat, rng.choice((1, rng.randint(1, 12))))


def odd(m: Any, n: int) -> bytes:
    """An event out of the ordinary."""
    rng = random.Random(n)
    name = rng.choice(ODD)
    fields = events.FIELDS[events.CODES[name]]
    if name == "BET":
        seat = rng.randint(0, 8)
        if rng.random() < 0.5 and 1 <= seat <= 7:
            return wagers(m, seat, rng)
        return bet(seat, [rng.choice((0, 0, 100, 150, 500)) for _ in m.game.WAGERS])
    if name == "SENSORS":
        return pack(name, bytes(rng.choice((0, 1, 3, 31, 63)) for _ in range(7)))
    if name == "SHOE":
        kind = rng.choice((0, 0, 0, 1, 2))
        count = rng.choice((1, 2, 3, 5)) if kind == 1 else 1
        near = (m.r.dealt if m.r else len(m.early)) + count
        position = rng.choice((0, near, near, near, near + 1, near - 1, rng.randrange(53)))
        return pack(name, kind, max(position, 0), _cards(rng, count))
    if name == "NAMED":
        count = rng.choice((2, 3, 3, 4, 5))
        return pack(name, rng.choice((0, 1, 2, 3, 4, 5, 6, 7, 8, 9)), _cards(rng, count))
    if name == "STACK":
        return pack(name, rng.sample(range(53), rng.choice((1, 1, 2, 3, 5))))
    if name == "CONFIG":
        return pack(name, bytes(rng.randrange(256) for _ in range(32)))
    if name == "LOCK":
        return pack(name, b"")
    return pack(name, *[_field(name, i, rng) for i in range(len(fields))])


def _cards(rng: random.Random, count: int) -> bytes:
    found = rng.sample(range(52), count)
    return bytes(255 if rng.random() < 0.05 else c for c in found)


def _field(name: str, i: int, rng: random.Random) -> int:
    if name in ("CARD", "FACEUP") or (name, i) in (("ACT", 2), ("DISCARD", 1)):
        return rng.choice((rng.randrange(52), 255))
    if name == "STUB" and i == 0:
        return rng.randrange(20, 53)
    if name == "DONE" and i == 1:
        return rng.choice((0, 9, 10, 26, 51, 52))
    if name in ("EXPOSED", "MISCOUNT") and i == 0:
        return rng.choice((0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9))
    if name == "DEVICE":
        return rng.randrange(5) if i else rng.choice((0, 1, 1, 2))
    if name in ("KEY", "OVERRIDE"):
        return rng.choice((0, 1, 1, 2)) if i else rng.choice((0, 0, 1))
    return rng.randrange(9)


ODD = tuple(name for name, _, _ in events.TABLE if name != "UNDO") + (
    "TAKE_BACK", "TAKE_BACK", "CARD", "FACEUP", "EXPOSED", "MISCOUNT", "MISCOUNT", "STACK",
    "NO_BURN", "TAP", "ACT", "ACT", "BET", "SENSORS", "KEY", "KEY", "STUB", "DEVICE",
    "OVERRIDE", "OVERRIDE", "DISCARD", "DISCARD", "SHOE", "SHOE", "SHOE", "NAMED", "NAMED",
    "MISDEALT", "MISDEALT", "GO_ON",
)  # fmt: skip
