"""Rounds in a row on the virtual table: what one round leaves behind, the next one meets."""

from __future__ import annotations

from pathlib import Path

import pytest

from host_tests.helpers.bench_table import at_table, script
from tools.bench.session import Session

ROUNDS = 4
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
