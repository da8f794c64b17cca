"""The critical memory: MB85RC256V, 32 KiB of I2C FRAM, as bytes with an address.

FRAM has no erase, no page and no write delay: a byte the chip acknowledged is stored.
"""

SIZE = 32768
ADDRESS = 0x50
CHUNK = 64  # bytes per transfer: 1.6 ms at 400 kHz, well inside the bus timeout
IDENTITY = (0x00A, 0x510)  # Fujitsu, MB85RC256V
_ID_ADDRESS = 0x7C  # reserved address 0xF8 of the I2C device identity
_TRIES = 3


class FramMissing(OSError):
    """No FRAM answers: the table stays closed."""


class Fram:
    """readinto and write at any address inside size. A transfer that fails is tried again:
    the chip stores bytes one by one, so repeating the same bytes is harmless."""

    size = SIZE

    def __init__(self, i2c, address=ADDRESS):
        self._i2c = i2c
        self._address = address
        self.retries = 0

    def readinto(self, addr, buf):
        """Fill buf from addr on."""
        self._each(self._i2c.readfrom_mem_into, addr, buf)

    def write(self, addr, buf):
        """Store buf from addr on; on return it is on the medium."""
        self._each(self._i2c.writeto_mem, addr, buf)

    def probe(self):
        """Read one byte, or raise FramMissing."""
        self.readinto(0, bytearray(1))

    def identity(self):
        """Return (manufacturer, product), or None where the bus cannot reach that address."""
        try:
            self._i2c.writeto(_ID_ADDRESS, bytes([self._address << 1]), False)
            a, b, c = self._i2c.readfrom(_ID_ADDRESS, 3)
        except OSError:
            return None
        return (a << 4 | b >> 4, (b & 15) << 8 | c)

    def _each(self, transfer, addr, buf):
        n = len(buf)
        if addr < 0 or addr + n > SIZE:
            raise ValueError("FRAM address %d+%d is outside 0..%d" % (addr, n, SIZE))
        if n <= CHUNK:
            self._try(transfer, addr, buf)
            return
        view = memoryview(buf)
        for at in range(0, n, CHUNK):
            self._try(transfer, addr + at, view[at : min(n, at + CHUNK)])

    def _try(self, transfer, addr, buf):
        for _ in range(_TRIES):
            try:
                return transfer(self._address, addr, buf, addrsize=16)
            except OSError as error:
                self.retries += 1
                reason = error
        raise FramMissing("no FRAM at I2C address 0x%02x: %r" % (self._address, reason))
