"""Plays settlement vectors through the round machine, event by event; runs on every runtime.

Used by certify.py; also a MicroPython program: `vector_player.py FILE` prints one line a problem.
"""

import json
import sys

from felt import cards
from felt.games.bonus_spin import TABLES
from felt.games.settings import SettingsError, game_module
from felt.round import events
from felt.round.machine import Machine
from felt.round.procedures import CUT, INSPECT, SHUFFLE, SPREAD, VERIFY, VIEW, WASH
from felt.round.state import ROUND, Refused

KEYS = ("id", "game", "table", "seats", "dealer", "community", "spins", "void", "expect")
SEAT_KEYS = ("seat", "cards", "wagers", "actions")
HOLE = {"premium": 3, "headsup": 2, "colorado": 3, "winners_pot": 5}
DEALER = {"premium": 3, "headsup": 2, "winners_pot": 5}
COMMUNITY = {"premium": 4, "headsup": 5, "colorado": 3}
# Positions are scripted in vectors, so the wheel's odds play no part; they only open the wager.
ANY_WEIGHTS = [1] * 12
_END = events.pack("END")
_KEY_ON = events.pack("KEY", events.ATTENDANT, 1)
_KEY_OFF = events.pack("KEY", events.ATTENDANT, 0)
_REVEAL = events.pack("REVEAL")
_VOID = events.pack("VOID", 0)
_tables = {}


class BadVector(Exception):
    """A vector that must not be settled, with the reason."""


def need(true, reason, *args):
    """Refuse the vector unless true."""
    if not true:
        raise BadVector(reason % args if args else reason)


