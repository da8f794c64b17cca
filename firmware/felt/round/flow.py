"""The round's progress: stages in order, whose turn it is, what is due next."""

from felt.games.common import IN, UP
from felt.round.procedures import shuffler
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
        if ended and kind in ("deal", "show", "reveal", "decide"):
            continue
        if ENTER[kind](m, out):
            return


def enter_decide(m, out):
    """Ask the seats that have something to decide, in the game's order."""
    r = m.r
    around = getattr(m.game, "clockwise", None)
    everyone = [s for s in around(r.button) if s] if around else r.seats
    r.order = [s for s in everyone if r.status[s] == IN and m.game.legal(r, s, r.arg())]
    r.turn = 0
    if not r.order:
        return False
    out.append(("phase", "decide"))
    ask(m, out)
    return True


def ask(m, out):
    """Ask the seat whose turn it is."""
    r = m.r
    seat = r.order[r.turn]
    out.append(("ask", seat) + m.game.legal(r, seat, r.arg()))


def next_turn(m, out):
    """The next seat decides, or the stage is over."""
    m.r.turn += 1
    if m.r.turn < len(m.r.order):
        ask(m, out)
    else:
        next_stage(m, out)


def announce(r, out):
    """Say which delivery is due: its place, its number of cards, face up or not."""
    due = r.plan[r.at]
    out.append(("due", due[0] & ~UP, len(due), int(due[0] & UP != 0)))


def resume(m, out):
    """Say again what the round waits for."""
    r = m.r
    if r.recut:
        out.append(("check", "cut"))
    elif r.short:
        out.append(("due", 0, 1, 0))
    elif r.kind() == "deal":
        announce(r, out)
    elif r.kind() == "decide" and not r.paying:
        ask(m, out)


def open_round(m):
    """Return the open round whose hands can still be voided."""
    r = m.r
    if r is None or r.void != 255:
        raise Refused("no_round")
    return r


def stub_due(m):
    """True when this round's stub must be counted before hands are settled (G5)."""
    if m.r.stub_counted or shuffler(m) == "counting":
        return False
    return m.since_stub + 1 >= m.cfg["stub_every"]


ENTER["decide"] = enter_decide
