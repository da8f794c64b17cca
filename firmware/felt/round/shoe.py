"""What the shoe reports: no card is swallowed. One that does not fit stops the deal and asks (G4).

Every report is taken and journalled, whatever it says, so that the shoe may forget it.
"""

from felt.cards import DECK, UNKNOWN
from felt.round import draws
from felt.round.due import due
from felt.round.play import take
from felt.round.procedures import between_rounds, start_check
from felt.round.state import BET, FACE_UP, TOO_MANY, Refused

DRAWN, STACKED, UP = 0, 1, 2  # kinds of a report
EARLY_MOST = 8


def shoe(m, ev, out):
    """Cards left the shoe: kind, position of the last one (0: not counted), cards."""
    if len(ev) < 4 or ev[1] > UP:
        raise Refused("malformed", "SHOE")
    report = (ev[1], ev[2], bytes(ev[3:]))
    wrong = any([DECK <= c < UNKNOWN for c in report[2]])
    if wrong or 0 < ev[2] < len(report[2]) or (ev[1] != STACKED and len(report[2]) > 1):
        raise Refused("malformed", "SHOE")
    r = m.r
    if r is None:
        return _between(m, report, out)
    many = 1 if r.dealing == "auto" else len(report[2])
    if r.void or r.dealt + many > DECK + EARLY_MOST or len(r.stopped) + many > EARLY_MOST:
        raise Refused("no_card_due")  # the shoe keeps it: it is told again when that has changed
    elif r.stopped:
        r.stopped.append(report)
        out.append(("alarm", "stopped", 0, ""))
    elif ev[1] == STACKED and r.dealing != "auto":  # one by one, as they left it
        for i, c in enumerate(report[2]):
            position = report[1] and report[1] - len(report[2]) + 1 + i
            shoe(m, ev[:1] + bytes([DRAWN, position, c]), out)
    else:
        _judge(m, report, out)


def _between(m, report, out):
    """Before "No more bets" a card is held as the next one; it must be the deck's first."""
    kind, position, cards = report
    out.append(("log", "astray", len(cards), position))
    fits = position in (0, len(m.early) + len(cards))
    if m.phase != BET:
        out.append(("alarm", "astray", 0, ""))
    elif not fits and bytes(m.early[-len(cards) :]) == cards and position == len(m.early):
        pass  # told again after a restart
    elif not fits or kind == UP or len(m.early) + len(cards) > EARLY_MOST:
        out.append(("alarm", "not_shuffled", len(m.early) + 1, str(position)))
        start_check(m, between_rounds(m), out)
    else:
        m.early += cards
        out.append(("alarm", "drawn_in_error", 0, ""))


def begin(m, out):
    """The round is open: cards drawn before are its first ones."""
    cards, m.early = m.early, b""
    for i in range(len(cards)):
        _judge(m, (DRAWN, i + 1, cards[i : i + 1]), out)


def _judge(m, report, out):
    """Take a report that fits; stop at one that does not."""
    r = m.r
    kind, position, cards = report
    first = position - r.base - len(cards) + 1
    told = bytes(r.raw[max(0, first - 1) :][: len(cards)])
    if position and first > 0 and told == cards:
        return  # told again after a restart of either end
    if position and first > 0 and told == bytes([UNKNOWN] * len(cards)):
        out.append(("alarm", "told_late", position, ""))  # a person has said that it lies there
        return
    if r.all_dealt() and not r.owed:
        _too_many(m, cards, kind, out)
        return
    why = _odd(m, report, first)
    if why is None:
        _accept(m, report, out)
    elif r.dealing == "auto" and why[0] in ("gap", "size", "back"):
        out.append(("alarm", "shoe_failed", why[1], str(why[2])))
        out.append(("log", "stopped", why[1], why[2]))
        m.broken |= 1  # cleared, removed or attached again before the next round (G6)
        from felt.round.irregular import void_all  # loaded when something happens

        void_all(m, "jam", out)
    else:
        r.stopped.append(report)
        r.why = why
        what = "said" if draws.entered(r) else why[0]
        out.append(("alarm", "stop." + what, why[1], str(why[2])))
        out.append(("log", "stopped", why[1], why[2]))


