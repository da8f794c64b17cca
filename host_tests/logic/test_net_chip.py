"""The W5500's driver over the model of the chip and real sockets; the settings that lead there."""

import vw5500
from felt.games import SettingsError
from felt.games.network import address, check
from felt.net.mqtt import CLOSED, OPEN, OPENING
from felt.net.w5500 import W5500, Missing

PATH = ["boards/VIRTUAL"]
HOST = "the model of the chip is behind sockets of this PC"
HOME = b"\x7f\0\0\1"
NETWORK = (b"\2\0\0\0\0\1", b"\x0a\0\0\2", b"\xff\xff\xff\0", b"\x0a\0\0\1")
GOOD = {
    "table": "pit3-12", "address": "10.0.0.9", "subnet": "255.255.255.0", "gateway": "10.0.0.1",
    "broker": "10.0.0.5",
}  # fmt: skip


def driver():
    model = vw5500.Chip()
    return W5500(model, model.select, *NETWORK), model


class Listener:
    """A server of this process, on a free port."""

    def __init__(self):
        self.sock = vw5500._socket.socket()
        for port in range(20000, 60000, 7):
            try:
                self.sock.bind(vw5500._socket.getaddrinfo("127.0.0.1", port)[0][-1])
                break
            except OSError:
                pass
        self.port = port
        self.sock.listen(1)

    def take(self):
        return self.sock.accept()[0]


def settled(chip, wanted):
    """Look at the socket until it is as wanted; the PC's own stack needs no time for this."""
    for _ in range(100000):
        now = chip.state()
        if now == wanted:
            return
    assert now == wanted


def received(chip, n):
    out, buf = b"", bytearray(37)
    for _ in range(100000):
        got = chip.recv(buf)
        out += bytes(buf[: max(got, 0)])  # -1: it was only fetched
        if len(out) >= n:
            break
    return out


def test_addresses_are_written_where_the_chip_has_them():
    _, model = driver()
    assert bytes(model.common[0x0F:0x13]) == NETWORK[1]
    assert bytes(model.common[0x05:0x09]) == NETWORK[2]
    assert bytes(model.common[0x01:0x05]) == NETWORK[3]
    assert bytes(model.common[0x09:0x0F]) == NETWORK[0]


def test_no_chip_is_said():
    class Nothing:
        def write(self, buf):
            pass

        def readinto(self, buf):
            for i in range(len(buf)):
                buf[i] = 0xFF

    try:
        W5500(Nothing(), lambda level: None, *NETWORK)
    except Missing:
        return
    raise AssertionError("nothing answered as a W5500")


def test_bytes_both_ways_and_the_end():
    server = Listener()
    chip, _ = driver()
    assert chip.state() == CLOSED
    chip.connect(HOME, server.port)
    assert chip.state() == OPENING
    settled(chip, OPEN)
    peer = server.take()
    text = bytes([i & 255 for i in range(5000)])
    at, got = 0, b""
    while len(got) < len(text):  # more than the chip's buffer, in its own portions
        at += chip.send(memoryview(text)[at : at + 300])
        if at - len(got) >= 1500 or at == len(text):
            got += peer.recv(1500)
    assert got == text
    peer.send(text[:3000])
    assert received(chip, 3000) == text[:3000]
    peer.send(b"last")
    peer.close()
    assert received(chip, 4) == b"last"
    settled(chip, CLOSED)


def test_a_closed_port_and_a_second_connection():
    server = Listener()
    chip, _ = driver()
    chip.connect(HOME, 1)
    settled(chip, CLOSED)
    chip.connect(HOME, server.port)
    settled(chip, OPEN)
    server.take().close()
    chip.close()
    assert chip.state() == CLOSED


def test_a_pulled_cable_moves_nothing():
    chip, model = driver()
    assert chip.link()
    model.cable = False
    assert not chip.link()
    chip.connect(HOME, 1)
    for _ in range(10):
        assert chip.state() == OPENING


def test_addresses():
    assert address("10.0.0.255") == b"\x0a\0\0\xff"
    for wrong in ("10.0.0", "10.0.0.256", "a.b.c.d", "10.0.0.1.2", "", None, 5, "10.0.0.-1"):
        assert address(wrong) is None


def why(**changes):
    section = dict(GOOD)
    for name in changes:
        if changes[name] is None:
            section.pop(name)
        else:
            section[name] = changes[name]
    try:
        check(section)
    except SettingsError as e:
        return e.name, e.why
    return None


def test_settings_are_refused_by_their_name():
    assert why() is None
    assert why(port=8883, user="pit3-12") is None
    assert why(broker=None) == ("network.broker", "missing")
    assert why(broker="mqtt.pit") == ("network.broker", "bad_value")
    assert why(table="a/b") == ("network.table", "bad_value")
    assert why(table="a~b") == ("network.table", "bad_value") and why(user="a.b-c_d") is None
    assert why(table="pit3.12") == ("network.table", "bad_value")
    assert why(user="pit3.12") is None
    assert why(table="x" * 33) == ("network.table", "bad_value")
    assert why(port=0) == ("network.port", "bad_value")
    assert why(port=True) == ("network.port", "bad_value")
    assert why(user="") == ("network.user", "bad_value")
    assert why(password="x") == ("network.password", "unknown_setting")
