"""The round machine under random events, legal and not: every named law holds after every step.

Short here; `make soak` makes 10,000 runs of 100 steps in batches (SOAK sets a batch's runs).
"""

from __future__ import annotations

import os

import hypothesis.strategies as st
from hypothesis import HealthCheck, settings
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule

from host_tests.helpers import driver
from host_tests.helpers.invariants import Broken, Witness

RUNS = int(os.environ.get("SOAK", "80"))
NUMBER = st.integers(0, (1 << 24) - 1)


class Day(RuleBasedStateMachine):
    """A table's day: what is due, what is not, garbage, and power cuts."""

    @initialize(table=st.sampled_from(range(len(driver.TABLES))), warm=st.integers(0, 40))
    def open(self, table: int, warm: int) -> None:
        self.w = Witness(driver.TABLES[table])
        for n in range(warm):
            self.due(n * 7919 + warm)

    @rule(n=NUMBER)
    def due(self, n: int) -> None:
        event = driver.due(self.w.m, n)
        if self.w.step(event) is None:
            raise Broken(f"what_is_due_is_legal: {event.hex()}")

    @rule(n=NUMBER)
    def due_again(self, n: int) -> None:
        self.due(n)

    @rule(n=NUMBER, more=NUMBER)
    def due_twice(self, n: int, more: int) -> None:
        self.due(n)
        self.due(more)

    @rule(n=NUMBER)
    def odd(self, n: int) -> None:
        self.w.step(driver.odd(self.w.m, n))

    @rule(raw=st.binary(max_size=8))
    def garbage(self, raw: bytes) -> None:
        self.w.step(raw)

    @rule()
    def power_cut(self) -> None:
        self.w.check_replay()

    def teardown(self) -> None:
        if hasattr(self, "w"):
            self.w.check_replay()


TestDay = Day.TestCase
TestDay.settings = settings(
    max_examples=RUNS,
    stateful_step_count=100,
    deadline=None,
    suppress_health_check=list(HealthCheck),
    print_blob=True,
)
