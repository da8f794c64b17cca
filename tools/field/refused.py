"""Why a setting's value is refused: its place in the file, what stands there, what is wanted.

The firmware only names the setting, in few bytes; here its checks are asked piece by piece, and
its limits are read, so that none is written a second time.
"""

from __future__ import annotations

import json
import re
from typing import Any, Callable, Iterable

from felt.games import network, settings
from felt.games.common import EQUAL, HANDS
from felt.spin import wheel
from felt.store import strict_json

ODDS = '"3 to 2"'
SUBNETS = network.OWN[1:]
NUMBERS = f"whole, or with one decimal, of at most {strict_json.DIGITS} digits"


def value(doc: dict[str, Any], name: str) -> str:
    """What is wrong with the value the firmware refused under `name`, which may be a path."""
    game = settings.game_module(doc["game"])
    top = name.partition(".")[0]
    kind, _, domain = settings.schema(game)[top]
    return TELL[kind](name, doc[top], domain, game)


def contradiction(doc: dict[str, Any], name: str) -> str:
    """What the setting that was refused does not go with, as it stands in the file."""
    game = settings.game_module(doc["game"])
    cfg = {key: default for key, (_, default, _) in settings.schema(game).items()} | doc
    limits = cfg["limits"] or {}
    top, _, wager = name.partition(".")
    asked = [wager] if wager else game.WAGERS if name == "chip_unit" else ()
    stakes = {each: game.exact(cfg, each) for each in asked}
    others = [f"{each}, which is always {cents} cents" for each, cents in stakes.items() if cents]
    if not asked:
        others = [_stands("bonus_spin", cfg["bonus_spin"])]
    elif not others:
        others = [_stands("chip_unit", cfg["chip_unit"])]
        if wager in game.LEAST:
            others.append(f"the rules' least, {game.LEAST[wager]} cents")
        if game.BINDS.get(wager) == EQUAL and game.WAGERS[0] in limits:
            others.append(_stands(f"limits.{game.WAGERS[0]}", limits[game.WAGERS[0]]))
        if "payout_limit" in cfg:
            others.append(_stands("payout_limit", cfg["payout_limit"]))
    mine = limits[wager] if wager else cfg[top]
    return f"{_stands(name + ':', mine)} does not go with {' or '.join(others)}"


def _stands(name: str, value: Any) -> str:
    return f"{name} {'not set' if value is None else said(value)}"


def number(raw: bytes, at: int) -> str:
    """Which number of the file the firmware cannot read, by its place and as it stands there."""
    path: list[Any] = []
    name = ""
    for token in re.findall(r'"(?:\\.|[^"\\])*"|[][{}:,]', raw[:at].decode()):
        if token in "[{":
            path.append(0 if token == "[" else "")
        elif token in "]}":
            path.pop()
        elif token == ":":
            path[-1] = name
        elif token == "," and isinstance(path[-1], int):
            path[-1] += 1
        elif token != ",":
            name = json.loads(token)
    steps = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    where = "".join(steps).removeprefix(".") or "the file"
    word = re.split(rb"[]\s,}]", raw[at:], maxsplit=1)[0].decode()
    return f"{where}: {word} is no number that a table reads: {NUMBERS}"


