"""Anything at all into a running table: no exception escapes, no law of the game is broken."""

from __future__ import annotations

import random
from typing import Any

import pytest
from felt import cards
from felt.dealer.painter import PAGES
from felt.loop import DEPTH
from felt.dealer import commands
from felt.round.due import DEALS, due
from felt.store.vault import Vault
from felt.table import Table

from host_tests.helpers.desk import Desk
from tools.prove.player import TABLES

STEPS = 2500
WORDS = (
    *dict(commands.PLAIN), *dict(commands.SEAT), *commands.VERBS, *commands.PLACES,
    *commands.DEVICES, *commands.HAPPENED, *commands.KINDS, *PAGES, "ante", "xtra", "bonus_spin",
    "play3", "fold", "check", "entropy", "misdealt", "shoe", "hand", "auto",
)  # fmt: skip
ARGUMENTS = "0 1 3 7 8 52 255 99999 5.50 $5 -1 Ah 2c Zz play3:Ah".split()


class Dealer:
    """Does mostly what the table waits for, and often enough something else."""

    def __init__(self, desk: Desk, seed: int) -> None:
        self.desk = desk
        self.dice = random.Random(seed)

    def act(self) -> None:
        chance = self.dice.random()
        if chance < 0.05:  # somebody plugs in what is unplugged
            for wire in self.desk.wires:
                wire.cut = False
        if chance < 0.75:
            self.sensible()
        elif chance < 0.86:
            self.desk.terminal.command(self.line())
        elif chance < 0.93:
            self.desk.shoe.port.send(self.dice.randbytes(self.dice.randint(1, 12)))
        else:
            self.meddle()

    def sensible(self) -> None:
        """What the table waits for."""
        m = self.desk.machine
        if m is None:
            return
        now = due(m)
        if now.kind in DEALS:
            self.deal(m, now)
        elif now.kind == "name":
            self.name(m, now.places[0])
        elif now.kind == "decide" and self.dice.random() < 0.05:
            self.turn_key()  # chips that nobody puts right keep a round for ever
            self.say("accept")
        elif now.kind == "decide":
            self.say(now.seat, self.dice.choice(now.choices))
        elif now.kind == "closed":
            self.turn_key()
            self.say("open", "pre")
        elif now.kind == "bet":
            self.bet(m)
        elif now.kind == "discard":
            laid = self.dice.choice([c for c in m.r.cards[now.seat] if c < 52] or [0])
            self.say("discard", now.seat, cards.name(laid))
        elif now.kind in ("tap", "stub", "hand_pay", "stop"):
            self.turn_key()
            answers = {"tap": f"tap {now.seat}", "hand_pay": f"handpaid {now.seat}"}
            answers |= {"stub": f"stub {52 - (m.r.dealt if m.r else 0)}"}
            answers |= {"stop": self.dice.choice(("ok", "goon", "void supervisor"))}
            self.say(answers[now.kind])
        else:
            self.say(self.dice.choice(("ok", "ok", "ok", "end", "stub 20", "reveal", "spin")))

    def turn_key(self) -> None:
        self.desk.keys[0].on = True
        self.desk.step(15)

    def deal(self, m: Any, now: Any) -> None:
        if m.dealing == "auto":
            self.automatic()
        elif m.dealing == "hand":
            self.say("card", cards.name(self.dice.randrange(52)))
        elif self.desk.shoe.draw() is None:
            self.desk.shoe.load(bytes(self.dice.sample(range(52), 52)))

    def name(self, m: Any, place: int) -> None:
        new = [c for c in range(52) if not m.r.seen[c]]
        lie = [c if c < 52 else new.pop() for c in m.r.cards[place]]
        where = {0: "dealer", 8: "board"}.get(place, place)
        self.say("hand", where, *[cards.name(c) for c in lie])

    def automatic(self) -> None:
        """An automated shoe deals by itself until it is empty: then the round cannot go on."""
        if not self.desk.shoe.inside:
            self.desk.shoe.load(bytes(self.dice.sample(range(52), 52)))
            self.turn_key()
            self.say("void supervisor")

    def bet(self, m: Any) -> None:
        """Enter wagers for two seats or more, lay the chips that go with them, then lock."""
        if sum(1 for bets in m.bets if bets) >= 2:
            for seat in range(1, 8):
                bits = sum(1 << i for i, cents in enumerate(m.bets[seat] or ()) if cents)
                self.desk.chain.bits[seat - 1] = bits
            self.desk.step(10)
            return self.say("nmb")
        stakes = [f"{wager} {self.dice.choice((1, 5, 10))}" for wager in m.game.WAGERS]
        must = [f"{wager} 5" for wager in m.game.WAGERS[: m.game.MANDATORY]]
        more = [stake for stake in stakes[len(must) :] if self.dice.random() < 0.7]
        self.say("bet", self.dice.randint(1, m.cfg["seats"]), *must, *more)

    def say(self, *words: object) -> None:
        self.desk.terminal.command(" ".join(map(str, words)))

    def line(self) -> str:
        if self.dice.random() < 0.2:
            return self.dice.randbytes(self.dice.randint(0, 80)).decode("latin-1")[:60]
        words = self.dice.choices(WORDS, k=self.dice.randint(1, 4))
        for i in range(1, len(words)):
            if self.dice.random() < 0.6:
                words[i] = self.dice.choice(ARGUMENTS)
        return " ".join(words)

    def meddle(self) -> None:
        desk, what = self.desk, self.dice.randrange(7)
        if what == 0:
            desk.keys[self.dice.randrange(2)].on = self.dice.random() < 0.7
        elif what == 1:
            desk.chain.bits[self.dice.randrange(7)] ^= 1 << self.dice.randrange(8)
        elif what == 2:
            desk.wires[self.dice.randrange(2)].cut = self.dice.random() < 0.2
        elif what == 3:
            desk.noise.stuck = self.dice.choice((None, None, 1))
        elif what == 4:
            desk.shoe.draw(face_up=True)
        elif what == 5:
            desk.wires[self.dice.randrange(2)].b.write(self.dice.randbytes(40))
        else:
            desk.shoe.clear_jam()
            desk.shoe.attached = True


def again(desk: Desk) -> Table:
    table = Table(desk.settings, Vault(desk.memory))
    table.start(1)
    return table


@pytest.mark.parametrize("index", range(len(TABLES)))
def test_a_table_under_random_hands_keeps_every_law(index: int) -> None:
    desk = Desk(TABLES[index], index)
    dealer = Dealer(desk, index)
    desk.open()
    opened = desk.table.vault.seq
    for _ in range(STEPS):
        dealer.act()
        desk.step(dealer.dice.choice((1, 4, 8, 20)))
        assert desk.app.queue.used <= DEPTH
        assert desk.table.fault is None, desk.table.detail
    found = again(desk)
    found.machine.boots = desk.machine.boots  # a start is not counted where the journal is scarce
    assert found.machine.snapshot() == desk.machine.snapshot()
    kinds = {effect[0] for effect in desk.effects}
    print(TABLES[index]["game"], desk.machine.meters.rounds, "rounds", desk.table.vault.seq)
    assert desk.table.vault.seq - opened > 100 and {"told", "over"} <= kinds
