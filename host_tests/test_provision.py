"""Putting a configuration on a table: checked twice by the same code, journalled."""

from __future__ import annotations

import errno
import json
from pathlib import Path
from typing import Any

import pytest
from felt.games import bonus_spin
from felt.games.settings import OPTIONS, game_module, schema

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import run_tool
from tools.field import cli, configuration, console, faults, provision, trouble
from tools.paths import FIRMWARE, ROOT

CONFIGS = sorted((ROOT / "tools" / "configs").glob("*.json"))


def changed_config(tmp_path: Path, **changes: Any) -> Path:
    doc = json.loads((ROOT / "tools" / "configs" / "premium.json").read_text())
    path = tmp_path / "new.json"
    path.write_text(json.dumps({**doc, **changes}))
    return path


def table_config(port: VirtualPort) -> dict[str, Any]:
    return json.loads((port.session.state / "flash" / "config.json").read_text())


def put(port: VirtualPort, path: Path, tmp_path: Path, *more: str) -> Any:
    return run_tool("field", "provision", str(path), "--port", port.path, "--by", "Ada Technician",
                    "--reports", str(tmp_path / "reports"), "--illustrative", *more)  # fmt: skip


def test_a_commission_may_have_a_decimal() -> None:
    raw = b'{"game": "winners_pot", "commission_percent": 7.5}'
    assert configuration.document(raw)["commission_percent"] == 7.5


def test_differences_name_what_changes() -> None:
    old, new = {"game": "headsup", "trips_plus": 2}, {"game": "colorado", "version": "required"}
    assert configuration.changed(old, old) == []
    assert configuration.changed(old, {**new, "provisioned_by": "Ada"}) == [
        ("game", "headsup", "colorado"),
        ("trips_plus", 2, None),
        ("version", None, "required"),
    ]


def test_a_changed_example_is_kept_when_they_are_asked_for_again(
    tmp_path: Path, capsys: pytest.CaptureFixture
) -> None:
    """Every command may be repeated; this one wrote over the house's configuration."""
    provision.copy_examples(tmp_path)
    (tmp_path / "headsup.json").write_text("ours")
    provision.copy_examples(tmp_path)
    assert (tmp_path / "headsup.json").read_text() == "ours"
    assert f"{tmp_path / 'headsup.json'}: kept" in capsys.readouterr().out


def test_a_full_disk_leaves_no_half_example(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture
) -> None:
    """A file of no bytes was kept from then on as the house's own."""
    real = Path.write_bytes

    def full(path: Path, data: bytes) -> int:
        real(path, data[:0])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(OSError, match="No space"):
        provision.copy_examples(tmp_path)
    assert not list(tmp_path.iterdir())
    monkeypatch.undo()
    provision.copy_examples(tmp_path)
    assert "kept" not in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == [path.name for path in CONFIGS]


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.stem)
def test_every_example_is_accepted(path: Path) -> None:
    assert configuration.checked(path)[1]["game"] == path.stem


def test_example_weights_are_the_illustrative_ones_and_say_so() -> None:
    doc = json.loads((ROOT / "tools" / "configs" / "premium.json").read_text())
    data = json.loads((ROOT / "tools" / "data" / "illustrative_weights.json").read_text())
    assert doc["weights"] == data["sets"][doc["bonus_spin"]]["weights"]
    assert doc["weights_note"].startswith("ILLUSTRATIVE")
    for each in data["sets"].values():  # the firmware knows them without a note
        assert bonus_spin.illustrative(each["weights"])


