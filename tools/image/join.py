"""Makes one module of several before code is compiled: a board's heap pays for every module.

Each module costs a table of names, a dictionary, an entry in every module that imports it and
three names for ever. Modules that are always loaded together become one; what they define gets
a name that says where it comes from (`round_events__pack`, made short afterwards) and is named
directly. In place of each stays a small file that hands on what tools and programs beside the
firmware ask of it; a table loads none of those. What the code does is unchanged.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable

from tools.image import idle
from tools.image.places import Place, Trees, World
from tools.image.said import PACKAGE, Asked
from tools.image.scopes import Function, arguments, bindings, bound, declared, outside


def join(
    trees: Trees, roots: dict[str, tuple[str, ...]], kept: set[str], asked: set[Asked]
) -> Trees:
    """The modules with each joint in place of what its roots import.

    A joint's members are its roots and all they import while they load, unless an earlier joint
    has them. Others import what is `asked`, and may want names in `kept` of any module.
    """
    home: dict[str, str] = {}
    members: dict[str, list[str]] = {}
    for joint, needed in roots.items():
        found = [m for m in in_order(needed, trees) if m not in home and m != PACKAGE]
        members[joint] = [m for m in found if trees[m].body[_texts(trees[m]) :]]
        home.update(dict.fromkeys(members[joint], joint))
    world = World(trees, home)
    out = {m: _Rewriter(world, m).module() for m in trees if m not in home}
    for m, tree in out.items():
        tree.body += world.handed_on(m, {name for module, name in asked if module == m})
    for joint, names in members.items():
        body = [node for m in names for node in _Rewriter(world, m).module().body]
        out[joint] = ast.Module(_each_import_once(body), [])
    fronts = {m: world.handed_on(m, kept - world.shared[m]) for m in home}
    out |= {m: ast.Module(body, []) for m, body in fronts.items()}
    for joint in members:
        idle.forget(out[joint], set().union(*(idle.reached(t, joint) for t in out.values())))
    return out


def in_order(roots: Iterable[str], trees: Trees) -> list[str]:
    """The modules that importing `roots` imports, each after what it needs itself."""
    done: dict[str, None] = {}
    open_: set[str] = set()

    def visit(name: str) -> None:
        if name in trees and name not in open_:
            open_.add(name)
            for node in trees[name].body:
                if isinstance(node, ast.ImportFrom):
                    visit(str(node.module))
                    for alias in node.names:
                        visit(f"{node.module}.{alias.name}")
            done.setdefault(name)

    for root in roots:
        visit(root)
    return list(done)


def _texts(tree: ast.Module) -> int:
    """1 when a module begins with its description, else 0."""
    return int(ast.get_docstring(tree) is not None)


def _each_import_once(body: list[ast.stmt]) -> list[ast.stmt]:
    """A joint's statements without an import that another member made already."""
    seen: dict[str, str] = {}
    left = []
    for node in body:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            text, names = ast.unparse(node), bound(ast.Module([node], []))
            if any(seen.get(name, text) != text for name in names):
                raise ValueError(f"two modules of a joint mean different things: {text}")
            if names <= seen.keys():
                continue
            seen.update(dict.fromkeys(names, text))
        left.append(node)
    return left


