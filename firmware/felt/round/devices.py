"""The deck and its devices: the stub counted (G5, G11), shoe and shuffler faults (G6)."""

from felt.cards import DECK
from felt.round import decks, events, procedures
from felt.round.flow import open_round
from felt.round.irregular import void_all
from felt.round.opening import need_void_key
from felt.round.state import CHECK, Refused


def stub(m, ev, out):
    """The stub was counted face down (G5, G11)."""
    count, misdealt = ev[1], ev[2]
    r = open_round(m)
    if not r.all_dealt():
        raise Refused("still_dealing")
    if r.stub_counted == 1:  # a wrong one may be counted again until the cards are collected
        raise Refused("counted_already")
    if count > DECK:
        raise Refused("malformed", "STUB")
    if count != DECK - r.dealt and not r.settling:
        need_void_key(m)
    out.append(("log", "stub", count, misdealt))
    if count == DECK - r.dealt:
        r.stub_counted = 1
        out.append(("note", "stub_right"))
        return
    out.append(("alarm", "stub_again" if r.settling else "stub_wrong", 0, ""))
    whole = misdealt and (misdealt < events.ON_FELT or count + misdealt - events.ON_FELT == DECK)
    r.stub_counted = 1 if whole else 2  # 2: the deck leaves the table
    if not r.settling:
        void_all(m, "stub_misdealt" if misdealt else "stub_wrong", out)


def happened(m, ev, out):
    """Shoe or shuffler jammed, ran empty, was taken off or put back (G6)."""
    _device(m, ev, _fails(m.r, ev[1], ev[2]), out)


def device(m, ev, out):
    """Shoe or shuffler jammed, ran empty, was taken off or put back (G6)."""
    _device(m, ev, _stops(m.r, ev[1], ev[2]), out)


def _device(m, ev, voids, out):
    which, what = ev[1], ev[2]
    if which > 1 or what > events.EMPTY:
        raise Refused("malformed", "DEVICE")
    bit = 1 << which
    if voids:
        need_void_key(m)
    if what == events.ATTACHED:
        back = which == events.SHUFFLER and m.absent & bit
        m.absent &= ~bit
        m.broken &= ~bit
        if back:
            _brings_a_deck(m, out)
    elif what == events.REMOVED:
        m.absent |= bit
        m.broken &= ~bit
    elif what == events.JAM:
        m.broken |= bit
    out.append(("log", "device", which, what))
    if voids:
        void_all(m, "jam", out)


def _brings_a_deck(m, out):
    """A shuffler comes back with cards in it: they are inspected before they are used."""
    m.absent |= decks.INSPECT
    if m.phase == CHECK and m.step_at == 0 and m.steps[0] == procedures.SHUFFLE:
        procedures.start_check(m, procedures.between_rounds(m), out)


def _fails(r, which, what):
    """True when an automated shoe fails in the round: nothing else voids it (G6).

    A shuffler's deck is shuffled by hand before it is used, and cards that a manual shoe does not
    read are named when they are turned: the live round goes on.
    """
    return which == events.SHOE and _gone(r, what) and r.dealing == "auto" and _needed(r, what)


def _stops(r, which, what):
    """Whether an event of an older journal voided its round."""
    if which == events.SHUFFLER:
        return _gone(r, what)
    return _gone(r, what) and r.dealing != "hand" and _needed(r, what)


def _gone(r, what):
    """True when a device fails while hands are played."""
    return what != events.ATTACHED and r is not None and not (r.void or r.settling)


def _needed(r, what):
    """A shoe that jams has cards in it; one that is empty or off is missed while cards are due."""
    return what == events.JAM or not r.all_dealt()


HANDLERS = {"STUB": stub, "DEVICE": device, "HAPPENED": happened}
