"""The shoe behind its adapter: every card once, in order, with its position."""

from felt.link import shoe

from tools.peers.shoe_peer import ShoePeer
from tools.peers.wire import Clock, Random, Wire


class Bench:
    def __init__(self, deck=range(52), seed=1, **options):
        self.clock = Clock()
        self.random = Random(seed)
        self.wire = Wire(random=self.random)
        self.peer = ShoePeer(self.wire.b, 77, bytes(deck), **options)
        self.shoe = shoe.FeltShoe(self.wire.a, 11)
        self.got = []

    def step(self):
        now = self.clock.step(5)
        self.wire.step(5)
        if not self.wire.a.deaf:
            message = self.shoe.poll(now)
            if message:
                self.got.append(message)
                self.shoe.accept()
        if not self.wire.b.deaf:
            self.peer.poll(now)

    def run(self, ms=500):
        for _ in range(ms // 5):
            self.step()

    def take(self):
        self.run()
        got, self.got = self.got, []
        return got


def test_a_shoe_introduces_itself():
    bench = Bench()
    want = [("link", "fresh"), ("identity", 15, "felt-shoe 1.0 model"), ("count", 52)]
    assert bench.take() == want
    assert bench.shoe.connected


def test_every_message_arrives_as_its_neutral_tuple():
    bench = Bench()
    bench.take()
    peer = bench.peer
    assert peer.begin_shuffle() and peer.end_shuffle(range(51, -1, -1), 2)
    assert bench.take() == [("shuffling",), ("shuffled", 52, 2)]
    assert peer.draw() == 51
    assert peer.draw(True) == 50
    assert bench.take() == [("drawn", 51, 1), ("face_up", 50, 2)]
    assert bench.shoe.dispense(3, 9)
    assert bench.take() == [("stack", 9, 5, bytes([49, 48, 47]))]
    assert bench.shoe.count() and bench.take() == [("count", 47)]
    peer.jam(4)
    assert peer.draw() is None
    peer.clear_jam()
    peer.remove()
    assert peer.draw() is None
    peer.attach(range(10))
    assert bench.take() == [("jam", 4), ("cleared",), ("removed",), ("attached", 10)]
    for _ in range(10):
        peer.draw()
        bench.run(100)
    got = bench.take()
    assert got[-1] == ("empty",) and got[0] == ("drawn", 0, 1) and len(got) == 11
    assert bench.shoe.hello() and len(bench.take()) == 2


def test_a_shoe_that_cannot_read_says_unknown():
    bench = Bench(abilities=shoe.SHUFFLES)
    bench.take()
    bench.peer.draw()
    assert bench.take() == [("drawn", shoe.UNKNOWN, 1)]


def test_a_stack_is_dispensed_once_per_tag():
    bench = Bench()
    bench.take()
    bench.shoe.dispense(2, 1)
    bench.shoe.dispense(2, 1)
    bench.shoe.dispense(2, 2)
    assert [m[1:3] for m in bench.take()] == [(1, 2), (2, 4)]


def _deal(bench):
    """Deal the whole shoe with deaf periods; return the cards in the order received."""
    while bench.peer.inside or bench.peer.port.pending:
        if bench.random.chance(12):
            bench.peer.draw()
        if bench.random.chance(150):
            (bench.wire.a if bench.random.chance(2) else bench.wire.b).go_deaf(
                1 + bench.random.below(400)
            )
        bench.step()
    bench.run()
    return [m for m in bench.got if m[0] == "drawn"]


def test_shoes_dealt_with_random_deaf_periods():
    for seed in range(5):
        bench = Bench(seed=seed + 1)
        want = [("drawn", n, n + 1) for n in range(52)]
        assert _deal(bench) == want, bench.got


def test_a_card_not_accepted_comes_again_after_a_restart():
    bench = Bench()
    bench.take()
    bench.peer.draw()
    bench.take()
    bench.peer.draw()
    while bench.shoe.port.message is None:
        bench.wire.step(5)
        now = bench.clock.step(5)
        bench.peer.poll(now)
        message = bench.shoe.poll(now)
    assert message == ("drawn", 1, 2)  # journalled, then the controller dies before accept()
    bench.shoe = shoe.FeltShoe(bench.wire.a, 12)
    bench.peer.draw()
    got = bench.take()
    assert [m for m in got if m[0] == "drawn"] == [("drawn", 1, 2), ("drawn", 2, 3)], got


def test_nonsense_is_garbled_not_believed():
    cards = (b"D", b"D\x34\x01", b"D\x01\x01\x01", b"S\x01\x02\x02\x01", b"S\x01\x00\x00")
    for raw in (b"", b"Z", b"I\x01\x00", b"J") + cards:
        assert shoe.parse(raw) == ("garbled", raw), raw


class CounterShoe(shoe.ShoeAdapter):
    """Another make of shoe, to see that the interface is enough: one raw byte per card."""

    connected = True

    def __init__(self, uart):
        self.uart = uart
        self.buf = bytearray(1)
        self.out = 0
        self.waiting = None

    def poll(self, now):
        if self.waiting is None and self.uart.any() and self.uart.readinto(self.buf):
            self.out += 1
            self.waiting = (shoe.DRAWN, self.buf[0], self.out)
        return self.waiting

    def accept(self):
        self.waiting = None


def test_another_shoe_fits_behind_the_adapter():
    bench = Bench()
    bench.shoe = CounterShoe(bench.wire.a)
    bench.wire.a.arrive(b"\x05\x06")
    bench.peer.poll = lambda now: None
    assert bench.take() == [("drawn", 5, 1), ("drawn", 6, 2)]
    assert not bench.shoe.dispense(3, 1), "it has no such ability"


def test_news_of_the_link_does_not_double_a_card_that_waits():
    """The link goes while the table holds a card it has not accepted yet: the card comes once."""
    bench = Bench()
    bench.take()
    bench.peer.draw()
    held = None
    while held is None:
        now = bench.clock.step(5)
        bench.wire.step(5)
        bench.peer.poll(now)
        held = bench.shoe.poll(now)
    bench.wire.cut = True
    for _ in range(500):
        bench.wire.step(5)
        assert bench.shoe.poll(bench.clock.step(5)) == held
    assert not bench.shoe.connected
    bench.shoe.accept()
    bench.wire.cut = False
    got = bench.take()
    assert held[0] == "drawn" and [m for m in got if m[0] == "drawn"] == []
    assert ("link", "lost") in got or ("link", "back") in got
