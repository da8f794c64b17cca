"""`make flash-full`: the technician's commands on an emulated board, from the box on (minutes).

A new Pico is flashed whole over its USB console, verified, tampered with, found out, mended,
unplugged in the middle of an update, completed, configured and set up. Ends with PASS or the first
command that did not do what it should.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import build

sys.path[1:1] = [str(build.ROOT / "host_tests"), str(build.FIRMWARE)]
sys.path.insert(1, str(build.ROOT / "host_tests" / "shims"))

import device  # noqa: E402
import release  # noqa: E402
from emulator import Fram, Pico  # noqa: E402
from serial_port import SerialPort  # noqa: E402

CONFIG = build.ROOT / "tools" / "configs" / "headsup.json"


class Show:
    """Runs commands against one board and stops at the first surprise."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port: SerialPort

    def step(self, title: str) -> None:
        print(f"\n# {title}", flush=True)

    def tool(self, name: str, *words: str, wanted: int = 0) -> str:
        shown = [w.replace(str(self.folder), "RELEASES") for w in words]
        shown = [w.replace(f"{build.ROOT}/", "") for w in shown]
        print(f"$ tools/{name}", *shown, flush=True)
        began = time.monotonic()
        command = [sys.executable, str(build.ROOT / "tools" / name), "--port", self.port.path]
        done = subprocess.run([*command, *words], capture_output=True, text=True)
        took = f"# exit {done.returncode}, {time.monotonic() - began:.0f} s"
        print(done.stdout + done.stderr + took, flush=True)
        if done.returncode != wanted:
            raise SystemExit(f"FAIL: exit {done.returncode}, {wanted} was wanted")
        return done.stdout

    def mpremote(self, code: str) -> None:
        print(f"$ mpremote exec {code!r}", flush=True)
        words = [sys.executable, "-m", "mpremote", "connect", self.port.path, "exec", code]
        subprocess.run(words, check=True)


def releases(folder: Path) -> tuple[str, str]:
    """Two releases as zips: this build, and one with another text."""
    files = build.bundle("RPI_PICO")
    newer = {**files, "lang/en.txt": files["lang/en.txt"] + b"page.extra Extra\n" * 400}
    newer[build.MANIFEST] = build.manifest(newer)
    paths = []
    for name, held in (("one", files), ("two", newer)):
        path = folder / name / "felt-RPI_PICO.zip"
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
        show.step("a new board")
        show.tool("flash.py", "--release", one, "--label", "Pit 3 table 12")
        show.step("configure it")
        show.tool("provision.py", str(CONFIG), "--by", "Ada Technician")
    return pico


def play(show: Show, quick: bool) -> None:
    one, two = releases(show.folder)
    if quick:
        held = {**build.bundle("RPI_PICO"), "config.json": CONFIG.read_bytes()}
        pico = Pico(held, fram=Fram())
    else:
        pico = from_the_box(show, one)
    with SerialPort(started(pico.power_cycle())) as show.port:
        show.step("power off and on with both keys: set up its memory")
        show.tool("console.py", "version", wanted=0)
        show.tool("console.py", "clear", "version", "selftest")
        show.step("compare it with the release")
        show.tool("verify.py", "--release", one)
        show.step("somebody changes a program file")
        show.mpremote("f=open('lang/en.txt','ab'); f.write(b'x'); f.close()")
        show.tool("verify.py", "--release", one, "--no-interpreter", wanted=1)
        show.step("mend it")
        show.tool("flash.py", "--release", one)
        show.step("update it, and pull the cable in the middle")
        puller = threading.Thread(target=pull, args=(show.port,))
        puller.start()
        show.tool("flash.py", "--release", two, wanted=device.CODES["unplugged"])
        puller.join()
        pico = show.port.pico
    with SerialPort(started(pico.power_cycle())) as show.port:
        show.step("plug it in and repeat: the table says why it is closed, then it is completed")
        show.tool("console.py", "version", "selftest", wanted=1)
        show.tool("flash.py", "--release", two)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="begin with a board that is flashed")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        play(Show(Path(folder)), args.quick)
    print("\nPASS")
    return 0


if __name__ == "__main__":
    sys.exit(main())
