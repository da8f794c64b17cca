"""The round's progress: stages in order, whose turn it is, what is due next."""

from felt.games.common import IN, UP
from felt.round.due import DEALS, due
from felt.round.state import Refused

ENTER = {}  # stage kind: function(machine, out) -> True when it waits for the dealer


def next_stage(m, out):
    """Move on until a stage needs the dealer."""
    r = m.r
    while True:
        r.stage += 1
        kind = r.kind()
        if kind == "collect":
            out.append(("phase", "collect"))
            return
        ended = m.game.ALL_FOLD_ENDS and not r.live()
        if ended and kind not in ("settle", "pot"):
            continue
        if ENTER[kind](m, out):
            return


def enter_decide(m, out):
    """Ask the seats that have something to decide, in the game's order."""
    r = m.r
    deciding = [s for s in m.game.around(r) if r.status[s] == IN]
    r.order = [s for s in deciding if m.game.legal(r, s, r.arg())]
    r.turn = 0
    if not r.order:
        return False
    out.append(("phase", "decide"))
    for seat in r.order:  # chips that lay there too early may be the raise from here on
        for word in m.game.legal(r, seat, r.arg()):
            spot = m.game.decision(word).spot
            if spot:
                r.late[seat] &= ~(m.sensors[seat - 1] & 1 << m.game.SPOTS.index(spot))
    ask(m, out)
    return True


def ask(m, out):
    """Ask the seat whose turn it is."""
    now = due(m)
    out.append(("ask", now.seat) + now.choices)


def next_turn(m, out):
    """The next seat decides, or the stage is over."""
    m.r.turn += 1
    if m.r.turn < len(m.r.order):
        ask(m, out)
    else:
        next_stage(m, out)


def announce(places, out):
    """Say which delivery is due: its place, its number of cards, face up or not."""
    out.append(("due", places[0] & ~UP, len(places), int(places[0] & UP != 0)))


def resume(m, out):
    """Say again what the round waits for."""
    now = due(m)
    if now.kind == "check":
        out.append(("check",) + now.choices)
    elif now.kind in DEALS:
        announce(now.places, out)
    elif now.kind == "decide":
        ask(m, out)


def open_round(m):
    """Return the open round whose hands can still be voided."""
    r = m.r
    if r is None or r.void:
        raise Refused("no_round")
    return r


ENTER["decide"] = enter_decide
