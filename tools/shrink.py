"""Gives names short, shared ones and writes small constants in place, before code is compiled.

A board's heap pays for every distinct name (kept once, for ever), for every slot of a module and
for every import. What is compiled is a closed world, so a name may be any other as long as no
module, no class with its bases and no function holds two names that became one. Names that other
code may use stay: those of MicroPython itself, of main.py and what tools send to a board, words
that occur as text (getattr), arguments passed by name. What the code does is unchanged;
`Names.table` is the map, and a release carries it, so that a traceback can be read.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from string import ascii_lowercase, ascii_uppercase

import inline
from micropython_names import native_names

Function = ast.FunctionDef | ast.AsyncFunctionDef
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
PACKAGE = "felt"
BOARD_BUILTINS = {"ptr8", "ptr16", "ptr32", "uint", "const"}
RESERVED = {"as", "if", "in", "is", "or", "do", "self"}


def short_names(taken: set[str], letters: str) -> Iterator[str]:
    """A, B ... Z, AA, AB ...: every name not taken."""
    for first in ["", *letters]:
        for last in letters:
            if first + last not in taken and first + last not in RESERVED:
                yield first + last


def keywords(trees: Iterable[ast.AST]) -> set[str]:
    """Every name some call passes an argument by."""
    calls = (n for tree in trees for n in ast.walk(tree) if isinstance(n, ast.Call))
    return {str(word.arg) for call in calls for word in call.keywords}


def texts(tree: ast.AST) -> set[str]:
    nodes = ast.walk(tree)
    return {n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str)}


def outside(node: ast.AST) -> Iterator[ast.AST]:
    """What is under a node, without the bodies of functions and classes in it."""
    for child in ast.iter_child_nodes(node):
        yield child
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for part in [*child.decorator_list, *child.args.defaults, *child.args.kw_defaults]:
                if part is not None:
                    yield from ast.walk(part)
        elif isinstance(child, ast.ClassDef):
            for part in child.bases + child.decorator_list:
                yield from ast.walk(part)
        elif not isinstance(child, ast.Lambda):
            yield from outside(child)


def bound(node: ast.AST) -> set[str]:
    """Names that a module, a class or a function binds itself."""
    found: set[str] = set()
    for child in outside(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            found.add(child.id)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(child.name)
        elif isinstance(child, (ast.Import, ast.ImportFrom)):
            found |= {(a.asname or a.name).split(".")[0] for a in child.names}
        elif isinstance(child, ast.ExceptHandler) and child.name:
            found.add(child.name)
    return found


def declared(node: ast.AST) -> set[str]:
    """Names a function says are the module's."""
    return {name for n in outside(node) if isinstance(n, ast.Global) for name in n.names}


class Names:
    """Every name of the closed world, and the short one it gets."""

    def __init__(self, trees: dict[Path, ast.Module], fixed: set[str]) -> None:
        self.spaces: list[set[str]] = []
        self.bases: dict[str, set[str]] = {}  # class: itself and its relations
        self.loose: set[str] = set()  # attributes set from outside of a class
        classes: dict[str, set[str]] = {}
        for tree in trees.values():
            own = bound(tree).union(*(declared(n) for n in ast.walk(tree)))
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
        nodes = [n for tree in trees.values() for n in ast.walk(tree)]
        self.taken = fixed | {n.id for n in nodes if isinstance(n, ast.Name)}
        self.taken |= {n.arg for n in nodes if isinstance(n, ast.arg)}
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
        letters = ascii_uppercase + ascii_lowercase
        names = list(short_names({n for n in self.taken if len(n) < 3}, letters))
        table = {}
        for name in sorted(self.own, key=lambda n: (n not in self.loose, -len(at[n]), n)):
            spaces = everywhere if name in self.loose else at[name]
            short = next(s for s in names if not any(s in used[i] for i in spaces))
            for i in spaces:
                used[i].add(short)
            table[name] = short
        return table


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