def _odd(m, report, first):
    """Return (what, expected, got) of a report that does not fit, or None."""
    r = m.r
    kind, position, cards = report
    if r.recut:
        return ("cut", 0, 0)
    if position and first != r.dealt + 1:
        return ("gap" if first > r.dealt else "back", r.dealt + 1, first & 255)
    now = due(m)
    if r.dealing == "auto" and kind != UP and len(cards) != len(now.places):
        return ("size", len(now.places), len(cards))
    for i, c in enumerate(cards):
        if c == UNKNOWN and m.cfg["card_reader"]:
            return ("unread", r.dealt + 1 + i, 0)
        if c < DECK and (r.seen[c] or c in list(cards[:i])):
            return ("double", r.dealt + 1 + i, 0)  # which one is nobody's business yet
    return None


def _accept(m, report, out):
    r = m.r
    kind, _, cards = report
    if kind == UP:
        draws.push(r, cards[0], FACE_UP)
        out.append(("log", "face_up", cards[0], 0))
        from felt.round.irregular import discard_up  # loaded when something happens

        discard_up(m, cards[0], out)
    else:
        take(m, cards, out)


def _too_many(m, cards, kind, out):
    """Nothing more is due: what comes now lies in the discard rack and is counted (W9)."""
    r = m.r
    for c in cards:
        draws.push(r, UNKNOWN if c < DECK and r.seen[c] else c, TOO_MANY)
        draws.lay(r)
    if kind == UP:
        out.append(("note", "face_up_ignored"))
    else:
        out.append(("alarm", "too_many", 0, ""))
    out.append(("log", "too_many", 0, len(cards)))


def go_on(m, ev, out):
    """The dealer says that the cards lie in their order: unread ones are named when turned."""
    r = m.r
    if r is None or not r.stopped:
        raise Refused("not_stopped")
    what, expected, got = r.why
    waiting, r.stopped, r.why = r.stopped, [], ()
    kind, position, cards = waiting[0]
    if what == "cut" or (what == "gap" and not _missed(m, got - expected, out)):
        r.stopped, r.why = waiting, (what, expected, got)
        raise Refused("cut_due" if what == "cut" else "gap_too_large", got - expected)
    if what == "back":
        r.base = position - len(cards) - r.dealt
    if kind == UP and what in ("unread", "double"):
        _accept(m, (UP, position, bytes([UNKNOWN])), out)
    elif what in ("unread", "double"):
        believed = []
        for c in cards:
            believed.append(UNKNOWN if c >= DECK or r.seen[c] or c in believed else c)
        _take(m, cards, bytes(believed), out)
    else:
        _judge(m, waiting[0], out)
    _wait_no_more(m, waiting[1:], out)


def said(m, ev, out):
    """What the shoe tells was entered by a person: it lies there, as another card or not."""
    r = m.r
    if r is None or not draws.entered(r):
        raise Refused("not_stopped")
    waiting, r.stopped, r.why = r.stopped, [], ()
    if any([c < DECK and not r.seen[c] for c in waiting[0][2]]):
        out.append(("alarm", "entered_otherwise", waiting[0][1], ""))
    _wait_no_more(m, waiting[1:], out)


def _wait_no_more(m, reports, out):
    """What the shoe told behind the report that stopped the deal."""
    r = m.r
    for report in reports:
        if r.stopped:
            r.stopped.append(report)
        elif not r.void:
            _judge(m, report, out)


def _missed(m, count, out):
    """Cards that left the shoe unread lie at the places that were due."""
    r = m.r
    left = sum([len(d) for d in r.plan[r.at :]]) if r.kind() == "deal" else 0
    if count > left + len(r.owed):
        return False
    for _ in range(count):
        take(m, bytes([UNKNOWN]), out)
    return True


def _take(m, cards, believed, out):
    """Take cards whose reading is not believed; the shoe's own report is kept beside it."""
    r = m.r
    at = r.dealt
    take(m, believed, out)
    r.raw[at : at + len(cards)] = cards


HANDLERS = {"SHOE": shoe, "GO_ON": go_on, "SAID": said}
