"""The technician's program as it is installed: from a wheel, in an empty environment, at a board.

The board is emulated behind a pseudo terminal; in BOOTSEL a folder is its drive.
"""

from __future__ import annotations

import errno
import functools
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tty
import venv
import zipfile
from importlib import metadata
from pathlib import Path
from typing import Any, Iterator

import pytest
import serial
from felt.store.area import RamMemory
from felt.store.vault import Vault

from host_tests.test_signing import make_key
from tools.emulator.boards_on_usb import run_tool, table_memory
from tools.emulator.pico import Fram, Pico
from tools.emulator.usb_board import UsbBoard
from tools.field import (
    boards,
    cli,
    console,
    device,
    drive,
    dump,
    look,
    ports,
    seal,
    signing,
    trouble,
    uf2file,
)
from tools.field.drive import INFO
from tools.field.look import Found
from tools.field.report import PASS, TODO, Report
from tools.image import build, fsimage, release, wheel
from tools.paths import ROOT

OLD_CODE = {"main.py": b"import felt", "felt/cards.mpy": b"M", "manifest.txt": b"x"}
OWN = {"rounds/00001": b"history", "identity.json": b'{"label": "T12"}'}


def repacked(name: str, folder: Path) -> None:
    """A wheel of an installed distribution, so that no index is needed."""
    held = metadata.distribution(name)
    version = held.version
    path = folder / f"{name.replace('-', '_')}-{version}-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for file in held.files or []:
            if ".." not in file.parts and "__pycache__" not in file.parts:
                archive.write(str(held.locate_file(file)), str(file))


class Installed:
    """`felt` in an environment of its own, run in the release's folder, with a PC's keys."""

    def __init__(self, python: Path, folder: Path, keys: Path) -> None:
        self.python, self.folder, self.keys = python, folder, keys

    def __call__(self, *words: str, seconds: float = 900) -> subprocess.CompletedProcess:
        env = {k: v for k, v in os.environ.items() if not k.startswith("PYTHON")}
        env["FELT_RELEASE_KEYS"] = str(self.keys)
        env["FELT_WAIT"] = "200"  # an emulated board on a busy machine starts slowly
        command = [str(self.python.with_name("felt")), *words]
        return subprocess.run(command, cwd=self.folder, env=env, capture_output=True, text=True,
                              timeout=seconds)  # fmt: skip


