"""What the dealer's terminal understands: one command line becomes one event.

The same words are typed on a plain console, sent by a framed terminal and written in scripts.
"""

from felt import cards
from felt.cards import DECK
from felt.dealer.words import beside
from felt.games.common import UP
from felt.round import events, procedures
from felt.round.due import due
from felt.round.meters import CAUSES
from felt.round.state import Refused

PLACES = {"dealer": 0, "board": 8}
MOST = 1_000_000  # dollars of one wager
DIGITS = 9
MONTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DEVICES = ("shoe", "shuffler")
HAPPENED = ("jam", "removed", "attached", "empty")
KINDS = ("new", "pre", "again")
PLAIN = (
    ("close", "CLOSE"),
    ("idle", "IDLE"),
    ("reveal", "REVEAL"),
    ("end", "END"),
    ("undo", "TAKE_BACK"),
    ("noburn", "NO_BURN"),
    ("dealt", "DEALT"),
    ("goon", "GO_ON"),
    ("said", "SAID"),
    ("button", "BUTTON"),
    ("period", "PERIOD"),
)
# What `ok` means, by what is due: an event of nothing, or of the seat that is due.
ANSWERS = (
    ("show", "REVEAL"), ("reveal", "REVEAL"), ("collect", "END"), ("void", "END"),
    ("stop", "GO_ON"), ("settle", "PAID"), ("pot", "PAID"), ("spun", "SPUN"), ("hand_pay", "SPUN"),
)  # fmt: skip
SEAT = (("paid", "PAID"), ("tap", "TAP"), ("handpaid", "HANDPAID"), ("spun", "SPUN"))


class CommandError(Exception):
    """A line that is no command: a text key and what it concerns."""

    def __init__(self, code, *about):
        self.code = code
        self.about = about


def cents(text):
    """Return cents of "5", "$5" or "5.50"."""
    whole, _, rest = text.lstrip("$").partition(".")
    if not whole.isdigit() or (rest and (len(rest) != 2 or not rest.isdigit())):
        raise CommandError("amount", text)
    if len(whole) > DIGITS or int(whole) > MOST:
        raise CommandError("amount_most", text, MOST)
    return int(whole) * 100 + (int(rest) if rest else 0)


def moment(text):
    """Return the seconds from 2000 to "YYYY-MM-DD HH:MM"."""
    parts = text.replace("-", " ").replace(":", " ").split()
    if len(parts) != 5 or not all([p.isdigit() and len(p) <= 4 for p in parts]):
        raise CommandError("moment", text)
    year, month, day, hour, minute = [int(p) for p in parts]
    if not (2024 <= year < 2100 and 1 <= month <= 12 and 1 <= day <= 31):
        raise CommandError("moment", text)
    if hour > 23 or minute > 59:
        raise CommandError("moment", text)
    past = year - 2000
    days = past * 365 + (past + 3) // 4 + day - 1
    days += sum(MONTHS[: month - 1]) + (month > 2 and year % 4 == 0)
    return (days * 24 + hour) * 3600 + minute * 60


def number(text, low=0, high=255, what="number"):
    """Return a whole number in a range."""
    if not text.isdigit() or len(text) > DIGITS or not low <= int(text) <= high:
        raise CommandError(what, text)
    return int(text)


def seat(text):
    """Return a seat's number; whether the table has that seat is the machine's to say."""
    return number(text, 1, 7, "seat")


def place(text):
    """Return the place of "dealer", "board" or a seat number."""
    return PLACES[text] if text in PLACES else seat(text)


def one_of(text, words):
    """Return the index of a word."""
    if text not in words:
        raise CommandError("word", text, " ".join(words))
    return words.index(text)


def card(text):
    """Return a card id."""
    try:
        return cards.parse(text[:-1].upper() + text[-1:])
    except ValueError:
        raise CommandError("card", text)


