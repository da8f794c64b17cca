"""The dealer's hands before and while the cards are dealt."""

from __future__ import annotations

import re

from tools.prove.witness import training
from tools.prove.witness.furniture import (
    BOARD,
    BURN,
    DEALER,
    RACK,
    Card,
    cut,
    new_deck,
    shuffle,
)
from tools.prove.witness.judge import Differs, Player
from tools.prove.witness.person import PACE_MS, Person
from tools.prove.witness.reading import Screen

SHARES = {"flush5": 35, "flush1": 7}  # cents of each wager that go to the meter


class Dealing(Person):
    """Opens the table, shuffles, takes bets and gives out cards as the screen asks."""

    # --- before the cards

    def do_prompt_closed_new(self, screen: Screen) -> None:
        self.say("open new")

    do_prompt_closed_closed = do_prompt_closed_new

    def do_prompt_closed_deck_removed(self, screen: Screen) -> None:
        """Only new cards open the table again."""
        if len(self.decks[self.in_use]) == 52 and not self.counted_wrong:
            raise Differs(f"a whole deck was sent away: {self.told[-3:]}")
        self.felt.collect()
        self.decks = [new_deck(back) for back in ("red", "blue")[: len(self.decks)]]
        self.since_count, self.in_use, self.counted_wrong = [0, 0], 0, False
        self.say("open new")

    def do_step_inspect(self, screen: Screen) -> None:
        self.say("ok")

    do_step_spread = do_step_view = do_step_wash = do_step_turn_up = do_step_inspect

    def do_step_verify(self, screen: Screen) -> None:
        self.key(True)
        self.say("ok")
        self.key(False)

    def do_step_shuffle(self, screen: Screen) -> None:
        """Everything of the deck that was used goes back in; the other deck comes out."""
        kind = self.table.get("shuffler", "none")
        if self._other_deck(screen, kind):
            return
        deck = self._gather()
        self.stub = shuffle(deck, self.chance)
        self.loaded = False
        if kind == "counting":
            self.c.shoe.shuffled(len(self.stub), self.in_use + 1)
            self.c.settle()
            self.since_count[self.in_use] = 0
        else:
            self.say("ok")

    def _other_deck(self, screen: Screen, kind: str) -> bool:
        """An opening goes through both decks: the one that is not dealt first is only shuffled."""
        asked = re.search(r"deck (\d)", " ".join(screen.rows))
        other = int(asked[1]) - 1 if asked else self.in_use
        if other == self.in_use:
            return False
        if kind == "counting":
            self.c.shoe.shuffled(len(self.decks[other]), other + 1)
            self.c.settle()
            self.since_count[other] = 0
        else:
            self.say("ok")
        return True

    def _gather(self) -> list[Card]:
        self.felt.collect()
        self.hand = []
        if self.c.shoe.inside:
            self.c.shoe.unload()
        self.c.shoe.mouth.clear()
        self.stub = []
        return self.decks[self.in_use]

    def do_step_cut(self, screen: Screen) -> None:
        depth = self.chance.randint(10, 42)
        self.stub = cut(self.stub, depth)
        self.say(f"done {depth}")

    def _load(self) -> None:
        if not self.loaded and self.method != "hand":
            self.c.shoe.load(self.stub)
            self.stub = []
            self.c.settle()
        self.loaded = True

    def do_prompt_bet(self, screen: Screen) -> None:
        self._load()
        if not self.judge.players:
            self._bets()
        self.say("nmb")
        for p in self.judge.players.values():
            if self.felt.take(p.seat, "bonus_spin"):
                self.meter += SHARES[self.table["bonus_spin"][:6]]
        self.sense()
        self.judge.button = self.button

    def _bets(self) -> None:
        lesson, chance = self.lesson, self.chance
        count = chance.randint(lesson.fewest, lesson.seats)
        common = chance.choice((500, 1000, 2500))
        for seat in sorted(chance.sample(range(1, lesson.seats + 1), count)):
            ante = common if self.game == "winners_pot" else chance.choice((500, 1000, 2500))
            wagers = training.wagers(self.game, self.table, chance, ante)
            self.judge.players[seat] = Player(seat, wagers)
            for spot, amount in wagers.items():
                self.felt.put(seat, spot, amount)
        self.sense()
        for p in self.judge.players.values():
            words = " ".join(f"{w} {amount // 100}" for w, amount in p.wagers.items())
            self.say(f"bet {p.seat} {words}")

    # --- cards

    def _next_delivery(self) -> training.Delivery:
        while not self.due:
            self.stage += 1
            live = sorted(s for s, p in self.judge.players.items() if not p.void)
            if self.game == "winners_pot":
                live = [s for s in live if not self.judge.players[s].folded]
            plans = training.stages(self.game, self.method, live, self.button)
            if self.stage >= len(plans):
                raise Differs("the screen asks for a card after the last")
            self.due = list(plans[self.stage])
            if self.stage and self.burns_owed:
                self.due[:0] = [((BURN, False),)]
                self.burns_owed = 0
        return self.due.pop(0)

    def do_prompt_card(self, screen: Screen) -> None:
        self._lay_hand()
        ((place, up),) = self._next_delivery()
        if screen.about[0] != place or up != (screen.prompt == "prompt.card_up"):
            raise Differs(f"the screen says {screen.rows[1]!r}, the rules say {place}, up: {up}")
        self._deal(place, up)

    do_prompt_card_up = do_prompt_card

    def _lay_hand(self) -> None:
        """Cards drawn too early are the next ones (G4)."""
        while self.hand:
            ((place, up),) = self._next_delivery()
            self.felt.lay(place, self.hand.pop(0), up)

    def _deal(self, place: str, up: bool) -> None:
        if self.method == "hand":
            card = self.stub.pop(0)
            self.felt.lay(place, card, up)
            self._type_card(card)
            return
        drawn = self._draw()
        self.felt.lay(place, drawn, up)
        self.log.append(f"  {drawn.name} to {place}")
        self.c.settle()

    def _type_card(self, card: Card) -> None:
        self.say(f"card {card.name}")

    def _draw(self) -> Card:
        """One card from the shoe; one that lies face up in it goes to the rack."""
        drawn = self.c.shoe.draw()
        if drawn is not None and drawn.up:
            self.felt.lay(RACK, drawn, True)
            self.c.settle()
            drawn = self.c.shoe.draw()
        if drawn is None:
            raise Differs("the shoe lets no card go")
        return drawn

    def do_prompt_stack(self, screen: Screen) -> None:
        self.c.settle()

    def _take_stacks(self) -> None:
        """What the automated shoe has put out goes to the place that is its turn."""
        while self.c.shoe.mouth:
            stack = self.c.shoe.mouth.pop(0)
            delivery = self._next_delivery()
            if len(stack) != len(delivery):
                raise Differs(f"a stack of {len(stack)} came, {len(delivery)} cards are due")
            for card, (place, up) in zip(stack, delivery):
                self.felt.lay(place, card, up)
            self.log.append(f"  {' '.join(c.name for c in stack)} to {delivery[0][0]}")
            self.c.settle()

    def do_prompt_show(self, screen: Screen) -> None:
        count = int(screen.about[0])
        down = [i for i, card in enumerate(self.felt.at(BOARD)) if not card.up]
        if not down:  # the last stack is still on its way
            return self.c.rest(PACE_MS)
        self.felt.turn(BOARD, down[0], count)
        self.say("ok")

    def do_prompt_reveal(self, screen: Screen) -> None:
        self.felt.turn(DEALER)
        self.say("ok")

    def do_prompt_stub(self, screen: Screen) -> None:
        """Count what is left; a count that is wrong may need the attendant."""
        self.since_count[self.in_use] = -1
        line = f"stub {len(self.stub) + len(self.c.shoe.inside)}"
        if len(self.decks[self.in_use]) == 52:
            self.say(line)
            return
        self.counted_wrong = True
        self.why_void = "a card is missing"
        self.key(True)
        self.say(line)
        self.key(False)
