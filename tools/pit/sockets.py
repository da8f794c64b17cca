"""A PC's TCP socket with the manners of the table's chip: connect, send and receive never wait."""

from __future__ import annotations

import errno
import select
import socket
from typing import Any

from felt.net.mqtt import CLOSED, OPEN, OPENING

_LATER = (errno.EINPROGRESS, errno.EAGAIN, errno.EWOULDBLOCK)


class PcSocket:
    """What `felt.net.mqtt.Client` needs of a socket."""

    def __init__(self) -> None:
        self._link: socket.socket | None = None
        self._there = CLOSED

    def connect(self, address: bytes, port: int) -> None:
        self.close()
        self._link = socket.socket()
        self._link.setblocking(False)
        self._link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        found = self._link.connect_ex((socket.inet_ntoa(bytes(address)), port))
        self._there = OPENING if found in (0, *_LATER) else CLOSED

    def state(self) -> int:
        if self._there == OPENING and self._link:
            if select.select([], [self._link], [], 0)[1]:
                failed = self._link.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                self._there = CLOSED if failed else OPEN
        return self._there

    def send(self, data: Any) -> int:
        return self._try(lambda link: link.send(data))

    def recv(self, buf: Any) -> int:
        return self._try(lambda link: link.recv_into(buf), ends=True)

    def _try(self, act: Any, ends: bool = False) -> int:
        if self._link is None:
            return 0
        try:
            n = act(self._link)
        except OSError as error:
            if error.errno not in _LATER:
                self._there = CLOSED
            return 0
        if ends and not n:
            self._there = CLOSED
        return n

    def close(self) -> None:
        if self._link:
            self._link.close()
        self._link, self._there = None, CLOSED
