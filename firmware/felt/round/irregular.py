"""Irregular cards: each a named event with its ruling (G3, G8, P19, P20, H11, C10, W8-W13)."""

from felt.games.common import BOARD, BURN, DEAD, DEALER, DISCARD, UP, VOID
from felt.round.due import due
from felt.round.flow import ask, next_stage, open_round, resume
from felt.round.meters import CAUSES
from felt.round.opening import need_supervisor, need_void_key
from felt.round.state import Refused


def _open_hands(m):
    r = open_round(m)
    if r.settling:
        raise Refused("settled_already")
    return r


def void_all(m, cause, out):
    """Return every stake and pay nothing; a meter keeps its contribution (G8)."""
    r = m.r
    r.void = cause
    r.settling = True
    m.meters.voids[CAUSES.index(cause)] += 1
    r.paying = r.short = r.recut = 0
    r.lines = ()
    out.append(("void", cause))
    for seat in r.seats:
        if r.status[seat] != VOID and not r.booked[seat]:
            void_seat(m, seat, cause, VOID, out)
    out.append(("log", "void", CAUSES.index(cause), 0))


def void_seat(m, seat, reason, status, out):
    """Return one seat's stakes; a dead hand's bonus wager stays for settlement (W8)."""
    r = m.r
    was_dead = r.status[seat] == DEAD
    for ln in m.game.returned(r, seat, reason):
        if (status == DEAD or was_dead) and (ln.wager in m.game.DEAD_KEEPS) != was_dead:
            continue
        r.results.append((seat, ln.wager, ln.net))
        out.append(("return", seat, ln.wager, ln.stake, ln.rule, reason))
    r.status[seat] = status


def void(m, ev, out):
    """A supervisor voids the round."""
    if ev[1] >= len(CAUSES):
        raise Refused("malformed", "VOID")
    _open_hands(m)
    if m.cfg["void_key"] == "attendant":
        need_supervisor(m)
    void_all(m, CAUSES[ev[1]], out)


def face_up(m, ev, out):
    """A card found face up: out of play; a second one voids (G3); after the deal nothing (W9)."""
    r = open_round(m)
    c = ev[1]
    if c > 51:
        raise Refused("bad_card", c)
    if _shown(r, c):
        raise Refused("duplicate_card")
    if r.face_up and not r.all_dealt():
        need_void_key(m)
    out.append(("log", "face_up", c, 0))
    if r.all_dealt():
        out.append(("note", "face_up_ignored"))
        return
    r.claims += r.seen[c]  # one that lies hidden elsewhere: the answer must not tell
    r.seen[c] = 1
    r.dealt += 1
    r.visible[DISCARD] |= 1 << len(r.cards[DISCARD])
    r.cards[DISCARD].append(c)
    r.face_up += 1
    out.append(("card", DISCARD, c))
    if r.face_up > 1:
        void_all(m, "face_up", out)
    else:
        out.append(("note", "face_up_discard"))
        resume(m, out)


def _shown(r, c):
    """True for a card that everybody has seen in this round."""
    for place in range(len(r.cards)):
        for i, held in enumerate(r.cards[place]):
            if held == c and r.visible[place] >> i & 1:
                return True
    return False


def exposed(m, ev, out):
    """A card turned up before its time: what it means depends on whose it is and when."""
    place = ev[1]
    r = _open_hands(m)
    if place != DEALER and place not in r.seats:
        raise Refused("no_seat", place)
    if not r.cards[place] and place != DEALER:
        raise Refused("no_card_there", place)
    dealing = r.kind() == "deal" and r.stage == 0
    if m.game.EXPOSED_HOLE and dealing:
        _exposed_hole(m, place, out)
    elif place == DEALER:
        if not r.cards[DEALER]:
            raise Refused("no_card_there", place)
        voids = r.kind() != "reveal" and m.game.dealer_secret(r)
        if voids:
            need_void_key(m)
        out.append(("log", "exposed", place, 0))
        if voids:
            void_all(m, "dealer_exposed", out)
        else:
            r.exposed[DEALER] = 1
            out.append(("note", "stays_live"))
    else:
        r.exposed[place] = 1
        out.append(("log", "exposed", place, 0))
        out.append(("note", "stays_live", place))


