"""The power-on self test: each fault, put in on purpose, is named by its line and its code."""

from __future__ import annotations

import hashlib
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from felt import evaluator, program
from felt.app import App
from felt.program import Program
from felt.service import selftest
from felt.texts import Texts
from felt.wheel.display import WheelDisplay

from host_tests.helpers.desk import LANGUAGE, Desk
from tools.field import seal
from tools.prove.player import TABLES

CRITICAL = {"T1", "T2", "T3", "T4", "T6", "T12"}


class Fitted:
    """Everything the self test looks at, all of it in order; a test breaks one thing."""

    def __init__(self) -> None:
        self.desk = Desk(TABLES[0])
        self.table = self.desk.table
        self.hw = self.desk.app.hw
        self.hw.ticks = lambda: self.desk.clock.now
        self.hw.sleep_ms = self.sleep
        self.hw.fram = self.desk.memory
        self.hw.clock_text = "125000000 Hz, TFT 62500000 Hz"
        self.hw.elsewhere = ""
        self.flash = bytearray(seal.sealed(b"the program" * 99, 2 * seal.SIZE))
        self.hw.program = Program(self.flash)
        self.held = ["/config.json", "/rounds/00001"]
        self.hw.files = lambda: bool(self.held)
        self.slept = 0

    def sleep(self, ms: int) -> None:
        """Time passes for the other ends of the links only."""
        self.slept += ms
        now = self.desk.clock.step(ms)
        for wire in self.desk.wires:
            wire.step(ms)
        self.desk.terminal.poll(now)
        self.desk.shoe.poll(now)

    def run(self) -> tuple[list[str], list[str]]:
        said: list[str] = []
        lines, bad = selftest.run(self.hw, self.table, said.append)
        assert said == lines and len(lines) == len(selftest.PARTS)
        return lines, bad


@pytest.fixture
def fitted(monkeypatch: pytest.MonkeyPatch) -> Fitted:
    made = Fitted()
    monkeypatch.setattr(program, "files", lambda folder, elsewhere: made.held)
    return made


def errors(lines: list[str]) -> list[str]:
    return [line for line in lines if not line.startswith("OK ")]


def test_a_whole_table_passes_with_one_line_each(fitted: Fitted) -> None:
    lines, bad = fitted.run()
    assert (errors(lines), bad) == ([], [])
    assert fitted.slept < selftest.LINK_WAIT_MS


def tampered(f: Fitted) -> None:
    f.flash[500] ^= 8
    f.hw.program.measure()


def unsealed(f: Fitted) -> None:
    f.flash[seal.SIZE] = 0
    f.hw.program.measure()


def too_long(f: Fitted) -> None:
    f.flash[seal.SIZE + 6] = 9
    f.hw.program.measure()


def old_code(f: Fitted) -> None:
    f.held.append("/felt/cards.mpy")


def no_files(f: Fitted) -> None:
    f.held.clear()


def no_fram(f: Fitted) -> None:
    f.hw.fram = None


def damaged(f: Fitted) -> None:
    """One byte of the older checkpoint: the table itself would still start."""
    f.table.vault.checkpoint(f.table.machine.dump(), 0)
    f.table.vault.checkpoint(f.table.machine.dump(), 0)
    at = f.desk.memory.data.index(f.table.machine.dump())
    f.desk.memory.data[at + 9] ^= 4
    f.table.verified = False  # damaged since the start read it


def broken_chain(f: Fitted) -> None:
    f.hw.sensors.broken = True


def no_shoe(f: Fitted) -> None:
    f.desk.wires[1].cut = True


def no_terminal(f: Fitted) -> None:
    f.desk.wires[0].cut = True


def stuck(f: Fitted) -> None:
    f.desk.noise.stuck = 1


FAULTS = (
    (tampered, "ERROR T1 program: changed"),
    (unsealed, "ERROR T1 program: no seal"),
    (too_long, "ERROR T1 program: no seal"),
    (old_code, "ERROR T12 files: code /felt/cards.mpy"),
    (no_files, "ERROR T12 files: no file system"),
    (no_fram, "ERROR T4 fram: not fitted"),
    (damaged, "ERROR T4 fram: copy"),
    (broken_chain, "ERROR T6 sensors: chain broken"),
    (no_shoe, "ERROR T7 shoe: does not answer"),
    (no_terminal, "ERROR T8 terminal: does not answer"),
    (stuck, "ERROR T9 random: entropy_stuck"),
)


