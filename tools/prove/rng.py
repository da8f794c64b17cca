"""Statistics of the wheel's random numbers: chi-square of spins, and public suites if installed.

The numbers come from a fast twin of the firmware's generator (rng_twin.py). Statistics on a PC
say that the algorithm does not distort; they say nothing about a board's noise, and the RP2040
emulator, whose urandom repeats at every start, is no evidence for randomness at all.
"""

from __future__ import annotations

import argparse
import math
import multiprocessing
import os
import shutil
import subprocess
import sys
from typing import Any, Callable, Iterator, NamedTuple

from tools import stopped
from tools.generate import weights as weights_tool
from tools.prove.rng_twin import spin_shard, stream

SHARD = 250_000  # spins in one work item
# p-values, at either end; thirty tests of a good generator FAIL once in 1,600 runs.
FAIL, WEAK = 1e-5, 5e-3
DIEHARDER = (0, 2, 3, 8, 15, 16, 100, 101)  # tests of the quick list; --full runs all (-a)


class Verdict(NamedTuple):
    name: str
    p: float | None
    word: str
    note: str = ""

    def line(self) -> str:
        p = "        -" if self.p is None else f"{self.p:9.6f}"
        return f"  {self.word:<6} {p}  {self.name:<38} {self.note}"


def judged(name: str, p: float, note: str = "") -> Verdict:
    edge = min(p, 1 - p)
    return Verdict(name, p, "FAIL" if edge < FAIL else "weak" if edge < WEAK else "pass", note)


def chi_square_p(x: float, freedom: int) -> float:
    """Chance of a chi-square this large or larger (recurrence of the upper gamma function)."""
    half = x / 2
    a = 1.0 if freedom % 2 == 0 else 0.5
    q = math.exp(-half) if freedom % 2 == 0 else math.erfc(math.sqrt(half))
    while a < freedom / 2:
        q += math.exp(a * math.log(half) - half - math.lgamma(a + 1)) if half else 0.0
        a += 1
    return min(q, 1.0)


def chi_square(counts: list[int], odds: list[float], name: str, note: str = "") -> Verdict:
    """Compare counts with expected shares; cells that expect fewer than five are put together."""
    total = sum(counts)
    cells = sorted(zip(odds, counts), key=lambda cell: cell[0])
    x, freedom, small, seen = 0.0, -1, 0.0, 0
    for share, count in cells:
        small, seen = small + share * total, seen + count
        if small >= 5:
            x += (seen - small) ** 2 / small
            freedom, small, seen = freedom + 1, 0.0, 0
    return judged(name, chi_square_p(x, freedom), f"chi2 {x:.2f} on {freedom} {note}".rstrip())


