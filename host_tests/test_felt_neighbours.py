"""Several boards at one PC: the one that was named is written and labelled, and no other.

The boards are emulated; the system's list of ports, and where it shows drives, are the test's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Callable

import pytest

from host_tests.test_felt import OWN, older, reports, table
from tools.emulator.pico import Fram, Pico
from tools.emulator.usb_board import UsbBoard
from tools.field import cli, console, drive, flash, ports
from tools.image import build, fsimage, release

pytestmark = pytest.mark.emulator
Typed = Callable[..., int]


@pytest.fixture(scope="module")
def stick(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release to write."""
    folder = tmp_path_factory.mktemp("stick")
    build.write(release.make(["RPI_PICO"]), folder)
    return folder


@pytest.fixture
def typed(stick: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Typed:
    """`felt` as it is typed, patient with emulated boards; returns its exit code."""
    monkeypatch.setattr(console, "ANSWER_S", 200.0)
    monkeypatch.setattr(flash, "BACK_S", 200.0)
    monkeypatch.setenv("FELT_RELEASE_KEYS", str(tmp_path / "no_keys"))

    def run(*words: str) -> int:
        more = ["--release", str(stick), "--reports", str(tmp_path / "reports")]
        monkeypatch.setattr(sys, "argv", ["felt", *words, "--board", "RPI_PICO", *more])
        return cli.main()

    return run


def connected(monkeypatch: pytest.MonkeyPatch, *usb: UsbBoard) -> None:
    """The PC sees these boards, each by its port or by its drive."""
    monkeypatch.setattr(
        ports, "connected", lambda: [each.path for each in usb if not each.bootsel]
    )
    places = list(dict.fromkeys(each.drive for each in usb))
    monkeypatch.setattr(drive, "places", lambda: places)


def blank() -> Pico:
    return Pico(flash=b"\xff" * 4096, fram=Fram(), service=True)


def test_a_board_in_bootsel_is_no_drive_of_the_port_that_was_named(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The waiting board got the image, then its own turn; the table stayed in BOOTSEL."""
    with UsbBoard(blank(), tmp_path / "a", bootsel=True) as waiting:
        with UsbBoard(older(table()), tmp_path / "b") as named:
            connected(monkeypatch, waiting, named)
            code = typed("flash", "--port", named.path, "--label", "T12", "--no-self-test")
    assert (code, named.written, waiting.written) == (0, 1, 0)
    assert [each["port"] for each in reports(tmp_path / "reports")] == [named.path]


def test_all_boards_are_written_once_each_also_where_one_follows_another_on_a_drive(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system shows the second board where the first one was; the third waited all the time."""
    with UsbBoard(blank(), tmp_path / "a", bootsel=True) as waiting:
        with UsbBoard(table(), tmp_path / "b") as first, UsbBoard(table(), tmp_path / "b") as then:
            connected(monkeypatch, waiting, first, then)
            code = typed("demo", "--all", "--erase")
    assert [each.written for each in (first, then, waiting)] == [1, 1, 1] and code == 0


def test_a_named_drive_that_another_board_has_is_refused_before_anything_is_sent(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    with UsbBoard(blank(), tmp_path / "a", bootsel=True) as waiting:
        with UsbBoard(older(table()), tmp_path / "b") as named:
            connected(monkeypatch, waiting, named)
            code = typed("flash", "--port", named.path, "--drive", str(waiting.drive))
    assert code == 11 and f"is at {waiting.drive} already" in capsys.readouterr().out
    assert not named.bootsel and waiting.written == 0


def test_a_new_board_comes_back_by_a_port_that_no_other_table_has(
    typed: Typed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """The table beside it was given the new one's label, and passed its tests for it."""
    with UsbBoard(table(OWN), tmp_path / "a") as beside:
        with UsbBoard(blank(), tmp_path / "b", bootsel=True) as new:
            connected(monkeypatch, beside, new)
            words = ["flash", "--drive", str(new.drive), "--label", "NEW TABLE"]
            taken = typed(*words, "--back", beside.path)
            assert taken == 11 and f"at {beside.path} already" in capsys.readouterr().out
            assert typed(*words) == 0
    assert new.written == 1 and "felt console format" in capsys.readouterr().out
    held = fsimage.read(beside.pico.flash_image()[fsimage.FLASH_OFFSET :])
    assert held["identity.json"] == OWN["identity.json"]
