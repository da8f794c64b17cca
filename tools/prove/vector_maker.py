"""Makes settlement vectors: random rounds, and rounds bent towards the rare cases.

A bent deck deals from few ranks or suits first, so that ties, royals, quads and boundary pairs
come up in every hundred rounds instead of every million. `expect` comes from the oracle.
"""

from __future__ import annotations

import random
from typing import Any, Iterator

from tools.games import GAMES
from tools.prove import oracle
from tools.prove.oracles import makers


def make(game: str, number: int, seed: int = 1) -> dict[str, Any]:
    """One legal vector with the oracle's expectation; the same for the same arguments."""
    rng = random.Random(f"{game} {number} {seed}")
    v = oracle.of(game).make(rng)
    v["id"], v["game"] = f"{game}-{seed}-{number:06d}", game
    if makers.flip(rng, 0.25):
        v["table"]["dealing"] = rng.choice(("shoe", "hand", "auto"))
    if makers.flip(rng, 0.03):
        v["void"] = True
        v.pop("spins", None)
    rng.shuffle(v["seats"])
    v["expect"] = oracle.settle(v)
    return v


def many(count: int, seed: int = 1, games: tuple[str, ...] = GAMES) -> Iterator[dict[str, Any]]:
    for number in range(count):
        yield make(games[number % len(games)], number, seed)


if __name__ == "__main__":
    import json
    import sys

    for vector in many(int(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1):
        print(json.dumps(vector))
