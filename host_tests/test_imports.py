"""Imports go down only, and only drivers touch hardware: the rule of docs/architecture.md."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from tools.paths import FIRMWARE

ROOMS = ("round", "spin", "store", "link", "field")
BASE = ("cards", "ticks", "texts")
SIDES = ("dealer", "service", "wheel")

# Layer of each room of `felt`; an import goes to a lower layer or stays in its room. Modules of
# `felt` itself that are not named here are the application, which may use all of it.
APPLICATION = 4
LAYERS = {
    **dict.fromkeys(SIDES, APPLICATION),
    **dict.fromkeys(ROOMS, 3),
    "games": 2,
    "evaluator": 1,
    **dict.fromkeys(BASE, 0),
}

HARDWARE = {"machine", "rp2", "_rp2", "framebuf", "network", "bluetooth", "board"}
IO = {"os", "socket", "select", "asyncio", "io", "vfs", "time", "random"}
MAY_USE_MACHINE = {
    "_boot.py", "felt/power.py", "felt/hardware.py", "felt/field", "felt/link", "felt/wheel",
}  # fmt: skip
NO_IO = {"felt/games", "felt/round", "felt/spin/wheel.py", "felt/cards.py", "felt/evaluator"}

# What the interpreter has; nothing else can be imported on a board.
STOCK = HARDWARE | IO | {
    "array", "binascii", "collections", "deflate", "errno", "gc", "hashlib", "heapq", "json",
    "math", "micropython", "re", "struct", "sys", "uctypes",
}  # fmt: skip

FILES = [path.relative_to(FIRMWARE) for path in sorted(FIRMWARE.rglob("*.py"))]


def imported(path: Path) -> list[str]:
    """Full names of everything a firmware file imports, also inside functions."""
    names = []
    for node in ast.walk(ast.parse((FIRMWARE / path).read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    return names


def called(path: Path) -> set[str]:
    tree = ast.parse((FIRMWARE / path).read_text(encoding="utf-8"))
    calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return {func.id for func in calls if isinstance(func, ast.Name)}


def room(dotted: str) -> str | None:
    """The room or top module of `felt` that a dotted name is in."""
    parts = dotted.split(".")
    if parts[0] != "felt" or len(parts) < 2:
        return None
    return parts[1]


def within(path: Path, places: set[str]) -> bool:
    text = path.as_posix()
    return any(text == place or text.startswith(place + "/") for place in places)


def upward(path: Path, names: list[str]) -> list[str]:
    """Imports that break the direction rule."""
    mine = room(".".join(path.with_suffix("").parts))
    if mine is None or LAYERS.get(mine, APPLICATION) == APPLICATION:
        return []
    targets = [(name, room(name)) for name in names]
    layers = [(n, r, LAYERS.get(r, APPLICATION)) for n, r in targets if r is not None]
    return [name for name, other, layer in layers if other != mine and layer >= LAYERS[mine]]


def test_every_room_has_a_layer() -> None:
    assert {path.parts[1] for path in FILES if len(path.parts) > 2} <= set(LAYERS)


@pytest.mark.parametrize("path", FILES, ids=str)
def test_imports_go_down(path: Path) -> None:
    assert upward(path, imported(path)) == []


@pytest.mark.parametrize("path", FILES, ids=str)
def test_only_drivers_import_hardware(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)}
    if not within(path, MAY_USE_MACHINE):
        assert "machine" not in tops
    if within(path, NO_IO):
        assert not tops & (HARDWARE | IO)
        assert not any(room(name) == "texts" for name in imported(path))
        assert not called(path) & {"open", "print", "input"}


@pytest.mark.parametrize("path", FILES, ids=str)
def test_board_has_what_is_imported(path: Path) -> None:
    tops = {name.split(".")[0] for name in imported(path)} - {"felt", "main", "board"}
    assert tops <= STOCK


@pytest.mark.parametrize(
    "path", [p for p in FILES if within(p, {"felt/games", "felt/round"})], ids=str
)
def test_what_pays_asks_both_evaluators(path: Path) -> None:
    names = {name.rpartition(".")[2] for name in imported(path) if room(name) == "evaluator"}
    assert names <= {"both5", "both6", "both7", "rank", "category", "evaluator",
                     "three_card_straight_flush", "both3", "category3"}  # fmt: skip
    assert ".rank" not in (FIRMWARE / path).read_text(encoding="utf-8")


def test_the_rule_can_fail() -> None:
    assert upward(Path("felt/games/x.py"), ["felt.round.machine"]) == ["felt.round.machine"]
    assert upward(Path("felt/store/x.py"), ["felt.link.frame"]) == ["felt.link.frame"]
    assert upward(Path("felt/cards.py"), ["felt.games.common"]) == ["felt.games.common"]
    assert upward(Path("felt/link/x.py"), ["felt.table"]) == ["felt.table"]
    assert upward(Path("felt/table.py"), ["felt.round.machine", "felt.cards"]) == []
