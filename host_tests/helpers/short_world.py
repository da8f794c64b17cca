"""A small package as it is and as it is compiled: both must do the same."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from tools.image import shrink
from tools.paths import ROOT


def world(
    tmp_path: Path,
    modules: dict[str, str],
    caller: str,
    joints: dict[str, tuple[str, ...]] | None = None,
) -> tuple[str, dict[str, str]]:
    """What `caller` prints with the modules made short, and their sources.

    It must print the same with the modules as they are.
    """
    plain, short = tmp_path / "plain", tmp_path / "short"
    paths = []
    for name, text in {"__init__": "", **modules}.items():
        path = plain / "felt" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(text))
        paths.append(path)
    main = tmp_path / "caller.py"
    main.write_text(textwrap.dedent(caller))
    sources, _ = shrink.shrink(paths, [main], [], joints)
    for path, text in sources.items():
        target = short / path.relative_to(plain)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text)
    said = [_run(main, folder) for folder in (plain, short)]
    assert said[0] == said[1]
    return said[1], {path.stem: text for path, text in sources.items()}


def _run(program: Path, folder: Path) -> str:
    env = {**os.environ, "PYTHONPATH": f"{folder}:{ROOT / 'host_tests' / 'shims'}"}
    done = subprocess.run([sys.executable, program], env=env, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    return done.stdout
