"""Write the evaluator's tables.py: what every hand is looked up in and the kernels that read it.

The tables are runs of 32-bit words in one constant:

CARD   a card's two-bit count field (bit 2 * rank) and its suit bits (26: low, 29: high)
HINT   at the index of a hand's two suit sums: 0 if no five of seven cards can be of one suit,
       else 1, + 2 if five of five are, + 4 if that suit is hearts or spades, and the first word of
       its table of ranks (bits 8 up) and shift in it (24 up)
RANK, HIGH   a card's rank as a bit and a count of cards (bit 13); diamonds, spades 16 bits higher
FOUR, THREE, MIDDLE, TOP   count fields of 4 + 3 + 3 + 3 ranks -> single ranks (bit 0 up), ranks
       held more than once (bit 13 up), and pairs + 3 * trips (bit 26 up), ready to be added
ODD    a bit for each set of ranks: it holds a straight or fewer than five ranks

A frozen constant may lie at any address and a Cortex-M0+ faults on an odd word, so the constant
has four copies, three bytes apart; the kernels, whose text is in table_text.py, take the one
that is aligned.

Usage: gen_tables.py [--check]
"""

import struct
import sys
from collections.abc import Iterator

from tools.generate.kernel_text import CATEGORIES
from tools.generate.table_text import FIVE, GROUPS, HEAD, HINTS, LINES, MORE, SINGLE
from tools.generate.written import keep
from tools.paths import FIRMWARE

OUT = FIRMWARE / "felt" / "evaluator" / "tables.py"
LIMIT = 16384  # bytes of all copies together
SIZES = (5, 6, 7)


def card_words() -> list[int]:
    return [1 << (c >> 2) * 2 | (c & 1) << 26 | (c >> 1 & 1) << 29 for c in range(52)]


def rank_words(high: int) -> list[int]:
    word = [1 << (card >> 2) | 1 << 13 for card in range(52)]
    return [word[c] << 16 * (c & 1) if c >> 1 & 1 == high else 0 for c in range(52)]


def suit_counts(cards: int) -> Iterator[tuple[int, int, int, int]]:
    """Every way to split so many cards among four suits."""
    for a in range(cards + 1):
        for b in range(cards - a + 1):
            for c in range(cards - a - b + 1):
                yield a, b, c, cards - a - b - c


def hint_words(ranks: int) -> list[int]:
    """`ranks` is where the tables of ranks begin."""
    words = [0] * 64
    for counts in suit_counts(7):
        if max(counts) >= 5:
            suit = counts.index(max(counts))
            high, odd = suit >> 1, suit & 1
            index = counts[1] + counts[3] + 8 * (counts[2] + counts[3])
            words[index] = 1 | high << 2 | ranks + 52 * high << 8 | 16 * odd << 24
    for index in (0, 5, 40, 45):  # the sums of five cards of one suit
        words[index] |= 2
    return words


def group_words(first: int, ranks: int) -> list[int]:
    words = []
    for index in range(4**ranks):
        word = 0
        for i in range(ranks):
            held = index >> 2 * i & 3
            word += (0, 1, 1 << 13, 1 << 13)[held] << first + i
            word += (0, 0, 1, 3)[held] << 26
        words.append(word)
    return words


def straight(ranks: int) -> bool:
    """Whether five ranks follow each other; the ace also stands below the deuce."""
    ranks = ranks << 1 | ranks >> 12
    return any(ranks >> low & 31 == 31 for low in range(10))


def odd_words() -> list[int]:
    words = [0] * 256
    for ranks in range(8192):
        if straight(ranks) or ranks.bit_count() < 5:
            words[ranks >> 5] |= 1 << (ranks & 31)
    return words


def layout() -> tuple[list[int], dict[str, int]]:
    """Return the words and where each table begins."""
    parts = {
        "CARD": card_words(),
        "THREE": group_words(4, 3),
        "MIDDLE": group_words(7, 3),
        "TOP": group_words(10, 3),
        "FOUR": group_words(0, 4),  # begins below 256: a small number in the kernels
        "HINT": [0] * 64,
        "ODD": odd_words(),
        "RANK": rank_words(0),
        "HIGH": rank_words(1),
    }
    at, size = {}, 0
    for name, part in parts.items():
        at[name] = size
        size += len(part)
    parts["HINT"] = hint_words(at["RANK"])
    return [word for part in parts.values() for word in part], at


def tables() -> bytes:
    """Return the constant: four copies, three bytes apart."""
    words, _ = layout()
    return b"\0\0\0".join([struct.pack(f"<{len(words)}I", *words)] * 4)


def expand(lines: list[str], size: int) -> Iterator[str]:
    """Yield the template's lines with its macros written out."""
    for line in lines:
        name = line.strip()
        indent = line[: len(line) - len(line.lstrip())]
        if name in LINES:
            yield from (indent + text for text in LINES[name][size])
        else:
            yield line


def kernel(size: int) -> str:
    """Return the source for so many cards."""
    words, at = layout()
    body = expand((FIVE if size == 5 else MORE).split("\n")[1:-1], size)
    text = SINGLE + "\n".join("    " + line for line in body) + "\n"

    def sums(table: str) -> str:
        return " + ".join(f"ptr32(t)[b[{i}]{table}]" for i in range(size))

    names = {"SUMS": sums(""), "HIGHS": sums(" + HIGH"), "LOWS": sums(" + RANK")}
    names |= {"GROUPS": GROUPS, "HINTS": HINTS, "COPY": str(4 * len(words) + 3)}
    names |= {"rankN": f"rank{size}", " N ": f" {size} ", "COUNT": str(size)}
    names |= {f"+ {name}": f"+ {place}" for name, place in at.items()}
    names |= {f"[{name}]": f"[{place}]" for name, place in at.items()}
    for name in sorted(CATEGORIES, key=len, reverse=True):
        names[name] = str(CATEGORIES.index(name) + 1 << 26)
    for name, value in names.items():
        text = text.replace(name, value)
    return text


def source() -> str:
    data = tables()
    rows = [f"    {data[i : i + 24]!r}" for i in range(0, len(data), 24)]
    return "\n".join([HEAD % "\n".join(rows)] + [kernel(size) for size in SIZES])


def main(check: bool) -> int | str:
    if len(tables()) > LIMIT:
        return f"the tables take more than {LIMIT} bytes"
    return keep({OUT: source()}, check)


if __name__ == "__main__":
    sys.exit(main("--check" in sys.argv))
