"""Checks a set of wheel weights and prints its identity, odds and exact return to the players.

Every figure is a fraction of integers (fractions.Fraction); decimals are only its printed form.
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any, Iterator, NamedTuple

from felt.games.bonus_spin import TABLES, TOP, TRIGGER, contribution
from felt.spin import wheel

from tools.paths import ROOT

ILLUSTRATIVE = ROOT / "tools" / "data" / "illustrative_weights.json"
SEATS = range(1, 7)
BAR = 40
FORM = """FILE is JSON, one set:
  {"table": NAME, "weights": [12 integers], "fixed_prize": CENTS}
or several:
  {"note": TEXT, "sets": {NAME: {"weights": [...], "fixed_prize": CENTS}, ...}}
fixed_prize belongs to the fixed tables only.
Exit status: 0 accepted, 1 returns 100% or more, 2 not a valid set."""
REASONS = {
    "weights_table": "there is no pay table {0!r}; the tables are " + ", ".join(TABLES),
    "weights_count": "a list of twelve weights is needed, positions 1 to 12 in order; got {0}",
    "weights_value": "the weight of position {0} is {1!r}; it must be a positive integer below "
    f"{wheel.SUM_LIMIT:,}",
    "weights_sum": "the weights add up to {0:,}; " + f"the most is {wheel.SUM_LIMIT:,}",
}


class SetError(Exception):
    """What is wrong with the input, for the person who wrote it."""


class WheelSet(NamedTuple):
    """A checked set: `top` is the seed or the fixed prize, in cents."""

    table: str
    weights: list[int]
    top: int

    @property
    def total(self) -> int:
        return sum(self.weights)


class Return(NamedTuple):
    """Expected pay for one wager as parts of the stake, at one number of wagering seats."""

    own: Fraction
    community: Fraction
    top: Fraction
    meter: Fraction

    @property
    def total(self) -> Fraction:
        return self.own + self.community + self.top + self.meter


def checked(table: str, weights: Any, fixed_prize: Any) -> WheelSet:
    """The set, or SetError naming the input that is wrong."""
    try:
        wheel.check(table, weights)
    except wheel.WeightsError as error:
        raise SetError(REASONS[error.args[0]].format(*error.args[1:])) from None
    seed = TABLES[table][1]
    if seed is not None:
        if fixed_prize is not None:
            raise SetError(f"{table} is a progressive table: it takes no fixed prize")
        return WheelSet(table, list(weights), seed)
    if type(fixed_prize) is not int or fixed_prize <= 0:
        raise SetError(
            f"{table} needs its fixed prize in cents, a positive integer; got {fixed_prize!r}"
        )
    return WheelSet(table, list(weights), fixed_prize)


def returns(chosen: WheelSet, seats: int) -> Return:
    """Expected pay per wager with `seats` latched seats, in parts of the stake.

    Each seat triggers with 22/425 (by symmetry of the deck) and expectations add, so one seat's
    share is its own spin, the community pay of the seats - 1 others' spins, and the top prize.
    A progressive pays its seed plus what the meter took since the last hit: over many rounds
    every contribution is paid out once.
    """
    stake, seed, player, community = TABLES[chosen.table]
    spin = Fraction(*TRIGGER) / stake

    def mean(pays: Any) -> Fraction:
        return Fraction(sum(w * p for w, p in zip(chosen.weights, pays)), chosen.total)

    return Return(
        own=spin * mean(player),
        community=spin * mean(community) * (seats - 1),
        top=spin * Fraction(chosen.weights[TOP - 1] * chosen.top, chosen.total),
        meter=Fraction(contribution(stake), stake) if seed is not None else Fraction(0),
    )


def load(path: Path, table: str | None, prize: int | None) -> Iterator[tuple[str, WheelSet]]:
    """Each set of the file (or the one named) with the file's note."""
    try:
        data = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, json.JSONDecodeError) as error:
        raise SetError(f"{path}: {error}") from None
    if not isinstance(data, dict):
        raise SetError(f"{path}: a JSON object is needed (see --help)")
    sets = data.get("sets", {data.get("table"): data})
    if not isinstance(sets, dict):
        raise SetError(f"{path}: 'sets' must map table names to sets")
    names = [table] if table else list(sets)
    for name in names:
        if name not in sets or not isinstance(sets[name], dict):
            raise SetError(
                f"{path}: no set for table {name!r}; it has {', '.join(map(str, sets))}"
            )
        fixed = sets[name].get("fixed_prize") if prize is None else prize
        try:
            yield str(data.get("note", "")), checked(name, sets[name].get("weights"), fixed)
        except SetError as error:
            raise SetError(f"{path}: {name}: {error}") from None


