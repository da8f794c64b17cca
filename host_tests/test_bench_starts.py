"""Every state the virtual table can be started in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from host_tests.helpers.bench_table import SPIN, at_table, script, told
from tools.bench.session import SCRIPTS, Session
from tools.bench.supervisor import until
from tools.games import GAMES


@pytest.mark.parametrize(
    ("start", "fault", "phase"),
    [
        ("open", None, "bet"),
        ("closed", None, "closed"),
        ("factory", "vault_blank", None),
        ("midround", None, "decide"),
        ("corrupt", "vault_", None),
        ("nofram", "vault_missing", None),
        ("stuckrandom", None, "bet"),
        ("noshoe", None, "bet"),
    ],
)
def test_start_states(start: str, fault: str | None, phase: str | None, tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        return session.world.picture

    picture = at_table(tmp_path, play, start=start)
    if fault:
        assert picture["fault"].startswith(fault)
    else:
        assert (picture["fault"], picture["phase"]) == (None, phase)


def test_a_table_begun_anew_where_one_was_played_is_open(tmp_path: Path) -> None:
    """`make run` a second time came up dead: its archive was newer than its memory."""

    async def play(session: Session) -> Any:
        await script(session, (SCRIPTS / "headsup.felt").read_text())
        await script(session, "wait 3000\n")
        assert any((session.world.state / "flash" / "rounds").iterdir()), "the round was archived"

    async def look(session: Session) -> Any:
        return session.world.picture

    at_table(tmp_path, play, "headsup")
    picture = at_table(tmp_path, look, "headsup")
    assert (picture["fault"], picture["phase"]) == (None, "bet")


@pytest.mark.parametrize(("game", "dealing"), list(zip(GAMES, ("shoe", "hand", "auto") * 2)))
def test_a_round_cut_in_the_middle_is_played_to_its_end(
    game: str, dealing: str, tmp_path: Path
) -> None:
    """Whatever the table asks for after the power loss is done until bets are open again; every
    game in one way."""

    async def play(session: Session) -> Any:
        world = session.world
        begun = dict(world.picture or {})
        await script(session, "wait 300\n")  # chips are believed after a few scans
        for _ in range(40):
            picture = world.picture or {}
            if picture["phase"] == "bet":
                break
            await script(session, next_move(session, picture))
        else:
            raise AssertionError(told(session))
        assert not [line for line in world.feed if line.startswith("alarm")]
        return begun, world.picture, world.chips.cents

    begun, after, chips = at_table(tmp_path, play, game, dealing=dealing, start="midround")
    assert begun["phase"] == "decide" and all(begun["cards"][seat] for seat in (2, 5))
    assert [seat for seat, bets in enumerate(begun["bets"]) if bets] == [2, 5]
    assert (after["phase"], after["round_no"], chips) == ("bet", 1, {})


def next_move(session: Session, picture: dict[str, Any]) -> str:
    """What the strip under the felt would offer first, as a script."""
    due = picture["due"]
    phase, seat = due["kind"], due["seat"]
    if phase == "decide":
        return f"decide {seat} {due['choices'][0]}"
    if phase == "deal":
        return {"shoe": "deal-all", "hand": "hand", "auto": "wait 200"}[session.dealing]
    if phase == "discard":
        return f"say discard {seat} {session.world.peek[seat][0]}"
    if phase == "spin":
        return "say spin\nwait-for wheel still within 20000"
    if phase == "hand_pay":
        return f"key attendant on\nwait 200\nsay handpaid {seat}\nkey attendant off"
    return {"check": "checklist", "collect": "say ok", "spun": "say ok"}.get(phase, "settle")


def test_factory_new_table_is_set_up_with_both_keys(tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        world = session.world
        for line in ("power off", "key service on", "key attendant on", "power on"):
            world.do(line)
        assert await until(lambda: any("service console" in t for t in world.console))
        world.do("type clear")
        assert await until(lambda: "OK" in world.console), world.console
        for line in ("power off", "key service off", "key attendant off", "power on"):
            world.do(line)
        assert await until(lambda: session.supervisor.starts == 3 and world.alive)
        return world.picture

    picture = at_table(tmp_path, play, start="factory")
    assert (picture["fault"], picture["phase"]) == (None, "closed")


def test_stuck_random_source_takes_no_spin_wager(tmp_path: Path) -> None:
    """What cannot be drawn is said before money is taken."""

    async def play(session: Session) -> list[str]:
        bets = SPIN.partition("deal-all")[0]
        await script(session, bets + "expect notice random source\nexpect phase bet\n")
        return session.world.feed

    feed = at_table(tmp_path, play, start="stuckrandom")
    assert not [line for line in feed if line.startswith("spin ")]
