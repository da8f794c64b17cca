"""Bet sensors: debounce, faults and the shift register as it is wired."""

import micropython
from felt.field import sensors

from tools.peers.wire import Clock, Random


class Chain:
    """The inputs of the shift registers, read at once."""

    def __init__(self):
        self.inputs = bytearray(7)
        self.reads = 0

    def readinto(self, buf):
        for seat in range(7):  # a slice would be allocated
            buf[seat] = self.inputs[seat]
        self.reads += 1


class Bench:
    def __init__(self, **options):
        self.chain = Chain()
        self.clock = Clock()
        self.sensors = sensors.Sensors(self.chain, **options)

    def set(self, seat, spot, on):
        mask = 1 << spot
        self.chain.inputs[seat] = self.chain.inputs[seat] & ~mask | (mask if on else 0)

    def run(self, ms, step=5):
        changes = 0
        for _ in range(ms // step):
            changes += self.sensors.poll(self.clock.step(step))
        return changes


def test_scans_every_5_ms_and_debounces_30():
    bench = Bench()
    bench.run(100, 1)
    assert bench.chain.reads == 20
    bench.set(2, 3, 1)
    assert bench.run(30) == 0 and not bench.sensors.present(2, 3)
    assert bench.run(5) == 1 and bench.sensors.present(2, 3)
    assert bench.sensors.state == b"\x00\x00\x08\x00\x00\x00\x00"
    assert bench.run(1000) == 0


def test_a_bounce_starts_again():
    bench = Bench(debounce_ms=50)
    for _ in range(4):
        bench.set(0, 0, 1)
        bench.run(40)
        bench.set(0, 0, 0)
        bench.run(5)
    assert not bench.sensors.present(0, 0)
    bench.set(0, 0, 1)
    bench.run(55)
    assert bench.sensors.present(0, 0)


def test_spots_are_independent():
    bench = Bench()
    random = Random(3)
    want = bytearray(7)
    for _ in range(60):
        seat = random.below(7)
        spot = random.below(8)
        want[seat] ^= 1 << spot
        bench.set(seat, spot, want[seat] >> spot & 1)
        bench.run(40 + random.below(30))
        assert bench.sensors.state == want


def test_inverted_inputs():
    bench = Bench(invert=True)
    bench.chain.inputs[:] = b"\xff" * 7
    bench.set(1, 7, 0)
    bench.run(100)
    assert bench.sensors.state == b"\x00\x80\x00\x00\x00\x00\x00"


def test_a_flapping_spot_is_reported_once_and_never_counts_as_a_bet():
    bench = Bench()
    for n in range(300):
        bench.set(4, 2, n & 1)
        bench.run(10)
    assert not bench.sensors.present(4, 2)
    assert bench.sensors.faults() == [("flapping", 34)]
    bench.run(5000)
    assert bench.sensors.faults() == ()


def test_chips_put_and_taken_at_a_players_pace_do_not_flap():
    bench = Bench()
    for n in range(100):
        bench.set(4, 2, n & 1)
        bench.run(150)
    assert bench.sensors.faults() == ()


def test_a_spot_that_should_be_empty_is_stuck():
    bench = Bench()
    bench.set(1, 0, 1)
    bench.run(100)
    taken = b"\x00\x01\x00\x00\x00\x00\x00"
    bench.sensors.round_closed(taken)
    assert bench.sensors.faults() == ()
    bench.run(100)
    bench.sensors.round_closed(taken)
    assert bench.sensors.faults() == [("stuck", 8)]
    bench.sensors.round_closed(taken)
    assert bench.sensors.faults() == ()
    bench.set(1, 0, 0)
    bench.run(100)
    assert bench.sensors.stuck == bytes(7), "it proved alive"


def test_a_winner_who_leaves_the_chips_is_not_stuck():
    bench = Bench(idle_rounds=5)
    bench.set(1, 0, 1)
    bench.run(100)
    for _ in range(4):
        bench.sensors.round_closed()
    bench.set(1, 0, 0)
    bench.run(100)
    bench.set(1, 0, 1)
    bench.run(100)
    for _ in range(4):
        bench.sensors.round_closed()
    assert bench.sensors.faults() == ()
    bench.sensors.round_closed()
    assert bench.sensors.faults() == [("stuck", 8)]


def test_a_broken_chain_is_not_believed():
    tied = (b"\x80" * 7, b"\x80\x00\x80\x00\x80\x00\x80")
    bench = Bench(tied=tied)
    bench.chain.inputs[:] = tied[1]
    bench.set(0, 0, 1)
    bench.run(100)
    before = bytes(bench.sensors.state)
    assert before[0] & 1
    for dead in (b"\x00" * 7, b"\xff" * 7):
        bench.chain.inputs[:] = dead
        bench.run(100)
        assert bench.sensors.broken and bench.sensors.state == before
        assert bench.sensors.faults() == [("chain", 0)]
        bench.chain.inputs[:] = before
        bench.run(100)
        assert not bench.sensors.broken and bench.sensors.faults() == []


class Register:
    """Seven 74HC165 at the level of their pins."""

    def __init__(self, inputs):
        self.inputs = inputs
        self.bits = []
        self.level = 0
        self.latch = Pin(self.load)
        self.clock = Pin(self.tick)
        self.data = Pin(lambda _: None, lambda: self.bits[0])

    def load(self, level):
        if not level:
            self.bits = [byte >> bit & 1 for byte in self.inputs for bit in range(7, -1, -1)]

    def tick(self, level):
        if level and not self.level:
            self.bits = self.bits[1:] + [0]
        self.level = level

    def readinto(self, buf, write):
        """SPI with polarity 1, phase 0: sample, then shift; the latch is its MOSI."""
        assert write == 0xFF
        for i in range(len(buf)):
            buf[i] = 0
            for _ in range(8):
                buf[i] = (buf[i] << 1 & 0xFF) | self.bits[0]
                self.tick(1)
                self.tick(0)


class Pin:
    def __init__(self, write, read=None):
        self.write = write
        self.read = read

    def __call__(self, *level):
        return self.value(*level)

    def value(self, *level):
        return self.write(level[0]) if level else self.read()


def test_the_chain_reads_the_registers():
    inputs = b"\x01\x80\xa5\x00\xff\x3c\x42"
    register = Register(inputs)
    chain = sensors.SpiChain(register, register.latch)
    for _ in range(2):  # a second scan loads again
        buf = bytearray(7)
        chain.readinto(buf)
        assert buf == inputs


def test_the_scan_allocates_nothing():
    bench = Bench()
    poll = bench.sensors.poll
    inputs = bench.chain.inputs
    poll(0)
    now = 5
    micropython.heap_lock()
    try:
        while now < 5000:
            inputs[3] ^= 0x11
            poll(now)
            poll(now)
            now += 5
    finally:
        micropython.heap_unlock()
    assert bench.sensors.flapping[3] == 0x11
