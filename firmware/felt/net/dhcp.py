"""DHCP (RFC 2131): an address that is lent, renewed in time and given up when its time ends.

One datagram a call, out or in; the answer is waited for by looking. What an answer can change is
the chip's three addresses and nothing else of the table.
"""

import struct

from felt.ticks import diff

DISCOVER, OFFER, REQUEST, ACK, NAK = 1, 2, 3, 5, 6
SEEK, ASK, BOUND, RENEW = 0, 1, 2, 3
CLIENT, SERVER = 68, 67
EVERYONE, NOBODY = b"\xff\xff\xff\xff", b"\0\0\0\0"
MESSAGE_MAX = 576  # what a server may send unasked
WAIT_MS = (4000, 8000, 16000, 32000, 64000)  # from one try to the next
RENEW_WAIT_MS = 60_000
LEASE_MAX_S = 172_800  # a longer one is renewed early: ticks go round after twelve days
_FIXED, _LEAST = 240, 300
_MAGIC = b"\x63\x82\x53\x63"
_PARAMETERS = b"\x37\x05\1\3\x33\x3a\x3b"  # subnet, router, lease, T1, T2
_SIZES = {1: 4, 3: 4, 51: 4, 53: 1, 54: 4, 58: 4, 59: 4}  # options that are read


def _word(data):
    return struct.unpack(">I", data)[0]


def options(message):
    """{code: value} of the options we know; None when the message is not well formed."""
    found, at = {}, _FIXED
    while at < len(message) and message[at] != 255:
        code = message[at]
        if code == 0:
            at += 1
            continue
        if at + 2 > len(message) or at + 2 + message[at + 1] > len(message):
            return None
        size = message[at + 1]
        if code in _SIZES and size >= _SIZES[code]:
            found[code] = bytes(message[at + 2 : at + 2 + _SIZES[code]])
        at += 2 + size
    return found


class Lease:
    """`poll(now)` once a lap; `held` is (address, subnet, gateway) or None.

    `port` sends and receives datagrams, `settle` writes the three addresses into the chip."""

    def __init__(self, port, settle, hardware, name, seed):
        self._port, self._settle = port, settle
        self._hardware = hardware
        self._tail = b"\x3d\x07\1" + hardware + b"\x0c" + bytes([len(name)]) + name.encode()
        self._id = seed & 0xFFFF
        self.held = self._server = self._offered = None
        self._since = 0  # when the lease that is held began
        self._again(SEEK, None)

    def _again(self, state, now):
        """Ask at the next call, `now` or None; an exchange has one number."""
        self.state = state
        self._came = self._letter = None
        self._tries = 0
        self._next = now
        self._id = (self._id + 1) & 0xFFFF
        if state == BOUND:
            self._port.close()
        else:
            self._port.open()

    def poll(self, now):
        """One step; True when it took this lap."""
        if self.state == BOUND:
            if diff(now, self._since) < self._renew_ms:
                return False
            self._again(RENEW, now)
        if self.held and diff(now, self._since) >= self._lease_ms:
            self._lose(now)
        return self._post(now)

    def _post(self, now):
        """Read what came, send what is written, fetch or write the next: one of them a call."""
        if self._came:
            came, self._came = self._came, None
            self._hear(came, now)
        elif self._letter:
            letter, self._letter = self._letter, None
            self._port.send(*letter)
        else:
            self._came = self._port.receive(MESSAGE_MAX)
            if self._came:
                return True
            if self._next is not None and diff(now, self._next) < 0:
                return False
            self._say(now)
        return True

    def _lose(self, now):
        self.held = None
        self._settle(NOBODY, NOBODY, NOBODY)
        self._again(SEEK, now)

    # --- out

    def _say(self, now):
        if self.state == ASK and self._tries == len(WAIT_MS) - 1:
            self._again(SEEK, now)
        wait = WAIT_MS[min(self._tries, len(WAIT_MS) - 1)]
        self._tries += 1
        to, extra, own = EVERYONE, b"", NOBODY
        if self.state == ASK:
            extra = b"\x32\4" + self._offered + b"\x36\4" + self._server
        elif self.state == RENEW:
            own = self.held[0]
            limit = self._rebind_ms
            if diff(now, self._since) < limit:
                to = self._server
            else:
                limit = self._lease_ms
            wait = max(RENEW_WAIT_MS, (limit - diff(now, self._since)) // 2)
        self._next = (now + wait) & 0x3FFFFFFF
        kind = DISCOVER if self.state == SEEK else REQUEST
        self._letter = to, self._message(kind, own, extra)

    def _number(self):
        return struct.pack(">HH", self._hardware[4] << 8 | self._hardware[5], self._id)

    def _message(self, kind, own, extra):
        out = bytearray(_FIXED)
        out[0:4] = b"\1\1\6\0"
        out[4:8] = self._number()
        out[10] = 0 if own != NOBODY else 0x80  # without an address only a broadcast reaches us
        out[12:16] = own
        out[28:34] = self._hardware
        out[236:240] = _MAGIC
        out += b"\x35\1" + bytes([kind]) + extra + _PARAMETERS + self._tail + b"\xff"
        return out + bytes(max(0, _LEAST - len(out)))

    # --- in

    def _hear(self, message, now):
        """An answer to what was asked last, from the server it was asked of."""
        if (
            len(message) < _FIXED
            or message[0] != 2
            or bytes(message[4:8]) != self._number()
            or bytes(message[28:34]) != self._hardware
            or bytes(message[236:240]) != _MAGIC
        ):
            return
        said = options(message)
        kind = said and said.get(53)
        if not kind or 54 not in said:
            return
        if self.state == SEEK:
            if kind[0] == OFFER:
                self._offer(bytes(message[16:20]), said[54], now)
        elif kind[0] == ACK:
            self._take(bytes(message[16:20]), said, now)
        elif kind[0] == NAK and said[54] == self._server:
            self._lose(now)

    def _offer(self, address, server, now):
        if address == NOBODY:
            return
        self._offered, self._server = address, server
        self.state, self._tries, self._next = ASK, 0, now

    def _take(self, address, said, now):
        """The address is ours from now on, for as long as it was lent."""
        if address == NOBODY or 51 not in said or (self.state == ASK and address != self._offered):
            return
        lease = min(_word(said[51]), LEASE_MAX_S)
        if not lease:
            return
        self._lease_ms = lease * 1000
        self._renew_ms = _share(said.get(58), lease, lease // 2) * 1000
        self._rebind_ms = _share(said.get(59), lease, lease * 7 // 8) * 1000
        self._since, self._server = now, said[54]
        held = address, said.get(1, b"\xff\xff\xff\0"), said.get(3, NOBODY)
        if held != self.held:
            self.held = held
            self._settle(*held)
        self._again(BOUND, now)


def _share(given, lease, usual):
    """A time the server names, where it lies inside the lease."""
    named = _word(given) if given else 0
    return named if 0 < named < lease else usual
