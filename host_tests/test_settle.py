"""tools/prove/settle.py: a person's round in, who is paid what and why out."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PREMIUM = (
    "premium bonus_spin=flush5_progressive jackpot=25000; dealer 2c3d5h; board JhTh7c8d; "
    "seat 1 9h8hQh ante 5 xtra 5 bonus_spin 5: play3; spins 1"
)


def settle(*args: str, typed: str = "") -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "tools.prove.settle", *args]
    return subprocess.run(command, input=typed, capture_output=True, text=True, timeout=300)


def test_one_line_says_who_is_paid_what_and_why() -> None:
    done = settle(PREMIUM)
    assert done.returncode == 0, done.stderr
    assert "X-Tra Bonus: straight flush, 100 to 1, 13:69F-X.11(d): $500" in done.stdout
    assert "seat 1: +$25,510.35" in done.stdout
    assert "jackpot after the round: $10,000\n" in done.stdout
    assert " for 1" not in done.stdout


def test_a_file_and_the_prompts_give_the_same(tmp_path: Path) -> None:
    path = tmp_path / "round.txt"
    path.write_text("# a dispute\n" + PREMIUM.replace("; ", "\n"))
    assert settle("--file", str(path)).stdout == settle(PREMIUM).stdout
    parts = [p.strip() for p in PREMIUM.split(";")]
    answers = [parts[0], "2c3d5h", "JhTh7c8d", parts[3].removeprefix("seat "), "", "1", ""]
    asked = settle(typed="\n".join(answers)).stdout
    assert asked.endswith("jackpot after the round: $10,000\n")


def test_mistakes_are_named_without_a_traceback(tmp_path: Path) -> None:
    for words, reason in (
        ("snap; dealer 2c3d", "snap"),
        ("headsup; dealer 2c3d; board 4c5c6c7c8c; seat 1 AhKh ante 5 odds 4: raise1", "equal"),
        ("headsup; dealer 2c3d; board 4c5c6c7c8c; seat 1 AhKh ante x odds 5: raise1", "amount"),
        ("headsup; dealer 2c3d; board 4c5c6c7c8c; seat 1 Ah2c ante 5 odds 5: raise1", "duplicate"),
        (
            "headsup; dealer 2c3d; board 4c5c6c7c8c; seat 1 AhKh ante 5 odds 5: fold",
            "not possible",
        ),
        ("colorado; board 4c5c6c; seat 1 AhKh2d ante 5: fold", "version"),
    ):
        done = settle(words)
        assert done.returncode == 1 and reason in done.stderr, (words, done.stderr)
        assert "Traceback" not in done.stderr
    assert settle("--file", str(tmp_path / "none")).returncode == 1
    assert settle(typed="").returncode == 1
