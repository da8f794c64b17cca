"""Frames on a serial line: 00, COBS(body, CRC-32), 00.

A zero byte occurs only as a delimiter, so a receiver is in step again at the next zero whatever
came before. A body is at most LIMIT bytes; then COBS needs one byte and every code byte is a plain
distance to the next zero, which both directions hop along with C-speed find().
"""

import binascii

LIMIT = 248  # body; with CRC and code byte at most 253 bytes, below COBS's block size of 254
CRC = 4


class Encoder:
    """Builds one frame at a time in a buffer of its own: fill body[:n], then seal(n)."""

    def __init__(self, limit=LIMIT):
        self._buf = bytearray(limit + CRC + 3)
        self._view = memoryview(self._buf)
        self.body = self._view[2 : 2 + limit]

    def seal(self, n):
        """Return the frame for body[:n]; it is valid until body is touched again."""
        buf = self._buf
        crc = binascii.crc32(self.body[:n])
        end = 2 + n
        for shift in (0, 8, 16, 24):
            buf[end] = (crc >> shift) & 0xFF
            end += 1
        at = 1
        buf[1] = 0
        while True:
            zero = buf.find(b"\0", at + 1, end)
            if zero < 0:
                break
            buf[at] = zero - at
            at = zero
        buf[at] = end - at
        buf[end] = 0
        return self._view[: end + 1]


class Decoder:
    """Cuts frames out of a byte stream in bounded memory.

    feed() stops behind each delimiter; then `size` is the length of the valid body in body[:size],
    or -1 when there is none yet. `bad` counts what was thrown away.
    """

    def __init__(self, limit=LIMIT):
        self._cap = limit + CRC + 1
        self._raw = bytearray(self._cap)
        self._view = memoryview(self._raw)
        self.body = self._view[1:]
        self._fill = 0
        self.size = -1
        self.bad = 0

    def feed(self, buf, start, end):
        """Take bytes of the bytearray buf[start:end] up to a delimiter; return the next index."""
        self.size = -1
        zero = buf.find(b"\0", start, end)
        stop = end if zero < 0 else zero
        n = stop - start
        if self._fill + n > self._cap:
            self._fill = self._cap + 1  # too long for a frame: skip to the delimiter
        elif n:
            self._raw[self._fill : self._fill + n] = memoryview(buf)[start:stop]
            self._fill += n
        if zero < 0:
            return end
        if self._fill:
            self._close()
        self._fill = 0
        return zero + 1

    def _close(self):
        """Undo COBS in place and check the CRC of the bytes gathered so far."""
        n = self._fill
        if n > self._cap or n < CRC + 2 or not self._unstuff(n) or not self._whole(n):
            self.bad += 1
        else:
            self.size = n - CRC - 1

    def _unstuff(self, n):
        raw = self._raw
        at = 0
        while at < n:
            step = raw[at]  # never 0: zeros are delimiters
            raw[at] = 0
            at += step
        return at == n

    def _whole(self, n):
        raw = self._raw
        crc = binascii.crc32(self._view[1 : n - CRC])
        for at in range(n - CRC, n):
            if raw[at] != crc & 0xFF:
                return False
            crc >>= 8
        return True
