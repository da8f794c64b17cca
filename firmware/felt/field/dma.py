"""Sends a buffer to an RP2040's or RP2350's SPI while the processor does something else.

Only one-way traffic: what the bus receives meanwhile is dropped, so after a transfer the next
`spi.write` must be a short one (under 32 bytes), which empties the receiver.
"""

import machine
import rp2
from micropython import const

_SSPDR = const(0x08)
_SSPSR = const(0x0C)
_BUSY = const(0x10)
# chip's SPI blocks: base address and request number for sending
RP2040 = ((0x4003C000, 16), (0x40040000, 18))
RP2350 = ((0x40080000, 24), (0x40088000, 26))


class SpiSender:
    """`spi` is 0 or 1."""

    def __init__(self, spi, chip=RP2040):
        self._base, request = chip[spi]
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=request)
        self._dma.config(write=self._base + _SSPDR, ctrl=control)

    def send(self, data):
        """Start sending; the data must stay as it is until `wait` returned."""
        self._dma.config(read=data, count=len(data), trigger=True)

    def wait(self):
        """Return when the last bit has left."""
        while self._dma.active():
            pass
        while machine.mem32[self._base + _SSPSR] & _BUSY:
            pass