@pytest.fixture(scope="module")
def felt(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """A release made, and its wheel installed with nothing but what it asks for."""
    folder = tmp_path_factory.mktemp("stick")
    build.write(release.make(["RPI_PICO"]), folder)
    shelf = tmp_path_factory.mktemp("shelf")
    for name in wheel.NEEDS:
        repacked(name, shelf)
    home = tmp_path_factory.mktemp("env")
    venv.create(home)
    python = home / "bin" / "python"
    made = next(folder.glob("*.whl"))
    done = subprocess.run(
        [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-index",
         "--find-links", shelf, made], capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    yield Installed(python, folder, home / "no_keys")


@pytest.fixture(scope="module")
def signed(felt: Installed, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The same release signed by the house, on a PC that believes the house's key alone."""
    house = tmp_path_factory.mktemp("house")
    key, out = make_key(house, "house"), house / "stick"
    words = ["--board", "RPI_PICO", "--out", str(out), "--sign", str(key)]
    done = run_tool("image.release", *words, seconds=1800)
    assert done.returncode == 0, done.stdout + done.stderr
    (wheel_name,) = [path.name for path in out.glob("*.whl")]
    assert (out / wheel_name).read_bytes() == (felt.folder / wheel_name).read_bytes()
    return Installed(felt.python, out, key.with_name("house.pub"))


def table(
    files: dict[str, bytes] | None = None, start: str = "closed", game: str = "headsup"
) -> Pico:
    memory, settings = table_memory(start, game)
    settings = {**settings, "table_name": "T12"}
    held = {"config.json": json.dumps(settings).encode(), **(files or {})}
    return Pico(held, fram=Fram(memory))


def older(pico: Pico) -> Pico:
    """The same table with another build: its image is a byte longer, and its seal says so."""
    flash = bytearray(pico.flash_image())
    at = fsimage.FLASH_OFFSET
    binary = bytes(flash[: seal.length(bytes(flash[:at])) + 1])
    flash[:at] = seal.sealed(binary, at)
    return pico.power_cycle(flash=bytes(flash))


def reports(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(path.read_text()) for path in sorted(folder.glob("*.json"))]


def signatures(folder: Path) -> set[tuple[str, str]]:
    """What reports say of the signature: (outcome, the words before the fingerprint)."""
    rows = [row for each in reports(folder) for row in each["rows"] if row["name"] == "signature"]
    return {(row["outcome"], row["text"].partition(" SHA256:")[0]) for row in rows}


def test_the_wheel_hides_no_package_of_the_firmware(felt: Installed) -> None:
    code = "import importlib.util as u; print(u.find_spec('felt'), u.find_spec('tools'))"
    done = subprocess.run([felt.python, "-c", code], capture_output=True, text=True, cwd="/")
    assert done.stdout.strip() == "None None"
    code = (
        "from felt_field.places import reach_firmware as r; r(); import felt; print(felt.__path__)"
    )
    done = subprocess.run([felt.python, "-c", code], capture_output=True, text=True, cwd="/")
    assert "felt_field/data/firmware/felt" in done.stdout, done.stderr


def test_felt_says_its_version_in_a_wheel_and_in_a_checkout(felt: Installed) -> None:
    """Nobody could tell which of two wheels a PC had."""
    (made,) = felt.folder.glob("*.whl")
    told = felt("--version")
    assert (told.returncode, told.stdout) == (0, f"felt {made.name.split('-')[1]}\n"), told.stderr
    assert run_tool("field", "--version").stdout == f"felt {release.number()}\n"


def test_the_pits_packages_are_asked_for_by_a_file_that_is_there(felt: Installed) -> None:
    """It named a package that no index has, in quotes that cmd.exe does not take."""
    done = felt("pit", "--broker", "mqtt://localhost", "--database", "sqlite:x", "--keys", "k")
    assert done.returncode == trouble.CODES["no_packages"], done.stdout + done.stderr
    named = re.findall(r'install (?:--force )?"\./([^"]+)\[pit\]"', done.stderr)
    assert len(named) == 2 and all((felt.folder / name).is_file() for name in named)


@pytest.mark.emulator
def test_a_table_of_the_old_way_is_updated_and_keeps_its_own(
    felt: Installed, tmp_path: Path
) -> None:
    """From a wheel, through BOOTSEL; its own files stay, those of the old way go."""
    kept = tmp_path / "reports"
    with UsbBoard(older(table({**OLD_CODE, **OWN})), tmp_path / "drive") as usb:
        at = ["--port", usb.path]
        words = [*at, "--drive", str(usb.drive), "--reports", str(kept)]
        told = felt("boards", *at)
        assert "not the one of this release" in told.stdout and "Next: felt flash" in told.stdout
        done = felt("flash", *words, "--label", "Pit 3 table 12")
        assert done.returncode == 0, done.stdout + done.stderr
        assert usb.written == 1 and not (usb.drive / INFO).exists()
        spoken = felt("console", *at, "version")
    assert "3 files taken off" in done.stdout and "####" in done.stdout
    first = reports(kept)[0]
    assert first["label"] == "Pit 3 table 12" and first["outcome"] == "PASS"
    assert list(kept.glob("flash-*-label.html"))
    assert f"build {first['build']}" in spoken.stdout
    assert "release unsigned" in spoken.stdout
    assert signatures(kept) == {(TODO, "unsigned development build")}
    held = fsimage.read(usb.pico.flash_image()[fsimage.FLASH_OFFSET :])
    assert sorted(held) == ["config.json", "identity.json", "rounds/00001"]


def documented() -> list[list[str]]:
    """Every `felt ...` of the technician's page, in its order, once."""
    text = (ROOT / "docs" / "technician.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^ *```sh\n(.*?)^ *```", text, re.M | re.S)
    lines = [line.strip() for block in blocks for line in block.splitlines()]
    lines += re.findall(r"`(felt(?: [^`]+)?)`", text)
    return [shlex.split(line) for line in dict.fromkeys(lines) if line.split()[:1] == ["felt"]]


# Lines of the page that a new board cannot take in their turn: the test that runs each, and how.
ELSEWHERE = {
    "felt": ("test_without_a_board_the_next_step_is_said", "felt()"),
    "felt demo --board RPI_PICO": ("test_a_bare_board_becomes_a_demonstration",
                                   'w[1:2] == ["demo"] and "--board" in w'),
    "felt demo": ("test_a_table_in_use_is_no_demonstration_and_an_open_round_no_moment",
                  'felt("demo", *words)'),
    "felt console accept": ("test_memory_moved_on_purpose_is_accepted_and_all_tables_are_read_out",
                            'felt("console", "--port", usb.path, "accept"'),
    "felt report tables --all": (
        "test_memory_moved_on_purpose_is_accepted_and_all_tables_are_read_out",
        '["report", str(tmp_path / "tables"), "--all"]'),
    "felt provision --recorded": ("test_the_configuration_of_an_open_round_is_put_back",
                                  '"provision", "--recorded", *named'),
}  # fmt: skip


def for_a_new_board(lines: list[list[str]]) -> list[list[str]]:
    """The lines that are run at a board from top to bottom: all that no other test runs."""
    return [words for words in lines if shlex.join(words) not in ELSEWHERE]


def test_every_line_of_the_page_is_run() -> None:
    """Any line with demo, --all, accept or --recorded was left out, also one that nobody ran."""
    page = documented()
    assert set(ELSEWHERE) <= {shlex.join(words) for words in page}
    new = [["felt", "verify", "--all"], ["felt", "demo", "--erase"], ["felt", "accept"]]
    assert for_a_new_board(page + new)[-3:] == new
    files = sorted((ROOT / "host_tests").glob("test_*.py"))
    for line, (name, how) in ELSEWHERE.items():
        (source,) = [text for text in map(Path.read_text, files) if f"\ndef {name}(" in text]
        body = re.split(r"\n\n\n", source.partition(f"\ndef {name}(")[2])[0]
        assert how in body, line


# What a line of the page prints when it did what the page says.
SAYS = {
    "boards": "where", "flash": "PASS  Flashing", "verify": "PASS  Verification",
    "provision": "PASS  Provisioning", "report": "report.html", "demo": "PASS  A demonstration",
}  # fmt: skip


def at_board(usb: UsbBoard, words: list[str], reports: Path) -> list[str]:
    """A line of the page with what only a test needs: where the emulated board is."""
    more = {"flash": ["--drive", str(usb.drive)], "demo": ["--drive", str(usb.drive)]}
    out = words[1:] + more.get(words[1], [])
    if not usb.bootsel:
        out += ["--port", usb.path]
    elif words[1] == "flash":
        out += ["--back", usb.path]
    if words[1] in ("flash", "verify", "demo") or words[1:3] == ["provision", "headsup.json"]:
        out += ["--reports", str(reports)]
    return out


@pytest.mark.emulator
def test_the_technicians_page_from_top_to_bottom(signed: Installed, tmp_path: Path) -> None:
    """A new board becomes a table by the lines of the page, each as it stands, signed release."""
    felt = signed
    lines = for_a_new_board(documented())
    elsewhere = {"demo", "pit", "audit"}  # the pit has a page of its own
    assert len(lines) > 10 and {w[1] for w in lines} == set(cli.COMMANDS) - elsewhere
    blank = Pico(flash=b"\xff" * 4096, fram=Fram(), service=True)
    blank.drive("KEY_ATTENDANT", 0)
    with UsbBoard(blank, tmp_path / "drive", bootsel=True) as usb:
        unsaid = felt("flash", "--drive", str(usb.drive), "--reports", str(tmp_path))
        assert unsaid.returncode == trouble.CODES["bootsel"]
        assert "--board RPI_PICO or W5500_EVB_PICO" in unsaid.stdout
        for words in sorted(lines, key=lambda w: w[1] == "boards"):
            if "clear" in words or "--label" in words:
                usb.power_cycle()
            done = felt(*at_board(usb, words, tmp_path / "reports"))
            told = f"{words}\n{done.stdout}{done.stderr}"
            assert done.returncode == 0, told
            done_so = words[1] == "provision" and (
                "--examples" in words or "--check-only" in words
            )
            assert done_so or SAYS.get(words[1], "") in done.stdout, told
        facts = felt("console", "--port", usb.path, "version").stdout
    assert usb.written == 1 and "fault none" in facts
    assert f"release {release.number()}" in facts
    assert signatures(tmp_path / "reports") == {(PASS, "signed by")}
    assert "table_name" in (felt.folder / "headsup.json").read_text()


@pytest.mark.emulator
def test_a_changed_byte_is_found(felt: Installed, tmp_path: Path) -> None:
    changed = table()
    changed.mcu.flash[300_000] ^= 1
    with UsbBoard(changed, tmp_path / "drive") as usb:
        found = felt("verify", "--port", usb.path, "--reports", str(tmp_path))
    assert found.returncode == 1
    assert f"differs at {300_000 // 16384 * 16384:#x}" in found.stdout


@pytest.mark.emulator
def test_ctrl_c_in_the_middle_leaves_a_table_that_answers(felt: Installed, tmp_path: Path) -> None:
    """The page promises that it does no harm; the board heard nothing any more."""
    with UsbBoard(table(), tmp_path / "drive") as usb:
        words = ["verify", "--port", usb.path, "--reports", str(tmp_path / "r")]
        command = [str(felt.python), "-u", "-m", "felt_field", *words]
        heeds = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)  # a job of a shell
        pipe = subprocess.PIPE  # that is in the background ignores Ctrl-C, and hands that on
        with subprocess.Popen(
            command, cwd=felt.folder, stdout=pipe, text=True, preexec_fn=heeds
        ) as run:
            assert run.stdout and any("PASS   identity" in line for line in run.stdout)
            usb.hold(lambda pico: b"R\x01" in pico.output[-5:])  # it waits for a program
            run.send_signal(signal.SIGINT)
            assert run.wait(60) == trouble.CODES["interrupted"]
            usb.go()
        listed = felt("boards", "--port", usb.path)
        again = felt(*words)
    assert "RPI_PICO" in listed.stdout and "does not answer" not in listed.stdout
    assert again.returncode == 0, again.stdout + again.stderr


@pytest.mark.emulator
def test_a_board_left_with_half_a_program_is_found(
    felt: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a killed program leaves it: every word went into the program that was being sent."""
    monkeypatch.setattr(console, "ANSWER_S", 15)
    with UsbBoard(table(), tmp_path / "drive") as usb:
        with serial.serial_for_url(usb.path, timeout=60) as port:
            port.write(b"\r\x03\r\x01")
            port.read_until(b"raw REPL; CTRL-B to exit\r\n>")
            port.write(b"\x05A\x01")
            assert port.read_until(b"R\x01")
            port.write(b"import os\nprint(")
        link = console.connect(usb.path)
        assert link.facts()["fault"] == "none"
        link.link.close()


@pytest.mark.emulator
def test_unapproved_weights_are_in_every_report_and_seen_from_afar(
    felt: Installed, tmp_path: Path
) -> None:
    """Verified and flashed anew, such a table passed without a word about them."""
    kept = tmp_path / "reports"
    with UsbBoard(table(game="premium"), tmp_path / "drive") as usb:
        words = ["--port", usb.path, "--reports", str(kept)]
        listed = felt("boards", "--port", usb.path)
        done = [felt("verify", *words), felt("flash", *words, "--drive", str(usb.drive))]
    assert [each.returncode for each in done] == [0, 0], done
    assert "closed, ILLUSTRATIVE wheel weights" in listed.stdout
    pages = [path.read_text() for path in kept.iterdir() if "label" not in path.name]
    assert len(pages) == 4 and all("ILLUSTRATIVE: not approved" in page for page in pages)
    (label,) = kept.glob("*-label.html")
    assert ">ILLUSTRATIVE<" in label.read_text()


@pytest.mark.emulator
def test_a_bare_board_becomes_a_demonstration(signed: Installed, tmp_path: Path) -> None:
    """No memory chip answers; the service key is on only so that this test can look."""
    felt = signed
    blank = Pico(flash=b"\xff" * 4096, fram=Fram(), service=True)
    blank.fram.present = False
    (words,) = [w for w in documented() if w[1:2] == ["demo"] and "--board" in w]
    with UsbBoard(blank, tmp_path / "drive", bootsel=True) as usb:
        done = felt(*at_board(usb, words, tmp_path / "r"))
        assert done.returncode == 0, done.stdout + done.stderr
        shown = felt("console", "--port", usb.path, "version", "selftest")
        listed = felt("boards", "--port", usb.path)
        words = ["--port", usb.path, "--reports", str(tmp_path / "told")]
        told = [felt(each, *words) for each in ("verify", "flash")]
        told.append(felt("report", "--port", usb.path, str(tmp_path / "told")))
    assert [each.returncode for each in told] == [0, 0, 0], told
    pages = [p.read_text() for p in (tmp_path / "told").glob("*.html") if "label" not in p.name]
    assert len(pages) == 3 and all("DEMO: a demonstration" in page for page in pages)
    (label,) = (tmp_path / "told").glob("flash-*-label.html")
    assert ">DEMO ILLUSTRATIVE<" in label.read_text(), (
        "only the reports said so, and the label is on the table"
    )
    assert "DEMO, ILLUSTRATIVE wheel weights" in listed.stdout
    assert "fault none" in shown.stdout and "demonstration, none fitted" in shown.stdout
    assert "ILLUSTRATIVE" in done.stdout


@pytest.mark.emulator
def test_a_demonstration_with_a_new_memory_chip_is_told_how_to_open(
    felt: Installed, tmp_path: Path
) -> None:
    """It was to start by itself, and was closed."""
    blank = Pico(flash=b"\xff" * 4096, fram=Fram(), service=True)
    blank.drive("KEY_ATTENDANT", 0)
    with UsbBoard(blank, tmp_path / "drive", bootsel=True) as usb:
        done = felt(*at_board(usb, ["felt", "demo", "--board", "RPI_PICO"], tmp_path / "r"))
        closed = felt("console", "--port", usb.path, "version").stdout
        told = re.findall(r"critical memory .*then: felt (console clear)", done.stdout)
        assert done.returncode == 0 and "fault vault_blank" in closed and told, done.stdout
        usb.power_cycle()
        felt(*told[0].split(), "--port", usb.path)
        usb.power_cycle()
        opened = felt("console", "--port", usb.path, "version").stdout
    assert "fault none" in opened


@pytest.mark.emulator
def test_a_table_in_use_is_no_demonstration_and_an_open_round_no_moment(
    felt: Installed, tmp_path: Path
) -> None:
    with UsbBoard(table(start="midround"), tmp_path / "drive") as usb:
        words = ["--port", usb.path, "--drive", str(usb.drive), "--reports", str(tmp_path / "r")]
        early = felt("flash", *words, "--again")
    assert early.returncode == trouble.CODES["round_open"] and "Finish or void" in early.stdout
    with UsbBoard(table(), tmp_path / "drive") as usb:
        words = ["--port", usb.path, "--drive", str(usb.drive), "--reports", str(tmp_path / "r")]
        done = felt("demo", *words)
        assert done.returncode == trouble.CODES["in_use"] and "--erase" in done.stdout
        assert usb.written == 0
        meant = felt("demo", *words, "--erase")
    assert meant.returncode == 0 and "still holds the meters of headsup" in meant.stdout
    assert "console clear" in meant.stdout and usb.written == 1


@pytest.mark.emulator
def test_memory_moved_on_purpose_is_accepted_and_all_tables_are_read_out(
    felt: Installed, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Critical memory of another board, both keys on; then `report --all`, ports as listed."""
    memory, settings = table_memory("closed", "headsup")
    moved = RamMemory()
    moved.data[:] = memory
    Vault(moved, owner=b"another1").adopt()
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(bytes(moved.data)))
    pico.drive("KEY_ATTENDANT", 0)
    with UsbBoard(pico, tmp_path / "drive") as usb:
        refused = felt("console", "--port", usb.path, "version")
        done = felt("console", "--port", usb.path, "accept", "version")
        monkeypatch.setattr(cli.ports, "connected", lambda: [usb.path])
        monkeypatch.setattr(console, "ANSWER_S", 200)
        args = cli.parser().parse_args(["report", str(tmp_path / "tables"), "--all"])
        assert args.run(args) == 0
    assert "fault vault_foreign" in refused.stdout
    assert done.returncode == 0, done.stdout + done.stderr
    assert "accepted vault_foreign, now: no fault" in done.stdout and "fault none" in done.stdout
    assert "Table report" in (tmp_path / "tables" / "1" / "report.html").read_text()


def test_a_damaged_release_is_refused(felt: Installed, tmp_path: Path) -> None:
    for path in felt.folder.iterdir():
        if path.is_file():  # a technician's dump may lie beside the release
            (tmp_path / path.name).write_bytes(path.read_bytes())
    image = tmp_path / "felt-RPI_PICO.uf2"
    image.write_bytes(image.read_bytes()[:-1] + b"\0")
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / INFO).write_text("Board-ID: RPI-RP2\n")
    done = felt("flash", "--release", str(tmp_path), "--drive", str(tmp_path / "drive"),
                "--board", "RPI_PICO", "--reports", str(tmp_path / "r"))  # fmt: skip
    assert done.returncode == trouble.CODES["no_file"] and "is damaged" in done.stdout
    assert [path.name for path in (tmp_path / "drive").iterdir()] == [INFO]


@pytest.mark.emulator
def test_a_damaged_stick_is_not_the_tables_fault(felt: Installed, tmp_path: Path) -> None:
    """It said 10 files, and that the table differed; or stopped with the table at its prompt."""
    stick = tmp_path / "stick"
    shutil.copytree(felt.folder, stick, ignore=shutil.ignore_patterns("felt-reports"))
    (stick / "NOTES.md").unlink()
    (stick / "felt-RPI_PICO-demo.uf2").write_bytes(b"half")
    with UsbBoard(table(), tmp_path / "drive") as usb:
        words = ["verify", "--port", usb.path, "--release", str(stick), "--reports", str(tmp_path)]
        done = felt(*words)
        (stick / "felt-RPI_PICO.uf2").write_bytes(b"half")
        before = len(usb.pico.output)
        stopped = felt(*words)
        assert b"raw REPL" not in usb.pico.output[before:]
    assert done.returncode == 1 and "differs" not in done.stdout
    assert "damaged or missing: NOTES.md, felt-RPI_PICO-demo.uf2; copy" in done.stdout
    assert "PASS   identity" in done.stdout and "PASS   flash" in done.stdout
    assert stopped.returncode == trouble.CODES["no_file"]
    assert "felt-RPI_PICO.uf2 is damaged" in stopped.stdout


def harmed(signed: Installed, folder: Path, how: str) -> Path:
    """A copy of a signed release that is no longer what the house signed."""
    shutil.copytree(signed.folder, folder)
    image = folder / "felt-RPI_PICO.uf2"
    data = bytearray(image.read_bytes())
    data[len(data) // 2] ^= 1
    if how == "one byte":
        image.write_bytes(data)
    elif how == "no signature":
        (folder / signing.SIGNATURE).unlink()
    else:
        signing.sign(folder, make_key(folder.parent, "stranger"))
    return folder


@pytest.mark.parametrize("how", ["one byte", "another key", "no signature"])
def test_only_what_the_house_signed_is_used(signed: Installed, tmp_path: Path, how: str) -> None:
    copy = harmed(signed, tmp_path / "copy", how)
    (tmp_path / "drive").mkdir()
    (tmp_path / "drive" / INFO).write_text("Board-ID: RPI-RP2\n")
    new = ["--drive", str(tmp_path / "drive"), "--board", "RPI_PICO"]
    for words in (["flash", *new], ["demo", *new], ["verify", "--port", "/dev/ttyNONE"]):
        done = signed(*words, "--release", str(copy), "--reports", str(tmp_path / "r"))
        told = done.stdout + done.stderr
        assert done.returncode == trouble.CODES["signature"] == 26, told
        assert "The release is refused, nothing was written" in told
    assert [path.name for path in (tmp_path / "drive").iterdir()] == [INFO]


def test_without_a_board_the_next_step_is_said(felt: Installed) -> None:
    done = felt()
    assert done.returncode == 0 and "Next: " in done.stdout
    lost = felt("verify", "--port", "/dev/ttyACM99")
    assert lost.returncode == trouble.CODES["no_board"] and "service key" in lost.stdout


class AnyRelease:
    def identity(self, board: str) -> str:
        return "a" * 64


def silent(kind: str) -> Found:
    return Found("p", look.SILENT, trouble=trouble.Trouble(kind, "p"))


@pytest.mark.parametrize(
    ("found", "said", "then"),
    [
        (None, "No board is connected", "hold BOOTSEL"),
        (
            Found("/mnt/x", look.BOOTSEL, facts={"chip": "rp2350"}),
            "waits in BOOTSEL",
            "felt flash",
        ),
        (Found("/mnt/x", look.BOOTSEL, facts={"chip": "rp2040"}), "RP2040", "--board RPI_PICO or"),
        (
            Found("p", look.MICROPYTHON, "RPI_PICO", {"text": "MicroPython 1.28.0"}),
            "stock",
            "flash",
        ),
        (Found("p", look.OTHER, facts={"text": "ESP32"}), "ESP32: Felt has no image", "another"),
        (silent("locked"), "p does not answer.", "turn the service key on"),
        (silent("busy"), "p is in use by another program.", "Close other terminals"),
        (Found("p", look.TABLE, "RPI_PICO", {"build": "b" * 64}), "not the one", "felt flash"),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "fault": "config "}),
            "without a configuration",
            "felt provision",
        ),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "fault": "vault_blank"}),
            "memory is new",
            "felt console clear",
        ),
        (
            Found("p", look.TABLE, "RPI_PICO", {"build": "a" * 64, "state": "closed"}),
            "the one of this release, closed",
            "felt verify",
        ),
    ],
)
def test_a_newcomer_gets_one_sentence_and_the_next_step(
    found: Found | None, said: str, then: str
) -> None:
    told = look.guide(found, AnyRelease())  # type: ignore[arg-type]
    assert said in told[0] and then in told[1]


