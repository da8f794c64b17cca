"""The state diagrams in docs/ are current, and the machine makes no transition beyond them."""

from __future__ import annotations

import random
import subprocess
import sys

from felt.round import events
from felt.round.machine import Machine
from felt.round.state import Refused

from host_tests.helpers import driver
from tools.generate import diagrams


def where(m: Machine) -> str:
    if m.r is None or m.r.void or m.r.kind() == "collect":
        return str(m.phase_name())
    return diagrams.state(m.r.stage, m.r.kind())


def test_the_files_are_current() -> None:
    command = [sys.executable, "-m", "tools.generate.diagrams", "--check"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_every_transition_is_in_its_diagram() -> None:
    walked = set()
    for table in driver.TABLES:
        dealt = {}
        for dealing in ("shoe", "hand", "auto"):
            drawn = "auto" if dealing == "auto" else "shoe"
            dealt[dealing] = set(diagrams.edges(table["game"], drawn))
        for seed in range(12):
            rng = random.Random(seed)
            m = Machine(table)
            for _ in range(250):
                n = rng.randrange(1 << 30)
                event = driver.due(m, n) if rng.random() < 0.85 else driver.odd(m, n)
                here = where(m)
                try:
                    m.step(event)
                except Refused:
                    continue
                edge = here, events.NAMES[event[0]], where(m)
                if here != edge[2]:
                    assert edge in dealt[m.dealing], (table["game"], m.dealing, edge)
                    walked.add((table["game"], *edge))
    assert len(walked) > 100
