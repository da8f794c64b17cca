"""Settles one round a person types in: who is paid what, at which odds, by which rule.

    settle.py                      asks for everything
    settle.py ROUND                one line, parts separated by `;`
    settle.py --file FILE          the same, a part on each line

A round: `premium bonus_spin=flush5_progressive; dealer 2c3d5h; board JhTh7c8d;
seat 1 AhKhQh ante 5 xtra 5 bonus_spin 5: play3; spins 4`. Amounts are dollars. Parts: the game
and its settings, `dealer`, `board`, `seat N CARDS WAGER AMOUNT ...: ACTION ...`, `spins`, `void`.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from felt.dealer.screen import money, odds_text, place_name, reason_text
from felt.dealer.screen import refusal as sentence
from felt.games.settings import game_module
from felt.round.state import Refused
from felt.texts import Texts

from tools import stopped
from tools.games import GAMES
from tools.paths import ROOT
from tools.prove import vector_check, vector_player

CENTS = ("jackpot", "fixed_prize", "payout_limit", "commission_cap")


class Mistake(Exception):
    """Something typed that cannot be understood; the text says what."""


def cents(text: str) -> int:
    """Dollars as typed, in cents."""
    whole, _, rest = text.lstrip("$").partition(".")
    if not (whole + rest).isdigit() or len(rest) > 2:
        raise Mistake(f"{text} is no amount of dollars")
    return int(whole or "0") * 100 + int((rest + "00")[:2])


def setting(word: str) -> tuple[str, Any]:
    name, equals, text = word.partition("=")
    if not equals:
        raise Mistake(f"{word}: a setting is NAME=VALUE")
    if name in CENTS:
        return name, cents(text)
    values = {"true": True, "false": False}
    return name, int(text) if text.isdigit() else values.get(text, text)


def seat(words: str) -> dict[str, Any]:
    """`1 AhKhQh ante 5 xtra 5: check play2` as a vector's seat."""
    placed, _, actions = words.partition(": ")
    head = placed.rstrip(":").split()
    if len(head) < 4 or len(head) % 2 or not head[0].isdigit():
        raise Mistake("a seat is: NUMBER CARDS WAGER AMOUNT ... : ACTION ...")
    wagers = {head[i]: cents(head[i + 1]) for i in range(2, len(head), 2)}
    return {
        "seat": int(head[0]),
        "cards": head[1],
        "wagers": wagers,
        "actions": actions.split(),
    }


def parse(parts: list[str]) -> dict[str, Any]:
    """The parts of a round as a vector without expectation."""
    v: dict[str, Any] = {"id": "typed", "table": {}, "seats": [], "expect": {}}
    for part in parts:
        word, _, rest = part.partition(" ")
        if word in GAMES:
            v["game"] = word
            v["table"] = dict(setting(each) for each in rest.split())
        elif word == "dealer":
            v["dealer"] = rest.replace(" ", "")
        elif word in ("board", "community"):
            v["community"] = rest.replace(" ", "")
        elif word == "seat":
            v["seats"].append(seat(rest))
        elif word == "spins":
            v["spins"] = [int(n) if n.isdigit() else n for n in rest.split()]
        elif word == "void":
            v["void"] = True
        else:
            raise Mistake(f"{word}: a part starts with a game, dealer, board, seat, spins or void")
    for s in v["seats"]:
        v["expect"][str(s["seat"])] = {}
    if "game" not in v:
        raise Mistake("name the game first: " + ", ".join(sorted(GAMES)))
    return v


def instruction(e: tuple, texts: Any) -> str:
    """One pay, take or push effect as a sentence, or nothing."""
    if e[0] in ("take", "push", "return"):
        _, number, wager, amount, rule, reason = e
        odds = None
    elif e[0] == "pay":
        _, number, wager, amount, odds, rule, reason = e
    elif e[0] == "pot":
        who = place_name(texts, e[1])
        return f"{'AWARD':6} {who:7} Pot: {reason_text(texts, e[4])}, {e[3]}: {money(e[2])}"
    elif e[0] == "commission":
        return f"{'HOUSE':6} {'':7} commission: {money(e[1])}"
    elif e[0] == "hit":
        return f"{'HIT':6} {place_name(texts, e[1]):7} top prize {money(e[2])}"
    else:
        return ""
    why = [reason_text(texts, reason)] + ([odds_text(odds)] if odds else []) + [rule]
    name = texts.get("wager." + wager)
    who = place_name(texts, number)
    return f"{e[0].upper():6} {who:7} {name}: {', '.join(why)}: {money(amount)}"


def settle(v: dict[str, Any], texts: Any) -> list[str]:
    """What the table says about a round, and every seat's total."""
    rows = []

    def watch(event: bytes, effects: list) -> None:
        rows.extend(filter(None, (instruction(e, texts) for e in effects)))

    nets = vector_player.play(v, watch)
    jackpot = nets.pop("jackpot", None)
    for number in sorted(nets):
        parts = [f"{texts.get('wager.' + w)} {signed(n)}" for w, n in sorted(nets[number].items())]
        total = signed(sum(nets[number].values()))
        rows.append(f"seat {number}: {total} ({', '.join(parts)})")
    if jackpot is not None:
        rows.append(f"jackpot after the round: {money(jackpot)}")
    return rows


def signed(amount: int) -> str:
    return ("+" if amount > 0 else "") + money(amount)


def ask() -> list[str]:
    """The parts of a round, typed one by one."""
    games = ", ".join(sorted(GAMES))
    parts = [input(f"game ({games}) and settings NAME=VALUE: ").strip()]
    game = parts[0].split(" ")[0]
    if game not in GAMES:
        raise Mistake(f"{game} is none of: {games}")
    rules = game_module(game)
    for key, count in (("dealer", rules.DEALER_CARDS), ("board", rules.COMMUNITY)):
        if count:
            parts.append(f"{key} " + input(f"{key}'s {count} cards, like AhKd: "))
    while True:
        row = input("seat: NUMBER CARDS WAGER DOLLARS ... : ACTION ... (empty to settle): ")
        if not row.strip():
            break
        parts.append("seat " + row.strip())
    if rules.LATCH and f"{rules.LATCH}=" in parts[0]:
        parts.append("spins " + input("wheel positions of the seats that spin, in seat order: "))
    return parts


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("round", nargs="*", metavar="ROUND", help="parts separated by `;`")
    parser.add_argument("--file", type=Path, help="a file with one part a line")
    parser.add_argument("--language", default="en", help="language of the texts")
    args = parser.parse_args(argv)
    try:
        if args.file:
            parts = args.file.read_text(encoding="utf-8").splitlines()
        elif args.round:
            parts = " ".join(args.round).split(";")
        else:
            parts = ask()
        texts = Texts(str(ROOT / "firmware" / "lang" / f"{args.language}.txt"))
        clean = [" ".join(part.split()) for part in parts]
        v = parse([part for part in clean if part and not part.startswith("#")])
        print("\n".join(settle(v, texts)))
    except vector_check.BadVector as error:
        refusal = error.__context__
        known = isinstance(refusal, Refused)
        print(f"settle: {sentence(texts, refusal) if known else error}", file=sys.stderr)
        return 1
    except (Mistake, OSError, EOFError) as error:
        print(f"settle: {error or 'nothing typed'}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(stopped.run(main))
