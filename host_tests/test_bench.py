"""The virtual table as a whole: games, power, shoe and what must stay hidden."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from host_tests.helpers.bench_table import SPIN, another_end, at_table, script
from tools.bench import memory, process, reading
from tools.bench.display import Display
from tools.bench.runner import Runner
from tools.bench.session import SCRIPTS, Session
from tools.bench.supervisor import BEAT_US, Supervisor, until
from tools.bench.threaded import Threaded
from tools.bench.virtual_port import VirtualPort
from tools.bench.world import World
from tools.games import GAMES


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


def test_a_nod_that_comes_too_soon_for_the_table_is_given_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A busy PC's time is not the board's: one round of a demo ended with its last ok unheeded."""
    monkeypatch.setattr("tools.bench.runner.NOD", 20)
    text = (SCRIPTS / "colorado.felt").read_text()

    async def play(session: Session) -> Any:
        await script(session, text)
        return session.world

    world = at_table(tmp_path, play, "colorado")
    told = [str(each["text"]) for each in world.notices]
    assert any(map(reading.too_soon, told)), "nothing came too soon"
    assert "over 1" in world.feed


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
        assert await until(lambda: world.picture is not None)
        await script(session, "wait-for wheel still within 20000\nsay ok\nexpect prompt Collect\n")
        spins = [line for line in world.feed if line.startswith("spin ")]
        return before, (spins, world.picture)

    before, (spins, after) = at_table(tmp_path, play)
    assert before["due"]["kind"] in ("spun", "hand_pay") and len(spins) == 1
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
        assert await until(lambda: world.picture is not None)
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
        assert await until(lambda: world.picture is not None)
        return session.supervisor.bites, session.supervisor.cause, world.picture

    bites, cause, picture = at_table(tmp_path, play)
    assert (bites, cause) == (1, "wdt")
    assert picture["bets"][2] == [500, 500, 0, 0, 0]


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


def test_a_manual_shoe_that_jams_lets_the_round_go_on(tmp_path: Path) -> None:
    """Its reader failed, nothing else: cards are entered by hand (G6)."""

    async def play(session: Session) -> list[str]:
        text = "bet 1 ante 5 xtra 5\nsay nmb\ndeal 1\ngarbage shoe 300\nwait 400\ndeal 1\njam\n"
        await script(session, text + "wait 300\nexpect phase deal\n")
        return session.world.feed

    feed = at_table(tmp_path, play)
    assert feed.count("down 1") == 1 and not [line for line in feed if line.startswith("void")]


