"""A small share of each long proof: the same code, a few counts."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tools.paths import ROOT

SHARES = {"soak": "200", "fuzz": "2000", "cuts": "200", "damage": "50", "configs": "60"}


@pytest.mark.parametrize("form", SHARES)
def test_a_share_of_a_long_proof_ends_well(form: str) -> None:
    command = [sys.executable, "-m", "tools.prove.long_forms", form, SHARES[form]]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip(), "it says what it counted"
