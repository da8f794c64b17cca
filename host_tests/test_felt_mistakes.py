"""What a technician is told after a mistake: which board, which file, and what comes next."""

from __future__ import annotations

import errno
import io
import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Callable

import pytest
import serial
from mpremote.transport import TransportExecError

from host_tests.helpers.browser import CHROMIUM, FLAGS, NEEDED
from tools.emulator.boards_on_usb import run_tool
from tools.field import (
    cli,
    console,
    device,
    drive,
    dump,
    flash,
    label,
    look,
    ports,
    releases,
    report,
    trouble,
    verify,
)
from tools.field.places import EXAMPLES
from tools.field.report import Report
from tools.image import wheel
from tools.paths import ROOT


def waiting(folder: Path) -> Path:
    """A drive as a board in BOOTSEL shows it."""
    folder.mkdir()
    (folder / drive.INFO).write_text("Board-ID: RPI-RP2\n")
    return folder


def test_a_board_in_bootsel_is_no_port_and_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    place = waiting(tmp_path / "drive")
    monkeypatch.setattr(drive, "places", lambda: [place])
    with pytest.raises(trouble.Trouble, match=f"the one at {place} waits in BOOTSEL"):
        ports.find_port(None, [])
    gone = str(tmp_path / "nothing")
    (found,) = look.everything(gone)
    said = f"No board found at {gone}; the one at {place} waits in BOOTSEL for felt flash without"
    assert said in str(found.trouble)


def at(where: str, kind: str = look.TABLE) -> look.Found:
    return look.Found(where, kind, "RPI_PICO", {"build": "a" * 64, "state": "closed"})


