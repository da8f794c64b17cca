"""Frames on a serial line: 00, COBS(body, CRC-32), 00.

A zero byte occurs only as a delimiter, so a receiver is in step again at the next zero whatever
came before. A body is at most LIMIT bytes; then COBS needs one byte and every code byte is a plain
distance to the next zero, which both directions hop along with C-speed find().
"""

import binascii
import sys

crc = None
if sys.platform == "rp2":
    from felt.link import crc

LIMIT = 248  # body; with CRC and code byte at most 253 bytes, below COBS's block size of 254
CRC = 4


class Encoder:
    """Builds one frame at a time in a buffer of its own: fill body[:n], then seal(n)."""

    def __init__(self, limit=LIMIT):
        self._buf = bytearray(limit + CRC + 3)
        self._view = memoryview(self._buf)
        self.body = self._view[2 : 2 + limit]
        self._sealed = self._view  # as long as the last frame: most are as long as the one before

    def seal(self, n):
        """Return the frame for body[:n]; it is valid until body is touched again."""
        buf = self._buf
        end = 2 + n + CRC
        if crc:
            crc.put(buf, 2, 2 + n)
        else:
            buf[2 + n : end] = binascii.crc32(self.body[:n]).to_bytes(CRC, "little")
        at = 1
        while True:
            zero = buf.find(b"\0", at + 1, end)
            if zero == -1:
                break
            buf[at] = zero - at
            at = zero
        buf[at] = end - at
        buf[end] = 0
        if len(self._sealed) != end + 1:
            self._sealed = self._view[: end + 1]
        return self._sealed


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
            if crc:
                crc.copy(self._raw, self._fill, buf, start, stop)
            else:
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
        if crc:
            return crc.right(self._raw, 1, n - CRC)
        found = binascii.crc32(self._view[1 : n - CRC])
        return self._raw[n - CRC : n] == found.to_bytes(CRC, "little")
