"""Mutated configurations: each is refused by name, or says exactly what any JSON reader reads.

The same documents go through MicroPython: both interpreters must give the same answer.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Callable

from felt.games.settings import SettingsError, resolve
from felt.store import config

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = sorted((ROOT / "tools" / "configs").glob("*.json"))
VALUES = (
    "null",
    "-1",
    "4294967296",
    "999999999999",
    "1.5",
    "1e3",
    '""',
    '"x"',
    "[]",
    "{}",
    "true",
)
BATCH = 200
# Runs on the board's interpreter: one answer a document, lines of hex in, reasons out.
GUEST = """
import sys
from binascii import unhexlify
from felt.games.settings import SettingsError, resolve
from felt.store import config
for line in sys.stdin:
    try:
        resolve(config.parse(unhexlify(line.strip())))
        print("taken")
    except config.ConfigError as e:
        print("refused", e.code, e.about)
    except SettingsError as e:
        print("refused", e.why, e.name)
"""


def answer(raw: bytes) -> str:
    try:
        resolve(config.parse(raw))
    except config.ConfigError as e:
        return f"refused {e.code} {e.about}"
    except SettingsError as e:
        return f"refused {e.why} {e.name}"
    return "taken"


def mutated(raw: bytes, dice: random.Random) -> bytes:
    """A document one small step from a good one."""
    kind = dice.randrange(6)
    at = dice.randrange(len(raw))
    if kind == 0:
        return raw[:at] + bytes([dice.choice(b'{}[],:"\\0 9-eE.\xc3\xff')]) + raw[at + 1 :]
    if kind == 1:
        return raw[:at] + raw[at + 1 + dice.randrange(4) :]
    if kind == 2:
        return raw[:at] + dice.choice((b",", b'"', b"}", b" 1", b"[[[[[[[[", b"\x00")) + raw[at:]
    doc = json.loads(raw)
    name = dice.choice(sorted(doc))
    if kind == 3:
        text = json.dumps(doc).replace(json.dumps(doc[name]), dice.choice(VALUES), 1)
        return text.encode()
    if kind == 4:
        again = json.dumps(name)[1:-1]
        again = again.replace(again[0], f"\\u{ord(again[0]):04x}", 1)
        return (json.dumps(doc)[:-1] + f', "{again}": 1}}').encode()
    return json.dumps({**doc, name + dice.choice("sx_"): 1}).encode()


def plain(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise ValueError("a key twice")
    return dict(pairs)


def on_micropython(documents: list[bytes]) -> list[str]:
    with tempfile.NamedTemporaryFile("w", suffix=".py") as script:
        script.write(GUEST)
        script.flush()
        beside = str(Path(sys.executable).with_name("micropython"))
        done = subprocess.run(
            [os.environ.get("MICROPYTHON", beside), script.name],
            input="\n".join(raw.hex() for raw in documents) + "\n",
            env={**os.environ, "MICROPYPATH": f"{ROOT / 'firmware'}:.frozen"},
            capture_output=True,
            text=True,
        )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def run(count: int, seed: int, say: Callable[[str], None]) -> str:
    dice = random.Random(seed)
    refused = taken = 0
    reasons: dict[str, int] = {}
    while refused < count:
        batch = [mutated(dice.choice(EXAMPLES).read_bytes(), dice) for _ in range(BATCH)]
        answers = [answer(raw) for raw in batch]
        for raw, mine, board in zip(batch, answers, on_micropython(batch), strict=True):
            assert mine.strip() == board.strip(), (raw, mine, board)
            if mine == "taken":
                taken += 1
                assert json.loads(raw, object_pairs_hook=plain) == config.parse(raw), raw
            else:
                refused += 1
                reason = mine.split()[1]
                reasons[reason] = reasons.get(reason, 0) + 1
        say(f"{refused} refused")
    named = ", ".join(f"{n} {reason}" for reason, n in sorted(reasons.items()))
    return (
        f"{refused} refused by name on both interpreters ({named}); {taken} still good ones taken"
    )
