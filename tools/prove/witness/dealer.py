"""A dealer who sees backs, faces, terminal and lamps, and does what the screen asks for."""

from __future__ import annotations


from tools.prove.witness import training
from tools.prove.witness.dealing import Dealing
from tools.prove.witness.furniture import (
    BOARD,
    DEALER,
    seat_place,
)
from tools.prove.witness.judge import Differs, Player
from tools.prove.witness.reading import Screen, cents, texts

PATIENCE = 4  # times a screen may ask for the same again
STEPS = 600  # of one round
TURNING_MS = 3000


class Dealer(Dealing):
    """One table's evening. `controller` has terminal, shoe, sense, key, settle."""

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
        if action == "instant":
            self.felt.turn(seat_place(p.seat))
            self._say_turned(p.seat, f"{p.seat} instant")
        else:
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
        self._say_turned(p.seat, f"discard {p.seat} {p.discard}")

    def _say_turned(self, seat: int, entry: str) -> None:
        """An entry about a turned hand; the cards are named first where unknown."""
        if self.say(entry, refused_ok=True):
            self.key(True)
            self._name(seat_place(seat))
            self.key(False)
            self.say(entry)

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
