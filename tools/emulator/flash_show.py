"""`make flash-full`: the technician's commands on an emulated board, from the box on (minutes).

A new Pico is flashed whole over its USB console, verified, tampered with, found out, mended,
unplugged in the middle of an update, completed, configured and set up. Ends with PASS or the first
command that did not do what it should.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from tools.emulator.boards_on_usb import typed
from tools.emulator.pico import Fram, Pico
from tools.emulator.serial_port import SerialPort
from tools.field import trouble
from tools.image import build, release
from tools.paths import ROOT

CONFIG = "tools/configs/headsup.json"
CONFIG_FILE = ROOT / CONFIG
PAGE = """# Flashing a table, seen once

Written by `make flash-full ARGS="--write docs/flash.md"`, {date}: the real commands, the real
mpremote and the official MicroPython image, against an emulated Pico on a serial port (`PORT=` is
not shown). It is many times slower than a Pico: the seconds say nothing about a real board.
`releases/one` is this checkout, `releases/two` has one longer text.

{told}"""


class Show:
    """Runs what a technician types against one board and stops at the first surprise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port: SerialPort
        self.steps: list[tuple[str, list[str]]] = []  # title, transcript

    def step(self, title: str) -> None:
        print(f"\n# {title}", flush=True)
        self.steps.append((title, []))

    def say(self, text: str) -> None:
        for line in text.replace(f"{self.folder}/", "").splitlines():
            print(line, flush=True)
            self.steps[-1][1].append(line.rstrip())

    def make(self, *words: str, wanted: int = 0) -> None:
        """One make target with its variables; PORT= is given to it and not shown."""
        self.say("$ make " + " ".join(_quoted(word) for word in words))
        command = ["make", "--no-print-directory", *words, f"PORT={self.port.path}"]
        began = time.monotonic()
        done = subprocess.run(command, cwd=ROOT, env=typed(), capture_output=True, text=True)
        found = re.search(r"^make: .* Error (\d+)$", done.stderr, re.M)
        code = int(found[1]) if found else done.returncode
        self.say(done.stdout + re.sub(r"^make: .*\n", "", done.stderr, flags=re.M))
        self.say(f"(exit {code}, {time.monotonic() - began:.0f} s)")
        if code != wanted:
            raise SystemExit(f"FAIL: exit {code}, {wanted} was wanted")

    def mpremote(self, code: str) -> None:
        self.say(f'$ mpremote exec "{code}"')
        words = [sys.executable, "-m", "mpremote", "connect", self.port.path, "exec", code]
        subprocess.run(words, check=True)

    def page(self) -> str:
        """The transcript as a page."""
        told = "\n".join(
            f"## {title}\n\n```text\n" + "\n".join(lines) + "\n```\n"
            for title, lines in self.steps
        )
        return PAGE.format(date=time.strftime("%Y-%m-%d"), told=told)


def _quoted(word: str) -> str:
    name, _, value = word.partition("=")
    return f'{name}="{value}"' if " " in value else word


def releases(folder: Path) -> tuple[str, str]:
    """Two releases as zips: this build, and one with another text."""
    files = build.bundle("RPI_PICO")
    newer = {**files, "lang/en.txt": files["lang/en.txt"] + b"page.extra Extra\n" * 400}
    newer[build.MANIFEST] = build.manifest(newer)
    paths = []
    for name, held in (("one", files), ("two", newer)):
        path = folder / "releases" / name / "felt-RPI_PICO.zip"
        build.write({path.name: release.zip_of(held)}, path.parent)
        paths.append(str(path.parent))
    return paths[0], paths[1]


def keys_on(pico: Pico) -> Pico:
    pico.drive("KEY_SERVICE", 0)
    pico.drive("KEY_ATTENDANT", 0)
    return pico


def started(pico: Pico) -> Pico:
    """The board once its service console is there."""
    keys_on(pico).run_until(lambda: b"felt service console" in pico.output, 60_000, 5)
    return pico


def pull(port: SerialPort) -> None:
    """Unplugs when the new text file is being written; older names of its kind stay in flash."""
    mark = b"en.txt.new"
    before = port.pico.flash_image().count(mark)
    while port.pico.flash_image().count(mark) == before:
        time.sleep(0.2)
    port.unplug()


def from_the_box(show: Show, one: str) -> Pico:
    """A new board flashed whole over its cable and configured."""
    pico = keys_on(Pico({}, fram=Fram()))
    with SerialPort(pico) as show.port:
        show.step("A new board with nothing but MicroPython, service key on")
        show.make("flash", f"RELEASE={one}", "LABEL=Pit 3 table 12")
        show.step("Its configuration")
        show.make("provision", f"CONFIG={CONFIG}", "BY=Ada Technician")
    return pico


def tampered(show: Show, one: str) -> None:
    """A program file changed by hand is found, and mended."""
    show.step("Somebody changes a program file")
    show.mpremote("f=open('lang/en.txt','ab'); f.write(b'x'); f.close()")
    show.make("verify", f"RELEASE={one}", "ARGS=--no-interpreter", wanted=1)
    show.step("Mended: only that file is copied")
    show.make("flash", f"RELEASE={one}")


def interrupted(show: Show, two: str) -> None:
    show.step("An update, and the cable is pulled in the middle")
    puller = threading.Thread(target=pull, args=(show.port,))
    puller.start()
    show.make("flash", f"RELEASE={two}", wanted=trouble.CODES["unplugged"])
    puller.join()


def play(show: Show, quick: bool) -> None:
    one, two = releases(show.folder)
    if quick:
        held = {**build.bundle("RPI_PICO"), "config.json": CONFIG_FILE.read_bytes()}
        pico = Pico(held, fram=Fram())
    else:
        pico = from_the_box(show, one)
    with SerialPort(started(pico.power_cycle())) as show.port:
        show.step("Power off and on with both keys on: set up critical memory")
        show.make("console", "ARGS=clear version selftest")
        show.step("Compare it with the release")
        show.make("verify", f"RELEASE={one}")
        tampered(show, one)
        interrupted(show, two)
        pico = show.port.pico
    with SerialPort(started(pico.power_cycle())) as show.port:
        show.step("Plugged in again: the table says why it is closed")
        show.make("console", "ARGS=version selftest", wanted=1)
        show.step("The same command again completes it")
        show.make("flash", f"RELEASE={two}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="begin with a board that is flashed")
    parser.add_argument("--write", type=Path, metavar="PAGE", help="keep the transcript here")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        show = Show(Path(folder))
        play(show, args.quick)
    if args.write:
        args.write.write_text(show.page(), encoding="utf-8")
    print("\nPASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
