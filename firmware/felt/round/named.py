"""The felt wins: what lies at a place is named, over whatever was read or typed (G7b)."""

from felt.cards import DECK, UNKNOWN
from felt.games.common import BOARD, DEALER, IN, VOID
from felt.round import draws, payout
from felt.round.due import discard_due, due, name_due
from felt.round.events import ATTENDANT
from felt.round.flow import open_round, resume
from felt.round.irregular import open_hands
from felt.round.opening import need_supervisor
from felt.round.state import Refused


def name(m, ev, out):
    """Name the first cards of a place as they lie there."""
    place, cards = (ev[1] if len(ev) > 1 else 99), bytes(ev[2:])
    r = hands(m, place)
    if place not in r.seats and place not in (DEALER, BOARD):
        raise Refused("no_seat", place)
    _check(m, place, cards)
    was, nets = bytes(r.cards[place][: len(cards)]), _nets(m)
    if _secret(m, place, cards):
        need_supervisor(m)
    there = bytes([a if b == draws.KEPT else b for a, b in zip(was, cards)])
    if any([a != UNKNOWN and a != b for a, b in zip(was, there)]):
        need_supervisor(m)
        for a, b in zip(was, there):
            if a != b:
                out.append(("log", "named", a, b))
    elif was == there:
        raise Refused("named_so", place)
    _steal(r, cards)
    told = bytes(r.named[place] or b"")
    kept = [told[i] if c == draws.KEPT and i < len(told) else c for i, c in enumerate(cards)]
    r.named[place] = bytes(kept) + told[len(cards) :]
    draws.lay(r)
    _again(m, place, out)
    now = _nets(m)
    back = {str(key[0]) for key in nets if nets[key] < 0 <= now.get(key, -1)}
    if back:  # a dealer takes up what is lost before he books it
        out.append(("alarm", "give_back", " ".join(sorted(back)), ""))


def hands(m, place):
    """Return the round a hand of which is named: until it is booked; every hand that contests a
    pot until that is awarded."""
    r = open_round(m)
    if r.kind() in ("settle", "pot") and _contests(m, place):
        return r
    return open_hands(m, place)


def _contests(m, place):
    """True for a hand that a pot may go to: that is not booked with its other wagers."""
    return m.game.POT and place in m.r.seats and m.r.status[place] == IN


def _nets(m):
    """Return what every seat that waits to be settled gains or loses, as its cards lie now."""
    r = m.r
    found = list(r.lines) if r.paying else []
    whole = r.kind() == "settle" and not (r.short or r.owed or draws.unknown(r, DEALER))
    for seat in r.order[r.turn :] if whole else ():
        if not (r.status[seat] == VOID or r.booked[seat] or name_due(m, seat)):
            found += [] if discard_due(m, seat) else payout.worked_out(m, seat)
    return {(ln.seat, ln.wager): ln.net for ln in found}


def _secret(m, place, cards):
    """True for cards a shoe reads that were not turned yet: any answer would tell of them."""
    r = m.r
    now = due(m)
    if r.dealing == "hand" or not m.cfg["card_reader"]:
        return False  # whoever names them typed them, or nobody has read them
    if now.kind == "name" and now.places[0] == place:
        return False
    seen = r.visible[place]
    return any([c != draws.KEPT and not seen >> i & 1 for i, c in enumerate(cards)])


def _check(m, place, cards):
    r = m.r
    if not cards or len(cards) > len(r.cards[place]):
        raise Refused("count_there", place, len(r.cards[place]))
    for i, c in enumerate(cards):
        if c == draws.KEPT:
            continue
        if c >= DECK:
            raise Refused("bad_card", c)
        if c in list(cards[:i]):
            raise Refused("named_twice", c)
        where = _where(r, c)
        if where not in (None, place) and not _doubtful(r, c):
            booked = where in r.seats and r.booked[where] and not _contests(m, where)
            if not (booked and m.has_key(ATTENDANT)):
                raise Refused("lies_elsewhere", c, where)


def _where(r, c):
    for place, lie in enumerate(r.cards):
        if c in list(lie):
            return place
    return None


def _doubtful(r, c):
    """True when that card is only believed to lie elsewhere: nobody has seen it there."""
    return c not in r.discarded and not draws.shown(r, c)


def _steal(r, cards):
    """A card that lies here does not lie where it was said to: that one is named later."""
    for other, said in enumerate(r.named):
        if said:
            r.named[other] = bytes([UNKNOWN if c in list(cards) else c for c in said])
    for i in range(len(r.read)):
        if r.read[i] in list(cards) and r.read[i] in r.held:
            r.read[i] = UNKNOWN


def _again(m, place, out):
    """Settle again what waits to be booked, from what lies there."""
    r = m.r
    for seat in r.seats:
        if r.tapped[seat] and not m.game.triggers(r, seat):
            r.tapped[seat] = 0
    if place in r.seats and r.discarded[place] not in list(r.cards[place]):
        r.discarded[place] = None
    if place in r.seats:
        m.game.named(r, place)
    out.append(("note", "named", place))
    if r.owed:
        resume(m, out)
    elif r.kind() == "settle" or r.paying:
        payout.present(m, r.paying or r.order[r.turn], out)
    elif r.kind() == "pot":
        payout.enter_pot(m, out)
    else:
        resume(m, out)


HANDLERS = {"NAMED": name}
