"""Sends a band to an RP2040's or RP2350's SPI while the processor does something else.

Only one-way traffic: what the bus receives meanwhile is dropped, so after a transfer the next
`spi.write` must be a short one (under 32 bytes), which empties the receiver.
"""

from array import array

import machine
import micropython
import rp2
from micropython import const

_SSPDR = const(0x08)
_SSPSR = const(0x0C)
_BUSY = const(0x10)
# SPI blocks, each with its base address and request number for sending; then the registers that
# set and clear pins (RP2040 data sheet 2.3.1.7, RP2350 data sheet 3.1.11)
RP2040 = (((0x4003C000, 16), (0x40040000, 18)), 0xD0000014, 0xD0000018)
RP2350 = (((0x40080000, 24), (0x40088000, 26)), 0xD0000018, 0xD0000020)


@micropython.viper
def _say(where, words):
    """Send three commands, each with the data up to the next: bytes 0, 5 and 10 of 11.

    `where`: the SPI block, the registers that set and clear pins, the mask of the DC pin.
    """
    at = ptr32(where)
    spi = ptr32(at[0])
    w = ptr8(words)
    i = 0
    while i < 11:
        while spi[3] & 0x10:
            pass
        ptr32(at[2])[0] = at[3]
        spi[2] = w[i]
        while spi[3] & 0x10:
            pass
        ptr32(at[1])[0] = at[3]
        end = i + 5
        i += 1
        while i < end and i < 11:
            spi[2] = w[i]
            i += 1


class SpiSender:
    """`spi` is 0 or 1, `dc` the number of the pin that is low for a command."""

    def __init__(self, spi, dc, chip=RP2040):
        blocks, high, low = chip
        base, request = blocks[spi]
        self._status = base + _SSPSR
        self._where = array("I", (base, high, low, 1 << dc))
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=request)
        self._dma.config(write=base + _SSPDR, ctrl=control)

    def send(self, words, data, size):
        """Say where, then start sending; `data` must stay as it is until `wait` returned."""
        _say(self._where, words)
        dma = self._dma
        dma.read = data
        dma.count = size
        dma.active(1)

    def wait(self):
        """Return when the last bit has left."""
        while self._dma.active():
            pass
        while machine.mem32[self._status] & _BUSY:
            pass