@pytest.mark.parametrize(
    ("changes", "about"),
    [
        ({"weights": [1] * 11}, "weights: there are 11, the wheel has 12 positions"),
        ({"weights": [5] * 7 + [0] + [5] * 4}, "weights[7]: 0 is no whole number above zero"),
        ({"weights": [5] * 7 + [2.5] + [5] * 4}, "weights[7]: 2.5 is no whole number"),
        ({"weights": [1 << 23] * 12}, "weights: they add up to"),
        ({"weights": [5] * 7 + [1 << 25] + [5] * 4}, "weights[7]: 33554432 is not below 16777216"),
        ({"seats": 9}, "seats: 9 is no whole number from 1 to 7"),
        ({"seats": "six"}, 'seats: "six" is no whole number'),
        ({"dealing": "sho"}, 'dealing: "sho" is none of "shoe", "hand", "auto"'),
        ({"sensors": 1}, "sensors: 1 is neither true nor false"),
        ({"game": "premiun"}, 'no such game as "premiun"; the games are colorado, headsup'),
        ({"limits": {"ante": [500, 100]}}, "limits.ante[1]: 100 is less than the lowest, 500"),
        ({"chip_units": 100}, "chip_units: there is no such setting"),
        ({"bonus_spin": "flush5_fixed"}, 'not set does not go with bonus_spin "flush5_fixed". Co'),
        (
            {"chip_unit": 300},
            "300 does not go with bonus_spin, which is always 500 cents. Correct",
        ),
    ],
)
def test_a_bad_file_is_refused_by_name(tmp_path: Path, changes: dict, about: str) -> None:
    done = run_tool("field", "provision", "--check-only", str(changed_config(tmp_path, **changes)))
    assert done.returncode == trouble.CODES["config"] and about in done.stderr


@pytest.mark.parametrize(
    ("game", "name", "value", "about"),
    [
        ("headsup", "limits", {"ante": -5}, "limits.ante: -5 is no pair [lowest, highest]"),
        ("headsup", "limits", {"ante": ["100", 500]}, 'limits.ante[0]: "100" is no whole number'),
        ("headsup", "limits", {"odds": [1, 2], "ante": [100, 250.5]}, "limits.ante[1]: 250.5 is"),
        ("headsup", "limits", {"atne": [1, 2]}, "limits.atne: there is no such wager; the wagers"),
        ("headsup", "limits", [], "limits: [] is no object of wagers"),
        ("headsup", "table_name", 7, "table_name: 7 is no text of at most 64 characters"),
        ("headsup", "table_name", "T" * 100, 'TTT" is no text of at most 64 characters'),
        ("headsup", "wagers_off", ["trips_plus", "ante"], 'wagers_off[1]: "ante" is not "t'),
        ("premium", "wagers_off", ["ante"], "may go without: there is none"),
        ("premium", "weights", {"1": 5}, 'weights: {"1": 5} is no list of 12 whole numbers'),
        ("premium", "prize_name", "a car!", '"a car!" is no text of at most 16 letters'),
        ("winners_pot", "commission_percent", 12.5, "12.5 is no number from 0 to 10 with at most"),
        ("premium", "prize_name", "Car", '"Car" does not go with bonus_spin "flush5_progressive"'),
        (
            "premium",
            "limits",
            {"ante": [25, 75]},
            ".ante: [25, 75] does not go with chip_unit 100 o",
        ),
        (
            "headsup",
            "limits",
            {"ante": [1, 500], "odds": [1, 600]},
            "limits.ante [1, 500]. Correct",
        ),
        ("winners_pot", "limits", {"jacks_plus": [1000000, 1000000]}, "or payout_limit 5000000."),
        ("winners_pot", "pay_tables", {"jacks_plus": 3}, "pay_tables.jacks_plus: 3 is no object"),
        ("winners_pot", "pay_tables", {"jacks_plus": {"pair": 3}}, '3 is no odds such as "3'),
        ("winners_pot", "pay_tables", {"jacks_plus": {"par": "3 to 2"}}, "no such hand in this"),
    ],
)
def test_a_bad_value_is_refused_by_its_place_and_what_is_wanted(
    game: str, name: str, value: Any, about: str
) -> None:
    doc = {**json.loads((ROOT / "tools" / "configs" / f"{game}.json").read_text()), name: value}
    with pytest.raises(trouble.Trouble) as told:
        configuration.document(json.dumps(doc).encode())
    assert about in str(told.value) and f" {name}" in str(told.value)


WAY = {"table": "T1", "address": "10.0.0.2", "subnet": "255.0.0.0", "gateway": "10.0.0.1"}
WAY |= {"broker": "10.0.0.3"}
BAD: list[Any] = [-5, 1 << 29, 2.5, "x", "y" * 100, "!", True, [], [-1], ["x"], [[1]], [1] * 12]
BAD += [{}, {"ante": [2, 1]}, {"x": {}}, {"jacks_plus": {"": "1 to 1", "..": 2}}, {"": 1}]


