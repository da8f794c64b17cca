"""The virtual table as a whole: real MicroPython, real firmware, real links, stepped time."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Awaitable, Callable

import pytest

from bench import memory, record
from bench.display import Display
from bench.runner import Runner
from bench.script import ScriptError, parse
from bench.session import SCRIPTS, Session, claim
from bench.supervisor import until
from bench.hands import ActionError

ROOT = Path(__file__).resolve().parent.parent
GAMES = ("premium", "headsup", "colorado", "winners_pot")
SPIN = """
stack Ah 9c 2c Ks  Qh 9d 7d 4s  5h Jc 8s 2d  9h 3c Td 6s
bet 1 ante 5 xtra 5 bonus_spin 5
bet 3 ante 10 xtra 10
bet 5 ante 5 xtra 5
say nmb
deal-all
decide 1 check
decide 3 play3
decide 5 check
deal-all
decide 1 play1
decide 5 fold
settle
expect prompt Seat 1 spins
say spin
wait-for wheel turning
"""


def at_table(
    folder: Path, play: Callable[[Session], Awaitable[Any]], game: str = "premium", **options: Any
) -> Any:
    """Run `play` with a powered table in stepped time; nothing is left running afterwards."""

    async def run() -> Any:
        session = Session(folder, game, live=False, **options)
        await session.start()
        try:
            assert await until(lambda: session.world.picture is not None, 30), (
                session.world.console
            )
            return await play(session)
        finally:
            await session.stop()

    return asyncio.run(run())


async def script(session: Session, text: str, seconds: float = 60) -> Runner:
    """Play a script to its end; its error is the test's."""
    runner = Runner(parse(text), session.supervisor, session.folder)
    session.supervisor.on_tick.append(runner.step)
    assert await until(lambda: runner.done, seconds), runner.current
    session.supervisor.on_tick.remove(runner.step)
    assert not runner.error, "\n".join(runner.transcript[-12:])
    return runner


@pytest.mark.parametrize("game", GAMES)
def test_every_game_plays_its_demo(game: str, tmp_path: Path) -> None:
    text = (SCRIPTS / f"{game}.felt").read_text()

    async def play(session: Session) -> list[str]:
        await script(session, text)
        return session.world.feed

    feed = at_table(tmp_path, play, game)
    assert [line for line in feed if line.startswith("over ")] == ["over 1"]
    assert any(line.startswith(("pay ", "pot ")) for line in feed)
    assert game != "winners_pot" or any(line.startswith("commission ") for line in feed)