def _exposed_hole(m, place, out):
    """Winner's Pot: one down card up, the third comes down; both up, the hand is dead (W8)."""
    r = m.r
    if not r.cards[place]:
        raise Refused("no_card_there", place)
    if r.exposed[place] >= min(2, len(r.cards[place])):
        raise Refused("exposed_already", place)
    if r.exposed[place]:
        need_void_key(m)
    r.exposed[place] += 1
    out.append(("log", "exposed", place, r.exposed[place]))
    if r.exposed[place] == 1 and len(r.cards[place]) > 2:
        out.append(("note", "stays_live", place))  # its third card lies there already
    elif r.exposed[place] == 1:
        r.plan = r.plan[: r.at] + [_face_down(d, place) for d in r.plan[r.at :]]
        out.append(("note", "third_down", place))
    elif place == DEALER:
        void_all(m, "dealer_exposed", out)
        return
    else:
        r.plan = r.plan[: r.at] + [d for d in r.plan[r.at :] if d[0] & ~UP != place]
        void_seat(m, place, "dead", DEAD, out)
        out.append(("note", "dead", place))
        if len(r.live()) == 0:
            r.plan = r.plan[: r.at]
        if r.at == len(r.plan):
            next_stage(m, out)
            return
    resume(m, out)


def _face_down(delivery, place):
    return bytes([d & ~UP if d & ~UP == place else d for d in delivery])


def miscount(m, ev, out):
    """A place has the wrong number of cards: seat void, dealer mended, or all void."""
    place, count = ev[1], ev[2]
    r = _open_hands(m)
    if place not in (DEALER, BOARD) and (place not in r.seats or r.status[place] in (VOID, DEAD)):
        raise Refused("no_seat", place)
    if not r.cards[place]:
        raise Refused("no_card_there", place)
    expected = len(r.cards[place])
    if count == expected:
        raise Refused("count_right", place, count)
    policy = m.game.miscount(r, place, count, expected)
    if policy != "mend":
        need_void_key(m)
    out.append(("log", "miscount", place, count))
    if policy == "seat":
        void_seat(m, place, "miscount", VOID, out)
        _skip_seat(m, place, out)
    elif policy == "mend":
        r.short = expected - count
        r.cards[DEALER] = r.cards[DEALER][:count]
        out.append(("due", DEALER, 1, 0))
    else:
        void_all(m, policy, out)


def _skip_seat(m, seat, out):
    """Go on without a void seat."""
    r = m.r
    if r.paying == seat:
        r.paying = 0
        r.lines = ()
    if not r.live() and m.game.ALL_FOLD_ENDS:
        r.plan = r.plan[: r.at]
        next_stage(m, out)
    elif r.kind() == "deal":
        r.plan = r.plan[: r.at] + [d for d in r.plan[r.at :] if d[0] & ~UP != seat]
        if r.at == len(r.plan):
            next_stage(m, out)
        else:
            resume(m, out)
    elif r.kind() == "decide" and seat in r.order:
        i = r.order.index(seat)
        r.order = [s for s in r.order if s != seat]
        if i < r.turn:
            r.turn -= 1
        if r.turn == len(r.order):
            next_stage(m, out)
        else:
            ask(m, out)


def no_burn(m, ev, out):
    """The dealer failed to burn: go on, and burn two before the next card (W11)."""
    r = _open_hands(m)
    now = due(m)
    if now.kind != "deal" or now.places != bytes([BURN]):
        raise Refused("no_burn_due")
    while r.at < len(r.plan) and r.plan[r.at] == bytes([BURN]):
        r.plan = r.plan[: r.at] + r.plan[r.at + 1 :]
    r.owed_burns = 1
    out.append(("log", "no_burn", 0, 0))
    resume(m, out)


def button(m, ev, out):
    """The button was not moved: go on as if it had been (W12)."""
    open_round(m)
    if not m.game.BUTTON:
        raise Refused("no_button")
    out.append(("log", "button", m.button, 0))
    out.append(("note", "button_as_moved", m.button))


HANDLERS = {
    "VOID": void,
    "FACEUP": face_up,
    "EXPOSED": exposed,
    "MISCOUNT": miscount,
    "NO_BURN": no_burn,
    "BUTTON": button,
}
