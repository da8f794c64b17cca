"""An evening at the table, round after round, against a witness who knows only the felt.

`make evening ARGS="--game G --dealing M --rounds N --errors PERCENT --seed S --on cpython"`.
Ends with `N passed, M failed` and exits non-zero on any failure.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from itertools import product
from typing import Any

from felt.games.settings import game_module

from tools import stopped
from tools.counts import count
from tools.prove.witness.controllers import InProcess
from tools.prove.witness.judge import Differs
from tools.prove.witness.mistakes import Erring
from tools.prove.witness.training import GAMES, OPTIONS
from tools.prove.witness.virtual import OnMicroPython

METHODS = ("shoe", "hand", "auto")
EVENING = 40  # rounds a table is open before another one is set up
OWN_CHOICE = 0.3  # of a house that chooses what it may
WEIGHTS = [1] * 12
CONTROLLERS: dict[str, Any] = {"cpython": InProcess, "micropython": OnMicroPython}


def table(game: str, method: str, chance: random.Random) -> dict[str, Any]:
    """Settings of one evening."""
    shufflers = {"shoe": ("none", "plain", "counting"), "hand": ("plain", "counting")}
    found: dict[str, Any] = {"game": game, "dealing": method}
    found["shuffler"] = chance.choice(shufflers.get(method, ("none", "plain", "counting")))
    if found["shuffler"] != "none":
        found["second_deck"] = chance.random() < 0.5
    rules = game_module(game)
    if rules.LATCH and chance.random() < 0.7:
        found["weights"] = WEIGHTS
        found["bonus_spin"] = chance.choice(
            ("flush5_progressive", "flush5_fixed", "flush1_progressive", "flush1_fixed")
        )
        if found["bonus_spin"].endswith("fixed"):
            found["fixed_prize"] = 99900
    for name in rules.REQUIRED:
        found[name] = chance.choice(rules.OPTIONS[name][2])
    for name, values in OPTIONS[game].items():
        if chance.random() < OWN_CHOICE:
            found[name] = chance.choice(values)
    return found


def play(
    game: str, method: str, rounds: int, errors: int, seed: int, log: Any, on: str = "cpython"
) -> tuple[int, int]:
    """Play rounds at tables of a game and method; return how many passed and failed."""
    passed = failed = 0
    while passed + failed < rounds:
        number = seed * 1000003 + passed + failed
        chance = random.Random(number)
        settings = table(game, method, chance)
        ability = {"shoe": 1, "hand": 0, "auto": 9}[method]
        ability |= {"none": 0, "plain": 2, "counting": 6}[settings["shuffler"]]
        tells = chance.random() < 0.5
        controller = CONTROLLERS[on](settings, number, ability, tells)
        dealer = Erring(controller, game, settings, number, errors)
        try:
            for _ in range(min(EVENING, rounds - passed - failed)):
                dealer.round()
                passed += 1
        except Differs as error:
            failed += 1
            log(f"{game} {method} seed {number}: {error}")
            log("  " + "\n  ".join(dealer.log[-25:]))
            log(f"  {settings}")
        finally:
            controller.close()
    return passed, failed


def say(text: str) -> None:
    print(text, flush=True)


def _percents(text: str) -> list[int]:
    found = text.split(",")
    if not all(each.isdecimal() and int(each) <= 100 for each in found):
        raise argparse.ArgumentTypeError(f"{text} is no list of percents such as 0,5,30")
    return [int(each) for each in found]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--game", choices=sorted(GAMES))
    parser.add_argument("--dealing", choices=METHODS)
    parser.add_argument("--rounds", type=count, default=50, help="per game and method")
    parser.add_argument(
        "--errors",
        type=_percents,
        default="0",
        help="chance in percent of a mistake in a round, and of a further one; 0,5,30 plays each",
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--on", choices=sorted(CONTROLLERS), default="cpython")
    args = parser.parse_args()
    totals = [0, 0]
    games = [args.game] if args.game else sorted(GAMES)
    methods = [args.dealing] if args.dealing else METHODS
    for errors, game, method in product(args.errors, games, methods):
        start = time.monotonic()
        found = play(game, method, args.rounds, errors, args.seed, say, args.on)
        took = time.monotonic() - start
        counts = f"{found[0]:6} passed {found[1]:4} failed"
        say(f"{game:12} {method:5} errors {errors:2} %  {counts}  {took:.1f} s")
        totals = [totals[0] + found[0], totals[1] + found[1]]
    print(f"{totals[0]} passed, {totals[1]} failed")
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
