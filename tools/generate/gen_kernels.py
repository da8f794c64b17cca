"""Write kernels.py and seats.py of the evaluator: viper kernels unrolled from one template.

The kernels only calculate.  A table would have to be found first, and to make a pointer of any
object costs a Cortex-M0+ as much as evaluating five cards (docs/evaluator.md).

The text they are made of is in kernel_text.py.

Usage: gen_kernels.py [--check]
"""

import sys

from tools.generate.kernel_text import (
    BOARD,
    CATEGORIES,
    FIVE,
    FLUSHES,
    HEAD,
    IMPORT,
    LETTERS,
    OTHERS,
    RUNS,
    SEATS,
    SINGLE,
)
from tools.generate.written import keep
from tools.paths import FIRMWARE

FELT = FIRMWARE / "felt" / "evaluator"


def suits(first, count):
    yield "r = (1 << (b[%d] << 2 & 12)) + 0x3333" % first
    for i in range(first + 1, first + count):
        yield "r = (1 << (b[%d] << 2 & 12)) + r" % i


def ranks(first, count):
    """A local variable costs less to add up later than a rank costs to find twice."""
    yield "r = 1 << (b[%d] >> 2)" % first
    yield LETTERS[0] + " = r"
    for i in range(1, count):
        yield "r = (%s := 1 << (b[%d] >> 2)) ^ r" % (LETTERS[i], first + i)


def macros(kind):
    """Return {word: lines it stands for, or a function of the word after it}."""
    seats = kind == "seats"
    first, count = (12, 5) if seats else (0, kind)
    drop = ["r = r - 1 & r"] * (1 if kind == 6 else 2)
    return {
        "SUITS": suits(first, count),
        "RANKS": ranks(first, count),
        "RUNS": RUNS,
        "FLUSHES": FLUSHES.split("\n")[1:-1],
        "OTHERS": OTHERS.split("\n")[1:-1],
        "DROP": drop,
        "STEP": ["i -= 1", "if not i - 11:", "    i = k + 1"] if seats else ["i -= 1"],
        "TOP": lambda name: ["while {0} - 1 & {0}:", "    {0} = {0} - 1 & {0}"],
        "give": lambda value: (
            ["ptr32(b)[j] = " + value, "continue"] if seats else ["return " + value]
        ),
    }


def expand(lines, known):
    """Yield the template's lines with its macros written out."""
    for line in lines:
        word, _, rest = line.strip().partition(" ")
        indent = line[: len(line) - len(line.lstrip())]
        if word not in known:
            yield line
            continue
        stands_for = known[word]
        inner = [t.format(rest) for t in stands_for(rest)] if callable(stands_for) else stands_for
        yield from expand([indent + text for text in inner], known)


def kernel(kind):
    """Return the source of one kernel: for 5, 6 or 7 cards or for "seats"."""
    seats = kind == "seats"
    body = BOARD if seats else FIVE if kind == 5 else "\nSUITS\nFLUSHES\nRANKS\nOTHERS\n"
    lines = ["    " + line for line in expand(body.split("\n")[1:-1], macros(kind))]
    if seats:
        lines.pop()  # the loop goes on there anyway
    text = (SEATS if seats else SINGLE) + "\n".join(lines) + "\n"
    letters = LETTERS[: 5 if seats else kind]
    names = [
        ("rankN", "rank%s" % kind),
        (" N ", " %s " % kind),
        ("SUM", "p - r + x + y" if seats else "g - r + " + " + ".join(letters[1:])),
        ("TOTAL", " + ".join(letters)),
        ("FIRST", "17" if seats else str(kind)),
        ("while MORE", "while i - k" if seats else "while i"),
    ]
    names += [
        (name, str(CATEGORIES.index(name) + 1 << 26))
        for name in sorted(CATEGORIES, key=len, reverse=True)
    ]
    for name, value in names:
        text = text.replace(name, value)
    return text


def sources():
    """Return {file: the generated module}."""
    singles = "\n".join([IMPORT] + [kernel(kind) for kind in (5, 6, 7)])
    return {
        FELT / "kernels.py": HEAD + singles,
        FELT / "seats.py": HEAD + kernel("seats"),
    }


if __name__ == "__main__":
    sys.exit(keep(sources(), "--check" in sys.argv))