def whole(value):
    """True for a real integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def check(v):
    """Refuse what is malformed before anything is played."""
    need(isinstance(v, dict), "not an object")
    for key in v:
        need(key in KEYS, "unknown key %r", key)
    need(v.get("game") in HOLE, "unknown game %r", v.get("game"))
    name = v["game"]
    for key in ("table", "seats", "expect"):
        need(key in v, "missing %r", key)
    need(isinstance(v["table"], dict), "table is not an object")
    need(isinstance(v["expect"], dict), "expect is not an object")
    need(isinstance(v.get("void", False), bool), "void is not true or false")
    need(isinstance(v["seats"], list) and v["seats"], "no seats")
    spins = v.get("spins", [])
    need(isinstance(spins, list), "spins is not a list")
    need("spins" not in v or name == "premium", "spins in a game without them")
    need(not (v.get("void") and spins), "spins in a void round")
    used = bytearray(52)
    for key, table in (("dealer", DEALER), ("community", COMMUNITY)):
        need((key in v) == (name in table), "%s in %s", key, name)
        if name in table:
            deck(v[key], table[name], used, key)
    numbers = []
    for seat in v["seats"]:
        check_seat(name, seat, used)
        need(seat["seat"] not in numbers, "seat %r twice", seat["seat"])
        numbers.append(seat["seat"])
    for key in v["expect"]:
        need(key == "jackpot" or key in [str(n) for n in numbers], "expect for %r", key)
    return used


def deck(text, count, used, where):
    """Parse cards that may appear once in the vector."""
    need(isinstance(text, str), "%s: cards are not text", where)
    try:
        ids = cards.parse_all(text)
    except ValueError as e:
        raise BadVector("%s: %s" % (where, e))
    need(len(ids) == count, "%s: %d cards, not %d", where, len(ids), count)
    for c in ids:
        need(not used[c], "%s: duplicate card %s", where, cards.name(c))
        used[c] = 1
    return ids


def check_seat(name, seat, used):
    """Refuse a malformed seat."""
    need(isinstance(seat, dict), "a seat is not an object")
    for key in seat:
        need(key in SEAT_KEYS, "unknown key %r in a seat", key)
    for key in SEAT_KEYS:
        need(key in seat, "missing %r in a seat", key)
    number = seat["seat"]
    game = game_module(name)
    need(whole(number) and 1 <= number <= game.SEATS, "no seat %r", number)
    deck(seat["cards"], HOLE[name], used, "seat %d" % number)
    need(isinstance(seat["wagers"], dict), "seat %d: wagers are not an object", number)
    for wager in seat["wagers"]:
        need(wager in game.WAGERS, "seat %d: unknown wager %r", number, wager)
        cents = seat["wagers"][wager]
        good = whole(cents) and 0 < cents < 1 << 32
        need(good, "seat %d: wrong stake %r on %s", number, cents, wager)
    need(isinstance(seat["actions"], list), "seat %d: actions are not a list", number)
    for action in seat["actions"]:
        parse_action(game, number, action)


def parse_action(game, seat, text):
    """Return (code, card or 255) of an action such as "bet:7h"."""
    need(isinstance(text, str), "seat %d: action %r", seat, text)
    at = text.find(":")
    word, card = (text, 255) if at < 0 else (text[:at], text[at + 1 :])
    need(word in game.ACTIONS, "seat %d: illegal action %r", seat, text)
    discards = game.NAME == "colorado" and word in ("bet", "stay")
    need(discards == (card != 255), "seat %d: illegal action %r", seat, text)
    if card != 255:
        try:
            card = cards.parse(card)
        except ValueError as e:
            raise BadVector("seat %d: %s" % (seat, e))
    return game.ACTIONS.index(word), card


def open_table(name, table):
    """Return a machine of this table ready for bets, opened the way a dealer does."""
    settings = {"game": name}
    game = game_module(name)
    for key in table:
        if key in ("jackpot", "button"):
            continue
        need(
            key in game.OPTIONS or key in ("dealing", "chip_unit"),
            "unknown table setting %r",
            key,
        )
        settings[key] = table[key]
    if settings.get("dealing") == "hand":
        settings["shuffler"] = "plain"
    if settings.get("bonus_spin") and "weights" not in settings:
        settings["weights"] = ANY_WEIGHTS
    key = json.dumps(sorted([(k, str(settings[k])) for k in settings]))
    if key not in _tables:
        try:
            m = Machine(settings)
        except SettingsError as e:
            raise BadVector("table setting %s: %s" % (e.name, e.why))
        m.step(_KEY_ON)
        m.step(events.pack("OPEN", 0))
        for step in (INSPECT, VERIFY, SPREAD, VIEW, WASH, SHUFFLE):
            m.step(events.pack("DONE", step, 0))
        if m.cfg["shuffler"] == "none":
            m.step(events.pack("DONE", CUT, 26))
        m.step(_KEY_OFF)
        if len(_tables) > 15:
            _tables.clear()
        _tables[key] = (m, m.dump())
    m, ready = _tables[key]
    m.load(ready)
    if "jackpot" in table:
        bonus = m.cfg.get("bonus_spin")
        need(bonus and TABLES[bonus][1], "jackpot on a table without a progressive")
        need(whole(table["jackpot"]), "jackpot %r", table["jackpot"])
        try:
            m.meters.carry(table["jackpot"])
        except ValueError as e:
            raise BadVector("jackpot: %s" % e)
    if "button" in table:
        need(name == "winners_pot", "unknown table setting 'button'")
        need(whole(table["button"]) and 0 <= table["button"] <= 6, "button %r", table["button"])
        m.button = table["button"]
    return m


def play(v, log=None):
    """Play one vector; return its results in the form of `expect`. BadVector refuses it.

    `log(event, effects)` sees everything that happens.
    """
    used = check(v)
    m = open_table(v["game"], v["table"])
    try:
        return Player(v, m, used, log).run()
    except Refused as e:
        raise BadVector("refused: %s %s" % (e.code, " ".join([str(a) for a in e.about])))


class Player:
    """Feeds one vector's events to the machine, always the one that is due."""

    def __init__(self, v, m, used, log):
        self.v = v
        self.m = m
        self.log = log
        self.burns = [c for c in range(52) if not used[c]]
        self.cards = {}
        self.actions = {}
        self.seats = sorted(v["seats"], key=lambda s: s["seat"])
        for s in self.seats:
            self.cards[s["seat"]] = list(cards.parse_all(s["cards"]))
            self.actions[s["seat"]] = list(s["actions"])
        self.cards[0] = list(cards.parse_all(v.get("dealer", "")))
        self.cards[8] = list(cards.parse_all(v.get("community", "")))
        self.spins = list(v.get("spins", []))

    def step(self, event):
        """Apply one event."""
        effects = self.m.step(event)
        if self.log:
            self.log(event, effects)

    def run(self):
        """Play to the end and collect the results."""
        m = self.m
        spots = bytearray(7)
        for s in self.seats:
            amounts = [s["wagers"].get(w, 0) for w in m.game.WAGERS]
            for i, cents in enumerate(amounts):
                spots[s["seat"] - 1] |= bool(cents) << i
            self.step(events.bet(s["seat"], amounts))
        self.step(events.pack("SENSORS", spots))
        self.step(events.pack("LOCK", b""))
        r = m.r
        while True:
            kind = r.kind()
            if self.v.get("void") and kind not in ("deal", "void"):
                self.step(_KEY_ON)
                self.step(_VOID)
                self.step(_KEY_OFF)
            elif kind in ("collect", "void"):
                break
            else:
                getattr(self, kind)(r)
        if not self.v.get("void"):
            for seat in self.actions:
                need(not self.actions[seat], "seat %d: illegal action, round is over", seat)
        need(not self.spins, "wrong number of spins: %d left over", len(self.spins))
        results = self.results(r)
        self.step(_END)
        need(m.phase != ROUND and m.meters.conserved(), "the round did not close cleanly")
        return results

    def results(self, r):
        """Return {seat: {wager: net}} and the jackpot, as a vector expects them."""
        found = {}
        for seat, wager, net in r.results:
            found.setdefault(str(seat), {})[wager] = net
        bonus = self.m.cfg.get("bonus_spin")
        if bonus and TABLES[bonus][1]:
            found["jackpot"] = self.m.meters.jackpot
        return found

    def deal(self, r):
        """Deliver what is due."""
        due = []
        for p in r.plan[r.at]:
            place = p & 127
            if place == 9:
                due.append(self.burns.pop())
            else:
                due.append(self.cards[place].pop(0))
        if r.dealing == "auto":
            self.step(events.pack("STACK", bytes(due)))
        else:
            self.step(events.pack("CARD", due[0]))

    def decide(self, r):
        """Give the seat's next action, or confirm an instant payment."""
        if r.paying:
            self.step(events.pack("PAID", r.paying))
            return
        seat = r.order[r.turn]
        need(self.actions[seat], "seat %d: no action for a decision that is due", seat)
        code, card = parse_action(self.m.game, seat, self.actions[seat].pop(0))
        self.step(events.pack("ACT", seat, code, card))

    def show(self, r):
        """Turn the board."""
        self.step(_REVEAL)

    reveal = show

    def settle(self, r):
        """Tap a spinner, then confirm the seat."""
        seat = r.order[r.turn]
        triggers = getattr(self.m.game, "triggers", None)
        if triggers and triggers(r, seat) and not r.tapped[seat]:
            self.step(events.pack("TAP", seat))
        self.step(events.pack("PAID", seat))

    def pot(self, r):
        """Confirm the pot."""
        self.step(events.pack("PAID", 0))

    def spin(self, r):
        """Spin to the scripted position."""
        seat = r.order[r.turn]
        need(self.spins, "wrong number of spins: seat %d has none", seat)
        position = self.spins.pop(0)
        need(whole(position) and 1 <= position <= 12, "wheel position %r", position)
        self.step(events.pack("SPIN", seat, position))
        if r.prize:
            self.step(_KEY_ON)
            self.step(events.pack("HANDPAID", seat))
            self.step(_KEY_OFF)
        self.step(events.pack("SPUN", seat))


