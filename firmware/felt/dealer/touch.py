"""What a key or a touch means: it changes the desk, or asks for something to be booked.

`press` gives back what the application has to do: (NEXT, UNDO, a command line, events) or nothing.
Whatever a key cannot mean now is said to the dealer; no touch is without an answer.
"""

from felt import cards
from felt.dealer import desk as _desk
from felt.dealer import proposal
from felt.link import terminal as keys
from felt.round import events
from felt.round.due import due
from felt.round.misdeal import burn_due
from felt.round.named import hands
from felt.round.procedures import shuffler
from felt.round.state import BET, CLOSED, Refused

SUIT = len(cards.RANKS)  # where cards are named: a card key below this is a rank, then suits
# The floorperson's menu: a command line each; SEAT is asked for first, of NAMING the cards, too.
FLOOR = (
    "void", "exposed dealer", "exposed SEAT", "miscount SEAT more", "miscount SEAT less",
    "hand SEAT", "clear SEAT", "recut", "accept", "button", "noburn", "open new", "open pre",
    "method shoe", "method hand", "method auto", "idle", "close",
    "meters", "recall", "log", "hits",
    "device shoe removed", "device shoe attached", "entropy", "nospin",
)  # fmt: skip
NAMING = "hand SEAT"
ABOUT_HANDS = ("void", "exposed", "miscount", "hand")  # until they are booked (G7a)
OPENS = ("open new", "open pre")  # a closed table offers these by themselves
# Offered in a round, between rounds; the rest always.
IN_ROUND = ABOUT_HANDS + ("noburn", "button")
BETWEEN = ("clear", "open", "method", "idle", "close")
# These need a second touch.
GUARDED = (
    "void", "exposed dealer", "miscount SEAT more", "miscount SEAT less", "close", "accept",
    "noburn", "device shoe removed", "nospin",
)  # fmt: skip


def offers(m, desk, line):
    """True for an entry of the floor's menu that can mean something now."""
    verb = line.split()[0]
    lacks = (verb == "button" and not m.game.BUTTON) or (verb == "hits" and not m.meters.seed)
    lacks = lacks or (line == "exposed dealer" and not m.game.DEALER_CARDS)
    lacks = lacks or (verb == "noburn" and m.r and not burn_due(m.r))
    lacks = lacks or (verb == "open" and m.phase != CLOSED) or (verb == "clear" and m.phase != BET)
    if verb in ABOUT_HANDS and m.r:
        lacks = lacks or m.r.kind() in ("spin", "collect", "void")
    if verb == "method":
        lacks = not _may_deal(m, line.split()[1])
    if verb == "recut":
        lacks = m.phase != BET and not (m.r and not m.r.void and not m.r.dealt)
    if verb == "accept":
        lacks = m.phase != BET and due(m).kind != "decide"
    if verb == "device":
        lacks = not _shoe_may(m, desk.shoe, line)
    if verb in ("entropy", "nospin"):
        fails = desk.generator and desk.generator.fault
        lacks = not fails or (verb == "nospin" and due(m).kind != "spin")
    return not lacks and verb not in (IN_ROUND if m.between else BETWEEN)


def _shoe_may(m, shoe, line):
    """True for what a shoe that does not answer cannot say of itself, or did not."""
    if not shoe:
        return False
    if line.endswith("removed"):
        off = m.absent >> events.SHOE & 1
        return m.phase == BET and m.dealing == "auto" and not (shoe.connected or off)
    can_be = shoe.connected or m.dealing != "auto"  # a manual one deals without its reader
    return can_be and bool((m.absent | m.broken) >> events.SHOE & 1)


def _may_deal(m, way):
    """True for another way of dealing that the table has: an automated shoe is configured, and
    off the table where another way begins."""
    if m.dealing == "auto" and not m.absent >> events.SHOE & 1:
        return False
    has = {"shoe": True, "hand": shuffler(m) != "none", "auto": m.cfg["dealing"] == "auto"}
    return m.phase == BET and way != m.dealing and has[way]


def places(m, desk):
    """Return (name, place) of what an entry that waits for a seat may be about as well."""
    from felt.dealer.commands import PLACES  # here it takes no heap

    if desk.asks.split(" ")[0] not in ("miscount", "hand"):
        return ()
    held = {"dealer": m.game.DEALER_CARDS, "board": m.game.COMMUNITY}
    return [(name, PLACES[name]) for name in sorted(PLACES) if held[name]]


def press(m, desk, key, value):
    """Take one key; return None, or (what, detail) for the application to do."""
    if key == keys.NEXT:
        return "next", None
    if key == keys.UNDO:
        half = due(m).kind != "bet" and desk.typed  # an amount is on the trail
        if half:
            return _erase(m, desk, value)
        return None if put_away(desk) else ("undo", None)
    if key == keys.FLOOR:
        opens = not desk.floor
        leave_menu(desk)
        desk.floor = opens
        return "page", None
    return _HANDLERS[key](m, desk, value)


