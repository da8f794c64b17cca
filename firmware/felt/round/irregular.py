"""Irregular cards: each a named event with its ruling (G3, G8, P19, P20, H11, C10, W8-W13)."""

from felt.cards import DECK, UNKNOWN
from felt.games.common import DEAD, DEALER, DISCARD, UP, VOID
from felt.round import draws
from felt.round.flow import next_stage, open_round, resume
from felt.round.meters import CAUSES
from felt.round.opening import need_supervisor, need_void_key
from felt.round.state import FACE_UP, IN_PLAY, Refused


def open_hands(m, place=DEALER):
    """Return the round whose hands can still be voided: until they are booked (G7a)."""
    r = open_round(m)
    if r.kind() in ("spin", "collect") or (place < len(r.booked) and r.booked[place]):
        raise Refused("settled_already")
    return r


def void_all(m, cause, out):
    """Return every stake not yet settled, pay nothing; a meter keeps its contribution (G8)."""
    r = m.r
    r.void = cause
    r.settling = True
    m.meters.voids[CAUSES.index(cause)] += 1
    r.paying = r.recut = 0
    r.owed, r.lines, r.stopped = bytearray(), (), []
    out.append(("void", cause))
    for seat in r.seats:
        if r.status[seat] != VOID:
            r.returned[seat] = void_seat(m, seat, cause, VOID, out)
    out.append(("log", "void", CAUSES.index(cause), 0))


def void_seat(m, seat, reason, status, out):
    """Return a seat's stakes; a dead hand's bonus wager stays for settlement (W8).

    What went back earlier is not returned again: the cents that go back now are."""
    r = m.r
    total = 0
    settled = [wager for who, wager, _ in r.results if who == seat]
    for ln in m.game.returned(r, seat, reason):
        if ln.wager in settled or (status == DEAD and ln.wager in m.game.DEAD_KEEPS):
            continue
        r.results.append((seat, ln.wager, ln.net))
        out.append(("return", seat, ln.wager, ln.stake, ln.rule, reason))
        total += ln.stake
    r.status[seat] = status
    return total


def void(m, ev, out):
    """A supervisor voids the round."""
    if ev[1] >= len(CAUSES):
        raise Refused("malformed", "VOID")
    open_hands(m)
    if m.cfg["void_key"] == "attendant":
        need_supervisor(m)
    void_all(m, CAUSES[ev[1]], out)


def face_up(m, ev, out):
    """A card found face up: out of play; a second one voids (G3); after the deal nothing (W9)."""
    r = open_round(m)
    c = ev[1]
    if c >= DECK:
        raise Refused("bad_card", c)
    if draws.shown(r, c):
        raise Refused("duplicate_card")
    at = bytes(r.read).find(ev[1:])
    if r.face_up and not r.all_dealt():
        need_void_key(m)
    out.append(("log", "face_up", c, 0))
    if r.all_dealt():
        out.append(("note", "face_up_ignored"))
        return
    if _drawn_just_now(r, at):  # it was read, and taken for a card dealt face down
        r.fate[at] = FACE_UP
    else:
        if at >= 0:
            r.read[at] = UNKNOWN  # whatever lies hidden there, it is not this one
        draws.push(r, c, FACE_UP)
    discard_up(m, c, out)


def _drawn_just_now(r, at):
    """True for a card in play of the stage being dealt: those before lie where they lie."""
    if at < 0 or r.fate[at] != IN_PLAY or r.dealing == "auto" or r.kind() != "deal":
        return False
    return sum([1 for f in r.fate[:at] if f == IN_PLAY]) >= r.stage_from


def discard_up(m, c, out):
    """Lay a face-up card aside and go on, or void all hands at the second one."""
    r = m.r
    draws.fit(r)
    r.face_up += 1
    out.append(("card", DISCARD, c))
    if r.face_up > 1:
        void_all(m, "face_up", out)
    else:
        out.append(("note", "face_up_discard"))
        resume(m, out)


def exposed(m, ev, out):
    """A card turned up before its time: what it means depends on whose it is and when."""
    place = ev[1]
    r = open_hands(m, place)
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
        voids = m.game.dealer_secret(r)
        if voids:
            need_void_key(m)
        out.append(("log", "exposed", place, 0))
        if voids:
            void_all(m, "dealer_exposed", out)
        else:
            r.exposed[DEALER] = 1
            out.append(("note", "stays_live", place))
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
    elif place == DEALER and m.cfg["dealer_dead"] == "void":
        void_all(m, "dealer_exposed", out)
        return
    else:
        r.plan = r.plan[: r.at] + [d for d in r.plan[r.at :] if d[0] & ~UP != place]
        if place == DEALER:
            r.status[DEALER] = DEAD  # the players contest the pot among themselves (W8a)
        else:
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
    "BUTTON": button,
}
