"""The spin round: taps that agree with the cards, pays fixed before the wheel turns, hand pay."""

from felt.games.bonus_spin import POSITIONS, RULE, TOP
from felt.games.common import DEAD, FOLDED, VOID
from felt.round import events
from felt.round.due import SPUN, due, spinner
from felt.round.flow import ENTER, next_stage
from felt.round.payout import book
from felt.round.state import Refused


def tap(m, ev, out):
    """The dealer marks a seat that won a spin; it must agree with the cards (P16)."""
    r = m.r
    seat = ev[1]
    if r is None or r.void or not m.game.LATCH:
        raise Refused("no_spin")
    if seat not in r.seats or not r.stake(seat, m.game.LATCH) or r.status[seat] == VOID:
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
    out.append(("tapped", seat))
    out.append(("log", "tap", seat, 0))


def _before_spins(r):
    return r.kind() != "spin" or not (r.turn or r.spun)


def last_tap(m):
    """Return what UNDO takes back when no newer entry stands: a tap, until the spins (P16)."""
    r = m.r
    if r is None or r.void or not max(r.tapped) or not _before_spins(r):
        return None
    return None if r.kind() == "collect" else ("TAP", list(r.tapped).index(max(r.tapped)))


def latched(r):
    """Return the seats whose Bonus Spin wager stands."""
    staying = [s for s in r.seats if r.status[s] not in (VOID, DEAD)]
    return [s for s in staying if r.stake(s, r.game.LATCH)]


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
    wheel = m.wheel
    r.spun = position
    m.meters.spins += 1
    prize = wheel.pays[position - 1]
    if position == TOP:
        prize = m.meters.hit() if wheel.seed else wheel.prize
        r.prize = prize
        out.append(("hit", seat, prize))
        out.append(("log", "hit", seat, m.meters.hits & 255))
    r.pays[seat] += prize
    out.append(("spin", seat, position))
    out.append(("pay", seat, m.game.LATCH, prize, None, RULE, "spin"))
    share = wheel.community[position - 1]
    for other in latched(r):
        if share and other != seat:
            r.pays[other] += share
            out.append(("pay", other, m.game.LATCH, share, None, RULE, "community"))


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


def no_spin(m, ev, out):
    """The attendant ends spins that cannot be drawn for good: their stakes go back (G8)."""
    r = m.r
    spinner(m)
    if not m.has_key(events.ATTENDANT):
        raise Refused("attendant_key")
    for seat in r.order[r.turn :]:
        stake = r.stake(seat, m.game.LATCH)
        r.pays[seat] += stake
        out.append(("return", seat, m.game.LATCH, stake, RULE, "no_spin"))
        out.append(("log", "no_spin", seat, 0))
    _book_spins(m)
    next_stage(m, out)


def _book_spins(m):
    r = m.r
    lines = []
    for seat in latched(r):
        lines.append(m.game.spin_line(seat, r.stake(seat, m.game.LATCH), r.pays[seat]))
    book(m, lines)


ENTER["spin"] = enter_spin
HANDLERS = {
    "TAP": tap,
    "SPIN": spin,
    "SPUN": spun,
    "HANDPAID": hand_paid,
    "NO_SPIN": no_spin,
}