def parse(m, line):
    """Return the event of a command line, or a word for what is no event ("lock", "spin")."""
    words = line.lower().split()
    if not words:
        raise CommandError("empty")
    verb, rest = words[0], words[1:]
    name = beside(PLAIN, verb)
    if name:
        _take(rest, 0, verb)
        return events.pack(name)
    name = beside(SEAT, verb)
    if name:
        _take(rest, 1, verb)
        return events.pack(name, number(rest[0], 0, 7))
    if verb in VERBS:
        return VERBS[verb](m, rest)
    if verb.isdigit() and rest:  # "3 play2" is short for "act 3 play2"
        return _act(m, words)
    raise CommandError("unknown", verb)


def _take(rest, count, verb):
    if len(rest) != count:
        raise CommandError("usage", verb)


def _bet(m, rest):
    if len(rest) < 3 or len(rest) % 2 == 0:
        raise CommandError("usage", "bet")
    amounts = [0] * len(m.game.WAGERS)
    for i in range(1, len(rest), 2):
        amounts[one_of(rest[i], m.game.WAGERS)] = cents(rest[i + 1])
    return events.bet(seat(rest[0]), amounts)


def _coupon(m, rest):
    if not 2 <= len(rest) <= 3:
        raise CommandError("usage", "coupon")
    on = one_of(rest[2], ("off",)) if len(rest) == 3 else 1
    return events.pack("COUPON", seat(rest[0]), one_of(rest[1], m.game.WAGERS), on)


def _clear(m, rest):
    _take(rest, 1, "clear")
    return events.bet(seat(rest[0]), [0] * len(m.game.WAGERS))


def _act(m, rest):
    if not 2 <= len(rest) <= 3:
        raise CommandError("usage", "act")
    word, _, named = rest[1].partition(":")
    if named or len(rest) == 3:  # an answer here would tell what the seat holds
        raise CommandError("name_later")
    word = _action(m.game, word)
    if word not in m.game.ACTIONS and due(m).kind == "decide":
        one_of(word, due(m).choices)  # the answer names those of now
    return events.pack("ACT", seat(rest[0]), one_of(word, m.game.ACTIONS), events.NO_CARD)


def _action(game, word):
    """Return the decision of a word as it is shown: "3x" is the raise of three antes."""
    if len(word) == 2 and word[1] == "x":
        for action in game.ACTIONS:
            if action[-1] == word[0]:
                return action
    return "fold" if word == "folds" else word


def _discard(m, rest):
    _take(rest, 2, "discard")
    return events.pack("DISCARD", seat(rest[0]), card(rest[1]))


def _done(m, rest):
    if due(m).kind != "check":
        raise CommandError("no_checklist")
    step = m.steps[m.step_at]
    return procedures.said(step, number(rest[0]) if rest else procedures.unsaid(m, step))


def answer(now):
    """Return the event a nod stands for, the table's own word for more than one, or None."""
    if now.kind == "spin":
        return "spin"
    name = "SAID" if now.choices == ("said",) else beside(ANSWERS, now.kind)
    if name is None:
        return None
    return events.pack(name, *[now.seat] * len(events.FIELDS[events.CODES[name]]))


def _ok(m, rest):
    """Confirm whatever the prompt asks for."""
    now = due(m)
    if now.kind == "check":
        return _done(m, rest)
    found = answer(now)
    if found:
        return found
    if now.kind == "deal" and not now.places[0] & UP and not m.cfg["card_reader"]:
        return events.pack("DEALT")
    if now.kind in ("stub", "tap", "discard", "name"):  # more than a nod is needed
        raise Refused(now.kind + "_due", now.seat)
    raise CommandError("lock_by_word" if now.kind == "bet" else "nothing_to_confirm")


def _open(m, rest):
    return events.pack("OPEN", one_of(rest[0] if rest else "new", KINDS))


def _card(m, rest):
    _take(rest, 1, "card")
    return events.pack("CARD", card(rest[0]))


