"""An emulated board as a PC meets it: a serial port and, in BOOTSEL, a drive that takes a .uf2.

The drive is a folder. As on a board it appears when the program asks for it, writes each block to
flash, and is gone when the last one is there; then the board starts with what its flash holds.
"""

from __future__ import annotations

import threading
from pathlib import Path

from tools.emulator.pico import Pico
from tools.emulator.serial_port import IDLE_S, SerialPort
from tools.field import uf2file
from tools.field.drive import INFO

TO_ROM = 0xB007C0D3  # in the watchdog's scratch register: restart into the boot ROM
TEXT = "UF2 Bootloader v3.0\nModel: Raspberry Pi RP2\nBoard-ID: RPI-RP2\n"


class UsbBoard(SerialPort):
    """`path` is its port, `drive` its drive's folder; `bootsel` tells which one is there."""

    def __init__(self, pico: Pico, drive: Path, bootsel: bool = False) -> None:
        super().__init__(pico)
        self.drive = drive
        self.bootsel = bootsel
        self.written = 0  # images taken
        self._still = threading.Lock()  # held while the board may not run
        self._again = False
        drive.mkdir(parents=True, exist_ok=True)
        if bootsel:
            (drive / INFO).write_text(TEXT)
        self._listen()

    def power_cycle(self) -> None:
        """Switch the table off and on, keys as they are."""
        with self._still:
            self.pico = self.pico.power_cycle()
            self._listen()
            self._again = True

    def _listen(self) -> None:
        watchdog = self.pico.mcu.watchdog
        restart = watchdog.on_watchdog_trigger

        def triggered() -> None:
            if watchdog.scratch_data[4] == TO_ROM:
                self.bootsel = True
                self.pico.sim.stopped = True
                (self.drive / INFO).write_text(TEXT)
            else:
                restart()

        watchdog.on_watchdog_trigger = triggered

    def _step(self, sent: int) -> int:
        with self._still:
            if self._again:
                self._again, sent = False, 0
            return self._slice(sent)

    def _slice(self, sent: int) -> int:
        if self.bootsel:
            self._typed(IDLE_S)  # nobody hears it
            return len(self.pico.output) if not self._take() else 0
        return super()._step(sent)

    def _take(self) -> bool:
        """Look at the drive; True when a whole image came and the board started again."""
        for path in self.drive.glob("*.uf2"):
            try:
                parts = uf2file.blocks(path.read_bytes())
            except (ValueError, OSError):
                continue  # not all of it is there yet
            if parts:
                self._start(parts)
                path.unlink()
                return True
        return False

    def _start(self, parts: list[tuple[int, bytes]]) -> None:
        flash = bytearray(self.pico.flash_image())
        for address, data in parts:
            at = address - uf2file.BASE
            flash[at : at + len(data)] = data
        (self.drive / INFO).unlink()
        self.pico = self.pico.power_cycle(flash=bytes(flash))
        self._listen()
        self.bootsel = False
        self.written += 1