def test_an_automated_shoe_that_jams_voids_the_round(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        text = "bet 1 ante 5 xtra 5\nsay nmb\njam\nwait 300\n"
        await script(session, text + "expect phase void\n")
        return session.world.feed

    assert "void jam" in at_table(tmp_path, play, dealing="auto")


def test_a_shoe_put_back_in_mid_round_deals_what_is_left_in_it(tmp_path: Path) -> None:
    async def play(session: Session) -> tuple[list[str], Any]:
        text = "bet 1 ante 5 odds 5\nsay nmb\ndeal 3\nwait 300\nlift\nwait 300\nfit\nwait 300\n"
        await script(session, text + "deal-all\nexpect prompt Seat 1:\n")
        return session.world.feed, (session.world.shoe.out, session.world.picture)

    feed, (out, picture) = at_table(tmp_path, play, "headsup")
    assert out == picture["dealt"] == 4
    assert not [line for line in feed if line.startswith(("alarm", "void", "stopped"))]


def test_a_decision_taken_back_leaves_the_bonus_spin_collected(tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        text = "bet 1 ante 5 xtra 5 bonus_spin 5\nsay nmb\ndeal-all\ndecide 1 check\nwait 300\n"
        text += "deal-all\nsay act 1 fold\nwait 300\nsay undo\nwait 300\nexpect prompt Seat 1:\n"
        await script(session, text)
        return session.world.chips.cents, session.world.moves

    cents, moves = at_table(tmp_path, play)
    assert cents == {(1, "ante"): 500, (1, "xtra"): 500}
    assert [move["wager"] for move in moves] == ["bonus_spin"]


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


def test_an_automated_shoe_that_is_missing_is_named_before_money_is_taken(tmp_path: Path) -> None:
    async def play(session: Session) -> Runner:
        text = "unplug shoe\nwait 3000\nbet 1 ante 5 odds 5\nsay nmb\n"
        return await script(
            session, text + "expect notice No shoe on its line\nexpect phase bet\n"
        )

    at_table(tmp_path, play, "headsup", dealing="auto")


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


def test_display_is_as_large_as_its_panel() -> None:
    display = Display("ST7796")
    for command, data in ((0x2A, b"\x01\xde\x01\xdf"), (0x2B, b"\x01\x3f\x01\x3f"), (0x2C, b"")):
        display.command(bytes([command]))
        display.data(data)
    early = display.strokes
    display.data(b"\x11\x22\x33\x44")
    rows = display.rows_since(early)
    assert display.pixels[-4:] == b"\x11\x22\x33\x44" and rows is not None and rows[0] == 319
    assert display.png()[16:24] == b"\0\0\x01\xe0\0\0\x01\x40"


@pytest.mark.parametrize(("lost", "bites"), [(1.0, 0), (0.0, 1)])
def test_only_time_the_firmware_had_counts_against_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: float, bites: int
) -> None:
    """A PC that gives its time to others restarts no table; one that stands still is restarted."""
    waited = [0.0]
    monkeypatch.setattr(process, "waited", lambda pid: waited[0])
    table = Supervisor(World("premium", tmp_path), live=True)
    table._process, table._watch = process.Process(tmp_path, 0), 2.0
    ended: list[Any] = []
    monkeypatch.setattr(table, "_end", lambda coroutine: ended.append(coroutine.close()))
    for _ in range(30):
        waited[0] += 0.1 * lost
        table._quiet += table._had(0.1)
        table._hung()
    assert table.bites == len(ended) == bites


def test_time_a_busy_pc_gives_to_others_does_not_pass_at_the_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its watchdog bit in the middle of a self test that was not let go on."""
    waited = [0.0]
    monkeypatch.setattr(process, "waited", lambda pid: waited[0])
    table = Supervisor(World("premium", tmp_path), live=True)

    seen: list[int] = []  # at every tick; whoever waits for the first may look after the second
    table.on_tick.append(lambda now: seen.append(table.now))

    async def ticks() -> None:
        ticker = asyncio.create_task(table._ticker())
        table._real -= 10  # the last look was that long ago
        waited[0] += 9
        assert await until(lambda: bool(seen))
        ticker.cancel()

    asyncio.run(ticks())
    assert 0 < seen[0] <= BEAT_US // 1000


def test_a_wait_that_is_told_late_is_left_out_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The system counts how long a process waited when it is let run, in one piece."""
    waited = [0.0]
    monkeypatch.setattr(process, "waited", lambda pid: waited[0])
    table = Supervisor(World("premium", tmp_path), live=True)
    had = 0.0
    for look in range(1, 101):
        if look % 10 == 0:
            waited[0] += 0.045
        had += table._had(0.005)
    assert had == pytest.approx(0.5 - 0.45 + 0.04)  # the last wait's rest is left out next time


def test_a_console_that_waits_for_a_person_is_not_restarted() -> None:
    """A person thought for eight seconds, and the table was started again."""
    waits, runs = [sys.executable, "-c", "input()"], [sys.executable, "-c", "while True: pass"]
    for command, wanted in ((waits, True), (runs, False)):
        with subprocess.Popen(command, stdin=subprocess.PIPE) as child:
            try:
                assert asyncio.run(until(lambda: process.listens(child.pid) == wanted))
                child.send_signal(signal.SIGSTOP)
                assert asyncio.run(until(lambda: not process.listens(child.pid)))
            finally:
                child.kill()
    assert not process.listens(0)


def test_power_that_goes_while_the_firmware_is_started_ends_it(tmp_path: Path) -> None:
    """The one being started was not ended, and its end was taken for the next one's."""

    async def run() -> tuple[str | None, list[bool]]:
        table = Supervisor(World("premium", tmp_path), live=True)
        await table.start(power=False)
        started: list[process.Process] = []
        try:
            for _ in range(2):
                on = asyncio.create_task(table.power_on("power"))
                await asyncio.sleep(0)
                assert table._process and not table.pid, "it is being started"
                started.append(table._process)
                await table.power_off()
                await on
            assert table.pid == 0
            children = [each._child for each in started]
            await asyncio.gather(*(child.wait() for child in children if child))
            await asyncio.gather(*table._readers)
            return table.failed, [bool(child) for child in children]
        finally:
            await table.stop()

    assert asyncio.run(asyncio.wait_for(run(), 120)) == (None, [True, True])


def test_a_wire_that_breaks_is_written_to_no_more(tmp_path: Path) -> None:
    """The bench sent to it for two minutes, and told nobody why no picture came."""

    async def run() -> tuple[str, object]:
        table = Supervisor(World("premium", tmp_path), live=True)
        await table.start(power=False)
        try:
            heard, early = await another_end(table, b"there is no board yet")
            assert await heard.read() == b"" and table.world.transmit is None
            early.close()
            table._process = process.Process(tmp_path, 0)
            _, writer = await another_end(table, table.word[:-2])
            await asyncio.sleep(0.05)
            writer.write(table.word[-2:])
            assert await until(lambda: table.world.transmit is not None)
            writer.close()
            assert await until(lambda: bool(table.world.console))
            return table.world.console[-1], table.world.transmit
        finally:
            await table.stop()

    said, transmit = asyncio.run(run())
    assert said.startswith("the firmware's wire is closed: ") and transmit is None


def test_a_stranger_at_the_wires_port_is_not_the_board(tmp_path: Path) -> None:
    """A page looked there for the bench that had the port before it: what was meant for the board
    went to the page, and the firmware waited for its time for ever."""

    async def play(session: Session) -> Any:
        strangers = [
            await another_end(session.supervisor, said)
            for said in (b"GET /ws HTTP/1.1\r\n\r\n", session.supervisor.word[:-1], b"")
        ]
        await script(session, "bet 1 ante 5 xtra 5\nsay nmb\nexpect prompt Next card\n")
        for _, stranger in strangers:
            stranger.close()
        await script(session, "deal 1\n")
        return session.world.picture

    assert at_table(tmp_path, play)["dealt"] == 1


class NeverReady(Threaded):
    async def _start(self) -> None:
        await super()._start()
        raise RuntimeError("it offers nothing")


def test_a_table_in_a_thread_that_does_not_begin_leaves_nothing_running(tmp_path: Path) -> None:
    """Board and bench went on beside the tests that came after it, to the end of them all."""
    table = NeverReady(tmp_path)
    with pytest.raises(RuntimeError, match="it offers nothing"):
        table.__enter__()
    assert not table._thread.is_alive() and table.session.supervisor.pid == 0


def test_a_console_that_nobody_reads_stops_no_table(tmp_path: Path) -> None:
    with VirtualPort(tmp_path) as port:
        for _ in range(1000):
            port._loop.call_soon_threadsafe(port._print, "a line of the console, read by nobody")
        port.act("key attendant on")
        assert port.session.world.keys["attendant"]