def test_of_several_boards_the_one_whose_drive_is_named_is_taken(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It was asked for --port, which a board in BOOTSEL has not."""
    place = waiting(tmp_path / "drive")
    monkeypatch.setattr(ports, "connected", lambda: ["/dev/a", "/dev/b"])
    monkeypatch.setattr(look, "at_port", at)
    parse = cli.parser().parse_args
    chosen = cli._targets(parse(["flash", "--drive", str(place)]))
    assert [each.where for each in chosen] == [str(place)]
    every = cli._targets(parse(["flash", "--drive", str(place), "--all"]))
    assert [each.where for each in every] == ["/dev/a", "/dev/b", str(place)]
    with pytest.raises(trouble.Trouble, match="Say which with --port, or --drive"):
        cli._targets(parse(["flash"]))
    monkeypatch.setattr(ports, "connected", list)
    with pytest.raises(trouble.Trouble, match=f"No board found at {tmp_path / 'nowhere'}"):
        cli._targets(parse(["flash", "--drive", str(tmp_path / "nowhere")]))


@pytest.mark.parametrize("option", ["--label", "--back"])
def test_what_names_one_board_is_not_for_all(
    option: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    """Every table got the same label."""
    monkeypatch.setattr(drive, "places", list)
    monkeypatch.setattr(look, "at_port", at)
    monkeypatch.setattr(report, "REPORTS", tmp_path)
    monkeypatch.setattr(sys, "argv", ["felt", "flash", "--all", option, "Pit 3 table 12"])
    monkeypatch.setattr(ports, "connected", lambda: ["/dev/a", "/dev/b"])
    assert cli.main() == trouble.CODES["usage"] == 2
    assert f"{option} is for one board, and --all takes 2" in capsys.readouterr().out
    monkeypatch.setattr(ports, "connected", lambda: ["/dev/a"])
    only = cli._targets(cli.parser().parse_args(sys.argv[1:]))
    assert [each.where for each in only] == ["/dev/a"]


def test_several_boards_are_told_apart(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(releases, "ROOT", tmp_path)  # no release at hand
    monkeypatch.setattr(drive, "places", list)
    monkeypatch.setattr(look, "at_port", at)
    for there, said in ((["/dev/a", "/dev/b"], "/dev/b: A table"), (["/dev/a"], "\nA table")):
        monkeypatch.setattr(ports, "connected", lambda there=there: there)
        for words in ([], ["boards"]):
            args = cli.parser().parse_args(words)
            assert args.run(args) == 0
            assert said in "\n" + capsys.readouterr().out


def test_a_port_that_is_not_there_is_no_board(tmp_path: Path) -> None:
    """It was listed as one, with an exit code of 0."""
    done = run_tool("field", "boards", "--port", str(tmp_path / "nothing"))
    assert done.returncode == trouble.CODES["no_board"] and "No board found at" in done.stdout


def test_a_damaged_image_keeps_no_board_from_its_next_step(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    """felt boards stopped at the table, and said of the image only that it is damaged."""
    place = waiting(tmp_path / "drive")
    (tmp_path / "SHA256SUMS").write_text(f"{'0' * 64}  felt-RPI_PICO.uf2\n")
    (tmp_path / "felt-RPI_PICO.uf2").write_bytes(b"half")
    monkeypatch.setattr(drive, "places", lambda: [place])
    monkeypatch.setattr(ports, "connected", lambda: ["/dev/a"])
    monkeypatch.setattr(look, "at_port", at)
    args = cli.parser().parse_args(["boards", "--release", str(tmp_path)])
    args.run(args)
    said = capsys.readouterr().out
    assert "felt-RPI_PICO.uf2 is damaged, by its SHA-256: copy the release again." in said
    assert "Next: felt flash --board" in said


def test_a_table_that_is_still_starting_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stopped by its restart in the middle of an answer, it ended felt flash."""
    said: list[Exception] = [
        trouble.Trouble("locked", "/dev/a"),
        TransportExecError(b"", "KeyboardInterrupt: "),
        OSError("gone"),
    ]

    def starting(where: str) -> look.Found:
        if said:
            raise said.pop()
        return at(where)

    monkeypatch.setattr(flash, "LOOK_S", 0)
    monkeypatch.setattr(flash, "at_port", starting)
    assert flash.come_back("/dev/a", [], 60.0) == "/dev/a"


def test_who_has_no_home_is_told_where_the_keys_may_be(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """It was a traceback, here and in the console."""

    def nobody() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.setattr(Path, "home", nobody)
    monkeypatch.delenv("FELT_RELEASE_KEYS", raising=False)
    (tmp_path / "SHA256SUMS").touch()
    with pytest.raises(trouble.Trouble, match="no home folder for its keys: say FELT_RELEASE"):
        releases.Release(tmp_path).signature()
    monkeypatch.setattr(sys, "stdin", io.StringIO("exit\n"))
    assert console.talk(console.Console(None)) == 0


def test_what_was_typed_may_not_be_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A home nobody may write to: the console ended in a sentence about that file."""
    (tmp_path / "file").touch()
    monkeypatch.setenv("HOME", str(tmp_path / "file"))
    master, slave = os.openpty()
    os.write(master, b"exit\n")
    with open(slave) as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        assert console.talk(console.Console(None)) == 0
    os.close(master)


class Refusing(device.Board):
    """A board at its prompt on which a file cannot be written."""

    def __init__(self, why: str) -> None:
        self.why = why

    def run(self, code: str, on_byte: Any = None) -> str:
        if "_put" in code:
            raise TransportExecError(b"", f"Traceback:\r\n  line 28, in _put\r\n{self.why}\r\n")
        return ""


def test_only_a_full_file_system_is_called_full() -> None:
    """Any 28 was: that of a line, or of a file's name."""
    for why in ("OSError: 28", "OSError: [Errno 28] ENOSPC"):
        with pytest.raises(trouble.Trouble, match="file system is full: no room for x"):
            Refusing(why).write("x", b"data")
    for why in ("OSError: [Errno 5] EIO", "MemoryError: allocating 2800 bytes", "OSError: 280"):
        with pytest.raises(TransportExecError):
            Refusing(why).write("x", b"data")


def test_a_table_that_is_another_board_is_called_by_its_board() -> None:
    """It said: This is a closed, not a RPI_PICO2."""
    with pytest.raises(trouble.Trouble, match="This is a RPI_PICO, not a RPI_PICO2"):
        flash.chosen(at("/dev/a"), "RPI_PICO2")


def test_what_a_table_keeps_for_itself_is_nothing_to_do() -> None:
    own = ["config.json", "identity.json", "pit.key", "rounds/1", "settings/00000001-27.json"]
    assert verify.sort_out(own) == verify.Files([], [])
    assert verify.sort_out(["settings/a.py", "notes.txt"]).other == ["notes.txt"]


@pytest.mark.parametrize("words", [
    ["provision", "--examples", "{0}"], ["provision", "--check-only", "{0}/x.json"],
    ["flash", "--release", "{0}/x"], ["report", "{0}"],
])  # fmt: skip
def test_a_file_where_a_folder_is_meant_is_named(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    """Some of them ended in a traceback."""
    taken = tmp_path / "taken"
    taken.write_text("a file")
    found = look.Found("/dev/a", look.OTHER, "RPI_PICO", {"text": "x"})
    monkeypatch.setattr(look, "everything", lambda *where: [found])
    monkeypatch.setattr(ports, "find_port", lambda port: "/dev/a")
    monkeypatch.setattr(cli.console, "connect", lambda port: None)
    monkeypatch.setattr(dump, "collect", lambda console: {})
    monkeypatch.setattr(sys, "argv", ["felt", *(word.format(taken) for word in words)])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(report, "REPORTS", tmp_path / "reports")
    assert cli.main() == trouble.CODES["no_file"]
    said = capsys.readouterr()
    assert str(taken) in said.out + said.err


@pytest.mark.parametrize(("words", "said", "then"), [
    (["provision", "--check-only", "{0}/x.json"], "No such file", "Name another."),
    (["verify", "--release", "{0}"], "it has no SHA256SUMS", "with --release"),
    (["verify", "--release", "{0}/half"], "it has no felt-RPI_PICO.uf2", "Copy all of the"),
    (["verify", "--release", "{0}/lost"], "No such file", "Copy the release again."),
])  # fmt: skip
def test_what_a_file_lacks_is_said_with_the_next_step(
    words: list[str],
    said: str,
    then: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    """It was only said what is wrong."""
    for name, sums in (("half", ""), ("lost", f"{'0' * 64}  felt-RPI_PICO.uf2\n")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "SHA256SUMS").write_text(sums)

    def image(port: str, args: Any, report: Report) -> None:
        releases.Release(args.release).identity("RPI_PICO")

    monkeypatch.setattr(verify, "verify", image)
    monkeypatch.setattr(ports, "find_port", lambda port: "/dev/a")
    more = ["--reports", str(tmp_path / "kept")] if words[0] == "verify" else []
    monkeypatch.setattr(sys, "argv", ["felt", *(word.format(tmp_path) for word in words), *more])
    assert cli.main() == trouble.CODES["no_file"]
    told = capsys.readouterr()
    assert said in told.out + told.err and then in told.out + told.err


@pytest.mark.parametrize(("passed", "word", "code"), [(True, "PASS", 0), (False, "FAIL", 1)])
def test_a_report_that_cannot_be_kept_changes_no_outcome(
    passed: bool, word: str, code: int, tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """On a stick that is write-protected a flashed table had no PASS, and an exit code of 21."""
    (tmp_path / "taken").write_text("a file")
    made = Report("Flashing a table")
    made.add("written", passed)
    assert made.finish("flash", tmp_path / "taken") == code
    said = capsys.readouterr()
    assert report.large(word) in said.out and f"{word}  Flashing a table" in said.out
    assert f"not kept: {tmp_path / 'taken'}: File exists" in said.err and "--reports" in said.err
    assert said.err.count("\n") == 1


def test_what_stopped_the_work_keeps_its_code_when_no_report_can_be_kept(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file")
    words = ["--port", str(tmp_path / "nothing"), "--reports", str(tmp_path / "taken")]
    done = run_tool("field", "flash", *words)
    assert done.returncode == trouble.CODES["no_board"], done.stdout + done.stderr
    assert report.large("FAIL") in done.stdout and "--reports" in done.stderr


@pytest.mark.parametrize(("words", "kind"), [
    (["verify", "--release", "{0}"], "no_board"), (["verify"], "no_file"),
    (["provision", str(EXAMPLES / "headsup.json"), "--by", "Ada"], "no_board"),
    (["provision", "{0}/SHA256SUMS"], "config"),
])  # fmt: skip
def test_what_stops_a_command_is_a_fail_that_is_kept(
    words: list[str],
    kind: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    """Verification and provisioning ended in a sentence alone, and no report."""
    (tmp_path / "SHA256SUMS").write_text("")
    monkeypatch.setattr(releases, "ROOT", tmp_path / "nothing")  # no release at hand
    monkeypatch.chdir(tmp_path / "..")
    more = ["--port", str(tmp_path / "nothing"), "--reports", str(tmp_path / "kept")]
    monkeypatch.setattr(sys, "argv", ["felt", *(w.format(tmp_path) for w in words), *more])
    assert cli.main() == trouble.CODES[kind]
    assert report.large("FAIL") in capsys.readouterr().out
    (path,) = (tmp_path / "kept").glob(f"{words[0]}-*.json")
    assert json.loads(path.read_text())["rows"][-1]["name"] == "stopped"


@pytest.mark.parametrize("words", [
    ["flash"], ["flash", "--all"], ["demo"], ["verify"], ["verify", "--all"],
])  # fmt: skip
def test_without_a_board_it_is_a_fail_that_is_kept(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture,
) -> None:
    """A sentence alone, or with --all nothing."""
    monkeypatch.setattr(ports, "connected", lambda listed=None: [])
    monkeypatch.setattr(drive, "places", list)
    monkeypatch.setattr(sys, "argv", ["felt", *words, "--reports", str(tmp_path)])
    assert cli.main() == trouble.CODES["no_board"]
    said = capsys.readouterr().out
    assert report.large("FAIL") in said and "No board found" in said
    (path,) = tmp_path.glob(f"{words[0]}-*.json")
    assert json.loads(path.read_text())["rows"][-1]["name"] == "stopped"


def test_no_table_at_all_is_said_where_all_are_read_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    monkeypatch.setattr(ports, "connected", lambda listed=None: [])
    monkeypatch.setattr(drive, "places", list)
    monkeypatch.setattr(sys, "argv", ["felt", "report", str(tmp_path), "--all"])
    assert cli.main() == trouble.CODES["no_board"]
    assert "No board found" in capsys.readouterr().err


def test_letters_that_the_console_has_not_stop_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A table called in Cyrillic ended felt flash after its image was written."""
    monkeypatch.setenv("PYTHONIOENCODING", "cp1252")
    path = tmp_path / "Стол 12.json"
    path.write_text('{"game": "headsup"}')
    done = run_tool("field", "provision", "--check-only", str(path))
    assert done.returncode == 0 and "???? 12.json: headsup" in done.stdout
    missing = run_tool("field", "provision", "--check-only", str(path.with_name("Стол.json")))
    assert missing.returncode == trouble.CODES["no_file"] and "????.json" in missing.stderr


def closed_pipe() -> int:
    reader, writer = os.pipe()
    os.close(reader)
    return writer


@pytest.mark.parametrize(
    ("taken", "kind", "said"),
    [
        (lambda: os.open("/dev/full", os.O_WRONLY), "no_room", "No room is left on this PC"),
        (closed_pipe, "unread", "nobody takes what felt prints any more"),
    ],
)
def test_what_is_printed_and_not_taken_is_no_board_that_went_away(
    taken: Callable[[], int], kind: str, said: str, tmp_path: Path
) -> None:
    """After felt boards | head one was to plug the board in again."""
    command = [sys.executable, "-m", "tools.field", "boards", "--port", str(tmp_path / "nothing")]
    done = subprocess.run(command, stdout=taken(), stderr=subprocess.PIPE, text=True, cwd=ROOT)
    assert done.returncode == trouble.code(kind), done.stderr
    assert said in done.stderr and done.stderr.count("\n") == 1


def test_a_reader_that_ended_is_told_by_another_number_on_windows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """`felt boards | more`, left early: one was to plug the board in again."""
    gone = OSError(errno.EINVAL, "Invalid argument")
    assert trouble.of(gone).kind == "unplugged"
    monkeypatch.setattr(sys, "platform", "win32")
    assert trouble.of(gone).kind == "unread"
    port = serial.SerialException("ClearCommError failed (PermissionError(13, ...))")
    assert trouble.of(port).kind == "unplugged"
    assert trouble.of(OSError(errno.EINVAL, "Invalid argument", "a?b")).kind == "no_file"


def test_a_full_disk_is_no_board_that_went_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """A file that was opened and cannot be written has no name, as a port has none."""
    (tmp_path / "table.json").symlink_to("/dev/full")
    monkeypatch.setattr(ports, "find_port", lambda port: "/dev/a")
    monkeypatch.setattr(cli.console, "connect", lambda port: None)
    monkeypatch.setattr(dump, "collect", lambda console: {})
    monkeypatch.setattr(sys, "argv", ["felt", "report", str(tmp_path)])
    assert cli.main() == trouble.CODES["no_file"]
    assert "No room is left on this PC (No space left on device)" in capsys.readouterr().err


def test_the_report_of_one_table_is_not_written_over_by_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """`felt report tables --all` numbers its folders: the next day 1 may be another table."""
    facts = {"table_name": "T12", "fault": "none"}
    found: dict[str, Any] = {"table": facts, "meter_lines": [], "rounds": []}
    found |= {name: [] for name in dump.COLUMNS}
    monkeypatch.setattr(ports, "connected", lambda listed=None: ["/dev/a"])
    monkeypatch.setattr(cli.console, "connect", lambda port: None)
    monkeypatch.setattr(dump, "collect", lambda console: found)
    monkeypatch.setattr(sys, "argv", ["felt", "report", str(tmp_path), "--all"])
    for board, code in (("e66058", 0), ("e66058", 0), ("0b0b0b", trouble.CODES["no_file"])):
        facts["id"] = board
        assert cli.main() == code
    said = "holds the report of another table (T12, board e66058). Name another."
    assert said in capsys.readouterr().err
    assert json.loads((tmp_path / "1" / "table.json").read_text())["table"]["id"] == "e66058"


@pytest.mark.parametrize("closed", ["stdin", "stdout", "stderr"])
def test_a_closed_stream_stops_nothing(closed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them ended in a traceback."""
    monkeypatch.setattr(look, "everything", lambda *where: [])
    monkeypatch.setattr(sys, closed, None)
    monkeypatch.setattr(sys, "argv", ["felt"])
    assert cli.main() == 0 and not report.Bar("writing").shown
    assert closed != "stdin" or console.talk(console.Console(None)) == 0


def test_the_word_that_is_said_leaves_the_console(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """Ctrl-D was said, which Windows hands on as a letter."""
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    monkeypatch.setattr(console, "connect", lambda port: console.Console(None))
    words = cli.parser().parse_args(["console"])
    assert words.run(words) == 0
    said = capsys.readouterr().out.split()[1]
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{said}\nversion\n"))
    assert words.run(words) == 0  # nothing was asked: there is no board


PRESSED = """
import os, signal, sys
from importlib import import_module

class Pressed:
    def find_spec(self, name, *more):
        if name in sys.argv[2:]:
            os.kill(os.getpid(), signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Pressed())
entry = import_module(sys.argv[1])
sys.argv[1:] = ["boards", *sys.argv[2:]]
sys.exit(entry.main())
"""


@pytest.mark.parametrize("first", ["places", "cli", "device"])
def test_ctrl_c_while_felt_is_still_loading_is_a_sentence(first: str) -> None:
    """In its first 0.3 s it was a traceback; a second one while that is said changes nothing."""
    inside = wheel.about("0")["entry_points.txt"].decode()
    begins = re.findall(r"^felt = felt_field(\.\w+):main$", inside, re.M)
    room = "tools.field"
    words = [room + begins[0], f"{room}.{first}", f"{room}.trouble"]
    done = subprocess.run([sys.executable, "-c", PRESSED, *words], capture_output=True, text=True,
                          cwd=ROOT)  # fmt: skip
    assert done.returncode == trouble.CODES["interrupted"], done.stderr
    assert done.stderr.startswith("Interrupted.") and done.stderr.count("\n") == 1


@pytest.mark.parametrize(("words", "said"), [
    (["flash", "--label", os.fsdecode(b"T\xff1")], "--label: letter 2 of 'T\\udcff1' is none"),
    (["provision", "x.json", "--by", os.fsdecode(b"\xff")], "--by: letter 1 of '\\udcff' is none"),
    (["provision", "x.json", "--by", "A" * 70], "--by: 70 letters: a table takes 64 at most"),
])  # fmt: skip
def test_a_name_that_cannot_be_kept_is_refused_before_a_board_is_looked_for(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """The label was written to the table and ended every report after it in a traceback; of a long
    name one was to correct the file."""
    monkeypatch.setattr(look, "everything", lambda *where: pytest.fail("a board was looked for"))
    monkeypatch.setattr(sys, "argv", ["felt", *words])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == trouble.CODES["usage"] and said in capsys.readouterr().err


def test_a_login_that_no_table_takes_is_no_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is in the way of no other command, and --by is asked for."""
    monkeypatch.setenv("SUDO_USER", "a" * 65)
    assert cli.parser().parse_args(["provision", "headsup.json"]).by == ""


def test_a_table_that_has_such_a_label_keeps_its_reports(tmp_path: Path) -> None:
    made = Report("Verification of a table", {"label": "T\udcff1"})
    record = {"build": "b" * 64, "board": "x", "id": "y", "flashed_on": "z", "label": "T\udcff1"}
    made.extra["label.html"] = label.page(record)
    assert made.finish("verify", tmp_path) == 0 and len(list(tmp_path.iterdir())) == 3
    assert "T?1" in next(tmp_path.glob("*-label.html")).read_text(encoding="utf-8")


@pytest.mark.parametrize("raw", [b"garbage\n", b"\xff\xfe"])
def test_a_damaged_list_of_checksums_is_named(raw: bytes, tmp_path: Path) -> None:
    (tmp_path / "SHA256SUMS").write_bytes(raw)
    with pytest.raises(trouble.Trouble, match="SHA256SUMS is damaged: copy it again") as caught:
        releases.Release(tmp_path)
    assert caught.value.code == trouble.CODES["no_file"]


@pytest.mark.browser
@NEEDED
@pytest.mark.parametrize("told", [{}, {"demonstration": True, "weights": "ILLUSTRATIVE"}])
def test_a_long_name_leaves_the_rest_of_the_label_readable(told: dict[str, Any]) -> None:
    """It pushed the id and the date off the paper, and its own first words."""
    playwright = pytest.importorskip("playwright.sync_api")
    record = {"build": "b" * 64, "board": "W5500_EVB_PICO", "id": "e660583883724a32"}
    record |= {"flashed_on": "2026-11-18 02:05", "label": "Pit 3 table 12, " * 6}
    with playwright.sync_playwright() as started:
        browser = started.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        page = browser.new_page()
        page.set_content(label.page(record, look.marks(told)))
        paper, text = (page.locator(each).bounding_box() for each in (".label", ".label div"))
        width = page.evaluate("document.querySelector('.label div').scrollWidth")
        browser.close()
    assert paper["y"] <= text["y"]
    assert text["y"] + text["height"] <= paper["y"] + paper["height"]
    assert width <= text["width"] + 1
