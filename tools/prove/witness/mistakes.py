"""A dealer who errs, notices, and tells the table; and devices that fail under his hands.

Each mistake is one method. It returns True when there was an occasion for it; then the witness
knows what really happened, and the table has to end up with the same or void the round.
"""

from __future__ import annotations

from typing import Any

from tools.prove.witness.slips import Slips
from tools.prove.witness.furniture import new_deck
from tools.prove.witness.judge import Player
from tools.prove.witness.reading import Screen

MISTAKES = (
    "early", "drawn", "skip", "extra", "exposed", "twice", "wrong_seat", "undone", "late_chip",
    "unread", "misread", "face_up", "jam", "unplug", "power", "unshuffled", "lost_card",
    "foreign_card", "no_burn", "button", "pressed_twice", "withdrawn", "other_chips",
)  # fmt: skip


class Erring(Slips):
    """`percent`: the chance of a mistake in a round; of a further one likewise."""

    def __init__(
        self, controller: Any, game: str, table: dict[str, Any], seed: int, percent: int = 0
    ) -> None:
        self.percent = percent
        super().__init__(controller, game, table, seed)
        self.done: dict[str, int] = {}

    def begin(self) -> None:
        super().begin()
        self.plans: list[tuple[str, int]] = []
        while self.chance.randrange(100) < self.percent:
            self.plans.append((self.chance.choice(MISTAKES), self.chance.randrange(12)))
        self.moments = 0
        self.seen = []
        if self.foreign:  # its back was seen when the cards were collected
            self.decks = [new_deck("red"), new_deck("blue")][: len(self.decks)]
            self.foreign = False

    def _err(self, *names: str) -> None:
        """Make the planned mistakes that belong to this moment."""
        self.moments += 1
        for plan in list(self.plans):
            if self.why_void:
                return
            if plan[0] in names and self.moments >= plan[1] and getattr(self, "_" + plan[0])():
                self.plans.remove(plan)
                self.done[plan[0]] = self.done.get(plan[0], 0) + 1
                self.log.append(f"  (mistake: {plan[0]})")

    # --- the moments

    def do_step_shuffle(self, screen: Screen) -> None:
        unshuffled = self.done.get("unshuffled", 0)
        self.moments = 99
        self._err("lost_card", "foreign_card")
        self._err("unshuffled")
        self.moments = 0
        if not self.done.get("unshuffled", 0) > unshuffled:
            super().do_step_shuffle(screen)

    def do_prompt_bet(self, screen: Screen) -> None:
        if not self.judge.players:
            self._load()
            self._bets()
            self.moments = 99
            self._err("early")
            self.moments = 0
            if self.look().prompt != "prompt.bet":
                return
        super().do_prompt_bet(screen)
        self.moments = 99
        self._err("twice")
        self.moments = 0

    def do_prompt_card(self, screen: Screen) -> None:
        self._err("late_chip", "withdrawn", "unread", "misread", "face_up", "unplug", "power")
        self._err("exposed", "button", "jam")
        self._lay_hand()
        self._err("skip", "extra", "no_burn")
        now = self.look()
        if now.prompt in ("prompt.card", "prompt.card_up"):
            super().do_prompt_card(now)

    do_prompt_card_up = do_prompt_card

    def do_prompt_stack(self, screen: Screen) -> None:
        self._err("jam", "power", "unplug")
        super().do_prompt_stack(screen)

    def do_prompt_decide(self, screen: Screen) -> None:
        self.moments = 99
        self._err("drawn", "wrong_seat", "undone", "late_chip", "withdrawn", "power", "jam")
        now = self.look()
        if now.prompt == "prompt.decide":
            super().do_prompt_decide(now)

    def _decide(self, p: Player, action: str) -> None:
        self.about_to = (p, action)
        self._err("other_chips")
        super()._decide(p, action)

    def do_prompt_settle(self, screen: Screen) -> None:
        self._err("drawn", "power", "pressed_twice")
        super().do_prompt_settle(self.look())

    def do_prompt_stop_unread(self, screen: Screen) -> None:
        self.say("ok")

    def do_prompt_stop_double(self, screen: Screen) -> None:
        """Misread, or really there twice: then no hand can be played."""
        self._void("a card twice") if self._twice_there() else self.say("ok")

    def do_prompt_mend(self, screen: Screen) -> None:
        self.felt.lay(screen.about[0], self._draw())
        self.c.settle()

    def do_prompt_stop_gap(self, screen: Screen) -> None:
        """A deck that was not shuffled: the round is void."""
        self.say("ok", refused_ok=True)
        self._void("not shuffled")
