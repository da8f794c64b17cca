"""The spin round: taps that agree with the cards, pays fixed before the wheel turns, hand pay."""

from felt.games.bonus_spin import POSITIONS, RULE, TABLES, TOP
from felt.games.common import DEAD, FOLDED, VOID
from felt.round import events
from felt.round.due import SPUN, due, spinner
from felt.round.flow import ENTER, next_stage
from felt.round.state import Refused

SPIN_SPOT = 4  # Bonus Spin among Premium's wagers


def tap(m, ev, out):
    """The dealer marks a seat that won a spin; it must agree with the cards (P16)."""
    r = m.r
    seat = ev[1]
    if r is None or r.void != 255 or "bonus_spin" not in m.game.WAGERS:
        raise Refused("no_spin")
    if seat not in r.seats or not r.bets[seat][SPIN_SPOT] or r.status[seat] == VOID:
        raise Refused("no_spin_wager", seat)
    kind = r.kind()
    if kind == "collect" or (kind == "spin" and not _before_spins(r)):
        raise Refused("tap_late", seat)
    reached = kind == "spin" or (kind == "settle" and r.order.index(seat) <= r.turn)
    if not reached and r.status[seat] != FOLDED:
        raise Refused("tap_early", seat)
    if r.tapped[seat]:
        raise Refused("tapped_already", seat)
    if not m.game.triggers(r, seat):
        raise Refused("no_flush", seat)
    r.tapped[seat] = max(r.tapped) + 1
    m.undo = ("TAP", seat)
    out.append(("tapped", seat))
    out.append(("log", "tap", seat, 0))


def _before_spins(r):
    return r.kind() != "spin" or not (r.turn or r.spun)


def last_tap(m):
    """Return what UNDO takes back when no newer entry stands: a tap, until the spins (P16)."""
    r = m.r
    if r is None or r.void != 255 or not max(r.tapped) or not _before_spins(r):
        return None
    return None if r.kind() == "collect" else ("TAP", list(r.tapped).index(max(r.tapped)))


def latched(r):
    """Return the seats whose Bonus Spin wager stands."""
    return [s for s in r.seats if r.bets[s][SPIN_SPOT] and r.status[s] not in (VOID, DEAD)]


def enter_spin(m, out):
    """Start the spin round in seat order, after all hands are resolved (P15)."""
    r = m.r
    r.order = [s for s in latched(r) if m.game.triggers(r, s)]
    r.turn = 0
    if not r.order:
        _book_spins(m)
        return False
    out.append(("phase", "spin"))
    out.append(("spin_due", r.order[0]))
    return True


def spin(m, ev, out):
    """The wheel's position is drawn: pays are fixed before the wheel turns."""
    r = m.r
    seat, position = ev[1], ev[2]
    turn = spinner(m)
    if seat != turn:
        raise Refused("not_your_turn", turn)
    if not 1 <= position <= POSITIONS:
        raise Refused("bad_position", position)
    _, seed, pays, community = TABLES[m.cfg["bonus_spin"]]
    r.spun = position
    m.meters.spins += 1
    prize = pays[position - 1]
    if position == TOP:
        prize = m.meters.hit() if seed else m.cfg["fixed_prize"]
        r.prize = prize
        out.append(("hit", seat, prize))
        out.append(("log", "hit", seat, m.meters.hits & 255))
    r.pays[seat] += prize
    out.append(("spin", seat, position))
    out.append(("pay", seat, "bonus_spin", prize, None, RULE, "spin"))
    share = community[position - 1]
    for other in latched(r):
        if share and other != seat:
            r.pays[other] += share
            out.append(("pay", other, "bonus_spin", share, None, RULE, "community"))


def hand_paid(m, ev, out):
    """The attendant's key releases a top prize once it is paid by hand."""
    r = m.r
    now = due(m)
    if now.kind != "hand_pay":
        raise Refused("no_hand_pay")
    if ev[1] != now.seat:
        raise Refused("not_your_turn", now.seat)
    if not m.has_key(events.ATTENDANT):
        raise Refused("attendant_key")
    r.prize = 0
    out.append(("log", "hand_paid", ev[1], 0))


def spun(m, ev, out):
    """The wheel has stopped and the seats are paid: the next spinner, or the end."""
    r = m.r
    now = due(m)
    if now.kind not in SPUN:
        raise Refused("no_spin")
    if ev[1] != now.seat:
        raise Refused("not_your_turn", now.seat)
    if now.kind == "hand_pay":
        raise Refused("hand_pay", now.seat)
    r.spun = 0
    r.turn += 1
    if r.turn < len(r.order):
        out.append(("spin_due", r.order[r.turn]))
    else:
        _book_spins(m)
        next_stage(m, out)


def _book_spins(m):
    r = m.r
    for seat in latched(r):
        ln = m.game.spin_lines(r.bets[seat][SPIN_SPOT], r.pays[seat])
        r.results.append((seat, ln[0], ln[2]))
        m.meters.settled(ln[0], ln[1], ln[2])


ENTER["spin"] = enter_spin
HANDLERS = {
    "TAP": tap,
    "SPIN": spin,
    "SPUN": spun,
    "HANDPAID": hand_paid,
}
