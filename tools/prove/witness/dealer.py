"""A dealer who sees backs, faces, terminal and lamps, and does what the screen asks for."""

from __future__ import annotations

import random
from typing import Any

from tools.prove.oracles import premium
from tools.prove.witness import training
from tools.prove.witness.furniture import (
    BOARD,
    BURN,
    DEALER,
    RACK,
    Card,
    Felt,
    cut,
    new_deck,
    seat_place,
    shuffle,
)
from tools.prove.witness.judge import Differs, Judge, Player
from tools.prove.witness.reading import Screen, cents, find, texts

PATIENCE = 4  # times a screen may ask for the same again
STEPS = 600  # of one round
ATTENDANT = 0
PACE_MS = 500
TURNING_MS = 3000
SHARES = {"flush5": 35, "flush1": 7}  # cents of each wager that go to the meter


class Dealer:
    """One table's evening. `controller` has terminal, shoe, sense, key, settle."""

    def __init__(self, controller: Any, game: str, table: dict[str, Any], seed: int) -> None:
        self.c = controller
        self.game, self.table = game, table
        self.method = table.get("dealing", "shoe")
        self.lesson = training.GAMES[game]
        self.chance = random.Random(seed)
        self.felt = Felt()
        self.decks = [new_deck("red")]
        if table.get("second_deck"):
            self.decks.append(new_deck("blue"))
        self.in_use = 0
        self.stub: list[Card] = []  # cards not dealt, in the dealer's hand or beside the shoe
        self.button = 0
        self.seed = self.meter = premium.SEEDS.get(table.get("bonus_spin", ""), 0)
        self.since_count = [0, 0]
        self.log: list[str] = []
        self.told: list[str] = []
        self.counted_wrong = False  # a stub, so that its deck has to go
        self.press_again = False
        self.begin()

    def begin(self) -> None:
        """A new round, in the dealer's head."""
        self.judge = Judge(self.game, self.table, self.felt)
        self.due: list[training.Delivery] = []
        self.stage = -1
        self.deciding: list[int] = []
        self.decision = -1
        self.over = False
        self.void = ""
        self.order: list[int] = []
        self.booked: list[int] = []
        self.hand: list[Card] = []  # drawn, and not yet laid down
        self.burns_owed = 0
        self.must_void = ""  # what this dealer did that must void the round
        self.why_void = ""  # what this dealer did that may void the round

    # --- seeing and doing

    def look(self) -> Screen:
        self.c.settle()
        self._hear()
        return Screen(list(self.c.terminal.rows))

    def _hear(self) -> None:
        for alarm, text in self.c.terminal.heard:
            self.log.append(("! " if alarm else "* ") + text)
            self.told.append(text)
        self.c.terminal.heard.clear()

    def say(self, line: str, refused_ok: bool = False) -> str:
        """Type a line; return the refusal, which a careful dealer never meets."""
        self._hear()
        before = len(self.told)
        if line == "ok":
            self.c.rest(PACE_MS)  # nobody confirms faster on purpose
        self.log.append("> " + line)
        again, self.press_again = self.press_again and line == "ok", False
        if not self.c.terminal.type(line) or again and not self.c.terminal.type(line):
            raise Differs("the terminal takes no more lines")
        self.c.settle()
        self._hear()
        if again and texts()["notice.repeated"] not in self.told[before:]:
            raise Differs("the second of two presses was not noticed")
        for text in self.told[before:]:
            if find(text, "refused.", "command."):
                if not refused_ok:
                    raise Differs(f"{line!r} was refused: {text}")
                return text
        return ""

    def sense(self) -> None:
        """The spots feel the chips that lie on them."""
        bits = bytearray(7)
        for seat, spot in self.felt.chips:
            bits[seat - 1] |= 1 << self.lesson.spots.index(spot)
        self.c.sense(bytes(bits))

    def key(self, on: bool) -> None:
        self.c.key(ATTENDANT, on)
        self.c.settle()

    # --- one round

    def round(self) -> None:
        """Follow the screen until the cards are collected."""
        self.begin()
        last, same = "", 0
        for _ in range(STEPS):
            screen = self.look()
            self._take_stacks()
            picture = "\n".join(screen.rows)
            same = same + 1 if picture == last else 0
            last = picture
            if same > PATIENCE:
                raise Differs(f"nothing happens at {screen.rows[1]!r}; said: {self.told[-3:]}")
            handler = getattr(self, "do_" + screen.prompt.replace(".", "_"), None)
            if handler is None:
                raise Differs(f"the screen asks for {screen.rows[1]!r}")
            self.log.append(f"  [{screen.rows[1]}]")
            handler(screen)
            if self.over:
                return
        raise Differs("the round does not end")

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
        deck = self._gather()
        kind = self.table.get("shuffler", "none")
        self.stub = shuffle(deck, self.chance)
        self.loaded = False
        if kind == "counting":
            self.c.shoe.shuffled(len(self.stub), self.in_use + 1)
            self.c.settle()
            self.since_count[self.in_use] = 0
        else:
            self.say("ok")

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

    # --- decisions

    def do_prompt_decide(self, screen: Screen) -> None:
        seat = int(screen.about[0])
        while not self.deciding:
            self.decision += 1
            self.deciding = self._deciders()
        if seat != self.deciding[0]:
            raise Differs(f"the screen asks seat {seat}, seat {self.deciding[0]} comes first")
        want = training.choices(self.game, self.table, self.decision)
        self._offered(screen, want)
        self.deciding.pop(0)
        self._decide(self.judge.players[seat], self._choose(seat, want))

    def _offered(self, screen: Screen, want: tuple[str, ...]) -> None:
        """The screen names every decision a player has, and no other."""
        told = " ".join(screen.about[1:]).split()
        if sorted(told) != sorted(_word(action) for action in want):
            raise Differs(f"the screen offers {told}, the rules {want}")

    def _deciders(self) -> list[int]:
        again = self.lesson.button  # a raise asks a seat no more, but for the pot's
        live = [p.seat for p in self.judge.players.values() if again or not p.raised]
        players = self.judge.players
        live = [s for s in live if not players[s].out and "ante" in players[s].wagers]
        if self.lesson.button:
            live.sort(key=lambda n: (n - self.button - 1) % 7)
        return live

    def _choose(self, seat: int, actions: tuple[str, ...]) -> str:
        """A player looks at his cards; folding is made seldom, so that hands are settled."""
        weights = [1 if a == "fold" else 3 for a in actions]
        if "instant" in actions:
            hole = self.felt.names(seat_place(seat))
            wins = len({c[0] for c in hole}) == 1 or _run(hole)
            weights[actions.index("instant")] = 20 if wins else 0
            if self.chance.random() < 0.01:
                return "instant"
        return self.chance.choices(actions, weights)[0]

    def _decide(self, p: Player, action: str) -> None:
        chips = training.raised(self.game, self.table, action, p.wagers["ante"])
        if chips:
            self.felt.put(p.seat, *chips)
            p.raised += chips[1]
            self.sense()
        p.actions.append(action)
        self.say(f"{p.seat} {action}")
        if action == "fold":
            self._folded(p)

    def _folded(self, p: Player) -> None:
        for spot in self.lesson.spots:
            gone = training.taken(self.game, self.table)
            if spot in gone or (self.lesson.button and spot != "jacks_plus"):
                self.felt.pot += self.felt.take(p.seat, spot)
        self.sense()

    # --- settling

    def do_prompt_tap(self, screen: Screen) -> None:
        seat = int(screen.about[0])
        hole = self.felt.names(seat_place(seat))
        self.felt.turn(seat_place(seat))
        if self._correct(screen, seat):
            return
        if len({card[1] for card in hole}) != 1:
            raise Differs(f"seat {seat} is to be tapped with {hole}")
        if not self.judge.players[seat].wagers.get("bonus_spin"):
            raise Differs(f"seat {seat} is to be tapped without a wager")
        self.say(f"tap {seat}")

    def do_prompt_discard(self, screen: Screen) -> None:
        p = self.judge.players[int(screen.about[0])]
        self._in_order(p.seat)
        p.discard = self.chance.choice(self.felt.names(seat_place(p.seat)))
        self.felt.turn(seat_place(p.seat))
        if self.say(f"discard {p.seat} {p.discard}", refused_ok=True):  # the screen is wrong
            self.key(True)
            self._name(seat_place(p.seat))
            self.key(False)
            self.say(f"discard {p.seat} {p.discard}")

    def _in_order(self, seat: int) -> None:
        """Hands are exposed from the side the rules name."""
        if self.order and self.order[-1] != seat:
            later = seat < self.order[-1] if self.lesson.descending else seat > self.order[-1]
            if not later:
                raise Differs(f"seat {seat} is settled after seat {self.order[-1]}")
        self.order.append(seat)

    def do_prompt_settle(self, screen: Screen) -> None:
        seat = int(screen.about[0])
        p = self.judge.players[seat]
        if p.last != "instant":
            self._in_order(seat)
        self.felt.turn(seat_place(seat))
        if self._correct(screen, seat):
            return
        self.judge.seat(screen, seat)
        if p.judged and seat in self.booked:
            raise Differs(f"seat {seat} is settled twice")
        self.booked.append(seat)
        if self.lesson.button:
            self.felt.take(seat, "jacks_plus")
        else:
            self.felt.sweep(seat)
        self.sense()
        self.say("ok")

    def _correct(self, screen: Screen, seat: int) -> bool:
        """The felt wins: a hand the screen shows otherwise is named, with the attendant's key."""
        seen = {BOARD: screen.place("board"), DEALER: screen.place("dealer")}
        seen[seat_place(seat)] = screen.seat(seat)
        for place, shown in seen.items():
            lie = self.felt.names(place)
            wrong = [c for c in shown or () if c != "##" and c not in lie]
            if lie and wrong:
                self.key(True)
                self._name(place)
                self.key(False)
                return True
        return False

    def _name(self, place: str) -> None:
        self.say(self._naming(place))

    def _naming(self, place: str) -> str:
        return f"hand {place.removeprefix('seat ')} {' '.join(self.felt.names(place))}"

    def do_prompt_name(self, screen: Screen) -> None:
        self._name(screen.about[0])

    def do_prompt_pot(self, screen: Screen) -> None:
        self.judge.pot(screen)
        self.say("ok")

    def do_prompt_spin(self, screen: Screen) -> None:
        self.c.rest(300)  # the generator gathers
        self.say("spin")

    def do_notice_turning(self, screen: Screen) -> None:
        self.c.rest(TURNING_MS)

    def do_prompt_hand_pay(self, screen: Screen) -> None:
        seat = int(screen.about[0])
        self.judge.top(seat, cents(screen.about[1].split(":")[0]), self.meter)
        self.meter = self.seed
        self.key(True)
        self.say(f"handpaid {seat}")
        self.key(False)

    def do_prompt_spun(self, screen: Screen) -> None:
        self.judge.spin(screen, int(screen.about[0]))
        self.say("ok")

    def do_prompt_hand_paid(self, screen: Screen) -> None:
        self.say("ok")

    def do_prompt_collect(self, screen: Screen) -> None:
        if self.must_void:
            raise Differs(f"the round goes to its end after: {self.must_void}")
        self.judge.complete()
        self._finish()

    def do_prompt_void(self, screen: Screen) -> None:
        if not self.why_void:
            raise Differs(f"the round is void, and nothing was wrong: {self.told[-3:]}")
        self.judge.returned(screen, self.booked)
        self._finish()

    def _finish(self) -> None:
        self.felt.chips.clear()
        self.felt.pot = 0
        self.sense()
        self.say("ok")
        self.over = True
        self.since_count[self.in_use] += 1
        counted = self.table.get("shuffler") == "counting" or self.why_void
        if self.since_count[self.in_use] >= 5 and not counted:
            raise Differs("five rounds of this deck without a count of the stub")
        later = [s for s in sorted(self.judge.players) if s > self.button]
        self.button = later[0] if later else 0
        self.in_use = (self.in_use + 1) % len(self.decks)
        self.told = self.told[-20:]
        del self.log[:-200]


def _word(action: str) -> str:
    """A decision as the screen puts it."""
    return action[-1] + "x" if action[-1].isdigit() else texts()["does." + action]


def _run(hole: list[str]) -> bool:
    ranks = sorted("23456789TJQKA".index(c[0]) for c in hole)
    suited = len({c[1] for c in hole}) == 1
    return suited and (ranks[2] - ranks[0] == 2 and len(set(ranks)) == 3 or ranks == [0, 1, 12])
