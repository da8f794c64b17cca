"""Mends for the peripherals rp2040py 0.3.6 models too loosely to trust a test on.

I2C: bytes take the time their clock gives them. Flash: erase and program take time and can be
torn. The UART is in pl011.py, SPI in ssp.py.
"""

from __future__ import annotations

import random
from typing import Any

from rp2040py.peripherals import ssi
from rp2040py.peripherals.i2c import R_TX_EMPTY, RPI2C
from rp2040py.peripherals.peripheral import BasePeripheral

from tools.emulator.pl011 import CLK_SYS, Pl011


class PowerCut(Exception):
    """Supply lost at this instant; what the flash and the FRAM hold is what they keep."""


class Flash(ssi.RPSSI):
    """Flash that takes time and can lose power in the middle of an operation.

    `erase_ms`, `program_ms`: busy time (0 = none; typical 45 and 0.7, worst 400 and 3). During it
    the core stands still, as on the board, while the rest of the chip goes on. `operations` counts
    erases and programs; `cut_at` = n tears the n-th from now in its middle and raises PowerCut.
    """

    def __init__(self, mcu: Any) -> None:
        self.erase_ms = self.program_ms = 0.0
        self.operations = 0
        self.cut_at: int | None = None
        super().__init__(mcu, "SSI")

    def _apply_command(self) -> None:
        opcode = self._tx_buffer[0] if self._tx_buffer else 0
        erases = opcode in (ssi.CMD_SECTOR_ERASE, ssi.CMD_BLOCK_ERASE)
        if not self._write_enabled or not (erases or opcode == ssi.CMD_PAGE_PROGRAM):
            super()._apply_command()
            return
        self.operations += 1
        self._count_down(opcode)
        super()._apply_command()
        busy = self.erase_ms if erases else self.program_ms
        if busy:
            self.rp2040.clock.tick(busy * 1e6)

    def _count_down(self, opcode: int) -> None:
        if self.cut_at is None:
            return
        self.cut_at -= 1
        if self.cut_at > 0:
            return
        self.cut_at = None
        self._tear(opcode)
        raise PowerCut(f"flash command {opcode:#x}")

    def _tear(self, opcode: int) -> None:
        flash, address = self.rp2040.flash, self._address_from_buffer()
        if opcode == ssi.CMD_PAGE_PROGRAM:
            data = self._tx_buffer[4 : 4 + ssi.FLASH_PAGE_SIZE]
            for i, byte in enumerate(data[: len(data) // 2]):
                flash[address + i] &= byte
        else:
            start = address & ~(ssi.FLASH_SECTOR_SIZE - 1)
            half = ssi.FLASH_SECTOR_SIZE // 2
            flash[start : start + half] = b"\xff" * half


class Rosc(BasePeripheral):
    """Ring oscillator with a noise bit that is only arithmetic: never evidence for randomness.

    `seed(n)` chooses the sequence; `stuck` = 0 or 1 makes the bit stand still, as a fault would.
    """

    RANDOMBIT = 0x1C

    def __init__(self, mcu: Any) -> None:
        super().__init__(mcu, "ROSC")
        self.stuck: int | None = None
        self.seed(1)

    def seed(self, value: int) -> None:
        self._random = random.Random(value)

    def read_uint32(self, offset: int) -> int:
        if offset != self.RANDOMBIT:
            return 0xFFFFFFFF
        return self._random.getrandbits(1) if self.stuck is None else self.stuck

    def write_uint32(self, offset: int, value: int) -> None:
        """Nothing in the model depends on the oscillator's settings."""


def true_i2c_abort(i2c: RPI2C) -> None:
    """A NACK flushes the TX FIFO, which raises TX_EMPTY; without it the guest waits for ever."""
    stock = i2c._abort

    def abort(reason: int) -> None:
        stock(reason)
        i2c._set_interrupts(R_TX_EMPTY)

    i2c._abort = abort  # type: ignore[method-assign]


def i2c_byte_nanos(i2c: RPI2C) -> float:
    """Nine bit times at the bus speed the guest has set (the block runs on clk_sys)."""
    return 9 * 1e9 * (i2c.scl_low_period + i2c.scl_high_period) / CLK_SYS


def mend(mcu: Any) -> None:
    """Puts the mended blocks in place of the stock ones; call once, right after construction."""
    for index, base in enumerate((0x40034, 0x40038)):
        mcu.uart[index] = mcu.peripherals[base] = Pl011(mcu.uart[index], index)
    for i2c in mcu.i2c:
        true_i2c_abort(i2c)
    mcu.peripherals[0x40060] = Rosc(mcu)
    mcu.ssi = mcu.peripherals[0x18000] = Flash(mcu)
