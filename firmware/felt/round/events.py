"""Events are bytes: a code and its fields. The journal keeps exactly these bytes.

Field letters: b = one byte; * = the rest as it is.
"""

# name: (code, fields). A code is never reused for another meaning.
TABLE = (
    ("BOOT", 1, "b"),  # reset cause
    ("KEY", 2, "bb"),  # 0 attendant, 1 service; on
    ("CONFIG", 3, "*"),  # SHA-256 of the configuration taking force
    ("OPEN", 4, "b"),  # 0 new cards, 1 pre-shuffled cards
    ("DONE", 5, "bb"),  # checklist step, its number; a shuffle is SHUFFLED, which counts one deck
    ("CLOSE", 6, ""),
    ("IDLE", 7, ""),  # cards spread while nobody plays
    ("SENSORS", 8, "*"),  # seven bytes, one a seat, one bit a spot
    ("BET", 9, "b*"),  # seat, four bytes a wager: all wagers of the seat
    ("LOCK", 10, "*"),  # no more bets; identities in force
    ("CARD", 11, "b"),
    ("STACK", 12, "*"),
    ("ACT", 13, "bbb"),  # seat, action, card it names or NO_CARD
    ("REVEAL", 14, ""),  # the cards due to be turned are turned
    ("PAID", 15, "b"),
    ("TAP", 16, "b"),
    ("SPIN", 18, "bb"),  # seat, wheel position
    ("SPUN", 19, "b"),
    ("HANDPAID", 20, "b"),
    ("STUB", 21, "bb"),  # cards counted; misdealt: ON_FELT and the cards there, older: 1; else 0
    ("END", 22, ""),  # cards collected
    ("UNDO", 23, ""),  # before TAKE_BACK, which reaches further
    ("FACEUP", 24, "b"),
    ("DEVICE", 25, "bb"),  # device, what happened; before HAPPENED, which voids less
    ("EXPOSED", 26, "b"),  # place
    ("MISCOUNT", 27, "bb"),  # place, cards found there
    ("VOID", 28, "b"),  # cause
    ("NO_BURN", 29, ""),
    ("BUTTON", 30, ""),  # the button was not moved
    ("OVERRIDE", 31, "b"),
    ("METHOD", 33, "b"),
    ("PAIRED", 34, "bb"),  # one player, two adjacent seats; NOT_PAIRED and the first: no more
    ("PERIOD", 35, ""),  # period meters read and restarted
    ("FAULT", 36, "bb"),  # device fault code, detail: logged, closes nothing by itself
    ("COUPON", 44, "bbb"),  # seat, wager, 1: it is a match play coupon, 0: it is chips
    ("DISCARD", 37, "bb"),  # seat, the card it had laid down, seen when its hand is settled
    ("SHOE", 38, "bb*"),  # 0 card, 1 stack, 2 face up; position of the last one; cards
    ("GO_ON", 39, ""),  # the deal that a card from the shoe stopped goes on
    ("SAID", 50, ""),  # the shoe told a card that a person had entered: it is no card more
    ("NAMED", 40, "b*"),  # place, its true cards (G7b)
    ("MISDEALT", 41, "bbb"),  # place, lap, 0: passed over, else cards too many
    ("HAPPENED", 43, "bb"),  # device, what happened to it (G6)
    ("TAKE_BACK", 45, ""),  # the last entry, then the one before it
    ("DEALT", 42, ""),  # face-down cards lie there, unread
    ("CARRY", 47, "*"),  # cents of a progressive meter brought into memory just set up, 4 bytes
    ("NO_SPIN", 48, ""),  # the spins still due cannot be drawn: their stakes go back
    ("COUNTED", 46, "bb"),  # a machine's count of a deck; 1, 2: which one, 0: not told
    ("SHUFFLED", 49, "b"),  # the checklist's shuffle is done; the cards its machine counted, or 0
)

CODES = {}
FIELDS = [None] * 51  # by code; None where there is no such event
NAMES = [None] * 51
for _name, _code, _fields in TABLE:
    CODES[_name] = _code
    FIELDS[_code] = _fields
    NAMES[_code] = _name

NO_CARD = 255
NOT_PAIRED = 128
ON_FELT = 128  # STUB: hands were misdealt, and so many cards lie on the felt
# DEVICE
SHOE, SHUFFLER = 0, 1
JAM, REMOVED, ATTACHED, EMPTY = 0, 1, 2, 3
# KEY
ATTENDANT, SERVICE = 0, 1
# OVERRIDE
RECUT, ACCEPT_SENSORS = 0, 1
METHODS = ("shoe", "hand", "auto")


def pack(name, *args):
    """Return the bytes of an event; ValueError names a field out of range."""
    code = CODES[name]
    fields = FIELDS[code]
    if len(args) != len(fields):
        raise ValueError("%s takes %d fields, got %d" % (name, len(fields), len(args)))
    out = bytearray([code])
    for letter, value in zip(fields, args):
        if letter == "*":
            out.extend(value)
            continue
        if not 0 <= value < 256:
            raise ValueError("%s: %r does not fit a byte" % (name, value))
        out.append(value)
    return bytes(out)


def unpack(event):
    """Return (name, args) of event bytes; ValueError when they are none."""
    if not event or event[0] >= len(FIELDS) or FIELDS[event[0]] is None:
        raise ValueError("no event: %r" % (bytes(event),))
    args = []
    at = 1
    for letter in FIELDS[event[0]]:
        if letter == "*":
            args.append(bytes(event[at:]))
            at = len(event)
        else:
            if at == len(event):
                raise ValueError("short event: %r" % (bytes(event),))
            args.append(event[at])
            at += 1
    if at != len(event):
        raise ValueError("long event: %r" % (bytes(event),))
    return NAMES[event[0]], args


def bet(seat, amounts):
    """Return a BET event: every wager of a seat, in the game's order, in cents."""
    out = bytearray()
    for cents in amounts:
        if not 0 <= cents < 1 << 32:
            raise ValueError("BET: %r cents do not fit 4 bytes" % (cents,))
        out.extend(cents.to_bytes(4, "big"))
    return pack("BET", seat, out)
