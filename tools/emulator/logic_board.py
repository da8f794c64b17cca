"""Logic tests inside the image (the `[rp2040]` items): one emulated board for a whole process.

From module to module the file system is exchanged and the interpreter started anew, with a fresh
heap: to power a board on takes seconds of emulation. A test that does not end costs its board.
"""

from __future__ import annotations

import ast
import functools
import re
from pathlib import Path

from tools.emulator import runtimes
from tools.emulator.pico import GuestError, Pico, Timeout, text_of
from tools.emulator.runtimes import Outcome, parse_report
from tools.image import build, fsimage
from tools.paths import FIRMWARE, ROOT

LIMIT_MS = 300_000  # of emulated time, a test
_boards: list[Pico] = []  # none or one


def imported(waiting: list[Path], root: Path = ROOT) -> list[Path]:
    """The modules below `root` that some files import, and what those import."""
    found: list[Path] = []
    while waiting:
        for node in ast.walk(ast.parse(waiting.pop().read_text(encoding="utf-8"))):
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            for name in (node.module, *(f"{node.module}.{each.name}" for each in node.names)):
                path = root / (name.replace(".", "/") + ".py")
                if path.exists() and path not in found:
                    found.append(path)
                    waiting.append(path)
    return found


def _ahead(module: Path) -> str:
    """Have the application imported from the top: from inside a test it is too deep a chain."""
    used = (module, *imported([module], module.parent))
    wanted = any("felt.app" in path.read_text(encoding="utf-8") for path in used)
    return "import felt.app\n" if wanted else ""


@functools.cache
def _file_system(module: Path) -> bytes:
    """What a module's tests need besides the image."""
    files = {"firmware/lang/en.txt": (FIRMWARE / "lang" / "en.txt").read_bytes()}
    beside = [p for p in module.parent.glob("*.py") if not p.stem.startswith("test_")]
    beside += [p for p in imported([module], module.parent) if p not in beside]
    for path in (runtimes.RUNNER, module, *beside):
        files[path.with_suffix(".mpy").name] = build.compile_module(path, "armv6m")
    for path in imported([module, *beside]):
        place = path.relative_to(ROOT).with_suffix(".mpy").as_posix()
        files[place] = build.compile_module(path, "armv6m")
    for name in re.findall(r'"(host_tests/data/[\w.]+)"', module.read_text(encoding="utf-8")):
        files[name] = (ROOT / name).read_bytes()
    for path in (FIRMWARE / "felt" / "games").glob("[a-z]*.py"):
        files[f".frozen/felt/games/{path.name}"] = b""  # frozen code has no folder to look into
    return fsimage.make(files)


def _board(files: bytes) -> Pico:
    """The board with these files and nothing in its heap."""
    if not _boards:
        _boards.append(Pico())
    pico = _boards[0]
    pico.mcu.flash[fsimage.FLASH_OFFSET : fsimage.FLASH_OFFSET + len(files)] = files
    pico.boot()
    return pico


def run_logic(module: Path, names: list[str]) -> dict[str, Outcome]:
    """Run tests of a logic module, one after the other."""
    pico = _board(_file_system(module))
    text = pico.run(_ahead(module) + "import logic_runner")
    ended = "the guest returned early"
    for name in names:
        try:
            text += pico.run(f"logic_runner.main({module.stem!r}, [{name!r}])", LIMIT_MS)
        except GuestError as error:
            text, ended = f"{text}{error}", str(error)
        except Timeout as error:
            text, ended = text + text_of(bytes(pico.output[-4000:])), str(error)
            _boards.clear()
            break
    return parse_report(text, names, f"rp2040 stopped: {ended}")
