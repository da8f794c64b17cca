"""Flashing and verifying an emulated board over its serial port, with the real mpremote."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool, small_build, table_memory, zipped
from tools.emulator.pico import Fram, Pico
from tools.emulator.serial_port import SerialPort
from tools.field import console, device, trouble
from tools.image import build, fsimage

pytestmark = pytest.mark.emulator
KEPT = {
    "config.json": b'{"game": "premium"}',
    "rounds/00001": b"history",
    "identity.json": b'{"label": "T12"}',
}


def files_of(pico: Pico) -> dict[str, bytes]:
    start = fsimage.FLASH_OFFSET
    return fsimage.read(pico.flash_image()[start : start + fsimage.BLOCK * fsimage.BLOCKS])


def flash(
    port: SerialPort, release: Path, tmp_path: Path, *more: str
) -> subprocess.CompletedProcess:
    words = ["--release", str(release), "--no-self-test", "--reports", str(tmp_path / "reports")]
    return run_tool("field.flash", "--port", port.path, *words, *more)


def verify(
    port: SerialPort, release: Path, tmp_path: Path, *more: str
) -> subprocess.CompletedProcess:
    return run_tool("field.verify", "--port", port.path, "--release", str(release), *more,
                    "--no-interpreter", "--reports", str(tmp_path / "reports"))  # fmt: skip


def test_new_board_is_flashed_verified_and_found_tampered(tmp_path: Path) -> None:
    files = small_build()
    release = zipped(files, tmp_path / "felt-RPI_PICO.zip")
    with SerialPort(Pico({})) as port:
        done = flash(port, release, tmp_path, "--label", "Pit 3 table 12")
        assert done.returncode == 0, done.stdout + done.stderr
        assert f"identity {build.digest(files)}" in done.stdout
        before = port.pico.flash_image()
        same = verify(port, release, tmp_path, "--bytes")
        assert same.returncode == 0, same.stdout + same.stderr
        assert port.pico.flash_image() == before
        mpremote = [sys.executable, "-m", "mpremote", "connect", port.path, "exec"]
        tamper = "f=open('felt/cards.py','w'); f.write('DECK = 51\\n'); f.close()\n"
        tamper += "open('felt/spy.py','w').close()"
        assert subprocess.run([*mpremote, tamper], timeout=60).returncode == 0
        found = verify(port, release, tmp_path)
    assert found.returncode == 1
    assert "felt/cards.py" in found.stdout and "felt/spy.py" in found.stdout
    assert "this table differs" in found.stdout and "this table differs" not in same.stdout
    held = files_of(port.pico)
    identity = json.loads(held.pop("identity.json"))
    assert identity["label"] == "Pit 3 table 12" and identity["build"] == build.digest(files)
    assert held == {**files, "felt/cards.py": b"DECK = 51\n", "felt/spy.py": b""}
    reports = sorted(path.name for path in (tmp_path / "reports").iterdir())
    assert any(n.startswith("flash-") and n.endswith(".html") for n in reports)
    assert any(n.startswith("verify-") and n.endswith(".json") for n in reports)


def test_update_copies_what_differs_and_keeps_what_is_the_tables_own(tmp_path: Path) -> None:
    old = {**small_build(felt__old=b"gone"), **KEPT, "felt/cards.py.new": b"cut"}
    new = small_build(felt__cards=b"DECK = 53\n")
    release = zipped(new, tmp_path / "felt-RPI_PICO.zip")
    with SerialPort(Pico(old)) as port:
        done = flash(port, release, tmp_path)
        again = flash(port, release, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 files, 10 bytes" in done.stdout and "felt/old.py" in done.stdout
    assert "0 files, 0 bytes" in again.stdout
    held = files_of(port.pico)
    assert json.loads(held["identity.json"])["label"] == "T12"
    del held["identity.json"]
    assert held == {**new, "config.json": KEPT["config.json"], "rounds/00001": b"history"}


def test_unplugged_in_the_middle_then_repeated(tmp_path: Path) -> None:
    new = small_build(felt__big=bytes(range(256)) * 80)
    release = zipped(new, tmp_path / "felt-RPI_PICO.zip")
    port = SerialPort(Pico(small_build()))
    with port:
        puller = threading.Thread(target=_pull_when_writing, args=(port,))
        puller.start()
        cut = flash(port, release, tmp_path)
        puller.join()
    assert cut.returncode == trouble.CODES["unplugged"], cut.stdout + cut.stderr
    assert "Plug it in again and repeat" in cut.stdout and "FAIL" in cut.stdout
    assert build.MANIFEST not in files_of(port.pico)
    after = port.pico.power_cycle()
    with SerialPort(after) as port:
        done = flash(port, release, tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    held = files_of(after)
    held.pop("identity.json")
    assert held == new


def _pull_when_writing(port: SerialPort) -> None:
    """Pulls the cable once the manifest is gone and the big file has begun."""
    port.hold(_writing)
    port.unplug()


def _listen_to_ctrl_c() -> None:
    """A test run in the background has Ctrl-C switched off for all it starts."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _writing(pico: Pico) -> bool:
    return b"big.py.new" in pico.flash_image()


