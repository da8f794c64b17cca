"""Plays settlement vectors through the round machine, event by event; runs on every runtime.

certify.py reads and checks the JSON and feeds this program lines of `NUMBER JSON`, or
`NUMBER !ID: REASON` for a line it refuses itself, so that every runtime gives the same verdicts.
"""

import gc
import json
import sys

from felt import cards
from felt.games.common import BOARD, BURN, DEALER
from felt.games.settings import SettingsError, wheel_name
from felt.round import events
from felt.round.due import due
from felt.round.machine import Machine
from felt.round.procedures import CUT, INSPECT, SHUFFLE, SPREAD, VERIFY, VIEW, WASH, said
from felt.round.state import ROUND, Refused

from tools.prove.vector_check import (
    BadVector,
    check,
    check_decisions,
    need,
    parse_action,
    shown,
    whole,
)
from tools.rounds import KEY_OFF, KEY_ON, Rounds

# Positions are scripted in vectors, so the wheel's odds play no part; they only open the wager.
ANY_WEIGHTS = [1] * 12
_END = events.pack("END")
_VOID = events.pack("VOID", 0)
PARTS = ("tools/rounds", "tools/prove/vector_check", "tools/prove/vector_player")  # on a board
KEPT = 4  # open tables kept for the next vectors; more would crowd a board's heap
_tables = {}


def open_table(name, table):
    """Return a machine of this table ready for bets, opened the way a dealer does."""
    settings = {"game": name}
    for key in table:
        if key not in ("jackpot", "button"):
            settings[key] = table[key]
    if settings.get("dealing") == "hand":
        settings["shuffler"] = "plain"
    if wheel_name(settings) is not None:
        settings["weights"] = ANY_WEIGHTS
    key = repr(sorted([(k, repr(settings[k])) for k in settings]))
    if key not in _tables:
        if len(_tables) >= KEPT:
            forget()
        _tables[key] = _ready(settings)
    m, ready = _tables[key]
    m.load(ready)
    if "jackpot" in table:
        _set_jackpot(m, table["jackpot"])
    if "button" in table:
        good = whole(table["button"]) and 0 <= table["button"] <= m.game.SEATS
        need(good, "button %s", table["button"])
        m.button = table["button"]
    return m


def _ready(settings):
    for key in sorted(settings):
        need(settings[key] is not None, "table setting %s: null", key)
    try:
        m = Machine(settings)
    except SettingsError as e:
        raise BadVector("table setting %s: %s" % (e.name, e.why))
    m.step(KEY_ON)
    m.step(events.pack("OPEN", 0))
    for step in (INSPECT, VERIFY, SPREAD, VIEW, WASH, SHUFFLE):
        m.step(said(step, 0))
    if m.cfg["shuffler"] == "none":
        m.step(events.pack("DONE", CUT, 26))
    m.step(KEY_OFF)
    return m, m.dump()


def _set_jackpot(m, cents):
    need(m.meters.seed, "jackpot on a table without a progressive")
    need(whole(cents), "jackpot %s", cents)
    try:
        m.meters.carry(cents)
    except ValueError as e:
        raise BadVector("jackpot: %s" % e)


def play(v, log=None):
    """Play one vector; return its results in the form of `expect`. BadVector refuses it.

    `log(event, effects)` sees everything that happens.
    """
    used = check(v)
    m = open_table(v["game"], v["table"])
    try:
        return Player(v, m, used, log).run()
    except Refused as e:
        about = [shown(a) if not isinstance(a, tuple) else "" for a in e.about]
        raise BadVector(" ".join(["refused:", e.code] + about))