def attributes(tree: ast.AST) -> set[str]:
    """Names by which code may reach into the closed world or be reached from there."""
    found = texts(tree) | keywords([tree]) | bound(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and getattr(node.value, "id", "") != "self":
            found.add(node.attr)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            found |= {a.name for a in node.names}
    return found


def spoken(tree: ast.AST) -> set[str]:
    """Names in texts that may be code for a board: attributes, imports, arguments by name."""
    found: set[str] = set()
    for text in texts(tree):
        found |= set(re.findall(r"(?<=[\w)\]])\.([A-Za-z_]\w*)", text))
        found |= set(re.findall(r"\b([A-Za-z_]\w*)=", text))
        for line in re.findall(r"\bimport ([\w, ]+)", text):
            found |= set(re.findall(r"\w+", line))
    return found


def foreign(tree: ast.AST) -> set[str]:
    """Modules that are not ours, and what is imported from them."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import) or (
            isinstance(node, ast.ImportFrom) and str(node.module).split(".")[0] != PACKAGE
        ):
            found |= {part for alias in node.names for part in alias.name.split(".")}
    return found


def prefixes(trees: Iterable[ast.AST]) -> tuple[str, ...]:
    """Beginnings of names that are put together and then looked up."""
    found = set()
    for node in (n for tree in trees for n in ast.walk(tree)):
        if isinstance(node, ast.Call) and getattr(node.func, "id", "")[3:] == "attr":
            if isinstance(node.args[1], ast.BinOp) and isinstance(node.args[1].left, ast.Constant):
                found.add(str(node.args[1].left.value))
    return tuple(found)


def shrink(
    paths: list[Path], callers: list[Path], senders: list[Path]
) -> tuple[dict[Path, str], dict[str, str]]:
    """Source of every module made short, and the map from short names to what they stand for.

    `callers` are files that call into the modules, `senders` hold such code as text: both stay
    as they are.
    """
    trees = {path: ast.parse(path.read_text(encoding="utf-8")) for path in paths}
    others = [ast.parse(path.read_text(encoding="utf-8")) for path in callers]
    sent = [ast.parse(path.read_text(encoding="utf-8")) for path in senders]
    kept = set().union(*map(attributes, others), *map(spoken, sent))
    inline.constants({".".join(_dotted(path)): tree for path, tree in trees.items()}, kept)
    begin = prefixes(trees.values())
    named = keywords(trees.values()) | keywords(others)
    fixed = kept | named | native_names() | set(dir(builtins)) | RESERVED | {"_", PACKAGE}
    fixed |= set().union(*map(texts, trees.values()), *map(foreign, trees.values()))
    fixed |= {part for path in paths for part in (path.stem, path.parent.name)}
    nodes = [n for tree in trees.values() for n in ast.walk(tree)]
    fixed |= {n.name for n in nodes if isinstance(n, ast.FunctionDef) and n.name.startswith(begin)}
    names = Names(trees, fixed)
    sources = {}
    for path, tree in trees.items():
        tree = Shortener(names.table, named).visit(tree)
        _check(tree, path)
        sources[path] = ast.unparse(ast.fix_missing_locations(tree)) + "\n"
    back: dict[str, str] = {}
    for name, short in sorted(names.table.items()):
        back[short] = f"{back[short]} {name}" if short in back else name
    return sources, back


def _check(tree: ast.Module, path: Path) -> None:
    """Every name a module reads is bound in it or built in."""
    known = set(dir(builtins)) | BOARD_BUILTINS | {"__name__", "__file__"}
    for node in ast.walk(tree):
        known |= bound(node) if isinstance(node, (ast.Module, *SCOPES)) else set()
        if isinstance(node, ast.arg):
            known.add(node.arg)
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id not in known:
            raise ValueError(f"{path.name}: nothing is called {node.id}")


def _dotted(path: Path) -> tuple[str, ...]:
    parts = path.with_suffix("").parts
    at = len(parts) - 1 - parts[::-1].index(PACKAGE) if PACKAGE in parts else len(parts) - 1
    return parts[at:-1] if parts[-1] == "__init__" else parts[at:]
