"""A lent address: the client over the chip's model against a server on this machine."""

import struct

import dhcp_server
import vw5500
from dhcp_server import ACK, DISCOVER, OFFER, REQUEST
from felt.games import SettingsError
from felt.games.network import check
from felt.net import dhcp, mqtt
from felt.net.udp import Datagrams
from felt.net.uplink import Uplink
from felt.net.w5500 import W5500

PATH = ["boards/VIRTUAL", "host_tests/helpers"]
HOST = "its server and the model of the chip need sockets of this PC"
HARDWARE = b"\2\1\2\3\4\5"
ADDRESS, SUBNET, GATEWAY = 0x0F, 0x05, 0x01
EVERYONE = b"\xff" * 4


class Bench:
    """Client, chip and server, with a clock of its own."""

    def __init__(self, **how):
        self.server = dhcp_server.Server(**how)
        self.model = vw5500.Chip()
        self.model.datagrams.server = self.server.port
        self.chip = W5500(self.model, self.model.select, HARDWARE, *[bytes(4)] * 3)
        port = Datagrams(self.chip, dhcp.CLIENT, dhcp.SERVER)
        self.lease = dhcp.Lease(port, self.chip.settle, HARDWARE, "pit3-12", 7)
        self.now = 0x3FFFFF00  # ticks go round meanwhile

    def go(self, seconds, step_ms=100):
        """Let so much time pass."""
        for _ in range(seconds * 1000 // step_ms):
            self.now = (self.now + step_ms) & 0x3FFFFFFF
            self.lap()

    def lap(self):
        took = self.lease.poll(self.now)
        self.server.serve()
        return took

    def address(self):
        return bytes(self.model.common[ADDRESS : ADDRESS + 4])


def lent(**how):
    bench = Bench(**how)
    bench.go(2)
    assert bench.lease.state == dhcp.BOUND
    return bench


def test_an_address_is_lent_and_written_into_the_chip():
    bench = lent()
    assert bench.server.kinds == [DISCOVER, REQUEST]
    assert bench.lease.held == (b"\x0a\0\0\x09", b"\xff\xff\xff\0", b"\x0a\0\0\1")
    assert bench.address() == b"\x0a\0\0\x09"
    assert bytes(bench.model.common[SUBNET : SUBNET + 4]) == b"\xff\xff\xff\0"
    assert bytes(bench.model.common[GATEWAY : GATEWAY + 4]) == b"\x0a\0\0\1"
    said = dhcp_server.options(bench.server.asked)
    assert said[12] == b"pit3-12" and said[61] == b"\1" + HARDWARE
    assert said[50] == bench.server.address and said[54] == dhcp_server.SERVER_ID


def test_it_is_renewed_at_half_its_time_from_the_server_itself():
    bench = lent(lease=600)
    bench.go(290)
    assert len(bench.server.kinds) == 2 and not bench.lap()
    bench.go(20)
    assert bench.server.kinds == [DISCOVER, REQUEST, REQUEST]
    assert bench.server.asked[12:16] == bench.server.address
    assert bench.model.datagrams.sent == [EVERYONE, EVERYONE, dhcp_server.SERVER_ID]
    bench.go(1000)
    assert bench.server.kinds.count(DISCOVER) == 1 and bench.lease.held


def test_a_silent_server_costs_the_address_only_when_its_time_is_over():
    bench = lent(lease=600)
    bench.server.silent = True
    bench.go(590, 1000)
    assert bench.lease.held and EVERYONE in bench.model.datagrams.sent[3:]
    bench.go(20, 1000)
    assert bench.lease.held is None and bench.address() == bytes(4)
    bench.server.silent = False
    bench.go(70)
    assert bench.lease.held and bench.server.kinds[-2:] == [DISCOVER, REQUEST]


def test_a_refusal_begins_anew():
    bench = lent(lease=600)
    bench.server.refuses = True
    bench.go(305)
    assert bench.lease.held is None
    bench.server.refuses = False
    bench.server.address = b"\x0a\0\0\x0b"
    bench.go(100)
    assert bench.address() == b"\x0a\0\0\x0b"


def test_no_server_is_asked_ever_more_seldom():
    bench = Bench()
    bench.server.silent = True
    bench.go(600, 1000)
    assert 9 <= len(bench.server.kinds) <= 14 and bench.lease.held is None
    bench.model.cable = False
    bench.go(200, 1000)
    bench.model.cable = True
    bench.server.silent = False
    bench.go(70)
    assert bench.lease.held


def test_a_lease_for_ever_is_renewed_all_the_same():
    bench = lent(lease=0xFFFFFFFF)
    bench.go(dhcp.LEASE_MAX_S // 2 + 100, 20_000)
    assert bench.server.kinds == [DISCOVER, REQUEST, REQUEST]


def answered(change):
    """What becomes of a first offer that was changed on its way."""
    bench = Bench()
    bench.server.silent = True
    bench.go(1)
    good = dhcp_server.reply(bench.server.asked, OFFER, bench.server.address)
    bench.server.say(change(good))
    bench.go(1)
    return bench.lease.state


def test_what_is_no_answer_is_not_heard():
    assert answered(lambda m: m) == dhcp.ASK
    for at in (0, 4, 28, 236):
        assert answered(lambda m: m[:at] + bytes([m[at] ^ 1]) + m[at + 1 :]) == dhcp.SEEK
    for size in (0, 1, 100, 239, 240, 241, 243, 247):
        assert answered(lambda m: m[:size]) == dhcp.SEEK
    assert answered(lambda m: m[:16] + bytes(4) + m[20:]) == dhcp.SEEK
    assert answered(lambda m: m[:-1] + b"\x0c\xff") == dhcp.SEEK  # an option beyond the end
    assert answered(lambda m: m[:-1] + b"\0" * 600) == dhcp.ASK  # longer than we read
    assert answered(lambda m: dhcp_server.reply(m, ACK, m[16:20])) == dhcp.SEEK


def acknowledged(*extra):
    """What becomes of an acknowledgement with these options."""
    bench = Bench()
    while bench.lease.state != dhcp.ASK:
        bench.lap()
    bench.server.silent = True
    while bench.server.kinds[-1] != REQUEST:
        bench.lap()
    bench.server.say(dhcp_server.reply(bench.server.asked, ACK, bench.server.address, *extra))
    bench.go(1)
    return bench.lease


def test_a_lease_needs_a_time_and_odd_times_are_put_right():
    assert acknowledged().state == dhcp.ASK
    assert acknowledged(b"\x33\4\0\0\0\0").state == dhcp.ASK
    assert acknowledged(b"\x33\2\0\1").state == dhcp.ASK
    hour = b"\x33\4" + struct.pack(">I", 3600)
    assert acknowledged(hour)._renew_ms == 1_800_000
    assert acknowledged(hour, b"\x3a\4" + struct.pack(">I", 60))._renew_ms == 60_000
    assert acknowledged(hour, b"\x3a\4" + struct.pack(">I", 3600))._renew_ms == 1_800_000
    assert acknowledged(hour, b"\x3b\4\0\0\0\0")._rebind_ms == 3_150_000


class Box:
    mac = None

    def restart(self, now):
        pass


def test_without_an_address_nothing_connects_and_losing_it_ends_the_connection():
    bench = lent(lease=600)
    uplink = Uplink(bench.chip, Box(), "t", (b"\x7f\0\0\1", 9), None, 0, bench.lease)
    bench.lease._lose(bench.now)
    uplink.poll(bench.now)  # asks for an address
    assert uplink.client.state == mqtt.DOWN
    for _ in range(20):
        bench.server.serve()
        uplink.poll(bench.now)
        if uplink.client.state != mqtt.DOWN:
            break
    assert uplink.client.state == mqtt.TCP and bench.lease.held
    bench.now = (bench.now + 700_000) & 0x3FFFFFFF
    uplink.poll(bench.now)
    assert uplink.client.state == mqtt.DOWN and bench.lease.held is None and uplink.errors == 0


def why(section):
    try:
        check(section)
    except SettingsError as e:
        return e.name, e.why
    return None


def test_settings():
    lends = {"table": "pit3-12", "address": "dhcp", "broker": "10.0.0.5"}
    assert why(lends) is None
    assert why(dict(lends, gateway="10.0.0.1")) == ("network.gateway", "bad_value")
    assert why(dict(lends, address="DHCP")) == ("network.address", "bad_value")
