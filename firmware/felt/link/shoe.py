"""The card shoe: messages on the link, and the interface any other shoe can be fitted behind.

The table knows only ShoeAdapter: neutral tuples out, a few commands in. FeltShoe is the reference,
for a shoe that speaks docs/links.md. No commercial shoe has been tested; none is claimed.
"""

from micropython import const

from felt.cards import DECK, UNKNOWN
from felt.link import port as _port

# Neutral messages: (DRAWN, card, position), (STACK, tag, position, cards),
# (FACE_UP, card, position), (JAM, code), (CLEARED,), (EMPTY,), (REMOVED,),
# (ATTACHED, cards inside), (COUNT, cards inside), (SHUFFLING,),
# (SHUFFLED, cards counted, deck), (IDENTITY, abilities, text), (LINK, state),
# (GARBLED, payload). Position counts the cards that left the shoe since its deck was shuffled or
# loaded, this one included; 0 from a shoe that does not count. The round judges whether it fits.
DRAWN = const("drawn")
STACK = const("stack")
FACE_UP = const("face_up")
JAM = const("jam")
CLEARED = const("cleared")
EMPTY = const("empty")
REMOVED = const("removed")
ATTACHED = const("attached")
COUNT = const("count")
SHUFFLING = const("shuffling")
SHUFFLED = const("shuffled")
IDENTITY = const("identity")
LINK, GARBLED = "link", "garbled"
LINK_STATES = (None, "lost", "back", "fresh")

READS, SHUFFLES, COUNTS, STACKS = 1, 2, 4, 8  # abilities

# (first byte of a payload, neutral name, bytes that follow; None for a varying number).
FROM_SHOE = (
    (68, DRAWN, 2),  # D
    (83, STACK, None),  # S
    (70, FACE_UP, 2),  # F
    (74, JAM, 1),  # J
    (75, CLEARED, 0),  # K
    (69, EMPTY, 0),  # E
    (82, REMOVED, 0),  # R
    (65, ATTACHED, 1),  # A
    (67, COUNT, 1),  # C
    (66, SHUFFLING, 0),  # B
    (80, SHUFFLED, 2),  # P
    (73, IDENTITY, None),  # I
)
HELLO, DISPENSE, ASK_COUNT, SHUFFLE = 104, 100, 99, 115  # to the shoe: h, d, c, s


def _card(card):
    return card < DECK or card == UNKNOWN


def parse(payload):
    """Return the neutral tuple for one payload from a shoe; GARBLED when it makes no sense."""
    name = size = None
    for code, named, follow in FROM_SHOE:
        if payload and payload[0] == code:
            name, size = named, follow
    body = payload[1:]
    if name == STACK:
        if len(body) > 3 and len(body) == 3 + body[2] and all([_card(c) for c in body[3:]]):
            return (STACK, body[0], body[1], body[3:])
    elif name == IDENTITY:
        if body and all([32 <= c < 127 for c in body[1:]]):
            return (IDENTITY, body[0], body[1:].decode())
    elif name and len(body) == size and (name not in (DRAWN, FACE_UP) or _card(body[0])):
        return (name,) + tuple(body)
    return (GARBLED, payload)


class ShoeAdapter:
    """What the table asks of a shoe. Commands return False when they could not be queued."""

    connected = False

    def poll(self, now):
        """Do what is due; return one neutral tuple or None. It comes again until accept()."""
        return None

    def accept(self):
        """The last tuple is journalled: let the shoe forget it."""

    def hello(self):
        """Ask for identity and count."""
        return False

    def dispense(self, cards, tag):
        """Ask for a stack of cards; tag (1..255) must differ from the last request's."""
        return False

    def count(self):
        """Ask how many cards are inside."""
        return False

    def shuffle(self):
        """Ask for a shuffle."""
        return False


class FeltShoe(ShoeAdapter):
    """A shoe that speaks docs/links.md on a UART."""

    def __init__(self, uart, session):
        self.port = _port.Port(uart, _port.CONTROLLER, _port.SHOE, session)
        self._link = None
        self._now = None
        self._given = None  # what the table holds: the same until it accepts

    @property
    def connected(self):
        return self.port.up

    def poll(self, now):
        news = self.port.poll(now)
        if news:
            self._link = (LINK, LINK_STATES[news])
        if self._given is None:
            if self._link:
                self._given, self._link = self._link, None
                return self._given
            if self._now is None and self.port.message is not None:
                self._now = parse(self.port.message)
            self._given = self._now
        return self._given

    def accept(self):
        given, self._given = self._given, None
        if given and given is self._now:
            self._now = None
            self.port.accept()

    def hello(self):
        return self.port.send(bytes([HELLO]))

    def dispense(self, cards, tag):
        return self.port.send(bytes([DISPENSE, cards, tag]))

    def count(self):
        return self.port.send(bytes([ASK_COUNT]))

    def shuffle(self):
        return self.port.send(bytes([SHUFFLE]))
