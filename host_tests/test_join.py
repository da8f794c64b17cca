"""Several modules made one before they are compiled do what they did."""

from __future__ import annotations

import ast
import builtins
from pathlib import Path

import pytest

from host_tests.helpers.short_world import world
from tools.image import build, join, slots
from tools.image.scopes import looked_up
from tools.paths import FIRMWARE

CORE: dict[str, tuple[str, ...]] = {"felt.core": ("felt.top",)}


def test_names_of_two_modules_stay_apart_and_are_named_directly(tmp_path: Path) -> None:
    low = """
        import sys

        limit = [1]

        class Counter:
            limit = 5

            def pack(self, extra=limit):
                return self.limit, extra, limit

        def pack(value):
            limit.append(value)
            return len(limit)
        """
    top = """
        import sys

        from felt import low
        from felt.low import Counter, pack as low_pack

        limit = "top"

        class More(Counter):
            def pack(self):
                return super().pack(), limit

        def pack(value):
            pack = low.pack(value)  # a variable called like the function it comes from
            return pack, low_pack(pack), [low.limit for _ in range(2)], limit

        def inner(low):
            def within(pack):
                return pack + low, limit

            return within(1), (lambda limit: limit)(2), sys.maxsize > 0

        def answer():
            return pack(7), inner(3), More().pack(), Counter.limit
        """
    caller = "from felt.top import answer\nfrom felt.low import pack\nprint(answer(), pack(0))"
    said, sources = world(tmp_path, {"low": low, "top": top}, caller, CORE)
    assert "'top'" in said
    assert "class" not in sources["low"] + sources["top"]
    assert sources["core"].count("import sys") == 1 and "felt" not in sources["core"]


def test_modules_outside_reach_into_a_joint(tmp_path: Path) -> None:
    top = """
        from felt import base

        class Refused(Exception):
            def why_it_is(self):
                return "refused", base.width

        def lazily():
            from felt.outside import double
            from felt import outside

            return double(outside.at + base.width)
        """
    base = "from felt.deep import width as width\n\nnames = ['a']\n"
    outside = """
        from felt import base, top
        from felt.top import Refused

        at = 4

        class Later(Refused):
            def why_not(self):
                from felt.base import names

                return self.why_it_is(), names, base.names is names

        def double(value):
            return value * 2

        def tell():
            try:
                raise Later()
            except top.Refused as error:
                return error.why_not()
        """
    caller = """
        from felt import outside, top
        from felt.outside import Refused
        print(outside.tell(), top.lazily(), Refused is top.Refused)
        """
    modules = {"deep": "width = [3][0]\n", "base": base, "top": top, "outside": outside}
    said, sources = world(tmp_path, modules, caller, CORE)
    assert said == "(('refused', 3), ['a'], True) 14 True\n"
    assert "import" not in sources["core"].partition("def")[0]


def test_a_name_bound_twice_is_a_variable_of_its_own(tmp_path: Path) -> None:
    tables = "def rank(x):\n    return x\n\ncount = 0\n\ndef more():\n    global count\n"
    tables += "    count += 1\n    return count\n"
    top = """
        from felt.tables import count, more, rank

        if more() > 0:
            from felt.plain import rank

        def answer():
            from felt import tables

            return rank(2), tables.rank(2), count, tables.count, more()
        """
    plain = "def rank(x):\n    return -x\n"
    modules = {"tables": tables, "plain": plain, "top": top}
    said, sources = world(tmp_path, modules, "from felt.top import answer\nprint(answer())", CORE)
    assert said == "(-2, 2, 0, 1, 2)\n"
    assert sources["plain"].startswith("def")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("kept = low", "used as a value"),
        ("low.limit = 2", "set from outside"),
        ("low.missing", "there is no"),
    ],
)
def test_what_cannot_be_joined_is_refused(tmp_path: Path, line: str, why: str) -> None:
    top = f"from felt import low\n\ndef answer():\n    {line}\n"
    low = "limit = [1]\n"
    with pytest.raises(ValueError, match=why):
        world(tmp_path, {"low": low, "top": top}, "from felt import top\n", CORE)


def test_one_name_for_two_things_of_micropython_is_refused(tmp_path: Path) -> None:
    top = "from os import path\nfrom felt import low\n\ndef both():\n    return path, low.path\n"
    modules = {"low": "from sys import path\n", "top": top}
    with pytest.raises(ValueError, match="different things"):
        world(tmp_path, modules, "from felt import top\n", CORE)


def test_what_only_loading_needs_is_gone_afterwards(tmp_path: Path) -> None:
    top = """
        def first_handler():
            return 1

        def helper():
            return first_handler

        def second_handler():
            return 2

        HANDLERS = {"first": first_handler, "second": second_handler}
        shown = [name for name in sorted(HANDLERS)]
        if not shown:
            from sys import path as never
        """
    caller = "import sys\nfrom felt.top import helper, shown\nprint(helper()(), shown)\n"
    _, sources = world(tmp_path, {"top": top}, caller, CORE)
    space: dict[str, object] = {}
    exec(sources["core"], space)
    assert len([name for name in space if not name.startswith("__")]) == 3  # and HANDLERS is not


def test_a_joint_finds_its_globals_at_once_and_names_them_in_one_byte() -> None:
    """What makes one table of many names as quick as several of few."""
    for path, source in build.shrunk()[0].items():
        tree = ast.parse(source)
        if len(slots.kept(tree)) >= slots.MANY:
            table = slots.Slots(tree, set())
            names = sorted(slots.kept(tree) - {"__name__"})
            searched = slots.Slots(ast.parse(""), set())
            searched.size = table.size
            steps = []
            for name in names:
                steps.append(searched.steps(name))
                searched.take(name)
            assert sum(steps) < len(steps) / 2, path.name
            used = looked_up(source.decode()) & set(dir(builtins)) - slots.SPECIAL
            assert used <= slots.kept(tree), path.name


def test_a_table_loads_the_joint_and_nothing_that_stands_for_a_part_of_it() -> None:
    """No compiled module imports from one of the small files in place of joined modules."""
    plain = {_dotted(p): ast.parse(p.read_text(encoding="utf-8")) for p in build.modules()}
    joined = {m for roots in build.JOINTS.values() for m in join.in_order(roots, plain)}
    joined -= {"felt", "felt.field", "felt.link", "felt.round", "felt.store"}  # nothing in them
    assert (
        {"felt.round.events", "felt.store.journal", "felt.wheel.display"} <= joined <= plain.keys()
    )
    for path, source in build.shrunk()[0].items():
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.ImportFrom):
                brought = {str(node.module), *(f"{node.module}.{a.name}" for a in node.names)}
                assert not joined & brought, f"{path.name} imports {brought}"


def _dotted(path: Path) -> str:
    parts = path.relative_to(FIRMWARE).with_suffix("").parts
    return ".".join(parts).removesuffix(".__init__")
