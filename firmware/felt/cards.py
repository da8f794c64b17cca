"""Card ids, the one notation every other module shares: id = rank*4 + suit."""

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = 52
UNKNOWN = 255  # in place of an id: a card nobody has read or named yet


def parse(text):
    """Return the id of a two-character card such as "Ah"."""
    if len(text) == 2:
        rank = RANKS.find(text[0])
        suit = SUITS.find(text[1])
        if rank >= 0 and suit >= 0:
            return rank * 4 + suit
    raise ValueError("not a card: %r" % (text,))


def parse_all(text):
    """Return the ids of concatenated cards such as "AhKd" as bytes."""
    if len(text) % 2:
        raise ValueError("cards come in pairs of characters: %r" % (text,))
    return bytes([parse(text[i : i + 2]) for i in range(0, len(text), 2)])


def name(card):
    """Return "Ah" for an id; the inverse of parse."""
    if not 0 <= card < 52:
        raise ValueError("not a card id: %r" % (card,))
    return RANKS[card >> 2] + SUITS[card & 3]


def names(ids):
    """Return "Ah Kd" for a buffer of ids."""
    return " ".join([name(c) for c in ids])
