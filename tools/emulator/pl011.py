"""The RP2040's UART as its data sheet has it; rp2040py 0.3.6 raises the TX interrupt for ever.

Both FIFOs, level and timeout interrupts, and the line's true speed.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Callable

from rp2040py.peripherals import uart

from tools.emulator.rp2_pins import gpios

CLK_SYS = 125_000_000  # the emulator's core runs at this, whatever machine.freq() says
CLK_USB_PLL = 48_000_000  # clk_peri's source after boot since MicroPython 1.24

TXFF, BUSY = 1 << 5, 1 << 3
UARTIFLS = 0x34
RX, TX, RT = 1 << 4, 1 << 5, 1 << 6
LEVELS = (4, 8, 16, 24, 28)  # FIFO trigger levels of a 32-byte FIFO
BITS = 10  # start, eight data, stop

FUNCTION_UART = 2


def follow_clk_peri(mcu: Any) -> None:
    """clk_peri is the USB PLL or the system clock, as the guest's CLK_PERI_CTRL says."""
    mcu.clk_peri = CLK_USB_PLL if (mcu.clocks.peri_ctrl >> 5) & 7 == 2 else CLK_SYS


class Pl011(uart.RPUART):
    """One UART with its line.

    `received(byte)` is called when a byte's stop bit has left the guest. `send(data)` queues bytes
    on the line towards the guest; a byte that finds the FIFO full is lost and counted in
    `overruns`; one that finds no RX pin muxed or the receiver off is counted in `unwired`.
    """

    def __init__(self, stock: uart.RPUART, index: int) -> None:
        mcu = stock.rp2040
        self.tx_fifo: deque[int] = deque()
        self.line_in: deque[int] = deque()
        self.received: Callable[[int], None] = lambda byte: None
        self.index = index
        self.overruns = self.unwired = 0
        self.line_baud = 0  # speed of the far end; 0 = the guest's own
        self._shifting = False
        self._levels = 0o22
        self._out_alarm = mcu.clock.create_alarm(self._shifted_out)
        self._in_alarm = mcu.clock.create_alarm(self._shifted_in)
        self._idle_alarm = mcu.clock.create_alarm(self._rx_timeout)
        super().__init__(mcu, stock.name, stock.irq, stock.dreq)

    def reset(self) -> None:
        super().reset()
        self.tx_fifo.clear()
        self._shifting = False
        self._levels = 0o22
        self._out_alarm.cancel()
        self._idle_alarm.cancel()

    @property
    def tx_pin(self) -> int | None:
        return self._muxed("TX")

    @property
    def rx_pin(self) -> int | None:
        return self._muxed("RX")

    def _muxed(self, way: str) -> int | None:
        for pin in gpios(f"UART{self.index}_{way}"):
            if self.rp2040.gpio[pin].function_select == FUNCTION_UART:
                return pin
        return None

    @property
    def baud(self) -> float:
        follow_clk_peri(self.rp2040)
        return self.rp2040.clk_peri / (16 * self.baud_divider) if self.baud_divider else 0

    @property
    def _depth(self) -> int:
        return 32 if self.fifos_enabled else 1

    @property
    def flags(self) -> int:
        count = self.rx_fifo.item_count
        return (
            (uart.RXFF if count >= self._depth else 0)
            | (uart.RXFE if not count else 0)
            | (uart.TXFE if not self.tx_fifo else 0)
            | (TXFF if len(self.tx_fifo) >= self._depth else 0)
            | (BUSY if self._shifting or self.tx_fifo else 0)
        )

    def check_interrupts(self) -> None:
        self.rp2040.set_interrupt(self.irq, bool(self._interrupt_status & self._interrupt_mask))

    # towards the guest

    def send(self, data: bytes) -> None:
        idle = not self.line_in
        self.line_in.extend(data)
        if idle and self.line_in:
            self._in_alarm.schedule(self._byte_nanos())

    def _byte_nanos(self) -> float:
        return BITS * 1e9 / (self.line_baud or self.baud or 115_200)

    def _shifted_in(self) -> None:
        byte = self.line_in.popleft()
        if self.line_in:
            self._in_alarm.schedule(self._byte_nanos())
        if self.enabled and self.rx_enabled and self.rx_pin is not None:
            self.feed_byte(byte)
        else:
            self.unwired += 1

    def feed_byte(self, value: int) -> None:
        if self.rx_fifo.item_count >= self._depth:
            self.overruns += 1
            return
        self.rx_fifo.push(value)
        if self.rx_fifo.item_count >= self._rx_level():
            self._interrupt_status |= RX
        self._idle_alarm.schedule(32e9 / (self.baud or 115_200))
        self.check_interrupts()

    def _rx_level(self) -> int:
        return LEVELS[min((self._levels >> 3) & 7, 4)] if self.fifos_enabled else 1

    def _rx_timeout(self) -> None:
        if not self.rx_fifo.empty:
            self._interrupt_status |= RT
            self.check_interrupts()

    def _read_data(self) -> int:
        value = self.rx_fifo.pull()
        if self.rx_fifo.item_count < self._rx_level():
            self._interrupt_status &= ~RX
        if self.rx_fifo.empty:
            self._interrupt_status &= ~RT
            self._idle_alarm.cancel()
        self.check_interrupts()
        return value

    # from the guest

    def _write_data(self, value: int) -> None:
        if len(self.tx_fifo) >= self._depth:
            return
        self.tx_fifo.append(value & 0xFF)
        if len(self.tx_fifo) > self._tx_level():
            self._interrupt_status &= ~TX
        self._shift_next()
        self.check_interrupts()

    def _tx_level(self) -> int:
        return LEVELS[min(self._levels & 7, 4)] if self.fifos_enabled else 0

    def _shift_next(self) -> None:
        if self._shifting or not self.tx_fifo:
            return
        self._byte_out = self.tx_fifo.popleft()
        self._shifting = True
        self._out_alarm.schedule(BITS * 1e9 / (self.baud or 115_200))
        if len(self.tx_fifo) == self._tx_level():
            self._interrupt_status |= TX
            self.check_interrupts()

    def _shifted_out(self) -> None:
        self._shifting = False
        if self.tx_pin is not None:
            self.received(self._byte_out)
        self._shift_next()

    # registers

    def read_uint32(self, offset: int) -> int:
        if offset == uart.UARTDR:
            return self._read_data()
        if offset == UARTIFLS:
            return self._levels
        return super().read_uint32(offset)

    def write_uint32(self, offset: int, value: int) -> None:
        if offset == uart.UARTDR:
            self._write_data(value)
        elif offset == UARTIFLS:
            self._levels = value & 0o77
        else:
            super().write_uint32(offset, value)
