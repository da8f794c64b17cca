"""certify: verdicts, refusals, exit codes, and the same words on every interpreter."""

from __future__ import annotations

import copy
import json
import random
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Callable

import pytest

from tools.games import GAMES
from tools.paths import ROOT
from tools.prove import certify as certify_tool
from tools.prove import vector_maker, vector_player

VECTORS = ROOT / "host_tests" / "data" / "vectors.jsonl"
SAMPLES = sorted(VECTORS.parent.glob("vectors*.jsonl"))
RUNTIMES = ("cpython", "micropython")


def certify(path: Path | str, *args: str, cwd: Path | None = None) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tools.prove.certify", str(path), *args]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=cwd)


def written(folder: Path, lines: list[Any]) -> Path:
    path = folder / "vectors.jsonl"
    rows = [x if isinstance(x, bytes) else json.dumps(x).encode() for x in lines]
    path.write_bytes(b"\n".join(rows) + b"\n")
    return path


@pytest.mark.parametrize("runtime", RUNTIMES)
@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_the_samples_pass_from_any_directory(path: Path, runtime: str, tmp_path: Path) -> None:
    done = certify(path, "--on", runtime, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    count = len(path.read_text().splitlines())
    assert count >= 12 and done.stdout == f"{count} passed, 0 failed\n"


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_thousands_of_made_rounds(runtime: str, tmp_path: Path) -> None:
    count = 1000 if runtime == "cpython" else 500
    path = written(tmp_path, list(vector_maker.many(count, seed=3)))
    done = certify(path, "--on", runtime)
    assert done.stdout.splitlines()[-1] == f"{count} passed, 0 failed", done.stdout


def test_a_mismatch_names_the_rule(tmp_path: Path) -> None:
    v = json.loads(VECTORS.read_text().splitlines()[0])
    v["expect"]["2"]["xtra"] = 77
    done = certify(written(tmp_path, [v]))
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "FAIL premium-00000: seat 2 xtra: got 0, expected 77 (13:69F-X.11(d) 1)",
        "0 passed, 1 failed",
    ]


@pytest.mark.parametrize("content", (None, b"", b"\n  \n\n"))
def test_nothing_to_certify_is_an_error(content: bytes | None, tmp_path: Path) -> None:
    path = tmp_path / "none.jsonl"
    if content is not None:
        path.write_bytes(content)
    done = certify(path)
    assert done.returncode == 2 and "Traceback" not in done.stderr
    assert str(path) in done.stderr and not done.stdout


def test_a_missing_interpreter_is_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MICROPYTHON", str(tmp_path / "nowhere"))
    done = certify(VECTORS, "--on", "micropython")
    assert done.returncode == 2 and "nowhere" in done.stderr and "Traceback" not in done.stderr


@cache
def made(game: str, accept: Callable[[dict], bool] = lambda v: True) -> dict[str, Any]:
    for n in range(1000):
        v = vector_maker.make(game, n, seed=9)
        if accept(v) and not v.get("void"):
            return v
    raise AssertionError("no such round")


def change(game: str, *path: Any, **kwargs: Any) -> dict[str, Any]:
    """A made vector with one place changed: path to it, then value= or drop=True."""
    accept = kwargs.get("accept", lambda v: True)
    v = copy.deepcopy(made(game, accept))
    at: Any = v
    for step in path[:-1]:
        at = at[step]
    if kwargs.get("drop"):
        del at[path[-1]]
    else:
        at[path[-1]] = kwargs["value"]
    v["id"] = "bad"
    return v


def plus_only(v: dict) -> bool:
    return "ante" not in v["seats"][0]["wagers"]


def with_ante(v: dict) -> bool:
    return not plus_only(v)


def spinner(v: dict[str, Any]) -> bool:
    return bool(v.get("spins"))


def duplicate_card() -> dict[str, Any]:
    v = made("headsup")
    return {**v, "id": "bad", "dealer": v["seats"][0]["cards"]}


