"""The script language, recording, and instances beside each other."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from host_tests.helpers.bench_table import at_table, script
from tools.bench import grammar, record
from tools.bench.hands import ACTIONS, ActionError
from tools.bench.routines import Routines
from tools.bench.runner import Runner
from tools.bench.script import ScriptError, load, parse
from tools.bench.session import SCRIPTS, Session
from tools.bench.supervisor import LIMIT_S, until
from tools.bench.world import World
from tools.emulator.boards_on_usb import run_tool
from tools.own_folder import claim


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


def test_two_scripts_that_are_begun_at_once_play_one_after_the_other(tmp_path: Path) -> None:
    """The first one waited for its table, and went on at the second one's."""

    async def play(session: Session) -> tuple[str, str, str]:
        first = "table winners_pot\nbet 1 ante 10\nbet 3 ante 10\nsay nmb\nexpect prompt Next card"
        second = "table headsup\nbet 1 ante 5 odds 5\nsay nmb\nexpect prompt Next card"
        await asyncio.gather(session.run_script(first), session.run_script(second))
        runner = session.runner
        assert runner is not None and await until(lambda: runner.done)
        return session.game, runner.state()["transcript"][0], runner.error

    assert at_table(tmp_path, play) == ("headsup", "table headsup", "")


def test_script_errors_name_the_line() -> None:
    with pytest.raises(ScriptError, match="line 2: no such statement: dael"):
        parse("deal 1\ndael 2\n")
    with pytest.raises(ScriptError, match="line 2: repeat without end"):
        parse("deal 1\nrepeat 2\ndeal 1\n")
    with pytest.raises(ScriptError, match="line 1: end without repeat"):
        parse("end\n")
    with pytest.raises(ScriptError, match="line 1: 'chess' is none of premium, "):
        parse("table chess\n")


def test_a_script_is_read_as_an_editor_saved_it(tmp_path: Path) -> None:
    """A mark at its beginning was no statement; another encoding ended in a traceback."""
    path = tmp_path / "round.felt"
    path.write_text("table headsup\ndeal 1\n", encoding="utf-8-sig")
    assert [statement.verb for statement in load(path)] == ["table", "deal"]
    for raw, told in (
        (b"deal 1\nprint caf\xe9\n", "round.felt: line 2: byte 0xe9 is no text in UTF-8"),
        ("deal 1\n".encode("utf-16"), "round.felt: it is saved as UTF-16. Save it as UTF-8"),
    ):
        path.write_bytes(raw)
        done = run_tool("bench.demo", str(path))
        assert done.returncode == 2 and done.stderr.startswith(f"demo: {told}"), done.stderr


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("wait long", "wait: 'long' is no number"),
        ("wait", "wait: COUNT is missing at the end"),
        ("place 1 antee 5", "place: 'antee' is no spot: ante, bet, "),
        ("place 8 ante 5", "place: '8' is no seat: 1 to 7"),
        ("bet 1 ante", "bet: AMOUNT is missing at the end"),
        ("bet 1 ante 5 odds 5.5", "bet: '5.5' is no amount in dollars"),
        ("bet 1 ante five", "bet: 'five' is no amount in dollars"),
        ("decide 1 play9", "decide: 'play9' is no decision: bet, check"),
        ("decide 1 bet 5s", "decide: '5s' is too much"),
        ("key atendant on", "key: 'atendant' is none of attendant, service"),
        ("key attendant up", "key: 'up' is none of on, off"),
        ("stack Ah Kx", "stack: 'Kx' is no card"),
        ("stack Ah Kd Ah", "stack: a card is named twice"),
        ("deal some", "deal: 'some' is no number"),
        ("expect promt Seat", "expect: 'promt' is no thing to look at: fault, "),
        ("expect prompt", "expect: something is missing at the end"),
        ("expect jackpot ten", "expect: 'ten' is no amount in dollars"),
        ("expect wheel stil", "expect: 'stil' is no state of wheel: still, turning"),
        ("wait-for wheel still within soon", "wait-for: 'soon' is no number"),
        ("wait-for wheel still within", "wait-for: COUNT is missing behind within"),
        ("wait-for wheel within 500", "wait-for: TEXT is missing before within"),
        ("jam now", "jam: 'now' is too much"),
        ("power of", "power: 'of' is none of on, off"),
        ("touch NEXT", "touch: 'NEXT' is no key of the dealer's terminal (docs/links.md): A, C, "),
        ("say 'open", "No closing quotation"),
    ],
)
def test_a_typo_names_the_line_and_the_word(line: str, told: str) -> None:
    with pytest.raises(ScriptError) as caught:
        parse(f"# a comment\n{line}\n")
    assert str(caught.value).startswith(f"line 2: {told}")


def test_words_are_those_of_the_game_the_script_is_for() -> None:
    with pytest.raises(ScriptError, match="line 2: place: 'odds' is no spot: ante, bet, bonus"):
        parse("table colorado\nplace 7 odds 5\n")
    with pytest.raises(ScriptError, match="line 2: tap: '7' is no seat: 1 to 6"):
        parse("table premium\ntap 7\n")
    parse("table colorado\nbet 7 ante $5 bonus 1\ndecide 7 bet\n")


def test_every_action_and_statement_has_a_form() -> None:
    spoken = {name[1:].replace("_", "-") for name in vars(Routines) | vars(Runner)}
    assert set(ACTIONS) <= set(grammar.FORMS)
    assert set(grammar.FORMS) - set(ACTIONS) - {"repeat", "end"} <= spoken


