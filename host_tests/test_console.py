"""The service console as a person at a terminal has it: real firmware, a real port."""

from __future__ import annotations

import asyncio
import csv
import json
import time
from pathlib import Path
from typing import Any, Iterator

import pytest
from felt.store.entries import LOST

from tools.bench import demo
from tools.bench.script import parse
from tools.bench.session import SCRIPTS
from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool
from tools.field import cli, console, dump, look, ports, trouble


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[VirtualPort]:
    """A Premium table that played one round with a spin, in service."""
    folder = tmp_path_factory.mktemp("played")
    statements = parse((SCRIPTS / "premium.felt").read_text())
    assert not asyncio.run(demo.virtual(statements, folder, False))
    with VirtualPort(folder, start="keep") as port:
        yield port


def test_requests_on_the_command_line(played: VirtualPort) -> None:
    done = run_tool("field", "console", "--port", played.path, "version", "selftest", "recall 1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "board VIRTUAL" in done.stdout and "OK fram" in done.stdout and "Ante" in done.stdout


def test_an_unknown_request_is_an_error(played: VirtualPort) -> None:
    done = run_tool("field", "console", "--port", played.path, "nonsense")
    assert done.returncode == 1 and "ERROR E1 unknown request nonsense" in done.stdout


def test_dump_agrees_with_the_meters(played: VirtualPort, tmp_path: Path) -> None:
    done = run_tool("field", "console", "--port", played.path, "--dump", str(tmp_path / "out"))
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "out" / "table.json").read_text())
    rows = list(csv.DictReader((tmp_path / "out" / "meters.csv").open()))
    assert found["table"]["game"] == "premium"
    values = {row["meter"]: int(row["value"]) for row in rows if row["value"]}
    assert values["rounds"] == len(found["rounds"]) >= 1
    bets = [row for row in found["events"] if row["event"] == "BET"]
    staked = sum(int(row["handle"]) for row in rows if row["handle"])
    assert bets and staked > 0
    assert any(row["what"] == "service" for row in found["log"])
    text = (tmp_path / "out" / "report.html").read_text()
    assert "Last round" in text and "service" in text and "http" not in text


def test_a_dump_says_which_table_it_is_of_and_keeps_the_security_log(
    played: VirtualPort, tmp_path: Path
) -> None:
    """Of that log one entry was left, as nonsense among the facts; no log said when."""
    done = run_tool("field", "report", str(tmp_path), "--port", played.path)
    assert done.returncode == 0, done.stdout + done.stderr
    said = run_tool("field", "console", "--port", played.path, "security", "config").stdout
    found = json.loads((tmp_path / "table.json").read_text())
    assert not {"security", "code", "seq"} & set(found["table"]) and found["table"]["taken"]
    rows = list(csv.DictReader((tmp_path / "security.csv").open()))
    assert [row["security"] for row in rows] == [
        line.split()[0] for line in said.splitlines() if " #" in line
    ]
    assert {"boot", "service"} <= {row["what"] for row in rows}
    logged = list(csv.DictReader((tmp_path / "log.csv").open()))
    assert all(row["start"].isdigit() and row["seconds"].isdigit() for row in rows + logged)
    text = (tmp_path / "report.html").read_text()
    assert "Security log" in text and "<td>attendant key on<td" in text
    found["table"]["table_name"] = "Pit 3 <12>"
    assert "<h1>Table report: Pit 3 &lt;12&gt;</h1>" in dump.page(found)


class Kept:
    """A table's console with two entries in its log."""

    def facts(self) -> dict[str, str]:
        return {"fault": "none"}

    def ask(self, request: str) -> list[str]:
        entry = {"seq": 1, "a": 0, "b": 0, "start": 1, "seconds": 5, "real": 86400}
        rows = [{**entry, "log": 2, "code": LOST}, {**entry, "log": 1, "code": 255}]
        return [json.dumps(row) for row in rows] if request == "dump" else []