@pytest.mark.parametrize(("break_it", "line"), FAULTS, ids=[f[0].__name__ for f in FAULTS])
def test_a_fault_is_named(fitted: Fitted, break_it: Any, line: str) -> None:
    break_it(fitted)
    lines, bad = fitted.run()
    assert errors(lines) == [line]
    code = line.split()[1]
    assert [text.split()[0] for text in bad] == ([code] if code in CRITICAL else [])


def test_a_wrong_hand_closes_the_table(fitted: Fitted, monkeypatch: pytest.MonkeyPatch) -> None:
    real = evaluator.rank5
    monkeypatch.setattr(evaluator, "rank5", lambda hand: real(hand) ^ 1 << 26)
    lines, bad = fitted.run()
    assert errors(lines) == ["ERROR T2 evaluator: wrong hand"] and bad == ["T2 wrong hand"]


def test_too_little_memory_closes_the_table(
    fitted: Fitted, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = SimpleNamespace(collect=lambda: None, mem_free=lambda: 1234)
    monkeypatch.setattr(selftest, "gc", free)
    lines, bad = fitted.run()
    assert errors(lines) == ["ERROR T3 memory: 1234 bytes free"] and bad == ["T3 1234 bytes free"]


def test_both_links_are_waited_for_at_once(fitted: Fitted) -> None:
    no_shoe(fitted)
    no_terminal(fitted)
    lines, _ = fitted.run()
    assert len(errors(lines)) == 2
    assert fitted.slept < selftest.LINK_WAIT_MS + 50


def test_a_closed_table_names_the_code_on_terminal_and_display(fitted: Fitted) -> None:
    tampered(fitted)
    lines, bad = fitted.run()
    desk = fitted.desk
    desk.table.fault, desk.table.detail = "self_test", bad[0]  # as main.py does
    desk.app.tests = lines
    desk.run(400)
    desk.say("bet 1 ante 5 xtra 5")
    assert any("self test failed" in text for text in desk.told())
    assert any("self test failed" in row for row in desk.terminal.rows)
    desk.say("selftest", 400)
    rows = "\n".join(desk.terminal.rows)
    assert "ERROR T1 program: changed" in rows and "OK evaluator" in rows
    shown: list[dict] = []
    painter = SimpleNamespace(step=lambda: False, show=shown.append)
    app = App(desk.table, Texts(LANGUAGE), desk.app.hw, lambda: 0)
    WheelDisplay(painter).step(app, 0)
    assert shown[0]["mode"] == "fault" and shown[0]["lines"][1] == bad[0]
    assert bad[0] == "T1 changed"


@pytest.mark.parametrize(("release", "says"), [("", "UNSIGNED BUILD"), ("1.2", "RELEASE 1.2")])
def test_a_closed_table_shows_its_identity_and_whether_it_was_made_to_be_signed(
    release: str, says: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "felt_release", SimpleNamespace(VERSION=release))
    desk = Desk(TABLES[0])
    build = hashlib.sha256(b"manifest").hexdigest()
    shown: list[dict] = []
    painter = SimpleNamespace(step=lambda: False, show=shown.append)
    app = App(desk.table, Texts(LANGUAGE), desk.app.hw, lambda: 0, build)
    WheelDisplay(painter).step(app, 0)
    assert shown[0]["mode"] == "closed" and shown[0]["lines"] == ("BUILD " + build[:12], says)


def test_illustrative_weights_are_named_on_terminal_and_display() -> None:
    for note, said in (("ILLUSTRATIVE", True), ("", False)):
        desk = Desk({**TABLES[0], "weights_note": note})
        desk.open()
        shown: list[dict] = []
        painter = SimpleNamespace(step=lambda: False, show=shown.append)
        WheelDisplay(painter).step(desk.app, 0)
        assert shown[0]["demo"] is said
        assert any("ILLUSTRATIVE" in row for row in desk.terminal.rows) is said
