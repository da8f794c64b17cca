"""Shoe, shuffler and terminal at the other end of the wires, by docs/links.md."""

from __future__ import annotations

from typing import Any

from felt.link.port import CONTROLLER, FRESH, SHOE, TERMINAL, Port

from tools.prove.witness.furniture import NAMES, Card

UNREAD = 255
READS, SHUFFLES, COUNTS, STACKS = 1, 2, 4, 8


def owes(port: Any) -> bool:
    """An end of a link that has something to say at once."""
    return bool(port._reply) or port.pending > 0 and port._sent is None


class Shoe:
    """Cards inside, a reader at its mouth, a count of those that left it since it was loaded."""

    def __init__(self, uart: Any, session: int, abilities: int, tells_loading: bool) -> None:
        self.port = Port(uart, SHOE, CONTROLLER, session, keep=True)
        self.abilities = abilities
        self.tells_loading = tells_loading  # by `R` and `A`; many shoes cannot
        self.inside: list[Card] = []
        self.out = 0
        self.mouth: list[list[Card]] = []  # stacks dispensed and not yet taken
        self.jammed = False
        self.dead_eye = 0  # cards the reader will not read
        self.misread = ""  # what it takes the next card for
        self._tag = 0
        self._owed: list[bytes] = []

    def poll(self, now: int) -> bool:
        """Run the link and obey; True when something was said."""
        if self.port.poll(now) == FRESH:
            self._owed[:0] = [self._identity(), self._count()]
        heard = self.port.message is not None
        if heard:
            self._obey(bytes(self.port.message))
            self.port.accept()
        while self._owed and self.port.send(self._owed[0]):
            self._owed.pop(0)
        return heard

    @property
    def owes(self) -> bool:
        """Something to be said that is not under way."""
        return bool(self._owed) or owes(self.port)

    @property
    def quiet(self) -> bool:
        return not self._owed and not self.port.pending

    def load(self, cards: list[Card]) -> None:
        self.inside = cards
        self.out = 0
        if self.tells_loading:
            self._owed.append(b"A" + bytes([len(cards)]))

    def unload(self) -> list[Card]:
        cards, self.inside = self.inside, []
        if self.tells_loading:
            self._owed.append(b"R")
        return cards

    def draw(self) -> Card | None:
        """One card out of the mouth, read on its way."""
        if self.jammed or not self.inside:
            return None
        card = self.inside.pop(0)
        self.out += 1
        self._owed.append((b"F" if card.up else b"D") + bytes([self._read(card), self.out]))
        return card

    def shuffled(self, counted: int, deck: int) -> None:
        """The shuffler (its line is the shoe's) reports a shuffle."""
        self._owed.append(b"B")
        self._owed.append(b"P" + bytes([counted, deck]))

    def jam(self) -> None:
        self.jammed = True
        self._owed.append(b"J\x01")

    def clear(self) -> None:
        self.jammed = False
        self._owed.append(b"K")

    def _read(self, card: Card) -> int:
        if not self.abilities & READS or self.dead_eye:
            self.dead_eye = max(0, self.dead_eye - 1)
            return UNREAD
        name, self.misread = self.misread or card.name, ""
        return NAMES.index(name)

    def _identity(self) -> bytes:
        return b"I" + bytes([self.abilities]) + b"witness shoe"

    def _count(self) -> bytes:
        return b"C" + bytes([len(self.inside)])

    def _obey(self, command: bytes) -> None:
        if command[:1] == b"h":
            self._owed += [self._identity(), self._count()]
        elif command[:1] == b"c":
            self._owed.append(self._count())
        elif command[:1] == b"d" and command[2] != self._tag and not self.jammed:
            self._dispense(command[1], command[2])

    def _dispense(self, n: int, tag: int) -> None:
        self._tag = tag
        stack, self.inside = self.inside[:n], self.inside[n:]
        self.out += len(stack)
        if len(stack) < n:
            self._owed.append(b"E")
        if stack:
            self.mouth.append(stack)
            read = bytes(self._read(card) for card in stack)
            self._owed.append(b"S" + bytes([tag, self.out, len(stack)]) + read)


class Terminal:
    """The screen as the controller paints it, and the keys below it."""

    def __init__(self, uart: Any, session: int) -> None:
        self.port = Port(uart, TERMINAL, CONTROLLER, session)
        self.rows = [""] * 16
        self.heard: list[tuple[bool, str]] = []  # (alarm, text) since last asked

    def poll(self, now: int) -> bool:
        self.port.poll(now)
        heard = self.port.message is not None
        if heard:
            self._show(bytes(self.port.message))
            self.port.accept()
        return heard

    @property
    def owes(self) -> bool:
        return owes(self.port)

    def type(self, line: str) -> bool:
        return bool(self.port.send(b"L" + line.encode()))

    def _show(self, message: bytes) -> None:
        if message[:1] == b"C":
            self.rows = [""] * message[1]
        elif message[:1] == b"R":
            at = 1
            while at < len(message):
                end = at + 2 + message[at + 1]
                self.rows[message[at]] = message[at + 2 : end].decode()
                at = end
        else:
            self.heard.append((message[:1] == b"A", message[1:].decode()))