class _Rewriter(ast.NodeTransformer):
    """Writes one module's code with names that mean the same in the joint it goes to."""

    def __init__(self, world: World, name: str) -> None:
        self.world = world
        self.name = name
        self.here = world.home.get(name, name)
        self.scopes: list[tuple[bool, dict[str, Place | None]]] = []  # (is a class, its names)

    def module(self) -> ast.Module:
        tree = self.world.trees[self.name]
        if self.name in self.world.home:
            tree.body = tree.body[_texts(tree) :]
        return self.visit(tree)

    def _own(self, name: str) -> str:
        """A name that is bound here: of the module, or a function's or class's own."""
        if self.scopes or name not in self.world.counts[self.name]:
            return name
        return self.world.unique(Place(self.name, name))

    def _find(self, name: str) -> Place | None:
        """What a name in the scope at hand stands for; None for locals and built-in ones."""
        for depth, (is_class, names) in enumerate(reversed(self.scopes)):
            if name in names and not (is_class and depth):
                found = names[name]
                return self.world.place(*found) if found and found.name else found
        if name not in self.world.counts[self.name]:
            return None
        return self.world.place(self.name, name)

    def _reach(self, place: Place) -> ast.expr:
        """How code here names something of a joint, through the joint when that is another."""
        unique = self.world.unique(place)
        home = self.world.home.get(place.module, place.module)
        if home == self.here:
            return ast.Name(unique, ast.Load())
        return ast.Attribute(ast.Name(_local(home), ast.Load()), unique, ast.Load())

    # names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        place = self._find(node.id)
        if place is None:
            return node
        if not place.name:
            raise ValueError(f"{self.name}: the module {place.module} is used as a value")
        return ast.Name(self.world.unique(place), node.ctx)

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        place = self._find(node.value.id) if isinstance(node.value, ast.Name) else None
        if place is None or place.name:
            self.generic_visit(node)
            return node
        if not isinstance(node.ctx, ast.Load):
            raise ValueError(f"{self.name}: {ast.unparse(node)} is set from outside")
        if node.attr not in self.world.counts[place.module]:
            raise ValueError(f"{self.name}: there is no {ast.unparse(node)}")
        return self._reach(self.world.place(place.module, node.attr))

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.world.unique(Place(self.name, name)) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = node.name and self._own(node.name)
        self.generic_visit(node)
        return node

    # imports

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            local = (alias.asname or alias.name).split(".")[0]
            if self._own(local) != local:
                alias.asname = self._own(local)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        out: list[ast.stmt] = []
        for alias in node.names:
            local, place = alias.asname or alias.name, self.world.meant(node, alias)
            if place is None:
                own = self._own(local)
                alias.asname = own if own != alias.name else None
                out.append(ast.ImportFrom(node.module, [alias], 0))
            else:
                out += self._joined(local, place, self._find(local))
        return out

    def _joined(self, local: str, place: Place, stands: Place | None) -> list[ast.stmt]:
        """The import of something joined, as far as there is still something to import."""
        home = self.world.home[place.module]
        plain = stands is None or stands == Place(self.name, local)  # a variable like any other
        if not place.name:
            if plain:
                raise ValueError(f"{self.name}: {local} is a module and more")
            return [] if home == self.here else [_import(home.rpartition(".")[0], home)]
        real = self.world.place(*place)
        unique = self.world.unique(real)
        home = self.world.home.get(real.module, real.module)
        own = self._own(local) if plain else unique
        if home != self.here:
            return [ast.ImportFrom(home, [ast.alias(unique, own if own != unique else None)], 0)]
        if not plain:
            return []
        return [ast.Assign([ast.Name(own, ast.Store())], ast.Name(unique, ast.Load()))]

    # scopes

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self._own(node.name)
        node.bases = [self.visit(base) for base in node.bases]
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        self._inside(node, True, dict.fromkeys(bound(node)))
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.Lambda:
        node.args.defaults = [self.visit(part) for part in node.args.defaults]
        self.scopes.append((False, dict.fromkeys(arguments(node.args))))
        node.body = self.visit(node.body)
        self.scopes.pop()
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        return self._function(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        return self._function(node)

    def _function(self, node: Function) -> ast.AST:
        node.name = self._own(node.name)
        node.decorator_list = [self.visit(part) for part in node.decorator_list]
        node.args.defaults = [self.visit(part) for part in node.args.defaults]
        node.args.kw_defaults = [part and self.visit(part) for part in node.args.kw_defaults]
        counts = Counter([*bindings(node), *arguments(node.args)])
        names: dict[str, Place | None] = dict.fromkeys(counts.keys() - declared(node))
        for child in outside(node):
            names.update(self.world.stand_ins(child, counts))
        self._inside(node, False, names)
        return node

    def _inside(self, node: Function | ast.ClassDef, is_class: bool, names: dict) -> None:
        self.scopes.append((is_class, names))
        node.body = _block(node.body, self)
        self.scopes.pop()

    def generic_visit(self, node: ast.AST) -> ast.AST:
        super().generic_visit(node)
        if isinstance(node, (ast.If, ast.Try, ast.For, ast.While, ast.With)) and not node.body:
            node.body = [ast.Pass()]
        return node


def _block(body: list[ast.stmt], visitor: ast.NodeTransformer) -> list[ast.stmt]:
    out: list[ast.stmt] = []
    for node in body:
        made = visitor.visit(node)
        out += made if isinstance(made, list) else [made]
    return out or [ast.Pass()]


def _local(joint: str) -> str:
    """What code outside of a joint calls it."""
    return joint.replace(".", "_")


def _import(package: str, joint: str) -> ast.stmt:
    return ast.ImportFrom(package, [ast.alias(joint.rpartition(".")[2], _local(joint))], 0)