def test_a_lost_entry_is_no_cleared_memory() -> None:
    found = dump.collect(Kept())  # type: ignore[arg-type]
    assert [row["what"] for row in found["log"]] == ["lost", "cleared"]
    assert "memory cleared" in dump.page(found)


@pytest.mark.parametrize("zone", ["UTC", "Asia/Tokyo", "America/Denver"])
def test_a_report_says_the_time_as_the_table_does(
    zone: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It added the PC's own zone to a clock that a person had set by the watch on the wall."""
    monkeypatch.setenv("TZ", zone)
    time.tzset()
    try:
        assert "2000-01-02 00:00:00" in dump.page(dump.collect(Kept()))  # type: ignore[arg-type]
    finally:
        monkeypatch.undo()
        time.tzset()


def test_no_console_without_the_service_key(tmp_path: Path) -> None:
    with VirtualPort(tmp_path, start="closed") as port:
        port.act("power off", "key service off", "power on")
        with pytest.raises(trouble.Trouble) as caught:
            console.connect(port.path, seconds=3)
        assert caught.value.kind == "locked" and "service key" in str(caught.value)


def test_an_open_round_keeps_its_cards(tmp_path: Path) -> None:
    with VirtualPort(tmp_path, start="midround") as port:
        link = console.connect(port.path)
        assert link.facts()["between"] == "0"
        with pytest.raises(console.Refusal, match="round is open"):
            link.ask("memory 0 32768")
        before = link.ask("dump")
        link.link.close()
    assert not [row for row in before if '"event"' in row]


def test_a_factory_new_table_is_set_up_with_both_keys(tmp_path: Path) -> None:
    with VirtualPort(tmp_path, start="factory", keys="service") as port:
        link = console.connect(port.path)
        assert link.facts()["fault"] == "vault_blank"
        with pytest.raises(console.Refusal, match="both|attendant"):
            link.ask("clear")
        port.act("key attendant on")
        link.ask("clear")
        facts = link.facts()
        link.link.close()
    assert facts["fault"] == "none" and facts["recorded"] == facts["config"] != ""


def test_a_dump_of_damaged_memory_shows_no_meters(tmp_path: Path) -> None:
    """As the table of faults tells people: read it out, and believe nothing it did not hold."""
    with VirtualPort(tmp_path / "table", start="open") as port:
        port.act("power off")
        memory = port.session.state / "fram.bin"
        held = bytearray(memory.read_bytes())
        both = slice(80, 3188)  # copies A and B of the checkpoint, docs/memory.md
        held[both] = bytes(b ^ 0x5A for b in held[both])
        memory.write_bytes(held)
        port.power_cycle()
        done = run_tool("field", "console", "--port", port.path, "--dump", str(tmp_path / "out"))
        raw = run_tool("field", "console", "--port", port.path, "memory 0 32768")
    assert done.returncode == 0, done.stdout + done.stderr
    found = json.loads((tmp_path / "out" / "table.json").read_text())
    assert found["table"]["fault"] == "vault_copies" and found["meters"] == []
    assert "not read: vault_copies" in (tmp_path / "out" / "report.html").read_text()
    assert bytes.fromhex("".join(row.split()[1] for row in raw.stdout.splitlines())) == held


@pytest.mark.parametrize("wrong", ["state_foreign", "vault_blank"])
def test_no_meter_is_invented_for_memory_that_was_not_read(wrong: str, tmp_path: Path) -> None:
    """It said rounds 0, Ante handle $0: to be noted before the real ones are cleared."""
    with VirtualPort(tmp_path / "table", start="open") as port:
        port.act("power off")
        if wrong == "state_foreign":
            other = json.dumps({"game": "headsup"})
            (port.session.state / "flash" / "config.json").write_text(other)
        else:
            (port.session.state / "fram.bin").write_bytes(bytes(32768))
        port.power_cycle()
        link = console.connect(port.path)
        with pytest.raises(console.Refusal) as refused:
            link.ask("meters")
        told = [json.loads(row) for row in link.ask("dump")]
        events = link.ask("log")
        link.link.close()
        done = run_tool("field", "report", str(tmp_path / "out"), "--port", port.path)
    assert refused.value.args[0] == "E4" and refused.value.args[1].startswith(wrong)
    assert not [row for row in told if "meter" in row or "round" in row]
    assert len(events) == len([row for row in told if "log" in row])
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"not read: {wrong}" in (tmp_path / "out" / "report.html").read_text()


def test_a_table_without_a_machine_says_its_fault_and_the_next_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """`felt report` ended in a traceback, and the other tables' turn with it."""
    with VirtualPort(tmp_path / "a") as closed, VirtualPort(tmp_path / "b") as port:
        closed.act("power off")
        (closed.session.state / "flash" / "config.json").unlink()
        closed.power_cycle()
        monkeypatch.setattr(ports, "connected", lambda: [closed.path, port.path])
        args = cli.parser().parse_args(["report", str(tmp_path / "tables"), "--all"])
        assert args.run(args) == trouble.CODES["closed"]
    said = capsys.readouterr()
    assert "closed by the fault config" in said.err
    assert "Next: felt provision FILE.json." in said.err
    assert [path.name for path in (tmp_path / "tables").iterdir()] == ["2"]


class Line:
    """A serial line whose far end says something and falls silent."""

    port, timeout = "line", 0.0

    def __init__(self, said: bytes) -> None:
        self.said = said

    @property
    def in_waiting(self) -> int:
        return len(self.said)

    def read(self, size: int) -> bytes:
        found, self.said = self.said[:size], self.said[size:]
        return found

    def write(self, data: bytes) -> None:
        """Nobody listens."""


def test_a_table_that_restarts_in_the_middle_of_an_answer_is_called_so() -> None:
    line = Line(b"OK sensors chain read\r\n# felt service console, build 1\r\n")
    with pytest.raises(trouble.Trouble, match="restarted while it answered selftest") as told:
        console.Console(line, 60).ask("selftest")
    assert told.value.code == 28


def test_answers_to_an_earlier_program_are_not_taken_for_those_to_this_one(
    tmp_path: Path,
) -> None:
    """A table that starts answers everything that was typed meanwhile: felt boards ended in it."""
    with VirtualPort(tmp_path, start="closed") as port:
        with ports.open_serial(port.path) as line:
            line.write(b"version\r\n" + b"\x02\r\n" * 500)
            link = console.Console(line)
            assert link.found() == "console"
            assert link.facts()["board"] == "VIRTUAL" and link.ask("config")


def test_a_board_that_answers_oddly_is_listed_and_keeps_no_other_from_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Odd(console.Console):
        def facts(self) -> dict[str, str]:
            return super().facts() if self.link.port == port.path else {"build": "?"}

    with VirtualPort(tmp_path / "a") as odd, VirtualPort(tmp_path / "b") as port:
        monkeypatch.setattr(look, "Console", Odd)
        monkeypatch.setattr(ports, "connected", lambda: [odd.path, port.path])
        first, second = look.everything()
    assert "answers, and not as a table does" in first.state and second.board == "VIRTUAL"
    assert first.trouble and first.trouble.code == trouble.CODES["locked"]


class Answers:
    """A console that answers what it is told to."""

    def __init__(self, *lines: str) -> None:
        self.lines = list(lines)

    def ask(self, request: str, on_line: Any) -> list[str]:
        for line in self.lines:
            on_line(line)
        return self.lines


@pytest.mark.parametrize(
    ("lines", "shown"),
    [
        ([], "OK\n"),
        (["PROGRESS 1 2", "PROGRESS 2 2"], "OK\n"),
        (["state closed"], "state closed\n"),
        (["PROGRESS 2 2", "all right"], "all right\n"),
    ],
)
def test_what_was_done_in_silence_says_ok_and_progress_is_a_bar(
    lines: list[str], shown: str, capsys: pytest.CaptureFixture
) -> None:
    """`felt console clear` printed nothing; `hands` a thousand lines of numbers and no word."""
    assert console._one(Answers(*lines), "clear") == 0  # type: ignore[arg-type]
    assert capsys.readouterr().out == shown
