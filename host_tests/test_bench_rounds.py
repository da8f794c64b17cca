"""Rounds in a row on the virtual table: what one round leaves behind, the next one meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tests.helpers.bench_table import at_table, script
from tools.bench.session import Session

ROUNDS = 2
ROUND = """
bet 2 ante 10 odds 10 trips_plus 5
say nmb
{deal}
decide 2 check
{deal}
decide 2 check
{deal}
decide 2 raise1
settle
say ok
checklist
"""
DEALS = {"shoe": "deal-all", "hand": "hand due\nwait 2000", "auto": "wait 2000\nsettle"}


@pytest.mark.parametrize("dealing", DEALS)
def test_rounds_in_a_row(tmp_path: Path, dealing: str) -> None:
    text = f"repeat {ROUNDS}\n{ROUND.format(deal=DEALS[dealing])}\nend\n"

    async def play(session: Session) -> list[str]:
        await script(session, text)
        return session.world.feed

    feed = at_table(tmp_path, play, "headsup", dealing=dealing)
    assert f"over {ROUNDS}" in feed
    assert not [line for line in feed if line.startswith("void")]


FOLDED = """
bet 2 ante 10 odds 10
bet 4 ante 10 odds 10
say nmb
deal-all
decide 2 check
decide 4 check
deal-all
decide 2 check
decide 4 check
deal-all
decide 2 fold
wait 300
"""


def test_a_fold_that_is_taken_back_gives_its_chips_back(tmp_path: Path) -> None:
    async def play(session: Session) -> list[dict]:
        world = session.world
        await script(session, FOLDED)
        assert (2, "ante") not in world.chips.cents and world.moves
        await script(session, "say undo\nwait 300\n")
        assert world.chips.cents[2, "ante"] == 1000 and not world.moves
        await script(session, "decide 2 fold\nwait 300\n")
        return world.moves

    moves = at_table(tmp_path, play, "headsup", dealing="shoe")
    assert [(move["kind"], move["wager"]) for move in moves] == [
        ("take", "ante"),
        ("take", "odds"),
    ]


TAKEN_BACK = """
bet 2 ante 10
bet 4 ante 10
say nmb
deal-all
decide 2 bet
wait 300
say undo
wait 300
decide 2 fold
wait 300
"""


def test_a_raise_taken_back_leaves_the_felt_and_an_earlier_one_stays(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        world = session.world
        await script(session, TAKEN_BACK)
        assert (2, "bet") not in world.chips.cents
        await script(session, "say undo\nwait 300\ndecide 2 bet\ndecide 4 bet\ndeal-all\n")
        await script(session, "decide 2 double\nwait 300\nsay undo\nwait 300\n")
        assert world.chips.cents[2, "double"] == 2000
        await script(session, "decide 2 fold\nwait 300\n")
        assert world.chips.cents[2, "bet"] == 1000 and (2, "double") not in world.chips.cents
        return [str(each["text"]) for each in world.notices]

    said = at_table(tmp_path, play, "winners_pot", dealing="shoe")
    assert not [text for text in said if "BET" in text]