S = ("seats", 0)
ILLEGAL: list[Any] = [
    duplicate_card(),
    change("headsup", "expect", "1", value={"insurance": 0}),
    change("three_card", "expect", "1", value={"ante_bonus": 100}),
    change("winners_pot", "expect", "1", value={"ante": 0}),
    change("colorado", "expect", "jackpot", value=0),
    change("headsup", "dealer", value="AhAh"),
    change("headsup", "dealer", value="AhKdQc"),
    change("headsup", "dealer", value="A"),
    change("headsup", "dealer", value="1hKd"),
    change("headsup", "dealer", value=["Ah", "Kd"]),
    change("headsup", "dealer", drop=True),
    change("colorado", "dealer", value="AhKd"),
    change("winners_pot", "community", value="AhKd3c"),
    change("headsup", "colour", value="red"),
    change("headsup", *S, "name", value="Bob"),
    change("headsup", "table", "colour", value="red"),
    change("headsup", "table", "chip_unit", value=100),
    change("headsup", "table", "trips_plus", value=5),
    change("headsup", "table", "trips_plus", value="1"),
    change("headsup", "table", "trips_plus", value=True),
    change("headsup", "table", "trips_plus", value=None),
    change("headsup", "table", "dealing", value="thrown"),
    change("headsup", "table", value=[]),
    change("headsup", "game", value="snap"),
    change("headsup", "game", value=["headsup"]),
    change("headsup", "game", drop=True),
    change("headsup", "seats", value=[]),
    change("headsup", "seats", value={}),
    change("headsup", "seats", drop=True),
    change("headsup", *S, "seat", value=0),
    change("headsup", *S, "seat", value=7),
    change("headsup", *S, "seat", value=True),
    change("headsup", *S, "seat", value="1"),
    change("headsup", *S, "wagers", value={}),
    change("headsup", *S, "wagers", "ante", value=150),
    change("headsup", *S, "wagers", "ante", value=-100),
    change("headsup", *S, "wagers", "ante", value=0),
    change("headsup", *S, "wagers", "ante", value=True),
    change("headsup", *S, "wagers", "ante", value="500"),
    change("headsup", *S, "wagers", "ante", value=1 << 40),
    change("headsup", *S, "wagers", "ante", value=1 << 4000),
    change("headsup", *S, "wagers", "odds", value=123400),
    change("headsup", *S, "wagers", "odds", drop=True),
    change("headsup", *S, "wagers", "tips", value=100),
    change("headsup", *S, "actions", value=[]),
    change("headsup", *S, "actions", value=["raise4"]),
    change("headsup", *S, "actions", value=["fold"]),
    change("headsup", *S, "actions", value=["check"]),
    change("headsup", *S, "actions", value=["check", "raise3"]),
    change("headsup", *S, "actions", value=["check", "check", "fold", "raise1"]),
    change("headsup", *S, "actions", value=["raise1", "raise1"]),
    change("headsup", *S, "actions", value=["raise1:7h"]),
    change("headsup", *S, "actions", value=[1]),
    change("headsup", *S, "actions", value="raise1"),
    change("headsup", "spins", value=[1]),
    change("headsup", "void", value=1),
    change("headsup", "expect", value=[]),
    change("headsup", "expect", "9", value={}),
    change("headsup", "expect", value={}),
    change("premium", "table", "bonus_spin", value="flush9"),
    change("premium", "table", value={"bonus_spin": "flush5_fixed"}),
    change("premium", "table", value={"bonus_spin": "flush5_progressive", "fixed_prize": 1}),
    change("premium", "table", value={"jackpot": 1000000}),
    change("premium", "table", value={"bonus_spin": "flush5_progressive", "jackpot": 999999}),
    change("premium", "table", value={"bonus_spin": "flush5_progressive", "jackpot": "1000000"}),
    change("premium", "table", value={"weights": [1] * 12}),
    change("premium", *S, "wagers", "bonus_spin", value=300),
    change("premium", *S, "actions", value=["check", "play3"]),
    change("premium", "spins", value=[], accept=spinner),
    change("premium", "spins", value=[1] * 9, accept=spinner),
    change("premium", "spins", 0, value=13, accept=spinner),
    change("premium", "spins", 0, value=0, accept=spinner),
    change("premium", "spins", 0, value=True, accept=spinner),
    change("premium", "spins", value={}, accept=spinner),
    change("premium", "spins", value=[2], accept=lambda v: not v.get("spins")),
    change("premium", "void", value=True, accept=spinner),
    change("colorado", "table", "version", drop=True),
    change("colorado", "table", "version", value="both"),
    change("colorado", "table", "payout_limit", value=100),
    change("colorado", "table", "a23_instant", value="True"),
    change("colorado", "table", "a23_instant", value=1),
    change("colorado", *S, "wagers", "bonus", value=200),
    change("colorado", *S, "actions", value=["bet"]),
    change("colorado", *S, "actions", value=["bet:"]),
    change("colorado", *S, "actions", value=["bet:9x"]),
    change("colorado", *S, "actions", value=["instant:9c"]),
    change("ultimate", *S, "wagers", "blind", value=123400),
    change("ultimate", *S, "wagers", "blind", drop=True),
    change("ultimate", *S, "wagers", value={"trips": 500}),
    change("ultimate", *S, "actions", value=["play2"]),
    change("ultimate", *S, "actions", value=["check", "play4"]),
    change("ultimate", *S, "actions", value=["check", "check", "play2"]),
    change("ultimate", *S, "actions", value=["play4", "play2"]),
    change("ultimate", "table", "trips", value=4),
    change("ultimate", "table", "trips_after_fold", value="push"),
    change("ultimate", "table", "wagers_off", value=["trips"]),
    change("ultimate", "spins", value=[1]),
    change("three_card", "community", value="AhKdQc"),
    change("three_card", "dealer", value="AhKd"),
    change("three_card", *S, "wagers", value={}),
    change("three_card", *S, "wagers", value={"play": 500}),
    change("three_card", *S, "wagers", value={"ante_bonus": 500}),
    change("three_card", *S, "actions", value=["play"], accept=plus_only),
    change("three_card", *S, "actions", value=["fold"], accept=plus_only),
    change("three_card", *S, "actions", value=[], accept=with_ante),
    change("three_card", *S, "actions", value=["check"], accept=with_ante),
    change("three_card", *S, "actions", value=["play", "play"], accept=with_ante),
    change("three_card", *S, "seat", value=8),
    change("three_card", "table", "pair_plus", value=3),
    change("three_card", "table", "trips", value=1),
    change("winners_pot", "table", "button", value=7),
    change("winners_pot", "table", "button", value=-1),
    change("winners_pot", "table", "commission_percent", value=11),
    change("winners_pot", "table", "commission_cap", value=-1),
    change("winners_pot", "table", "bet_multiple", value=0),
    change("winners_pot", *S, "wagers", "ante", value=123000),
    change("winners_pot", *S, "actions", value=["double"]),
    change("winners_pot", *S, "actions", value=["fold", "bet"]),
    change("winners_pot", *S, "cards", value="AhKd3c"),
    b"not json",
    b"{",
    b'{"id": "bad", }',
    b'{"id": "bad" "game": "headsup"}',
    b"[1, 2]",
    b"null",
    b'"text"',
    b"\xff\xfe",
    b'{"id": "bad", "void": true, "void": false}',
    b'{"id": "bad", "spins": [NaN]}',
    b'{"id": "bad", "spins": [1.0]}',
    b'{"id": "bad", "spins": [1e9999]}',
    b'{"id": "bad\\ud800\\n9 passed, 0 failed"}',
    b"[" * 5000,
    b'{"id": "bad", "x": "' + b"x" * 20000 + b'"}',
    # more than a board's heap holds beside the games
    b'{"id": "bad", "seats": [' + b"{}," * 5000 + b"{}]}",
    b'{"id": "bad", "spins": [' + b"1," * 7000 + b"1]}",
    b'{"id": "bad", "x": "' + b"x" * 16000 + b'"}',
    b'{"id": "bad", "table": ' + b'{"x":' * 900 + b"1" + b"}" * 900 + b"}",
]