def explain(v):
    """Return {(seat, wager): "rule reason"} of a vector, for a mismatch report."""
    rules = {}

    def log(event, effects):
        for e in effects:
            if e[0] in ("take", "push", "return"):
                rules[str(e[1]), e[2]] = "%s %s" % (e[4], e[5])
            elif e[0] == "pay":
                rules[str(e[1]), e[2]] = "%s %s" % (e[5], e[6])
            elif e[0] == "pot":
                rules[str(e[1]), "pot"] = "%s %s" % (e[3], e[4])

    play(v, log)
    return rules


def compare(v):
    """Return a list of problems of one vector, empty when it passes."""
    name = v.get("id") if isinstance(v, dict) else None
    need(isinstance(name, str), "no id")
    got = play(v)
    expect = v["expect"]
    problems = []
    rules = None
    for seat in sorted(set(list(got) + list(expect))):
        if got.get(seat) == expect.get(seat) or (seat == "jackpot" and seat not in expect):
            continue
        rules = rules or explain(v)
        mine, theirs = got.get(seat), expect.get(seat)
        if not isinstance(mine, dict) or not isinstance(theirs, dict):
            problems.append("%s: got %r, expected %r" % (seat, mine, theirs))
            continue
        for wager in sorted(set(list(mine) + list(theirs))):
            if mine.get(wager) != theirs.get(wager):
                rule = rules.get((seat, wager), "no rule pays it")
                problems.append(
                    "seat %s %s: got %r, expected %r (%s)"
                    % (seat, wager, mine.get(wager), theirs.get(wager), rule)
                )
    return problems


def certify(lines, say):
    """Play vectors from text lines; say(text) each problem; return (passed, failed)."""
    passed = failed = number = 0
    for text in lines:
        number += 1
        if not text.strip():
            continue
        name = "line %d" % number
        try:
            try:
                v = json.loads(text)
            except ValueError:
                raise BadVector("not JSON")
            if isinstance(v, dict) and isinstance(v.get("id"), str):
                name = v["id"]
            problems = compare(v)
        except BadVector as e:
            failed += 1
            say("REFUSED %s: %s" % (name, e))
            continue
        if problems:
            failed += 1
            for p in problems:
                say("FAIL %s: %s" % (name, p))
        else:
            passed += 1
    return passed, failed


if __name__ == "__main__":
    with open(sys.argv[1]) as f:
        print("%d passed, %d failed" % certify(f, print))
