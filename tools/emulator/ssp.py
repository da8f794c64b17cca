"""The RP2040's SPI with its true speed: what a guest sees of it is rp2040py's, in fewer steps.

A display takes hundreds of thousands of bytes while a table starts, one at a time; so one step a
byte does here what the stock block does in forty calls, in the same order at the same instants.
"""

from __future__ import annotations

from collections import deque
from typing import Any, Callable

from rp2040py.peripherals import dma, spi

from tools.emulator.pl011 import CLK_USB_PLL, follow_clk_peri

BASES = 0x4003C, 0x40040  # of the two blocks, in pages
DEPTH = 8
BYTES = 7  # SSPCR0.DSS of eight bits
RUNNING = dma.EN | dma.BUSY
# A DMA channel that feeds bytes from memory to one register, no ring, no sniffing.
SHAPE = (
    RUNNING | dma.INCR_READ | dma.INCR_WRITE | dma.SNIFF_EN | dma.DATA_SIZE_MASK << 2
    | dma.RING_SIZE_MASK << dma.RING_SIZE_SHIFT
)  # fmt: skip
FEEDS = RUNNING | dma.INCR_READ


class _Queue(deque[int]):
    def reset(self) -> None:
        self.clear()


class Ssp(spi.RPSPI):
    """Each byte takes its bits at the SPI clock; `peer(byte)` sees it and may answer."""

    tx_fifo: Any
    rx_fifo: Any

    def __init__(self, stock: spi.RPSPI, base: int, peer: Callable[[int], int | None]) -> None:
        mcu = stock.rp2040
        self.peer = peer
        self._clocks, self._dma = mcu.clocks, mcu.dma
        self._answer = 0
        self._alarm = mcu.clock.create_alarm(self._shifted)
        self._speed: tuple[int, int, int] | None = None
        self._nanos = 0.0
        self._feeder: Any = None
        self._tx, self._rx = int(stock.dreq.tx), int(stock.dreq.rx)
        super().__init__(mcu, stock.name, stock.irq, stock.dreq)
        self._sink = base << 12 | spi.SSPDR
        self.tx_fifo, self.rx_fifo = _Queue(), _Queue()
        self._fifos_updated()

    def _update_dma_tx(self) -> None:
        pass  # with all the rest, in _fifos_updated

    _update_dma_rx = _update_dma_tx

    def reset(self) -> None:
        super().reset()
        self._alarm.cancel()
        self._fifos_updated()

    # the line

    def _shift(self, value: int) -> None:
        self._busy = True
        speed = (self._control0, self._clock_divisor, self._clocks.peri_ctrl)
        if speed != self._speed:
            self._speed = speed
            follow_clk_peri(self.rp2040)
            self._nanos = self.data_bits * 1e9 / (self.clock_frequency or CLK_USB_PLL)
        self._answer = self.peer(value) or 0
        self._alarm.schedule(self._nanos)

    def _shifted(self) -> None:
        if len(self.rx_fifo) < DEPTH:
            self.rx_fifo.append(self._answer)
        else:
            self._int_raw |= spi.SSPRORINTR
        waiting = self.tx_fifo
        if not waiting:
            self._busy = False
        else:
            full = len(waiting) == DEPTH
            self._shift(waiting.popleft())
            if full:
                self._feed()
        self._fifos_updated()

    def _feed(self) -> None:
        """A place became free: a channel that waits for one fills it at this very instant.

        Its last byte is left to the channel, which then tells that it is done.
        """
        channel = self._feeder
        if (
            channel is not None
            and channel._ctrl & SHAPE == FEEDS
            and channel._trans_count > 1
            and channel._treq_value == self._tx
            and channel._write_addr == self._sink
            and self._control0 & spi.DSS_MASK == BYTES
        ):
            at = channel._read_addr
            channel._read_addr = at + 1
            channel._trans_count -= 1
            self.tx_fifo.append(self.rp2040.read_uint8(at))

    # what the guest is told

    def _fifos_updated(self) -> None:
        sending, received = len(self.tx_fifo), len(self.rx_fifo)
        before = self._int_raw
        raw = before & ~(spi.SSPTXINTR | spi.SSPRXINTR)
        if sending <= DEPTH // 2:
            raw |= spi.SSPTXINTR
        if received >= DEPTH // 2:
            raw |= spi.SSPRXINTR
        if raw != before:
            self._int_raw = raw
            if (raw ^ before) & self._int_enable:
                self.check_interrupts()
        asks = self._dma.dreq
        if (received > 0) != asks.get(self._rx):
            self._ask(self._rx, received > 0)
        if (sending < DEPTH) != asks.get(self._tx):
            self._ask(self._tx, sending < DEPTH)

    def _ask(self, dreq: int, wanted: bool) -> None:
        if wanted:
            self._dma.set_dreq(dreq)
            return
        self._dma.clear_dreq(dreq)
        if dreq == self._tx:
            found = [c for c in self._dma.channels if c.active and c.treq == dreq]
            self._feeder = found[0] if len(found) == 1 else None

    def read_uint32(self, offset: int) -> int:
        if offset == spi.SSPDR:
            if not self.rx_fifo:
                return 0
            value = self.rx_fifo.popleft()
            self._fifos_updated()
            return int(value)
        if offset == spi.SSPSR:
            sending, received = len(self.tx_fifo), len(self.rx_fifo)
            return (
                (spi.BSY if self._busy or sending else 0)
                | (spi.RFF if received == DEPTH else 0)
                | (spi.RNE if received else 0)
                | (spi.TNF if sending < DEPTH else 0)
                | (spi.TFE if not sending else 0)
            )
        return super().read_uint32(offset)

    def write_uint32(self, offset: int, value: int) -> None:
        if offset != spi.SSPDR:
            super().write_uint32(offset, value)
        elif len(self.tx_fifo) < DEPTH:
            self.tx_fifo.append(value & ((1 << self.data_bits) - 1))
            if not self._busy:
                self._shift(self.tx_fifo.popleft())
            self._fifos_updated()


def true_spi(mcu: Any, index: int, peer: Callable[[int], int | None]) -> None:
    """Puts one in place of a stock block, with what is at the other end of its wires."""
    base = BASES[index]
    mcu.spi[index] = mcu.peripherals[base] = Ssp(mcu.spi[index], base, peer)
