"""DMA to an SPI in blocks: the same bytes at the same time as one by one, a hundred times faster.

Where the wheel turns, five million bytes a second go to the display; the stock model spends most
of a run's time on them. A block is read from memory when its first byte would be sent, so a buffer
that is painted again too early is seen as on the board.
"""

from __future__ import annotations

from typing import Any, Callable

from rp2040py.peripherals import dma
from rp2040py.peripherals.spi import SSPRORINTR

from tools.emulator.pl011 import CLK_USB_PLL, follow_clk_peri
from tools.emulator.ssp import DEPTH, Ssp

OnBlock = Callable[[bytes], None]
BLOCK = 64  # bytes
RAM = 0x20000000
SET = dma.EN | dma.INCR_READ  # in the control word of such a transfer,
CLEAR = dma.INCR_WRITE | dma.DATA_SIZE_MASK << dma.DATA_SIZE_SHIFT | dma.BSWAP  # and not


class Blocks:
    """A DMA channel's transfers of single bytes to an SPI; others go the stock way."""

    def __init__(self, channel: Any, spi: Ssp, on_block: OnBlock) -> None:
        self.channel, self.spi = channel, spi
        self.on_block = on_block
        self._stock = channel.start
        self._sending = 0  # bytes of the block under way
        self._alarm = spi.rp2040.clock.create_alarm(self._step)
        channel.start = self._start

    def _start(self) -> None:
        c = self.channel
        ours = c.treq == self.spi.dreq.tx and c._ctrl & (SET | CLEAR) == SET and not c._ring_mask
        ours = ours and c._write_addr == self.spi._sink and c._read_addr >= RAM
        if not ours or self._heard() or not c._trans_count_reload or c._ctrl & dma.BUSY:
            self._stock()
            return
        c._ctrl |= dma.BUSY
        c._trans_count = c._trans_count_reload
        self._sending = 0
        self._step()

    def _heard(self) -> bool:
        """True when another channel is to take as many bytes as are sent: each of them."""
        count, rx = self.channel._trans_count_reload, self.spi.dreq.rx
        return any(
            c.treq == rx and c._ctrl & dma.EN and c._trans_count_reload == count
            for c in self.spi.rp2040.dma.channels
        )

    def _step(self) -> None:
        """Wait for bytes that are on the way already; then block after block; then the end."""
        c, spi = self.channel, self.spi
        follow_clk_peri(spi.rp2040)
        nanos = spi.data_bits * 1e9 / (spi.clock_frequency or CLK_USB_PLL)
        if not self._sending and spi._busy:
            self._alarm.schedule(nanos)
            return
        c._trans_count -= self._sending
        c._read_addr += self._sending
        self._sending = min(BLOCK, c._trans_count)
        if not self._sending or not c._ctrl & dma.BUSY:
            self._end()
            return
        spi._busy = True
        at = c._read_addr - RAM
        self.on_block(bytes(spi.rp2040.sram[at : at + self._sending]))
        self._alarm.schedule(self._sending * nanos)

    def _end(self) -> None:
        c, spi = self.channel, self.spi
        c._ctrl &= ~dma.BUSY
        spi._busy = False
        spi.rx_fifo.extend([0] * (DEPTH - len(spi.rx_fifo)))
        spi._int_raw |= SSPRORINTR
        if spi.tx_fifo:
            spi._shift(spi.tx_fifo.popleft())
        spi._fifos_updated()
        if not c._ctrl & dma.IRQ_QUIET:
            c.dma.int_raw |= 1 << c.index
            c.dma.check_interrupts()


def attach(mcu: Any, spi: Any, on_block: OnBlock) -> None:
    """Let every DMA channel send to this SPI in blocks."""
    for channel in mcu.dma.channels:
        Blocks(channel, spi, on_block)
