"""Draws each game's states from the code into docs/states/ (Mermaid in Markdown).

Stages, decisions and deal order come from the game modules; the edges around them are the
machine's. A test drives the machine and finds every transition it makes in these edges.
`--check` fails when a file is not what the code says.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from felt.games.common import BURN, UP
from felt.games.settings import game_module, resolve
from felt.round.state import Round

from tools.games import GAMES
from tools.generate.written import keep
from tools.paths import ROOT

OUT = ROOT / "docs" / "states"
PLACES = {0: "dealer", 8: "board", 9: "burn"}
LEAVES = {
    "decide": ("ACT",),
    "show": ("REVEAL",),
    "reveal": ("REVEAL",),
    "settle": ("PAID",),
    "pot": ("PAID",),
    "spin": ("SPUN", "NO_SPIN"),
}
BACK = ("ACT", "REVEAL", "PAID")  # entries that can be taken back
AROUND = (
    ("closed", "OPEN", "check"),
    ("check", "DONE", "bet"),
    ("check", "SHUFFLED", "bet"),
    ("check", "SHUFFLED", "closed"),
    ("check", "COUNTED", "closed"),
    ("bet", "COUNTED", "closed"),
    ("idle", "COUNTED", "closed"),
    ("check", "IDLE", "idle"),
    ("check", "CLOSE", "closed"),
    ("bet", "IDLE", "idle"),
    ("bet", "CLOSE", "closed"),
    ("bet", "OVERRIDE", "check"),
    ("bet", "SHOE", "check"),
    ("bet", "LOCK", "void"),
    ("idle", "OPEN", "check"),
    ("idle", "CLOSE", "closed"),
    ("collect", "END", "check"),
    ("collect", "END", "closed"),
    ("void", "END", "check"),
    ("void", "END", "closed"),
)
SAID = {
    ("check", "SHUFFLED", "closed"): "SHUFFLED: the shuffler did not count 52",
    ("check", "SHUFFLED", "bet"): "SHUFFLED: by a machine",
    ("check", "DONE", "bet"): "DONE: last step",
    ("check", "COUNTED", "closed"): "COUNTED: not 52",
    ("bet", "COUNTED", "closed"): "COUNTED: not 52",
    ("idle", "COUNTED", "closed"): "COUNTED: not 52",
    ("bet", "OVERRIDE", "check"): "OVERRIDE: recut",
    ("bet", "SHOE", "check"): "SHOE: this deck was not shuffled",
    ("bet", "LOCK", "void"): "LOCK: a stack came that nobody asked for",
    ("collect", "END", "closed"): "END: stub wrong, deck leaves",
    ("void", "END", "closed"): "END: stub wrong, deck leaves",
}
Edge = tuple[str, str, str]


def settings(name: str, dealing: str) -> dict[str, Any]:
    opens_with = game_module(name).OPENS_WITH
    return {"game": name, "dealing": dealing, "shuffler": "plain", **opens_with}


def sample_round(name: str, dealing: str) -> Any:
    """A round of two seats, as it is at the lock."""
    game, cfg = resolve(settings(name, dealing))
    bets = [None] * 8
    for seat in (1, 2):
        bets[seat] = [500] * len(game.WAGERS)  # type: ignore[call-overload]
    return Round(game, cfg, dealing, 0, bets)


def state(index: int, kind: str) -> str:
    return f"{kind}{index}"


def stages(name: str, dealing: str) -> list[tuple[str, str, int]]:
    """(state, kind, argument) of every stage in order."""
    script = game_module(name).script(dealing)
    return [(state(i, kind), kind, arg) for i, (kind, arg) in enumerate(script)]


def edges(name: str, dealing: str) -> list[Edge]:
    """Every transition of a table of this game: (state, event, state)."""
    game = game_module(name)
    path = stages(name, dealing)
    found: list[Edge] = list(AROUND)
    found.append(("bet", "LOCK", path[0][0]))
    settle = next(i for i, stage in enumerate(path) if stage[1] == "settle")
    for i, (here, kind, arg) in enumerate(path):
        out = _all_out(game, path, settle) if i < settle else []
        for event in _leaving(game, dealing, kind, arg):
            more = out + _held(path, i, dealing) if kind == "decide" else []
            found += [(here, event, target) for target in _onward(game, path, i) + more]
        if i < settle:
            found += [(here, event, to) for event in _removing(game, kind, i)
                      for to in _onward(game, path, i) + out]  # fmt: skip
        if i == settle:  # the last hand to be settled is taken out
            found += [(here, event, to) for event in game.REMOVES
                      for to in _onward(game, path, i) if event != "EXPOSED"]  # fmt: skip
        if i <= settle or kind == "pot":  # hands can be found wrong until they are booked
            found += [(here, event, "void") for event in voiding(name, dealing, i)]
    back = [(b, "TAKE_BACK", a) for a, event, b in found if event in BACK and b != a]
    return list(dict.fromkeys(found + back))


def _leaving(game: Any, dealing: str, kind: str, arg: int) -> tuple[str, ...]:
    """The events that finish a stage."""
    if kind == "deal":
        return _dealing(game.NAME, dealing, arg)
    paid = kind == "decide" and any(decision.pays for decision in game.DECISIONS)
    return LEAVES[kind] + (("PAID",) if paid else ())


def _dealing(name: str, dealing: str, arg: int) -> tuple[str, ...]:
    """The events that finish a deal: a burn can be missed where one is burnt on its own, and
    cards can be said to lie there unread where the last of them lies face down."""
    r = sample_round(name, dealing)
    plans = [r.game.plan(r, a) for _, kind, a in stages(name, dealing) if kind == "deal"]
    found = ["STACK" if dealing == "auto" else "CARD", "SHOE", "GO_ON"]
    if dealing != "auto" and any(delivery == bytes([BURN]) for plan in plans for delivery in plan):
        found.append("NO_BURN")
    if not r.game.plan(r, arg)[-1][0] & UP:
        found.append("DEALT")
    return tuple(found)


def _removing(game: Any, kind: str, i: int) -> list[str]:
    """The events that take a hand out and can so finish a stage; down cards turn up at first."""
    if kind not in ("deal", "decide") and not game.ALL_FOLD_ENDS:
        return []
    return [event for event in game.REMOVES if event != "EXPOSED" or i == 0]


def voiding(name: str, dealing: str, i: int) -> list[str]:
    """The events that can void the round in a stage."""
    path = stages(name, dealing)
    dealing_still = any(kind == "deal" for _, kind, _ in path[i:])
    found = ["VOID", "DEVICE", "MISCOUNT", "MISDEALT", "FACEUP" if dealing_still else "STUB"]
    if dealing == "auto":
        found.append("HAPPENED")
    found += ["SHOE", "GO_ON"] if dealing_still else []  # a second card face up
    game = game_module(name)
    early = game.DEALER_CARDS and (i == 0 or not game.EXPOSED_HOLE)
    return found + (["EXPOSED"] if early and path[i][1] != "reveal" else [])


def _onward(game: Any, path: list, i: int) -> list[str]:
    """The next stage, and those behind stages in which nobody has anything to do."""
    names = [stage[0] for stage in path] + ["collect"]
    idle = ("settle", "spin") if game.ALL_FOLD_ENDS else ("decide", "settle", "spin")
    found = [names[i + 1]]
    for j in range(i + 1, len(path)):
        if path[j][1] not in idle:
            break
        found.append(names[j + 1])
    return found


def _held(path: list, i: int, dealing: str) -> list[str]:
    """Where a decision leads when cards drawn too early fill the deal behind it."""
    if dealing == "auto" or i + 1 == len(path) or path[i + 1][1] != "deal":
        return []
    return [stage[0] for stage in path[i + 2 : i + 4]]


def _all_out(game: Any, path: list, settle: int) -> list[str]:
    """Where a round goes at once when no player is left in it."""
    names = [stage[0] for stage in path] + ["collect"]
    return names[settle : settle + 2] if game.ALL_FOLD_ENDS else []


def place(code: int) -> str:
    name = PLACES.get(code & ~UP, f"seat {code & ~UP}")
    return name + (" up" if code & UP and code & ~UP != BURN else "")


def deal_order(r: Any, arg: int) -> str:
    """The deliveries of a deal stage with two seats."""
    rows = []
    for delivery in r.game.plan(r, arg):
        names = list(dict.fromkeys(place(p) for p in delivery))
        rows.append("+".join(names) + (f" x{len(delivery)}" if len(delivery) > 1 else ""))
    return ", ".join(rows)


def describe(name: str, dealing: str) -> dict[str, str]:
    """What happens in each stage."""
    r = sample_round(name, dealing)
    texts = {}
    for here, kind, arg in stages(name, dealing):
        if kind == "deal":
            texts[here] = "deal: " + deal_order(r, arg)
        elif kind == "decide":
            texts[here] = "decide: " + ", ".join(r.game.legal(r, 1, arg))
        elif kind == "show":
            texts[here] = f"turn {arg} board cards"
        elif kind == "settle":
            texts[here] = "settle seats " + ("descending" if r.game.DESCENDING else "ascending")
        else:
            texts[here] = {"reveal": "reveal the dealer's hand", "pot": "award the pot",
                           "spin": "spin round, seat order"}[kind]  # fmt: skip
    return texts


def diagram(name: str, dealing: str) -> list[str]:
    rows = ["```mermaid", "stateDiagram-v2", "    [*] --> closed"]
    for here, text in describe(name, dealing).items():
        rows.append(f"    {here} : {text.replace(':', ' -', 1)}")
    merged: dict[tuple[str, str], list[str]] = {}
    for a, event, b in edges(name, dealing):
        words = merged.setdefault((a, b), [])
        said = SAID.get((a, event, b), event)
        if said not in words:
            words.append(said)
    for (a, b), words in merged.items():
        rows.append(f"    {a} --> {b} : {' / '.join(words).replace(':', ' -')}")
    return [*rows, "```"]


def page(name: str) -> str:
    title = name.replace("_", " ").capitalize()
    rows = [
        f"# {title}: states",
        "",
        "Generated by `make diagrams` from the code.",
        "",
    ]
    rows += [
        "An event that has no edge here is refused by name or leaves the state where it is.",
        "Deal orders are shown for seats 1 and 2 with the button at the dealer.",
        "",
    ]
    for dealing, words in (("shoe", "manual shoe or from the hand"), ("auto", "automated shoe")):
        rows += [f"## Dealt by {words}", "", *diagram(name, dealing), ""]
    return "\n".join(rows)


def files() -> dict[Path, str]:
    return {OUT / f"{name}.md": page(name) for name in GAMES}


if __name__ == "__main__":
    sys.exit(keep(files(), "--check" in sys.argv))
