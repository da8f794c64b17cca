"""Write kernels.py of the evaluator: viper kernels unrolled from one template.

The kernels only calculate.  A table would have to be found first, and to make a pointer of any
object costs a Cortex-M0+ as much as evaluating five cards (docs/evaluator.md).

The text they are made of is in kernel_text.py.

Usage: gen_kernels.py [--check]
"""

import sys

from tools.generate.kernel_text import (
    CATEGORIES,
    FIVE,
    FLUSHES,
    HEAD,
    IMPORT,
    LETTERS,
    OTHERS,
    RUNS,
    SINGLE,
)
from tools.generate.written import keep
from tools.paths import FIRMWARE

FELT = FIRMWARE / "felt" / "evaluator"


def suits(count):
    yield "r = (1 << (b[0] << 2 & 12)) + 0x3333"
    for i in range(1, count):
        yield "r = (1 << (b[%d] << 2 & 12)) + r" % i


def ranks(count):
    """A local variable costs less to add up later than a rank costs to find twice."""
    yield "r = 1 << (b[0] >> 2)"
    yield LETTERS[0] + " = r"
    for i in range(1, count):
        yield "r = (%s := 1 << (b[%d] >> 2)) ^ r" % (LETTERS[i], i)


def macros(count):
    """Return {word: lines it stands for, or a function of the word after it}."""
    drop = ["r = r - 1 & r"] * (1 if count == 6 else 2)
    return {
        "SUITS": suits(count),
        "RANKS": ranks(count),
        "RUNS": RUNS,
        "FLUSHES": FLUSHES.split("\n")[1:-1],
        "OTHERS": OTHERS.split("\n")[1:-1],
        "DROP": drop,
        "TOP": lambda name: ["while {0} - 1 & {0}:", "    {0} = {0} - 1 & {0}"],
        "give": lambda value: ["return " + value],
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


def kernel(count):
    """Return the source of one kernel: for 5, 6 or 7 cards."""
    body = FIVE if count == 5 else "\nSUITS\nFLUSHES\nRANKS\nOTHERS\n"
    lines = ["    " + line for line in expand(body.split("\n")[1:-1], macros(count))]
    text = SINGLE + "\n".join(lines) + "\n"
    letters = LETTERS[:count]
    names = [
        ("rankN", "rank%s" % count),
        (" N ", " %s " % count),
        ("SUM", "g - r + " + " + ".join(letters[1:])),
        ("FIRST", str(count)),
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
    return {FELT / "kernels.py": HEAD + "\n".join([IMPORT] + [kernel(n) for n in (5, 6, 7)])}


if __name__ == "__main__":
    sys.exit(keep(sources(), "--check" in sys.argv))
