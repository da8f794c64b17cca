"""Every command the documentation tells people to type exists, takes those options, and is run.

Quick ones are run here as they stand, those for a table's console at a virtual table. The others
need an emulated board, a browser or minutes: each is bound to the tests that run the same tool.
"""

from __future__ import annotations

import functools
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tools.bench.virtual_port import VirtualPort
from tools.emulator.boards_on_usb import typed
from tools.field import cli, trouble
from tools.paths import FIRMWARE, ROOT

PAGES = [ROOT / n for n in ("README.md", "CONTRIBUTING.md", *sorted(os.listdir(ROOT / "docs")))]
PAGES = [p if p.exists() else ROOT / "docs" / p.name for p in PAGES]
PAGES = [p for p in PAGES if p.suffix == ".md"]

# Run here, as they stand.
QUICK = {
    "make help": 0,
    "make release": 0,
}
AT_A_TABLE = ("make console", "make provision")
# Tool or target -> {test that runs it, or a smaller share of the same: the words that do so}.
RUN_BY: dict[str, dict[str, str]] = {
    "frozen": {"test_boards.py": "build.texts"},
    "flash": {"test_flash.py": '"flash"', "test_felt.py": '"flash"'},
    "verify": {"test_felt.py": '"verify"'},
    "release": {"test_signing.py": '"--sign"'},
    "boards": {"test_felt.py": '"boards"'},
    "bench-test": {"test_bench_measurements.py": '"--virtual"'},
    "console": {"test_evaluator_host.py": "self_test_full"},  # `hands`, the one not run below
    "run": {"test_bench.py": "Session", "test_bench_browser.py": "playwright"},
    "demo": {"test_bench.py": "plays_its_demo", "test_console.py": "demo.virtual"},
    "tools.bench.demo": {"test_bench_serial.py": '"--terminal"'},
    "pit": {"test_pit.py": "broker.running"},
    "pit-delivery": {"test_pit.py": "delivery.run"},
    "rng": {"test_rng_stats.py": "rng", "test_rng_return.py": "weights"},
    "par": {"test_par.py": "par.main("},
    "round-emulator": {"test_round_emulator.py": "FieldTable"},
    "terminal": {"test_terminal_command.py": "tools.terminal"},
    "evening": {"test_evening.py": "evening"},
    "mutants": {"test_mutants.py": "mutants"},
    "evening-long": {"test_evening.py": "evening"},
    "powercut": {"test_powercut.py": "powercut_long"},
    "link-fuzz": {"test_link_fuzz.py": "link_fuzz"},
    "evaluator-full": {"test_evaluator_host.py": "evaluator_full"},
    "soak": {"test_machine_stateful.py": "soak"},
    "long": {"test_long_forms.py": "tools.prove.long_forms"},
    "tools.prove.vector_maker": {"test_certify.py": "vector_maker"},
    "certify": {"test_certify.py": "tools.prove.certify"},
    "tools.prove.certify": {"test_certify.py": "tools.prove.certify"},
    "diagrams": {"test_diagrams.py": "diagrams"},
    "configs": {"test_generated.py": "configs.files"},
    "tools.generate.money_screens": {"test_generated.py": "money_screens.page"},
    "perf-display": {"test_display_emulator.py": "perf_display"},
    "screens": {"logic/test_display_screens.py": "views"},
    "wiring": {"test_boards.py": "wiring"},
}
# Steps of `make test` itself.
STEPS = ("test", "image", "pytest", "format", "budget", "lint", "check", "setup")
# Only measure, for minutes: no test waits for them.
MEASURES = ("perf", "perf-machine", "perf-play", "perf-net", "effort", "emulator-full", "pit-load")


