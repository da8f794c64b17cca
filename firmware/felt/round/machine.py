"""The round machine: one deterministic step from event to effects, the same on every runtime.

Handlers live beside this file, one module a part of the round. Each checks everything first and
raises Refused before it changes anything, so that a refused event leaves no trace.
"""

from felt.games.settings import resolve
from felt.round import (
    betting,
    decks,
    devices,
    events,
    irregular,
    misdeal,
    named,
    opening,
    payout,
    play,
    procedures,
    shoe,
    spins,
    undo,
)
from felt.round.meters import Meters
from felt.round.numbers import Reader, pack_ints, unpack_ints
from felt.round.state import CLOSED, PHASES, ROUND, WHY, Refused

VERSION = 1
HISTORY = 200  # between early cards and what is known of the decks: no card's number
NO_WHEEL = -1  # in place of a wheel's seed
# What outlives a round, one number each, in the order of a dump; those of WORDS are words.
KEPT = (
    "phase", "why", "step_at", "deck", "since_stub", "round_no", "boots", "button", "keys",
    "absent", "broken", "accept", "dealing",
)  # fmt: skip
WORDS = {"why": WHY, "dealing": events.METHODS}

_HANDLERS = [None] * len(events.NAMES)  # by code


def _learn(*tables):
    for handlers in tables:
        for name in handlers:
            _HANDLERS[events.CODES[name]] = handlers[name]


_learn(opening.HANDLERS, betting.HANDLERS, play.HANDLERS, payout.HANDLERS, devices.HANDLERS)
_learn(shoe.HANDLERS, irregular.HANDLERS, misdeal.HANDLERS, named.HANDLERS, spins.HANDLERS)
_learn(decks.HANDLERS, undo.HANDLERS)


class Machine:
    """A table of one game. State that outlives a round is here; the round's own is `r`."""

    def __init__(self, settings):
        self.cfg_source = settings
        self.game, self.cfg = resolve(settings)
        self.wheel = self.game.wheel(self.cfg)
        self.meters = Meters(self.game.METERS, self.wheel)
        self.phase = CLOSED
        self.why = "new"  # why the table is closed
        self.steps = b""
        self.step_at = 0
        self.dealing = self.cfg["dealing"]
        self.deck = 0
        self.since_stub = 0
        self.round_no = 0
        self.boots = 0
        self.button = 0
        self.keys = 0
        self.absent = 0  # devices taken off the table, one bit each
        self.broken = 0  # devices that jammed and were not cleared
        self.accept = 0  # sensors overruled for the next lock
        self.early = b""  # cards drawn before the lock: the next ones (G4)
        self.history = bytearray(2 * decks.SIZE)  # of each deck: round/decks.py
        self.config_id = bytes(8)
        self.sensors = bytes(7)
        self.pairs = []
        procedures.no_wagers(self)
        self.r = None
        undo.forget(self)
        self.typed = False  # a person entered the event under way: some need a key then (G7c)

    @property
    def between(self):
        """True while no wager is locked: the state may be checkpointed and settings changed."""
        return self.phase != ROUND

    def step(self, event):
        """Apply one event; return its effects, or raise Refused and change nothing."""
        code = event[0] if event else 0
        handler = _HANDLERS[code] if code < len(_HANDLERS) else None
        if handler is None:
            raise Refused("unknown_event", code)
        fields = events.FIELDS[code]  # every fixed field is one byte
        if len(event) != 1 + len(fields) and "*" not in fields:
            raise Refused("malformed", events.NAMES[code])
        base = undo.base_for(self, code)
        out = []
        handler(self, event, out)
        undo.follow(self, event, base)
        return out

    def has_key(self, which):
        """True while that key switch is on."""
        return bool(self.keys >> which & 1)

    def phase_name(self):
        """Return the phase, or in a round the kind of its stage."""
        return self.r.kind() if self.phase == ROUND else PHASES[self.phase]

    def dump(self):
        """Return the table between rounds as bytes, for a checkpoint."""
        if not self.between:
            raise Refused("round_open")
        undo.forget(self)  # a replay from here could not know it
        return pack_ints(self._flat())

    def snapshot(self):
        """Return the whole state as bytes: equal states give equal bytes on every runtime."""
        return pack_ints(self._flat()) + pack_ints(self.r.flat() if self.r else ())

    def _mine(self):
        """What a dump of this table begins with."""
        seed = self.meters.seed if self.wheel else NO_WHEEL
        return [VERSION, self.game.NUMBER, seed]

    def _flat(self):
        out = self._mine()
        for name in KEPT:
            value = getattr(self, name)
            out.append(WORDS[name].index(value) if name in WORDS else value)
        out += list(self.config_id) + list(self.sensors)
        for group in (self.steps, [s for pair in self.pairs for s in pair]):
            out.append(len(group))
            out += list(group)
        for seat in range(1, 8):
            out += self.bets[seat] or [0] * len(self.game.WAGERS)
        values = self.meters.values()
        out += [len(values)] + values
        if not (self.early or any(self.coupons) or any(self.history)):
            return out
        return out + list(self.coupons) + list(self.early) + [HISTORY] + list(self.history)

    def load(self, buf):
        """Take back what `dump` gave; ValueError when it is another table's or incomplete."""
        try:
            self._load(unpack_ints(buf))
        except IndexError:
            raise ValueError("state bytes are incomplete")

    def _load(self, v):
        mine = self._mine()
        take = Reader(v)
        head = take.some(len(mine))
        if head != mine:
            raise ValueError("state is another table's: %r, not %r" % (head, mine))
        for name in KEPT:
            value = take.one()
            setattr(self, name, WORDS[name][value] if name in WORDS else value)
        self.config_id, self.sensors = bytes(take.some(8)), bytes(take.some(7))
        self.steps = bytes(take.group())
        flat = take.group()
        self.pairs = [(flat[i], flat[i + 1]) for i in range(0, len(flat), 2)]
        for seat in range(1, 8):
            amounts = take.some(len(self.game.WAGERS))
            self.bets[seat] = amounts if any(amounts) else None
        self.meters.restore(take.group())
        rest = bytes(take.rest())
        self.coupons, rest = bytearray(rest[:8] or 8), rest[8:]
        at = rest.find(bytes([HISTORY]))
        self.early = rest if at < 0 else rest[:at]
        self.history = bytearray(rest[at + 1 :] if at >= 0 else 2 * decks.SIZE)
        self.r = None
        undo.forget(self)
