"""Runs the machine's stateful test for long: batches of random days, each with a seed of its own.

One batch a core at a time, so that memory stays small; stops with the first batch that fails and
prints its report and how to repeat it.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor, as_completed

from tools import stopped
from tools.counts import count
from tools.paths import ROOT

TEST = "host_tests/test_machine_stateful.py"
BATCH = 250


def run(seed: int, runs: int) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", TEST]
    command += [f"--hypothesis-seed={seed}"]
    env = {**os.environ, "SOAK": str(runs)}
    return subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=count, default=10_000, help="days of 100 steps each")
    parser.add_argument("--seed", type=int, default=int(time.time()), help="of the first batch")
    args = parser.parse_args()
    sizes = [min(BATCH, args.runs - at) for at in range(0, args.runs, BATCH)]
    began, done = time.monotonic(), 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        jobs = {pool.submit(run, args.seed + i, n): (i, n) for i, n in enumerate(sizes)}
        try:
            for job in as_completed(jobs):
                i, n = jobs[job]
                if job.result().returncode:
                    print(job.result().stdout)
                    print(f"failed; again with: --seed {args.seed + i} --runs {n}")
                    return 1
                done += n
                print(f"{done} of {args.runs} runs, {time.monotonic() - began:.0f} s", flush=True)
        finally:  # leaving the pool would play every batch that waits, after Ctrl-C too
            pool.shutdown(wait=False, cancel_futures=True)
    print(f"{done} runs of 100 steps, no law broken (seeds from {args.seed})")
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
