"""Gives names short, shared ones and writes small constants in place, before code is compiled.

A board's heap pays for every distinct name (kept once, for ever), for every slot of a module and
for every import. What is compiled is a closed world, so a name may be any other as long as no
module, no class with its bases and no function holds two names that became one. Names that other
code may use stay: those of MicroPython itself, of main.py and what tools send to a board, words
that occur as text (getattr), arguments passed by name. What the code does is unchanged;
the map from short names, those of functions by file, goes with a release to read tracebacks.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

from tools.image import idle, inline, join, order, said, slots
from tools.image.micropython_names import image_names, native_names
from tools.image.said import PACKAGE
from tools.image.scopes import SCOPES, Function, all_declared, bound, declared, looked_up, outside

Map = dict[str, dict[str, str]]  # by file as a traceback names it, "" for all of it
BOARD_BUILTINS = {"ptr8", "ptr16", "ptr32", "uint", "const"}
RESERVED = {"as", "if", "in", "is", "or", "do", "self"}
PIO_WORDS = {"in_", "jmp", "label", "pin", "pins", "wait", "x", "x_dec"}  # of rp2.asm_pio
BUILT_IN = BOARD_BUILTINS | RESERVED | PIO_WORDS | set(dir(builtins))


def short_names(taken: set[str], letters: str) -> Iterator[str]:
    """A, B ... Z, AA, AB ...: every name not taken."""
    for first in ["", *letters]:
        for last in letters:
            if first + last not in taken and first + last not in RESERVED:
                yield first + last


class Names:
    """Every name of the closed world, and the short one it gets."""

    def __init__(
        self, trees: dict[Path, ast.Module], fixed: set[str], free: Iterable[str] = ()
    ) -> None:
        self.spaces: list[set[str]] = []
        self.bases: dict[str, set[str]] = {}  # class: itself and its relations
        self.loose: set[str] = set()  # attributes set from outside of a class
        classes: dict[str, set[str]] = {}
        for tree in trees.values():
            own = bound(tree) | all_declared(tree)
            names = {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
            self.spaces.append(own | names)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    self._relate(node)
                    classes.setdefault(node.name, set()).update(self._members(node))
                elif isinstance(node, ast.Attribute) and not isinstance(node.ctx, ast.Load):
                    if not (isinstance(node.value, ast.Name) and node.value.id == "self"):
                        self.loose.add(node.attr)
        for name, family in self.bases.items():
            self.spaces.append(set().union(*(classes.get(c, set()) for c in family)))
        own = set().union(*classes.values(), *(bound(t) for t in trees.values()), self.loose)
        self.own = {name for name in own if name not in fixed and not name.startswith("__")}
        known = BUILT_IN.union(*map(said.words, trees.values()))
        self.names = [name for name in free if name not in known]
        letters = ascii_uppercase + ascii_lowercase
        self.names += short_names(fixed | known | set(self.names), letters)
        self.uses = order.uses(trees.values())
        large = [tree for tree in trees.values() if len(slots.kept(tree)) >= slots.MANY]
        self.slots = [slots.Slots(tree, self.own) for tree in large]
        self.table = self._colour()

    def _relate(self, node: ast.ClassDef) -> None:
        family = {node.name} | self.bases.get(node.name, set())
        for base in node.bases:
            name = base.id if isinstance(base, ast.Name) else getattr(base, "attr", "")
            family |= {name} | self.bases.get(name, set())
        for member in family:
            self.bases.setdefault(member, set()).update(family)
        for member in family:
            for other in self.bases[member] - family:
                self.bases[other] |= family

    def _members(self, node: ast.ClassDef) -> set[str]:
        """Attributes of a class, and names its body reads where attributes would hide them."""
        found = bound(node) | {n.id for n in outside(node) if isinstance(n, ast.Name)}
        for n in ast.walk(node):
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name):
                if n.value.id == "self":
                    found.add(n.attr)
        return found

    def _colour(self) -> dict[str, str]:
        """Short names such that no two names of a space share one; busiest names first."""
        at: dict[str, list[int]] = {name: [] for name in self.own}
        for i, space in enumerate(self.spaces):
            for name in space & self.own:
                at[name].append(i)
        everywhere = range(len(self.spaces))
        used: list[set[str]] = [set() for _ in self.spaces]
        table = {}
        for name in sorted(self.own, key=lambda n: (n not in self.loose, -self.uses[n], n)):
            spaces = everywhere if name in self.loose else at[name]
            free = (s for s in self.names if not any(s in used[i] for i in spaces))
            short = self._quick(free, [table for table in self.slots if name in table.names])
            for i in spaces:
                used[i].add(short)
            table[name] = short
        return table

    def _quick(self, free: Iterator[str], tables: list[slots.Slots]) -> str:
        """The first name that is found soonest in the tables it goes to."""
        best, least = "", 1 << 16
        for name in free:
            steps = sum(table.steps(name) for table in tables)
            if steps < least:
                best, least = name, steps
            if not steps:
                break
        for table in tables:
            table.take(best)
        return best


class Shortener(ast.NodeTransformer):
    """Writes one module with short names; what a function binds itself stays or gets its own."""

    def __init__(self, table: dict[str, str], fixed: set[str]) -> None:
        self.table = table
        self.fixed = fixed  # parameter names that calls use
        self.scopes: list[dict[str, str]] = []

    def _name(self, name: str) -> str:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.table.get(name, name)

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self._name(node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        self.generic_visit(node)
        node.attr = self.table.get(node.attr, node.attr)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.table.get(name, name) for name in node.names]
        return node

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            if alias.asname:
                alias.asname = self._name(alias.asname)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            local = self._name(alias.asname or alias.name)
            alias.name = self.table.get(alias.name, alias.name)
            alias.asname = None if local == alias.name else local
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = node.name and self._name(node.name)
        self.generic_visit(node)
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        if self.scopes:
            raise ValueError(f"class {node.name} inside a function: its names cannot be told")
        node.name = self._name(node.name)
        self.generic_visit(node)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        self.scopes.append({a.arg: a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)})
        node.body = self.visit(node.body)
        self.scopes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        node.name = self._name(node.name)
        node.decorator_list = [self.visit(d) for d in node.decorator_list]
        node.args.defaults = [self.visit(d) for d in node.args.defaults]
        node.args.kw_defaults = [d and self.visit(d) for d in node.args.kw_defaults]
        args = [a for a in ast.walk(node.args) if isinstance(a, ast.arg)]
        scope = {name: name for name in bound(node) - declared(node)}
        scope |= {a.arg: a.arg for a in args} | self._parameters(node)
        self.scopes.append(scope)
        for arg in args:
            arg.arg = scope[arg.arg]
        node.body = [self.visit(child) for child in node.body]
        self.scopes.pop()
        return node

    def _parameters(self, node: Function) -> dict[str, str]:
        """Parameters by position; where functions nest, only names that no inner one knows."""
        if any(isinstance(n, SCOPES + (ast.Nonlocal,)) for n in ast.walk(node) if n is not node):
            return {}
        long = [a.arg for a in node.args.args if len(a.arg) > 1 and a.arg != "self"]
        long = [name for name in long if name not in self.fixed]
        used = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        used |= {a.arg for a in ast.walk(node) if isinstance(a, ast.arg)} | bound(node)
        used |= {self.table[name] for name in used if name in self.table}
        return dict(zip(long, short_names(used - set(long) | self.fixed, ascii_lowercase)))


def shrink(
    paths: list[Path],
    callers: list[Path],
    senders: list[Path],
    joints: dict[str, tuple[str, ...]] | None = None,
) -> tuple[dict[Path, str], Map]:
    """Source of every module made short, and the map from short names to what they stand for.

    `callers` are files that call into the modules, `senders` hold such code as text: both stay
    as they are. `joints` are the modules to be made of several (see join.py), with their roots.
    """
    files = {".".join(_dotted(path)): path for path in paths}
    modules = {name: ast.parse(path.read_text(encoding="utf-8")) for name, path in files.items()}
    others = [ast.parse(path.read_text(encoding="utf-8")) for path in callers]
    sent = [ast.parse(path.read_text(encoding="utf-8")) for path in senders]
    kept = set().union(*map(said.attributes, others), *map(said.spoken, sent))
    inline.constants(modules, kept)
    if joints:
        wanted = set().union(
            *(said.asked(t, True) for t in others), *(said.asked(t, False) for t in sent)
        )
        modules = join.join(modules, joints, kept, wanted)
        files |= {name: files[PACKAGE].with_name(name.split(".")[1] + ".py") for name in joints}
    trees = {files[name]: tree for name, tree in modules.items()}
    begin = said.prefixes(trees.values())
    named = said.keywords(trees.values()) | said.keywords(others)
    fixed = kept | named | {"_", PACKAGE}
    fixed |= set().union(*map(said.texts, trees.values()), *map(said.foreign, trees.values()))
    fixed |= {part for path in trees for part in (path.stem, path.parent.name)}
    nodes = [n for tree in trees.values() for n in ast.walk(tree)]
    fixed |= {n.name for n in nodes if isinstance(n, ast.FunctionDef) and n.name.startswith(begin)}
    free = [name for name in image_names() if name not in fixed]
    names = Names(trees, fixed | native_names() | BUILT_IN, free)
    sources = {}
    back: Map = {"": {}}
    for name, short in sorted(names.table.items()):
        _add(back[""], short, name)
    for path, tree in trees.items():
        functions = list(_functions(tree, ""))
        tree = Shortener(names.table, named).visit(tree)
        for name, node in functions:
            _add(back.setdefault(told(path), {}), node.name, name)
        idle.forget_in_classes(tree)
        text = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
        _check(text, path)
        own = "".join(f"{name} = {name}\n" for name in slots.borrowed(tree))
        sources[path] = order.mention(tree) + own + text
    return sources, back


def told(path: Path) -> str:
    """What a traceback calls a module: short, for a board keeps it."""
    return path.parent.name if path.stem == "__init__" else path.stem


def _add(names: dict[str, str], short: str, name: str) -> None:
    names[short] = f"{names[short]} {name}" if short in names else name


def _functions(node: ast.AST, within: str) -> Iterator[tuple[str, Function]]:
    """Every function with its classes' and outer functions' names before its own."""
    for child in ast.iter_child_nodes(node):
        name = f"{within}{child.name}" if hasattr(child, "name") else ""
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield name, child
        scope = isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef))
        yield from _functions(child, f"{name}." if scope else within)


def _check(source: str, path: Path) -> None:
    """Every name a module looks up is defined in it or built in."""
    tree = ast.parse(source)
    known = bound(tree) | all_declared(tree) | BUILT_IN | {"__name__", "__file__"}
    read = {n.id for n in outside(tree) if isinstance(n, ast.Name)} | looked_up(source)
    if read - known:
        raise ValueError(f"{path.name}: nothing is called {', '.join(sorted(read - known))}")


def _dotted(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    at = len(parts) - 1 - parts[::-1].index(PACKAGE) if PACKAGE in parts else len(parts) - 1
    return parts[at:-1] if parts[-1] == "__init__" else parts[at:]
