"""A model of a card shoe that speaks docs/links.md, for tests, the virtual table and the bench.

It shares frame and port with the firmware, holds a deck in a given order and refuses to let a card
out while its queue to the controller is full, as a real shoe must.
"""

from felt.link import port as _port
from felt.link import shoe

_CODES = {name: code for code, name, _ in shoe.FROM_SHOE}


class ShoePeer:
    """One shoe on a UART. `deck` is the order in which cards leave it."""

    def __init__(self, uart, session, deck=(), **options):
        self.abilities = options.get("abilities", 15)
        self.firmware = options.get("firmware", "felt-shoe 1.0 model")
        self.shuffler = options.get("shuffler")  # called for a new order when told to shuffle
        self.port = _port.Port(uart, _port.SHOE, _port.CONTROLLER, session, keep=True)
        self.load(deck)
        self._tag = 0
        self._owed = []  # stacks and answers to commands that wait for room in the queue
        self.jammed = False
        self.attached = True

    def load(self, deck):
        """Put a deck in without telling anybody."""
        self.deck = bytes(deck)
        self.out = 0

    @property
    def inside(self):
        return len(self.deck) - self.out

    def poll(self, now):
        """Run the link, obey commands; return the link's news."""
        news = self.port.poll(now)
        if news == _port.FRESH:
            self._owed = [self._identity(), self._count()]
        if self.port.message is not None:
            self._obey(self.port.message)
            self.port.accept()
        while self._owed and self.port.send(self._owed[0]):
            self._owed.pop(0)
        return news

    def draw(self, face_up=False):
        """Let one card out: its id, or None when there is none or the shoe is locked."""
        if self._locked() or not self.inside:
            return None
        card = self._next(1)[0]
        self._say(shoe.FACE_UP if face_up else shoe.DRAWN, self._seen(card), self.out)
        if not self.inside:
            self._owed.append(bytes([_CODES[shoe.EMPTY]]))
        return card

    def jam(self, code=1):
        self.jammed = True
        return self._say(shoe.JAM, code)

    def clear_jam(self):
        self.jammed = False
        return self._say(shoe.CLEARED)

    def remove(self):
        self.attached = False
        return self._say(shoe.REMOVED)

    def attach(self, deck):
        self.attached = True
        self.load(deck)
        return self._say(shoe.ATTACHED, len(self.deck))

    def put_back(self):
        """The same shoe is put on again with what is left in it: its count goes on."""
        self.attached = True
        return self._say(shoe.ATTACHED, self.inside)

    def begin_shuffle(self):
        return self._say(shoe.SHUFFLING)

    def end_shuffle(self, deck, colour=1, counted=None):
        """A shuffle is done: the new order, the deck's colour, the cards the shoe counted."""
        self.load(deck)
        return self._say(shoe.SHUFFLED, len(self.deck) if counted is None else counted, colour)

    def _locked(self):
        full = self.port.free < len(self._owed) + 2
        return full or self.jammed or not self.attached

    def _next(self, n):
        cards = self.deck[self.out : self.out + n]
        self.out += n
        return cards

    def _seen(self, card):
        return card if self.abilities & shoe.READS else shoe.UNKNOWN

    def _say(self, name, *fields):
        return self.port.send(bytes((_CODES[name],) + fields))

    def _identity(self):
        return bytes([_CODES[shoe.IDENTITY], self.abilities]) + self.firmware.encode()

    def _count(self):
        return bytes([_CODES[shoe.COUNT], self.inside])

    def _obey(self, command):
        if command[0] == shoe.HELLO:
            self._owed.append(self._identity())
            self._owed.append(self._count())
        elif command[0] == shoe.ASK_COUNT:
            self._owed.append(self._count())
        elif command[0] == shoe.DISPENSE and len(command) == 3:
            self._dispense(command[1], command[2])
        elif command[0] == shoe.SHUFFLE and self.shuffler:
            self._owed.append(bytes([_CODES[shoe.SHUFFLING]]))
            self.load(self.shuffler())
            self._owed.append(bytes([_CODES[shoe.SHUFFLED], len(self.deck), 1]))

    def _dispense(self, n, tag):
        if tag == self._tag or self.jammed or not self.attached:
            return
        self._tag = tag
        if n > self.inside:
            self._owed.append(bytes([_CODES[shoe.EMPTY]]))
            return
        cards = bytes([self._seen(card) for card in self._next(n)])
        self._owed.append(bytes([_CODES[shoe.STACK], tag, self.out, n]) + cards)
