"""What NEXT would book: worked out from the felt, shown, and only then made into events.

A proposal is a value: the events in order, and what keeps them from being booked. The application
keeps the one that is on the screen and books nothing else.
"""

from felt import cards
from felt.cards import UNKNOWN
from felt.dealer import desk as _desk
from felt.dealer.commands import answer
from felt.games.common import BOARD, FOLDED, UP, VOID
from felt.round import betting, draws, events, play, procedures
from felt.round.due import Due, discard_due, due, tap_due
from felt.round.state import Refused

LOCK = "lock"  # the table's own word: it adds what only it knows


class Proposal:
    """What is due, the events NEXT stands for, and a refusal where something is missing."""

    def __init__(self, now, booked=(), wrong=None):
        self.now = now
        self.events = () if wrong else tuple(booked)
        self.wrong = wrong


def wanted(m, desk):
    """Return what is due; before it come the cards the floor names over what was read (G7b)."""
    place = desk.names
    if place is None or m.r is None:
        return due(m)
    seat = place if place in m.r.seats else 0
    return Due("name", seat, (), bytes([place]), (_upto(m, place),))


def _upto(m, place):
    """Return how many cards of a place are named anew: those that were seen or are turned now,
    all where none was. What lies face down before or behind them stays untold."""
    r, now = m.r, due(m)
    held = len(r.cards[place])
    seen = max([0] + [i + 1 for i in range(held) if r.visible[place] >> i & 1])
    if place == BOARD and now.kind == "show":
        seen += now.amounts[0]
    return seen or held


def propose(m, desk, every):
    """Return what NEXT would book now; every: all seats' lines can be seen, not only one's."""
    now = wanted(m, desk)
    make = MAKERS.get(now.kind, _nod)
    try:
        return Proposal(now, make(m, desk, now, every))
    except Refused as e:
        return Proposal(now, (), e)


def _bets(m, desk, now, every):
    """Every seat whose amounts are not entered yet, then no more bets."""
    out = []
    bets = [None] * len(m.bets)
    seats = list(range(1, m.cfg["seats"] + 1))
    for seat in [desk.seat] * bool(desk.seat) + seats:  # what is wrong with the chosen one first
        amounts = _desk.wagers(m, desk, seat)
        if any([cents != 0 for cents in amounts]):
            wrong = _desk.wrong_with(m, seat, amounts, _ask(desk, seat, amounts, every))
            if wrong:
                raise wrong
            bets[seat] = amounts
    for seat in seats:
        if bets[seat] != m.bets[seat]:
            out.append(events.bet(seat, bets[seat]))
    if sum([1 for each in bets if each]) < m.game.MIN_PLAYERS:
        raise Refused("players", m.game.MIN_PLAYERS)
    wrong = m.game.check_table(bets)
    if wrong:
        raise Refused(wrong[2], wrong[0], wrong[1])
    betting.check_devices(m)
    _desk.need_shoe(m, desk.shoe)
    if desk.generator:
        _desk.need_generator(m, bets, desk.generator)
    return out + [LOCK]


def _ask(desk, seat, amounts, every):
    """Return the question for an amount nobody knows: on glass it names what to touch first."""
    if not every or (seat == desk.seat and _desk.unknown(amounts) == desk.spot):
        return "amount"
    return "touch_amount" if seat != desk.seat else "touch_spot"


def decisions(m, desk):
    """Return (seat, action or None) of every seat that has still to decide in this stage."""
    r = m.r
    return [(seat, _desk.decision(m, desk, seat)) for seat in r.order[r.turn :]]


def asked(desk, wrong):
    """Return the seat a touched decision is for: the chosen one, else the first nobody knows."""
    return desk.seat or (wrong.about[0] if wrong else 0)


def _decide(m, desk, now, every):
    out = []
    told = decisions(m, desk)
    for seat, action in told:
        if action is None:
            raise _desk.undecided(m, desk, seat)
        if not m.accept:
            _desk.need_size(m, desk, seat, action, now.choices)
        pays = m.game.decision(action).pays
        if pays and draws.unknown(m.r, seat):
            raise Refused("name_first", seat)
        out.append(events.pack("ACT", seat, m.game.ACTIONS.index(action), events.NO_CARD))
        if pays and len(out) < len(told):
            return out  # it is paid before anybody else decides
    play.check_raises(m, dict(told), now.choices)
    return out


def lines_of(m, seat):
    """Return the lines of a seat that move chips at settlement; a fold's are taken already."""
    r = m.r
    if r.status[seat] == VOID or r.booked[seat] or discard_due(m, seat):
        return ()
    if not known(r, seat):
        return ()
    taken = m.game.fold_takes(m.cfg) if r.status[seat] == FOLDED else ()
    return [ln for ln in m.game.settle(r, seat) if ln.wager not in taken]


def known(r, seat):
    """True when every card a hand is paid on was read or named: only then its lines are known.

    An instant winner is paid on its own cards."""
    places = (seat,) if r.paying else (seat, BOARD)
    return not any([draws.unknown(r, place) for place in places])