def said(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _listed(values: Iterable[Any]) -> str:
    return ", ".join(map(said, values))


def _int(name: str, value: Any, domain: Any, game: Any) -> str:
    low, high = domain
    return f"{name}: {said(value)} is no whole number from {low} to {high or settings.MOST}"


def _choice(name: str, value: Any, domain: Any, game: Any) -> str:
    return f"{name}: {said(value)} is none of {_listed(domain)}"


def _bool(name: str, value: Any, domain: Any, game: Any) -> str:
    return f"{name}: {said(value)} is neither true nor false"


def most(kind: str) -> int:
    """The longest text of this kind: the firmware is asked, it alone knows."""
    return max(n for n in range(256) if settings._fits(kind, "x" * n, None, None))


def _text(name: str, value: Any, domain: Any, game: Any) -> str:
    return f"{name}: {said(value)} is no text of at most {most('text')} characters"


def _name(name: str, value: Any, domain: Any, game: Any) -> str:
    wanted = f"at most {most('name')} letters, digits and blanks"
    return f"{name}: {said(value)} is no text of {wanted}"


def _tenths(name: str, value: Any, domain: Any, game: Any) -> str:
    low, high = (f"{tenths / 10:g}" for tenths in domain)
    return f"{name}: {said(value)} is no number from {low} to {high} with at most one decimal"


def _weights(name: str, value: Any, domain: Any, game: Any) -> str:
    """Which wheel weight is impossible, by its place in the file and on the wheel."""
    if not isinstance(value, list):
        return f"weights: {said(value)} is no list of {wheel.POSITIONS} whole numbers"
    try:
        wheel.check(next(iter(wheel.TABLES)), value)  # weights fit any of them, or none
    except wheel.WeightsError as error:
        code, *about = error.args
        if code == "weights_count":
            return f"weights: there are {about[0]}, the wheel has {wheel.POSITIONS} positions"
        if code == "weights_value":
            return _weight(about[0], about[1])
    return f"weights: they add up to {sum(value)}, at most {wheel.SUM_LIMIT}"


def _weight(position: int, weight: Any) -> str:
    large = isinstance(weight, int) and weight >= wheel.SUM_LIMIT
    why = f"is not below {wheel.SUM_LIMIT}" if large else "is no whole number above zero"
    return f"weights[{position - 1}]: {said(weight)} {why} (position {position})"


def _limits(name: str, value: Any, domain: Any, game: Any) -> str:
    if not isinstance(value, dict):
        return f"limits: {said(value)} is no object of wagers, each with [lowest, highest]"
    told = (_pair(wager, pair, game) for wager, pair in value.items())
    return next(filter(None, told))


def _pair(wager: str, pair: Any, game: Any) -> str:
    """What is wrong with the limits of a wager; empty when nothing is."""
    where = f"limits.{wager}"
    if wager not in game.WAGERS:
        return f"{where}: there is no such wager; the wagers are {', '.join(game.WAGERS)}"
    if not isinstance(pair, list) or len(pair) != 2:
        return f"{where}: {said(pair)} is no pair [lowest, highest] of whole cents"
    for at, cents in enumerate(pair):
        if not settings._is_int(cents) or not 0 < cents <= settings.MOST:
            wanted = f"whole number of cents from 1 to {settings.MOST}"
            return f"{where}[{at}]: {said(cents)} is no {wanted}"
    return f"{where}[1]: {pair[1]} is less than the lowest, {pair[0]}" if pair[1] < pair[0] else ""


def _wagers(name: str, value: Any, domain: Any, game: Any) -> str:
    if not isinstance(value, list):
        return f"{name}: {said(value)} is no list of wagers"
    at, wrong = next((at, w) for at, w in enumerate(value) if w not in game.MAY_BE_OFF)
    wanted = _listed(game.MAY_BE_OFF) or "a wager this game may go without: there is none"
    return f"{name}[{at}]: {said(wrong)} is not {wanted}"


def _tables(name: str, value: Any, domain: Any, game: Any) -> str:
    _, table, hand = (name + "..").split(".", 2)
    if not table:
        return f"{name}: {said(value)} is no object of pay tables"
    if not hand.strip("."):
        return f"{name}: {said(value[table])} is no object of hands and odds such as {ODDS}"
    hand = hand.removesuffix("..")
    known = [HANDS[key] if isinstance(key, int) else key for key in game.TABLES[table].odds]
    if hand not in known:
        return f"{name}: there is no such hand in this pay table; its hands are {', '.join(known)}"
    return f"{name}: {said(value[table][hand])} is no odds such as {ODDS}"


def _network(name: str, value: Any, domain: Any, game: Any) -> str:
    part = name.partition(".")[2]
    if not part:
        return f"{name}: {said(value)} is no object of {', '.join(network.NAMES)}"
    if part in SUBNETS and value.get("address") == network.DHCP:
        return f'{name}: leave it out, "{network.DHCP}" lends it'
    wanted = "address such as 192.168.0.10"
    if part == "port":
        wanted = "whole number from 1 to 65535"
    elif part in ("table", "user"):
        dot = "" if part == "table" else " ."
        wanted = f"name of 1 to {network.NAME_MAX} letters, digits and - _{dot}"
    return f"{name}: {said(value[part])} is no {wanted}"


TELL: dict[str, Callable[[str, Any, Any, Any], str]] = {
    "int": _int, "choice": _choice, "bool": _bool, "text": _text, "name": _name,
    "tenths": _tenths, "weights": _weights, "limits": _limits, "wagers": _wagers,
    "tables": _tables, "network": _network,
}  # fmt: skip
