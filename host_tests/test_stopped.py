"""Ctrl-C ends what runs for long, and says so in a line."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from tools import stopped
from tools.prove import soak


def test_a_stopped_tool_says_so_with_the_code_of_shells(capfd: pytest.CaptureFixture) -> None:
    def interrupted() -> int:
        raise KeyboardInterrupt

    assert stopped.run(interrupted) == 130 and stopped.run(lambda: 1) == 1
    assert capfd.readouterr().err == "\nstopped\n"


def test_a_stopped_soak_begins_no_other_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """It played on for as long as the batches that waited took, and could not be stopped."""
    begun = []

    def batch(seed: int, runs: int) -> subprocess.CompletedProcess:
        begun.append(seed)
        if len(begun) == 1:
            raise KeyboardInterrupt
        time.sleep(0.05)
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(soak, "run", batch)
    monkeypatch.setattr(soak.os, "cpu_count", lambda: 1)
    monkeypatch.setattr(sys, "argv", ["soak", "--runs", "25000", "--seed", "1"])
    assert stopped.run(soak.main) == 130
    assert len(begun) < 50
