"""Datagrams over socket 1 of the W5500: what a DHCP client needs, and nothing waits."""

import struct

_SOCKET, _TX, _RX = 5 << 3, 6 << 3, 7 << 3
_MODE, _COMMAND, _PORT, _PEER, _PEER_PORT = 0, 1, 4, 0x0C, 0x10
_TX_FREE, _TX_END, _RX_SIZE, _RX_AT = 0x20, 0x24, 0x26, 0x28
_UDP = 2
_OPEN, _CLOSE, _SEND, _RECV = 1, 0x10, 0x20, 0x40
_HEAD = 8  # before each datagram in the chip: sender's address, its port, size


class Datagrams:
    """`chip` gives its registers; `local` and `peer` are the port here and the one there."""

    def __init__(self, chip, local, peer):
        self._chip, self._local, self._peer = chip, local, peer
        self._head = bytearray(_HEAD)

    def open(self):
        chip = self._chip
        self.close()
        chip.write8(_SOCKET, _MODE, _UDP)
        chip.write16(_PORT, self._local, _SOCKET)
        chip.write8(_SOCKET, _COMMAND, _OPEN)

    def close(self):
        self._chip.write8(_SOCKET, _COMMAND, _CLOSE)

    def send(self, to, data):
        """Send it, or leave it when the chip has no room: whoever asks, asks again."""
        chip = self._chip
        if chip.read16(_TX_FREE, _SOCKET) < len(data):
            return
        chip.write(_SOCKET, _PEER, to)
        chip.write16(_PEER_PORT, self._peer, _SOCKET)
        at = chip.read16(_TX_END, _SOCKET)
        chip.write(_TX, at, data)
        chip.write16(_TX_END, at + len(data), _SOCKET)
        chip.write8(_SOCKET, _COMMAND, _SEND)

    def receive(self, most):
        """One datagram, cut after `most` bytes; None when there is none."""
        chip = self._chip
        have = chip.read16(_RX_SIZE, _SOCKET)
        if have < _HEAD:
            return None
        at = chip.read16(_RX_AT, _SOCKET)
        chip.read(_RX, at, self._head)
        size = struct.unpack(">H", self._head[6:8])[0]
        if size > have - _HEAD:  # no datagram begins here: begin anew
            self.open()
            return None
        data = bytearray(min(size, most))
        chip.read(_RX, at + _HEAD, data)
        chip.write16(_RX_AT, at + _HEAD + size, _SOCKET)
        chip.write8(_SOCKET, _COMMAND, _RECV)
        return data
