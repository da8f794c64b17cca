"""Evenings at the table in short: every game and method against the witness."""

from __future__ import annotations

import pytest

from tools.prove.evening import METHODS, play
from tools.prove.witness.training import GAMES

# A start costs more than a round: each game in one way.
BOARDS = list(zip(sorted(GAMES), METHODS * 2))


@pytest.mark.parametrize("rounds, errors", [(12, 0), (20, 30)])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("game", sorted(GAMES))
def test_rounds_pay_what_lies_on_the_felt(
    game: str, method: str, rounds: int, errors: int
) -> None:
    """What a dealer without mistakes does lies in the other evening, too."""
    said: list[str] = []
    assert play(game, method, rounds, errors, 7, said.append) == (rounds, 0), "\n".join(said)


@pytest.mark.parametrize("game, method", BOARDS)
def test_rounds_on_real_micropython(game: str, method: str) -> None:
    said: list[str] = []
    found = play(game, method, 1, 30, 7, said.append, "micropython")
    assert found == (1, 0), "\n".join(said)