def to_settle(m):
    """Return the seats whose chips are still to be moved, in their order."""
    r = m.r
    if r is not None and r.paying:
        return [r.paying]
    if r is None or r.kind() != "settle":
        return []
    return [s for s in r.order[r.turn :] if r.status[s] != VOID and not r.booked[s]]


def turned(m):
    """Return the seat whose hand the dealer turns next to see its discard, or 0."""
    for seat in to_settle(m):
        if discard_due(m, seat):
            return seat if known(m.r, seat) else 0
    return 0


def unnamed(m, desk, now):
    """Return which cards of the place are to be named: all that were not both read and seen.

    One that was read and still lies face down is among them: the screen must not tell it.
    Where what was read is wrong, all are.
    """
    r, place = m.r, now.places[0]
    seen, lie, first = r.visible[place], r.cards[place], range(now.amounts[0])
    if desk.names is None:
        return [i for i in first if lie[i] == UNKNOWN or not seen >> i & 1]
    return [i for i in first if place == BOARD or not seen or seen >> i & 1]


def to_touch(m, desk, now):
    """Return how many cards are to be touched by rank and suit: those nobody else can tell."""
    if now.kind == "name":
        return len(unnamed(m, desk, now))
    return int(_desk.unread(m, desk, now) and now.places[0] & UP > 0)


def _deal(m, desk, now, every):
    """What no shoe tells: face-down cards lie there, one face up is the card that was touched."""
    if not _desk.unread(m, desk, now):
        return []
    if not now.places[0] & UP:
        return [events.pack("DEALT")]
    if not every:
        return []
    if len(desk.typed) != 2:
        raise Refused("touch_cards")
    return [events.pack("CARD", cards.parse(desk.typed))]


def _name(m, desk, now, every):
    """The cards as they were touched; those that were read keep their place, in any order."""
    if not every:
        return []
    asked = unnamed(m, desk, now)
    if len(desk.typed) != 2 * len(asked):
        raise Refused("touch_cards")
    lie = list(m.r.cards[now.places[0]][: now.amounts[0]])
    read, touched = [lie[i] for i in asked], list(cards.parse_all(desk.typed))
    new = [c for c in touched if c not in read]
    for i in range(len(lie)):
        if i not in asked and not m.r.visible[now.places[0]] >> i & 1:
            lie[i] = draws.KEPT
    for i in asked:
        if lie[i] not in touched:
            lie[i] = new.pop(0)
    return [events.pack("NAMED", now.places[0], bytes(lie))]


def _settle(m, desk, now, every):
    """The seats whose chips have moved as asked; a tap that is due ends the row."""
    out = []
    for seat in to_settle(m):
        if discard_due(m, seat) or not known(m.r, seat):
            break
        if tap_due(m, seat):
            return out + _tap(m, seat)
        lines = lines_of(m, seat)
        if not lines and seat != now.seat:
            continue  # the machine books it by itself
        if out and not (every and _desk.moved(m, desk, seat, lines)):
            break
        out.append(events.pack("PAID", seat))
    return out


def _tap(m, seat):
    """The tap; a folded seat with no other chips to move is settled by it."""
    moves = m.r.booked[seat] or lines_of(m, seat)
    return [events.pack("TAP", seat)] + ([] if moves else [events.pack("PAID", seat)])


def _check(m, desk, now, every):
    step = m.steps[m.step_at]
    if desk.typed:
        return [procedures.said(step, min(255, int(desk.typed)))]
    return [procedures.said(step, procedures.unsaid(m, step))]


def recount(m, now):
    """True while a stub that was counted wrong may be counted again: until the deck leaves."""
    return now.kind == "collect" and m.r.stub_counted == 2


def stub_voids(m, desk, now):
    """True for a number that voids the round, and for which nothing more is asked."""
    if now.kind != "stub" or not desk.typed or int(desk.typed) == cards.DECK - m.r.dealt:
        return False
    return m.cfg["void_key"] == "none" or m.has_key(events.ATTENDANT)


def _stub(m, desk, now, every):
    if not desk.typed:
        raise Refused("number")
    return [events.pack("STUB", min(255, int(desk.typed)), 0)]


def _nod(m, desk, now, every):
    """What a typed ok books, where that is all there is to say."""
    if desk.typed and recount(m, now):
        return _stub(m, desk, now, every)
    found = answer(now)
    return [found] if found else []


def _spin(m, desk, now, every):
    """The wheel, unless nothing can draw for it."""
    if desk.generator and desk.generator.fault:
        raise Refused(desk.generator.fault)
    return [answer(now)]


MAKERS = {
    "idle": lambda m, desk, now, every: [events.pack("OPEN", 2)],
    "check": _check,
    "bet": _bets,
    "deal": _deal,
    "mend": _deal,
    "decide": _decide,
    "spin": _spin,
    "stub": _stub,
    "name": _name,
    "tap": lambda m, desk, now, every: _tap(m, now.seat),
    "settle": _settle,
    "hand_pay": lambda m, desk, now, every: [events.pack("HANDPAID", now.seat)],
}