def money(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02}"


def percent(part: Fraction) -> str:
    """Four decimals, cut off rather than rounded: 100% is never shown for less."""
    units = part * 1000000 // 1
    return f"{units // 10000}.{units % 10000:04}%"


def bar(part: Fraction) -> str:
    return "#" * min(BAR, round(part * BAR)) + ("" if part <= 1 else "!")


def show_odds(chosen: WheelSet) -> None:
    _, seed, player, community = TABLES[chosen.table]
    print(f"\n  {'pos':>3}  {'player':>12}  {'others':>8}  {'weight':>9}  {'chance':>10}  one in")
    for position, weight in enumerate(chosen.weights, 1):
        pay = money(player[position - 1])
        if position == TOP:
            pay = "jackpot" if seed is not None else money(chosen.top)
        other = money(community[position - 1]) if community[position - 1] else "-"
        chance = Fraction(weight, chosen.total)
        print(
            f"  {position:>3}  {pay:>12}  {other:>8}  {weight:>9,}  {percent(chance):>10}"
            f"  {float(1 / chance):,.2f}"
        )


def show_returns(chosen: WheelSet) -> Fraction:
    print("\n  return to the players, per wager (exact fraction at the right)")
    print("  seats   own spin  community  top prize  7% meter     total")
    worst = Fraction(0)
    for seats in SEATS:
        r = returns(chosen, seats)
        worst = max(worst, r.total)
        parts = "  ".join(f"{percent(x):>9}" for x in (r.own, r.community, r.top, r.meter))
        print(f"  {seats:>5}  {parts}  {percent(r.total):>9} |{bar(r.total):<{BAR}}| {r.total}")
    return worst


def show(note: str, chosen: WheelSet) -> Fraction:
    stake, seed, _, _ = TABLES[chosen.table]
    print(f"{chosen.table}  wager {money(stake)}")
    if note:
        print(f"  note      {note}")
    print(f"  identity  {wheel.identity(chosen.table, chosen.weights)}")
    top = "seed" if seed is not None else "fixed prize"
    print(f"  sum       {chosen.total:,}   {top} {money(chosen.top)}")
    show_odds(chosen)
    return show_returns(chosen)


def judge(chosen: WheelSet, worst: Fraction, allow: bool) -> bool:
    """Print the verdict; False refuses the set."""
    if worst < 1:
        print(f"\n  accepted: at most {percent(worst)} goes back to the players\n")
        return True
    over = [n for n in SEATS if returns(chosen, n).total >= 1]
    text = f"returns 100% or more at {', '.join(map(str, over))} wagering seat(s)"
    if allow:
        print(f"\n  accepted by --allow-over-100 although it {text}\n")
        return True
    print(f"\n  REFUSED: it {text} (--allow-over-100 accepts it)\n")
    return False


def arguments() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="weights.py", description=__doc__, epilog=FORM,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )  # fmt: skip
    p.add_argument("file", nargs="?", type=Path, default=ILLUSTRATIVE, metavar="FILE",
                   help="the weights (default: the bench's illustrative sets)")  # fmt: skip
    p.add_argument("--table", metavar="NAME", help="only this table: " + ", ".join(TABLES))
    p.add_argument("--fixed-prize", type=int, metavar="CENTS", help="instead of the file's prize")
    p.add_argument("--allow-over-100", action="store_true",
                   help="accept a set that returns 100%% or more")  # fmt: skip
    return p


def main(argv: list[str] | None = None) -> int:
    args = arguments().parse_args(argv)
    try:
        sets = list(load(args.file, args.table, args.fixed_prize))
    except SetError as error:
        print(f"weights.py: {error}", file=sys.stderr)
        return 2
    good = [judge(chosen, show(note, chosen), args.allow_over_100) for note, chosen in sets]
    return 0 if all(good) else 1


if __name__ == "__main__":
    sys.exit(main())
