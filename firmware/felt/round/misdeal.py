"""Cards dealt to the wrong place or not at all: a report moves the others too (W10, P20)."""

from felt.games.common import BOARD, BURN, DEAD, DEALER, UP, VOID
from felt.round import draws, payout
from felt.round.flow import next_stage, resume
from felt.round.irregular import open_hands, void_all, void_seat
from felt.round.opening import need_void_key
from felt.round.state import IN_PLAY, TOO_MANY, Refused


def miscount(m, ev, out):
    """A place has the wrong number of cards, and nobody knows since when."""
    place, count = ev[1], ev[2]
    r = _place(m, place)
    expected = len(r.cards[place])
    if count == expected:
        raise Refused("count_right", place, count)
    _judge(m, place, count - expected, None, out)


def misdealt(m, ev, out):
    """A place was passed over in a lap (0), or given that many cards too many."""
    place, lap, extra = ev[1], ev[2], ev[3]
    r = _place(m, place)
    at = draws.lap_of(r, place, lap)
    if at is None:
        raise Refused("no_lap", place, lap)
    _judge(m, place, extra or -1, at, out)


def _place(m, place):
    r = open_hands(m, place)
    if place not in (DEALER, BOARD) and (place not in r.seats or r.status[place] in (VOID, DEAD)):
        raise Refused("no_seat", place)
    if not r.cards[place]:
        raise Refused("no_card_there", place)
    return r


def _judge(m, place, more, at, out):
    """Seat void, dealer mended, or all void; the others play on with what they really hold."""
    r = m.r
    expected = len(r.cards[place])
    policy = m.game.miscount(r, place, expected + more, expected)
    if policy != "mend":
        need_void_key(m)
    out.append(("log", "miscount", place, expected + more))
    if policy == "seat":
        _void_hand(m, place, more, at, out)
    elif policy == "mend":
        _mend(m, at, out)
    else:
        void_all(m, policy, out)


def _void_hand(m, seat, more, at, out):
    r = m.r
    kind = r.kind()
    void_seat(m, seat, "miscount", VOID, out)
    if at is None:
        out.append(("alarm", "compare_hands", 0, ""))  # the felt wins, hand by hand (G7b)
    elif more > 0:
        draws.insert(r, at, seat, more)
    else:
        draws.remove(r, at)
    _skip_seat(m, seat, kind, out)


def _mend(m, at, out):
    """The dealer's hand lacks a card that can still be dealt in sequence (P20)."""
    r = m.r
    if at is not None:
        draws.remove(r, at)
    else:
        out.append(("alarm", "compare_hands", 0, ""))
        last = max([i for i, slot in enumerate(r.slots) if slot & ~UP == DEALER])
        r.slots = r.slots[:last] + r.slots[last + 1 :]
        drawn = max([i for i, fate in enumerate(r.fate) if fate == IN_PLAY])
        r.fate[drawn] = TOO_MANY  # whichever it was, it lies nowhere
        draws.lay(r)
        draws.forget(r, DEALER)
    r.owed.append(DEALER)
    resume(m, out)


def _skip_seat(m, seat, kind, out):
    """Go on without a void seat."""
    r = m.r
    r.owed = bytearray([s for s in r.owed if s & ~UP != seat])
    if not r.live() and m.game.ALL_FOLD_ENDS and not r.settling:
        r.plan = r.plan[: r.at]
        next_stage(m, out)
    elif kind == "deal":
        r.plan = r.plan[: r.at] + [d for d in r.plan[r.at :] if d[0] & ~UP != seat]
        if r.at == len(r.plan):
            next_stage(m, out)
        else:
            resume(m, out)
    elif kind == "decide" and seat in r.order:
        _skip_turn(m, seat, out)
    elif kind == "settle" and not r.owed:
        payout.again(m, out)
    else:
        resume(m, out)


def _skip_turn(m, seat, out):
    r = m.r
    i = r.order.index(seat)
    r.order = [s for s in r.order if s != seat]
    if i < r.turn:
        r.turn -= 1
    if r.turn == len(r.order):
        next_stage(m, out)
    else:
        resume(m, out)


def burn_due(r):
    """True while a burn lies ahead, or one of this stage may be a card that went to a hand."""
    kind = r.kind()
    if kind == "deal" and r.at < len(r.plan) and r.plan[r.at] == bytes([BURN]):
        return True
    return kind in ("deal", "decide") and r.dealing != "auto" and draws.last_burn(r) is not None


def no_burn(m, ev, out):
    """The dealer failed to burn: go on, and burn two before the next card (W11).

    It is noticed before the next card, or when what should have been burnt lies at a hand.
    """
    r = open_hands(m)
    kind = r.kind()
    if not burn_due(r):
        raise Refused("no_burn_due")
    at = draws.last_burn(r)
    while r.at < len(r.plan) and r.plan[r.at] == bytes([BURN]):
        r.plan = r.plan[: r.at] + r.plan[r.at + 1 :]
    while at is not None:
        draws.remove(r, at)
        at = draws.last_burn(r)
    r.owed_burns = 1
    out.append(("log", "no_burn", 0, 0))
    if kind == "deal" and r.at == len(r.plan):
        next_stage(m, out)
    else:
        resume(m, out)


HANDLERS = {"MISCOUNT": miscount, "MISDEALT": misdealt, "NO_BURN": no_burn}