def _seat(m, desk, value):
    where = [name for name, place in places(m, desk) if place == value]
    if not (where or 1 <= value <= m.cfg["seats"]):
        raise Refused("no_seat", value)
    if desk.asks == NAMING:
        return _correct(m, desk, value)
    if desk.asks:
        line = desk.asks.replace("SEAT", where[0] if where else str(value))
        desk.asks, desk.floor = "", False
        return "line", line
    desk.seat = 0 if desk.seat == value else value
    desk.spot = _desk.unknown(_desk.wagers(m, desk, value))
    if not proposal.to_touch(m, desk, proposal.wanted(m, desk)):
        desk.typed = ""
    return None


def leave_menu(desk):
    """Close the floor's menu and what it asks for."""
    desk.floor, desk.asks = False, ""
    put_away(desk)


def put_away(desk):
    """Leave the naming of cards that the floor began; False when there is none."""
    if desk.names is None:
        return False
    desk.names, desk.typed = None, ""
    return True


def _correct(m, desk, place):
    """What lies at a place differs from what was read there: its cards are touched next."""
    if not hands(m, place).cards[place]:
        raise Refused("no_card_there", place)
    desk.asks, desk.floor = "", False
    desk.names, desk.typed = place, ""


def _spot(m, desk, value):
    if not desk.seat or value >= len(m.game.WAGERS):
        raise Refused("choose_seat")
    desk.spot = value
    desk.typed = ""
    return None


def _betting(m, desk):
    """Refuse an amount that is for nobody."""
    if due(m).kind != "bet":
        raise Refused("no_amount_due")
    if not desk.seat:
        raise Refused("choose_seat")


def _chip(m, desk, value):
    """The first chip begins an amount, the next ones add to it."""
    _betting(m, desk)
    if value >= len(_desk.CHIPS):
        raise Refused("choose_seat")
    _type(m, desk, str(int(desk.typed or "0") + _desk.CHIPS[value] // 100))
    return None


def _digit(m, desk, value):
    now = proposal.wanted(m, desk)
    if now.kind not in ("check", "stub") and not proposal.recount(m, now):
        _betting(m, desk)
    _type(m, desk, desk.typed + str(value % 10))
    return None


def _type(m, desk, text):
    if len(text) > _desk.DIGITS:
        raise Refused("too_long")
    desk.typed = str(int(text))
    if desk.seat and due(m).kind == "bet":
        desk.say(desk.seat, desk.spot, int(desk.typed) * 100)


def _erase(m, desk, value):
    if proposal.to_touch(m, desk, proposal.wanted(m, desk)):
        desk.typed = desk.typed[: (len(desk.typed) - 1) // 2 * 2]
        return None
    if desk.seat and due(m).kind == "bet":
        desk.note("said", (desk.seat, desk.spot), None if desk.typed else 0)
    desk.typed = ""
    return None


def _choice(m, desk, value):
    """A decision for the seat that is asked, or for the one that is due."""
    now = proposal.wanted(m, desk)
    if now.kind != "decide":
        raise Refused("no_decision_due")
    seat = proposal.asked(desk, proposal.propose(m, desk, True).wrong) or now.seat
    legal = m.game.legal(m.r, seat, m.r.arg()) if seat in m.r.order[m.r.turn :] else ()
    if value >= len(legal):
        raise Refused("no_decision_due")
    desk.note("chosen", seat, legal[value])
    desk.seat = 0
    return None


def _card(m, desk, value):
    """The discard of the hand that is turned; the seat before it is settled by that."""
    if proposal.to_touch(m, desk, proposal.wanted(m, desk)):
        return _name(m, desk, value)
    seat = proposal.turned(m)
    held = m.r.cards[seat] if seat else b""
    if value >= len(held):
        raise Refused("no_discard_due")
    now = due(m)
    before = [events.pack("PAID", now.seat)] if now.kind == "settle" else []
    return "events", before + [events.pack("DISCARD", seat, held[value])]


def _name(m, desk, value):
    """A rank or a suit of the cards to be named; a second rank stands instead of the first."""
    half = len(desk.typed) % 2
    whole = desk.typed[: len(desk.typed) - half]
    if value < SUIT:
        if len(whole) == 2 * proposal.to_touch(m, desk, proposal.wanted(m, desk)):
            raise Refused("named_all")
        desk.typed = whole + cards.RANKS[value]
        return None
    if not half or value >= SUIT + len(cards.SUITS):
        raise Refused("touch_cards")
    found = desk.typed[-1] + cards.SUITS[value - SUIT]
    if cards.parse(found) in list(cards.parse_all(whole)):
        raise Refused("named_twice", cards.parse(found))
    desk.typed = whole + found
    return None


def _menu(m, desk, value):
    line = FLOOR[value] if value < len(FLOOR) else ""
    if not line or not (desk.floor or (line in OPENS and due(m).kind == "closed")):
        raise Refused("no_menu")
    if "SEAT" in line:
        desk.asks = line
        return None
    desk.floor = False
    return "line", line


_HANDLERS = {
    keys.SEAT_KEY: _seat,
    keys.SPOT: _spot,
    keys.CHIP: _chip,
    keys.DIGIT: _digit,
    keys.ERASE: _erase,
    keys.ACTION: _choice,
    keys.CARD: _card,
    keys.MENU: _menu,
}
