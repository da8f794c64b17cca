"""Refuses a settlement vector that is malformed, before anything is played.

The rules themselves refuse the rest; runs on every runtime and gives the same words on each.
"""

from felt import cards
from felt.games.settings import SettingsError, game_module
from felt.round.events import NO_CARD
from felt.round.state import Round

KEYS = ("id", "game", "table", "seats", "dealer", "community", "spins", "void", "expect")
SEAT_KEYS = ("seat", "cards", "wagers", "actions")
MOST = 1 << 62  # of any amount a setting or a result may name


class BadVector(Exception):
    """A vector that must not be settled, with the reason."""


def need(true, reason, *args):
    """Refuse the vector unless true."""
    if not true:
        raise BadVector(reason % tuple([shown(a) for a in args]) if args else reason)


def shown(value):
    """Return a value as a report shows it: one short ASCII text, the same on every runtime."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(value) if -MOST <= value <= MOST else "a number beyond 62 bits"
    if not isinstance(value, str):
        return "an object" if isinstance(value, dict) else "a list"
    kept = [c if " " <= c <= "~" else "\\u%04x" % ord(c) for c in value[:60]]
    return "".join(kept) + ("..." if len(value) > 60 else "")


def whole(value):
    """True for a real integer."""
    return isinstance(value, int) and not isinstance(value, bool) and -MOST <= value <= MOST


def check(v):
    """Refuse a malformed vector; return the cards it uses, one flag each."""
    game = _check_shape(v)
    used = bytearray(52)
    for key, count in (("dealer", game.DEALER_CARDS), ("community", game.COMMUNITY)):
        if count:
            need(key in v, "missing %s", key)
            deck(v[key], count, used, key)
        else:
            need(key not in v, "unknown key %s in this game", key)
    numbers = []
    for seat in v["seats"]:
        _check_seat(game, seat, used)
        need(seat["seat"] not in numbers, "seat %s twice", seat["seat"])
        numbers.append(seat["seat"])
    _check_expect(game, v["expect"], [str(n) for n in numbers])
    return used


def _check_shape(v):
    need(isinstance(v, dict), "not an object")
    for key in sorted(v):
        need(key in KEYS, "unknown key %s", key)
    need(isinstance(v.get("id"), str) and v["id"], "no id")
    name = v.get("game")
    try:
        game = game_module(name)
    except SettingsError:
        raise BadVector("unknown game %s" % shown(name))
    for key in ("seats", "expect"):
        need(key in v, "missing %s", key)
    v.setdefault("table", {})  # it names what differs from the defaults: nothing does
    for key in ("table", "expect"):
        need(isinstance(v[key], dict), "%s is not an object", key)
    for key in sorted(v["table"]):
        need(key in game.CERTIFIED or key == "dealing", "unknown table setting %s", key)
    need(isinstance(v.get("void", False), bool), "void is not true or false")
    need(isinstance(v["seats"], list) and v["seats"], "no seats")
    _check_spins(v, game)
    return game


def _check_spins(v, game):
    spins = v.get("spins", [])
    need(isinstance(spins, list), "spins is not a list")
    need("spins" not in v or game.LATCH, "unknown key spins in this game")
    need(not (v.get("void") and spins), "wrong number of spins: a void round has none")
    for position in spins:
        need(whole(position) and 1 <= position <= 12, "wheel position %s", position)


def deck(text, count, used, where):
    """Parse cards that may appear once in the vector."""
    need(isinstance(text, str), "%s: cards are not text", where)
    try:
        ids = cards.parse_all(text)
    except ValueError:
        raise BadVector("%s: not cards: %s" % (where, shown(text)))
    need(len(ids) == count, "%s: %s cards, not %s", where, len(ids), count)
    for c in ids:
        need(not used[c], "%s: duplicate card %s", where, cards.name(c))
        used[c] = 1
    return ids


def _check_seat(game, seat, used):
    need(isinstance(seat, dict), "a seat is not an object")
    for key in sorted(seat):
        need(key in SEAT_KEYS, "unknown key %s in a seat", key)
    for key in SEAT_KEYS:
        need(key in seat, "missing %s in a seat", key)
    number = seat["seat"]
    need(whole(number) and 1 <= number <= game.SEATS, "no seat %s", number)
    deck(seat["cards"], game.HOLE, used, "seat %d" % number)
    wagers = seat["wagers"]
    need(isinstance(wagers, dict), "seat %s: wagers are not an object", number)
    for wager in sorted(wagers):
        need(wager in game.WAGERS, "seat %s: unknown wager %s", number, wager)
        cents = wagers[wager]
        good = whole(cents) and 0 < cents < 1 << 32
        need(good, "seat %s: wrong stake %s on %s", number, cents, wager)
    opens = game.opens([wagers.get(w, 0) for w in game.WAGERS]) and wagers
    need(opens, "seat %s: wrong stake, no %s", number, game.WAGERS[0])
    need(isinstance(seat["actions"], list), "seat %s: actions are not a list", number)
    for action in seat["actions"]:
        parse_action(game, number, action)


def parse_action(game, seat, text):
    """Return (code, card or NO_CARD) of an action such as "bet:7h"."""
    need(isinstance(text, str), "seat %s: illegal action %s", seat, text)
    at = text.find(":")
    word, card = (text, NO_CARD) if at < 0 else (text[:at], text[at + 1 :])
    need(word in game.ACTIONS, "seat %s: illegal action %s", seat, text)
    need(
        game.decision(word).discards == (card != NO_CARD), "seat %s: illegal action %s", seat, text
    )
    if card != NO_CARD:
        try:
            card = cards.parse(card)
        except ValueError:
            raise BadVector("seat %d: illegal action %s" % (seat, shown(text)))
    return game.ACTIONS.index(word), card


def check_decisions(m, v):
    """Refuse actions no seat could take: nobody decides in a void round, so the rules cannot."""
    game = m.game
    bets = [None] * 8
    for seat in v["seats"]:
        bets[seat["seat"]] = [seat["wagers"].get(w, 0) for w in game.WAGERS]
    r = Round(game, m.cfg, m.dealing, m.button, bets)
    for seat in v["seats"]:
        r.cards[seat["seat"]] = bytearray(cards.parse_all(seat["cards"]))
        left = list(seat["actions"])
        for kind, stage in r.script:
            if kind == "decide" and left and seat["seat"] in r.live():
                _decide(r, seat["seat"], stage, left)
        need(not left, "seat %s: illegal action, its part is over", seat["seat"])


def _decide(r, seat, stage, left):
    legal = r.game.legal(r, seat, stage)
    if not legal:
        return
    text = left.pop(0)
    code, card = parse_action(r.game, seat, text)
    word = r.game.ACTIONS[code]
    wrong = word not in legal or r.game.act(r, seat, word, None if card == NO_CARD else card)
    need(not wrong, "seat %s: illegal action %s", seat, text)


def _check_expect(game, expect, numbers):
    for key in sorted(expect):
        need(key == "jackpot" or key in numbers, "expect for %s", key)
        need(key != "jackpot" or game.LATCH, "expect: unknown key jackpot in this game")
        if key == "jackpot":
            need(whole(expect[key]), "expect: jackpot is %s", expect[key])
            continue
        need(isinstance(expect[key], dict), "expect: seat %s is not an object", key)
        for wager in sorted(expect[key]):
            cents = expect[key][wager]
            settled = wager in game.METERS and wager not in game.ADDS
            need(settled, "expect: seat %s: unknown wager %s", key, wager)
            need(whole(cents), "expect: seat %s %s is %s", key, wager, cents)
    for n in numbers:
        need(n in expect, "expect: seat %s is missing", n)
