"""Parts wired to the virtual board: the chain of bet sensors and the FRAM chip."""

import struct

from vbench import bench

CHAIN_BYTES = 7
FRAM_SIZE = 32768
FRAM_ADDRESS = 0x50
NEVER = 0xFFFFFFFF


class Chain165:
    """Seven 74HC165 in a row at pin level: /PL loads, a rising clock edge shifts, QH shows."""

    def __init__(self):
        self.inputs = bytearray(CHAIN_BYTES)
        self._shift = bytearray(CHAIN_BYTES)
        self._at = 0
        self._loading = False
        bench.handlers["s"] = self._push

    def _push(self, channel, data):
        self.inputs[:] = data[:CHAIN_BYTES]

    def latch(self, level):
        self._loading = not level
        if not level:
            self._shift[:] = self.inputs
            self._at = 0

    def clock(self, level):
        if level and not self._loading:
            self._at += 1

    def data(self):
        at = self._at
        if self._loading:
            return self.inputs[0] >> 7
        return self._shift[at >> 3] >> (7 - (at & 7)) & 1 if at < 8 * CHAIN_BYTES else 0

    def readinto(self, buf):
        """What an SPI bus without MOSI clocks in."""
        for i in range(len(buf)):
            byte = 0
            for _ in range(8):
                byte = byte << 1 | self.data()
                self.clock(1)
            buf[i] = byte


class Fram:
    """MB85RC256V: 32 KiB behind a two-byte address that wraps; keeps each byte at once.

    `cut` counts the bytes that still reach the cells before the power goes; None: it stays.
    """

    def __init__(self, path=None):
        self._file = _open(path) if path else None
        self._cells = None if path else bytearray(FRAM_SIZE)
        self._at = 0
        self.cut = None
        self.written = 0
        bench.handlers["k"] = self._set_cut

    def _set_cut(self, channel, data):
        n = struct.unpack("<I", data)[0]
        self.cut = None if n == NEVER else n

    def write(self, data):
        """Two address bytes, then data: one I2C write transaction."""
        if len(data) >= 2:
            self._at = (data[0] << 8 | data[1]) % FRAM_SIZE
            self.put(memoryview(data)[2:])

    def seek(self, addr):
        self._at = addr % FRAM_SIZE

    def put(self, data):
        n = len(data)
        if self.cut is not None and n >= self.cut:
            n, gone = self.cut, True
        else:
            gone = False
        start = self._at
        done = 0
        while done < n:
            part = min(n - done, FRAM_SIZE - self._at)
            self._store(data[done : done + part])
            done += part
        self.written += n
        if self.cut is not None:
            self.cut -= n
        if n:
            bench.send("f", 0, struct.pack("<HH", start, n))
        if gone:
            bench.lost("x")

    def _store(self, part):
        if self._file:
            self._file.seek(self._at)
            self._file.write(part)
            self._file.flush()
        else:
            self._cells[self._at : self._at + len(part)] = part
        self._at = (self._at + len(part)) % FRAM_SIZE

    def readinto(self, buf):
        """Continue from the address counter, as the chip does."""
        view = memoryview(buf)
        done = 0
        while done < len(view):
            part = min(len(view) - done, FRAM_SIZE - self._at)
            if self._file:
                self._file.seek(self._at)
                self._file.readinto(view[done : done + part])
            else:
                view[done : done + part] = self._cells[self._at : self._at + part]
            self._at = (self._at + part) % FRAM_SIZE
            done += part


class Identity:
    """I2C device identity, reserved address 0x7C: who made the chip that is asked for."""

    def __init__(self, chip_address):
        self._chip = chip_address << 1
        self._asked = False

    def write(self, data):
        self._asked = len(data) == 1 and data[0] & 0xFE == self._chip

    def readinto(self, buf):
        answer = b"\x00\xa5\x10" if self._asked else b"\xff\xff\xff"
        for i in range(len(buf)):
            buf[i] = answer[i] if i < 3 else 0xFF


def _open(path):
    try:
        return open(path, "r+b")
    except OSError:
        with open(path, "wb") as new:
            for _ in range(FRAM_SIZE // 1024):
                new.write(bytes(1024))
        return open(path, "r+b")
