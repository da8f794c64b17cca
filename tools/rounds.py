"""Plays rounds: gives the event that answers what the table waits for, on every runtime.

Everybody who plays against a machine is a Rounds that chooses for itself: vectors, dice, scripts.
"""

from felt.cards import DECK
from felt.games.common import UP
from felt.round import draws, events, procedures
from felt.round.due import due
from felt.round.events import ATTENDANT, NO_CARD, pack
from felt.round.opening import REOPEN

KEY_ON = pack("KEY", ATTENDANT, 1)
KEY_OFF = pack("KEY", ATTENDANT, 0)
CUT_AT = 26  # cards lifted off by a cut
GOES_ON = ("unread", "double", "back")  # reasons of a stopped deal that a confirmation mends


class Rounds:
    """`m` is the machine, `feed(event)` steps one event; what is open to choice comes first."""

    def __init__(self, m, feed):
        self.m = m
        self.feed = feed

    identity = b""  # in force at the lock

    def cards_come(self):
        """Return how the cards come when the table is opened."""
        return procedures.NEW

    def joins(self):
        """Return the seat that bets next, or 0 when nobody does."""
        return 0

    def stakes(self, seat):
        """Return the wagers of a seat that joins."""
        raise NotImplementedError

    def card(self, place):
        """Return the card that goes to a place."""
        raise NotImplementedError

    def decision(self, now):
        """Return a seat's word and the card it names, or NO_CARD."""
        return now.choices[0], NO_CARD

    def words(self, now):
        """Return what a seat may say: it is paid at once only on cards that somebody knows."""
        known = not draws.unknown(self.m.r, now.seat)
        return [word for word in now.choices if known or not self.m.game.decision(word).pays]

    def position(self, seat):
        """Return where the wheel stops."""
        return 1

    def laid_down(self, seat):
        """Return the card of a turned hand that its seat had laid down."""
        return self.m.r.cards[seat][0]

    # --- what is due

    def answer(self):
        """Return the event that is due; a key it needs comes first."""
        now = due(self.m)
        return ANSWERS[now.kind](self, now)

    def turn(self):
        """Do what is due."""
        return self.feed(self.answer())

    def with_key(self, event):
        """Return the event, or the attendant's key where it is not on."""
        return event if self.m.has_key(ATTENDANT) else KEY_ON


def _closed(p, now):
    return pack("OPEN", p.cards_come())


def _idle(p, now):
    return pack("OPEN", REOPEN)


def _check(p, now):
    step = procedures.STEPS.index(now.choices[0])
    if step == procedures.SHUFFLE and p.m.broken >> events.SHUFFLER & 1:
        return pack("DEVICE", events.SHUFFLER, events.ATTACHED)
    done = procedures.said(step, CUT_AT if step == procedures.CUT else DECK)
    return p.with_key(done) if procedures.needs_supervisor(step) else done


def _bet(p, now):
    """Wagers, then what the lock needs, then the lock."""
    m = p.m
    seat = p.joins()
    if seat:
        return events.bet(seat, p.stakes(seat))
    wrong = m.game.check_table(m.bets)
    if wrong:
        return events.bet(wrong[0], [0] * len(m.game.WAGERS))
    if (m.absent | m.broken) >> events.SHOE & 1 and m.dealing != "hand":
        return pack("DEVICE", events.SHOE, events.ATTACHED)
    if m.dealing == "hand" and procedures.shuffler(m) == "none":
        return pack("DEVICE", events.SHUFFLER, events.ATTACHED)
    if m.cfg["sensors"] and m.sensors != covered(m):
        return pack("SENSORS", covered(m))
    return pack("LOCK", p.identity)


def covered(m):
    """Return what the sensors see when they agree with the wagers entered."""
    spots = bytearray(7)
    for seat in range(1, 8):
        for i, cents in enumerate(m.bets[seat] or ()):
            spots[seat - 1] |= bool(cents) << i
    return bytes(spots)


def _drawn(p, places, known):
    """Return a card for each place, none of them twice nor known already."""
    found = []
    for place in places:
        card = p.card(place)
        while card in found or card in known:
            card = p.card(place)
        found.append(card)
    return found


def _deal(p, now):
    cards = _drawn(p, [place & ~UP for place in now.places], [])
    return pack("STACK", bytes(cards)) if p.m.r.dealing == "auto" else pack("CARD", cards[0])


def _stop(p, now):
    if now.choices == ("said",):
        return pack("SAID")
    return pack("GO_ON") if now.choices[0] in GOES_ON else p.with_key(pack("VOID", 0))


def _name(p, now):
    place = now.places[0]
    lie = list(p.m.r.cards[place])[: now.amounts[0]]
    known = [c for c in lie if c < DECK]
    new = _drawn(p, [place] * (len(lie) - len(known)), known)
    cards = bytes([c if c < DECK else new.pop() for c in lie])
    return p.with_key(pack("NAMED", place, cards))


def _decide(p, now):
    word, card = p.decision(now)
    return pack("ACT", now.seat, p.m.game.ACTIONS.index(word), card)


def _turn(p, now):
    return pack("REVEAL")


def _stub(p, now):
    return pack("STUB", DECK - p.m.r.dealt, 0)


def _discard(p, now):
    return pack("DISCARD", now.seat, p.laid_down(now.seat))


def _tap(p, now):
    return pack("TAP", now.seat)


def _paid(p, now):
    return pack("PAID", now.seat)


def _spin(p, now):
    return pack("SPIN", now.seat, p.position(now.seat))


def _spun(p, now):
    return pack("SPUN", now.seat)


def _hand_pay(p, now):
    return p.with_key(pack("HANDPAID", now.seat))


def _end(p, now):
    return pack("END")


ANSWERS = {
    "closed": _closed,
    "idle": _idle,
    "check": _check,
    "bet": _bet,
    "deal": _deal,
    "mend": _deal,
    "stop": _stop,
    "name": _name,
    "decide": _decide,
    "show": _turn,
    "reveal": _turn,
    "stub": _stub,
    "discard": _discard,
    "tap": _tap,
    "settle": _paid,
    "pot": _paid,
    "spin": _spin,
    "spun": _spun,
    "hand_pay": _hand_pay,
    "collect": _end,
    "void": _end,
}
