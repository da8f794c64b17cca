"""After the hands: settlement seat by seat, the pot, and the round's end."""

import micropython
from felt.cards import UNKNOWN
from felt.games.common import IN, VOID
from felt.round import decks, procedures
from felt.round.due import discard_due, due, name_due, open_lines, tap_due
from felt.round.flow import ENTER, next_stage, next_turn
from felt.round.state import Refused


def take_folded(m, seat, out):
    """Collect what a fold loses at once; the pot game moves it to the pot instead."""
    for wager, stake in m.game.stakes(m.r, seat):
        if wager == m.game.POT:
            out.append(("to_pot", seat, stake, m.game.FOLD_RULE))
    for ln in m.game.folded(m.r, seat):
        out.append(effect(ln))


def enter_settle(m, out):
    """Settle in the order the rules give (G10)."""
    r = m.r
    r.settling = True
    r.order = r.seats[::-1] if m.game.DESCENDING else r.seats
    r.turn = -1
    out.append(("phase", "settle"))
    return _next_seat(m, out)


def _next_seat(m, out):
    """Present the next seat that needs the dealer; True when there is one."""
    r = m.r
    while True:
        r.turn += 1
        if r.turn >= len(r.order):
            r.lines = ()
            return False
        seat = r.order[r.turn]
        if r.status[seat] == VOID or r.booked[seat]:
            continue
        shown = present(m, seat, out)
        if tap_due(m, seat):
            out.append(("tap_due", seat))
            return True
        if shown:
            return True
        _book_seat(m, seat)


def worked_out(m, seat):
    """Return the lines of a seat; of a fold nothing may depend on cards that nobody knows."""
    if UNKNOWN in list(m.r.cards[seat]):
        return m.game.folded(m.r, seat)
    return m.game.settle(m.r, seat)


@micropython.native
def present(m, seat, out):
    """Show a seat's hand, work out its lines; True when chips are to be moved."""
    r = m.r
    place = name_due(m, seat)
    if place is not None:
        r.lines = ()
        out.append(("name_due", place))
        return True
    if discard_due(m, seat):
        out.append(("discard_due", seat))
        return True
    r.lines = worked_out(m, seat)
    moving = open_lines(m, seat)
    if moving or r.status[seat] == IN:
        for i, c in enumerate(r.cards[seat]):
            if c != r.discarded[seat] and not r.visible[seat] >> i & 1:
                r.visible[seat] |= 1 << i
                r.turned[seat] |= 1 << i
                out.append(("card", seat, c))
    for ln in moving:
        out.append(effect(ln))
    return bool(moving)


def again(m, out):
    """Cards lie elsewhere than they did: settle the seat whose turn it is anew.

    One that is out of the round is passed over."""
    r = m.r
    seat = r.order[r.turn]
    if r.status[seat] != VOID:
        present(m, seat, out)
    elif not _next_seat(m, out):
        next_stage(m, out)


def discard(m, ev, out):
    """The seat's hand is turned: which card it had laid down is seen now, and its lines follow."""
    r = m.r
    seat = ev[1]
    now = due(m)
    if now.kind != "discard" or now.seat != seat:
        raise Refused("no_discard_due")
    if ev[2] not in list(r.cards[seat]):
        raise Refused("not_held", seat, ev[2])
    r.discarded[seat] = ev[2]
    present(m, seat, out)


def effect(ln):
    """Return the pay, push or take instruction of a line."""
    if ln.net > 0:
        return ("pay", ln.seat, ln.wager, ln.net, ln.odds, ln.rule, ln.reason)
    if ln.net < 0:
        return ("take", ln.seat, ln.wager, -ln.net, ln.rule, ln.reason)
    return ("push", ln.seat, ln.wager, ln.stake, ln.rule, ln.reason)


def book(m, lines):
    """Enter lines in results and meters, once, when they are confirmed."""
    for ln in lines:
        m.r.results.append((ln.seat, ln.wager, ln.net))
        m.meters.settled(ln.wager, ln.stake, ln.net, m.r.is_coupon(ln.seat, ln.wager))
    m.r.lines = ()


def _book_seat(m, seat):
    book(m, m.r.lines)
    m.r.booked[seat] = 1


def paid(m, ev, out):
    """The dealer has paid and taken what the seat was due; 0 confirms the pot."""
    r = m.r
    seat = ev[1]
    now = due(m)
    if now.kind not in ("settle", "pot", "tap", "discard", "name"):
        raise Refused("nothing_to_pay")
    if seat != now.seat:
        raise Refused("not_your_turn", now.seat)
    if now.kind in ("tap", "discard", "name"):
        raise Refused(now.kind + "_due", seat)
    if now.kind == "pot":
        book(m, now.amounts)
        m.meters.commission += r.pays[0]
    else:
        _book_seat(m, seat)
    out.append(("paid", seat))
    if r.paying:
        r.paying = 0
        next_turn(m, out)
    elif not _next_seat(m, out):
        next_stage(m, out)


def enter_pot(m, out):
    """Award the pot."""
    r = m.r
    lines, commission, house = m.game.finish(r)
    r.lines = lines
    r.pays[0] = commission
    out.append(("phase", "pot"))
    for ln in lines:
        if ln.stake + ln.net:
            out.append(("pot", ln.seat, ln.stake + ln.net, ln.rule, ln.reason))
    out.append(("pot", 0, house, m.game.RULE_POT, "house"))
    out.append(("commission", commission))
    return True


def end(m, ev, out):
    """Cards collected: the round becomes history and the next one's checklist begins."""
    r = m.r
    kind = due(m).kind
    if kind == "stub":
        raise Refused("stub_due")
    if kind not in ("collect", "void"):
        raise Refused("round_not_over")
    if kind == "collect":
        m.meters.round_over()
    m.round_no += 1
    played, rounds = m.deck, 0 if r.stub_counted else procedures.since_stub(m) + 1
    procedures.count_round(m, played, rounds)
    later = [s for s in r.seats if s > m.button]
    m.button = later[0] if later else 0
    m.deck = m.deck ^ 1 if procedures.decks(m) == 2 else 0
    procedures.no_wagers(m)
    m.pairs = []
    removed = decks.leaves(m, played)
    m.broken &= ~decks.WRONG
    m.r = None
    out.append(("over", m.round_no))
    if removed is not None:
        procedures.remove_deck(m, removed, out)
        out.pop()  # the checkpoint below closes the round as well
    else:
        procedures.start_check(m, procedures.between_rounds(m), out)
    out.append(("checkpoint", 1))


ENTER["settle"] = enter_settle
ENTER["pot"] = enter_pot
HANDLERS = {
    "PAID": paid,
    "DISCARD": discard,
    "END": end,
}