def _stack(m, rest):
    return events.pack("STACK", bytes([card(c) for c in rest]))


def _face_up(m, rest):
    _take(rest, 1, "faceup")
    return events.pack("FACEUP", card(rest[0]))


def _hand(m, rest):
    if len(rest) < 2:
        raise CommandError("usage", "hand")
    return events.pack("NAMED", place(rest[0]), bytes([card(c) for c in rest[1:]]))


def _skipped(m, rest):
    _take(rest, 2, "skipped")
    return events.pack("MISDEALT", place(rest[0]), number(rest[1], 1, 7), 0)


def _extra(m, rest):
    if not 2 <= len(rest) <= 3:
        raise CommandError("usage", "extra")
    count = number(rest[2], 1, 7) if len(rest) == 3 else 1
    return events.pack("MISDEALT", place(rest[0]), number(rest[1], 1, 7), count)


def _stub(m, rest):
    """Where hands were misdealt, the cards on the felt tell whether the deck is whole (G11)."""
    if len(rest) not in (1, 3):
        raise CommandError("usage", "stub")
    misdealt = 0
    if len(rest) == 3:
        one_of(rest[1], ("misdealt",))
        misdealt = events.ON_FELT + number(rest[2], 0, DECK)
    return events.pack("STUB", number(rest[0], 0, DECK), misdealt)


def _exposed(m, rest):
    """Of the board no text says what a card seen early means: it is no place here."""
    _take(rest, 1, "exposed")
    return events.pack("EXPOSED", 0 if rest[0] == "dealer" else seat(rest[0]))


def _miscount(m, rest):
    _take(rest, 2, "miscount")
    where = place(rest[0])
    return events.pack("MISCOUNT", where, _count(m, where, rest[1]))


def _count(m, where, word):
    """Return a number of cards: "more" and "less" are one off what the table knows of there."""
    if word not in ("more", "less"):
        return number(word, 0, DECK)
    known = len(m.r.cards[where]) if m.r else 0
    return known + 1 if word == "more" else max(0, known - 1)


def _void(m, rest):
    return events.pack("VOID", one_of(rest[0] if rest else "supervisor", CAUSES))


def _method(m, rest):
    _take(rest, 1, "method")
    return events.pack("METHOD", one_of(rest[0], events.METHODS))


def _device(m, rest):
    _take(rest, 2, "device")
    return events.pack("HAPPENED", one_of(rest[0], DEVICES), one_of(rest[1], HAPPENED))


def _pair(m, rest):
    if not 2 <= len(rest) <= 3:
        raise CommandError("usage", "pair")
    off = events.NOT_PAIRED if len(rest) == 3 and not one_of(rest[2], ("off",)) else 0
    return events.pack("PAIRED", off | seat(rest[0]), seat(rest[1]))


def _carry(m, rest):
    _take(rest, 1, "carry")
    return events.pack("CARRY", cents(rest[0]).to_bytes(4, "big"))


VERBS = {
    "bet": _bet,
    "clear": _clear,
    "coupon": _coupon,
    "act": _act,
    "discard": _discard,
    "done": _done,
    "ok": _ok,
    "open": _open,
    "card": _card,
    "stack": _stack,
    "faceup": _face_up,
    "stub": _stub,
    "exposed": _exposed,
    "hand": _hand,
    "skipped": _skipped,
    "extra": _extra,
    "miscount": _miscount,
    "void": _void,
    "method": _method,
    "device": _device,
    "pair": _pair,
    "carry": _carry,
    "nmb": lambda m, rest: "lock",
    "spin": lambda m, rest: "spin",
    "nospin": lambda m, rest: "end_spins",
    "recut": lambda m, rest: events.pack("OVERRIDE", events.RECUT),
    "accept": lambda m, rest: events.pack("OVERRIDE", events.ACCEPT_SENSORS),
}
