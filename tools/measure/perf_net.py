"""The network task in the running table, on the emulated board with the W5500's model.

A whole round with its spin is played without a network and with one that works, is dead, slow,
comes and goes, or means harm: how long the task's laps take, and how late the loop comes round.

    make perf-net [ARGS="none working dead slow flapping hostile"]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from felt.wheel import motion

from tools import stopped
from tools.measure.net_floor import LAP_US, Floor
from tools.paths import BUILD

CASES = ("none", "working", "dead", "slow", "flapping", "hostile")
PER_MILLE_MS, WORST_MS = 20, 40  # the loop's bars, as without a network
AFTER_MS = 4000  # the finished round goes to flash, then out


def measure(case: str, folder: Path) -> dict[str, Any]:
    """Play a round to its end."""
    floor = Floor(case, folder)
    table = floor.table
    try:
        table.start()
        floor.pico.fram.true_timing = True
        table.bets()
        table.to_settlement()
        table.say("ok", "Settle seat 3")
        table.say("ok", "Seat 1 spins")
        table.say("spin", "turning")
        table.until(lambda: "turning" not in table.prompt, 2 * motion.DURATION)
        table.say("ok", "Collect")
        table.say("ok")
        floor.pico.run_for(AFTER_MS)
        return floor.figures()
    finally:
        floor.end()


def missed(case: str, got: dict[str, Any]) -> list[str]:
    """The bars this case is below."""
    bars = {
        f"no lap of the network longer than {LAP_US} us": not over(got),
        f"99.9 % of the loop within {PER_MILLE_MS} ms": got["late_ms"] <= PER_MILLE_MS,
        f"the loop never later than {WORST_MS} ms": got["worst_ms"] <= WORST_MS,
        "rounds are confirmed": case != "working" or got["stored"] > 0,
    }
    return [f"{case}: {bar}" for bar, met in bars.items() if not met]


def over(got: dict[str, Any]) -> int:
    return sum(n for _, _, n in got["laps"].values())


def shown(case: str, got: dict[str, Any]) -> str:
    """A few lines for people."""
    laps = got["laps"]
    kinds = ", ".join(f"{k} {laps[k][1]}" for k in sorted(laps, key=lambda k: -laps[k][1]))
    longest = max([worst for _, worst, _ in laps.values()], default=0)
    return (
        f"{case:9} loop {got['rounds']} rounds, 99.9 % {got['late_ms']} ms, worst "
        f"{got['worst_ms']} ms, while resting {got['resting_ms']} ms\n"
        f"          laps {sum(n for n, _, _ in laps.values())}, over {LAP_US} us {over(got)}, "
        f"longest {longest} us ({kinds})\n"
        f"          late rounds (ms, longest task, its us): {', '.join(got['late']) or 'none'}\n"
        f"          rounds confirmed {got.get('stored', 0)} of {got.get('finished', 0)}, "
        f"errors {got.get('errors', 0)} {got.get('error', '')}"
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", nargs="*", help=", ".join(CASES))
    every: dict[str, Any] = {}
    below = []
    for case in parser.parse_args().case or CASES:
        with tempfile.TemporaryDirectory() as name:
            every[case] = measure(case, Path(name))
        print(shown(case, every[case]), flush=True)
        below += missed(case, every[case])
    BUILD.mkdir(exist_ok=True)
    (BUILD / "perf_net.json").write_text(json.dumps(every, indent=1) + "\n")
    print("\n".join(below) or "every bar is met")
    return 1 if below else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
