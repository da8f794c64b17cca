"""Checklists around the cards: opening, shuffle, cut, spread (13:69F-X.3, X.4 and their like)."""

from felt.cards import DECK
from felt.round.events import SHUFFLER, pack
from felt.round.state import CHECK, CLOSED

INSPECT, VERIFY, SPREAD, VIEW, WASH, SHUFFLE, CUT, TURN_UP = range(1, 9)
STEPS = (
    "",
    "inspect",
    "verify",
    "spread",
    "view",
    "wash",
    "shuffle",
    "cut",
    "turn_up",
)
NEW, PRE_SHUFFLED = 0, 1
CUT_LEAST = 10
UNCOUNTED = 0  # cards of a shuffle that nobody counted
UNSEEN = 7  # bit of `absent`: the deck in a shuffler that came back was not inspected yet
DECK_BITS, DECK_MOST = 8, 255  # of a deck's rounds in `since_stub`


def shuffler(m):
    """Return the shuffler in use: what is configured, or "none" while it is off the table."""
    return "none" if m.absent >> SHUFFLER & 1 else m.cfg["shuffler"]


def decks(m):
    """Two decks only while a shuffler mixes one of them (G12)."""
    return 2 if m.cfg["second_deck"] and shuffler(m) != "none" else 1


def rounds_of(m, deck):
    """Rounds of a deck since its stub was counted: each deck has its own (G5)."""
    return m.since_stub >> DECK_BITS * deck & DECK_MOST


def since_stub(m):
    """Rounds of the deck in play since its stub was counted."""
    return rounds_of(m, m.deck)


def count_round(m, deck, rounds):
    """Note how many rounds a deck has seen since its stub was counted."""
    at = DECK_BITS * deck
    kept = m.since_stub & ~(DECK_MOST << at)
    m.since_stub = kept | min(rounds, DECK_MOST) << at


def opening(m, kind):
    """Return the steps that make cards just received ready; each deck has its own pass (G12)."""
    if kind == PRE_SHUFFLED:
        return bytes([VERIFY, CUT]) * decks(m)
    return bytes([INSPECT, VERIFY, SPREAD, VIEW, WASH, SHUFFLE]) * decks(m) + cut(m)


def between_rounds(m):
    """Return the steps after a round: shuffle, and a cut when shuffled by hand.

    A shuffler that came back brings a deck that is inspected first."""
    first = bytes([INSPECT, VERIFY]) if m.absent >> UNSEEN & 1 else b""
    return first + bytes([SHUFFLE]) + cut(m)


def after_idle(m):
    """Return the steps when a player comes to a table whose cards lie spread."""
    return bytes([TURN_UP, VIEW, WASH, SHUFFLE]) * decks(m) + cut(m)


def cut(m):
    """A cut follows a manual shuffle or pre-shuffled cards, not a shuffler (G13)."""
    return bytes([CUT]) if shuffler(m) == "none" else b""


def unsaid(m, step):
    """Return the number of a step when nobody says one: a count is never made up (G5)."""
    if step == CUT:
        return 26
    return UNCOUNTED if step == SHUFFLE and shuffler(m) == "counting" else DECK


def said(step, number):
    """Return the event which says that a step of the checklist is done."""
    return pack("SHUFFLED", number) if step == SHUFFLE else pack("DONE", step, number)


def needs_supervisor(step):
    """The floorperson verifies the cards; everything else is the dealer's."""
    return step == VERIFY


def no_wagers(m):
    """The felt is empty."""
    m.bets = [None] * 8
    m.coupons = bytearray(8)  # match play coupons by seat, one bit a wager


def start_check(m, steps, out):
    """Begin a checklist."""
    m.phase, m.why = CHECK, "open"
    m.steps, m.step_at, m.early = steps, 0, b""
    out.append(("check", STEPS[steps[0]]))


def remove_deck(m, deck, out):
    """A deck leaves the table; only new cards open it again (G5, G11)."""
    m.phase, m.why = CLOSED, "deck_removed"
    m.steps, m.step_at, m.early = b"", 0, b""
    no_wagers(m)
    out.append(("alarm", "deck_removed", deck + 1, ""))
    out.append(("log", "deck_removed", deck, 0))
    out.append(("checkpoint", 0))
