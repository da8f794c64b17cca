"""What the shoe and the shuffler tell, and the stacks the table asks an automated shoe for.

A shoe repeats its message until it is accepted, and cards are accepted when they are journalled:
none is lost with the power.
"""

from felt.link import shoe as shoe_link
from felt.round import decks, events, procedures
from felt.round.due import due

ALONE = 12  # calls without a shoe on its line until that is said
TAGS = 64  # requests a round may make: the next round's first tag is no tag of this one's
_SHOE_EVENTS = {
    shoe_link.JAM: events.JAM,
    shoe_link.REMOVED: events.REMOVED,
    shoe_link.ATTACHED: events.ATTACHED,
    shoe_link.CLEARED: events.ATTACHED,
    shoe_link.EMPTY: events.EMPTY,
}
_CARDS = (shoe_link.DRAWN, shoe_link.STACK, shoe_link.FACE_UP)  # kinds of the event SHOE


class Deliveries:
    """The application's part at the shoe's line."""

    def __init__(self):
        self.shoe_id = ""
        self._alone = 0  # calls without a shoe
        self._shoe_waits = False  # its message is in the queue
        self._shoe_stuck = False  # its message could not be journalled
        self._asked = 0  # the tag of the stack that was asked for

    def poll_shoe(self, now):
        """One message at a time; the shoe forgets it when it is journalled."""
        message = self.hw.shoe.poll(now)
        if message and not self._shoe_waits:
            self._shoe_waits = self.queue.put(("shoe", message))

    def _take_shoe(self, message):
        kind = message[0]
        m = self.table.machine
        if self.table.fault:
            if kind in _CARDS:  # the shoe keeps it until it can be journalled
                self._shoe_stuck = True
                return
        elif kind in _CARDS:
            if not self._cards_left(kind, message):
                return
        elif kind in _SHOE_EVENTS:
            self.submit(events.pack("HAPPENED", events.SHOE, _SHOE_EVENTS[kind]))
        elif kind in (shoe_link.SHUFFLING, shoe_link.SHUFFLED):
            self._follow_shuffler(kind, message, due(m))
        elif kind == shoe_link.IDENTITY:
            self.shoe_id = message[2]
        elif kind == shoe_link.LINK:
            lost = message[1] == "lost"
            self.hw.terminal.notice(self.texts.get("notice.shoe_" + message[1]), lost)
            self.table.note("link", 0, shoe_link.LINK_STATES.index(message[1]))
            if message[1] == "fresh":
                self.hw.shoe.hello()
        elif kind == shoe_link.GARBLED:
            self.alarm(self.texts.get("notice.garbled"))
        self.hw.shoe.accept()
        self._shoe_waits = False

    def _follow_shuffler(self, kind, message, now):
        """Cards in the shuffler are collected; a shuffle it reports is done."""
        if kind == shoe_link.SHUFFLING:
            if now.kind == "collect":
                self.submit(events.pack("END"))
        elif now.choices != (procedures.STEPS[procedures.SHUFFLE],):
            self.submit(events.pack("COUNTED", message[1], message[2]))
        elif self._right_deck(self.table.machine, message[2]):
            self.submit(events.pack("SHUFFLED", message[1]))
        else:
            self.submit(events.pack("COUNTED", message[1], message[2]))

    def _right_deck(self, m, told):
        """Compare the deck a shuffler names with the one whose turn it is (G12)."""
        wanted = decks.in_hand(m) + 1
        if not told or procedures.decks(m) == 1 or told == wanted:
            return True
        self.alarm(self.texts.get("notice.other_deck", wanted, told))
        return False

    def _cards_left(self, kind, message):
        """Journal cards that left the shoe; until that is done the shoe may not forget them."""
        cards = message[3] if kind == shoe_link.STACK else bytes(message[1:2])
        event = events.pack("SHOE", _CARDS.index(kind), message[2], cards)
        self._shoe_stuck = not self.submit(event)
        return not self._shoe_stuck

    def _miss_shoe(self, m):
        """Say once that a table which deals from a shoe has none on its line."""
        if m is None or m.dealing == "hand" or self.hw.shoe.connected:
            self._alone = 0
            return
        self._alone += 1
        if self._alone == ALONE:
            self.alarm(self.texts.get("refused.no_shoe"))

    def _dispense(self):
        """Ask the automated shoe for the stack that is due, once."""
        m = self.table.machine
        now = due(m) if m and m.r and m.dealing == "auto" else None
        if now is None or now.kind != "deal":
            self._asked = 0
            return
        tag = (m.round_no * TAGS + m.r.dealt) % 255 + 1
        if tag != self._asked and self.hw.shoe.connected:
            if self.hw.shoe.dispense(len(now.places), tag):
                self._asked = tag
