"""A third serial input for chips that have two UARTs: a PIO program and a DMA channel.

The state machine samples the line at eight times its speed; each byte goes by DMA into a ring, so
that nothing is lost while the processor is busy with something else for longer than a FIFO holds.
"""

from array import array

import _rp2
import machine
import uctypes

OVERSAMPLING = 8
RING_BITS = 9  # 512 bytes: two pictures of a chip reader, 44 ms of a line that never pauses
RING = 1 << RING_BITS
_COUNT = 0x0FFFFFFF  # transfers before the channel is started again: the RP2350's limit
_RXF0 = 0x20  # receive FIFO of state machine 0, from the block's base
_BLOCKS = (0x50200000, 0x50300000)  # PIO0, PIO1: RP2040 data sheet 3.7, RP2350 data sheet 11.7
_REQUESTS = (4, 12)  # DREQ_PIO0_RX0, DREQ_PIO1_RX0, on both chips
_TOP_BYTE = 3  # bits shifted in from the left stand in the highest byte of a FIFO entry


# The program, as rp2.asm_pio would put it together; its assembler would stay in memory for ever.
_WORDS = (
    0x20A0,  # wait 1 pin 0: the line rests before a start bit, a broken wire sends nothing
    0x2020,  # wait 0 pin 0
    0xEA27,  # set x 7 [10]: one and a half bits on, the middle of the first one
    0x4001,  # bit: in pins 1
    0x0643,  # jmp x-- bit [6]
)
_WRAP = (len(_WORDS) - 1) << 12  # from the last word to the first
_SHIFT = 2 << 30 | 8 << 20 | 1 << 18 | 1 << 16  # FIFOs joined; pushed at 8 bits, shifted right


class PioUart:
    """Receives only: any() and readinto(buf), as machine.UART has them."""

    def __init__(self, number, pin, baudrate):
        block, lane = divmod(number, 4)
        freq = baudrate * OVERSAMPLING
        words = [array("H", _WORDS), -1, -1, _WRAP, _SHIFT, None, None, None]
        self._sm = _rp2.StateMachine(number, words, freq=freq, in_base=pin)
        space = bytearray(2 * RING)
        at = -uctypes.addressof(space) % RING  # a DMA ring lies on a multiple of its size
        self._space = space
        self._ring = memoryview(space)[at : at + RING]
        self._start = uctypes.addressof(space) + at
        self._taken = 0
        self._dma = _rp2.DMA()
        control = self._dma.pack_ctrl(
            size=0, inc_read=False, ring_size=RING_BITS, ring_sel=True,
            treq_sel=_REQUESTS[block] + lane,
        )  # fmt: skip
        fifo = _BLOCKS[block] + _RXF0 + 4 * lane + _TOP_BYTE
        self._dma.config(read=fifo, write=self._ring, count=_COUNT, ctrl=control, trigger=True)
        self._sm.active(1)

    def any(self):
        """Return how many bytes wait in the ring."""
        if not self._dma.active():  # every few hours its count is used up
            self._dma.count = _COUNT
            self._dma.active(1)
        return (self._dma.write - self._start - self._taken) % RING

    def readinto(self, buf):
        """Move waiting bytes into buf; return how many, or None."""
        n = min(len(buf), self.any(), RING - self._taken)
        if not n:
            return None
        buf[:n] = self._ring[self._taken : self._taken + n]
        self._taken = (self._taken + n) % RING
        return n


def reader_line(number, pin, baudrate):
    """Return the line of a chip reader; its pin rests high when nothing is plugged in."""
    pin.init(machine.Pin.IN, machine.Pin.PULL_UP)
    return PioUart(number, pin, baudrate)
