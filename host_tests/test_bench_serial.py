"""The script language against a table at the end of two serial lines, with a person beside it.

The board is the firmware on MicroPython behind two ptys; the tool runs as a person starts it, and
the person does what the tool asks for, word by word.
"""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Callable

import pytest

from tools.bench import reading, wired_table
from tools.bench.hands import SHOE, TERM
from tools.bench.supervisor import LIMIT_S, until
from tools.bench.wired_table import PtyLine, WiredTable, movements
from tools.paths import ROOT

DEMO = [sys.executable, "-m", "tools.bench.demo"]
REQUEST = re.compile(r"AT THE TABLE: (.*?)   \[(.*?)\] ")


class Play:
    """The tool at work, and whoever answers it: `answer` gives what is typed at a request."""

    def __init__(self, *words: str, answer: Callable[[str], str] = lambda request: "") -> None:
        self.requests: list[str] = []
        self.out = ""
        self.child = subprocess.Popen(
            [*DEMO, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, cwd=ROOT,
        )  # fmt: skip
        guard = threading.Timer(LIMIT_S, self.child.kill)
        guard.start()
        try:
            self._listen(answer)
        finally:
            guard.cancel()
        self.code = self.child.wait()

    def _listen(self, answer: Callable[[str], str]) -> None:
        assert self.child.stdout and self.child.stdin
        while data := os.read(self.child.stdout.fileno(), 4096):
            self.out += data.decode()
            for found in REQUEST.findall(self.out)[len(self.requests) :]:
                self.requests.append(found[0])
                self.child.stdin.write(answer(found[0]).encode() + b"\n")
                self.child.stdin.flush()


def script(folder: Path, text: str) -> str:
    path = folder / "own.felt"
    path.write_text(text)
    return str(path)


def hands(table: WiredTable) -> Callable[[str], str]:
    """A person who does what is asked."""
    table.session.world.tidy = False  # chips move by these hands alone

    def answer(request: str) -> str:
        for line in movements(request):
            table.hand(line)
        return ""

    return answer


def screen(row: str, foot: str = "") -> dict[str, Any]:
    return reading.picture(["PREMIUM HOLD 'EM   round 12", row, *[""] * 13, foot])


def test_the_screen_tells_what_a_probe_would() -> None:
    assert reading.game(["WINNER'S POT POKER   round 3"]) == "winners_pot"
    for row, phase, seat in (
        ("Place your bets. NEXT: no more bets", "bet", None),
        ("Floorperson: key on, verify. NEXT", "check", None),
        ("Next card: seat 3, face down", "deal", None),
        ("Seat 3: 1x 2x FOLDS", "decide", 3),
        ("Flush at seat 2: tap it", "settle", 2),
        ("Settle seat 6. NEXT", "settle", 6),
        ("Seat 1 spins. NEXT: spin", "spin", 1),
        ("Seat 1 won $60. Pay, then NEXT", "spin", 1),
        ("HAND PAY seat 4 $10,000.35: turn key", "spin", 4),
        ("Count the stub: number, then NEXT", "reveal", None),
        ("Deck removed. open new cards", "closed", None),
        ("ante $5 handle $20", "", None),
    ):
        found = screen(row)
        assert (found["phase"], found["due"]["seat"] or None) == (phase, seat), row
    assert screen("The wheel is still turning.")["turning"]
    assert screen("x", "JACKPOT $10,000.35")["jackpot"] == 1000035
    assert screen("x", "FAULT: no critical memory")["fault"] == "vault_missing"


def test_the_table_plays_the_demo_of_its_game(tmp_path: Path) -> None:
    with WiredTable(tmp_path, "colorado") as table:
        play = Play("--terminal", table.terminal, "--shoe", table.shoe, answer=hands(table))
        feed, chips = table.session.world.feed, table.session.world.chips.cents
    assert play.code == 0, play.out
    assert "over 1" in feed and "pay 1 ante 25 5:1" in "\n".join(feed)
    assert "seat 4: put $10 on Ante, $1 on Bonus, nothing else" in play.requests
    assert not chips and not [line for line in feed if line.startswith("alarm")]


class Late(PtyLine):
    """What the board sends arrives when it has long gone on."""

    def arrive(self, data: bytes) -> None:
        asyncio.get_running_loop().call_later(0.4, super().arrive, data)


def test_no_card_is_pulled_for_a_prompt_that_is_old(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy PC the screen came late, and one card too many left the shoe."""
    script = tmp_path / "late.felt"
    script.write_text("bet 1 ante 5\nsay nmb\ndeal-all\nexpect prompt Seat 1\n")
    monkeypatch.setattr(wired_table, "PtyLine", Late)
    with WiredTable(tmp_path, "three_card") as table:
        lines = ("--terminal", table.terminal, "--shoe", table.shoe, str(script))
        play = Play(*lines, answer=hands(table))
        feed = table.session.world.feed
    assert play.code == 0, play.out
    assert not [line for line in feed if line.startswith("alarm")]


class Slow(PtyLine):
    """What is sent to the board arrives when hands have long gone on."""

    def deliver(self, data: bytes) -> None:
        asyncio.get_running_loop().call_later(0.4, super().deliver, data)


def test_the_wheels_chips_are_collected_when_the_table_has_locked_and_no_sooner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy PC they were off the felt before the table heard "no more bets"."""
    monkeypatch.setattr(wired_table, "PtyLine", Slow)
    text = (
        "bet 1 ante 5 bonus_spin 5\nexpect notice must equal\nsay nmb\n"
        "expect notice Waiting for bets\nbet 1 ante 5 xtra 5 bonus_spin 5\nsay nmb\n"
        "expect prompt Next card: seat 1\n"
    )
    with WiredTable(tmp_path, "premium") as table:
        lines = ("--terminal", table.terminal, "--shoe", table.shoe, script(tmp_path, text))
        play = Play(*lines, answer=hands(table))
    assert play.code == 0, play.out
    asked = [request for request in play.requests if request.startswith("collect")]
    assert asked == ["collect the Bonus Spin chips of seat 1"], play.out


def test_cards_are_counted_on_the_screen() -> None:
    rows = ["WINNER'S POT", "Next card: seat 2, face down", "BOARD  Ah ##", "1 A $5 ## Qh"]
    rows += ["2 A $5 J $200 +$15", "  ## ?? 6d", "3"]
    counts = {"seat 1": 2, "seat 2": 3, "seat 3": 0, "seat 4": None, "burn": None, "": None}
    for place, count in {**counts, "board": 2, "dealer": 0}.items():
        assert reading.cards_at(rows, place) == count, place
    assert reading.next_place(rows) == "seat 2" and reading.next_place([]) == ""
    assert reading.next_place(["x", "Settle seat 1. NEXT"]) == ""


def test_power_keys_lamps_and_chips_are_asked_for(tmp_path: Path) -> None:
    text = (
        "bet 1 ante 5 xtra 5 bonus_spin 5\nexpect phase bet\nexpect jackpot 10000\n"
        "say nmb\nexpect prompt Next card: seat 1\nexpect lamp 1=0,40,96\nremove 1 ante\n"
        "expect notice WITHDRAWN\nplace 1 ante 5\ncut-power now\nexpect power off\npower on\n"
        "expect prompt Next card: seat 1\ndeal due\nwait-for prompt Seat 1: 3x\n"
        "key attendant on\nwait 200\nsay void supervisor\nexpect prompt VOID\n"
    )
    with WiredTable(tmp_path, "premium") as table:
        play = Play("--terminal", table.terminal, "--shoe", table.shoe, script(tmp_path, text),
                    answer=hands(table))  # fmt: skip
        starts = table.session.supervisor.starts
        phase = (table.session.world.picture or {})["phase"]
    assert play.code == 0, play.out
    assert starts == 2 and phase == "void"
    assert "do the lamps show 1=0,40,96 (seat=red,green,blue)?" in play.requests


@pytest.mark.parametrize("told", ["before", "after"])
def test_the_power_is_on_when_the_table_is_back(told: str, tmp_path: Path) -> None:
    """A person says so before the table has started, or when its screen is long painted."""
    text = "bet 1 ante 5\nsay nmb\ncut-power now\npower on\nexpect prompt Next card: seat 1\n"
    with WiredTable(tmp_path, "three_card") as table:
        usual, session = hands(table), table.session

        def answer(request: str) -> str:
            if not request.endswith("power on"):
                return usual(request)
            if told == "before":
                threading.Timer(2.5, table.hand, ["power on"]).start()
            else:
                table.hand("power on")
                table._wait(until(lambda: session.supervisor.starts == 2 and session.world.alive))
                time.sleep(1)
            return ""

        play = Play("--terminal", table.terminal, "--shoe", table.shoe, script(tmp_path, text),
                    answer=answer)  # fmt: skip
    assert play.code == 0, play.out


def test_what_cannot_be_is_refused_line_by_line(tmp_path: Path) -> None:
    text = "table premium shoe midround\nbet 1 ante 5\nspeed 400\ncut-power 12\nexpect feed x\n"
    play = Play("--terminal", "/dev/nowhere", script(tmp_path, text + "deal 1\n"))
    assert play.code == 2
    for line in (
        "line 1 (table premium shoe midround): a real table cannot be put into the state",
        "line 3 (speed 400): a real board's clock",
        "line 4 (cut-power 12): nobody can cut the power at a given byte",
        "line 5 (expect feed x): a real board does not tell its effects",
        "line 6 (deal 1): this needs the shoe's line",
    ):
        assert line in play.out
    assert "line 2" not in play.out


def test_a_person_who_cannot_or_is_not_there_fails_the_line(tmp_path: Path) -> None:
    text = script(tmp_path, "place 1 ante 5\n")
    with WiredTable(tmp_path, "headsup") as table:
        port = ("--terminal", table.terminal)
        cannot = Play(*port, text, answer=lambda request: "no")
        empty = subprocess.run([*DEMO, *port, text], stdin=subprocess.DEVNULL, text=True,
                               capture_output=True, timeout=LIMIT_S)  # fmt: skip
        other = Play(*port, script(tmp_path, "table colorado\nsay ok\n"))
    assert cannot.code == 1
    assert "line 1 (place 1 ante 5): the person at the table could not: seat 1" in cannot.out
    assert empty.returncode == 1 and "nobody answers here" in empty.stdout
    assert other.code == 2 and "plays Heads Up Hold'em, the script Colorado" in other.out


def test_a_port_that_is_not_there() -> None:
    play = Play("--terminal", "/dev/ttyNOWHERE")
    assert play.code == 10 and "the terminal's port cannot be opened" in play.out
    assert "Traceback" not in play.out


def test_a_port_without_a_table(tmp_path: Path) -> None:
    master, slave = os.openpty()
    play = Play("--terminal", os.ttyname(slave))
    os.close(master)
    os.close(slave)
    assert play.code == 17 and "no table answers at the terminal's port" in play.out


def test_a_table_that_falls_silent(tmp_path: Path) -> None:
    text = script(tmp_path, "place 1 ante 5\nexpect prompt Next card\n")
    with WiredTable(tmp_path, "headsup") as table:

        def cut(request: str) -> str:
            table.hand("power off")
            return ""

        play = Play("--terminal", table.terminal, text, answer=cut)
    assert play.code == 1
    assert "line 2 (expect prompt Next card): the table does not answer any more" in play.out


@pytest.mark.parametrize("channel", [TERM, SHOE])
def test_an_adapter_pulled_out_in_the_middle(channel: int, tmp_path: Path) -> None:
    text = script(tmp_path, "bet 1 ante 5 odds 5\nsay nmb\ndeal 1\nsay void\n")
    with WiredTable(tmp_path, "headsup") as table:

        def pull(request: str) -> str:
            table.unplug(channel)
            return ""

        play = Play("--terminal", table.terminal, "--shoe", table.shoe, text, answer=pull)
    name = "terminal" if channel == TERM else "shoe"
    assert play.code == 16, play.out
    assert f"line 1 (bet 1 ante 5 odds 5): the {name}'s port" in play.out
    assert "is gone: was the adapter unplugged?" in play.out and "Traceback" not in play.out