def test_illegal_vectors_are_refused_by_id_and_reason(tmp_path: Path) -> None:
    path = written(tmp_path, ILLEGAL)
    outputs = [certify(path, "--on", runtime) for runtime in RUNTIMES]
    for done in outputs:
        assert done.returncode == 1 and "Traceback" not in done.stderr + done.stdout
        rows = done.stdout.splitlines()
        assert rows[-1] == f"0 passed, {len(ILLEGAL)} failed"
        for row in rows[:-1]:
            assert row.startswith(("REFUSED bad", "REFUSED line ")), row
        assert len(rows) == len(ILLEGAL) + 1
    assert outputs[0].stdout == outputs[1].stdout


NAMED: list[tuple[bytes, str]] = [
    (b'{"id": "long", "spins": [%s]}' % (b"7" * 5000), "REFUSED long: a number of 5000 digits"),
    (b'{"x": %s, "id": "long"}' % (b"7" * 20000), "REFUSED long: line longer than 16384 bytes"),
    (b'{"id": "cut off", "seats": [{"se', "REFUSED cut off: not JSON"),
    (b'{"id": "deep", "x": ' + b"[" * 5000, "REFUSED deep: nested too deep"),
    (b'{"id": "a\\q", "x": ]', "REFUSED line 5: not JSON"),
]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_line_that_cannot_be_read_is_refused_by_its_id(runtime: str, tmp_path: Path) -> None:
    done = certify(written(tmp_path, [raw for raw, _ in NAMED]), "--on", runtime)
    assert done.stdout.splitlines() == [row for _, row in NAMED] + ["0 passed, 5 failed"]


