"""What is known of each deck: since when it is here, how it was shuffled, what a machine counted.

Two decks at most (G12), four bytes each in `Machine.history`: round of its inspection (2), how it
was shuffled last, the last machine count (0: none).
"""

from felt.cards import DECK
from felt.round import procedures
from felt.round.procedures import SHUFFLE, UNCOUNTED, VERIFY, shuffler
from felt.round.state import CHECK, ROUND, Refused

SIZE = 4
HOW, COUNT = 2, 3
UNKNOWN, BY_HAND, BY_MACHINE = 0, 1, 2
CAME = 1 << 7  # in HOW: its count came while the other deck was played
WRONG = 1 << 7  # in `broken`: a deck was counted wrong during the round and leaves after it
INSPECT = 1 << procedures.UNSEEN


def of_pass(m, step):
    """Return the deck a step is about: an opening goes through one deck after the other."""
    steps = list(m.steps)
    if steps.count(step) < 2:
        return m.deck
    return steps[: m.step_at].count(step)


def in_hand(m):
    """Return the deck in play, or the one a checklist is about."""
    return of_pass(m, m.steps[m.step_at]) if m.phase == CHECK else m.deck


def verified(m):
    """The floorperson has seen the whole deck."""
    at = SIZE * of_pass(m, VERIFY)
    number = m.round_no + 1 & 0xFFFF
    m.history[at : at + SIZE] = bytes([number >> 8, number & 255, UNKNOWN, 0])


def shuffled(m, number):
    """Note how the deck was shuffled; return its machine's count, which may have come before."""
    at = SIZE * of_pass(m, SHUFFLE)
    counting = shuffler(m) == "counting"
    if counting and number == UNCOUNTED and m.history[at + HOW] & CAME:
        number = m.history[at + COUNT]
    m.history[at + HOW] = BY_HAND if shuffler(m) == "none" else BY_MACHINE
    m.history[at + COUNT] = number if counting else UNCOUNTED
    return number


def counted(m, ev, out):
    """A machine counted a deck at any time (G5): another number than 52 sends it away."""
    count, told = ev[1], ev[2]
    if told > procedures.decks(m):
        raise Refused("malformed", "COUNTED")
    deck = told - 1 if told else _in_shuffler(m)
    m.history[SIZE * deck + COUNT] = count
    if m.phase == ROUND and deck != m.deck:
        m.history[SIZE * deck + HOW] = BY_MACHINE | CAME
    out.append(("log", "counted", count, deck))
    if count == DECK:
        return
    if m.phase == ROUND:
        m.broken |= WRONG
        out.append(("alarm", "counted_wrong", deck + 1, str(count)))
    else:
        procedures.remove_deck(m, deck, out)


def _in_shuffler(m):
    """While one of two decks is played the other one is shuffled (G12)."""
    return m.deck ^ 1 if m.phase == ROUND and procedures.decks(m) == 2 else m.deck


def spread(m):
    """Counts that came before stand for no deck that is mixed again."""
    for deck in range(2):
        m.history[SIZE * deck + HOW] &= ~CAME


def leaves(m, played):
    """Return the deck that leaves after a round, None when none does."""
    for deck in range(2) if m.broken & WRONG else ():
        if m.history[SIZE * deck + COUNT] not in (UNCOUNTED, DECK):
            return deck
    return played if m.r.stub_counted == 2 or m.broken & WRONG else None


def facts(m, deck):
    """Return (round of its inspection, rounds since its stub was counted, how, last count)."""
    at = SIZE * deck
    number = m.history[at] << 8 | m.history[at + 1]
    how = m.history[at + HOW] & ~CAME
    return number, procedures.rounds_of(m, deck), how, m.history[at + COUNT]


HANDLERS = {"COUNTED": counted}
