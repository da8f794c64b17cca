"""Names MicroPython itself defines on a board, from its stubs: code that uses them keeps them."""

from __future__ import annotations

import ast
import functools
from importlib.metadata import files

STUBS = ("micropython-rp2-rpi_pico-stubs", "micropython-stdlib-stubs")


@functools.cache
def native_names() -> set[str]:
    found: set[str] = set()
    for package in STUBS:
        for stub in files(package) or ():
            if stub.suffix == ".pyi":
                found |= _defined(ast.parse(stub.read_text(encoding="utf-8")))
    return found


def _defined(tree: ast.Module) -> set[str]:
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(node.name)
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            found.add(node.target.id)
        elif isinstance(node, ast.Assign):
            found |= {t.id for t in node.targets if isinstance(t, ast.Name)}
    return found