@pytest.mark.parametrize("runtime", RUNTIMES)
def test_a_vector_without_a_table_has_the_defaults(runtime: str, tmp_path: Path) -> None:
    rows: list[dict] = []
    for name in GAMES:
        v = {**made(name, lambda v: set(v["table"]) <= {"dealing", "version"}), "id": name}
        rows.append({key: v[key] for key in v if key != "table"})
    done = certify(written(tmp_path, rows), "--on", runtime)
    assert done.stdout.splitlines() == [
        "REFUSED colorado: table setting version: missing",
        f"{len(GAMES) - 1} passed, 1 failed",
    ]


def test_a_reader_that_breaks_does_not_leave_the_player_waiting(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def broken(raw: bytes, number: int) -> str:
        raise OSError("the stick was pulled")

    monkeypatch.setattr(certify_tool, "player_line", broken)
    path = written(tmp_path, [b"{}"])
    report = certify_tool.Report(1)
    certify_tool.on_micropython(path, report)
    with pytest.raises(certify_tool.Stop, match="1 vectors were not played"):
        report.close("micropython")


def test_a_laboratory_finds_the_program_where_the_format_is_named(tmp_path: Path) -> None:
    command = [sys.executable, str(ROOT / "tools/certify.py"), str(VECTORS)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=tmp_path)
    assert done.returncode == 0 and done.stdout.endswith(" passed, 0 failed\n"), done.stderr


def test_a_vector_that_finds_no_memory_hides_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(text: str) -> tuple[bool, list[str]]:
        if text.startswith("2 "):
            raise MemoryError
        return True, []

    monkeypatch.setattr(vector_player, "_judge_line", full)
    told: list[str] = []
    assert vector_player.certify(["1 {}", "2 {}", "3 {}"], told.append) == (2, 1)
    assert told == ["FAIL line 2: no memory for it here"]


def mutate(v: Any, rng: random.Random) -> Any:
    """A copy with one random place changed, dropped or added."""
    v = copy.deepcopy(v)
    at, depth = v, rng.randrange(5)
    while depth and isinstance(at, (dict, list)) and at:
        key = rng.choice(sorted(at) if isinstance(at, dict) else range(len(at)))
        if depth == 1 or not isinstance(at[key], (dict, list)) or not at[key]:
            _spoil(at, key, rng)
            return v
        at, depth = at[key], depth - 1
    return v


def _spoil(at: Any, key: Any, rng: random.Random) -> None:
    odd: tuple = (
        0, -1, 1, 100, 150, 500, True, False, None, "", "x", "fold", "check", "play3", "raise1",
        "AhKdQc", [], {}, [1], {"a": 1}, 1 << 33, 1 << 70, "instant", "bet:2c", "ante", 12, 13,
        "\u00e9\u2028\U0001f0a1", "a'b\"c\\",
    )  # fmt: skip
    what = rng.randrange(5)
    if what == 0:
        del at[key]
    elif what == 1 and isinstance(at, dict):
        at[rng.choice(("extra", "seat", "void", "jackpot", "bonus", "spins", "1", "9"))] = (
            rng.choice(odd)
        )
    elif what == 2 and isinstance(at, list):
        at.append(copy.deepcopy(at[key]))
    elif what == 3 and isinstance(at[key], int):
        at[key] = at[key] + rng.choice((-100, -1, 1, 100))
    else:
        at[key] = copy.deepcopy(rng.choice(odd))


def test_fuzzed_vectors_get_the_same_verdict_everywhere(tmp_path: Path) -> None:
    rng = random.Random(20)
    base = [json.loads(row) for row in VECTORS.read_text().splitlines()]
    base += list(vector_maker.many(80, seed=5))
    path = written(tmp_path, [mutate(rng.choice(base), rng) for _ in range(1500)])
    outputs = [certify(path, "--on", runtime).stdout for runtime in RUNTIMES]
    assert "internal error" not in outputs[0] and "Traceback" not in outputs[0]
    assert outputs[0] == outputs[1]
    assert outputs[0].count("REFUSED") > 500


@pytest.mark.emulator
def test_one_round_of_each_game_in_the_emulator(tmp_path: Path) -> None:
    base = [json.loads(row) for path in SAMPLES for row in path.read_text().splitlines()]
    few = [next(v for v in base if v["game"] == game) for game in GAMES]
    done = certify(written(tmp_path, few), "--on", "emulator")
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.stdout == f"{len(GAMES)} passed, 0 failed\n", done.stderr
