"""A W5500 as its registers, with real sockets of the PC: TCP behind socket 0, UDP behind 1.

The same model serves the virtual board (MicroPython), tables inside a PC program and the emulated
RP2040, which clocks it byte by byte: so this file uses what both interpreters have.
"""

try:
    import uselect as _select
    import usocket as _socket
except ImportError:
    import select as _select
    import socket as _socket

BUF = 2048
_MASK = BUF - 1
_WRITE = 4
_OPEN, _CONNECT, _DISCON, _CLOSE, _SEND, _RECV = 1, 4, 8, 0x10, 0x20, 0x40
_CLOSED, _INIT, _SYN_SENT, _ESTABLISHED, _CLOSE_WAIT = 0, 0x13, 0x15, 0x17, 0x1C
_CON, _DISCONNECTED, _RECEIVED, _TIMEOUT, _SENT = 1, 2, 4, 8, 0x10
_MODE, _COMMAND, _EVENTS, _STATUS, _PEER, _PEER_PORT = 0, 1, 2, 3, 0x0C, 0x10
_TX_FREE, _TX_AT, _TX_END, _RX_SIZE, _RX_AT, _RX_END = 0x20, 0x22, 0x24, 0x26, 0x28, 0x2A
_UDP_OPEN = 0x22
_DHCP = 67
_MAY_WAIT = (11, 115)  # EAGAIN, EINPROGRESS


class Chip:
    """`cable` False: nothing goes through; `cut` ends a connection as a dying network does."""

    def __init__(self):
        self.cable = True
        self.gone = 0  # bytes that left, for those who count
        self._link = None
        self.datagrams = Datagrams(self)
        self._frame = []
        self._selected = False
        self._reset()

    def _reset(self):
        self._drop()
        self.common = bytearray(64)
        self.common[0x39] = 4
        self.socket = bytearray(48)
        self.socket[0x1E] = self.socket[0x1F] = 2
        self._put16(_TX_FREE, BUF)
        self._tx = bytearray(BUF)
        self._rx = bytearray(BUF)
        self._leaving = b""
        self.datagrams.reset()

    # --- the bus

    def select(self, level):
        """The chip select pin: low begins a frame."""
        self._selected = not level
        self._frame = []

    def transfer(self, byte):
        """One byte out, one byte in."""
        if not self._selected:
            return 0
        frame = self._frame
        if len(frame) < 3:
            frame.append(byte)
            if len(frame) == 3:
                self._at = frame[0] << 8 | frame[1]
                self._poll()
            return 0
        at = self._at
        self._at = at + 1
        if frame[2] & _WRITE:
            self._store(frame[2] >> 3, at, byte)
            return 0
        return self._load(frame[2] >> 3, at)

    def write(self, buf):
        for byte in buf:
            self.transfer(byte)

    def readinto(self, buf):
        for i in range(len(buf)):
            buf[i] = self.transfer(0)

    # --- registers

    def _load(self, block, at):
        if block == 0:
            if at == 0x2E:
                return 0xBF if self.cable else 0xBE
            return self.common[at] if at < 64 else 0
        if block == 1:
            return self.socket[at] if at < 48 else 0
        if block == 3:
            return self._rx[at & _MASK]
        return self.datagrams.load(block, at)

    def _store(self, block, at, byte):
        if block == 0:
            if at == 0 and byte & 0x80:
                self._reset()
            elif at < 64:
                self.common[at] = byte
        elif block == 1:
            if at == _COMMAND:
                self._do(byte)
            elif at == _EVENTS:
                self.socket[at] &= ~byte & 255
            elif at < 48 and at != _STATUS:
                self.socket[at] = byte
        elif block == 2:
            self._tx[at & _MASK] = byte
        else:
            self.datagrams.store(block, at, byte)

    def _get16(self, at):
        return self.socket[at] << 8 | self.socket[at + 1]

    def _put16(self, at, value):
        self.socket[at], self.socket[at + 1] = value >> 8 & 255, value & 255

    # --- commands

    def _do(self, command):
        s = self.socket
        if command == _OPEN:
            self._drop()
            for at in range(_TX_AT, _RX_END + 2):
                s[at] = 0
            self._put16(_TX_FREE, BUF)
            s[_STATUS] = _INIT
        elif command == _CONNECT and s[_STATUS] == _INIT:
            self._connect()
        elif command in (_CLOSE, _DISCON):
            self._drop()
            s[_STATUS] = _CLOSED
        elif command == _SEND and s[_STATUS] in (_ESTABLISHED, _CLOSE_WAIT):
            at, end = self._get16(_TX_AT), self._get16(_TX_END)
            self._leaving += bytes(
                [self._tx[i & _MASK] for i in range(at, at + (end - at & 0xFFFF))]
            )
            self._put16(_TX_AT, end)
            self._put16(_TX_FREE, BUF - len(self._leaving))
            self._poll()
        elif command == _RECV:
            self._received()

    def _received(self):
        held = self._get16(_RX_END) - self._get16(_RX_AT) & 0xFFFF
        self._put16(_RX_SIZE, held)

    def _connect(self):
        host = ".".join([str(b) for b in self.socket[_PEER : _PEER + 4]])
        port = self._get16(_PEER_PORT)
        self._link = _socket.socket()
        self._link.setblocking(False)
        self._poller = _select.poll()
        self.socket[_STATUS] = _SYN_SENT
        try:
            self._link.connect(_socket.getaddrinfo(host, port)[0][-1])
        except OSError as e:
            if e.args[0] not in _MAY_WAIT:
                return self._fail(_TIMEOUT)
        self._poller.register(self._link, _select.POLLIN | _select.POLLOUT)

    def _drop(self):
        if self._link:
            self._link.close()
        self._link = None
        self._leaving = b""

    def cut(self):
        """The network dies under a connection."""
        if self._link:
            self._fail(_TIMEOUT)

    def _fail(self, event):
        self._drop()
        self.socket[_STATUS] = _CLOSED
        self.socket[_EVENTS] |= event

    # --- the PC's socket

    def _poll(self):
        if self.cable:
            self.datagrams.poll()
        if not self._link or not self.cable:
            return
        ready = 0
        for found in self._poller.poll(0):
            ready = found[1]
        if self.socket[_STATUS] == _SYN_SENT:
            if ready & (_select.POLLERR | _select.POLLHUP):
                self._fail(_TIMEOUT)
            elif ready & _select.POLLOUT:
                self.socket[_STATUS] = _ESTABLISHED
                self.socket[_EVENTS] |= _CON
            return
        try:
            if self._leaving and ready & _select.POLLOUT:
                self._leave()
            if ready & (_select.POLLIN | _select.POLLHUP | _select.POLLERR):
                self._arrive()
        except OSError as e:
            if e.args[0] not in _MAY_WAIT:
                self._fail(_DISCONNECTED)

    def _leave(self):
        n = self._link.send(self._leaving)
        self.gone += n
        self._leaving = self._leaving[n:]
        self._put16(_TX_FREE, BUF - len(self._leaving))
        if not self._leaving:
            self.socket[_EVENTS] |= _SENT

    def _arrive(self):
        room = BUF - self._get16(_RX_SIZE)
        if self.socket[_STATUS] == _CLOSE_WAIT or not room:
            return
        data = self._link.recv(room)
        if not data:
            self.socket[_STATUS] = _CLOSE_WAIT
            self.socket[_EVENTS] |= _DISCONNECTED
            return
        end = self._get16(_RX_END)
        for byte in data:
            self._rx[end & _MASK] = byte
            end += 1
        self._put16(_RX_END, end & 0xFFFF)
        self._received()
        self.socket[_EVENTS] |= _RECEIVED