def bad_values(name: str) -> list[Any]:
    parts = [{**WAY, part: value} for part in [*WAY, "port", "user"] for value in BAD]
    lent = {**WAY, "address": "dhcp"}
    return BAD + ([*parts, lent] if name == "network" else [])


@pytest.mark.parametrize("path", CONFIGS, ids=lambda p: p.stem)
def test_no_value_is_refused_without_a_reason(path: Path) -> None:
    """ "its value is not possible" sent a technician to the makers."""
    doc = json.loads(path.read_text())
    refusals = 0
    for name in schema(game_module(path.stem)):
        for value in bad_values(name):
            try:
                configuration.document(json.dumps({**doc, name: value}).encode())
            except trouble.Trouble as told:
                place, _, why = str(told).partition(": ")[2].partition(": ")
                assert place and " " in why, (name, value, str(told))
                assert "its value is not possible" not in why
                assert ("then repeat" in why) != ("--illustrative" in why)
                refusals += 1
    assert refusals > 200


@pytest.mark.parametrize(
    ("raw", "about"),
    [
        (b'{\n "game": "headsup",\n}\n', "line 3, column 1: byte 22 is where the file stops"),
        (b"{'game': 1}", "line 1, column 2: byte 1 is where the file stops being JSON"),
        (b'{"game": "headsup",\n "x": "\xe9"}', "line 2, column 8: byte 27 is no text in UTF-8"),
        (b'{"game": "headsup", "game": "headsup"}', "game: it stands there twice"),
        (b"{}", "game: it must be set; the games are colorado"),
        (b" " * 5000, "refused: the file is longer than 4096 bytes"),
        (b"[]", "refused: the file is not one JSON object"),
        ('{"game": "headsup"}'.encode("utf-16"), "it is saved as UTF-16. Save it as UTF-8"),
        (b'\xef\xbb\xbf{"game": 1,}', "line 1, column 12: byte 11 is where"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_by_its_place(raw: bytes, about: str) -> None:
    with pytest.raises(trouble.Trouble) as refused:
        configuration.document(raw)
    assert about in str(refused.value)


@pytest.mark.parametrize(
    ("raw", "about"),
    [
        (b'{"a": 2.5, "weights": [1, [2, 3], 12345678901234567890]}', "weights[2]: 123456789"),
        (b'{"a": {"b,{": [{}, {"c": -}]}}', "a.b,{[1].c: - is no number"),
        (b'{"seats": 007}', "seats: 007 is no number that a table reads: whole, or with one"),
        (b'{"a": "\\"[{", "seats": 1e5\n}', "seats: 1e5 is no number"),
        (b'{"a": [1, 2],"commission_percent":2.55}', "commission_percent: 2.55 is no number"),
        (b"00", "the file: 00 is no number"),
    ],
)
def test_the_number_that_is_refused_is_named(raw: bytes, about: str) -> None:
    """It named the first decimal of the file, or ended in a traceback."""
    with pytest.raises(trouble.Trouble) as refused:
        configuration.document(raw)
    assert f"refused: {about}" in str(refused.value)


def test_a_file_with_an_editors_mark_is_taken_and_goes_to_the_table_without(
    tmp_path: Path,
) -> None:
    """Notepad's files were refused at their byte 0."""
    path = changed_config(tmp_path, chip_unit=500)
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert configuration.checked(path)[0].startswith(b"{"), "as an image of a new table carries it"
    with VirtualPort(tmp_path / "state", start="closed") as port:
        done = put(port, path, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert (port.session.state / "flash" / "config.json").read_bytes().startswith(b"{")


def test_who_has_no_login_name_says_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of felt ended in a traceback on such a system."""

    def nobody() -> str:
        raise KeyError("getpwuid(): uid not found: 1234")

    monkeypatch.setattr(provision.getpass, "getuser", nobody)
    args = cli.parser().parse_args(["provision", "headsup.json"])
    assert args.by == ""
    monkeypatch.setenv("SUDO_USER", "ada")
    assert cli.parser().parse_args(["provision", "headsup.json"]).by == "ada", "not root"
    with VirtualPort(tmp_path / "state", start="closed") as port:
        done = put(port, changed_config(tmp_path, chip_unit=500), tmp_path, "--by", "")
    assert done.returncode == trouble.CODES["no_file"] and "--by NAME" in done.stdout


def test_a_key_is_made_also_for_a_table_whose_configuration_is_the_same(tmp_path: Path) -> None:
    """A command repeated for its key said PASS, and there was none; one without a network was
    refused after its configuration was written."""
    keys = tmp_path / "keys.json"
    with VirtualPort(tmp_path / "state", start="closed") as port:
        before = table_config(port)
        wrong = put(port, changed_config(tmp_path), tmp_path, "--pit-keys", str(keys))
        assert wrong.returncode == trouble.CODES["config"] and table_config(port) == before
        path = changed_config(tmp_path, network=WAY)
        assert put(port, path, tmp_path).returncode == 0 and not keys.exists()
        port.power_cycle()
        shown = put(port, path, tmp_path, "--pit-keys", str(keys), "--dry-run")
        assert "none, nothing written" in shown.stdout and not keys.exists()
        done = put(port, path, tmp_path, "--pit-keys", str(keys))
        made = (port.session.state / "flash" / "pit.key").read_text()
    assert done.returncode == 0 and "none, nothing written" in done.stdout
    assert json.loads(keys.read_text()) == {"T1": made}


@pytest.mark.parametrize(("keys", "password", "said"), [
    ("keys.json", "two words", "FELT_BROKER_PASSWORD holds a blank"),
    ("keys.json", "a\x03b", "FELT_BROKER_PASSWORD holds a blank or a control"),
    ("gone/keys.json", "one", "gone/keys.json: {0}/gone is no folder. Name another."),
    ("", "one", "{0}: Is a directory. Name another."),
    ("other.json", "one", "other.json is no file of keys"),
])  # fmt: skip
def test_what_keeps_the_key_from_its_place_is_found_before_anything_is_written(
    keys: str, password: str, said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table had its configuration, the collector a key that the table had not."""
    held = json.dumps({"T1": "ab" * 32})
    (tmp_path / "keys.json").write_text(held)
    (tmp_path / "other.json").write_text("[]")
    monkeypatch.setenv("FELT_BROKER_PASSWORD", password)
    with VirtualPort(tmp_path / "state", start="closed") as port:
        before = table_config(port)
        path = changed_config(tmp_path, network=WAY)
        done = put(port, path, tmp_path, "--pit-keys", str(tmp_path / keys))
        assert table_config(port) == before
    assert done.returncode in (trouble.CODES["usage"], trouble.CODES["no_file"])
    assert said.format(tmp_path) in done.stdout and (tmp_path / "keys.json").read_text() == held


def test_a_key_that_the_table_refuses_leaves_the_one_it_has(tmp_path: Path) -> None:
    """And a file saved with an editor's mark was called no file of keys."""
    keys, new = tmp_path / "keys.json", tmp_path / "new_keys.json"
    held = {"T1": "ab" * 32, "T2": "cd" * 32}
    keys.write_bytes(b"\xef\xbb\xbf" + json.dumps(held).encode())
    path = changed_config(tmp_path, network=WAY)
    with VirtualPort(tmp_path / "state", start="closed") as port:
        assert put(port, path, tmp_path).returncode == 0
        port.power_cycle()
        port.act("key service off")
        refused = [put(port, path, tmp_path, "--pit-keys", str(each)) for each in (keys, new)]
        assert not (port.session.state / "flash" / "pit.key").exists()
    assert [done.returncode for done in refused] == [trouble.CODES["service_key"]] * 2
    assert json.loads(keys.read_text()) == held and not new.exists()


@pytest.mark.parametrize("note", ["", "ILLUSTRATIVE: not approved"])
def test_illustrative_weights_need_a_word_or_a_demonstration(tmp_path: Path, note: str) -> None:
    """They are known by themselves, whatever the note says."""
    path = str(changed_config(tmp_path, weights_note=note))
    judged = {more: run_tool("field", "provision", path, "--check-only", *more.split())
              for more in ("", "--illustrative")}  # fmt: skip
    assert judged[""].returncode == trouble.CODES["config"], "it was accepted before a table"
    assert judged["--illustrative"].returncode == 0
    words = ["--by", "Ada", "--reports", str(tmp_path / "reports"), "--dry-run"]
    with VirtualPort(tmp_path / "state", start="closed") as port:
        words += ["--port", port.path]
        refused = run_tool("field", "provision", path, *words)
        accepted = run_tool("field", "provision", path, *words, "--illustrative")
        demo = str(changed_config(tmp_path, weights_note=note, demonstration=True))
        shown = run_tool("field", "provision", demo, *words)
        says = run_tool("field", "console", "--port", port.path, "version").stdout
        run_tool("field", "report", str(tmp_path / "home"), "--port", port.path)
    assert "weights ILLUSTRATIVE: not approved" in says and "release unsigned" in says
    assert "<b>ILLUSTRATIVE</b>" in (tmp_path / "home" / "report.html").read_text()
    assert refused.returncode == trouble.CODES["config"] and "illustrative" in refused.stdout
    for done in (accepted, shown):
        assert done.returncode == 0 and "ILLUSTRATIVE: not approved" in done.stdout


def test_approved_weights_need_no_word(tmp_path: Path) -> None:
    path = changed_config(tmp_path, weights=[7] * 12, weights_note="approved 2026-11-01")
    with VirtualPort(tmp_path / "state", start="closed") as port:
        done = run_tool("field", "provision", str(path), "--port", port.path, "--dry-run",
                        "--reports", str(tmp_path / "reports"))  # fmt: skip
    assert done.returncode == 0 and "ILLUSTRATIVE: not approved" not in done.stdout


def test_differences_are_shown_written_and_recorded(tmp_path: Path) -> None:
    path = changed_config(tmp_path, chip_unit=500, table_name="Pit 3 table 12")
    with VirtualPort(tmp_path / "state", start="closed") as port:
        before = table_config(port)
        shown = put(port, path, tmp_path, "--dry-run")
        assert shown.returncode == 0 and "500" in shown.stdout
        assert table_config(port) == before
        done = put(port, path, tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        assert '-> "Pit 3 table 12"' in done.stdout and "null" not in done.stdout
        (sent,) = (tmp_path / "reports").glob("provision-*-sent.txt")
        held = (port.session.state / "flash" / "config.json").read_bytes()
        assert sent.read_bytes() == held, "to the byte: its SHA-256 is in the log"
        port.power_cycle()
        link = console.connect(port.path)
        facts, log = link.facts(), link.ask("log")
        link.link.close()
        again = put(port, path, tmp_path)
        after = table_config(port)
    assert facts["fault"] == "none" and facts["recorded"] == facts["config"]
    assert any("configuration" in line for line in log)
    assert after["provisioned_by"] == "Ada Technician" and after["chip_unit"] == 500
    assert "none, nothing written" in again.stdout


def fault(port: VirtualPort) -> str:
    told = run_tool("field", "console", "--port", port.path, "version").stdout
    return next(line.split()[1] for line in told.splitlines() if line.startswith("fault "))


def test_only_memory_that_holds_nothing_is_to_be_cleared(tmp_path: Path) -> None:
    """Whatever the fault was, clear was named next: a wrong game, put and taken back, cost the
    meters of a table that one start would have opened again."""
    right, wrong = changed_config(tmp_path), ROOT / "tools" / "configs" / "headsup.json"
    with VirtualPort(tmp_path / "a", start="closed") as port:
        done = put(port, wrong, tmp_path)
        assert "felt report FOLDER first; then switch" in done.stdout and "clear" in done.stdout
        back = put(port, right, tmp_path)  # without a start between
        assert "clear" not in back.stdout and "off and on, then: felt boards" in back.stdout
        put(port, wrong, tmp_path)
        port.power_cycle()
        assert fault(port) == "state_foreign"
        then = faults.next_step("state_foreign")
        assert then.startswith("Put the old configuration back: felt provision FILE.json")
        assert "clear" not in then
        back = put(port, right, tmp_path)
        assert back.returncode == 0 and "clear" not in back.stdout, back.stdout
        assert "off and on, then: felt boards" in back.stdout
        port.power_cycle()
        assert fault(port) == "none"
        (port.session.state / "flash" / "config.json").unlink()
        port.power_cycle()
        lost = put(port, right, tmp_path)
        assert "clear" not in lost.stdout and "off and on, then: felt boards" in lost.stdout
        port.power_cycle()
        assert fault(port) == "none"
    with VirtualPort(tmp_path / "b", start="corrupt") as port:
        assert fault(port).startswith("vault_")
        done = put(port, changed_config(tmp_path, chip_unit=500), tmp_path)
        assert "clear" not in done.stdout and "then: felt boards" in done.stdout


def test_the_meters_go_home_before_a_change_that_their_memory_does_not_survive() -> None:
    """Of a wheel that comes or goes only the start told, with the fault state_foreign."""
    spins = json.loads((ROOT / "tools" / "configs" / "premium.json").read_text())
    plain = {"game": "premium"}
    facts = {"fault": "none", "config": "1", "recorded": "1"}
    for old, new, home in (
        (spins, plain, True), (plain, spins, True), (plain, {"game": "headsup"}, True),
        (plain, {**plain, "chip_unit": 500}, False), (spins, {**spins, "seats": 5}, False),
    ):  # fmt: skip
        after = provision.following(facts, provision.other_memory(old, new))
        assert ("felt report FOLDER first" in after) == ("clear" in after) == home, (old, new)
        unsure = provision.following({**facts, "config": "2"}, True)
        assert "clear" not in unsure and "felt boards" in unsure


def test_a_new_table_is_led_to_its_memory(tmp_path: Path) -> None:
    """Step 4 of the page: with a configuration sent, or sent to a board that had none."""
    with VirtualPort(tmp_path / "state", start="factory") as port:
        done = put(port, changed_config(tmp_path, chip_unit=500), tmp_path)
        assert "off and on, both keys on, then: felt console clear" in done.stdout
        (port.session.state / "flash" / "config.json").unlink()
        port.power_cycle()
        done = put(port, changed_config(tmp_path), tmp_path)
        assert "off and on, then: felt boards" in done.stdout
        port.power_cycle()
        assert faults.next_step(fault(port)) == "Both keys on, then: felt console clear"


def test_not_in_a_round_and_not_without_the_key(tmp_path: Path) -> None:
    path = changed_config(tmp_path, chip_unit=500)
    with VirtualPort(tmp_path / "a", start="midround") as port:
        before = table_config(port)
        done = put(port, path, tmp_path)
        assert done.returncode == trouble.CODES["round_open"], done.stdout + done.stderr
        assert table_config(port) == before
    with VirtualPort(tmp_path / "b", start="closed") as port:
        before = table_config(port)
        port.act("key service off")
        done = put(port, path, tmp_path)
        assert done.returncode == trouble.CODES["service_key"], done.stdout + done.stderr
        assert table_config(port) == before


def test_the_table_refuses_what_this_tool_would_not_send(tmp_path: Path) -> None:
    """The console checks by itself: an upload cut short, and one with a bad setting."""
    with VirtualPort(tmp_path, start="closed") as port:
        before = table_config(port)
        link = console.connect(port.path)
        with pytest.raises(trouble.Trouble, match="seats"):
            provision.send(link, json.dumps({"game": "premium", "seats": 9}).encode())
        link.ask("put e30=")
        with pytest.raises(console.Refusal, match="not whole"):
            link.ask("provision " + "0" * 64)
        link.link.close()
        assert table_config(port) == before


def test_languages_are_the_files_there_are() -> None:
    files = sorted(path.stem for path in (FIRMWARE / "lang").glob("*.txt"))
    assert sorted(OPTIONS["language"][2]) == files


def test_settings_put_there_past_the_tools_close_the_table_by_name(tmp_path: Path) -> None:
    """A file edited on the board leaves a table that says what is wrong, not a dead one."""
    seen = {}
    with VirtualPort(tmp_path, start="closed") as port:
        before = table_config(port)
        for name, value in (
            ("language", "xx"),
            ("language", 5),
            ("bonus_spin", ["flush5"]),
            ("bonus_spin", "flush6"),
            ("weights", [1] * 11),
            ("weights", [0] * 12),
            ("weights", [1 << 23] * 12),
        ):
            path = port.session.state / "flash" / "config.json"
            path.write_text(json.dumps({**before, name: value}))
            port.power_cycle()
            link = console.connect(port.path)
            seen[name, str(value)] = link.facts()["fault"]
            link.link.close()
    assert list(seen.values()) == [
        "settings language bad_value",
        "settings language bad_value",
        "settings bonus_spin bad_value",
        "weights_table flush6",
        "weights_count 11",
        "weights_value 1 0",
        f"weights_sum {12 << 23}",
    ]