def test_all_takes_every_board_and_ends_with_the_worst_code(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    codes = {"/dev/a": 0, "/dev/b": 1, "/dev/c": 0}
    monkeypatch.setattr(cli.ports, "connected", lambda: list(codes))
    monkeypatch.setattr(cli.verify, "run", lambda port, args: codes[port])
    args = cli.parser().parse_args(["verify", "--all"])
    assert args.run(args) == 1


def test_a_board_in_trouble_keeps_no_other_from_its_turn_and_ctrl_c_does(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, tmp_path: Path
) -> None:
    """`felt report --all` ended at the first silent table."""
    written: list[str] = []

    def connect(port: str) -> str:
        if port == "/dev/b":
            raise stopped
        return port

    def write(link: str, folder: Path) -> int:
        written.append(f"{link} {folder.name}")
        return 0

    monkeypatch.setattr(cli.ports, "connected", lambda: ["/dev/a", "/dev/b", "/dev/c"])
    monkeypatch.setattr(cli.console, "connect", connect)
    monkeypatch.setattr(dump, "write", write)
    args = cli.parser().parse_args(["report", str(tmp_path), "--all"])
    stopped: BaseException = trouble.Trouble("locked", "/dev/b")
    assert args.run(args) == trouble.CODES["locked"] and written == ["/dev/a 1", "/dev/c 3"]
    assert "/dev/b does not answer" in capsys.readouterr().err
    stopped = KeyboardInterrupt()
    assert args.run(args) == trouble.CODES["interrupted"]
    assert written[2:] == ["/dev/a 1"]


def test_reports_of_one_second_are_all_kept(tmp_path: Path) -> None:
    for port in "abc":
        made = Report("Flashing a table", {"port": port})
        made.when = "2026-11-17 12:00:00"
        made.save("flash", tmp_path)
    kept = [json.loads(path.read_text())["port"] for path in tmp_path.glob("*.json")]
    assert sorted(kept) == ["a", "b", "c"] and len(list(tmp_path.glob("*.html"))) == 3


def test_several_boards_need_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    both = [Found("/dev/a", look.SILENT), Found("/mnt/x", look.BOOTSEL, facts={"chip": "rp2350"})]
    monkeypatch.setattr(cli.look, "everything", lambda port, place: both)
    with pytest.raises(trouble.Trouble, match="2 boards are connected: /dev/a, /mnt/x"):
        cli._targets(cli.parser().parse_args(["flash"]))


@pytest.mark.parametrize(
    ("system", "error", "said"),
    [
        ("linux", serial.SerialException(errno.EACCES, "Permission denied"), "dialout"),
        ("linux", serial.SerialException(errno.EBUSY, "busy"), "in use by another program"),
        ("linux", serial.SerialException(errno.ENOENT, "No such file"), "No board found at COM3"),
        ("darwin", BlockingIOError(errno.EAGAIN, "unavailable"), "in use by another program"),
        ("win32", serial.SerialException("could not open port 'COM3': PermissionError(13, "
                                         "'Access is denied.', None, 5)"), "in use by another"),
        ("win32", serial.SerialException("could not open port 'COM3': FileNotFoundError(2, "
                                         "'not there', None, 2)"), "No board found at COM3"),
    ],
)  # fmt: skip
def test_a_port_that_cannot_be_opened_says_why_on_every_system(
    monkeypatch: pytest.MonkeyPatch, system: str, error: OSError, said: str
) -> None:
    def refuse(*_args: Any, **_options: Any) -> None:
        raise error

    monkeypatch.setattr(serial, "serial_for_url", refuse)
    monkeypatch.setattr(sys, "platform", system)
    with pytest.raises(trouble.Trouble, match=said):
        ports.open_serial("COM3")


@pytest.mark.parametrize("command", ["flash", "demo"])
def test_a_port_in_use_and_one_that_is_not_there_keep_their_own_codes(
    command: str, tmp_path: Path
) -> None:
    """A silent board was blamed for both, and the technician turned keys."""
    master, slave = os.openpty()
    path = os.ttyname(slave)
    words = (command, "--reports", str(tmp_path), "--port")
    with serial.serial_for_url(path, exclusive=True):
        held = run_tool("field", *words, path)
    assert held.returncode == trouble.CODES["busy"] and "in use by another" in held.stdout
    os.close(master)  # gone; its name is nobody's while the other end is held
    gone = run_tool("field", *words, path)
    os.close(slave)
    assert gone.returncode == trouble.CODES["no_board"] and f"found at {path}" in gone.stdout


def test_a_port_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """It was opened, closed and opened again: on a busy PC the second one found it in use."""
    opened: list[str] = []
    real = serial.serial_for_url

    def counted(port: str, *words: Any, **options: Any) -> Any:
        opened.append(port)
        return real(port, *words, **options)

    master, slave = os.openpty()
    monkeypatch.setattr(serial, "serial_for_url", counted)
    board = device.Board(os.ttyname(slave))
    assert opened == [os.ttyname(slave)]
    board._link.serial.close()
    os.close(master)
    os.close(slave)


def test_bytes_of_a_port_come_whole_and_in_order_however_they_are_asked_for() -> None:
    master, slave = os.openpty()
    tty.setraw(slave)
    with serial.serial_for_url(os.ttyname(slave), timeout=0.2) as port:
        taken = device.Taken(port)
        assert taken.inWaiting() == 0 and taken.read() == b"" and taken.timeout == 0.2
        os.write(master, b"abcdef")
        assert [taken.read(), taken.read(2), taken.inWaiting()] == [b"a", b"bc", 3]
        os.write(master, b"gh")
        assert taken.read(5) == b"defgh" and taken.inWaiting() == 0
        os.write(master, b"i")
        assert taken.read(3) == b"i" and taken.read(1) == b""
    os.close(master)
    os.close(slave)


def test_drives_are_found_on_every_system(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / INFO).write_text("UF2 Bootloader v1.0\nBoard-ID: RP2350\n")
    assert drive.read(tmp_path) == drive.Drive(tmp_path, "rp2350")
    assert drive.read(tmp_path / "nothing") is None
    monkeypatch.setattr(sys, "platform", "win32")
    assert Path("E:/") in list(drive.places())
    monkeypatch.setattr(sys, "platform", "darwin")
    assert all(str(place).startswith("/Volumes") for place in drive.places())


def test_a_drive_is_seen_whoever_is_logged_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Under sudo the folder of root was looked at, and no board in BOOTSEL was found."""
    media, run = tmp_path / "media", tmp_path / "run"
    places = media / "ada" / "RPI-RP2", run / "bob" / "RP2350", media / "RPI-RP2"
    for place in places:
        place.mkdir(parents=True)
        (place / INFO).write_text("Board-ID: RPI-RP2\n")
    disk = media / "disk" / "RPI-RP2"
    disk.mkdir(parents=True)
    (disk / INFO).write_text("Board-ID: RPI-RP2\n")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(drive, "MEDIA", (str(media), str(run), str(tmp_path / "nothing")))
    monkeypatch.setattr(drive.os.path, "ismount", lambda place: place == media / "disk")
    monkeypatch.setenv("USER", "root")
    assert [each.path for each in drive.drives()] == list(places), "and no disk is searched"


def test_no_drive_and_two_drives(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(trouble.Trouble, match="did not appear"):
        drive.wait("rp2040", tmp_path, 0)
    both = [drive.Drive(Path(name), "rp2040") for name in "ab"]
    monkeypatch.setattr(drive, "drives", lambda given: both)
    assert drive.wait("rp2040", None, 0, both[:1]) == both[1]
    with pytest.raises(trouble.Trouble, match="More than one board"):
        drive.wait("rp2040", None, 0)


def test_a_cable_pulled_while_writing_is_told(tmp_path: Path) -> None:
    gone = drive.Drive(tmp_path / "gone", "rp2040")
    with pytest.raises(trouble.Trouble, match="went away in the middle while writing x.uf2"):
        drive.copy(b"data", gone, "x.uf2", lambda done, total: None)


@pytest.mark.parametrize(("sent", "whole"), [(0, False), (1, False), (2, True)])
def test_an_image_is_written_when_the_system_has_sent_it(
    sent: int, whole: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bar was full at once, and a cable pulled after that was a written demonstration."""
    reached, bar = iter(range(3)), []

    def sync(_file: int) -> None:
        if next(reached) == sent:
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(drive.os, "fsync", sync)
    words = bytes(2 * drive.CHUNK + 1), drive.Drive(tmp_path, "rp2040"), "x.uf2"
    if whole:
        drive.copy(*words, lambda done, total: bar.append(done))
    else:
        with pytest.raises(trouble.Trouble, match="went away in the middle while writing x.uf2"):
            drive.copy(*words, lambda done, total: bar.append(done))
    assert bar == [drive.CHUNK * (part + 1) for part in range(sent)]


def test_stock_and_own_names_of_every_board_are_known() -> None:
    stock = {
        "Raspberry Pi Pico with RP2040": "RPI_PICO",
        "Raspberry Pi Pico2 with RP2350": "RPI_PICO2",
        "W5500-EVB-Pico with RP2040": "W5500_EVB_PICO",
        "ESP32": None,
    }
    assert {name: boards.of_machine(name) for name in stock} == stock
    assert boards.of_machine(boards.OURS + "Raspberry Pi Pico with RP2040") == "RPI_PICO"


def test_the_demonstration_writes_its_settings_and_the_update_none() -> None:
    made = release.make(["RPI_PICO"])
    update = uf2file.flat(made["felt-RPI_PICO.uf2"])
    whole = uf2file.flat(made["felt-RPI_PICO-demo.uf2"]).ljust(2 << 20, b"\xff")
    assert len(update) == fsimage.FLASH_OFFSET and whole.startswith(update)
    files = fsimage.read(whole[fsimage.FLASH_OFFSET :])
    assert json.loads(files["config.json"])["demonstration"] is True
