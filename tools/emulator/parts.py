"""The parts around the controller, as the emulated board sees them at its pins and buses."""

from __future__ import annotations

from typing import Any

from rp2040py.gpio_pin import GPIOPinState
from rp2040py.peripherals.i2c import I2CMode

from tools.emulator.rp2040_fixes import PowerCut, i2c_byte_nanos
from tools.emulator.ssp import true_spi


class Line:
    """One input pin driven from outside; a repeated level makes no edge (the stock call does)."""

    def __init__(self, pin: Any) -> None:
        self.pin = pin
        self.level: bool | None = None

    def drive(self, level: int | bool) -> None:
        if self.level != bool(level):
            self.level = bool(level)
            self.pin.set_input_value(self.level)

    def release(self) -> None:
        if self.level is not None:
            self.level = None
            self.pin.release_input()


class Fram:
    """MB85RC256V at 0x50: 32 KiB, two address bytes, no write delay, no page limit.

    `memory` survives a power cycle (hand the same Fram to the next Pico). `cut_after` = n lets n
    more data bytes in and then raises PowerCut. `true_timing` makes each bus byte take its nine
    clocks (slow to emulate: about half a millisecond of wall time a byte).
    """

    ADDRESS = 0x50
    SIZE = 32 * 1024

    def __init__(self, memory: bytes | bytearray | None = None) -> None:
        self.memory = bytearray(memory if memory is not None else self.SIZE)
        self.cut_after: int | None = None
        self.true_timing = False
        self.present = True
        self.written = 0
        self._pointer = self._address_bytes = 0

    def attach(self, i2c: Any) -> None:
        self._i2c = i2c
        self._alarm = i2c.rp2040.clock.create_alarm(lambda: self._then())
        i2c.on_connect = self._connect
        i2c.on_write_byte = self._write
        i2c.on_read_byte = self._read

    def _finish(self, action: Any) -> None:
        self._then = action
        if self.true_timing:
            self._alarm.schedule(i2c_byte_nanos(self._i2c))
        else:
            action()

    def _connect(self, address: int, mode: I2CMode) -> None:
        ours = self.present and address == self.ADDRESS
        if mode == I2CMode.WRITE:
            self._address_bytes = 0
        self._finish(lambda: self._i2c.complete_connect(ours))

    def _write(self, value: int) -> None:
        if self._address_bytes < 2:
            self._address_bytes += 1
            self._pointer = (self._pointer << 8 | value) & (self.SIZE - 1)
        else:
            self._store(value)
        self._finish(lambda: self._i2c.complete_write(True))

    def _store(self, value: int) -> None:
        if self.cut_after is not None:
            if self.cut_after <= 0:
                raise PowerCut(f"FRAM before byte {self._pointer:#06x}")
            self.cut_after -= 1
        self.memory[self._pointer] = value
        self.written += 1
        self._pointer = (self._pointer + 1) & (self.SIZE - 1)

    def _read(self, _ack: bool) -> None:
        value = self.memory[self._pointer]
        self._pointer = (self._pointer + 1) & (self.SIZE - 1)
        self._finish(lambda: self._i2c.complete_read(value))


class Net:
    """A W5500 on the board's SPI: the virtual board's model, clocked byte by byte."""

    def __init__(self, model: Any) -> None:
        self.model = model

    def attach(self, mcu: Any, bus: int, select: int) -> None:
        mcu.gpio[select].add_listener(self._on_select)
        true_spi(mcu, bus, self.model.transfer)

    def _on_select(self, value: GPIOPinState, _last: GPIOPinState) -> None:
        self.model.select(value != GPIOPinState.LOW)


class Chain165:
    """Seven 74HC165 in a row: latch low loads, a rising clock shifts, the data pin shows the head.

    `bits[i]` is the level of the i-th bit to come out (1 = high at the input). With sensors that
    pull low, a bet is a 0.
    """

    def __init__(self, latch: int, clock: int, data: int, length: int = 56) -> None:
        self.pins = (latch, clock, data)
        self.bits = [1] * length
        self._register = list(self.bits)
        self.loads = 0

    def attach(self, mcu: Any) -> None:
        latch, clock, data = self.pins
        self._latch, self._data = mcu.gpio[latch], Line(mcu.gpio[data])
        self._latch.add_listener(self._on_latch)
        mcu.gpio[clock].add_listener(self._on_clock)
        self._show()

    def set(self, index: int, level: int) -> None:
        self.bits[index] = level
        if self._latch.value == GPIOPinState.LOW:
            self._load()

    def _load(self) -> None:
        self._register = list(self.bits)
        self._show()

    def _show(self) -> None:
        self._data.drive(self._register[0])

    def _on_latch(self, value: GPIOPinState, _last: GPIOPinState) -> None:
        if value == GPIOPinState.LOW:
            self.loads += 1
            self._load()

    def _on_clock(self, value: GPIOPinState, last: GPIOPinState) -> None:
        rising = value == GPIOPinState.HIGH and last == GPIOPinState.LOW
        if rising and self._latch.value == GPIOPinState.HIGH:
            self._register = [*self._register[1:], 1]  # the first chip's serial input is tied high
            self._show()