def test_ctrl_c_in_the_middle_then_repeated_on_the_same_connection(tmp_path: Path) -> None:
    new = small_build(felt__big=bytes(range(256)) * 80)
    release = zipped(new, tmp_path / "felt-RPI_PICO.zip")
    words = ["--port", "", "--release", str(release), "--no-self-test", "--reports", str(tmp_path)]
    with SerialPort(Pico(small_build())) as port:
        words[1] = port.path
        tool = subprocess.Popen(
            [sys.executable, "-m", "tools.field.flash", *words], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, preexec_fn=_listen_to_ctrl_c,
        )  # fmt: skip
        port.hold(_writing)
        tool.send_signal(signal.SIGINT)
        port.go()
        said, _ = tool.communicate(timeout=60)
        done = run_tool("field.flash", *words)
    assert tool.returncode == trouble.CODES["interrupted"], said
    assert "Repeat the same command" in said and "Traceback" not in said
    assert done.returncode == 0, done.stdout + done.stderr
    held = files_of(port.pico)
    held.pop("identity.json")
    assert held == new


def test_full_flash_is_refused_before_anything_changes(tmp_path: Path) -> None:
    old = {**small_build(), "rounds/ballast": bytes(1_375_000)}
    release = zipped(small_build(felt__big=bytes(60_000)), tmp_path / "felt-RPI_PICO.zip")
    with SerialPort(Pico(old)) as port:
        done = flash(port, release, tmp_path)
        with device.Board(port.path) as board, pytest.raises(trouble.Trouble, match="full"):
            board.write("felt/more.py", random.Random(1).randbytes(40_000))  # found on the way
    assert done.returncode == trouble.CODES["full"]
    assert "flash is full" in done.stdout
    assert files_of(port.pico) == old


def test_wrong_board_and_busy_port(tmp_path: Path) -> None:
    release = zipped(small_build(), tmp_path / "felt-RPI_PICO2.zip")
    with SerialPort(Pico({})) as port:
        wrong = flash(port, release, tmp_path, "--board", "RPI_PICO2")
        holder = device.open_serial(port.path)
        busy = flash(port, release, tmp_path)
        holder.close()
    assert wrong.returncode == trouble.CODES["wrong_board"]
    assert "Raspberry Pi Pico with RP2040, not a RPI_PICO2" in wrong.stdout
    assert busy.returncode == trouble.CODES["busy"] and "in use by another program" in busy.stdout
    assert files_of(port.pico) == {}


def test_a_micropython_that_is_too_old_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "OLDEST", (1, 99, 0))
    with SerialPort(Pico({})) as port, device.Board(port.path) as board:
        with pytest.raises(trouble.Trouble, match="1.99.0 or newer .* this board has 1.28.0"):
            board.check(None)


def test_the_console_is_back_after_a_tool_left_the_board_at_its_prompt() -> None:
    main = b"import sys\nprint('# felt service console, build x')\nwhile True:\n"
    main += b" if sys.stdin.readline().strip():\n  print('build x')\n  print('OK')\n"
    with SerialPort(Pico({"main.py": main})) as port:
        with device.Board(port.path) as board:
            assert board.tree() == {"main.py": len(main)}
        link = console.connect(port.path, seconds=30)
        assert link.facts() == {"build": "x"}
        link.link.close()


def test_a_board_without_the_program_says_so_at_once() -> None:
    with SerialPort(Pico({})) as port:
        with pytest.raises(trouble.Trouble, match="no service console.*make flash"):
            console.connect(port.path, seconds=30)


def test_damaged_release_is_refused(tmp_path: Path) -> None:
    files = {**small_build(), "felt/cards.py": b"DECK = 54\n"}
    release = zipped(files, tmp_path / "felt-RPI_PICO.zip")
    with SerialPort(Pico({})) as port:
        done = flash(port, release, tmp_path)
    assert done.returncode == trouble.CODES["no_file"] and "damaged" in done.stdout
    assert files_of(port.pico) == {}


def ports(*vids: int, pid: int = 0x0005) -> list[SimpleNamespace]:
    names = enumerate(vids)
    return [SimpleNamespace(device=f"/dev/ttyACM{i}", vid=vid, pid=pid) for i, vid in names]


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(ports(), "no_board"), (ports(0x1A86), "no_board"), (ports(0x2E8A, 0x2E8A), "two_boards")],
)
def test_no_board_and_two_boards(listed: list, kind: str) -> None:
    with pytest.raises(trouble.Trouble) as caught:
        device.find_port(None, listed)
    assert caught.value.kind == kind and caught.value.code == trouble.CODES[kind]


def test_the_only_board_is_found() -> None:
    probe = ports(0x2E8A, pid=0x000C)
    assert device.find_port(None, ports(0x1A86, 0x2E8A) + probe) == "/dev/ttyACM1"


def test_a_port_that_is_not_there() -> None:
    done = run_tool("field.verify", "--port", "/dev/ttyACM99")
    assert done.returncode == trouble.CODES["no_board"] and "turn the service key" in done.stderr


def test_a_round_in_memory_is_found_without_the_program(tmp_path: Path) -> None:
    """The program is gone, the memory holds a round: it ends with the build it began with."""
    memory, settings = table_memory("midround")
    files = {**small_build(), "config.json": json.dumps(settings).encode()}
    release = zipped(small_build(felt__cards=b"DECK = 53\n"), tmp_path / "felt-RPI_PICO.zip")
    with SerialPort(Pico(files, fram=Fram(memory))) as port:
        done = flash(port, release, tmp_path)
    assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
    assert files_of(port.pico) == files


def test_a_round_at_the_table_refuses(tmp_path: Path) -> None:
    with VirtualPort(tmp_path / "state", start="midround") as port:
        done = run_tool("field.flash", "--port", port.path)
    assert done.returncode == trouble.CODES["round_open"] and "Finish or void it" in done.stdout
