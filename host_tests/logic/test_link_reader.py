"""The chip reader's line: amounts twice seen, silence noticed, damage never believed."""

from felt.link import reader

from host_tests.helpers.repeats import times
from tools.peers.reader_peer import ReaderPeer
from tools.peers.wire import Clock, Random, Wire


class Bench:
    def __init__(self, noise=(0, 0, 0, 0), spots=8):
        self.clock = Clock()
        self.wire = Wire(random=Random(3), noise=noise)
        self.peer = ReaderPeer(self.wire.b, spots)
        self.reader = reader.FeltReader(self.wire.a)
        self.changes = 0

    def run(self, ms=300, talking=True):
        for _ in range(ms // 5):
            now = self.clock.step(5)
            if talking:
                self.peer.poll(now)
            self.wire.step(5)
            if self.reader.poll(now):
                self.changes += 1


def test_nothing_is_known_before_two_pictures_agree():
    bench = Bench()
    bench.peer.cents[3, 0] = 2500
    bench.run(50)
    assert bench.reader.connected and bench.reader.cents(3, 0) is None
    bench.run(100)
    assert bench.reader.cents(3, 0) == 2500 and bench.reader.cents(3, 1) == 0


def test_an_amount_in_motion_is_not_believed():
    bench = Bench()
    bench.run()
    for cents in (500, 1000, 1500, 2000):
        bench.peer.cents[1, 0] = cents
        bench.run(100)
        assert bench.reader.cents(1, 0) == 0
    bench.run(100)
    assert bench.reader.cents(1, 0) == 2000


def test_changes_are_told_once():
    bench = Bench()
    bench.run()
    assert bench.changes == 2, "found, then known"
    bench.run()
    assert bench.changes == 2
    bench.peer.cents[7, 7] = 100000000
    bench.run()
    assert bench.changes == 3 and bench.reader.cents(7, 7) == 100000000


def test_chips_that_cannot_be_told():
    bench = Bench()
    bench.peer.cents[2, 1] = None
    bench.run()
    assert bench.reader.cents(2, 1) is None and bench.reader.cents(2, 0) == 0


def test_silence_and_a_reader_that_hangs_are_noticed():
    bench = Bench()
    bench.peer.cents[1, 0] = 500
    bench.run()
    bench.run(1100, talking=False)
    assert not bench.reader.connected and bench.reader.cents(1, 0) is None
    bench.run()
    assert bench.reader.cents(1, 0) == 500
    bench.peer.hung = True
    bench.run(1200)
    assert not bench.reader.connected and bench.reader.cents(1, 0) is None


def test_lost_pictures_are_counted():
    bench = Bench()
    bench.run()
    bench.peer.counter += 3
    bench.run(100)
    assert bench.reader.missed == 3


def test_other_frames_are_no_pictures():
    bench = Bench()
    bench.run()
    before = bench.reader.pictures
    encoder = bench.peer._encoder
    for body in (b"", b"P", b"P\x09\x09" + bytes(252 - 9), b"Q\x09\x01" + bytes(28), b"P\x09\x00"):
        encoder.body[: len(body)] = body[:248]
        bench.wire.b.write(encoder.seal(min(len(body), 248)))
        bench.run(50, talking=False)
    assert bench.reader.pictures == before


def test_a_noisy_line_brings_only_true_amounts():
    bench = Bench(noise=(300, 400, 500, 600))
    for cents in range(times(100, 100, 3600), 4000, 100):
        bench.peer.cents[4, 2] = cents
        for _ in range(20):
            bench.run(100)
            assert bench.reader.cents(4, 2) in (None, cents, cents - 100)
    bench.wire.noise = (0, 0, 0, 0)
    bench.run()
    assert bench.reader.cents(4, 2) == 3900 and bench.reader.bad
