"""The deck and its devices: the stub counted (G5, G11), shoe and shuffler faults (G6)."""

from felt.round import events, procedures
from felt.round.flow import open_round
from felt.round.state import Refused


def stub(m, ev, out):
    """The stub was counted face down (G5, G11)."""
    count, misdealt = ev[1], ev[2]
    r = open_round(m)
    if not r.all_dealt():
        raise Refused("still_dealing")
    if r.stub_counted:
        raise Refused("counted_already")
    if count > procedures.DECK:
        raise Refused("malformed", "STUB")
    out.append(("log", "stub", count, misdealt))
    if count == procedures.DECK - r.dealt:
        r.stub_counted = 1
        out.append(("note", "stub_right"))
        return
    out.append(("alarm", "stub_wrong", 0, ""))
    r.stub_counted = 1 if misdealt else 2  # 2: the deck leaves the table
    if not r.settling:
        _void_all(m, "stub_misdealt" if misdealt else "stub_wrong", out)


def device(m, ev, out):
    """Shoe or shuffler jammed, ran empty, was taken off or put back (G6)."""
    which, what = ev[1], ev[2]
    if which > 1 or what > events.EMPTY:
        raise Refused("malformed", "DEVICE")
    bit = 1 << which
    if what == events.ATTACHED:
        m.absent &= ~bit
        m.broken &= ~bit
    elif what == events.REMOVED:
        m.absent |= bit
        m.broken &= ~bit
    elif what == events.JAM:
        m.broken |= bit
    out.append(("log", "device", which, what))
    r = m.r
    if what == events.ATTACHED or r is None or r.void or r.settling:
        return
    stops = which == events.SHUFFLER or (r.dealing != "hand" and not r.all_dealt())
    if (
        what == events.JAM
        and (which == events.SHUFFLER or r.dealing != "hand")
        or (what in (events.REMOVED, events.EMPTY) and stops)
    ):
        _void_all(m, "jam", out)


def _void_all(m, cause, out):
    from felt.round.irregular import void_all  # loaded when something happens

    void_all(m, cause, out)


HANDLERS = {"STUB": stub, "DEVICE": device}
