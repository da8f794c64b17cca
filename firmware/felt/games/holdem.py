"""What the games with two hole cards and a board of five share (H10, U2)."""

from felt.games.base import Game
from felt.games.common import BOARD, DEALER, UP, rounds_of, stacks_of


class Holdem(Game):
    """A flop of three and two more cards, a decision before each and one after; raised once."""

    HOLE, DEALER_CARDS, COMMUNITY = 2, 2, 5
    STAGES = ()  # the words open at each decision to a seat that has not raised

    def script(self, dealing):
        """Return the stages of a round."""
        board = "show" if dealing == "auto" else "deal"
        return (
            ("deal", 0),
            ("decide", 0),
            (board, 3),
            ("decide", 1),
            (board, 2),
            ("decide", 2),
            ("reveal", 0),
            ("settle", 0),
        )

    def plan(self, r, arg):
        """Return the deliveries of a deal stage: an automated shoe gives the board first."""
        if arg:
            return [bytes([BOARD | UP])] * arg
        if r.dealing == "auto":
            return [bytes([BOARD] * 5)] + stacks_of(r.seats, 2, DEALER)
        return rounds_of(r.seats, 2, DEALER)

    def legal(self, r, seat, stage):
        """Return the words open to a seat."""
        return () if r.raised[seat] else self.STAGES[stage]

    def dealer_secret(self, r):
        """True until the dealer's hand is due to be revealed (H11, U8)."""
        return not (r.settling or r.kind() == "reveal")