class Datagrams:
    """Socket 1, for UDP. A PC's broadcasts reach nobody here: what is meant for DHCP's port goes
    to `server` on this machine, whoever it is addressed to; `sent` keeps those addresses."""

    def __init__(self, chip):
        self.chip = chip
        self.server = None  # its port
        self.sent = []
        self._link = None
        self.reset()

    def reset(self):
        self._close()
        self.socket = bytearray(48)
        self._tx = bytearray(BUF)
        self._rx = bytearray(BUF)
        self._put16(_TX_FREE, BUF)

    def load(self, block, at):
        if block == 5:
            return self.socket[at] if at < 48 else 0
        return self._rx[at & _MASK] if block == 7 else 0

    def store(self, block, at, byte):
        if block == 6:
            self._tx[at & _MASK] = byte
        elif block == 5 and at == _COMMAND:
            self._do(byte)
        elif block == 5 and at < 48 and at != _STATUS:
            self.socket[at] = byte

    def _get16(self, at):
        return self.socket[at] << 8 | self.socket[at + 1]

    def _put16(self, at, value):
        self.socket[at], self.socket[at + 1] = value >> 8 & 255, value & 255

    def _close(self):
        if self._link:
            self._link.close()
        self._link = None

    def _do(self, command):
        if command == _CLOSE:
            self._close()
            self.socket[_STATUS] = _CLOSED
        elif command == _OPEN and self.socket[_MODE] == 2:
            for at in range(_TX_AT, _RX_END + 2):
                self.socket[at] = 0
            self._put16(_TX_FREE, BUF)
            self._close()
            self._link = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
            self._link.setblocking(False)
            self.socket[_STATUS] = _UDP_OPEN
        elif command == _SEND and self._link:
            self._send()
        elif command == _RECV:
            self._put16(_RX_SIZE, self._get16(_RX_END) - self._get16(_RX_AT) & 0xFFFF)

    def _send(self):
        at, end = self._get16(_TX_AT), self._get16(_TX_END)
        data = bytes([self._tx[i & _MASK] for i in range(at, at + (end - at & 0xFFFF))])
        self._put16(_TX_AT, end)
        if not self.chip.cable:
            return
        self.sent.append(bytes(self.socket[_PEER : _PEER + 4]))
        if self.server and self._get16(_PEER_PORT) == _DHCP:
            to = _socket.getaddrinfo("127.0.0.1", self.server)[0][-1]
            self._link.sendto(data, to)

    def poll(self):
        if not self._link:
            return
        try:
            data = self._link.recv(BUF)
        except OSError:
            return
        end = self._get16(_RX_END)
        if BUF - self._get16(_RX_SIZE) < len(data) + 8:
            return  # the chip drops what it has no room for
        head = b"\x7f\0\0\1" + bytes([0, _DHCP, len(data) >> 8, len(data) & 255])
        for byte in head + data:
            self._rx[end & _MASK] = byte
            end += 1
        self._put16(_RX_END, end & 0xFFFF)
        self._put16(_RX_SIZE, self._get16(_RX_SIZE) + len(data) + 8)
