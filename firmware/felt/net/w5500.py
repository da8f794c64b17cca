"""W5500: the chip does TCP, we look at its registers; nothing here waits for anything.

Register numbers are those of WIZnet's data sheet, version 1.1.0. A frame is two bytes of address,
a control byte (block, write bit) and data, while the chip is selected.
"""

import struct

from felt.net.mqtt import CLOSED, OPEN, OPENING

VERSION = 4
BAUD = 20_000_000
_WRITE = 4
_COMMON, _SOCKET, _TX, _RX = 0, 1 << 3, 2 << 3, 3 << 3  # blocks, of socket 0
# common registers
_MR, _GATEWAY, _SUBNET, _MAC, _ADDRESS, _PHY, _VERSION = 0, 1, 5, 9, 0x0F, 0x2E, 0x39
_RETRY, _RETRIES = 0x19, 0x1B
_RESET = 0x80
# of a socket
_MODE, _COMMAND, _EVENTS, _STATUS, _PORT, _PEER = 0, 1, 2, 3, 4, 0x0C
_PEER_PORT, _TX_FREE, _TX_END, _RX_SIZE, _RX_AT = 0x10, 0x20, 0x24, 0x26, 0x28
_TCP = 1
_OPEN, _CONNECT, _CLOSE, _SEND, _RECV = 1, 4, 0x10, 0x20, 0x40
_SENT = 0x10  # event: the chip is done with what SEND gave it
_INIT, _ESTABLISHED, _CLOSE_WAIT, _SYN_SENT = 0x13, 0x17, 0x1C, 0x15
_AHEAD = 64  # bytes taken from the chip at once
_PORTS = 49152  # local ports go from here, another one for every connection
_RETRY_100US = 2000


class Missing(Exception):
    """No W5500 answers."""


class W5500:
    """The chip and its socket 0. `spi` and `select` are machine's SPI and Pin, or alike."""

    def __init__(self, spi, select, mac, address, subnet, gateway, port=0):
        self._spi, self._select = spi, select
        self._frame = bytearray(3)
        self._word = bytearray(2)
        self._byte = bytearray(1)
        self._ahead = bytearray(_AHEAD)
        self._have = self._used = 0
        self._local = port
        self._peer = None
        self._sending = False
        select(1)
        self.identify()
        self.write8(_COMMON, _MR, _RESET)
        self.write(_COMMON, _MAC, mac)
        self.write(_COMMON, _RETRY, struct.pack(">H", _RETRY_100US))
        self.write8(_COMMON, _RETRIES, 5)
        self.settle(address, subnet, gateway)

    def identify(self):
        if self.read8(_COMMON, _VERSION) != VERSION:
            raise Missing()

    def settle(self, address, subnet, gateway):
        """Be this address; zeros while there is none."""
        self.write(_COMMON, _ADDRESS, address)
        self.write(_COMMON, _SUBNET, subnet)
        self.write(_COMMON, _GATEWAY, gateway)

    def link(self):
        """True while a cable leads to something."""
        return bool(self.read8(_COMMON, _PHY) & 1)

    # --- the bus

    def _open_frame(self, block, at, write):
        frame = self._frame
        frame[0], frame[1], frame[2] = at >> 8 & 255, at & 255, block | write
        self._select(0)
        self._spi.write(frame)

    def write(self, block, at, data):
        self._open_frame(block, at, _WRITE)
        self._spi.write(data)
        self._select(1)

    def read(self, block, at, buf):
        self._open_frame(block, at, 0)
        self._spi.readinto(buf)
        self._select(1)

    def read8(self, block, at):
        self.read(block, at, self._byte)
        return self._byte[0]

    def write8(self, block, at, value):
        self._byte[0] = value
        self.write(block, at, self._byte)

    def read16(self, at, block=_SOCKET):
        self.read(block, at, self._word)
        return self._word[0] << 8 | self._word[1]

    def write16(self, at, value, block=_SOCKET):
        self._word[0], self._word[1] = value >> 8 & 255, value & 255
        self.write(block, at, self._word)

    # --- the socket

    def connect(self, address, port):
        """Begin to connect; `state` says how far it is."""
        self.close()
        self._local = (self._local + 1) % (0x10000 - _PORTS)
        self.write8(_SOCKET, _MODE, _TCP)
        self.write16(_PORT, _PORTS + self._local)
        self.write8(_SOCKET, _COMMAND, _OPEN)
        self._peer = address, port

    def state(self):
        """CLOSED, OPENING or OPEN; a socket that is ready to connect is sent on its way."""
        now = self.read8(_SOCKET, _STATUS)
        if now == _ESTABLISHED or (now == _CLOSE_WAIT and self._waiting()):
            return OPEN
        if now == _INIT and self._peer:
            self.write(_SOCKET, _PEER, self._peer[0])
            self.write16(_PEER_PORT, self._peer[1])
            self.write8(_SOCKET, _COMMAND, _CONNECT)
            self._peer = None
            return OPENING
        return OPENING if now in (_INIT, _SYN_SENT) else CLOSED

    def _waiting(self):
        return self._have > self._used or self.read16(_RX_SIZE)

    def send(self, data):
        """Give the chip as much as it takes now; returns how many bytes that was."""
        if self._sending:
            if not self.read8(_SOCKET, _EVENTS) & _SENT:
                return 0
            self.write8(_SOCKET, _EVENTS, _SENT)
            self._sending = False
        n = min(len(data), self.read16(_TX_FREE))
        if not n:
            return 0
        at = self.read16(_TX_END)
        self.write(_TX, at, memoryview(data)[:n])
        self.write16(_TX_END, at + n)
        self.write8(_SOCKET, _COMMAND, _SEND)
        self._sending = True
        return n

    def recv(self, buf):
        """Take what was fetched, at most len(buf); returns how many bytes that was.

        -1 when it was only fetched now: that is enough for one lap."""
        if self._used == self._have:
            return -1 if self._fetch() else 0
        n = min(len(buf), self._have - self._used)
        buf[:n] = memoryview(self._ahead)[self._used : self._used + n]
        self._used += n
        return n

    def _fetch(self):
        n = min(_AHEAD, self.read16(_RX_SIZE))
        self._used = self._have = 0
        if n:
            at = self.read16(_RX_AT)
            self.read(_RX, at, memoryview(self._ahead)[:n])
            self.write16(_RX_AT, at + n)
            self.write8(_SOCKET, _COMMAND, _RECV)
            self._have = n
        return n

    def close(self):
        """End at once: what matters is repeated on the next connection."""
        self.write8(_SOCKET, _COMMAND, _CLOSE)
        self.write8(_SOCKET, _EVENTS, 0x1F)
        self._have = self._used = 0
        self._sending = False
        self._peer = None
