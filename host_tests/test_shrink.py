"""Making code short before it is compiled changes nothing it does."""

from __future__ import annotations

import ast
import os
import re
import subprocess
from pathlib import Path

import pytest

from host_tests.helpers.short_world import world
from tools.emulator import runtimes
from tools.image import build, said, shrink
from tools.paths import ROOT
from tools.prove import certify

VECTORS = ROOT / "host_tests" / "data" / "vectors.jsonl"


def test_names_become_short_and_are_shared(tmp_path: Path) -> None:
    one = """
        class One:
            def __init__(self):
                self.first_value = 1
                self.second_value = 2

            def total_of_both(self):
                return self.first_value + self.second_value
        """
    two = """
        from felt import one

        class Two:
            def __init__(self):
                self.third_value = one.One()

            def doubled_total(self):
                return 2 * self.third_value.total_of_both()

        def answer():
            return Two().doubled_total()
        """
    said, sources = world(
        tmp_path, {"one": one, "two": two}, "from felt.two import answer\nprint(answer())"
    )
    assert said == "6\n"
    assert "total_of_both" not in sources["one"] + sources["two"]
    assert "third_value" not in sources["two"]
    assert "answer" in sources["two"]  # the caller's word for it


def test_names_looked_up_by_text_stay(tmp_path: Path) -> None:
    one = """
        class Door:
            def _take_key(self):
                return "key"

            def _take_card(self):
                return "card"

            def lock_it(self):
                return "locked"

            def put_away(self):
                return "away"

        def call(kind, method):
            door = Door()
            return getattr(door, "_take_" + kind)(), getattr(door, method)(), door.put_away()

        def both():
            return call("key", "lock_it") + call("card", "lock_it") + (hasattr(Door, "put_off"),)
        """
    said, sources = world(tmp_path, {"one": one}, "from felt import one\nprint(one.both())")
    assert "lock_it" in sources["one"] and "_take_key" in sources["one"]
    assert "put_away" not in sources["one"]


def test_arguments_by_name_locals_and_closures(tmp_path: Path) -> None:
    one = """
        counter = 0
        width = 3

        def area(width, height=2, *rest, scale_by=width):
            return width * height * scale_by + len(rest)

        def nested(value, other):
            def inner(extra):
                return value + extra + width

            return [inner(value) for value in range(other)] + [value]

        def count():
            global counter
            counter += 1
            height = counter
            return (lambda value: value * height + width)(5)

        def local_import():
            from felt.two import helper
            from felt.two import helper as other_helper

            return helper(area(2, height=5)) + other_helper(1)

        def failing():
            try:
                raise ValueError("no")
            except ValueError as width:
                return str(width)
        """
    two = "def helper(width):\n    area = width + 1\n    return area\n"
    caller = """
        from felt import one
        print(one.area(2), one.area(2, 3, 4, scale_by=9), one.nested(1, 3), one.count())
        print(one.count(), one.local_import(), one.failing())
        """
    world(tmp_path, {"one": one, "two": two}, caller)


def test_a_class_and_its_bases_in_other_modules_share_no_name(tmp_path: Path) -> None:
    base = """
        START = 5

        class Base:
            def __init__(self):
                self._alpha = START
                self._beta = 2

            def report(self):
                return self._alpha, self._beta, self.extra_one()
        """
    middle = "from felt import base\n\nclass Middle(base.Base):\n    def extra_two(self):\n"
    middle += "        return self._alpha * 10\n"
    leaf = """
        from felt.middle import Middle

        DEPTH = 7

        class Leaf(Middle):
            limit_of = DEPTH

            def __init__(self, depth=DEPTH, limit=limit_of):
                super().__init__()
                self._gamma = 3
                self.depth_kept = depth + limit

            def extra_one(self):
                return self._gamma, self.extra_two(), self.depth_kept

        def outside():
            leaf = Leaf()
            leaf.put_on = 9
            return leaf.report(), leaf.put_on
        """
    modules = {"base": base, "middle": middle, "leaf": leaf}
    said, _ = world(tmp_path, modules, "from felt.leaf import outside\nprint(outside())")
    assert said == "((5, 2, (3, 50, 14)), 9)\n"


def test_constants_are_written_in_place_and_left_out(tmp_path: Path) -> None:
    one = """
        from micropython import const

        FIRST, SECOND = 1, 2
        BIG = const(1 << 20)
        SHADOWED = 4
        CHANGED = 5
        LOOKED_UP = 6

        def change(SHADOWED):
            global CHANGED
            CHANGED += SHADOWED
            return CHANGED, BIG
        """
    two = """
        from felt import one
        from felt.one import CHANGED, FIRST

        MORE = one.BIG + one.SECOND

        def answer(module=one):
            return FIRST, MORE, one.SHADOWED, CHANGED, one.change(1), one.CHANGED, module.LOOKED_UP
        """
    said, sources = world(
        tmp_path, {"one": one, "two": two}, "from felt.two import answer\nprint(answer())"
    )
    assert said == "(1, 1048578, 4, 5, (6, 1048576), 6, 6)\n"
    assert "1048578" in sources["two"] and "1048578 =" not in sources["two"]


def test_names_in_code_that_is_sent_as_text_stay() -> None:
    program = ast.parse("RUN = 'took(one.two, g._source._raw)'\nSET = 'from felt.x import y, z'")
    assert {"two", "_source", "_raw", "y", "z"} <= said.spoken(program)
    assert "took" not in said.spoken(program)


def test_what_cannot_be_told_is_refused(tmp_path: Path) -> None:
    inside = "def make():\n    class Inner:\n        pass\n    return Inner\n"
    with pytest.raises(ValueError, match="inside a function"):
        world(tmp_path, {"one": inside}, "")
    with pytest.raises(ValueError, match="nothing is called"):
        world(tmp_path, {"one": "def wrong():\n    return nowhere\n"}, "")
    hidden = (
        "limit_of = [1]\n\ndef wrong():\n    return [limit_of for limit_of in (1,)], limit_of\n"
    )
    with pytest.raises(ValueError, match="nothing is called limit_of"):
        world(tmp_path, {"one": hidden}, "")


def test_no_space_of_the_firmware_holds_one_short_name_twice() -> None:
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in build.modules()}
    names = shrink.Names(trees, {"print"})
    for space in names.spaces:
        short = [names.table[name] for name in space | names.loose if name in names.table]
        assert len(short) == len(set(short))


def test_the_firmware_made_short_passes_certification(tmp_path: Path) -> None:
    build.write(build.library("x64"), tmp_path)
    lines = [line + "\n" for line in certify.read(VECTORS)]
    env = {**os.environ, "MICROPYPATH": f"{tmp_path}:{ROOT}:.frozen"}
    player = str(ROOT / "tools/prove/vector_player.py")
    command = [*runtimes.micropython_command("1M"), player]
    done = subprocess.run(command, env=env, input="".join(lines), capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == f"{len(lines)} passed, 0 failed", done.stderr


def test_the_map_names_the_functions_a_traceback_shows(tmp_path: Path) -> None:
    """A board prints file and function as they were compiled; the map has both."""
    build.write(build.library("x64"), tmp_path)
    code = "from felt.round.events import pack\npack('nothing')"
    env = {**os.environ, "MICROPYPATH": f"{tmp_path}:.frozen"}
    command = [*runtimes.micropython_command("1M"), "-c", code]
    done = subprocess.run(command, env=env, capture_output=True, text=True)
    file, function = re.findall(r'File "(\w+)", line 1, in (\w+)', done.stdout)[-1]
    assert "round_events__pack" in build.shrunk()[1][file][function].split()
