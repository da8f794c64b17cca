"""What a dealer's hands can do with cards and shoe: deal, stack, shuffle, and every fault."""

from __future__ import annotations

import random
from typing import Any

from felt import cards
from felt.round.due import DEALS

from tools.bench import deck
from tools.peers.shoe_peer import ShoePeer
from tools.peers.terminal_peer import TerminalPeer


class ActionError(Exception):
    """What a person asked for cannot be done; the text says why."""


class ShoeHands:
    """The movements around the shoe; World gives them something to move."""

    terminal: TerminalPeer
    shoe: ShoePeer
    random: random.Random
    picture: dict[str, Any] | None
    stacked: bytes | None
    powered: bool
    pending_draws: int
    dealing_due: bool
    hand_due: bool
    _dealt_at: object

    def say(self, w: list[str]) -> None:
        raise NotImplementedError

    @property
    def due(self) -> dict[str, Any]:
        raise NotImplementedError

    def _reshuffle(self) -> bytes:
        order, self.stacked = self.stacked, None
        return order or deck.shuffled(self.random.randrange(1 << 30))

    def deal(self, w: list[str]) -> None:
        """`deal [N|due]`: the dealer pulls N cards from the shoe, or all the table asks for."""
        if w and w[0] == "due":
            self.dealing_due = True
        else:
            self.pending_draws += int(w[0]) if w else 1

    def hand(self, w: list[str]) -> None:
        """`hand [N|due]`: the dealer deals from the hand and each card is entered."""
        if w and w[0] == "due":
            self.hand_due = True
            return
        for _ in range(int(w[0]) if w else 1):
            self._hand_one()

    def _hand_one(self) -> None:
        if not self.shoe.inside:
            raise ActionError("the deck is at its end")
        self.say(["card", cards.name(self.shoe._next(1)[0])])

    def _follow(self) -> None:
        """Deal on by itself while `due` was asked for and the table wants another card."""
        due = self.due["kind"] in DEALS and self.powered
        quiet = not self.terminal.port.pending and not self.shoe.port.pending
        settled = quiet and self.picture is not self._dealt_at
        if self.dealing_due and settled:
            self.dealing_due = due and self.shoe.draw() is not None
            self._dealt_at = self.picture
        elif self.hand_due and settled:
            self.hand_due = due and self.shoe.inside > 0
            self._dealt_at = self.picture
            if self.hand_due:
                self._hand_one()

    def stack(self, w: list[str]) -> None:
        """`stack AhKd...`: these cards first, in the deck in the shoe or the next shuffle's."""
        order = deck.stacked("".join(w), self.random.randrange(1 << 30))
        if self.shoe.out == 0:
            self.shoe.load(order)
        else:
            self.stacked = order

    def shuffle(self, w: list[str]) -> None:
        """`shuffle [COUNT]`: the shoe shuffles and reports how many cards it counted."""
        self.shoe.begin_shuffle()
        self.shoe.end_shuffle(self._reshuffle(), 1, int(w[0]) if w else None)

    def shuffle_deck(self, w: list[str]) -> None:
        """The cards are shuffled by hand and put back; a shoe they go into says it was loaded."""
        if (self.picture or {}).get("dealing") == "hand":
            self.shoe.load(self._reshuffle())
        else:
            self.shoe.attach(self._reshuffle())

    def faceup(self, w: list[str]) -> None:
        if self.shoe.draw(face_up=True) is None:
            raise ActionError("the shoe lets no card go")

    def jam(self, w: list[str]) -> None:
        self.shoe.jam()

    def unjam(self, w: list[str]) -> None:
        self.shoe.clear_jam()

    def lift(self, w: list[str]) -> None:
        self.shoe.remove()

    def fit(self, w: list[str]) -> None:
        """`fit`: put the shoe on; while cards lie on the felt it holds what is left."""
        if "cards" in (self.picture or {}):
            self.shoe.put_back()
        else:
            self.shoe.attach(self._reshuffle())
