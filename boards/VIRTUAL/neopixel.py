"""WS2812 strings on the virtual board, with the interface of the module a stock image carries."""

from machine import bitstream

ORDER = (1, 0, 2, 3)  # green, red, blue, white


class NeoPixel:
    ORDER = ORDER

    def __init__(self, pin, n, bpp=3, timing=1):
        self.pin = pin
        self.n = n
        self.bpp = bpp
        self.buf = bytearray(n * bpp)
        self.timing = timing

    def __len__(self):
        return self.n

    def __setitem__(self, i, v):
        offset = i * self.bpp
        for part in range(self.bpp):
            self.buf[offset + ORDER[part]] = v[part]

    def __getitem__(self, i):
        offset = i * self.bpp
        return tuple([self.buf[offset + ORDER[part]] for part in range(self.bpp)])

    def fill(self, v):
        for i in range(self.n):
            self[i] = v

    def write(self):
        bitstream(self.pin, 0, self.timing, self.buf)
