"""Evenings at the table in short: every game and method against the witness."""

from __future__ import annotations

import socket
import subprocess
import sys
from typing import Iterator

import pytest

from tools.prove.evening import METHODS, play
from tools.prove.witness.judge import Differs
from tools.prove.witness.training import GAMES
from tools.prove.witness.virtual import came_up

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


@pytest.fixture
def port() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def a_program(text: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", text], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


def test_of_all_that_come_to_the_port_the_board_is_who_says_its_word(port: socket.socket) -> None:
    board = a_program("input()")
    lines = [socket.create_connection(port.getsockname()) for _ in range(5)]
    for line, said in zip(lines, (b"", b"GET /ws HTTP/1.1", b"wo", b"worn", b"word+more")):
        line.sendall(said)
    lines[2].close()
    with board, came_up(port, b"word", board) as found:
        assert found.getpeername() == lines[-1].getsockname()
        assert found.recv(99) == b"+more"
        board.communicate(b"\n")
    for line in lines:
        line.close()


def test_a_board_that_does_not_come_up_is_not_waited_for(port: socket.socket) -> None:
    with a_program("print('no memory')") as board:
        with pytest.raises(Differs, match="the firmware ended: no memory"):
            came_up(port, b"word", board)
