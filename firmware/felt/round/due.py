"""What the table waits for: asked here, and worked out nowhere else.

The dealer's prompt, `ok`, lamps, wheel, shoe, recall, the bench and everybody who plays rounds
read `due(machine)`; the handlers of events refuse what it does not say.
"""

import micropython
from collections import namedtuple

from felt.cards import UNKNOWN
from felt.games.common import BOARD, DEALER, FOLDED
from felt.round import draws
from felt.round.procedures import STEPS, shuffler, since_stub
from felt.round.state import PHASES, ROUND, Refused

# kind: one of KINDS; seat: whose it is, 0 for the table's; choices: the words that answer it;
# places: where cards go, UP set on those dealt face up, or the wheel's position;
# amounts: the lines to be settled, the size of an order, or the money of a spin.
Due = namedtuple("Due", ("kind", "seat", "choices", "places", "amounts"))

KINDS = (
    "closed",  # choices: why
    "idle",  # the cards lie spread
    "check",  # choices: the step of the checklist, or the cut a supervisor ordered
    "bet",  # wagers, until no more bets
    "deal",  # places: where the next delivery goes, a card each
    "mend",  # a card a place lacks, likewise
    "stop",  # choices: why a card from the shoe stopped the deal; amounts: expected, got
    "name",  # places: whose cards, amounts: how many of them are to be named
    "decide",  # choices: what the seat may do
    "show",  # amounts: how many board cards are turned
    "reveal",  # the dealer's hand is turned
    "stub",  # the stub is counted before anything else
    "discard",  # the seat's hand is turned: which card it laid down
    "tap",  # the seat won a spin
    "settle",  # amounts: the seat's lines
    "pot",  # amounts: the pot's lines
    "spin",  # the seat spins
    "spun",  # places: the wheel's position; amounts: won so far, top prize waiting
    "hand_pay",  # likewise: the attendant pays the top prize
    "collect",  # the cards
    "void",  # every stake is returned
)
DEALS = ("deal", "mend")  # cards are due
SPUN = ("spun", "hand_pay")  # a spin is drawn and not confirmed


def _due(kind, seat=0, choices=(), places=b"", amounts=()):
    return Due(kind, seat, choices, places, amounts)


def due(m):
    """Return what the table waits for."""
    if m.phase == ROUND:
        return _in_round(m, m.r)
    kind = PHASES[m.phase]
    if kind == "check":
        return _due(kind, choices=(STEPS[m.steps[m.step_at]],))
    return _due(kind, choices=(m.why,) if kind == "closed" else ())


@micropython.native
def _in_round(m, r):
    kind = r.kind()
    if kind == "void":
        return _due(kind)
    if r.recut:
        return _due("check", choices=(STEPS[m.steps[m.step_at]],))
    if r.stopped:
        why = ("said",) if draws.entered(r) else r.why[:1]
        return _due("stop", choices=why, amounts=r.why[1:])
    if r.short:
        return _due("mend", places=bytes(r.owed[:1]))
    if r.paying:
        return _due("settle", r.paying, amounts=r.lines)
    if kind == "deal":
        return _due(kind, places=r.plan[r.at])
    if kind == "decide":
        seat = r.order[r.turn]
        return _due(kind, seat, m.game.legal(r, seat, r.arg()))
    return _after_hands(m, r, kind)


def _after_hands(m, r, kind):
    """The last cards, settlement, spins and the end."""
    if kind in ("show", "reveal"):
        if r.script[r.stage + 1][0] == "settle" and stub_due(m):
            return _due("stub")
        return _turning(r, kind)
    if kind == "settle":
        return _settling(m, r, r.order[r.turn])
    if kind == "spin":
        return _spinning(r, r.order[r.turn])
    if kind == "pot":
        return _due(kind, amounts=r.lines)
    return _due("stub" if stub_due(m) else "collect")


def _turning(r, kind):
    """Cards that were never read are named before they count as turned."""
    count, place = r.arg(), BOARD
    if kind == "reveal":
        place, upto = DEALER, len(r.cards[DEALER])
    else:
        upto = count
        while r.visible[BOARD] >> upto - count & 1:
            upto += 1
    if UNKNOWN in list(r.cards[place][:upto]):
        return _due("name", places=bytes([place]), amounts=(upto,))
    return _due(kind, amounts=(count,))


def name_due(m, seat):
    """Return the place whose cards must be named before a seat is settled, or None."""
    r = m.r
    for place in (BOARD, seat):
        needed = not r.paying if place == BOARD else _counts(m, seat)
        if needed and UNKNOWN in list(r.cards[place]):
            return place
    return None


def _counts(m, seat):
    """True while a seat's cards decide about a wager."""
    if m.r.status[seat] != FOLDED:
        return True
    settled = tuple(m.game.fold_takes(m.cfg)) + (m.game.POT,)
    return any([wager not in settled for wager, _ in m.game.stakes(m.r, seat)])


def _settling(m, r, seat):
    place = name_due(m, seat)
    if place is not None:
        return _due("name", seat, places=bytes([place]), amounts=(len(r.cards[place]),))
    if discard_due(m, seat):
        return _due("discard", seat)
    return _due("tap" if tap_due(m, seat) else "settle", seat, amounts=open_lines(m, seat))


def _spinning(r, seat):
    if r.spun:
        kind = "hand_pay" if r.prize else "spun"
        return _due(kind, seat, places=bytes([r.spun]), amounts=(r.pays[seat], r.prize))
    for s in r.order:
        if not r.tapped[s]:
            return _due("tap", s)
    return _due("spin", seat)


def open_lines(m, seat):
    """Return the lines whose chips still lie there: a fold's were taken when it folded."""
    r = m.r
    if r.status[seat] != FOLDED:
        return r.lines
    return [ln for ln in r.lines if ln.wager not in m.game.fold_takes(m.cfg)]


def spinner(m):
    """Return the seat that spins now, or refuse."""
    now = due(m)
    if now.kind == "tap":
        raise Refused("tap_due", now.seat)
    if now.kind != "spin":
        raise Refused("no_spin")
    return now.seat


def discard_due(m, seat):
    """True when a seat's hand is turned and its discard not yet named."""
    return m.game.discard_due(m.r, seat)


def tap_due(m, seat):
    """True when a seat won a spin and was not tapped."""
    if UNKNOWN in list(m.r.cards[seat]):
        return False
    return m.game.triggers(m.r, seat) and not m.r.tapped[seat]


def stub_due(m):
    """True when this round's stub must be counted before hands are settled (G5)."""
    counts = shuffler(m) == "counting" and not since_stub(m)
    if m.r.stub_counted or (counts and m.game.stub_waived(m.cfg, m.r.dealing)):
        return False
    return since_stub(m) + 1 >= m.cfg["stub_every"]