def test_a_script_at_which_the_bench_stumbles_was_not_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was called played: the statements after it were left out in silence."""

    def stumble(world: Any, words: list[str]) -> None:
        raise TypeError("an unknown wire")

    async def play(session: Session) -> None:
        monkeypatch.setitem(ACTIONS, "jam", stumble)
        with pytest.raises(AssertionError, match="line 1 .jam.: the bench stumbled: TypeError"):
            await script(session, "jam\nexpect prompt never")

    at_table(tmp_path, play)


REFUSED = "bet 1 ante 5\nsay nmb\n"  # Premium wants the X-Tra Bonus too


def test_a_refused_entry_fails_the_script_unless_it_is_expected(tmp_path: Path) -> None:
    async def play(session: Session) -> tuple[str, str]:
        runner = Runner(parse(REFUSED), session.supervisor)
        session.supervisor.on_tick.append(runner.step)
        await until(lambda: runner.done)
        await script(session, "bet 1 ante 5\nexpect notice must equal the ante\n")
        await script(session, session.recording())
        return runner.error, session.recording()

    error, recorded = at_table(tmp_path, play)
    assert error.startswith(
        "line 1 (bet 1 ante 5): refused: Seat 1: X-Tra Bonus must equal the ante."
    )
    assert "bet 1 ante 5\nexpect notice 'Seat 1: X-Tra Bonus must equal the ante.'\n" in recorded


ROUND = """
bet 1 ante 5 odds 5
say nmb
deal-all
wait-for prompt Seat 1
decide 1 raise3
deal-all
settle
say ok
checklist
expect prompt Place your bets
"""


@pytest.mark.parametrize("dealing", ["shoe", "auto"])
def test_the_checklist_puts_a_whole_shuffled_deck_back(dealing: str, tmp_path: Path) -> None:
    async def play(session: Session) -> Any:
        before = session.world.shoe.deck
        await script(session, f"repeat 7\n{ROUND}\nend\n")
        return session.world.shoe.inside, before != session.world.shoe.deck, session.world.feed

    inside, other, feed = at_table(tmp_path, play, "headsup", dealing=dealing)
    assert (inside, other) == (52, True)
    assert "over 7" in feed


def test_a_checklist_that_is_not_due_says_so(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        return (await script(session, "checklist\n")).transcript

    assert at_table(tmp_path, play, "headsup")[-1].strip() == "0 steps"


def test_deal_all_says_when_a_card_found_no_place(tmp_path: Path) -> None:
    """A second card slips out with the last one that is due: it is the next card, but not now."""

    async def play(session: Session) -> str:
        await script(session, "bet 1 ante 5 odds 5\nsay nmb\ndeal 3\n")
        runner = Runner(parse("deal-all\n"), session.supervisor)
        shoe: Any = session.world.shoe
        draw = shoe.draw
        shoe.draw = lambda: (draw(), draw())[0]
        session.supervisor.on_tick.append(runner.step)
        await until(lambda: runner.done)
        return runner.error

    assert "2 cards left the shoe, 1 lie at a place" in at_table(tmp_path, play, "headsup")


def test_amounts_are_dollars_in_what_a_script_reads(tmp_path: Path) -> None:
    async def play(session: Session) -> list[str]:
        await script(
            session,
            "bet 1 ante 5 xtra 5 bonus_spin 5\nexpect feed bet 1 5 5 0 0 5\nsay nmb\n"
            "expect jackpot $10000.35\nexpect-not jackpot 1000035\n",
        )
        return session.world.feed

    assert [line for line in at_table(tmp_path, play) if line.startswith("take 1 bonus_spin 5 ")]


def test_two_benches_do_not_share_a_folder(tmp_path: Path) -> None:
    with claim(tmp_path, "table"):
        with pytest.raises(OSError, match="another table runs in"):
            claim(tmp_path, "table")
    claim(tmp_path, "table").close()


def test_a_bench_that_is_killed_takes_its_firmware_along(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tools.bench", "--port", "0", "--state"]
    bench = subprocess.Popen([*command, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert bench.stdout and "http://127.0.0.1:" in bench.stdout.readline()
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(bench.pid)], capture_output=True)
    (firmware,) = found.stdout.split()
    bench.kill()
    bench.wait()
    end = time.monotonic() + LIMIT_S
    while Path(f"/proc/{int(firmware)}").exists() and time.monotonic() < end:
        time.sleep(0.05)
    assert not Path(f"/proc/{int(firmware)}").exists()


def test_actions_that_cannot_be_done_say_why(tmp_path: Path) -> None:
    world = World("premium", tmp_path)
    with pytest.raises(ActionError, match="no spot 'odds'"):
        world.do("place 1 odds 5")
    with pytest.raises(ActionError, match="no such action"):
        world.do("dance")


def test_chips_are_seen_when_a_reader_has_told_their_amounts(tmp_path: Path) -> None:
    """On a busy PC the golden button came before, and the table asked how much it is."""

    async def play(session: Session) -> object:
        world = session.world
        world.do("sensors amounts")
        await until(world.caught_up)
        world.do("place 2 ante 25")
        told: list[object] = []
        session.supervisor.on_tick.append(
            lambda now: (
                told.append((world.picture or {})["amounts"]) if world.caught_up() else None
            )
        )
        await until(lambda: bool(told))
        return told[0]

    assert at_table(tmp_path, play) == [[2, 0, 2500]]


def test_a_hand_that_was_turned_to_be_named_is_seen_no_other(tmp_path: Path) -> None:
    """The page's button names the dealer's cards, too; before that nobody looks at them."""
    world = World("premium", tmp_path)
    for kind, seen in (("reveal", [3]), ("name", [0, 3])):
        world.picture = {"due": {"kind": kind, "seat": 0, "choices": [], "places": [0]}}
        assert [place for place in (0, 3, 8) if world.in_sight(place)] == seen, kind


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
