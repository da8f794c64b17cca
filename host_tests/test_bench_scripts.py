"""The script language, recording, and instances beside each other."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from host_tests.helpers.bench_table import at_table, script
from tools.bench import record
from tools.bench.hands import ActionError
from tools.bench.script import ScriptError, parse
from tools.bench.session import SCRIPTS, Session, claim


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
    command = [sys.executable, "-m", "tools.bench", "--port", "0", "--state"]
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
    from tools.bench.world import World

    world = World("premium", tmp_path)
    with pytest.raises(ActionError, match="no spot 'odds'"):
        world.do("place 1 odds 5")
    with pytest.raises(ActionError, match="no such action"):
        world.do("dance")


def test_recording_keeps_long_pauses() -> None:
    text = record.script_of(
        ["100 deal", "150 speed 400", "200 deal", "2250 say ok"], "premium shoe open 1"
    )
    lines = ["table premium shoe open 1", "deal", "deal", "wait 2000", "say ok"]
    assert text.splitlines()[1:] == lines


def test_no_process_is_left(tmp_path: Path) -> None:
    async def play(session: Session) -> int:
        child = session.supervisor._process
        assert child is not None and child._child is not None
        return child._child.pid

    pid = at_table(tmp_path, play)
    assert not os.path.exists(f"/proc/{pid}")


def test_stepped_time_repeats_itself(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        await script(session, (SCRIPTS / "colorado.felt").read_text())
        return session.world.feed

    first = at_table(tmp_path / "a", play, "colorado")
    assert first == at_table(tmp_path / "b", play, "colorado")