def test_stepped_time_repeats_itself(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        await script(session, (SCRIPTS / "colorado.felt").read_text())
        return session.world.feed

    first = at_table(tmp_path / "a", play, "colorado")
    assert first == at_table(tmp_path / "b", play, "colorado")


@pytest.mark.parametrize("dealing", ["hand", "auto"])
def test_other_ways_of_dealing(dealing: str, tmp_path: Path) -> None:
    deal = "hand due\n" if dealing == "hand" else ""

    async def play(session: Session) -> Any:
        await script(session, f"bet 1 ante 5 odds 5\nsay nmb\n{deal}wait-for prompt Seat 1:\n")
        return session.world.picture

    picture = at_table(tmp_path, play, "headsup", dealing=dealing)
    assert picture["cards"][1] == ["##", "##"]
    assert picture["cards"][8] == (["##"] * 5 if dealing == "auto" else [])


def test_power_cut_in_the_spin_shows_the_same_prize(tmp_path: Path) -> None:
    async def play(session: Session) -> tuple[Any, Any]:
        world = session.world
        await script(session, SPIN + "wait 1500\n")
        before = dict(world.picture or {})
        world.do("cut-power now")
        assert await until(lambda: not world.powered and session.supervisor.starts == 1)
        world.picture = None
        world.do("power on")
        assert await until(lambda: world.picture is not None, 30)
        await script(session, "wait-for wheel still within 20000\nsay ok\nexpect prompt Collect\n")
        spins = [line for line in world.feed if line.startswith("spin ")]
        return before, (spins, world.picture)

    before, (spins, after) = at_table(tmp_path, play)
    assert before["spun"] and len(spins) == 1
    assert before["pays"] == after["pays"]


@pytest.mark.parametrize("after", [0, 3, 11])
def test_power_cut_at_a_write_loses_nothing_acknowledged(after: int, tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        world = session.world
        await script(session, "bet 1 ante 5 xtra 5\nbet 2 ante 5 xtra 5\n")
        world.do(f"cut-power {after}")
        world.do("say nmb")
        assert await until(lambda: not world.powered)
        locked = any(line.startswith("locked") for line in world.feed)
        world.picture = None
        world.do("power on")
        assert await until(lambda: world.picture is not None, 30)
        return locked, world.picture

    locked, picture = at_table(tmp_path, play)
    assert picture["fault"] is None
    assert picture["bets"][1] == [500, 500, 0, 0, 0]
    assert not locked or picture["phase"] == "deal"


def test_watchdog_restarts_a_hung_table(tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        world = session.world
        await script(session, "bet 2 ante 5 xtra 5\n")
        world.picture = None
        world.do("watchdog")
        assert await until(lambda: world.picture is not None, 30)
        return session.supervisor.bites, session.supervisor.cause, world.picture

    bites, cause, picture = at_table(tmp_path, play)
    assert (bites, cause) == (1, "wdt")
    assert picture["bets"][2] == [500, 500, 0, 0, 0]


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


def test_stuck_random_source_refuses_the_spin(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        await script(session, SPIN.replace("wait-for wheel turning", "wait 500"))
        return session.world.feed

    feed = at_table(tmp_path, play, start="stuckrandom")
    assert not [line for line in feed if line.startswith("spin ")]


def test_late_and_withdrawn_chips_alarm(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        await script(
            session,
            "bet 1 ante 5 xtra 5\nsay nmb\nplace 4 ante 5\nwait 300\nremove 1 ante\nwait 300\n",
        )
        return session.world.feed

    feed = at_table(tmp_path, play)
    assert "alarm late_bet 4 ante" in feed
    assert "alarm withdrawn 1 ante" in feed


def test_shoe_faults_void_the_round(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        text = "bet 1 ante 5 xtra 5\nsay nmb\ndeal 1\ngarbage shoe 300\nwait 400\ndeal 1\njam\n"
        await script(session, text + "wait 300\nexpect phase void\n")
        return session.world.feed

    feed = at_table(tmp_path, play)
    assert feed.count("down 1") == 1 and "void jam" in feed


def test_hole_cards_stay_hidden_everywhere(tmp_path: Path) -> None:
    hidden = "Ah Kh Qh".split()

    async def play(session: Session) -> str:
        await script(session, "stack Ah 2c Kh 2d Qh 2s\nbet 1 ante 5 xtra 5\nsay nmb\ndeal-all\n")
        told = memory.look(session.state, session.settings, "journal")
        rows = session.world.terminal.rows + session.world.console + session.world.feed
        return "\n".join([str(session.world.picture), str(told), *rows])

    text = at_table(tmp_path, play)
    assert "##" in text
    assert not [card for card in hidden if card in text]


def test_recording_plays_again(tmp_path: Path) -> None:
    async def play(session: Session) -> tuple[list[str], str]:
        for line in ("bet 2 ante 5 xtra 5", "say nmb", "deal 6", "decide 2 check"):
            await script(session, line)
        return session.world.feed, session.recording()

    feed, recorded = at_table(tmp_path / "a", play)

    async def again(session: Session) -> list[str]:
        await script(session, recorded)
        return session.world.feed

    assert "table premium shoe" in recorded
    assert at_table(tmp_path / "b", again) == feed


def test_no_process_is_left(tmp_path: Path) -> None:
    async def play(session: Session) -> int:
        child = session.supervisor._process
        assert child is not None and child._child is not None
        return child._child.pid

    pid = at_table(tmp_path, play)
    assert not os.path.exists(f"/proc/{pid}")


@pytest.mark.parametrize("dealing", ["shoe", "hand", "auto"])
@pytest.mark.parametrize("game", GAMES)
def test_a_round_cut_in_the_middle_is_played_to_its_end(
    game: str, dealing: str, tmp_path: Path
) -> None:
    """Whatever the table asks for after the power loss is done until bets are open again."""

    async def play(session: Session) -> Any:
        world = session.world
        begun = dict(world.picture or {})
        await script(session, "wait 300\n")  # chips are believed after a few scans
        for _ in range(40):
            picture = world.picture or {}
            if picture["phase"] == "bet":
                break
            await script(session, next_move(session, picture))
        assert not [line for line in world.feed if line.startswith("alarm")]
        return begun, world.picture, world.chips.cents

    begun, after, chips = at_table(tmp_path, play, game, dealing=dealing, start="midround")
    assert begun["phase"] == "decide" and all(begun["cards"][seat] for seat in (2, 5))
    assert [seat for seat, bets in enumerate(begun["bets"]) if bets] == [2, 5]
    assert (after["phase"], after["round_no"], chips) == ("bet", 1, {})


def next_move(session: Session, picture: dict[str, Any]) -> str:
    """What the strip under the felt would offer first, as a script."""
    phase = picture["phase"]
    if phase == "decide" and "ask" in picture:
        seat, action = picture["ask"][:2]
        card = session.world.peek[seat][0] if session.game == "colorado" else ""
        return f"decide {seat} {action} {card}"
    if phase == "deal":
        return {"shoe": "deal-all", "hand": "hand", "auto": "wait 200"}[session.dealing]
    if phase == "spin" and not picture["spun"]:
        return "say spin\nwait-for wheel still within 20000"
    return {"check": "checklist"}.get(phase, "settle" if phase != "collect" else "say ok")


def test_a_stack_is_asked_for_by_size_and_place(tmp_path: Path) -> None:
    async def play(session: Session) -> Runner:
        text = "unplug shoe\nbet 1 ante 5 odds 5\nsay nmb\nexpect prompt stack of 5 to board\n"
        return await script(session, text)

    at_table(tmp_path, play, "headsup", dealing="auto")


def test_script_errors_name_the_line() -> None:
    with pytest.raises(ScriptError, match="line 2: no such statement: dael"):
        parse("deal 1\ndael 2\n")
    with pytest.raises(ScriptError, match="repeat without end"):
        parse("repeat 2\ndeal 1\n")
    with pytest.raises(ScriptError, match="line 1: end without repeat"):
        parse("end\n")
    with pytest.raises(ScriptError, match="line 1: wait needs a number"):
        parse("wait long\n")
    with pytest.raises(ScriptError, match="line 1: 'chess' is none of premium, "):
        parse("table chess\n")


def test_two_benches_do_not_share_a_folder(tmp_path: Path) -> None:
    with claim(tmp_path):
        with pytest.raises(OSError, match="another table runs in"):
            claim(tmp_path)
    claim(tmp_path).close()


def test_a_bench_that_is_killed_takes_its_firmware_along(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools" / "bench"), "--port", "0", "--state"]
    bench = subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert bench.stdout and "http://127.0.0.1:" in bench.stdout.readline()
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(bench.pid)], capture_output=True)
    (firmware,) = found.stdout.split()
    bench.kill()
    bench.wait(10)
    end = time.monotonic() + 10
    while Path(f"/proc/{int(firmware)}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{int(firmware)}").exists()


def test_actions_that_cannot_be_done_say_why(tmp_path: Path) -> None:
    from bench.world import World

    world = World("premium", tmp_path)
    with pytest.raises(ActionError, match="no spot 'odds'"):
        world.do("place 1 odds 5")
    with pytest.raises(ActionError, match="no such action"):
        world.do("dance")


def test_recording_keeps_long_pauses() -> None:
    text = record.script_of(["100 deal", "200 deal", "2250 say ok"], "premium shoe open 1")
    lines = ["table premium shoe open 1", "deal", "deal", "wait 2000", "say ok"]
    assert text.splitlines()[1:] == lines


def test_display_decodes_windows() -> None:
    display = Display()
    for command, data in ((0x2A, b"\0\x0a\0\x0b"), (0x2B, b"\0\x05\0\x06"), (0x2C, b"")):
        display.command(bytes([command]))
        display.data(data)
    display.data(b"\x11\x22\x33")
    display.data(b"\x44\x55\x66\x77\x88")
    at = 2 * (5 * 240 + 10)
    assert display.pixels[at : at + 4] == b"\x11\x22\x33\x44"
    assert display.pixels[at + 480 : at + 484] == b"\x55\x66\x77\x88"
    assert display.png().startswith(b"\x89PNG")


def test_factory_new_table_is_set_up_with_both_keys(tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        world = session.world
        for line in ("power off", "key service on", "key attendant on", "power on"):
            world.do(line)
        assert await until(lambda: any("service console" in t for t in world.console), 20)
        world.do("type clear")
        assert await until(lambda: "OK" in world.console, 10), world.console
        for line in ("power off", "key service off", "key attendant off", "power on"):
            world.do(line)
        assert await until(lambda: session.supervisor.starts == 3 and world.alive, 20)
        return world.picture

    picture = at_table(tmp_path, play, start="factory")
    assert (picture["fault"], picture["phase"]) == (None, "closed")
