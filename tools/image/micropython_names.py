"""Names MicroPython itself defines on a board, from its stubs: code that uses them keeps them."""

from __future__ import annotations

import ast
import functools
import keyword
from importlib.metadata import files
from pathlib import Path

STUBS = ("micropython-rp2-rpi_pico-stubs", "micropython-stdlib-stubs")

IMAGE_NAMES = Path(__file__).with_name("image_names.txt")  # made by image_names.py
# What the compiler or the interpreter itself looks up by name, in whatever object.
LOOKED_UP = {
    *("aclose", "append", "args", "asm_pio", "asm_thumb", "bytecode", "close", "const", "errno"),
    *("flush", "getcwd", "ioctl", "keys", "micropython", "native", "object", "ptr", "ptr16"),
    *("ptr32", "ptr8", "read", "readblocks", "readinto", "readline", "seek", "send", "throw"),
    *("uctypes", "uint", "umount", "value", "viper", "write", "writeblocks"),
}


def image_names() -> list[str]:
    """Names that lie in the stock image's flash and may be given to something of ours."""
    names = IMAGE_NAMES.read_text(encoding="utf-8").split()
    free = [n for n in names if n not in LOOKED_UP and not n.startswith("__")]
    return sorted((n for n in free if not keyword.iskeyword(n)), key=lambda n: (len(n), n))


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
