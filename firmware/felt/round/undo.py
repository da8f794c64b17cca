"""Taking back: entries are played again without the last one.

The trail holds the entries since the last thing that cannot be taken back, the base the table
before the first of them. What sensors and keys said meanwhile stays as it is.
"""

from felt.round import events
from felt.round.due import due
from felt.round.flow import resume
from felt.round.spins import last_tap
from felt.round.state import Refused

ENTRIES = ("BET", "ACT", "TAP", "DISCARD", "REVEAL", "PAID")
SEEN = ("REVEAL", "PAID")  # what UNDO leaves alone: so older journals mean what they meant
MOST = 24  # entries that can be taken back
_ENTRIES = [events.CODES[_name] for _name in ENTRIES]
_QUIET = [events.CODES[_name] for _name in ("SENSORS", "KEY", "FAULT", "UNDO", "TAKE_BACK")]
_REVEAL = events.CODES["REVEAL"]


def base_for(m, code):
    """Return the table an entry can be taken back to, None for an event that is none."""
    if code not in _ENTRIES:
        return None
    # No decision is changed once a card was turned that was not seen when it was made.
    if m.undo and len(m.undo) < MOST and code != _REVEAL:
        return m.base
    kept = m.r.kept() if m.r else None
    return (kept, m.meters.values(), list(m.bets), bytearray(m.coupons), m.accept)


def follow(m, event, base):
    """Remember an entry that was taken; after anything else none can be taken back."""
    if event[0] in _QUIET:
        return
    if base is None or m.undo is None:  # None: its handler says that it stands
        return forget(m)
    if base is not m.base:
        forget(m)
    m.undo += (bytes(event),)
    m.base = base


def forget(m):
    """From here on nothing is taken back."""
    m.undo, m.base, m.stands = (), None, 0


def chips_moved(m, before):
    """Chips of the seat that is settled now were moved: what was booked before stands."""
    seat = due(m).seat if m.undo and m.r.settling else 0
    if seat and before[seat - 1] != m.sensors[seat - 1]:
        m.stands = max([0] + [i + 1 for i, e in enumerate(m.undo) if _entry(e)[0] in SEEN])


def _entry(event):
    """Return (name, seat or 0) of an entry."""
    name, args = events.unpack(event)
    return name, args[0] if args else 0


def undo(m, ev, out):
    """Take back the last entry; UNDO as older tables had it took a tap back over payments."""
    last = _entry(m.undo[-1]) if len(m.undo) > m.stands else None
    older = events.NAMES[ev[0]] == "UNDO"
    if last and not (older and last[0] in SEEN):
        _play_again(m, m.undo[:-1], m.stands)
    else:
        last = last_tap(m) if m.r and any(m.r.tapped) else None
        if last is None:
            raise Refused("nothing_to_undo")
        forget(m)
        m.r.tapped[last[1]] = 0
    what, seat = last
    out.append(("undone", what, seat))
    if m.r and not m.r.void:
        resume(m, out)
        if due(m).kind == "discard":
            out.append(("discard_due", due(m).seat))
    out.append(("log", "undo", events.CODES[what], seat))


def _play_again(m, trail, stands):
    late = m.r.late if m.r else None
    kept, meters, m.bets, m.coupons, m.accept = m.base
    if m.r:
        m.r.back(kept)
    m.meters.restore(meters)
    forget(m)
    typed, m.typed = m.typed, False  # they were entered, and checked, when they were
    for event in trail:
        m.step(event)
    m.typed, m.stands = typed, stands
    if m.r:
        m.r.late = late  # what sensors said since the base stays said


HANDLERS = {"UNDO": undo, "TAKE_BACK": undo}