def commands() -> list[tuple[str, str]]:
    """(page, command) of every line in a sh block and every `make ...` in the text."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for block in re.findall(r"^ *```sh\n(.*?)^ *```", text, re.M | re.S):
            found += [(page.name, line.strip()) for line in block.splitlines() if line.strip()]
        known = "|".join(
            ["make", r"\.venv/bin/python", *(f"felt {name}" for name in cli.COMMANDS)]
        )
        inline = re.findall(rf"`((?:{known})\b[^`]+)`", text)
        found += [(page.name, " ".join(line.split())) for line in inline]
    return sorted(set(found))


COMMANDS = commands()


@functools.cache
def dry_run(command: str) -> list[list[str]]:
    """The words of each shell command a line comes to; make is asked, nothing is run."""
    if not command.startswith("make "):
        return [shlex.split(command)]
    done = subprocess.run(["make", "-n", *shlex.split(command)[1:]], cwd=ROOT,
                          env=typed(), capture_output=True, text=True)  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = done.stdout.replace("\\\n", " ").splitlines()
    return [shlex.split(line) for line in lines if line.startswith(".venv/bin/python")]


@functools.cache
def help_of(tool: str) -> str:
    done = subprocess.run([sys.executable, "-m", tool, "--help"], cwd=ROOT, capture_output=True,
                          text=True, timeout=300)  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_there_are_commands() -> None:
    assert {"technician.md", "regulator.md", "hardware.md", "README.md"} <= {
        p for p, _ in COMMANDS
    }


@pytest.mark.parametrize("command", sorted({c for _, c in COMMANDS}))
def test_command(command: str) -> None:
    words = shlex.split(command)
    if words[0] == "felt":  # all of them are run at a board by test_felt.py
        cli.parser().parse_args([word for word in words[1:] if "..." not in word])
        return
    name = words[1] if words[0] == "make" else words[2]
    for line in dry_run(command):
        _check_options(line)
    if command in QUICK:
        words = [sys.executable if word == ".venv/bin/python" else word for word in words]
        done = subprocess.run(words, cwd=ROOT, env=typed(), capture_output=True, text=True,
                              timeout=3600)  # fmt: skip
        assert done.returncode == QUICK[command], done.stdout + done.stderr
        return
    if command.startswith(AT_A_TABLE) and "hands" not in command:
        return
    assert name in RUN_BY or name in STEPS + MEASURES, f"no test runs `{command}`"
    for test, proof in RUN_BY.get(name, {}).items():
        text = (ROOT / "host_tests" / test).read_text(encoding="utf-8")
        assert proof in text, f"{test} does not run {name}"


def test_commands_at_a_table(tmp_path: Path) -> None:
    """Documented requests and configurations, as they stand, at a virtual table."""
    wanted = {c for _, c in COMMANDS if c.startswith(AT_A_TABLE) and "hands" not in c}
    wanted.discard("make provision")  # the target's name in a text; its lines have CONFIG=
    assert wanted
    with VirtualPort(tmp_path, start="closed", keys="service attendant") as port:
        for command in sorted(wanted):
            words = [*shlex.split(command), f"PORT={port.path}"]
            done = subprocess.run(words, cwd=ROOT, env=typed(), capture_output=True,
                                  text=True, stdin=subprocess.DEVNULL, timeout=120)  # fmt: skip
            assert done.returncode == 0, command + "\n" + done.stdout + done.stderr


@functools.cache
def names_of_tests() -> list[str]:
    """Every test file and test: what -k picks from."""
    files = sorted((ROOT / "host_tests").rglob("test_*.py"))
    inside = "".join(path.read_text(encoding="utf-8") for path in files)
    return [path.name for path in files] + re.findall(r"^def (test_\w+)", inside, re.M)


def _check_options(line: list[str]) -> None:
    """The tool exists and knows every option; paths given to pytest exist."""
    if line[1:3] == ["-m", "pytest"]:
        for before, word in zip(line, line[1:]):
            if word.endswith(".py"):
                assert (ROOT / word).exists(), f"{word} does not exist"
            if before == "-k":
                assert any(word in name for name in names_of_tests()), f"no test {word}"
        return
    assert line[1] == "-m", line
    tool = line[2]
    if tool == "tools.field":
        cli.parser().parse_args(line[3:])
        return
    place = ROOT / tool.replace(".", "/")
    assert place.with_suffix(".py").exists() or place.is_dir(), f"{tool} does not exist"
    options = [w.split("=")[0] for w in line if w.startswith("--")]
    for option in options:
        assert option in help_of(tool), f"{tool} knows no {option}"


def test_every_fault_and_test_code_is_explained() -> None:
    """docs/technician.md has a row for each fault text, self-test code and console error."""
    page = (ROOT / "docs" / "technician.md").read_text(encoding="utf-8")
    texts = (FIRMWARE / "lang" / "en.txt").read_text(encoding="utf-8")
    faults = re.findall(r"^(?:fault\.|refused\.(?=entropy))(\w+)", texts, re.M)
    tests = re.findall(
        r'^    \("(T\d+)"', (FIRMWARE / "felt" / "service" / "selftest.py").read_text(), re.M
    )
    errors = set(
        re.findall(r"\b(E\d+)\b", (FIRMWARE / "felt" / "service" / "console.py").read_text())
    )
    assert len(faults) > 10 and len(tests) > 5 and len(errors) > 5
    assert [fault for fault in faults if f"`{fault}`" not in page] == []
    assert [code for code in [*tests, *sorted(errors)] if f"| {code} |" not in page] == []


def test_every_exit_code_is_explained() -> None:
    page = (ROOT / "docs" / "technician.md").read_text(encoding="utf-8")
    assert [c for c in trouble.CODES.values() if f"| {c} |" not in page] == []


def test_pages_name_no_file_that_is_gone() -> None:
    for page in PAGES:
        for name in re.findall(
            r"`((?:tools|host_tests|firmware|docs|boards)/[\w/.]+\.\w+)`", page.read_text()
        ):
            assert Path(ROOT / name).exists(), f"{page.name}: {name}"
