"""What is known of each deck: since when it is here, how it was shuffled, what a machine counted.

Two decks at most (G12), four bytes each in `Machine.history`: round of its inspection (2), how it
was shuffled last, the last machine count (0: none).
"""

from felt.cards import DECK
from felt.round import procedures
from felt.round.procedures import SHUFFLE, VERIFY, shuffler
from felt.round.state import ROUND, Refused

SIZE = 4
ROUND_AT, HOW, COUNT = 0, 2, 3
UNKNOWN, BY_HAND, BY_MACHINE = 0, 1, 2
WRONG = 1 << 7  # in `broken`: a deck was counted wrong during the round and leaves after it
INSPECT = 1 << procedures.UNSEEN


def of_pass(m, step):
    """Return the deck a step is about: an opening goes through one deck after the other."""
    steps = list(m.steps)
    if steps.count(step) < 2:
        return m.deck
    return steps[: m.step_at].count(step)


def verified(m):
    """The floorperson has seen the whole deck."""
    at = SIZE * of_pass(m, VERIFY)
    number = m.round_no + 1 & 0xFFFF
    m.history[at : at + SIZE] = bytes([number >> 8, number & 255, UNKNOWN, 0])


def shuffled(m, number):
    """Note how the deck was shuffled; a machine's count of 52 stands for a count of the stub."""
    deck = of_pass(m, SHUFFLE)
    how = BY_HAND if shuffler(m) == "none" else BY_MACHINE
    m.history[SIZE * deck + HOW] = how
    m.history[SIZE * deck + COUNT] = number if shuffler(m) == "counting" else 0


def counted(m, ev, out):
    """A machine counted a deck at any time (G5): another number than 52 sends it away."""
    count, told = ev[1], ev[2]
    if told > procedures.decks(m):
        raise Refused("malformed", "COUNTED")
    deck = told - 1 if told else m.deck
    m.history[SIZE * deck + COUNT] = count
    out.append(("log", "counted", count, deck))
    if count == DECK:
        return
    if m.phase == ROUND:
        m.broken |= WRONG
        out.append(("alarm", "counted_wrong", deck + 1, str(count)))
    else:
        procedures.remove_deck(m, out)


def facts(m, deck):
    """Return (round of its inspection, rounds since its stub was counted, how, last count)."""
    at = SIZE * deck
    number = m.history[at] << 8 | m.history[at + 1]
    return number, procedures.rounds_of(m, deck), m.history[at + HOW], m.history[at + COUNT]


HANDLERS = {"COUNTED": counted}
