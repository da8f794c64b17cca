"""Ports, prompts and rounds in progress, over serial ports with the real mpremote.

Flashing itself is tested as it is installed: test_felt.py.
"""

from __future__ import annotations

import hashlib
import json
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool, table_memory
from tools.emulator.pico import Fram, Pico
from tools.emulator.serial_port import SerialPort
from tools.field import console, device, ports, trouble
from tools.image import image
from tools.paths import ROOT

pytestmark = pytest.mark.emulator


def put(port: SerialPort, tmp_path: Path, *more: str) -> subprocess.CompletedProcess:
    """Flash by a folder that stands for the drive; the board has this build already."""
    (tmp_path / "drive").mkdir(exist_ok=True)
    words = ["--drive", str(tmp_path / "drive"), "--no-self-test"]
    words += ["--reports", str(tmp_path / "reports"), *more]
    return run_tool("field", "flash", "--port", port.path, *words)


def test_the_console_is_back_after_a_tool_left_the_board_at_its_prompt(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console, "ANSWER_S", 200.0)
    memory, settings = table_memory("closed", "headsup")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    with SerialPort(pico) as port:
        with device.Board(port.path) as board:
            assert list(board.tree()) == ["config.json"]
        link = console.connect(port.path, seconds=200)
        assert link.facts()["build"] == image.of_tests().identity
        link.link.close()


def listed(*vids: int, pid: int = 0x0005) -> list[SimpleNamespace]:
    names = enumerate(vids)
    return [SimpleNamespace(device=f"/dev/ttyACM{i}", vid=vid, pid=pid) for i, vid in names]


@pytest.mark.parametrize(
    ("listed", "kind"),
    [(listed(), "no_board"), (listed(0x1A86), "no_board"), (listed(0x2E8A, 0x2E8A), "two_boards")],
)
def test_no_board_and_two_boards(listed: list, kind: str) -> None:
    with pytest.raises(trouble.Trouble) as caught:
        ports.find_port(None, listed)
    assert caught.value.kind == kind and caught.value.code == trouble.CODES[kind]


def test_the_only_board_is_found() -> None:
    probe = listed(0x2E8A, pid=0x000C)
    assert ports.find_port(None, listed(0x1A86, 0x2E8A) + probe) == "/dev/ttyACM1"


def test_a_round_in_memory_refuses(tmp_path: Path) -> None:
    """No console runs, the memory holds a round: it ends with the build it began with."""
    memory, settings = table_memory("midround")
    pico = Pico({"config.json": json.dumps(settings).encode()}, fram=Fram(memory))
    pico.boot()
    with SerialPort(pico) as port:
        done = put(port, tmp_path)
    assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
    assert not list((tmp_path / "drive").iterdir())


@pytest.mark.parametrize("file", [False, True])
def test_the_configuration_of_an_open_round_is_put_back(file: bool, tmp_path: Path) -> None:
    """The page said so, and nothing could: it was to be done when the round is finished, and the
    table was closed until it was done."""
    memory, settings = table_memory("midround")
    raw = json.dumps(settings).encode()
    (tmp_path / "sent.txt").write_bytes(b"\xef\xbb\xbf" + raw)  # looked at in an editor
    held = {"config.json": json.dumps({**settings, "table_name": "T12"}).encode()}
    if not file:
        held[f"settings/00000001-{hashlib.sha256(raw).hexdigest()[:16]}.json"] = raw
    with SerialPort(Pico(held, fram=Fram(memory))) as port:
        at = ["--port", port.path, "--reports", str(tmp_path / "reports")]
        told = run_tool("field", "boards", *at[:2]).stdout
        assert "fault config_changed" in told and "Next: felt provision --recorded" in told
        new = str(ROOT / "tools" / "configs" / "headsup.json")
        for words in (["provision", new, "--by", "Ada"], ["flash", "--again"]):
            refused = run_tool("field", *words, *at)
            assert refused.returncode == trouble.CODES["round_open"], refused.stdout
            assert "Put that back: felt provision --recorded" in refused.stdout
        named = [str(tmp_path / "sent.txt")] if file else []
        shown = run_tool("field", "provision", "--recorded", *named, "--dry-run", *at)
        wrong = run_tool("field", "provision", "--recorded", *([new] if file else []), *at)
        done = run_tool("field", "provision", "--recorded", *named, *at) if file else wrong
        again = run_tool("field", "provision", "--recorded", *named, "--by", "Bob", *at)
        another = run_tool("field", "provision", "--recorded", new, *at)
        console_says = run_tool("field", "console", *at[:2], "version").stdout
    assert shown.returncode == 0 and "no, only shown" in shown.stdout, shown.stdout + shown.stderr
    assert done.returncode == 0 and "PASS   table" in done.stdout, done.stdout + done.stderr
    assert "fault none" in console_says and "between 0" in console_says
    assert again.returncode == 0 and "PASS   put back                 nothing" in again.stdout
    assert another.returncode == trouble.CODES["config"] and "is not the con" in another.stdout
    by = {row["by"] for path in (tmp_path / "reports").glob("provision-*.json")
          if "by" in (row := json.loads(path.read_text()))}  # fmt: skip
    assert "Bob" in by, "--by was ignored"
    if file:
        assert wrong.returncode == trouble.CODES["config"], wrong.stdout
        assert "is not the configuration that the table recorded" in wrong.stdout


def test_a_table_that_kept_no_configuration_is_told_so(tmp_path: Path) -> None:
    """What it kept was called another one; and of a table that is closed by something else it is
    not said that all is well."""
    memory, settings = table_memory("midround")
    files = {"config.json": json.dumps({**settings, "table_name": "T12"}).encode()}
    with SerialPort(Pico(files, fram=Fram(memory))) as port:
        words = ["--port", port.path, "--reports", str(tmp_path / "reports")]
        done = run_tool("field", "provision", "--recorded", *words)
    assert done.returncode == trouble.CODES["config"], done.stdout + done.stderr
    assert "The table kept no copy of the configuration that it recorded" in done.stdout
    with VirtualPort(tmp_path / "state", start="factory") as table:
        words[1] = table.path
        done = run_tool("field", "provision", "--recorded", *words)
    assert done.returncode == trouble.CODES["config"] and "(fault vault_blank)" in done.stdout
    with VirtualPort(tmp_path / "open", start="midround") as table:
        words[1] = table.path
        told = [run_tool("field", "provision", "--recorded", *words)]
        past_the_tools = json.dumps({"game": "premium"})  # and not read yet
        (table.session.state / "flash" / "config.json").write_text(past_the_tools)
        told.append(run_tool("field", "provision", "--recorded", *words))
    assert [each.returncode for each in told] == [0, trouble.CODES["config"]], told


def test_a_new_key_is_not_made_where_an_old_configuration_is_put_back() -> None:
    """It was ignored."""
    done = run_tool("field", "provision", "--recorded", "--pit-keys", "keys.json")
    assert done.returncode == trouble.CODES["usage"]
    assert "--pit-keys: not allowed with argument --recorded" in done.stderr


def test_what_is_put_back_is_checked_only_where_it_is_a_file() -> None:
    """It ended in a traceback."""
    done = run_tool("field", "provision", "--recorded", "--check-only")
    assert done.returncode == trouble.CODES["no_file"] and "Say which file" in done.stderr


def test_a_round_at_the_table_refuses(tmp_path: Path) -> None:
    with VirtualPort(tmp_path / "state", start="midround") as port:
        done = run_tool("field", "flash", "--port", port.path)
    assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
    assert "Finish or void it" in done.stdout
