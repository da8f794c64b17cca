"""A script at the image as it is shipped: an emulated Pico behind two ptys and pyserial (minutes).

The tool for a real board drives it; only its clock is the emulated one, and a model of the person
covers bet sensors and turns keys.

    tools/emulator/serial_emulator.py [FILE.felt]       default: the demo of Colorado Hold 'Em
"""

from __future__ import annotations

import argparse
import json
import os
import pty
import select
import sys
import time
import tty
from pathlib import Path

from tools.bench import serial_play
from tools.bench.chips import Chips
from tools.bench.runner import Runner
from tools.bench.script import parse, table_of
from tools.bench.serial_table import RealTable
from tools.bench.session import SCRIPTS
from tools.bench.wired_table import movements
from tools.emulator.boards_on_usb import table_memory
from tools.emulator.pico import Fram, Pico

SLICE_MS = 5
START_MS = 20_000


class Wires:
    """The board's UARTs, each on a pty; `paths` are the other ends."""

    def __init__(self, pico: Pico) -> None:
        self.pico = pico
        pairs = [pty.openpty() for _ in range(2)]
        for _, slave in pairs:
            tty.setraw(slave)
        self.masters = [master for master, _ in pairs]
        self.paths = [os.ttyname(slave) for _, slave in pairs]
        self._sent = [0, 0]

    def run(self) -> None:
        """Carry what was written, let the board run, carry its answers."""
        for master in select.select(self.masters, [], [], 0)[0]:
            self.pico.send(self.masters.index(master), os.read(master, 4096))
        self.pico.run_for(SLICE_MS)
        for i, master in enumerate(self.masters):
            out = bytes(self.pico.uart_output[i][self._sent[i] :])
            self._sent[i] += os.write(master, out) if out else 0


class Person:
    """Does at the emulated board what a person is asked for at a real one."""

    def __init__(self, wires: Wires, game: str) -> None:
        self.wires = wires
        self.chips = Chips(game)
        self.table: RealTable

    def ask(self, request: str) -> None:
        print(f"  AT THE TABLE: {request}", flush=True)
        for line in movements(request):
            verb, *words = line.split()
            if verb == "key":
                self.wires.pico.drive(f"KEY_{words[0].upper()}", words[1] != "on")
            elif verb == "place":
                self.chips.place(int(words[0]), words[1], 1)
            elif verb == "remove":
                self.chips.remove(int(words[0]), words[1])
            elif verb == "sweep":
                self.chips.clear(int(words[0]) if words else None)
            else:
                raise SystemExit(f"the emulated board has no {verb}")
        self._cover()

    def sees(self, question: str) -> bool:
        raise SystemExit(f"nobody looks at the emulated board: {question}")

    def _cover(self) -> None:
        for seat, byte in enumerate(self.chips.bitmap()):
            for bit in range(8):  # a covered spot pulls its input low
                self.wires.pico.sensors.set(seat * 8 + 7 - bit, 0 if byte >> bit & 1 else 1)
        for _ in range(20):
            self.wires.run()
            self.table.live()


def board(game: str, start: str) -> Pico:
    memory, settings = table_memory(start, game)
    files = {"config.json": json.dumps(settings).encode()}
    pico = Pico(files, fram=Fram(memory), usb=False, service=False)
    for key in ("KEY_ATTENDANT", "KEY_SERVICE"):
        pico.drive(key, 1)
    return pico


def play(path: Path) -> str:
    game, _, start, _ = table_of(parse(path.read_text()))
    wires = Wires(board(game, start))
    terminal, shoe = wires.paths
    table = RealTable(terminal, shoe, clock=lambda: int(wires.pico.ms))
    person = Person(wires, game)
    person.table, table.person = table, person  # type: ignore[assignment]
    table.patience = START_MS
    table.meet(wires.run)
    print(f"  {wires.pico.ms / 1000:.1f} s: the table shows itself", flush=True)
    runner = Runner(serial_play.statements_of(path, table), table)
    runner.listen = lambda text: print(f"  {wires.pico.ms / 1000:6.1f} s {text}", flush=True)
    while not runner.done:
        wires.run()
        table.live()
        runner.step(table.now)
    return runner.error


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("script", nargs="?", type=Path, default=SCRIPTS / "colorado.felt")
    began = time.monotonic()
    error = play(parser.parse_args().script)
    print(f"{'FAIL ' + error if error else 'PASS'}, {time.monotonic() - began:.0f} s")
    return int(bool(error))


if __name__ == "__main__":
    sys.exit(main())
