"""Imports go down only, and only drivers touch hardware: the rule of docs/architecture.md."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from tools.paths import FIRMWARE, ROOT

ROOMS = ("round", "spin", "store", "link", "field")
BASE = ("cards", "ticks", "texts")
SIDES = ("dealer", "service", "wheel", "net")

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
    "_boot.py", "neopixel.py", "felt/power.py", "felt/hardware.py", "felt/field", "felt/link",
    "felt/wheel",
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
    tops = {name.split(".")[0] for name in imported(path)} - {"felt", "main", "board", "neopixel"}
    assert tops <= STOCK


@pytest.mark.parametrize(
    "path", [p for p in FILES if within(p, {"felt/games", "felt/round"})], ids=str
)
def test_what_pays_asks_both_evaluators(path: Path) -> None:
    names = {name.rpartition(".")[2] for name in imported(path) if room(name) == "evaluator"}
    assert names <= {"both5", "both6", "both7", "rank", "category", "evaluator",
                     "three_card_straight_flush", "both3", "category3"}  # fmt: skip
    assert ".rank" not in (FIRMWARE / path).read_text(encoding="utf-8")


def rooms(base: Path, package: str) -> dict[str, set[str]]:
    """Which rooms of a package each room imports; a module beside the rooms is a room itself."""
    found: dict[str, set[str]] = {}
    for path in sorted(base.rglob("*.py")):
        parts = path.relative_to(base).with_suffix("").parts
        mine = found.setdefault(parts[0], set())
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.level == 0:
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            mine |= {name.split(".")[1] for name in names if name.startswith(package + ".")}
        mine.discard(parts[0])
    return found


def in_cycles(imports: dict[str, set[str]]) -> set[str]:
    """The rooms that can be reached from themselves."""
    reached = {room: set(others) for room, others in imports.items()}
    for _ in imports:
        for room, others in reached.items():
            others |= {far for near in list(others) for far in reached.get(near, ())}
    return {room for room, others in reached.items() if room in others}


@pytest.mark.parametrize(
    ("base", "package"), [(FIRMWARE / "felt", "felt"), (ROOT / "tools", "tools")], ids=str
)
def test_no_rooms_import_each_other(base: Path, package: str) -> None:
    assert in_cycles(rooms(base, package)) == set()


def test_tools_never_import_tests() -> None:
    tools = [path.read_text(encoding="utf-8") for path in (ROOT / "tools").rglob("*.py")]
    assert not [text for text in tools if re.search(r"^\s*(from|import) host_tests", text, re.M)]


def test_nobody_edits_the_search_path() -> None:
    """Boards set theirs once, at power-on; an emulated one, and the child process a mutant lives
    in, are told where a logic test's files lie."""
    boards = {"firmware/_boot.py", "boards/VIRTUAL/start.py", "tools/emulator/pico.py"}
    boards.add("tools/prove/reach.py")
    edits = re.compile(r"sys\.path(\[|\.(insert|append|extend))|noqa: E402")
    found = set()
    for folder in ("firmware", "boards", "host_tests", "tools"):
        for path in (ROOT / folder).rglob("*.py"):
            if path != Path(__file__) and edits.search(path.read_text(encoding="utf-8")):
                found.add(path.relative_to(ROOT).as_posix())
    assert found <= boards


def test_the_rule_can_fail() -> None:
    assert upward(Path("felt/games/x.py"), ["felt.round.machine"]) == ["felt.round.machine"]
    assert upward(Path("felt/store/x.py"), ["felt.link.frame"]) == ["felt.link.frame"]
    assert upward(Path("felt/cards.py"), ["felt.games.common"]) == ["felt.games.common"]
    assert upward(Path("felt/link/x.py"), ["felt.table"]) == ["felt.table"]
    assert upward(Path("felt/table.py"), ["felt.round.machine", "felt.cards"]) == []
    ring = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"a"}}
    assert in_cycles(ring) == {"a", "b", "c"} and in_cycles({"a": {"b"}, "b": set()}) == set()
