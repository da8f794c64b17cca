"""The MQTT client against brokers that answer slowly, in crumbs, wrongly or not at all."""

from felt.net import mqtt
from felt.net.mqtt import ASKED, DOWN, GREETED, TCP, UP, Client

CONNACK = b"\x20\x02\0\0"
SUBACK = b"\x90\x03\0\1\0"


class Broker:
    """A socket whose far end is the test: `said` is what the client sent, `say` what it hears."""

    def __init__(self, takes=1000):
        self.there = mqtt.CLOSED
        self.said = b""
        self.waiting = b""
        self.takes = takes  # bytes accepted in one send
        self.crumbs = 1000  # bytes given in one recv
        self.opened = 0

    def connect(self, address, port):
        self.there = mqtt.OPENING
        self.said = self.waiting = b""
        self.opened += 1

    def state(self):
        return self.there

    def send(self, data):
        n = min(self.takes, len(data))
        self.said += bytes(data[:n])
        return n

    def recv(self, buf):
        n = min(len(buf), len(self.waiting), self.crumbs)
        buf[:n] = self.waiting[:n]
        self.waiting = self.waiting[n:]
        return n

    def close(self):
        self.there = mqtt.CLOSED


def client(sock, login=None):
    return Client(
        sock, (b"\x0a\0\0\1", 1883), "felt-7", login, ("felt/7/line", "gone"), "felt/7/in"
    )


def up(sock, c, now=0):
    c.open(now)
    sock.there = mqtt.OPEN
    for answer in (b"", CONNACK, SUBACK):
        sock.waiting += answer
        for _ in range(40):
            c.poll(now)
    assert c.state == UP
    return c


def polled(c, now, times=60):
    found = [c.poll(now) for _ in range(times)]
    return [each for each in found if each is not None]


def test_greeting_has_will_and_login():
    sock = Broker()
    up(sock, client(sock, ("u", "pw")))
    hello = b"\0\4MQTT\4\xee\0\x1e\0\x06felt-7\0\x0bfelt/7/line\0\4gone\0\1u\0\2pw"
    ask = b"\0\1\0\tfelt/7/in\0"
    assert sock.said == b"\x10" + bytes([len(hello)]) + hello + b"\x82" + bytes([len(ask)]) + ask


def test_states_in_their_order():
    sock = Broker()
    c = client(sock)
    assert c.state == DOWN
    c.open(0)
    c.poll(0)
    assert c.state == TCP
    sock.there = mqtt.OPEN
    c.poll(1)
    assert c.state == GREETED
    sock.waiting = CONNACK
    polled(c, 2)
    assert c.state == ASKED
    sock.waiting = SUBACK
    polled(c, 3)
    assert c.state == UP


def test_answers_in_crumbs():
    sock = Broker(takes=1)
    sock.crumbs = 1
    c = client(sock)
    c.open(0)
    sock.there = mqtt.OPEN
    sock.waiting = CONNACK + SUBACK
    polled(c, 5, 200)
    assert c.state == UP
    sock.waiting = b"\x30\x0e\0\tfelt/7/inabc"
    assert polled(c, 6) == [b"abc"]


def test_message_too_long_is_counted_past():
    sock = Broker()
    c = up(sock, client(sock))
    long = b"\0\tfelt/7/in" + b"x" * 5000
    sock.waiting = b"\x30" + mqtt.length(len(long)) + long + b"\x30\x0e\0\tfelt/7/inabc"
    assert polled(c, 1, 200) == [b"abc"]
    assert c.state == UP


def test_nonsense_never_raises_more_than_value_error():
    x = 1
    for _ in range(200):
        sock = Broker()
        c = up(sock, client(sock))
        noise = bytearray()
        for _ in range(64):
            x = (x * 1103515245 + 12345) & 0x7FFFFFFF
            noise.append(x >> 16 & 255)
        sock.waiting = bytes(noise)
        try:
            polled(c, 1, 40)
        except ValueError:
            pass
        assert len(c._in) == mqtt.IN_MAX and c.unacked >= 0


def test_refused_login_and_subscription():
    for answers, why in (
        ((b"\x20\x02\0\5",), "login 5"),
        ((CONNACK, b"\x90\x03\0\1\x80"), "subscription"),
    ):
        sock = Broker()
        c = client(sock)
        c.open(0)
        sock.there = mqtt.OPEN
        c.poll(0)
        for answer in answers:
            sock.waiting += answer
            polled(c, 0)
        assert c.state == DOWN and c.why == why


def test_no_answer_is_given_up():
    sock = Broker()
    c = client(sock)
    c.open(0)
    c.poll(mqtt.PATIENCE_MS)
    assert c.state == TCP
    c.poll(mqtt.PATIENCE_MS + 1)
    assert (c.state, c.why) == (DOWN, "no answer")


def test_silence_is_asked_then_given_up():
    sock = Broker()
    c = up(sock, client(sock))
    sock.said = b""
    polled(c, mqtt.PING_MS + 1)
    assert sock.said == b"\xc0\0"
    polled(c, mqtt.SILENCE_MS + 1)
    assert (c.state, c.why) == (DOWN, "silent")


def test_publish_in_pieces_and_acknowledged():
    sock = Broker(takes=3)
    c = up(sock, client(sock))
    polled(c, 0)
    sock.said = b""
    for _ in range(mqtt.UNACKED):
        assert c.may_publish()
        c.publish("a", 5)
        polled(c, 1)
        c.put(b"12345")
        polled(c, 1)
    assert sock.said == b"".join(
        [b"\x32\x0a\0\1a\0" + bytes([i + 1]) + b"12345" for i in range(mqtt.UNACKED)]
    )
    assert c.free() and not c.may_publish()
    sock.waiting = b"\x40\x02\0\1"
    polled(c, 2)
    assert c.may_publish()


def test_a_connection_that_ends_is_down():
    sock = Broker()
    c = up(sock, client(sock))
    sock.there = mqtt.CLOSED
    c.poll(1)
    assert (c.state, c.why) == (DOWN, "lost")