def spin_tables(seed: bytes, spins: int, tick: Callable[[float], None]) -> list[Verdict]:
    """Chi-square of positions and of successive pairs for the four illustrative wheels."""
    sets = [chosen for _, chosen in weights_tool.load(weights_tool.ILLUSTRATIVE, None, None)]
    jobs = [
        (seed, s.table, s.weights, at // SHARD, min(SHARD, spins - at))
        for s in sets
        for at in range(0, spins, SHARD)
    ]
    counts = {s.table: [0] * 156 for s in sets}
    with multiprocessing.Pool(min(2, os.cpu_count() or 1)) as pool:
        for done, (name, more) in enumerate(pool.imap_unordered(spin_shard, jobs), 1):
            counts[name] = [a + b for a, b in zip(counts[name], more)]
            tick(done / len(jobs))
    return [v for s in sets for v in judge_wheel(s.table, s.weights, counts[s.table])]


def judge_wheel(name: str, wheel: list[int], counts: list[int]) -> list[Verdict]:
    odds = [w / sum(wheel) for w in wheel]
    both = [a * b for a in odds for b in odds]
    note = f"{sum(counts[:12]):,} spins"
    return [
        chi_square(counts[:12], odds, f"{name} positions", note),
        chi_square(counts[12:], both, f"{name} successive pairs", note),
    ]


def feed(command: list[str], source: Iterator[bytes]) -> str:
    """Run a suite with the stream on its standard input; it may stop reading when it likes."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stderr": subprocess.STDOUT}
    with subprocess.Popen(command, stdout=subprocess.PIPE, **pipes) as process:
        assert process.stdin and process.stdout
        try:
            for data in source:
                process.stdin.write(data)
            process.stdin.close()
        except BrokenPipeError:
            pass
        return process.stdout.read().decode(errors="replace")


def run_ent(source: Iterator[bytes]) -> list[Verdict]:
    rows = feed(["ent", "-t"], source).splitlines()
    size, entropy, chi, mean, _, serial = (float(x) for x in rows[1].split(",")[1:])
    z = abs(mean - 127.5) / (math.sqrt((256**2 - 1) / 12 / size))
    return [
        judged("ent: byte counts", chi_square_p(chi, 255), f"{entropy:.6f} bits a byte"),
        judged("ent: mean", math.erfc(z / math.sqrt(2)), f"{mean:.4f}"),
        judged(
            "ent: serial correlation", math.erfc(abs(serial) * math.sqrt(size / 2)), f"{serial}"
        ),
    ]


def run_rngtest(source: Iterator[bytes]) -> list[Verdict]:
    """FIPS 140-2 blocks: a perfect source fails about 8 in 10,000."""
    text = feed(["rngtest"], source)
    found = {k.strip(): int(v) for k, _, v in (row.rpartition(":") for row in text.splitlines())
             if v.strip().isdigit()}  # fmt: skip
    bad = next(v for k, v in found.items() if k.endswith("FIPS 140-2 failures"))
    good = next(v for k, v in found.items() if k.endswith("FIPS 140-2 successes"))
    usual = (bad + good) * 0.0008
    p = 1 - sum(math.exp(k * math.log(usual) - usual - math.lgamma(k + 1)) for k in range(bad))
    return [
        judged("rngtest: FIPS 140-2 blocks", min(max(p, 0), 1 - WEAK), f"{bad} of {bad + good}")
    ]


def run_dieharder(source: Callable[[], Iterator[bytes]], full: bool) -> list[Verdict]:
    found = []
    for test in ["-a"] if full else [f"-d{n}" for n in DIEHARDER]:
        quick = [] if full else ["-p", "30"]
        text = feed(["dieharder", "-g", "200", test, *quick], source())
        for row in text.splitlines():
            cells = [c.strip() for c in row.split("|")]
            if len(cells) == 6 and cells[5] in ("PASSED", "WEAK", "FAILED"):
                found.append(judged(f"dieharder: {cells[0]} {cells[1]}", float(cells[4])))
    return found


def suites(seed: bytes, megabytes: int, full: bool) -> Iterator[Verdict]:
    """Every suite that is installed; the others are named as absent."""
    size = megabytes << 20
    runs: dict[str, Callable[[], list[Verdict]]] = {
        "ent": lambda: run_ent(stream(seed, size)),
        "rngtest": lambda: run_rngtest(stream(seed, size)),
        "dieharder": lambda: run_dieharder(lambda: stream(seed, 1 << 50), full),
    }
    for name, run in runs.items():
        if shutil.which(name):
            yield from run()
        else:
            yield Verdict(name, None, "absent", f"not installed (Debian: {PACKAGES[name]})")


PACKAGES = {"ent": "ent", "rngtest": "rng-tools5", "dieharder": "dieharder"}


def progress(part: float) -> None:
    if sys.stderr.isatty():
        mark = "#" * round(part * 40)
        print(f"\r  [{mark:<40}] {part:4.0%}", end="\n" if part == 1 else "", file=sys.stderr)


def main(argv: list[str] | None = None) -> int:
    p = argparse.ArgumentParser(prog="rng.py", description=__doc__)
    p.add_argument("--spins", type=int, default=10_000_000, help="per table (10,000,000)")
    p.add_argument("--megabytes", type=int, default=32, help="for ent and rngtest (32)")
    p.add_argument("--seed", default=os.urandom(16).hex(), help="repeat an earlier run")
    p.add_argument("--full", action="store_true", help="all of dieharder: hours")
    p.add_argument("--no-suites", action="store_true", help="only the spins")
    args = p.parse_args(argv)
    if args.spins < 1000 or args.megabytes < 1:
        p.error("too few to judge: 1,000 spins and one megabyte at least")
    seed = args.seed.encode()
    print(f"seed {args.seed}\n  verdict  p-value  test")
    bad = 0
    verdicts = iter(spin_tables(seed, args.spins, progress))
    for part in (
        verdicts,
        iter(()) if args.no_suites else suites(seed, args.megabytes, args.full),
    ):
        for verdict in part:
            print(verdict.line(), flush=True)
            bad += verdict.word == "FAIL"
    print(
        f"{bad} failed (p below {FAIL}); the emulator and a PC are no evidence for a board's noise"
    )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
