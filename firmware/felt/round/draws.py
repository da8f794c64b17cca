"""Where each card lies, derived: the cards in the order they were drawn, and the order of places.

A report can change the derivation (a place skipped, a card too many, a burn missed, a card found
face up after it was read), so neither list is ever rewritten by hand: `lay` reads both again.
"""

import micropython
from felt.cards import DECK, UNKNOWN
from felt.games.common import BURN, DEAD, DISCARD, PLACES, UP, VOID
from felt.round.state import FACE_UP, IN_PLAY

KEPT = 254  # among cards that are named: this one, which nobody has seen, lies as it did


def count_in_play(r):
    """Return how many drawn cards are in play: lying at a place, or held as the next ones."""
    return bytes(r.fate).count(bytes([IN_PLAY]))


def push(r, card, fate=IN_PLAY):
    """A card left the deck."""
    r.raw.append(card)
    r.read.append(card)
    r.fate.append(fate)


def lay(r):
    """Work out again what lies where, which of it is visible, and which cards are known."""
    r.cards = [bytearray() for _ in range(PLACES)]
    r.visible = [0] * PLACES
    in_play = 0
    for card, fate in zip(r.read, r.fate):
        if fate != IN_PLAY:
            r.visible[DISCARD] |= int(fate == FACE_UP) << len(r.cards[DISCARD])
            r.cards[DISCARD].append(card)
        elif in_play < len(r.slots):
            slot = r.slots[in_play]
            place = slot & ~UP
            if slot & UP:
                r.visible[place] |= 1 << len(r.cards[place])
            r.cards[place].append(card)
            in_play += 1
    _name(r)
    _know(r)
    r.laid = bytes(r.read), bytes(r.slots)


@micropython.native
def deal(r):
    """New cards take the places that are due. What lies there is looked at again only where more
    than that has changed: on a full table it takes longer than all else a card does."""
    read, slots = r.laid
    told = r.owed or any(r.fate) or any(r.named)  # IN_PLAY is 0
    if told or r.slots != slots or r.read[: len(read)] != read:
        return fit(r)
    while len(r.slots) < len(r.read) and r.at < len(r.plan):
        r.slots.extend(r.plan[r.at])
        r.at += 1
    for i in range(len(slots), len(r.slots)):
        place = r.slots[i] & ~UP
        nth = len(r.cards[place])
        if r.slots[i] & UP or r.turned[place] >> nth & 1:
            r.visible[place] |= 1 << nth
        r.cards[place] += r.read[i : i + 1]
    for card in r.read[len(read) :]:
        if card < DECK:
            r.seen[card] = 1
    r.laid = bytes(r.read), bytes(r.slots)


def _name(r):
    """What was named wins over what was read: it lies here, so it does not lie there."""
    named = [c for cards in r.named for c in cards or () if c < DECK]
    for place in range(PLACES):
        lie = r.cards[place]
        r.visible[place] |= r.turned[place] & (1 << len(lie)) - 1
        said = r.named[place] or b""
        for i in range(len(lie)):
            if i < len(said) and said[i] != KEPT:
                lie[i] = said[i]
            elif lie[i] in named:
                lie[i] = UNKNOWN


def _know(r):
    r.seen = bytearray(DECK)
    for cards in r.cards + [r.held]:
        for card in cards:
            if card < DECK:
                r.seen[card] = 1


def shown(r, c):
    """True for a card that everybody has seen in this round."""
    for place in range(PLACES):
        for i, lies in enumerate(r.cards[place]):
            if lies == c and r.visible[place] >> i & 1:
                return True
    return False


def known(r, c):
    """True for a card in the round that everybody has seen, or that a person typed."""
    if not r.seen[c]:
        return False
    typed = c in list(r.entered) or any([c in list(said or b"") for said in r.named])
    return typed or shown(r, c)


def entered(r):
    """True when the card that stopped the deal lies there already, as a person entered it."""
    if not r.stopped or r.why[:1] != ("back",):
        return False
    _, position, cards = r.stopped[0]
    first = position - r.base - len(cards)
    told = r.raw[first : first + len(cards)] if first >= 0 else ()
    return len(told) == len(cards) and all([c in list(r.entered) for c in told])


def doubt(r, cards):
    """These lie elsewhere: whatever was read as one of them face down is something else."""
    there = set(cards) & set(r.read)
    for i, c in enumerate(r.read if there else ()):
        if c in there:
            r.read[i] = UNKNOWN


def fit(r):
    """After a change: cards and places in step again, in the stage they belong to."""
    cards = count_in_play(r)
    while len(r.slots) > cards:
        slot = r.slots[-1]
        r.slots = r.slots[:-1]
        if r.kind() == "deal" and r.at and r.plan[r.at - 1] == bytes([slot]) and not r.owed:
            r.at -= 1
        elif not gone(r, slot & ~UP):
            r.owed = bytearray([slot]) + r.owed
    while len(r.slots) < cards:
        if r.owed:
            r.slots.append(r.owed[0])
            r.owed = r.owed[1:]
        elif r.at < len(r.plan):
            r.slots.extend(r.plan[r.at])
            r.at += 1
        else:
            break
    lay(r)


def gone(r, place):
    """True for a seat that is out of the round: it is owed nothing."""
    return place in r.seats and r.status[place] in (VOID, DEAD)


def lap_of(r, place, lap):
    """Return the index in `slots` of a place's card of that lap, or None where it is no help.

    Cards of a later stage lie where they lie: an earlier one can no longer be moved.
    """
    found = 0
    for i, slot in enumerate(r.slots):
        if slot & ~UP == place:
            found += 1
            if found == lap:
                later = len(r.slots) > r.stage_from > i
                return None if later or r.dealing == "auto" else i
    return None


def insert(r, at, place, times):
    """Cards too many were given to a place when it was its turn."""
    r.slots = r.slots[: at + 1] + bytearray([place] * times) + r.slots[at + 1 :]
    fit(r)


def remove(r, at):
    """A place was passed over: every later card lies one place further."""
    r.slots = r.slots[:at] + r.slots[at + 1 :]
    fit(r)


def last_burn(r):
    """Return the index of this stage's last burn in `slots`, or None."""
    for i in range(len(r.slots) - 1, r.stage_from - 1, -1):
        if r.slots[i] & ~UP == BURN:
            return i
    return None


def forget(r, place):
    """What a place holds is not known any more: it is named when it is turned."""
    r.named[place] = bytes([UNKNOWN] * len(r.cards[place]))
    lay(r)


def unknown(r, place):
    """True while a card of a place was neither read nor named."""
    return UNKNOWN in list(r.cards[place])
