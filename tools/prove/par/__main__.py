"""Computes the exact price of every wager and writes build/par.json and a sheet a game.

par                              every game: side wagers, then main games under the best play
par --sides                      side wagers only (no numba needed)
par --games premium headsup      some games
par --prove                      and 1,000,000 random hands a game through the round machine,
                                 and every main game a second way: 10,000,000 simulated rounds of
                                 a game of showdowns, the others counted in another order
par --weights FILE               Bonus Spin with weights of your own
par --find TABLE --goal 0.88 --deviation 25   weights for a wanted return and volatility
"""

from __future__ import annotations

import argparse
import json
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

from felt.games.bonus_spin import TABLES

from tools.games import GAMES
from tools.generate import weights
from tools.prove.par import agree, book, catalogue, record, sheet, spin
from tools.prove.par.identity import rules

ROOT = Path(__file__).resolve().parents[3]
OUT = ROOT / "build" / "par.json"
SHEETS = ROOT / "build" / "par"
QUICK, LONG = 2000, 1000000  # hands through the machine
ROUNDS = 10000000  # simulated


def load() -> dict[str, Any]:
    """What an earlier run found under the same rules; nothing if a rule has changed since."""
    try:
        found = json.loads(OUT.read_text(encoding="utf-8"))
    except (OSError, json.JSONDecodeError):
        return {}
    return found if found.get("about", {}).get("rules") == rules() else {}


def save(found: dict[str, Any]) -> None:
    """Write the book whole or not at all."""
    OUT.parent.mkdir(exist_ok=True)
    part = OUT.with_suffix(".part")
    ordered = {"about": {"rules": rules()}, **{k: found[k] for k in sorted(found) if k != "about"}}
    part.write_text(json.dumps(ordered, indent=1) + "\n", encoding="utf-8")
    part.replace(OUT)


def say(key: str, entry: dict[str, Any]) -> None:
    """One line a wager, its options below it."""
    if "edge" not in entry:
        found = entry.get("probability") or entry["by_seats"]["6"]["return_percent"]
        print(f"{key:36} {found}")
        return
    print(f"{key:36} {entry['edge_percent']:>10.4f} %  {entry['edge']}", flush=True)
    for o in entry.get("options", ()):
        name = "  " + sheet.settings(o["settings"])
        mark = "  THE PLAYER HAS THE EDGE" if o["players_edge"] else ""
        print(f"{name:36} {o['edge_percent']:>10.4f} %  {o['edge']}{mark}", flush=True)


def agreed(game: str, hands: int) -> bool:
    """Settle random hands twice; print what differs."""
    if game not in agree.GAMES:
        return True
    tables = agree.tables(game)
    found = [text for at in tables for text in agree.differences(at, hands // len(tables))]
    print(f"{game}: {hands:,} random hands, machine and tables differ in {len(found)}")
    for text in found[:5]:
        print("  " + text)
    return not found


def simulated(game: str, found: dict[str, Any]) -> bool:
    """Play the best play at random; the exact figure must be within four standard errors."""
    from tools.prove.par import simulate

    play = book.default_play(game)
    exact = -Fraction(found[f"{game}.main"]["edge"])
    trial = simulate.simulate(play, ROUNDS, float(exact))
    found[f"{game}.main"]["simulation"] = {
        "rounds": trial.rounds,
        "edge": -trial.mean,
        "standard_error": trial.error,
        "errors_off": round(trial.off, 3),
    }
    print(
        f"{game}: {trial.rounds:,} rounds give {-trial.mean:.6f} +- {trial.error:.6f}, "
        f"exact {-trial.exact:.6f}: {trial.off:.2f} standard errors off"
    )
    return trial.off < simulate.LIMIT


def recounted(game: str, found: dict[str, Any]) -> bool:
    """Count Colorado or Three Card Poker in another order: the fractions must be equal."""
    from tools.prove.par import colorado, recount, three

    second = {}
    if game == "colorado":
        counted = colorado.groups()
        for version in catalogue.versions():
            play = colorado.solve({"version": version}, counted)
            second[f"{game}.{version}.main"] = recount.colorado_edge(play)
    elif game == "three_card":
        second[f"{game}.ante_play"] = recount.three_card_edge(three.default())
    for key, edge in second.items():
        same = str(edge) == found[key]["edge"]
        found[key]["recount"] = str(edge)
        print(f"{key}: counted in another order {edge}: {'the same' if same else 'ANOTHER'}")
    return all(str(edge) == found[key]["edge"] for key, edge in second.items())


def second_way(game: str, found: dict[str, Any]) -> bool:
    """Whether another way to the main game's figure comes to the same."""
    return (simulated if game in book.SHOWDOWNS else recounted)(game, found)


def compute(games: list[str], main: bool, prove: bool) -> bool:
    """Every figure asked for; the files are written after each game."""
    found = load()
    good = True
    for game in games:
        good &= agreed(game, LONG if prove else QUICK)
        for key, entry in book.entries(game, main):
            found[key] = entry
            say(key, entry)
        if prove and main:
            good &= second_way(game, found)
        save(found)
    files = sheet.write(SHEETS, found, rules())
    print(f"wrote {OUT.relative_to(ROOT)} and {len(files)} sheets in {SHEETS.relative_to(ROOT)}/")
    return good


def own_weights(path: Path) -> None:
    """Bonus Spin with weights from a file."""
    odds = spin.chance()
    for note, chosen in weights.load(path, None, None):
        print(json.dumps(spin.sheet(chosen, note, odds), indent=1))


def find(args: argparse.Namespace) -> None:
    """Search weights for a wanted return and volatility."""
    odds = spin.chance()
    goal = Fraction(args.goal).limit_denominator(10000)
    chosen = spin.search(args.find, goal, args.deviation, odds, args.seats, args.prize)
    print(json.dumps(spin.sheet(chosen, "found by search: not approved", odds), indent=1))


def arguments() -> argparse.ArgumentParser:
    p = argparse.ArgumentParser(
        prog="par", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    p.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    p.add_argument("--sides", action="store_true", help="side wagers only")
    p.add_argument("--prove", action="store_true", help="the long checks as well")
    p.add_argument("--record", action="store_true", help="put the figures in the documentation")
    p.add_argument("--set", type=json.loads, action="append", default=[], metavar="JSON",
                   help="price these settings too, beside the default")  # fmt: skip
    p.add_argument("--weights", type=Path, metavar="FILE", help="Bonus Spin with these weights")
    p.add_argument("--find", choices=sorted(TABLES), help="search weights for this pay table")
    p.add_argument("--goal", type=Fraction, default=Fraction(88, 100), help="wanted return")
    p.add_argument("--deviation", type=float, default=25.0, help="wanted standard deviation")
    p.add_argument("--seats", type=int, default=6, help="players the search assumes")
    p.add_argument("--prize", type=int, help="fixed prize in cents, for a fixed table")
    return p


def main(argv: list[str] | None = None) -> int:
    args = arguments().parse_args(argv)
    try:
        if args.weights:
            own_weights(args.weights)
        elif args.find:
            find(args)
        else:
            catalogue.EXTRA.extend(args.set)
            good = compute(args.games, not args.sides, args.prove)
            if args.record and good:
                record.write(load())
            return 0 if good else 1
    except (weights.SetError, ValueError) as error:
        print(f"par: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("\npar: stopped; what is counted is kept, the next run goes on from here")
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
