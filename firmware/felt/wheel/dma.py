"""Sends a band to an RP2040's or RP2350's SPI while the processor does something else.

Only one-way traffic: what the bus receives meanwhile is dropped, so after a transfer the next
`spi.write` must be a short one (under 32 bytes), which empties the receiver.
"""

from array import array

import micropython
import _rp2
from micropython import const

_SSPDR = const(0x08)
_DMA = const(0x50000000)  # channels follow each other, 64 bytes each (RP2040 data sheet 2.5.7)
# SPI blocks, each with its base address and request number for sending; the registers that set
# and clear pins; the bit of a busy DMA channel (RP2040 data sheet 2.3.1.7 and 2.5.7, RP2350 data
# sheet 3.1.11 and 12.6.10)
RP2040 = (((0x4003C000, 16), (0x40040000, 18)), 0xD0000014, 0xD0000018, 1 << 24)
RP2350 = (((0x40080000, 24), (0x40088000, 26)), 0xD0000018, 0xD0000020, 1 << 26)

# A method that calls a function costs as much as a band's commands: these two are closures, which
# take their values from the heap where they and what is enclosed are more than five.


def _sender(where, words):
    @micropython.viper
    def band(win: ptr32, data: ptr8):
        at = ptr32(where)
        spi = ptr32(at[0])
        w = ptr8(words)
        x = win[0]
        y = win[1]
        last = x + win[2] - 1
        end = y + win[3] - 1
        w[1] = x >> 8
        w[2] = x
        w[3] = last >> 8
        w[4] = last
        w[6] = y >> 8
        w[7] = y
        w[8] = end >> 8
        w[9] = end
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
        channel = ptr32(at[4])
        channel[0] = int(data)
        channel[2] = 2 * win[2] * win[3]
        channel[3] = at[5]  # starts it

    return band


def _watcher(where):
    @micropython.viper
    def busy() -> bool:
        at = ptr32(where)
        return bool(ptr32(at[4])[3] & at[6] or ptr32(at[0])[3] & 0x10)

    return busy


class SpiSender:
    """`spi` is 0 or 1, `dc` the number of the pin that is low for a command.

    band((x, y, width, rows), pixels) says where and starts sending, send(x, y, w, h, pixels) as
    well; the pixels must stay as they are until busy() is False. None of them waits for more than
    the few bytes of its commands.
    """

    def __init__(self, spi, dc, chip=RP2040):
        blocks, high, low, busy = chip
        base, request = blocks[spi]
        self._dma = _rp2.DMA()
        control = self._dma.pack_ctrl(size=0, inc_write=False, treq_sel=request)
        self._dma.config(write=base + _SSPDR, ctrl=control)
        channel = _DMA + 64 * self._dma.channel
        # the SPI block, the registers that set and clear pins, the mask of the DC pin, the DMA
        # channel, its control word, its busy bit
        where = array("I", (base, high, low, 1 << dc, channel, control, busy))
        # columns, rows, pixels follow: a command and the data up to the next, thrice
        self.band = _sender(where, bytearray(b"\x2a\0\0\0\0\x2b\0\0\0\0\x2c"))
        self.busy = _watcher(where)

    def send(self, x, y, w, h, pixels):
        self.band(array("i", (x, y, w, h)), pixels)