class Player(Rounds):
    """Feeds one vector's events to the machine, always the one that is due."""

    def __init__(self, v, m, used, log):
        Rounds.__init__(self, m, self.step)
        self.v = v
        self.log = log
        self.cards = {}
        self.actions = {}
        self.seats = sorted(v["seats"], key=lambda s: s["seat"])
        for s in self.seats:
            self.cards[s["seat"]] = list(cards.parse_all(s["cards"]))
            self.actions[s["seat"]] = list(s["actions"])
        self.cards[DEALER] = list(cards.parse_all(v.get("dealer", "")))
        self.cards[BOARD] = list(cards.parse_all(v.get("community", "")))
        self.cards[BURN] = [c for c in range(52) if not used[c]]
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
        if self.v.get("void"):
            check_decisions(m, self.v)
        now = due(m)
        while now.kind not in ("collect", "void"):
            if self.v.get("void") and now.kind != "deal":
                self.step(KEY_ON)
                self.step(_VOID)
                self.step(KEY_OFF)
            else:
                self.turn()
            now = due(m)
        if not self.v.get("void"):
            for seat in self.actions:
                left = self.actions[seat]
                need(not left, "seat %s: illegal action, its part is over", seat)
        need(not self.spins, "wrong number of spins: %s left over", len(self.spins))
        results = self.results(r)
        self.step(_END)
        need(m.phase != ROUND and m.meters.conserved(), "the round did not close cleanly")
        return results

    def results(self, r):
        """Return {seat: {wager: net}} and the jackpot, as a vector expects them."""
        found = {}
        for seat, wager, net in r.results:
            nets = found.setdefault(str(seat), {})
            wager = self.m.game.ADDS.get(wager, wager)
            nets[wager] = nets.get(wager, 0) + net
        if self.m.meters.seed:
            found["jackpot"] = self.m.meters.jackpot
        return found

    def card(self, place):
        """Return the next card of a place."""
        return self.cards[place].pop(0)

    def decision(self, now):
        """Give the seat's next action."""
        left = self.actions[now.seat]
        need(left, "seat %s: no action for a decision that is due", now.seat)
        code, card = parse_action(self.m.game, now.seat, left.pop(0))
        return self.m.game.ACTIONS[code], card

    def position(self, seat):
        """Spin to the scripted position."""
        need(self.spins, "wrong number of spins: seat %s has none", seat)
        return self.spins.pop(0)


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
    """Return a list of problems of one vector, empty when it passes; BadVector refuses it."""
    got = play(v)
    expect = v["expect"]
    if got == expect:
        return []
    problems = []
    if "jackpot" in expect and got.get("jackpot") != expect["jackpot"]:
        about = shown(got.get("jackpot")), shown(expect["jackpot"])
        problems.append("jackpot: got %s, expected %s (13:69F-X.11(e))" % about)
    rules = explain(v)
    for seat in sorted([s for s in got if s != "jackpot"]):
        mine, theirs = got[seat], expect[seat]
        for wager in sorted(set(list(mine) + list(theirs))):
            if mine.get(wager) != theirs.get(wager):
                problems.append(
                    "seat %s %s: got %s, expected %s (%s)"
                    % (
                        seat,
                        shown(wager),
                        shown(mine.get(wager)),
                        shown(theirs.get(wager)),
                        rules.get((seat, wager), "no rule settles it"),
                    )
                )
    return problems


def judge(text):
    """Return (passed, report lines) of one line as certify.py writes it."""
    for _ in range(2):  # again without what the first attempt had crowded out
        try:
            return _judge_line(text)
        except MemoryError:
            pass
        forget()
    return False, ["FAIL line %s: no memory for it here" % text[: text.find(" ")]]


def forget():
    """Drop open tables and the games they play: a board has room for one game, not for all.

    A PC has, and there others hold the same modules."""
    _tables.clear()
    if not hasattr(gc, "mem_free"):
        return
    package = sys.modules["felt.games"]
    for path in list(sys.modules):
        module = sys.modules[path]
        if path.startswith("felt.games.") and hasattr(module, "GAME"):
            del sys.modules[path]
            delattr(package, path[len("felt.games.") :])
    gc.collect()


def _judge_line(text):
    number, _, body = text.partition(" ")
    if body.startswith("!"):
        return False, ["REFUSED " + body[1:]]
    return _judge(body, "line " + number)


def _judge(body, name):
    try:
        v = json.loads(body)
        if isinstance(v, dict) and isinstance(v.get("id"), str):
            name = shown(v["id"])
        problems = compare(v)
    except BadVector as e:
        return False, ["REFUSED %s: %s" % (name, e)]
    except MemoryError:
        raise
    except Exception as e:  # a fault of ours must not hide the other vectors
        return False, ["FAIL %s: internal error %r" % (name, e)]
    return not problems, ["FAIL %s: %s" % (name, p) for p in problems]


def certify(lines, say):
    """Judge lines; say(text) each problem and "# N" from time to time; return (passed, failed)."""
    passed = failed = 0
    for text in lines:
        ok, report = judge(text.strip())
        passed, failed = passed + ok, failed + (not ok)
        for row in report:
            say(row)
        if (passed + failed) % 25 == 0:
            say("# %d" % (passed + failed))
    return passed, failed


def main(path="-"):
    """Judge a file's lines, or standard input's."""
    if path == "-":
        print("%d passed, %d failed" % certify(sys.stdin, print))
    else:
        with open(path) as f:
            print("%d passed, %d failed" % certify(f, print))


if __name__ == "__main__":
    main()
