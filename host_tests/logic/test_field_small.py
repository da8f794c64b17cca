"""Lamps, FRAM driver, keys and watchdog against small real stand-ins for their chips."""

from felt.field import fram, keys, lamps, watchdog

from tools.peers.wire import Clock


class Leds:
    def __init__(self, n):
        self.next = [(0, 0, 0)] * n
        self.shown = list(self.next)

    def __setitem__(self, i, colour):
        self.next[i] = colour

    def write(self):
        self.shown = list(self.next)


def test_lamps_write_only_on_a_change():
    leds = Leds(14)
    row = lamps.Lamps(leds, 7, 2)
    row.poll(0)
    assert row.writes == 1 and leds.shown == [(0, 0, 0)] * 14
    row.set(3, lamps.LATCHED)
    clock = Clock()
    for _ in range(2000):
        row.poll(clock.step(5))
    assert row.writes == 2, "latched stays lit, across the wrap of the clock, with one write"
    assert leds.shown[6] == leds.shown[7] == lamps.PATTERNS[lamps.LATCHED][0]
    assert leds.shown[5] == leds.shown[8] == (0, 0, 0)
    row.set(0, lamps.LATE)
    seen = set()
    for _ in range(200):
        row.poll(clock.step(5))
        seen.add(leds.shown[0])
    assert seen == {(160, 0, 0), (0, 0, 0)} and row.writes in (9, 10, 11), row.writes


def test_lamp_patterns_differ_and_blink_evenly_over_the_wrap():
    faces = set()
    for pattern in range(len(lamps.PATTERNS)):
        face = tuple([lamps.colour(pattern, t) for t in range(0, 2048, 64)])
        assert face not in faces, pattern
        faces.add(face)
        wrapped = [lamps.colour(pattern, (t - 1024) % (1 << 30)) for t in range(0, 2048, 64)]
        assert tuple(wrapped) in (face, face[16:] + face[:16])
    assert len([face for face in faces if len(set(face)) == 1]) == 3, "off, open, latched: steady"
    try:
        lamps.Lamps(Leds(7)).set(0, 8)
        raise AssertionError("no such pattern")
    except ValueError:
        pass


class I2C:
    """A bus with an MB85RC256V, or with nothing."""

    def __init__(self, fitted=True):
        self.memory = bytearray(32768)
        self.fitted = fitted
        self.fail = 0
        self.longest = 0

    def _check(self, address, buf, addrsize):
        assert addrsize == 16
        self.longest = max(self.longest, len(buf))
        if self.fail:
            self.fail -= 1
            raise OSError(5)
        if address != 0x50 or not self.fitted:
            raise OSError(19)

    def readfrom_mem_into(self, address, at, buf, addrsize=8):
        self._check(address, buf, addrsize)
        buf[:] = self.memory[at : at + len(buf)]

    def writeto_mem(self, address, at, buf, addrsize=8):
        self._check(address, buf, addrsize)
        self.memory[at : at + len(buf)] = bytes(buf)

    def writeto(self, address, buf, stop=True):
        if address != 0x7C or not self.fitted or buf != b"\xa0":
            raise OSError(19)

    def readfrom(self, address, n):
        return b"\x00\xa5\x10"[:n]


def test_fram_reads_and_writes_anywhere_in_chunks():
    bus = I2C()
    chip = fram.Fram(bus)
    data = bytes([i * 7 & 255 for i in range(1000)])
    chip.write(fram.SIZE - 1000, data)
    assert bus.memory[-1000:] == data and bus.longest <= fram.CHUNK
    back = bytearray(1000)
    chip.readinto(fram.SIZE - 1000, back)
    assert back == data and chip.size == 32768
    assert chip.identity() == fram.IDENTITY
    chip.probe()


def test_fram_refuses_addresses_outside():
    chip = fram.Fram(I2C())
    for addr, n in ((-1, 1), (32768, 1), (32760, 9)):
        for act in (chip.write, chip.readinto):
            try:
                act(addr, bytearray(n))
                raise AssertionError((addr, n))
            except ValueError as error:
                assert "outside" in str(error)


def test_fram_tries_again_and_names_a_missing_chip():
    bus = I2C()
    chip = fram.Fram(bus)
    bus.fail = 2
    chip.write(5, b"x")
    assert bus.memory[5] == 120 and chip.retries == 2
    none = fram.Fram(I2C(False))
    assert none.identity() is None
    try:
        none.probe()
        raise AssertionError("missing")
    except fram.FramMissing as error:
        assert "0x50" in str(error)


class Switch:
    def __init__(self):
        self.level = 1

    def value(self):
        return self.level


def test_keys_are_debounced():
    pins = [Switch(), Switch()]
    pair = keys.Keys(pins)
    clock = Clock()
    pair.poll(clock.now)
    pins[keys.SERVICE].level = 0
    assert pair.read(keys.SERVICE), "the bare switch, for power-on"
    got = []
    for n in range(200):
        if n < 10:
            pins[keys.SERVICE].level = n & 1  # bounces
        event = pair.poll(clock.step(10))
        if event:
            got.append((n, event))
        if n == 9:
            pins[keys.SERVICE].level = 0
        if n == 100:
            pins[keys.SERVICE].level = 1
            pins[keys.ATTENDANT].level = 0
    assert [e for _, e in got] == [(1, True), (0, True), (1, False)], got
    assert got[0][0] == 15 and got[1][0] == 106


class Wdt:
    fed = 0

    def feed(self):
        self.fed += 1


def test_watchdog_is_fed_only_when_every_task_checked_in():
    wdt = Wdt()
    starved = []
    dog = watchdog.Watchdog(wdt, ("scan", "links", "table"), 1000, starved.append)
    clock = Clock()
    assert not dog.poll(clock.now)
    for task in (0, 1, 2):
        assert not dog.poll(clock.step(5))
        dog.check_in(task)
    assert dog.poll(clock.step(5)) and wdt.fed == 1
    assert not dog.poll(clock.step(5)), "each feed needs new check-ins"
    for _ in range(1000):
        dog.check_in(0)
        dog.check_in(2)
        dog.poll(clock.step(5))
    assert wdt.fed == 1 and starved == ["links"] and dog.missing() == ["links"]
    dog.check_in(1)
    assert dog.poll(clock.step(5))
