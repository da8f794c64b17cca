"""Each mistake is one method: True when there was an occasion for it.

Then the witness knows what really happened, and the table has to end up with the same or void
the round.
"""

from __future__ import annotations


from tools.prove.witness import training
from tools.prove.witness.dealer import Dealer
from tools.prove.witness.furniture import BURN, RACK, Card, seat_place
from tools.prove.witness.judge import Differs, Player

SEAT_ALONE = ("premium", "three_card")  # a hand with too few or too many cards is void alone

TAKEN_BACK = ("check", "fold")


class Slips(Dealer):
    """What hands, keys and devices get wrong."""

    foreign = False  # a card of another deck is in this one
    seen: list[str]  # places whose down card was exposed in this round
    about_to: tuple[Player, str]  # what is decided next

    def _twice_there(self) -> bool:
        drawn = [card.name for cards in self.felt.places.values() for card in cards]
        drawn += [card.name for card in self.hand]
        return len(set(drawn)) < len(drawn)

    def _type_card(self, card: Card) -> None:
        if self.say(f"card {card.name}", refused_ok=self._twice_there()):
            self._void("a card twice")

    def _name(self, place: str) -> None:
        if self.say(self._naming(place), refused_ok=self._twice_there()):
            self._void("a card twice")

    def _void(self, why: str) -> None:
        self.why_void = self.must_void = why
        self.key(True)
        self.say("void")
        self.key(False)

    # --- mistakes of the hands

    def _unshuffled(self) -> bool:
        kind = self.table.get("shuffler", "none")
        shoe = self.c.shoe
        if self.method != "shoe" or kind == "counting" or not shoe.out or shoe.tells_loading:
            return False
        if len(self.decks) > 1 or len(shoe.inside) < 20:
            return False
        self.felt.collect()
        self.loaded = True
        self.say("ok")
        return True

    def _lost_card(self) -> bool:
        """One card has fallen off the table; the deck's count will tell."""
        deck = self.decks[self.in_use]
        if len(deck) < 52 or self.foreign:
            return False
        self._gather().pop(self.chance.randrange(52))
        return True

    def _foreign_card(self) -> bool:
        """A card of another deck has come in for one of this one."""
        deck = self.decks[self.in_use]
        if len(deck) < 52:
            return False
        deck = self._gather()
        at, like = self.chance.sample(range(52), 2)
        deck[at] = Card(deck[like].name, "green")
        self.foreign = True
        return True

    def _early(self) -> bool:
        if self.method != "shoe":
            return False
        self.hand.append(self._draw())
        self.c.settle()
        return True

    def _drawn(self) -> bool:
        """A card too early, or one too many after the last."""
        if self.method != "shoe" or self.hand:
            return False
        before = len(self.told)
        card = self._draw()
        self.c.settle()
        self._hear()
        if any("discard rack" in text for text in self.told[before:]):
            self.felt.lay(RACK, card)
        else:
            self.hand.append(card)
        return True

    def _skip(self) -> bool:
        """The next place is passed over; it is noticed as soon as its card lies elsewhere."""
        if self.method == "auto" or len(self.due) < 2 or self.stage:
            return False
        ((place, up),) = self.due[0]
        if not place.startswith("seat") or up or self.due[1][0][1]:
            return False
        lap = len(self.felt.at(place)) + 1
        self.due.pop(0)
        self._misdealt(place, f"skipped {place[5:]} {lap}", *self.due.pop(0)[0])
        return True

    def _extra(self) -> bool:
        """The seat that was just dealt to gets one more."""
        if self.method == "auto" or self.stage or not self.due or self.due[0][0][1]:
            return False
        last = self._before(self.due[0][0][0])
        if last is None or not self.felt.at(last) or self.judge.players[int(last[5:])].void:
            return False
        self._misdealt(last, f"extra {last[5:]} {len(self.felt.at(last))}", last, False)
        return True

    def _before(self, place: str) -> str | None:
        """The seat that was dealt to just before, when it was one."""
        order = [seat_place(n) for n in sorted(self.judge.players)] + ["dealer"]
        if self.lesson.button:
            order = training.around(sorted(self.judge.players), self.button)
        if place not in order or not order.index(place):
            return None
        last = order[order.index(place) - 1]
        return last if last.startswith("seat") else None

    def _misdealt(self, place: str, report: str, to: str, up: bool) -> None:
        self._deal(to, up)
        if self.look().prompt.startswith("prompt.stop"):
            self.say("ok")
        self.key(True)
        self.say(report)
        self.key(False)
        alone = self.game in SEAT_ALONE or (self.lesson.button and report.startswith("extra"))
        if not alone:
            self.why_void = self.must_void = report
            return
        player = self.judge.players[int(place[5:])]
        player.void = True
        self.felt.sweep(player.seat)
        self.sense()
        self.due = [d for d in self.due if d[0][0] != place]

    def _exposed(self) -> bool:
        if self.lesson.button:
            return self._exposed_hole()
        early = self.game in ("headsup", "ultimate") or self.stage == 0
        if self.game not in training.BANK or not early or not self.felt.at("dealer"):
            return False
        if not any("ante" in p.wagers and not p.out for p in self.judge.players.values()):
            return False  # it harms nobody any more
        self.key(True)
        self.say("exposed dealer")
        self.key(False)
        self.why_void = self.must_void = "dealer's card exposed"
        return True

    def _exposed_hole(self) -> bool:
        """A down card is seen as it is dealt: the third one comes face down instead."""
        if self.method == "auto" or self.stage or not self.due:
            return False
        last = self._before(self.due[0][0][0])
        if last is None or last in self.seen or not 0 < len(self.felt.at(last)) < 3:
            return False
        if self.judge.players[int(last[5:])].void:
            return False
        self.seen.append(last)
        self.felt.turn(last, len(self.felt.at(last)) - 1)
        self.say(f"exposed {last[5:]}")
        self.due = [((d[0][0], False),) if d[0][0] == last else d for d in self.due]
        return True

    def _no_burn(self) -> bool:
        """The burn is passed over; after the betting two are burnt, where any comes."""
        if self.method == "auto" or len(self.due) < 2 or self.due[0][0][0] != BURN or self.hand:
            return False
        if self.due[1][0][0] == BURN:
            return False
        self.due.pop(0)
        if self.chance.random() < 0.5:  # it is noticed when the card lies at a hand
            self._deal(*self.due.pop(0)[0])
            if self.look().prompt.startswith("prompt.stop"):
                self.say("ok")
        self.say("noburn")
        self.burns_owed = 1
        return True

    def _button(self) -> bool:
        """The button still lies where it lay: play goes on as if it had been moved."""
        return self.lesson.button and not self.say("button")

    # --- mistakes at the keys

    def _pressed_twice(self) -> bool:
        self.press_again = True
        return True

    def _twice(self) -> bool:
        return bool(self.say("nmb", refused_ok=True))

    def _wrong_seat(self) -> bool:
        if len(self.deciding) < 2:
            return False
        return bool(self.say(f"{self.deciding[1]} fold", refused_ok=True))

    def _undone(self) -> bool:
        """An entry taken back at once."""
        screen = self.look()
        if screen.prompt != "prompt.decide" or self.hand:
            return False
        stage = max(self.decision + (not self.deciding), 0)
        words = [w for w in training.choices(self.game, self.table, stage) if w in TAKEN_BACK]
        if not words:
            return False
        word = words[0]
        self.say(f"{screen.about[0]} {word}")
        self.say("undo")
        if self.look().about[:1] != screen.about[:1]:
            raise Differs("undo did not give the decision back")
        return True

    def _other_chips(self) -> bool:
        """Chips and entry differ when the last seat has decided: it is not taken."""
        p, action = self.about_to
        spot = self.lesson.raises[min(self.decision, len(self.lesson.raises) - 1)]
        if self.deciding or action == "instant":
            return False
        if not training.raised(self.game, self.table, action, 1):
            self.felt.put(p.seat, spot, 500)
        self.sense()
        if not self.say(f"{p.seat} {action}", refused_ok=True):
            raise Differs(f"{action} was taken with other chips on {spot}")
        self.felt.take(p.seat, spot)
        self.sense()
        return True

    def _late_chip(self) -> bool:
        free = [s for s in range(1, self.lesson.seats + 1) if s not in self.judge.players]
        if not free:
            return False
        before = len(self.told)
        self.felt.put(free[0], "ante", 500)
        self.sense()
        self.c.settle()
        self._hear()
        if not any("LATE" in text for text in self.told[before:]):
            raise Differs("a late bet was not noticed")
        self.felt.take(free[0], "ante")
        self.sense()
        return True

    def _withdrawn(self) -> bool:
        """A player takes his ante up and is told to put it back."""
        for p in self.judge.players.values():
            if not p.out and "ante" in p.wagers and (p.seat, "ante") in self.felt.chips:
                break
        else:
            return False
        before = len(self.told)
        chips = self.felt.take(p.seat, "ante")
        self.sense()
        self.c.settle()
        self._hear()
        if not any("WITHDRAWN" in text for text in self.told[before:]):
            raise Differs("chips taken up were not noticed")
        self.felt.put(p.seat, "ante", chips)
        self.sense()
        return True

    # --- devices

    def _unread(self) -> bool:
        if self.method != "shoe" or self.hand:
            return False
        self.c.shoe.dead_eye = 1
        return True

    def _misread(self) -> bool:
        """The reader takes a card for one that lies deep in the stub."""
        if self.method != "shoe" or self.hand or self.lesson.button:
            return False
        if not self.due or self.due[0][0][1] or len(self.c.shoe.inside) < 10:
            return False
        self.c.shoe.misread = self.c.shoe.inside[-1].name
        return True

    def _face_up(self) -> bool:
        if self.method != "shoe" or self.hand or self.c.shoe.misread:
            return False
        if any(card.up for card in self.felt.at(RACK)):
            self.why_void = "two cards face up"
        self.c.shoe.inside[0].up = True
        return True

    def _jam(self) -> bool:
        """An automated shoe that jams voids the round; a manual one is cleared and goes on."""
        if self.method == "hand" or self.hand:
            return False
        if self.method == "auto":
            self.why_void = self.must_void = "jam"
        self.c.shoe.jam()
        self.c.settle()
        self.c.shoe.clear()
        self.c.shoe.mouth.clear()
        self.c.settle()
        return True

    def _unplug(self) -> bool:
        if self.method == "hand":
            return False
        self.c.unplug(3000)
        return True

    def _power(self) -> bool:
        self.c.restart()
        self.c.settle()
        return True
